"""Byte-pair encoding of long runs of letters in parts: its time grows faster than a run's length.

Merges inside a token never look beyond it, so a sequence of tokens is an encoding as soon as any two
neighbours in it are neighbours in the encoding of something. Parts are therefore encoded alone, and around
each joint a window is encoded again: where that has a token in common with the part before and one with the
part after, its tokens stand between these two, and everything beyond them stays.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from itertools import accumulate, pairwise

PART = 1000
LONG = 4 * PART
"""Bytes in a run that is worth it."""
_REACHES = (12, 48)
"""So many tokens on either side of a joint are looked at, first and then."""
Sizes = Callable[[bytes], list[int]]
"""The lengths in bytes of the tokens of some bytes."""


def bounds_in_parts(
    content: bytes, runs: list[tuple[int, int]], text_sizes: Sizes, run_sizes: Sizes
) -> list[int] | None:
    """Where the tokens begin and, at last, end, in bytes; None where a joint cannot be told.

    `runs` are the places of long runs of letters in `content`, each inside one match of the pattern. What
    lies between is encoded by `text_sizes`, with the pattern; parts of runs by `run_sizes`, without it.
    """
    found, begin, inside = [0], 0, None
    for run in (*runs, None):
        joints = range(run[0] + PART, run[1] - PART + 1, PART) if run else ()
        for end in [_aligned(content, each) for each in joints] or [len(content)]:
            middle = inside is run and run is not None
            sizes = run_sizes if middle else text_sizes
            part = [*accumulate(sizes(content[begin:end]), initial=begin)]
            if inside is None:
                found = part
            elif not _join(content, found, part, inside, middle, run_sizes):
                return None
            begin, inside = end, run
    return found


def _aligned(content: bytes, at: int) -> int:
    """The first beginning of a character at or after a byte."""
    while content[at] & 0xC0 == 0x80:
        at += 1
    return at


def _join(
    content: bytes, left: list[int], right: list[int], run: tuple[int, int], middle: bool, sizes: Sizes
) -> bool:
    """Adds the bounds of the part after a joint to those before it; False where no token is common to both.

    `middle`: the part after ends inside the run, so that its end will be a joint.
    """
    first, last = bisect_left(left, run[0]), bisect_right(right, run[1]) - 1
    for reach in _REACHES:
        low, high = max(first, len(left) - 1 - reach), min(last, reach)
        window = [*accumulate(sizes(content[left[low] : right[high]]), initial=left[low])]
        tokens = list(pairwise(window))
        before, after = set(pairwise(left[low:])), set(pairwise(right[: high + 1]))
        begin = next((at for at, token in enumerate(tokens) if token in before), None)
        end = next((at for at in range(len(tokens), 0, -1) if tokens[at - 1] in after), None)
        if begin is None and low == run[0] == 0:
            begin = 0
        if end is None and high == len(right) - 1 and (middle or right[high] == run[1]):
            end = len(tokens)
        if begin is not None and end is not None:
            left[bisect_left(left, window[begin]) :] = window[begin:end]
            left += right[bisect_left(right, window[end]) :]
            return True
    return False
