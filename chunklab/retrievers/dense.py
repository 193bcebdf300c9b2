"""Exact search: every chunk is compared with the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from chunklab.retrievers.base import Ranking, Retriever, best

if TYPE_CHECKING:
    from chunklab.chunking import Chunks
    from chunklab.embedders.base import Embedder


@dataclass(frozen=True)
class Dense(Retriever):
    """The chunks with the largest cosine to the query, by the embedder's vectors."""

    label: ClassVar[str] = "cosine"
    assumes: ClassVar[str] = "Vectors of a question and of its answer point the same way."
    fails: ClassVar[str] = "Names, numbers and exact wordings count only as far as the embedder sees them."

    def rank(
        self, embedder: Embedder, queries: Sequence[str], chunks_of_documents: Sequence[Chunks], k: int
    ) -> Ranking:
        parts = [embedder.similarities(queries, chunks) for chunks in chunks_of_documents if len(chunks)]
        scores = np.concatenate(parts, axis=1) if parts else np.zeros((len(queries), 0))
        return best(scores, k, self.key())
