"""Products of matrices in one thread: several wait for one another longer than they work where little is to be done."""

from __future__ import annotations

import numpy as np

ALONE = 1 << 19
"""numpy's OpenBLAS gives a product of so many multiplications to one thread."""
LARGE = 1 << 28
"""From so many on several threads are worth it."""


def product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(q, n) float64, `left` (q, d) times `right` (n, d) transposed."""
    step = ALONE // max(left.size, 1)
    if step < 4 or left.size * len(right) >= LARGE:
        return left @ right.T
    out = np.empty((len(left), len(right)))
    for low in range(0, len(right), step):
        np.matmul(left, right[low : low + step].T, out=out[:, low : low + step])
    return out
