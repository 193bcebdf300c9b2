"""Where the next chunk ends, for every boundary at which one can begin: found for all of them at once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from chunklab.boundaries import Level
from chunklab.characters import is_blank
from chunklab.scan import Scan


class Joint:
    """The boundaries of some levels as one, whatever the size: `cuts` (n,) sorted, `at[i]` where level i's are."""

    def __init__(self, known: Scan, levels: Sequence[Level]):
        self.known, self.levels = known, levels
        cuts = np.sort(np.concatenate([each.cuts for each in levels]), kind="stable")
        self.cuts = cuts[np.diff(cuts, prepend=-1) > 0]
        self.at = [np.searchsorted(self.cuts, each.cuts).astype(np.int32) for each in levels]
        self.visible = np.empty_like(self.cuts)
        for level, at in zip(levels, self.at, strict=True):
            self.visible[at] = level.visible


class Leaps:
    """Chunks from one boundary of the strongest levels to another, followed without a search.

    The levels of `joint` are the first ones of a run in characters and `codes` the numbers of their reasons,
    all below `known`. Where a chunk ends at a weaker level, or its overlap does not begin at a unit or word
    as it should, there is no leap and the packing loop goes on by itself.
    """

    def __init__(
        self, joint: Joint, codes: Sequence[int], size: int, overlap: int, units: np.ndarray | None = None
    ):
        cuts = joint.cuts
        starts = _starts(joint, size, overlap, units) if overlap else cuts
        reach = starts + size
        following = np.full(len(cuts), -1, dtype=np.int32)
        reasons = np.zeros(len(cuts), dtype=np.uint8)
        known = starts < cuts if overlap else np.ones(len(cuts), dtype=bool)
        open_ = np.flatnonzero(known)
        for level, at, code in zip(joint.levels, joint.at, codes, strict=True):
            if not len(at):
                continue
            last = np.searchsorted(level.visible, reach[open_], "right") - 1
            found = (last >= 0) & (level.visible[last] > cuts[open_])
            near = found & (level.cuts[last] <= reach[open_])
            following[open_[near]] = at[last[near]]
            reasons[open_[near]] = code
            open_ = open_[~found]
        if overlap:
            following[~known[following] | (starts[following] <= starts)] = -1
        self.known = max(codes) + 1
        self._reasons = reasons.tobytes()
        # Single elements of a memoryview come as plain numbers, several times faster than numpy's.
        self._cuts, self._starts, self._following = (
            memoryview(cuts),
            memoryview(starts),
            memoryview(following),
        )
        self._ends, self._reach = memoryview(cuts[following]), memoryview(reach)

    def follow(
        self, start: int, ended: int, last: int, starts: list[int], ends: list[int], codes: bytearray
    ) -> tuple[int, int]:
        """Adds the chunks that can be leaped to; (start of the next chunk, end of the last one)."""
        at = bisect_left(self._cuts, ended)
        if at == len(self._cuts) or self._cuts[at] != ended or self._starts[at] != start:
            return start, ended
        chain, following, reach = [], self._following, self._reach
        while reach[at] < last and (after := following[at]) >= 0:
            chain.append(at)
            at = after
        starts.extend(map(self._starts.__getitem__, chain))
        ends.extend(map(self._ends.__getitem__, chain))
        codes.extend(map(self._reasons.__getitem__, chain))
        return self._starts[at], self._cuts[at]


def _starts(joint: Joint, size: int, overlap: int, units: np.ndarray | None) -> np.ndarray:
    """(n,) int32: where the chunk after each cut begins, as in the packing loop; the cut itself where that takes it."""
    cuts, known, (words, ends) = joint.cuts, joint.known, joint.known.words
    word_end = _next(ends, cuts + 1)
    inside = (joint.visible == cuts) & ~is_blank(known.units[cuts])
    room = np.where((word_end <= cuts + size) & ~inside, word_end - size, 0)
    first = np.maximum(cuts - overlap, np.maximum(room, 1))
    starts = _next(words, first)
    if units is not None:
        unit = _next(units, first)
        starts = np.where(unit < cuts, unit, starts)
    none = starts >= cuts
    # Blanks before the cut are given up where that lets a word overlap: that is left to the loop.
    none_before = _next(words, joint.visible - overlap) >= joint.visible
    if units is not None:
        none_before &= _next(units, joint.visible - overlap) >= joint.visible
    within = none & (none_before | (joint.visible == cuts)) & (first < joint.visible)
    return np.where(within, first, np.where(none, cuts, starts)).astype(np.int32)


def _next(offsets: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The first of the sorted offsets at or above each wanted one, beyond every text where there is none."""
    none = np.array([np.iinfo(np.int32).max // 2], dtype=np.int32)
    return np.concatenate((offsets, none))[np.searchsorted(offsets, wanted)]
