"""Equal stretches of a text found among many, so that what is asked about each is asked once."""

from __future__ import annotations

import numpy as np

_LENGTHS = (7, 23)
"""Stretches are compared by as many numbers of eight bytes as hold them and, in the last byte, their length; longer
ones are taken to be unlike all others.
"""
_SLOTS = 20
"""Binary digits of the number of places in the table at most."""
_ODD = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], dtype=np.uint64)
_KEPT = np.array([(1 << 8 * size) - 1 for size in range(9)], dtype=np.uint64)


def distinct(content: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """(n,) int32: for each stretch content[bounds[i]:bounds[i + 1]] the number of one with the same bytes.

    `content` is uint8. Stretches with the same bytes nearly always get the same number; that of a stretch
    which stands for others is its own.
    """
    lengths = np.diff(bounds)
    found = np.arange(len(lengths), dtype=np.int32)
    # Eight bytes from every offset on as one number.
    padded = np.concatenate((content, np.zeros(8 + _LENGTHS[-1], dtype=np.uint8)))
    words = np.ndarray(len(content) + _LENGTHS[-1], dtype="<u8", buffer=padded, strides=(1,))
    shortest = 1
    for longest in _LENGTHS:
        rows = np.flatnonzero((lengths >= shortest) & (lengths <= longest)).astype(np.int32)
        starts, sizes = bounds[rows], lengths[rows]
        columns = [words[starts + at] & _KEPT[np.clip(sizes - at, 0, 8)] for at in range(0, longest, 8)]
        columns[-1] |= sizes.astype(np.uint64) << np.uint64(56)
        found[rows] = rows[_alike(columns)]
        shortest = longest + 1
    return found


def _alike(columns: list[np.ndarray]) -> np.ndarray:
    """(n,) int32: for each row of the columns the number of an equal one."""
    mixed = np.bitwise_xor.reduce([each * odd for each, odd in zip(columns, _ODD, strict=False)])
    mixed ^= mixed >> np.uint64(32)
    rows = found = np.arange(len(mixed), dtype=np.int32)
    found = found.copy()
    digits = min(_SLOTS, len(mixed).bit_length() + 2)
    last = np.empty(1 << digits, dtype=np.int32)
    for odd in _ODD[:2]:
        slots = (mixed[rows] * odd) >> np.uint64(64 - digits)
        last[slots] = rows
        held = last[slots]
        same = np.logical_and.reduce([each[held] == each[rows] for each in columns])
        found[rows[same]] = held[same]
        rows = rows[~same]
    return found
