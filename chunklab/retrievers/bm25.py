"""Word search: chunks that have the question's words, rare ones above all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from chunklab.joined import joined
from chunklab.params import param
from chunklab.retrievers.base import Ranking, Retriever, best
from chunklab.tokens.terms import Asked

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from chunklab.chunking import Chunks
    from chunklab.embedders.base import Embedder


@dataclass(frozen=True)
class Bm25(Retriever):
    """BM25 (Robertson et al. 1994) as Lucene counts it (Kamphuis et al. 2020), over contexts and chunks.

    Terms are words of any script, case folded, with no stop words and no stemming; a script written
    without blanks gives its characters and the pairs of neighbours. A chunk with none of a question's
    terms scores 0.
    """

    label: ClassVar[str] = "words (BM25)"
    assumes: ClassVar[str] = "A question and its answer share words, and rare words tell more."
    fails: ClassVar[str] = "Synonyms and other word forms do not match; the embedder is not asked."
    uses_vectors: ClassVar[bool] = False

    k1: float = param(
        1.5, low=0, high=10, step=0.1, help="How much a word's second and third time still count."
    )
    b: float = param(
        0.75, low=0, high=1, step=0.05, help="How much a long chunk is held back, from not at all to in full."
    )

    def rank(
        self, embedder: Embedder, queries: Sequence[str], chunks_of_documents: Sequence[Chunks], k: int
    ) -> Ranking:
        return best(self.scores(queries, chunks_of_documents), k, self.key())

    def keeps_up(self, embedder: Embedder, chunks_of_documents: Sequence[Chunks] = ()) -> bool:
        return True

    def scores(self, queries: Sequence[str], chunks_of_documents: Sequence[Chunks]) -> np.ndarray:
        """(q, n) float64, from 0 up; n counts the chunks of all documents, which also say what is rare."""
        from scipy.sparse import vstack

        asked = _asked(tuple(queries))
        found = [
            asked.counts(each.document, each.spans, each.contexts)
            for each in joined(chunks_of_documents)
            if len(each)
        ]
        if not found:
            return np.zeros((len(queries), 0))
        counts: csr_matrix = vstack([each for each, _ in found], format="csr")
        lengths = np.concatenate([each for _, each in found])
        n, mean = len(lengths), lengths.mean() or 1.0
        having = np.bincount(counts.indices, minlength=counts.shape[1])
        rarity = np.log(1 + (n - having + 0.5) / (having + 0.5))
        longer = self.k1 * (1 - self.b + self.b * lengths / mean)
        held_back = np.repeat(longer, np.diff(counts.indptr))
        counts.data = rarity[counts.indices] * counts.data / (counts.data + held_back)
        return (asked.queries @ counts.T).toarray()


@lru_cache(maxsize=8)
def _asked(queries: tuple[str, ...]) -> Asked:
    return Asked(queries)
