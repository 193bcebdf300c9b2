"""Sums over runs of a sequence, at a cost that hardly depends on how long the runs are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

STRIDE = 8
NUMBERS = 1 << 23
FEW = 1 << 15
"""Numbers that are added up without a sparse matrix: a small document is ranked without loading scipy."""
Rows = Callable[[int, np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""(n, rows, ids, signs) -> (n, d) float64: in each row the sum of what its ids stand for, times their signs."""


class RunSums:
    """Sums of what the numbers in `ids` stand for, over any run of them: `kept` and, of `entries`, `rows` more.

    The sums up to every eighth place are kept, in a long sequence those up to every so many more that they
    are at most 8 million numbers; only the few places between them and a run's ends are summed anew.
    """

    def __init__(self, ids: np.ndarray, rows: Rows, width: int):
        self.ids, self.rows = ids, rows
        self.stride = max(STRIDE, len(ids) * width // NUMBERS)
        self.full = len(ids) // self.stride
        of = np.repeat(np.arange(self.full), self.stride)
        self.before = np.zeros((self.full + 1, width))
        np.cumsum(rows(self.full, of, ids[: len(of)], np.ones(len(of))), axis=0, out=self.before[1:])

    def entries(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(rows, ids, signs) of what `kept` has too much or too little of each run."""
        places = np.stack((low, high), axis=1).ravel()
        known = self._nearest(places) * self.stride
        short = places - known
        counts = np.abs(short)
        rows = np.repeat(np.arange(len(places)), counts)
        shift = np.repeat(np.minimum(places, known) - np.cumsum(counts) + counts, counts)
        # A run's low end is taken away, and so is what was kept beyond the end.
        signs = np.where((short > 0) == (np.arange(len(places)) % 2 == 1), 1.0, -1.0)
        return rows // 2, self.ids[shift + np.arange(len(rows))], signs[rows]

    def kept(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """(n, d) the sums between the kept places that are nearest to each run's ends."""
        found = self.before.take(self._nearest(high), axis=0)
        found -= self.before.take(self._nearest(low), axis=0)
        return found

    def _nearest(self, places: np.ndarray) -> np.ndarray:
        return np.minimum((places + self.stride // 2) // self.stride, self.full)


def totals(n: int, rows: np.ndarray, ids: np.ndarray, values: np.ndarray, table: np.ndarray) -> np.ndarray:
    """(n, d): in each row the sum of what its ids stand for in the (m, d) `table`, times their values."""
    if len(ids) * table.shape[1] > FEW:
        return sparse(n, len(table), rows, ids, values) @ table
    found = np.zeros((n, table.shape[1]))
    if len(ids):
        rows, ids, values = _rising(rows, ids, values)
        counts = np.bincount(rows, minlength=n)
        starts = np.cumsum(counts) - counts
        found[counts > 0] = np.add.reduceat(table[ids] * values[:, None], starts[counts > 0])
    return found


def sparse(n: int, columns: int, rows: np.ndarray, ids: np.ndarray, values: np.ndarray) -> csr_matrix:
    """(n, columns) with the values at (rows, ids), those at one place added up; quick where the rows rise."""
    from scipy.sparse import csr_matrix

    rows, ids, values = _rising(rows, ids, values)
    starts = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=n))))
    return csr_matrix((values, ids, starts), shape=(n, columns))


def _rising(
    rows: np.ndarray, ids: np.ndarray, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if not (rows[1:] < rows[:-1]).any():
        return rows, ids, values
    order = np.argsort(rows, kind="stable")
    return rows[order], ids[order], values[order]
