"""Sorted offsets of a text as arrays: how far the nearest is from everywhere, runs, and lists for bisection."""

from __future__ import annotations

from array import array

import numpy as np

FAR = np.iinfo(np.uint16).max
"""Stands for an offset that is farther away than a table can say, or not there."""


def lasts(visible: np.ndarray, cuts: np.ndarray, length: int) -> np.ndarray:
    """(length + 1,) uint16: how far before each offset the last boundary is whose visible text ends there or before.

    Nothing at all where the blanks of a boundary go on there; FAR where there is none so near.
    """
    edges = np.concatenate(([0], visible, [length + 1])).astype(np.int32)
    nearest = np.repeat(np.concatenate(([-FAR], cuts)).astype(np.int32), np.diff(edges))
    np.subtract(np.arange(length + 1, dtype=np.int32), nearest, out=nearest)
    return np.clip(nearest, 0, FAR, out=nearest).astype(np.uint16)


def firsts(offsets: np.ndarray, length: int) -> np.ndarray:
    """(length + 1,) uint16: how far ahead of each offset the first of the sorted offsets at or after it is, FAR if none."""
    edges = np.concatenate(([-1], offsets, [length])).astype(np.int32)
    nearest = np.repeat(np.concatenate((offsets, [length + FAR])).astype(np.int32), np.diff(edges))
    np.subtract(nearest, np.arange(length + 1, dtype=np.int32), out=nearest)
    return np.clip(nearest, 0, FAR, out=nearest).astype(np.uint16)


def runs(mask: np.ndarray) -> np.ndarray:
    """(n, 2): where the runs of true values begin and end, half-open."""
    edges = np.diff(np.concatenate(([False], mask, [False])).astype(np.int8))
    return np.stack((np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)), axis=1)


def for_bisection(offsets: np.ndarray) -> array:
    """The offsets as plain numbers, among which `bisect` is several times faster than among numpy's."""
    return array("i", offsets.astype("<i4").tobytes())
