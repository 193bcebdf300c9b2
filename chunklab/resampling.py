"""Sums of a few values drawn again and again: seeded, and drawn once for all that have as many values."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

KEPT = 1_000_000
"""Weights of up to so many numbers are kept, eight sets of them; larger ones are made in blocks of it."""

Draw = Callable[[np.random.Generator, int, int], np.ndarray]


def sums(draw: Draw, values: np.ndarray, rows: int, seed: int) -> np.ndarray:
    """(rows,) sums of the (n,) values, weighted by the rows of `draw`; the same seed gives the same sums."""
    n = len(values)
    if rows * n <= KEPT:
        return _weighted(_weights(draw, rows, n, seed), values)
    random, block = np.random.default_rng(seed), max(1, KEPT // n)
    parts = [_weighted(draw(random, min(block, rows - low), n), values) for low in range(0, rows, block)]
    return np.concatenate(parts)


def with_replacement(random: np.random.Generator, rows: int, n: int) -> np.ndarray:
    """(rows, n) float64: how often each of n values comes up in n draws with replacement."""
    places = random.integers(0, n, (rows, n)) + n * np.arange(rows)[:, None]
    return np.bincount(places.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)


def signs(random: np.random.Generator, rows: int, n: int) -> np.ndarray:
    """(rows, n) float64: each 1 or -1."""
    return random.integers(0, 2, (rows, n), dtype=np.int8) * 2.0 - 1.0


@lru_cache(maxsize=8)
def _weights(draw: Draw, rows: int, n: int, seed: int) -> np.ndarray:
    return draw(np.random.default_rng(seed), rows, n)


def _weighted(weights: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Their product, without the threads of a matrix library, which on a busy machine wait for each other."""
    return np.einsum("rn,n->r", weights, values)
