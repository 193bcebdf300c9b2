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
AT_ONCE = 1 << 14
"""So many scores at a time stay in the fast part of the memory."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """The best chunks of each query, best first; ties in the order of the chunks.

    `indices` (q, k') int32 counts all chunks of the corpus, document by document; `scores` (q, k')
    float64. k' is k, or the number of chunks when that is less.
    """

    indices: np.ndarray
    scores: np.ndarray


class Retriever(Component):
    """Ranks the chunks of a corpus for each query. `uses_vectors` is False where the embedder is not asked."""

    family: ClassVar[str] = "retrievers"
    uses_vectors: ClassVar[bool] = True

    @abstractmethod
    def rank(
        self, embedder: Embedder, queries: Sequence[str], chunks_of_documents: Sequence[Chunks], k: int
    ) -> Ranking:
        """The k best chunks of each query. ParamError when k is below 1; no chunks give no columns."""

    def keeps_up(self, embedder: Embedder, chunks_of_documents: Sequence[Chunks] = ()) -> bool:
        """True when it is fast enough to rank anew at each step of a slider that is dragged.

        A model is fast enough where the vectors of all these chunks are at hand.
        """
        if embedder.additive or not chunks_of_documents:
            return embedder.additive
        return all(each.recipe.embed_as.at_hand(each, embedder) for each in chunks_of_documents)

    def notices(
        self, embedder: Embedder, queries: Sequence[str], chunks_of_documents: Sequence[Chunks], k: int
    ) -> tuple[str, ...]:
        """What a reader must know about this ranking, each a sentence."""
        return ()


def best(scores: np.ndarray, k: int, owner: str) -> Ranking:
    """The k best columns of each row of (q, n) scores, rounded to nine decimals, ties by column."""
    require_k(k, owner)
    queries, n = scores.shape
    k = min(int(k), n)
    indices, kept = np.empty((queries, k), dtype=np.int32), np.empty((queries, k))
    step, places = max(1, AT_ONCE // max(n, 1)), np.arange(n - 1, -1, -1)
    for low in range(0, queries if k else 0, step):
        scaled = np.rint(scores[low : low + step] * 10.0**DECIMALS)
        if np.abs(scaled).max() < 2**62 / n:
            # One whole number for the score and the place: no two are equal, and the largest are the best.
            keys = scaled.astype(np.int64) * n + places
            top = np.sort(np.partition(keys, n - k, axis=1)[:, n - k :], axis=1)[:, ::-1]
            found, values = n - 1 - top % n, top // n
        else:
            found = np.argsort(-scaled, axis=1, kind="stable")[:, :k]
            values = np.take_along_axis(scaled, found, axis=1) + 0.0
        indices[low : low + step], kept[low : low + step] = found, values / 10.0**DECIMALS
    return Ranking(indices, kept)


def rounded(scores: np.ndarray) -> np.ndarray:
    """The scores at nine decimals: what differs by less is a tie."""
    return np.round(scores, DECIMALS) + 0.0


def require_k(k: int, owner: str) -> None:
    """ParamError unless k is a whole number of at least 1."""
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise ParamError(owner, "k", "a whole number of at least 1", k, "Use 5, for example.")
