"""The cut of the whole text that keeps the most similarity inside its chunks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunklab.meaning import ByMeaning, Curve
from chunklab.measure import Chars
from chunklab.params import param
from chunklab.parts import Parts, pieces
from chunklab.types import Document
from chunklab.vectors import BATCH, Vectors, vectors

TIE = 1e-9


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
        apart = found.neighbours()
        first = _first_mates(parts, self.measure(document), self.size)
        cut = np.zeros(len(apart), dtype=bool)
        cut[[start - 1 for start in best_starts(found, first) if start]] = True
        return Curve(parts.starts[1:], apart, apart, cut)


def _first_mates(parts: Parts, measure: Chars, size: int) -> np.ndarray:
    """(n,) for each piece the first one that fits in a chunk with it and all between; itself if none."""
    reaches = np.array([measure.reach(start, size) for start in parts.starts.tolist()], dtype=np.int64)
    return np.minimum(np.searchsorted(reaches, parts.ends), np.arange(len(parts)))


def best_starts(found: Vectors, first: np.ndarray) -> list[int]:
    """The first pieces of the chunks of the best way, in order; `first[j]` begins the longest one up to j.

    Pieces i to j are worth what i to j - 1 are, plus the row of j's similarities back to i: one band of
    similarities is made at a time and given up.
    """
    count = len(found)
    mean, value, start = _mean_similarity(found), np.zeros(count + 1), np.zeros(count, dtype=np.int64)
    worth, floor = np.zeros(0), 0
    for low in range(0, count, BATCH):
        high, lead = min(low + BATCH, count), int(first[low])
        band = found.unit(lead, high) @ found.unit(low, high).T - mean
        for at in range(low, high):
            keep = int(first[at])
            back = np.cumsum(band[keep - lead : at - lead, at - low][::-1])[::-1]
            worth = np.append(worth[keep - floor :] + back, 0.0)
            floor = keep
            options = value[keep : at + 1] + worth
            best = options.max()
            start[at] = keep + int(np.argmax(options >= best - TIE * max(1.0, abs(best))))
            value[at + 1] = options[start[at] - keep]
    starts, at = [], count
    while at > 0:
        at = int(start[at - 1])
        starts.append(at)
    return starts[::-1]


def _mean_similarity(found: Vectors) -> float:
    """The mean cosine over all pairs of different rows: (|sum of rows|^2 - sum of |row|^2) / (n (n - 1))."""
    total, squares = np.zeros(found.rows.shape[1]), 0.0
    for low in range(0, len(found), BATCH):
        part = found.unit(low, low + BATCH)
        total += part.sum(axis=0)
        squares += float(np.einsum("nd,nd->", part, part))
    return (float(total @ total) - squares) / max(1, len(found) * (len(found) - 1))
