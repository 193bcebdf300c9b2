"""Exact token counts of many slices of one text, which is tokenised once.

A tokenizer's edge is an offset p such that tokenising any slice that contains p in its inside or at
an end gives the tokens left of p followed by those right of p, whatever else the slice holds. It is
decided by the two characters beside p alone, so an edge of the text is an edge of every slice.

* Byte-pair encodings first cut the text with a pattern and never merge across its matches. After a
  character that is not blank and before a blank other than CR or LF, no match of the pattern goes
  on: the only blank a match may hold together with something visible is its first character or a
  line end after punctuation, and look-ahead is used by matches of blanks only, which end elsewhere.
  The other pairs in `matches` (a letter before punctuation, a digit beside anything that is not a digit
  or blank, a line end before something visible) follow from the same reading.
* WordPiece works on words: a blank, an ideograph and ASCII punctuation each part their neighbours,
  and its normaliser maps one character at a time as far as base characters go (a reordering of
  combining marks cannot pass a base character).

So a slice [s, e) has the tokens of [s, p), of [p, q) and of [q, e), where p is the first edge at or
above s and q the last at or below e. The middle comes from the text's offsets; the two fragments,
or the whole slice when it holds no edge, are tokenised on their own.

Where a token begins inside a word, a slice that begins there nearly always has the text's own tokens
from there on, and one that ends there those before. Byte-pair merges inside a token never look beyond it,
so this holds wherever the pattern has one match for each part of the word: such a place is firm, as
an edge is, and nothing is tokenised for it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from functools import cached_property, lru_cache

import numpy as np

from chunklab.offsets import for_bisection
from chunklab.tokens import tokenizer
from chunklab.tokens.base import CHARACTERS_KEPT
from chunklab.tokens.recent import Recent

_SHORT, _REMEMBERED = 40, 50_000


class Layout:
    """The tokens of one text: where they start, and which of these places are firm, see above.

    `starts` is (n + 1,) int32 and ends with the text's length; `firm` (n + 1,) bool.
    """

    def __init__(self, text: str, name: str):
        self.text, self.name = text, name
        reader = tokenizer(name)
        starts, ends = reader.offsets(text)
        self.starts = np.append(starts, np.int32(len(text)))
        # A token that holds part of a character begins where the one before it has not ended.
        self.firm = np.concatenate(([0], ends))[: len(self.starts)] <= self.starts
        inside = np.flatnonzero(self.firm[1:-1]) + 1
        self.firm[inside] = reader.firm(text, self.starts[inside])
        self.firm[0] = not self.starts[0]

    @cached_property
    def edges(self) -> np.ndarray:
        """As `Tokenizer.edges`."""
        return tokenizer(self.name).edges(self.text)

    @cached_property
    def lists(self) -> tuple[array, bytes]:
        """`starts` and `firm` for bisection and single look-ups."""
        return for_bisection(self.starts), self.firm.tobytes()

    @cached_property
    def _edge_list(self) -> array:
        return for_bisection(self.edges)

    def count(self, start: int, end: int) -> int:
        """How many tokens the slice text[start:end] has when it stands alone; start <= end."""
        starts, firm = self.lists
        low, high = bisect_left(starts, start), bisect_left(starts, end)
        begins, ends = firm[low] and starts[low] == start, firm[high] and starts[high] == end
        if begins and ends:
            return high - low
        edges = self._edge_list
        first = start if begins else edges[bisect_left(edges, start)]
        last = end if ends else edges[bisect_right(edges, end) - 1]
        if first > last:
            return self._alone(start, end)
        between = bisect_left(starts, last) - bisect_left(starts, first)
        return self._alone(start, first) + between + self._alone(last, end)

    def counts(self, spans: np.ndarray) -> np.ndarray:
        """(n,) int32: `count` of many (n, 2) spans."""
        starts, ends = spans[:, 0], spans[:, 1]
        low, high = (np.searchsorted(self.starts, each) for each in (starts, ends))
        first, last = starts.copy(), ends.copy()
        rows = np.flatnonzero(~self.firm[low] | (self.starts[low] != starts))
        first[rows] = self.edges[np.searchsorted(self.edges, starts[rows])]
        low[rows] = np.searchsorted(self.starts, first[rows])
        rows = np.flatnonzero(~self.firm[high] | (self.starts[high] != ends))
        last[rows] = self.edges[np.searchsorted(self.edges, ends[rows], side="right") - 1]
        high[rows] = np.searchsorted(self.starts, last[rows])
        whole = first > last
        first[whole] = last[whole] = ends[whole]
        counts = np.where(whole, 0, high - low).astype(np.int32)
        for begin, end in ((starts, first), (last, ends)):
            rows = np.flatnonzero(begin < end)
            if not len(rows):
                continue
            parts = [self.text[a:b] for a, b in zip(begin[rows].tolist(), end[rows].tolist(), strict=True)]
            known = dict.fromkeys(parts)
            known = dict(zip(known, tokenizer(self.name).count_many(list(known)).tolist(), strict=True))
            counts[rows] += np.array([known[part] for part in parts], dtype=np.int32)
        return counts

    def _alone(self, start: int, end: int) -> int:
        if start == end:
            return 0
        part = self.text[start:end]
        return _counted(part, self.name) if end - start <= _SHORT else tokenizer(self.name).count(part)


@lru_cache(_REMEMBERED)
def _counted(text: str, name: str) -> int:
    return tokenizer(name).count(text)


_layouts: Recent[Layout] = Recent(CHARACTERS_KEPT)


def layout(text: str, name: str) -> Layout:
    """The layout of a text, kept for the texts used last."""
    return _layouts.get((name, text), len(text), lambda: Layout(text, name))


def count_spans(text: str, spans: np.ndarray, name: str) -> np.ndarray:
    """(n,) int32: how many tokens each slice text[start:end] has when it stands alone; exact.

    `spans` is (n, 2), in any order; an empty span has no tokens.
    """
    return layout(text, name).counts(np.asarray(spans, dtype=np.int32).reshape(-1, 2))
