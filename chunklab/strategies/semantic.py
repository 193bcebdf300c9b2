"""Cuts where neighbouring sentences differ most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunklab.meaning import ByMeaning, Curve, few_notice
from chunklab.params import param
from chunklab.types import Document
from chunklab.vectors import distances

AMOUNTS = {
    "percentile": "percentile", "threshold": "threshold", "deviation": "deviations", "interquartile": "factor",
    "gradient": "percentile",
}  # fmt: skip
"""Method -> the parameter that says how much."""
RANKED = ("percentile", "gradient")
DIGITS = 9
WIDE = 4.0
"""So many percentiles in which nothing changes are worth a notice."""


@dataclass(frozen=True)
class Semantic(ByMeaning):
    """Cuts between two sentences whose cosine distance is over a cut-off.

    The cut-off is the `percentile` of all distances, the `threshold` itself, the mean plus so many
    standard `deviations`, or the mean plus a `factor` times the interquartile range; with gradient the
    slopes of the distances are compared with their own `percentile` (all but threshold as in LangChain's
    SemanticChunker). A cut-off must be exceeded: gaps that are all alike are never cut, and of two
    sentences only a threshold makes two chunks. With a `buffer` each sentence is embedded together with so
    many on either side.
    """

    label = "Semantic"
    assumes = "Neighbouring sentences of one topic are alike to the embedder."
    fails = "A short text of one topic is cut anyway, and a topic that turns slowly is not."

    method: str = param("percentile", choices=tuple(AMOUNTS), help="What the cut-off is made from.")
    percentile: float = param(
        95.0, low=0, high=100, step=1, help="For percentile and gradient: cut what is over this percentile."
    )
    threshold: float = param(
        0.3, low=0, high=2, step=0.05, help="For threshold: cut where the cosine distance is over this."
    )
    deviations: float = param(
        1.0, low=0, high=10, step=0.1, help="For deviation: standard deviations over the mean.", detail=True
    )
    factor: float = param(
        1.5, low=0, high=10, step=0.1, help="For interquartile: ranges over the mean.", detail=True
    )
    buffer: int = param(
        1, low=0, high=10, step=1, help="Sentences on either side that are embedded with each sentence."
    )

    @property
    def sides(self) -> int:
        return self.buffer

    def curve(self, document: Document) -> Curve:
        parts = self.parts(document)
        apart = values = distances(document, parts, self.embedder, self.buffer)
        if self.method == "gradient":
            values = np.round(np.gradient(apart), DIGITS) if len(apart) > 1 else np.zeros(len(apart))
        if not len(values):
            return Curve(parts.starts[1:], apart, values, np.zeros(0, dtype=bool))
        amount = getattr(self, AMOUNTS[self.method])
        cutoff = round(_cutoff(values, self.method, amount), DIGITS)
        cut = values > cutoff
        same = self._same(values, cut)
        shows = "slope of the cosine distance" if self.method == "gradient" else "cosine distance"
        notices = self._notices(values, cut, same)
        return Curve(parts.starts[1:], apart, values, cut, cutoff, shows, same, notices)

    def _same(self, values: np.ndarray, cut: np.ndarray) -> tuple[float, float] | None:
        """From which amount up to which other the same gaps are cut; None where the amount has no effect."""
        high = float(self.params()[AMOUNTS[self.method]][1].high)
        below, over = values[~cut], values[cut]
        if self.method in RANKED:
            step = 100 / max(1, len(values) - 1)
            ends = (np.count_nonzero(below < below.max()) * step, len(below) * step)
        else:
            base, step = _line(values, self.method)
            if step:
                ends = ((below.max(initial=-np.inf) - base) / step, (over.min(initial=np.inf) - base) / step)
        if not step or (values.min() == values.max() and self.method != "threshold"):
            return None
        return max(0.0, float(ends[0])), min(high, float(ends[1])) if len(over) else high

    def _notices(
        self, values: np.ndarray, cut: np.ndarray, same: tuple[float, float] | None
    ) -> tuple[str, ...]:
        if self.method == "threshold":
            return ()
        notices = few_notice(len(values) + 1, bool(cut.any()), f"a cut-off by {self.method}")
        if self.method not in RANKED or same is None:
            return notices
        top = int(np.count_nonzero(values == values.max()))
        if top > 1 and not cut.any():
            notices += (
                f"Nothing is over percentile {self.percentile:g}: the {top} largest values are equal. "
                f"Below percentile {same[0]:.3g} they are cut; a larger buffer tells them apart.",
            )
        elif same[1] - same[0] >= WIDE:
            notices += (f"Any percentile from {same[0]:.3g} up to {same[1]:.3g} cuts the same gaps.",)
        return notices


def _line(values: np.ndarray, method: str) -> tuple[float, float]:
    """(base, step) of a cut-off that is base + amount * step."""
    if method == "threshold":
        return 0.0, 1.0
    if method == "deviation":
        return float(values.mean()), float(values.std())
    low, high = np.percentile(values, (25, 75))
    return float(values.mean()), float(high - low)


def _cutoff(values: np.ndarray, method: str, amount: float) -> float:
    if method in RANKED:
        return float(np.percentile(values, amount))
    base, step = _line(values, method)
    return base + amount * step
