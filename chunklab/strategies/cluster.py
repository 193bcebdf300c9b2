"""The cut of the whole text that keeps the most similarity inside its chunks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import add

import numpy as np

from chunklab.meaning import ByMeaning, Curve
from chunklab.measure import Chars
from chunklab.params import param
from chunklab.parts import Parts, pieces
from chunklab.types import Document
from chunklab.vectors import BATCH, Vectors, distances, vectors

TIE = 1e-9
NARROW = 32
NUMBERS_KEPT = 1 << 22
"""With so many numbers at most, what chunks are worth is kept with the document: it does not depend on the size."""


@dataclass(frozen=True)
class Cluster(ByMeaning):
    """Of all ways to group small pieces into chunks up to the size, the one with the most similar insides.

    A chunk is worth the sum of cosine minus the mean cosine over its pairs of pieces; the mean is over all
    pairs of the document, which the sum of the vectors gives without making them (Smith and Troynikov
    2024, ClusterSemanticChunker). Of equal ways the one with longer chunks at the end is taken. Memory is
    the vectors and a band as wide as a chunk has pieces, never all pairs; time is pieces times that width.
    """

    label = "Clusters (optimal)"
    assumes = "Pieces of one topic stand side by side and are alike to the embedder."
    fails = "What is alike is judged against the whole document: in one of a single topic the cuts are noise."

    piece: int = param(
        50, low=5, high=1000, step=5, help="Longest piece that gets a vector, in tokens of the tokenizer."
    )

    def parts(self, document: Document) -> Parts:
        return pieces(document, self.piece, self.tokenizer)

    def curve(self, document: Document) -> Curve:
        parts = self.parts(document)
        found = vectors(document, parts, self.embedder)
        apart = distances(document, parts, self.embedder)
        first = _first_mates(parts, self.measure(document), self.size)
        width = _widest(first)
        worths: Iterable[np.ndarray] = _worths(found, width)
        if len(parts) * width <= NUMBERS_KEPT:
            key = ("worths", self.embedder, parts.key, width)
            worths = document.fact(key, lambda: list(_worths(found, width)))
        cut = np.zeros(len(apart), dtype=bool)
        cut[[start - 1 for start in _best_starts(worths, first.tolist()) if start]] = True
        return Curve(parts.starts[1:], apart, apart, cut)


def _first_mates(parts: Parts, measure: Chars, size: int) -> np.ndarray:
    """(n,) for each piece the first one that fits in a chunk with it and all between; itself if none."""
    reaches = np.array([measure.reach(start, size) for start in parts.starts.tolist()], dtype=np.int64)
    return np.minimum(np.searchsorted(reaches, parts.ends), np.arange(len(parts)))


def best_starts(found: Vectors, first: np.ndarray) -> list[int]:
    """The first pieces of the chunks of the best way, in order; `first[j]` begins the longest one up to j."""
    return _best_starts(_worths(found, _widest(first)), first.tolist())


def _widest(first: np.ndarray) -> int:
    """How many pieces the longest chunk has, rounded up, so that few widths are ever asked for."""
    most = int((np.arange(len(first)) - first).max(initial=0)) + 1
    return max(NARROW, 1 << (most - 1).bit_length())


def _best_starts(worths: Iterable[np.ndarray], first: list[int]) -> list[int]:
    value, start = [0.0], []
    rows = (row for block in worths for row in block[:, ::-1].tolist())
    for at, (keep, row) in enumerate(zip(first, rows, strict=True)):
        options = list(map(add, value[keep:], row[keep - at - 1 :]))
        best = max(options)
        least = best - TIE * max(1.0, abs(best))
        chosen = options.index(best)
        if chosen and max(options[:chosen]) >= least:
            chosen = next(which for which, option in enumerate(options) if option >= least)
        start.append(keep + chosen)
        value.append(options[chosen])
    starts, at = [], len(first)
    while at > 0:
        at = start[at - 1]
        starts.append(at)
    return starts[::-1]


def _worths(found: Vectors, width: int) -> Iterator[np.ndarray]:
    """Blocks of rows, (n, width) float64 in all: what the chunk of piece j and the d before it is worth, at [j, d].

    Pieces i to j are worth what i to j - 1 are, plus the similarities of j back to i: one band of
    similarities is made at a time and given up. What would begin before the first piece is worth anything.
    """
    mean, above = _mean_similarity(found), np.zeros(width)
    for low in range(0, len(found), BATCH):
        high, lead = min(low + BATCH, len(found)), max(0, low - width + 1)
        band = found.unit(low, high) @ found.unit(lead, high).T - mean
        at = np.arange(low, high)[:, None]
        alike = np.take_along_axis(band, np.maximum(at - np.arange(1, width) - lead, 0), axis=1)
        back = np.cumsum(alike, axis=1)
        worths = np.zeros((high - low + 1, width))
        worths[0] = above
        for wide in range(1, width):
            worths[1:, wide] = worths[:-1, wide - 1] + back[:, wide - 1]
        above = worths[-1]
        yield worths[1:]


def _mean_similarity(found: Vectors) -> float:
    """The mean cosine over all pairs of different rows: (|sum of rows|^2 - sum of |row|^2) / (n (n - 1))."""
    total, squares = np.zeros(found.rows.shape[1]), 0.0
    for low in range(0, len(found), BATCH):
        part = found.unit(low, low + BATCH)
        total += part.sum(axis=0)
        squares += float(np.einsum("nd,nd->", part, part))
    return (float(total @ total) - squares) / max(1, len(found) * (len(found) - 1))
