"""Cuts where a sentence leaves the mean of its group."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from chunklab.meaning import ByMeaning, Curve
from chunklab.params import param
from chunklab.types import Document
from chunklab.vectors import BATCH, Vectors, distance, vectors


@dataclass(frozen=True)
class Centroid(ByMeaning):
    """Adds sentences to a group until one is too far from the group's mean, and begins the next there.

    The mean is that of the group's unit vectors; a sentence is too far when its cosine distance to it is
    over the `threshold`. A topic that turns slowly is cut too, which a comparison of neighbours misses.
    """

    label = "Running centroid"
    assumes = "A topic has a centre that its sentences stay near."
    fails = "Early sentences set the centre, and one odd sentence breaks a topic in two."

    threshold: float = param(
        0.85, low=0, high=2, step=0.05, help="Cut where the cosine distance to the group's mean is over this."
    )
    min_sentences: int = param(
        1, low=1, high=50, step=1, help="A group is not cut before it has so many sentences."
    )

    def curve(self, document: Document) -> Curve:
        parts = self.parts(document)
        key = ("walk", self.embedder, parts.key, self.threshold, self.min_sentences)
        apart, cut = document.fact(
            key,
            lambda: _walk(vectors(document, parts, self.embedder), self.threshold, self.min_sentences),
        )
        return Curve(
            parts.starts[1:], apart, apart, cut, self.threshold, "cosine distance to the group's mean"
        )


def _walk(found: Vectors, threshold: float, fewest: int) -> tuple[np.ndarray, np.ndarray]:
    """(n - 1,) distances of each row to the mean of its group so far, and where a group ends."""
    apart, cut = np.zeros(max(0, len(found) - 1)), np.zeros(max(0, len(found) - 1), dtype=bool)
    total, square, members = np.zeros(found.rows.shape[1]), 0.0, 0
    for low in range(0, len(found), BATCH):
        for at, row in enumerate(found.unit(low, low + BATCH), low):
            along = float(total @ row)
            if members:
                apart[at - 1] = distance(along / math.sqrt(square) if square > 0 else 0.0)
                if members >= fewest and apart[at - 1] > threshold:
                    cut[at - 1] = True
                    total, square, along, members = np.zeros_like(total), 0.0, 0.0, 0
            square += 2 * along + float(row @ row)
            total = total + row
            members += 1
    return apart, cut
