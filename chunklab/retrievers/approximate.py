"""Search in a graph of neighbours, for corpora where comparing every chunk takes too long."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from chunklab.errors import ChunklabError
from chunklab.limits import token_lengths
from chunklab.params import param
from chunklab.progress import tell
from chunklab.retrievers.base import Ranking, Retriever, best, require_k
from chunklab.retrievers.dense import Dense
from chunklab.tokens.recent import Recent

if TYPE_CHECKING:
    from chunklab.chunking import Chunks
    from chunklab.embedders.base import Embedder

INSTALL = "pip install faiss-cpu==1.15.1"
BUILD_EF = 100
ADDED_AT_ONCE = 1024
NEARLY = 1e-6
_newest: Recent[Any] = Recent(1)


@dataclass(frozen=True)
class Approximate(Retriever):
    """The chunks with the largest cosine, as far as a graph leads to them (HNSW, Malkov and Yashunin 2018; faiss).

    Scores are those of dense(), and what is missed is another chunk's place, never a wrong score. Where
    the graph would visit every chunk anyway, or a chunk is embedded in parts, the search is exact. Of
    chunks with equal texts any may be found.
    """

    label: ClassVar[str] = "vectors, approximately (HNSW)"
    assumes: ClassVar[str] = "Ten thousand chunks and more: below that exact search is as fast."
    fails: ClassVar[str] = "Some of the nearest chunks are not found, and nothing tells which."

    m: int = param(32, low=4, high=64, step=4, help="How many neighbours each chunk is linked with.")
    ef: int = param(
        64, low=8, high=2000, step=8, help="How many candidates are kept while searching; more find more."
    )

    def rank(
        self, embedder: Embedder, queries: Sequence[str], chunks_of_documents: Sequence[Chunks], k: int
    ) -> Ranking:
        require_k(k, self.key())
        faiss = _faiss()
        if self.exact_because(embedder, chunks_of_documents, k) or not queries:
            return Dense().rank(embedder, queries, chunks_of_documents, k)
        index = self._index(faiss, embedder, chunks_of_documents)
        asked = embedder.embed_queries(queries)
        width = max(self.ef, k)
        _, found = index.search(
            asked.astype(np.float32), width, params=faiss.SearchParametersHNSW(efSearch=width)
        )
        if (found < 0).any():
            return Dense().rank(embedder, queries, chunks_of_documents, k)
        found.sort(axis=1)
        scores = np.empty(found.shape)
        for row, places in enumerate(found):
            scores[row] = index.reconstruct_batch(places).astype(np.float64) @ asked[row]
        order = best(scores, k, self.key())
        return Ranking(
            np.take_along_axis(found, order.indices.astype(np.intp), 1).astype(np.int32), order.scores
        )

    def exact_because(self, embedder: Embedder, chunks_of_documents: Sequence[Chunks], k: int) -> str:
        """Why the search is exact all the same, in a sentence; "" where it is not."""
        count = sum(map(len, chunks_of_documents))
        if count <= 2 * max(self.ef, k):
            return f"approximate(): {count:,} chunks are so few that the search is exact."
        if embedder.limit is not None and embedder.over == "resplit":
            for chunks in chunks_of_documents:
                late = chunks.recipe.embed_as.makes_vectors
                if not late and (token_lengths(chunks, embedder) > embedder.limit).any():
                    return "approximate(): chunks are embedded in parts, so the search is exact."
        return ""

    def notices(
        self, embedder: Embedder, queries: Sequence[str], chunks_of_documents: Sequence[Chunks], k: int
    ) -> tuple[str, ...]:
        if said := self.exact_because(embedder, chunks_of_documents, k):
            return (said,)
        share = recall_against_exact(self, embedder, queries, chunks_of_documents, k)
        return (f"approximate(): {share:.1%} of what exact search has among its {k} best is found.",)

    def keeps_up(self, embedder: Embedder, chunks_of_documents: Sequence[Chunks] = ()) -> bool:
        return False

    def _index(self, faiss: Any, embedder: Embedder, chunks_of_documents: Sequence[Chunks]) -> Any:
        """The graph over all chunks; the newest one is kept."""
        cuts = hashlib.sha256()
        for chunks in chunks_of_documents:
            cuts.update(f"{chunks.document.digest} {chunks.recipe}".encode() + chunks.spans.tobytes())
        key = (embedder.fingerprint, self.m, cuts.digest())
        return _newest.get(key, 1, lambda: self._built(faiss, embedder, chunks_of_documents))

    def _built(self, faiss: Any, embedder: Embedder, chunks_of_documents: Sequence[Chunks]) -> Any:
        # One thread: with more, the graph depends on which is faster.
        threads, index = faiss.omp_get_max_threads(), None
        total = sum(map(len, chunks_of_documents))
        faiss.omp_set_num_threads(1)
        try:
            for chunks in chunks_of_documents:
                for block in embedder.chunk_vectors(chunks) if len(chunks) else ():
                    if index is None:
                        index = faiss.IndexHNSWFlat(block.shape[1], self.m, faiss.METRIC_INNER_PRODUCT)
                        index.hnsw.efConstruction = BUILD_EF
                    for low in range(0, len(block), ADDED_AT_ONCE):
                        tell("chunks linked", index.ntotal, total)
                        index.add(np.ascontiguousarray(block[low : low + ADDED_AT_ONCE], dtype=np.float32))
        finally:
            faiss.omp_set_num_threads(threads)
        return index


def recall_against_exact(
    approximate: Approximate,
    embedder: Embedder,
    queries: Sequence[str],
    chunks_of_documents: Sequence[Chunks],
    k: int,
) -> float:
    """The mean share, from 0 to 1, of the exact k best that are found; any of equally near chunks will do."""
    found = approximate.rank(embedder, queries, chunks_of_documents, k).indices.astype(np.intp)
    scores = Dense().scores(embedder, queries, chunks_of_documents)
    if not found.size:
        return 1.0
    least = best(scores, k, approximate.key()).scores[:, -1:]
    return float((np.take_along_axis(scores, found, axis=1) >= least - NEARLY).mean())


def _faiss() -> Any:
    try:
        import faiss
    except ImportError:
        raise ChunklabError(f"approximate: needs faiss-cpu. Choose dense, or run {INSTALL}") from None
    return faiss
