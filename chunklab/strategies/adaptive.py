"""Cuts at the largest distances, as many as give the mean size asked for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunklab.meaning import ByMeaning, Curve
from chunklab.params import param
from chunklab.parts import Parts, pieces
from chunklab.strategies.base import MAX_SIZE
from chunklab.types import Document
from chunklab.vectors import distances


@dataclass(frozen=True)
class Adaptive(ByMeaning):
    """Finds by bisection the cut-off whose chunks are about `mean` long, none over `size`.

    Small pieces are embedded together with `window` pieces on either side, and a cut is made where the
    cosine distance of neighbours is over the cut-off (the modified Kamradt method of Smith and Troynikov
    2024). Equal distances are cut together or not at all, so the mean can be missed where many are equal.
    """

    label = "Semantic, mean size"
    assumes = "Wherever the text turns most is the right place, once the number of chunks is set."
    fails = "A text of one topic is cut as often as one of many."

    mean: int = param(
        400, low=1, high=MAX_SIZE, step=10, slider=(20, 2000), help="How long chunks are to be on average."
    )
    piece: int = param(
        50, low=5, high=1000, step=5, help="Longest piece that gets a vector, in tokens of the tokenizer."
    )
    window: int = param(
        3,
        low=0,
        high=10,
        step=1,
        help="Pieces on either side that are embedded with each piece.",
        detail=True,
    )

    @property
    def sides(self) -> int:
        return self.window

    def parts(self, document: Document) -> Parts:
        return pieces(document, self.piece, self.tokenizer)

    def curve(self, document: Document) -> Curve:
        parts = self.parts(document)
        apart = distances(document, parts, self.embedder, self.window)
        lengths = self.measure(document).lengths(np.stack([parts.starts, parts.ends], axis=1))
        wanted = max(1, round(int(lengths.sum()) / min(self.mean, self.size)))
        cutoff = _cutoff(apart, lengths, wanted, self.size) if len(apart) else None
        cut = apart > (np.inf if cutoff is None else cutoff)
        notices = ()
        if self.mean > self.size:
            notices = (
                f"A mean of {self.mean} is over the size of {self.size}, which holds: chunks are shorter.",
            )
        return Curve(parts.starts[1:], apart, apart, cut, cutoff, notices=notices)


def _cutoff(apart: np.ndarray, lengths: np.ndarray, wanted: int, size: int) -> float:
    """The cut-off that gives the number of chunks nearest to `wanted`, the fewer of two as near.

    Groups over the size count as the chunks they are cut into at least. A larger cut-off never gives more.
    """
    steps = np.concatenate(([0.0], np.unique(apart)))
    low, high = 0, len(steps) - 1
    while low < high:
        middle = (low + high) // 2
        if _chunks(apart > steps[middle], lengths, size) > wanted:
            low = middle + 1
        else:
            high = middle
    fewer = _chunks(apart > steps[low], lengths, size)
    if low and abs(_chunks(apart > steps[low - 1], lengths, size) - wanted) < abs(fewer - wanted):
        low -= 1
    return float(steps[low])


def _chunks(cut: np.ndarray, lengths: np.ndarray, size: int) -> int:
    groups = np.add.reduceat(lengths, np.concatenate(([0], np.flatnonzero(cut) + 1)))
    return int(np.maximum(1, -(-groups // size)).sum())
