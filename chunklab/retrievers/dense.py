"""Exact search: every chunk is compared with the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from chunklab.joined import joined
from chunklab.progress import EMBEDDED, part_of
from chunklab.retrievers.base import Ranking, Retriever, best

if TYPE_CHECKING:
    from chunklab.chunking import Chunks
    from chunklab.embedders.base import Embedder


@dataclass(frozen=True)
class Dense(Retriever):
    """The chunks with the largest cosine to the query, by the embedder's vectors."""

    label: ClassVar[str] = "vectors, exactly (dense)"
    assumes: ClassVar[str] = "Vectors of a question and of its answer point the same way."
    fails: ClassVar[str] = "Names, numbers and exact wordings count only as far as the embedder sees them."

    def rank(
        self, embedder: Embedder, queries: Sequence[str], chunks_of_documents: Sequence[Chunks], k: int
    ) -> Ranking:
        return best(self.scores(embedder, queries, chunks_of_documents), k, self.key())

    def scores(
        self, embedder: Embedder, queries: Sequence[str], chunks_of_documents: Sequence[Chunks]
    ) -> np.ndarray:
        """(q, n) float64 cosines; n counts the chunks of all documents."""
        total, done = sum(map(len, chunks_of_documents)), 0
        scores = np.empty((len(queries), total))
        for chunks in joined(chunks_of_documents) if embedder.additive else chunks_of_documents:
            if len(chunks):
                with part_of(EMBEDDED, total, done, len(chunks)):
                    scores[:, done : done + len(chunks)] = embedder.similarities(queries, chunks)
                done += len(chunks)
        return scores
