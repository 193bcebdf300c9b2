"""How well cuts match true boundaries, such as changes of topic.

A boundary is an offset between two characters, above 0 and below the length of the text. Boundaries are
taken in any order and each once; ParamError for those that are no such offsets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from chunklab.errors import ParamError

Offsets = Sequence[int] | np.ndarray


class BoundaryScores(NamedTuple):
    """Shares, 0 to 1: of the found boundaries that are true, of the true ones that are found, and F1 of both."""

    precision: float
    recall: float
    f1: float


def boundary_scores(true: Offsets, found: Offsets, length: int, tolerance: int = 0) -> BoundaryScores:
    """Precision, recall and F1 of the found boundaries, matched one to one within `tolerance` characters.

    The largest number of pairs is matched. A share of nothing is 1: without cuts none is false.
    """
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | np.integer) or tolerance < 0:
        raise ParamError("boundaries", "tolerance", "a whole number of at least 0", tolerance, "Use 0.")
    true, found = _checked("true", true, length), _checked("found", found, length)
    matched = _matched(true.tolist(), found.tolist(), tolerance)
    precision = matched / len(found) if len(found) else 1.0
    recall = matched / len(true) if len(true) else 1.0
    both = len(true) + len(found)
    return BoundaryScores(precision, recall, 2 * matched / both if both else 1.0)


def pk(true: Offsets, found: Offsets, length: int, k: int | None = None) -> float:
    """Pk (Beeferman et al. 1999): how often two characters k apart are wrongly held together or apart.

    From 0, the best, to 1. `k` is by default half the mean length of the true segments.
    """
    wanted, got = _in_windows(true, found, length, k)
    return float(((wanted > 0) != (got > 0)).mean()) if len(wanted) else 0.0


def window_diff(true: Offsets, found: Offsets, length: int, k: int | None = None) -> float:
    """WindowDiff (Pevzner and Hearst 2002): how often windows of k characters have too many or too few boundaries.

    From 0, the best, to 1; near misses cost less than under `pk`, extra boundaries more. `k` as there.
    """
    wanted, got = _in_windows(true, found, length, k)
    return float((wanted != got).mean()) if len(wanted) else 0.0


def _in_windows(true: Offsets, found: Offsets, length: int, k: int | None) -> tuple[np.ndarray, np.ndarray]:
    """(length - k,) each: how many boundaries lie between characters i and i + k, for every i."""
    true, found = _checked("true", true, length), _checked("found", found, length)
    if k is None:
        k = max(1, min(round(length / (2 * (len(true) + 1))), length - 1))
    elif isinstance(k, bool) or not isinstance(k, int | np.integer) or not 1 <= k < length:
        raise ParamError("boundaries", "k", f"a whole number from 1 to {length - 1}", k, "Leave it out.")
    first = np.arange(max(0, length - k))
    return tuple(
        np.searchsorted(each, first + k, side="right") - np.searchsorted(each, first, side="right")
        for each in (true, found)
    )


def _matched(true: list[int], found: list[int], tolerance: int) -> int:
    """How many pairs can be matched one to one: the first of both lists that are near enough are a pair."""
    matched = one = other = 0
    while one < len(true) and other < len(found):
        if abs(true[one] - found[other]) <= tolerance:
            matched, one, other = matched + 1, one + 1, other + 1
        elif true[one] < found[other]:
            one += 1
        else:
            other += 1
    return matched


def _checked(name: str, offsets: Offsets, length: int) -> np.ndarray:
    values = np.unique(np.asarray(offsets))
    whole = not len(values) or np.issubdtype(values.dtype, np.integer)
    if not whole or (len(values) and not 0 < values[0] <= values[-1] < length):
        must = f"offsets above 0 and below the length of {length}"
        raise ParamError("boundaries", name, must, offsets, "Leave out the ends of the text.")
    return values.astype(np.int64)
