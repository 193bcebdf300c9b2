"""Intervals: how far a mean over few questions can be trusted."""

from __future__ import annotations

import numpy as np


def bootstrap_interval(
    values: np.ndarray, level: float = 0.95, resamples: int = 2000, seed: int = 0
) -> tuple[float, float] | None:
    """(low, high) of the mean of (n,) values by the percentile bootstrap (Efron 1979), None for n < 2.

    Questions are drawn with replacement; the same seed gives the same interval.
    """
    if len(values) < 2:
        return None
    drawn = np.random.default_rng(seed).integers(0, len(values), (resamples, len(values)))
    means = values[drawn].mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
