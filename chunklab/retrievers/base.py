"""What every retriever returns: for each query the best chunks of a corpus, in a fixed order."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from chunklab.errors import ParamError
from chunklab.params import Component

if TYPE_CHECKING:
    from chunklab.chunking import Chunks
    from chunklab.embedders.base import Embedder

DECIMALS = 9


@dataclass(frozen=True, eq=False)
class Ranking:
    """The best chunks of each query, best first; ties in the order of the chunks.

    `indices` (q, k') int32 counts all chunks of the corpus, document by document; `scores` (q, k')
    float64. k' is k, or the number of chunks when that is less.
    """

    indices: np.ndarray
    scores: np.ndarray


class Retriever(Component):
    """Ranks the chunks of a corpus for each query."""

    family: ClassVar[str] = "retrievers"

    @abstractmethod
    def rank(
        self, embedder: Embedder, queries: Sequence[str], chunks_of_documents: Sequence[Chunks], k: int
    ) -> Ranking:
        """The k best chunks of each query. ParamError when k is below 1; no chunks give no columns."""


def best(scores: np.ndarray, k: int, owner: str) -> Ranking:
    """The k best columns of each row of (q, n) scores, rounded to nine decimals, ties by column."""
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise ParamError(owner, "k", "a whole number of at least 1", k, "Use 5, for example.")
    scores = np.round(scores, DECIMALS) + 0.0
    queries, n = scores.shape
    k = min(int(k), n)
    indices = np.empty((queries, k), dtype=np.int32)
    for row in range(queries if k else 0):
        line = scores[row]
        # What lies above the k-th score is in; of those equal to it, the first ones.
        least = np.partition(line, n - k)[n - k]
        above = np.flatnonzero(line > least)
        level = np.flatnonzero(line == least)[: k - len(above)]
        indices[row] = np.concatenate((above[np.argsort(-line[above], kind="stable")], level))
    return Ranking(indices, np.take_along_axis(scores, indices.astype(np.intp), axis=1))
