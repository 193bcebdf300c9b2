"""A bag of hashed word n-grams: no model, exact arithmetic, and any cut of a document for free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from scipy.sparse import csr_matrix

from chunklab.embedders.base import Embedder
from chunklab.params import param
from chunklab.tokens.ngrams import HashedText, hash_of, normal_form, words_of
from chunklab.types import Document

if TYPE_CHECKING:
    from chunklab.chunking import Chunks

WEIGHTS = (1.0, 0.5, 0.25)
BLOCK = 1 << 19


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
        hashed = document.fact(("ngrams", self.words), lambda: HashedText(document.text, self.words))
        buckets = [self._buckets(document, hashed, order) for order in range(1, self.ngrams + 1)]
        columns = self._columns(hashed, buckets, np.asarray(spans, dtype=np.int32), ())
        lengths = np.sqrt(np.einsum("dn,dn->n", columns, columns))
        return (columns / np.where(lengths == 0, 1, lengths)).T.astype(np.float32)

    def similarities(self, queries: Sequence[str], chunks: Chunks) -> np.ndarray:
        """See `Embedder`; the document is hashed on the first call and only sliced after that."""
        scores = np.zeros((len(queries), len(chunks)))
        if not scores.size:
            return scores
        counted, query_lengths = _queries(self, tuple(queries))
        document = chunks.document
        hashed = document.fact(("ngrams", self.words), lambda: HashedText(document.text, self.words))
        buckets = [self._buckets(document, hashed, order) for order in range(1, self.ngrams + 1)]
        rows = max(1, BLOCK // self.dims)
        for low in range(0, len(chunks), rows):
            spans = np.asarray(chunks.spans[low : low + rows], dtype=np.int32)
            columns = self._columns(hashed, buckets, spans, chunks.contexts[low : low + rows])
            lengths = np.sqrt(np.einsum("dn,dn->n", columns, columns))
            lengths[lengths == 0] = 1
            scores[:, low : low + rows] = (counted @ columns) / query_lengths[:, None] / lengths
        return scores

    def _buckets(self, document: Document, hashed: HashedText, order: int) -> np.ndarray:
        key = ("buckets", self.words, self.dims, order)
        return document.fact(key, lambda: (hashed.hashes[order] % np.uint64(self.dims)).astype(np.int32))

    def _columns(
        self, hashed: HashedText, buckets: list[np.ndarray], spans: np.ndarray, contexts: Sequence[str]
    ) -> np.ndarray:
        """(dims, n) float64: the weighted counts of each chunk."""
        n = len(spans)
        places, weights = [], []
        first, last, odd = _whole_words(hashed, spans, contexts)
        for order, bucket in enumerate(buckets):
            lengths = np.maximum(last - first - order, 0)
            row = np.repeat(np.arange(n, dtype=np.int32), lengths)
            shift = np.repeat(first - np.cumsum(lengths) + lengths, lengths)
            gram = shift + np.arange(len(row))
            places.append(bucket[gram] * np.int32(n) + row)
            weights.append(np.full(len(row), WEIGHTS[order]))
        grams, rows = [], []
        for row, before, after in odd:
            found = _touching(hashed.strings, before, after, int(first[row]), int(last[row]), self.ngrams)
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


def _whole_words(
    hashed: HashedText, spans: np.ndarray, contexts: Sequence[str]
) -> tuple[np.ndarray, np.ndarray, list[tuple[int, list[str], list[str]]]]:
    """(first, last, odd): words first to last - 1 of the document lie wholly inside each chunk.

    `odd` lists the chunks that show more than those: (row, words before, words after), where a word
    cut by an edge is the fragment that the chunk shows, and a context's words come before. A context
    that ends in the middle of a word runs on into the chunk's first word, as it does in its text.
    """
    starts, ends = spans[:, 0], spans[:, 1]
    run = np.searchsorted(hashed.run_starts, starts, side="right") - 1
    head_ends = _at(hashed.run_ends, run)
    apart = (run < 0) | (head_ends <= starts)
    if not contexts:
        apart |= _at(hashed.run_starts, run) == starts
    body = np.where(apart, starts, np.minimum(head_ends, ends))
    run = np.searchsorted(hashed.run_starts, ends) - 1
    tail_starts = _at(hashed.run_starts, run)
    cut = (run >= 0) & (_at(hashed.run_ends, run) > ends) & (tail_starts >= body)
    first = np.searchsorted(hashed.starts, body)
    last = np.maximum(first, np.searchsorted(hashed.ends, ends, side="right"))
    odd = []
    text = hashed.text
    low, high, tail = starts.tolist(), body.tolist(), np.where(cut, tail_starts, ends).tolist()
    for row in np.flatnonzero((body > starts) | cut | bool(contexts)).tolist():
        head = text[low[row] : high[row]]
        before = list(words_of(contexts[row] + head, hashed.rule)) if contexts else _fragment(hashed, head)
        after = _fragment(hashed, text[tail[row] : ends[row]])
        if before or after:
            odd.append((row, before, after))
    return first, last, odd


def _at(offsets: np.ndarray, places: np.ndarray) -> np.ndarray:
    return offsets.take(places, mode="clip") if len(offsets) else np.zeros_like(offsets, shape=len(places))


def _fragment(hashed: HashedText, part: str) -> list[str]:
    return [normal_form(part)] if part and hashed.is_word(part) else []


def _touching(
    strings: list[str], before: list[str], after: list[str], first: int, last: int, ngrams: int
) -> list[tuple[str, ...]]:
    """The n-grams, of all orders up to ngrams, in which a word from before or after takes part."""
    grams = list(zip(before)) + list(zip(after))
    for near in range(1, ngrams):
        if last - first >= near:
            # Too far apart for an n-gram to hold words of both.
            lines = [before + strings[first : first + near]] if before else []
            if after:
                lines.append(strings[last - near : last] + after)
        else:
            lines = [before + strings[first:last] + after]
        for line in lines:
            grams += (
                zip(*(line[step:] for step in range(near + 1)), strict=False) if near > 1 else pairwise(line)
            )
    return grams
