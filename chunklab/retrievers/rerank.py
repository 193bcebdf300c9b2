"""A second look: the first ranks of another retriever, put into order by a model that reads question and chunk together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from chunklab.embedders.base import embedded_texts
from chunklab.embedders.model import folder_of
from chunklab.errors import ParamError, shown
from chunklab.pairs import cross_encoder
from chunklab.params import param
from chunklab.retrievers.base import Ranking, Retriever, best, require_k
from chunklab.retrievers.bm25 import Bm25
from chunklab.retrievers.dense import Dense
from chunklab.retrievers.hybrid import Hybrid

if TYPE_CHECKING:
    from chunklab.chunking import Chunks
    from chunklab.embedders.base import Embedder

_FIRST = {"hybrid": Hybrid, "dense": Dense, "bm25": Bm25}


@dataclass(frozen=True)
class Rerank(Retriever):
    """The best `depth` chunks of a first retriever in the order of a cross-encoder's scores.

    It reads each chunk with its context. Chunks beyond the depth follow in the first one's order, their
    scores made up to lie below. The model is loaded by the rules of the embedder model(): safetensors
    only, no code of its own, and nothing is fetched unless CHUNKLAB_DOWNLOAD=1.
    """

    label: ClassVar[str] = "a second look (rerank)"
    assumes: ClassVar[str] = (
        "The answer is among the first ranks, and the model was trained for such questions."
    )
    fails: ClassVar[str] = (
        "What the first retriever leaves out cannot come back; every pair costs a model's time."
    )

    first: str = param("hybrid", choices=tuple(_FIRST), help="Which retriever goes first.")
    depth: int = param(50, low=1, high=1000, step=10, help="How many of its chunks are read.")
    model: str = param(
        "cross-encoder/ms-marco-MiniLM-L6-v2", help="A cross-encoder: its folder or its Hugging Face name."
    )

    def check(self) -> None:
        if not self.model.strip():
            raise ParamError("rerank", "model", "the folder of a cross-encoder", self.model)

    @property
    def uses_vectors(self) -> bool:
        """Whether the first retriever does."""
        return _FIRST[self.first].uses_vectors

    def rank(
        self, embedder: Embedder, queries: Sequence[str], chunks_of_documents: Sequence[Chunks], k: int
    ) -> Ranking:
        require_k(k, self.key())
        owner = f"rerank {shown(self.model)}"
        model = cross_encoder(owner, folder_of(self.model, owner))
        found = _FIRST[self.first]().rank(embedder, queries, chunks_of_documents, max(k, self.depth))
        read = np.sort(found.indices[:, : self.depth], axis=1)
        texts = [text for chunks in chunks_of_documents for text in embedded_texts(chunks)]
        asked = [query for query in queries for _ in range(read.shape[1])]
        scores = model.scores(asked, [texts[at] for at in read.ravel().tolist()]).reshape(read.shape)
        order = best(scores, max(1, read.shape[1]), self.key())
        rest = found.indices[:, self.depth :]
        below = order.scores[:, -1:] - np.arange(1, rest.shape[1] + 1)
        indices = np.take_along_axis(read, order.indices.astype(np.intp), axis=1)
        return Ranking(
            np.concatenate([indices, rest], axis=1)[:, :k],
            np.concatenate([order.scores, below], axis=1)[:, :k],
        )

    def keeps_up(self, embedder: Embedder, chunks_of_documents: Sequence[Chunks] = ()) -> bool:
        return False
