"""Places in documents as sets of characters: their union, its size, and what two unions share.

A place is a triple (document, start, end), half-open; the document is its id or its index, as long as
all places name it the same way. Places that only touch do not overlap.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np

Place = tuple[Hashable, int, int]
Union = dict[Hashable, list[tuple[int, int]]]
"""For each document its sorted, disjoint intervals."""


def union(places: Iterable[Place]) -> Union:
    """The characters of all places, each once; intervals that touch are one."""
    by_document: Union = {}
    for document, start, end in places:
        by_document.setdefault(document, []).append((start, end))
    for document, intervals in by_document.items():
        if len(intervals) > 1:
            by_document[document] = _merged(sorted(intervals))
    return by_document


def size(found: Union) -> int:
    """How many characters a union has."""
    return sum(end - start for intervals in found.values() for start, end in intervals)


def shared(left: Union, right: Union) -> int:
    """How many characters lie in both unions."""
    return sum(
        max(0, min(end, high) - max(start, low))
        for document in left.keys() & right.keys()
        for start, end in left[document]
        for low, high in right[document]
    )


def overlap(one: Place, other: Place) -> int:
    """How many characters two places share."""
    return max(0, min(one[2], other[2]) - max(one[1], other[1])) if one[0] == other[0] else 0


def union_lengths(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """(…,) the size of the union of the m intervals in each row of (…, m), whose starts rise along it."""
    reached = np.maximum.accumulate(ends, axis=-1)
    begin = np.broadcast_to(starts, ends.shape).copy()
    np.maximum(begin[..., 1:], reached[..., :-1], out=begin[..., 1:])
    return np.maximum(ends - begin, 0).sum(axis=-1)


def _merged(intervals: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged = [intervals[0]]
    for start, end in intervals[1:]:
        if start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
