"""A bag of hashed word n-grams: no model, exact arithmetic, and any cut of a document for free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from scipy.sparse import csr_matrix

from chunklab.embedders.base import Embedder
from chunklab.params import param
from chunklab.tokens.ngrams import HashedText, hash_of, words_of
from chunklab.tokens.products import Products
from chunklab.tokens.recent import Recent
from chunklab.tokens.repeats import Repeats
from chunklab.tokens.slices import touching, whole_words
from chunklab.tokens.sums import STRIDE
from chunklab.types import Document

if TYPE_CHECKING:
    from chunklab.chunking import Chunks

WEIGHTS = (1.0, 0.5, 0.25)
BLOCK = 1 << 19
_products: Recent[Products] = Recent(1 << 24)
"""By document and queries, 128 MB of them: a chunk then costs the same, whatever its length."""


@dataclass(frozen=True)
class Hashing(Embedder):
    """Counts of words, word pairs and triples in hashed buckets, scaled to length one.

    A bucket is the n-gram's BLAKE2b hash modulo `dims`; a word weighs 1, a pair 1/2, a triple 1/4.
    Weights are powers of two and counts are whole, so every sum is exact in any order, and a chunk's
    vector is the same whether it is summed from the document's n-grams or from the chunk's own text.
    """

    additive: ClassVar[bool] = True
    label: ClassVar[str] = "hashed words"
    assumes: ClassVar[str] = "A question and its answer share words."
    fails: ClassVar[str] = "Synonyms and other word forms do not match, and rare words may share a bucket."

    dims: int = param(1024, low=256, high=4096, step=256, help="Buckets, that is, the length of a vector.")
    ngrams: int = param(2, low=1, high=3, step=1, help="1 counts words, 2 also pairs, 3 also triples.")
    words: str = param("unicode", choices=("unicode", "ascii"),
                       help="What a word is: letters and digits of any script, or two and more ASCII letters.")  # fmt: skip

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        counts = self.counts(texts)
        lengths = np.sqrt(np.einsum("nd,nd->n", counts, counts))
        return (counts / np.where(lengths == 0, 1, lengths)[:, None]).astype(np.float32)

    def counts(self, texts: Sequence[str]) -> np.ndarray:
        """(n, dims) float64: the weighted counts before they are scaled, exact."""
        out = np.zeros((len(texts), self.dims))
        for row, text in enumerate(texts):
            words = words_of(text, self.words)
            for order in range(1, self.ngrams + 1):
                for at in range(len(words) - order + 1):
                    out[row, hash_of(*words[at : at + order]) % self.dims] += WEIGHTS[order - 1]
        return out

    def embed_spans(self, document: Document, spans: np.ndarray) -> np.ndarray:
        """(n, dims) float32: the vectors of (n, 2) spans, as `embed` gives them for their texts."""
        hashed, buckets = self._hashed(document)
        columns = self._columns(hashed, buckets, np.asarray(spans, dtype=np.int32), ())
        lengths = np.sqrt(np.einsum("dn,dn->n", columns, columns))
        return (columns / np.where(lengths == 0, 1, lengths)).T.astype(np.float32)

    def similarities(self, queries: Sequence[str], chunks: Chunks) -> np.ndarray:
        """See `Embedder`; the document is hashed on the first call and only sliced after that.

        Where chunks begin and end between words, products and lengths come from sums over the document;
        the counts of the others, and of those with a context, are made.
        """
        n = len(chunks)
        if not len(queries) or not n:
            return np.zeros((len(queries), n))
        counted, query_lengths = _queries(self, tuple(queries))
        hashed, buckets = self._hashed(chunks.document)
        spans, contexts = np.asarray(chunks.spans, dtype=np.int32), chunks.contexts
        first, last, odd = whole_words(hashed, spans, contexts)
        products, squares = np.zeros((n, len(queries))), np.zeros(n)
        if len(odd) < n:
            products, squares = self._whole(chunks.document, buckets, tuple(queries), first, last)
        rows = np.array([row for row, _, _ in odd], dtype=np.intp)
        step = max(1, BLOCK // self.dims)
        for some in (rows[low : low + step] for low in range(0, len(rows), step)):
            columns = self._columns(
                hashed, buckets, spans[some], [contexts[row] for row in some] if contexts else ()
            )
            products[some], squares[some] = (counted @ columns).T, np.einsum("dn,dn->n", columns, columns)
        scores = products.T / query_lengths[:, None]
        scores /= np.sqrt(np.where(squares == 0, 1, squares))
        return scores

    def _whole(
        self,
        document: Document,
        buckets: list[np.ndarray],
        queries: tuple[str, ...],
        first: np.ndarray,
        last: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """(n, q) products with the queries' counts and (n,) squared lengths of runs of whole words."""
        weights = WEIGHTS[: self.ngrams]
        products = _products.get(
            (document.digest, self, queries),
            self.ngrams * len(buckets[0]) * len(queries) // STRIDE,
            lambda: Products(buckets, weights, _queries(self, queries)[0].toarray().T),
        )
        key = ("repeats", self.words, self.dims, self.ngrams)
        repeats = document.fact(key, lambda: Repeats(buckets, weights))
        return products(first, last), repeats(first, last)

    def _hashed(self, document: Document) -> tuple[HashedText, list[np.ndarray]]:
        hashed = document.fact(("ngrams", self.words), lambda: HashedText(document.text, self.words))
        return hashed, [self._buckets(document, hashed, order) for order in range(1, self.ngrams + 1)]

    def _buckets(self, document: Document, hashed: HashedText, order: int) -> np.ndarray:
        key = ("buckets", self.words, self.dims, order)
        return document.fact(key, lambda: (hashed.hashes[order] % np.uint64(self.dims)).astype(np.int32))

    def _columns(
        self, hashed: HashedText, buckets: list[np.ndarray], spans: np.ndarray, contexts: Sequence[str]
    ) -> np.ndarray:
        """(dims, n) float64: the weighted counts of each chunk."""
        n = len(spans)
        places, weights = [], []
        first, last, odd = whole_words(hashed, spans, contexts)
        for order, bucket in enumerate(buckets):
            lengths = np.maximum(last - first - order, 0)
            row = np.repeat(np.arange(n, dtype=np.int32), lengths)
            shift = np.repeat(first - np.cumsum(lengths) + lengths, lengths)
            gram = shift + np.arange(len(row))
            places.append(bucket[gram] * np.int32(n) + row)
            weights.append(np.full(len(row), WEIGHTS[order]))
        grams, rows = [], []
        for row, before, after in odd:
            found = touching(hashed.strings, before, after, int(first[row]), int(last[row]), self.ngrams)
            grams += found
            rows += [row] * len(found)
        hashes = np.fromiter((hash_of(*gram) for gram in grams), dtype=np.uint64, count=len(grams))
        places.append((hashes % np.uint64(self.dims)).astype(np.int64) * n + np.array(rows, dtype=np.int64))
        weights.append(np.array(WEIGHTS)[np.fromiter(map(len, grams), dtype=np.intp, count=len(grams)) - 1])
        flat = np.bincount(np.concatenate(places), np.concatenate(weights), minlength=self.dims * n)
        return flat.reshape(self.dims, n)


@lru_cache(maxsize=8)
def _queries(embedder: Hashing, queries: tuple[str, ...]) -> tuple[csr_matrix, np.ndarray]:
    """The counts of the queries as sparse rows, and their lengths with 1 for an empty one."""
    counts = embedder.counts(queries)
    lengths = np.sqrt(np.einsum("nd,nd->n", counts, counts))
    return csr_matrix(counts), np.where(lengths == 0, 1, lengths)
