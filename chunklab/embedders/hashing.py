"""A bag of hashed word n-grams: no model, exact arithmetic, and any cut of a document for free."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from chunklab.embedders.base import Embedder
from chunklab.params import param
from chunklab.tokens.ngrams import HashedText, hash_of, words_of
from chunklab.tokens.products import Products
from chunklab.tokens.recent import Recent
from chunklab.tokens.repeats import Repeats
from chunklab.tokens.slices import Odd, Words, grams_of, touching, whole_words
from chunklab.tokens.sums import STRIDE
from chunklab.types import Document

if TYPE_CHECKING:
    from chunklab.chunking import Chunks

WEIGHTS = (1.0, 0.5, 0.25)
ROWS = 1024
"""So many chunks have their n-grams beside whole words at hand at once."""
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
        columns = self._columns(hashed, buckets, np.asarray(spans, dtype=np.int32))
        lengths = np.sqrt(np.einsum("dn,dn->n", columns, columns))
        return (columns / np.where(lengths == 0, 1, lengths)).T.astype(np.float32)

    def similarities(self, queries: Sequence[str], chunks: Chunks) -> np.ndarray:
        """See `Embedder`; the document is hashed on the first call and only sliced after that.

        Products and lengths come from sums over the document; what a chunk shows beside whole words, of
        words at its edges and of its context, is added to them.
        """
        n = len(chunks)
        if not len(queries) or not n:
            return np.zeros((len(queries), n))
        hashed, buckets = self._hashed(chunks.document)
        first, last, odd = whole_words(hashed, np.asarray(chunks.spans, dtype=np.int32), chunks.contexts)
        products, repeats = self._sums(chunks.document, buckets, tuple(queries))
        found, squares = products(first, last), repeats(first, last)
        for low in range(0, len(odd), ROWS):
            some = odd[low : low + ROWS]
            at = np.array([row for row, _, _ in some])
            rows, grams = self._beside(hashed, first, last, some)
            found[at] += products.added(len(at), rows, grams)
            squares[at] += repeats.added(first[at], last[at], rows, grams)
        scores = found.T / _queries(self, tuple(queries))[1][:, None]
        scores /= np.sqrt(np.where(squares == 0, 1, squares))
        return scores

    def _sums(
        self, document: Document, buckets: list[np.ndarray], queries: tuple[str, ...]
    ) -> tuple[Products, Repeats]:
        """For runs of whole words: products with the queries' counts, and squared lengths."""
        weights = WEIGHTS[: self.ngrams]
        products = _products.get(
            (document.digest, self, queries),
            self.ngrams * len(buckets[0]) * len(queries) // STRIDE,
            lambda: Products(buckets, weights, _queries(self, queries)[0].T),
        )
        key = ("repeats", self.words, self.dims, self.ngrams)
        return products, document.fact(key, lambda: Repeats(buckets, weights, self.dims))

    def _hashed(self, document: Document) -> tuple[HashedText, list[np.ndarray]]:
        hashed = document.fact(("ngrams", self.words), lambda: HashedText(document.text, self.words))
        return hashed, [self._buckets(document, hashed, order) for order in range(1, self.ngrams + 1)]

    def _buckets(self, document: Document, hashed: HashedText, order: int) -> np.ndarray:
        key = ("buckets", self.words, self.dims, order)
        return document.fact(key, lambda: (hashed.hashes[order] % np.uint64(self.dims)).astype(np.int32))

    def _columns(self, hashed: HashedText, buckets: list[np.ndarray], spans: np.ndarray) -> np.ndarray:
        """(dims, n) float64: the weighted counts of each span."""
        n = len(spans)
        places, weights = [], []
        first, last, odd = whole_words(hashed, spans, ())
        for order, bucket in enumerate(buckets):
            lengths = np.maximum(last - first - order, 0)
            row = np.repeat(np.arange(n, dtype=np.int32), lengths)
            shift = np.repeat(first - np.cumsum(lengths) + lengths, lengths)
            gram = shift + np.arange(len(row))
            places.append(bucket[gram] * np.int32(n) + row)
            weights.append(np.full(len(row), WEIGHTS[order]))
        rows, grams = self._beside(hashed, first, last, odd)
        at = np.array([row for row, _, _ in odd], dtype=np.intp)[rows]
        places.append(grams % self.dims * n + at)
        weights.append(np.array(WEIGHTS)[grams // self.dims])
        flat = np.bincount(np.concatenate(places), np.concatenate(weights), minlength=self.dims * n)
        return flat.reshape(self.dims, n)

    def _beside(
        self, hashed: HashedText, first: np.ndarray, last: np.ndarray, odd: Sequence[Odd]
    ) -> tuple[np.ndarray, np.ndarray]:
        """(rows, grams): the n-grams with words that are beside whole ones, as `Products` takes them.

        `rows` rise and count in `odd`; those of equal contexts are hashed once.
        """
        counts: list[int] = []
        found: list[int] = []
        inner: dict[Words, list[int]] = {}
        at = [row for row, _, _ in odd]
        whole = zip(first[at].tolist(), last[at].tolist(), strict=True)
        for (_, before, after), (low, high) in zip(odd, whole, strict=True):
            if before not in inner:
                inner[before] = self._numbers(grams_of(before, self.ngrams))
            new = self._numbers(touching(hashed.strings, before, after, low, high, self.ngrams))
            found += inner[before]
            found += new
            counts.append(len(inner[before]) + len(new))
        return np.repeat(np.arange(len(odd)), counts), np.array(found, dtype=np.int64)

    def _numbers(self, grams: Iterable[Words]) -> list[int]:
        return [hash_of(*gram) % self.dims + (len(gram) - 1) * self.dims for gram in grams]


@lru_cache(maxsize=8)
def _queries(embedder: Hashing, queries: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The counts of the queries, and their lengths with 1 for an empty one."""
    counts = embedder.counts(queries)
    lengths = np.sqrt(np.einsum("nd,nd->n", counts, counts))
    return counts, np.where(lengths == 0, 1, lengths)
