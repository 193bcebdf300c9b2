"""What word search counts: the words of a text, and the pairs of words with nothing between them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunklab.tokens.ngrams import HashedText, normal_form
from chunklab.types import Document

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Term = tuple[str, ...]
"""One word in its normal form, or two that touch, as characters do in scripts written without blanks."""


class Read(NamedTuple):
    """The terms of a text, with its first and last word where these touch its ends, else ""."""

    terms: tuple[Term, ...]
    first: str = ""
    last: str = ""


@lru_cache(maxsize=1 << 12)
def read(text: str) -> Read:
    """The terms of a text on its own: all words, then all pairs."""
    hashed = HashedText(text)
    words, starts, ends = hashed.strings, hashed.starts, hashed.ends
    if not words:
        return Read(())
    touch = (starts[1:] == ends[:-1]).tolist()
    pairs = [pair for pair, together in zip(pairwise(words), touch, strict=True) if together]
    first, last = words[0] if starts[0] == 0 else "", words[-1] if ends[-1] == len(text) else ""
    return Read((*zip(words), *pairs), first, last)


class Asked:
    """The terms of some queries, each with a column, counted in chunks of documents.

    A document's words are found once and kept with it, and only where these terms are is looked at after
    that. `queries` is (q, t): how often each query has each term.
    """

    def __init__(self, queries: Sequence[str]):
        from scipy.sparse import csr_matrix

        self.columns: dict[Term, int] = {}
        found = [
            [self.columns.setdefault(term, len(self.columns)) for term in read(each).terms]
            for each in queries
        ]
        rows = np.repeat(np.arange(len(found)), [len(each) for each in found])
        flat = np.array([column for each in found for column in each], dtype=np.int64)
        self.queries = csr_matrix(
            (np.ones(len(flat)), (rows, flat)), shape=(len(found), max(1, len(self.columns)))
        )

    def counts(
        self, document: Document, spans: np.ndarray, contexts: Sequence[str] = ()
    ) -> tuple[csr_matrix, np.ndarray]:
        """((n, t) counts, (n,) number of all terms), as `read` finds them in each context and its span's text."""
        from scipy.sparse import csr_matrix

        hashed: HashedText = document.fact(("ngrams", "unicode"), lambda: HashedText(document.text))
        touch = document.fact("words that touch", lambda: _before(hashed.starts[1:] == hashed.ends[:-1]))
        spans = np.asarray(spans, dtype=np.int32)
        first, last, heads, tails = hashed.inside(spans, bool(contexts))
        lengths = last - first + touch[np.maximum(last - 1, first)] - touch[first]
        rows, columns = [], []
        places = document.fact(("asked terms", self), lambda: self._places(hashed))
        for order, (at, column) in enumerate(places):
            low, high = np.searchsorted(at, first), np.searchsorted(at, last - order)
            many = np.maximum(high - low, 0)
            row = np.repeat(np.arange(len(spans)), many)
            rows.append(row)
            columns.append(column[np.arange(len(row)) + np.repeat(low - np.cumsum(many) + many, many)])
        odd_rows, odd_columns = self._at_edges(hashed, spans, contexts, (first, last, heads, tails), lengths)
        rows, columns = np.concatenate([*rows, odd_rows]), np.concatenate([*columns, odd_columns])
        shape = len(spans), self.queries.shape[1]
        return csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape), lengths

    def _places(self, hashed: HashedText) -> list[tuple[np.ndarray, np.ndarray]]:
        """(words, columns) of the asked words, then of the asked pairs by their first word."""
        numbers, forms = hashed.numbered
        number = {form: at for at, form in enumerate(forms)}
        column = np.full(len(forms) + 1, -1)
        pairs: dict[int, int] = {}
        for term, place in self.columns.items():
            if all(word in number for word in term):
                if len(term) == 1:
                    column[number[term[0]]] = place
                else:
                    pairs[number[term[0]] * len(forms) + number[term[1]]] = place
        words = np.flatnonzero(column[numbers] >= 0)
        touching = np.flatnonzero(hashed.starts[1:] == hashed.ends[:-1])
        codes = numbers[touching] * len(forms) + numbers[touching + 1]
        asked = np.isin(codes, np.fromiter(pairs, dtype=np.int64, count=len(pairs)))
        of_pairs = np.array([pairs[code] for code in codes[asked].tolist()], dtype=np.int64)
        return [(words, column[numbers[words]]), (touching[asked], of_pairs)]

    def _at_edges(
        self,
        hashed: HashedText,
        spans: np.ndarray,
        contexts: Sequence[str],
        inside: tuple,
        lengths: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """(rows, columns) of terms with a context's words or with words cut by an edge; adds all to `lengths`."""
        rows: list[int] = []
        columns: list[int] = []
        starts, ends = spans[:, 0], spans[:, 1]
        _, _, heads, tails = inside
        cut = (heads > starts) | (tails < ends) | bool(contexts)
        for row in np.flatnonzero(cut).tolist():
            place = (int(each[row]) for each in (starts, ends, *inside))
            terms = _edge_terms(hashed, contexts[row] if contexts else "", *place)
            lengths[row] += len(terms)
            found = [self.columns[term] for term in terms if term in self.columns]
            rows += [row] * len(found)
            columns += found
        return np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64)


def _edge_terms(
    hashed: HashedText, context: str, start: int, end: int, first: int, last: int, head: int, tail: int
) -> list[Term]:
    """The terms of a context and a span that are not among whole words first to last - 1 of the text."""
    text, terms = hashed.text, []
    if context and not context[-1].isspace():
        before = read(context + text[start:head])
    else:
        terms += read(context).terms
        before = _fragment(hashed, text[start:head])
    after = _fragment(hashed, text[tail:end])
    terms += [*before.terms, *after.terms]
    if first == last:
        if before.last and after.first and head == tail:
            terms.append((before.last, after.first))
        return terms
    if before.last and hashed.starts[first] == head:
        terms.append((before.last, hashed.strings[first]))
    if after.first and hashed.ends[last - 1] == tail:
        terms.append((hashed.strings[last - 1], after.first))
    return terms


def _fragment(hashed: HashedText, part: str) -> Read:
    """A part of a run as the word it is."""
    if not part or not hashed.is_word(part):
        return Read(())
    word = normal_form(part)
    return Read(((word,),), word, word)


def _before(flags: np.ndarray) -> np.ndarray:
    """(n + 2,) int32: how many flags stand before each place."""
    return np.concatenate(([0], np.cumsum(flags, dtype=np.int32), [flags.sum()])).astype(np.int32)
