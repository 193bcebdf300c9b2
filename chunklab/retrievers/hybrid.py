"""Both at once: the order by vectors and the order by words, fused by rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from chunklab.params import param
from chunklab.retrievers.base import Ranking, Retriever, best, rounded
from chunklab.retrievers.bm25 import Bm25
from chunklab.retrievers.dense import Dense

if TYPE_CHECKING:
    from chunklab.chunking import Chunks
    from chunklab.embedders.base import Embedder


@dataclass(frozen=True)
class Hybrid(Retriever):
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009) of dense() and bm25().

    A chunk scores weight / (k + its rank by vectors) + (1 - weight) / (k + its rank by words), ranks from
    1 over all chunks. One that has none of the question's words has no rank by words.
    """

    label: ClassVar[str] = "both, fused (hybrid)"
    assumes: ClassVar[str] = "Vectors and words err in different places."
    fails: ClassVar[str] = "Where one of the two is far better, the other pulls it down."

    weight: float = param(
        0.5, low=0, high=1, step=0.05, help="The share of the vectors; the rest is the words'."
    )
    k: int = param(60, low=1, high=1000, step=10, help="The larger, the less the first ranks stand out.")

    def rank(
        self, embedder: Embedder, queries: Sequence[str], chunks_of_documents: Sequence[Chunks], k: int
    ) -> Ranking:
        by_vectors = rounded(Dense().scores(embedder, queries, chunks_of_documents))
        by_words = rounded(Bm25().scores(queries, chunks_of_documents))
        scores = np.zeros(by_vectors.shape)
        parts = 1 / (self.k + np.arange(1, scores.shape[1] + 1))
        for row, line in enumerate(scores):
            line[np.argsort(-by_vectors[row], kind="stable")] = self.weight * parts
            worded = np.flatnonzero(by_words[row])
            order = np.argsort(-by_words[row, worded], kind="stable")
            line[worded[order]] += (1 - self.weight) * parts[: len(worded)]
        return best(scores, k, self.key())
