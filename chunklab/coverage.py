"""What a cutting does to a text: text lost, text repeated, and the lengths of the pieces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunklab.offsets import runs
from chunklab.scan import Scan
from chunklab.types import Span


def uncovered(text: str, spans: Sequence[Span] | np.ndarray) -> list[Span]:
    """The lost text: maximal runs of non-blank characters of `text` that lie in no span."""
    depth = np.zeros(len(text) + 1, dtype=np.int64)
    pairs = _pairs(spans)
    np.add.at(depth, pairs[:, 0], 1)
    np.add.at(depth, pairs[:, 1], -1)
    lost = (np.cumsum(depth)[:-1] == 0) & ~Scan(text).blank
    return [Span(start, end) for start, end in runs(lost).tolist()]


def duplication(spans: Sequence[Span] | np.ndarray) -> float:
    """Characters in the spans beyond their union, as a share of the union: 0 without overlap or spans."""
    pairs = _pairs(spans)
    if not len(pairs):
        return 0.0
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    reached = np.maximum.accumulate(np.concatenate(([0], pairs[:-1, 1])))
    union = np.maximum(pairs[:, 1] - np.maximum(pairs[:, 0], reached), 0).sum()
    return float((pairs[:, 1] - pairs[:, 0]).sum() / union - 1)


def length_summary(lengths: Sequence[int] | np.ndarray) -> dict[str, float | None]:
    """min, median, mean, p95 and max of the lengths, percentiles interpolated; all None without lengths."""
    values = np.asarray(lengths)
    if not values.size:
        return dict.fromkeys(("min", "median", "mean", "p95", "max"))
    return {
        "min": values.min().item(),
        "median": float(np.median(values)),
        "mean": float(values.mean()),
        "p95": float(np.percentile(values, 95)),
        "max": values.max().item(),
    }


def _pairs(spans: Sequence[Span] | np.ndarray) -> np.ndarray:
    if not isinstance(spans, np.ndarray):
        spans = [(each.start, each.end) if isinstance(each, Span) else each for each in spans]
    return np.asarray(spans, dtype=np.int64).reshape(-1, 2)
