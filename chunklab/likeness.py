"""How alike the sentences of one document are: bags of hashed words, rare words weighing more."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from chunklab.scan import scan
from chunklab.sentences import sentence_starts
from chunklab.tokens.ngrams import HashedText
from chunklab.types import Document

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

DIMS = 4096
BLOCK = 3
"""Sentences on either side of a gap that are compared."""


class Likeness:
    """The m sentences of a document: `starts` and `ends` of their visible text, (m,) int32, and `rows`.

    `rows` is (m, 4096) sparse, of length one: the count of each hashed word times log(1 + m / sentences
    that have it). A sentence without words is a row of zeros.
    """

    def __init__(self, document: Document):
        from scipy.sparse import csr_matrix

        known = scan(document)
        hashed = document.fact(("ngrams", "unicode"), lambda: HashedText(document.text, "unicode"))
        self.starts = sentence_starts(document)
        after = np.append(self.starts[1:], len(document.text))
        self.ends = known.visible_end[after]
        m = len(self.starts)
        sentence = np.searchsorted(self.starts, hashed.starts, "right") - 1
        column = (hashed.hashes[1] % np.uint64(DIMS)).astype(np.int64)
        place, count = np.unique(np.maximum(sentence, 0) * DIMS + column, return_counts=True)
        rows, columns = np.divmod(place, DIMS)
        rarity = np.log1p(m / np.maximum(np.bincount(columns, minlength=DIMS), 1))
        self.rows = _unit(csr_matrix((count * rarity[columns], (rows, columns)), shape=(m, DIMS)))

    def within(self, spans: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(first, last): sentences first to last - 1 lie wholly in each span; both (n,)."""
        first = np.searchsorted(self.starts, spans[:, 0])
        last = np.searchsorted(self.ends, spans[:, 1], "right")
        return first, np.maximum(first, last)

    def most_central(self, first: int, last: int) -> int:
        """Of the sentences first to last - 1 the one nearest to their sum, the earlier in a tie."""
        low, high = self.rows.indptr[first], self.rows.indptr[last]
        columns, values = self.rows.indices[low:high], self.rows.data[low:high]
        centre = np.bincount(columns, values, minlength=DIMS)
        lengths = np.diff(self.rows.indptr[first : last + 1])
        row = np.repeat(np.arange(last - first), lengths)
        near = np.bincount(row, values * centre[columns], minlength=last - first)
        return first + int(np.argmax(np.round(near, 9)))

    @cached_property
    def across(self) -> np.ndarray:
        """(m,) cosine of the three sentences before each sentence with it and the two after; 1 at the first.

        Where fewer sentences are left, those.
        """
        from scipy.sparse import diags

        m = len(self.starts)
        if m < 2:
            return np.ones(m)
        ahead = diags([1.0] * BLOCK, list(range(BLOCK)), shape=(m, m), format="csr")
        blocks = ahead @ self.rows
        right = _unit(blocks)
        behind = diags([1.0] * BLOCK, [-step for step in range(1, BLOCK + 1)], shape=(m, m), format="csr")
        left = _unit(behind @ self.rows)
        found = np.asarray(left.multiply(right).sum(axis=1)).ravel()
        found[0] = 1.0
        return found


def likeness(document: Document) -> Likeness:
    """The document's sentences compared, kept with the document."""
    return document.fact("likeness", lambda: Likeness(document))


def _unit(rows: csr_matrix) -> csr_matrix:
    from scipy.sparse import diags

    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    return (diags(1 / np.where(lengths == 0, 1, lengths)) @ rows).tocsr()
