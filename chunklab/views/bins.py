"""Bins for lengths that stand still while a size is dragged."""

from __future__ import annotations

import numpy as np


def bins(lengths: np.ndarray, size: int, count: int = 30) -> np.ndarray:
    """(count + 1,) edges from 0 to a little past the size, or to the longest length if that is more."""
    top = max(size * 1.1, float(lengths.max()) if len(lengths) else 1.0, 1.0)
    return np.linspace(0, top, count + 1)
