"""Many regions of a text cut at once: where the next chunk ends from every boundary on, then one walk along that."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from chunklab.boundaries import Level
from chunklab.characters import is_blank
from chunklab.scan import Scan

UNDECIDED = 255
"""Stands for the reason of a chunk that it takes a search to end."""


class Chains:
    """Chunks in characters from one boundary of the strongest levels to another, as `packing.Packer` makes them.

    The regions from `lows` to `highs` (n,) tile the text from the first of them on, and none is blank. `levels` are
    the strongest ones, strongest first, with the numbers of their reasons; `last` is that of a region's end. `inner`
    are those that come next where a chunk can end nowhere but inside one of the `units` (m, 2).
    """

    def __init__(
        self, known: Scan, lows: np.ndarray, highs: np.ndarray, levels: Sequence[tuple[Level, int]],
        inner: Sequence[tuple[Level, int]], units: np.ndarray, size: int, overlap: int, last: int,
    ):  # fmt: skip
        self.lows, self.size = lows, size
        cuts = np.sort(np.concatenate([lows, *(each.cuts for each, _ in (*levels, *inner))])).astype(np.int32)
        cuts = cuts[np.diff(cuts, prepend=-1) > 0]
        self.firsts = np.searchsorted(cuts, lows)
        region = np.searchsorted(lows, cuts, "right") - 1
        fresh = np.zeros(len(cuts), dtype=bool)
        fresh[self.firsts] = True
        begins = np.where(fresh, cuts, _overlapped(known, cuts, size, overlap)) if overlap else cuts
        reach, sure = begins + size, fresh | (begins < cuts) | (not overlap)
        ends, reasons = cuts.copy(), np.full(len(cuts), UNDECIDED, dtype=np.uint8)
        following = np.append(self.firsts, len(cuts))[region + 1]
        final = np.flatnonzero((reach >= known.visible_ends(highs)[region]) & sure)
        high = highs[region[final]]
        ends[final] = np.where(high - begins[final] <= size, high, reach[final])
        reasons[final] = last
        open_ = np.flatnonzero((reasons == UNDECIDED) & sure)
        for level, code in (*levels, (None, 0), *inner):
            if level is None and len(inner):
                around = np.searchsorted(units[:, 0], cuts[open_], "right") - 1
                open_ = open_[(around >= 0) & (reach[open_] < units[around, 1])]
            if level is None or not len(level.cuts):
                continue
            at = np.searchsorted(level.visible, reach[open_], "right") - 1
            found = (at >= 0) & (level.visible[at] > cuts[open_])
            near = found & (level.cuts[at] <= reach[open_])
            here, end = open_[near], level.cuts[at[near]]
            to = np.searchsorted(cuts, end)
            if overlap:
                kept = sure[to] & (begins[to] > begins[here])
                here, end, to = here[kept], end[kept], to[kept]
            ends[here], reasons[here], following[here] = end, code, to
            open_ = open_[~found]
        self.cuts, self.begins, self.ends, self.reasons, self.following = (
            cuts,
            begins,
            ends,
            reasons,
            following,
        )
        # Single elements of a memoryview come as plain numbers, several times faster than numpy's.
        self.views = [memoryview(each) for each in (cuts, begins, ends, reasons, following)]

    def walk(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(spans (n, 2), reasons (n,), undecided (regions,)): the chunks of the regions that take no search."""
        following, count = self.views[-1], len(self.cuts)
        passed: list[int] = []
        at = int(self.firsts[0])
        while at < count:
            passed.append(at)
            at = following[at]
        chain = np.array(passed)
        region = np.searchsorted(self.lows, self.cuts[chain], "right") - 1
        undecided = np.zeros(len(self.lows), dtype=bool)
        undecided[region[self.reasons[chain] == UNDECIDED]] = True
        chain = chain[~undecided[region]]
        return np.stack((self.begins[chain], self.ends[chain]), axis=1), self.reasons[chain], undecided

    def follow(
        self, start: int, ended: int, last: int, starts: list[int], ends: list[int], codes: bytearray
    ) -> tuple[int, int]:
        """As `tables.Tables.follow`: adds the chunks that take no search, but for the one that reaches `last`."""
        cuts, begins, stops, reasons, following = self.views
        at = bisect_left(cuts, ended)
        if at == len(cuts) or cuts[at] != ended or begins[at] != start:
            return start, ended
        while reasons[at] != UNDECIDED and begins[at] + self.size < last:
            starts.append(begins[at])
            ends.append(stops[at])
            codes.append(reasons[at])
            at = following[at]
        return begins[at], cuts[at]


def _overlapped(known: Scan, cuts: np.ndarray, size: int, overlap: int) -> np.ndarray:
    """(n,) int32: where the chunk after each cut begins, as in the packing loop; the cut itself where that takes it."""
    words, word_ends = known.words
    visible = known.visible_ends(cuts)
    word_end = _next(word_ends, cuts + 1)
    inside = (visible == cuts) & ~is_blank(known.units.take(cuts, mode="clip"))
    room = np.where((word_end <= cuts + size) & ~inside, word_end - size, 0)
    first = np.maximum(cuts - overlap, np.maximum(room, 1))
    starts = _next(words, first)
    none = starts >= cuts
    # Blanks before the cut are given up where that lets a word overlap: that is left to the loop.
    none_before = _next(words, visible - overlap) >= visible
    within = none & (none_before | (visible == cuts)) & (first < visible)
    return np.where(within, first, np.where(none, cuts, starts)).astype(np.int32)


def _next(offsets: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The first of the sorted offsets at or above each wanted one, beyond every text where there is none."""
    none = np.array([np.iinfo(np.int32).max // 2], dtype=np.int32)
    return np.concatenate((offsets, none))[np.searchsorted(offsets, wanted)]
