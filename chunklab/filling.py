"""Packing in any measure, with units counted and clusters minded: the general way, a step at a time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from chunklab.boundaries import Later, Level, word_level
from chunklab.measure import Chars
from chunklab.scan import Scan, scan
from chunklab.types import Document


class Filling:
    """Regions of one document as `packing.Packer` describes them; `spans` and `reasons` hold the last one's chunks.

    `search` has the levels, strongest first, with the numbers of their reasons; `character` is the number
    of a cut between characters. `oversize` counts the clusters that alone are over the size.
    """

    def __init__(
        self, document: Document, measure: Chars, size: int, overlap: int, search: Sequence[tuple[Level | Later, int]],
        character: int, overlap_level: Level | None, at_most: int, repeat: int,
    ):  # fmt: skip
        self.known: Scan = scan(document)
        self.snap = self.known.snap if len(self.known.joined) else int
        # Single elements of a memoryview come as plain numbers, several times faster than numpy's.
        self.visible_end = memoryview(self.known.visible_end)
        self.next_visible = memoryview(self.known.next_visible)
        self.visible_before = memoryview(self.known.visible_before)
        self.measure, self.size, self.overlap = measure, size, overlap
        self.search, self.character = search, character
        self.words, self.at_most, self.repeat = word_level(document), at_most, repeat
        self.starts = [each.cut_list for each in (overlap_level, self.words) if each is not None]
        self.oversize = 0

    def pack(self, low: int, high: int, last: int) -> None:
        """The chunks of the region [low, high); the reason of the last one is `last`."""
        self.spans: list[tuple[int, int]] = []
        self.reasons = bytearray()
        visible_high = self.visible_end[high]
        start = ended = low
        while visible_high > ended:
            reach = min(self.measure.reach(start, self.size), high)
            if self.next_visible[start] >= reach:
                first = self.snap(self.next_visible[start])
                if start < first >= reach:
                    start = first
                    continue
            if reach >= visible_high and self._few(start, visible_high):
                end = (
                    high
                    if not self.measure.excess(start, high, self.size)
                    else max(self.snap(reach), visible_high)
                )
                if not self.measure.excess(start, end, self.size):
                    self._add(start, end, last)
                    return
            start, end, code = self._cut(start, ended, reach)
            following, end = self._overlapped(start, end, visible_high)
            self._add(start, end, code)
            start, ended = following, end

    def _add(self, start: int, end: int, code: int) -> None:
        self.spans.append((start, end))
        self.reasons.append(code)

    def _few(self, start: int, end: int) -> bool:
        return not self.at_most or self._nth_end(start) >= end

    def _nth_end(self, start: int) -> int:
        cuts = self.search[0][0].cut_list
        at = bisect_right(cuts, start) + self.at_most - 1
        return cuts[at] if at < len(cuts) else len(self.known.text)

    def _cut(self, start: int, ended: int, reach: int) -> tuple[int, int, int]:
        """(start, end, reason) of the next chunk; the start moves only where nothing else would fit."""
        if self.at_most:
            reach = min(reach, self._nth_end(start))
        while found := self._strongest(ended, reach):
            end, code = found
            excess = self.measure.excess(start, end, self.size)
            if not excess:
                return start, end, code
            reach = min(self.measure.reach(start, max(1, self.size - excess)), end - 1)
        first = self.snap(self.next_visible[ended])
        end = self.known.snap_up(self.next_visible[ended] + 1)
        if self.measure.excess(start, end, self.size):
            start = max(start, first)
            self.oversize += self.measure.excess(start, end, self.size) > 0
        return start, end, self.character

    def _strongest(self, floor: int, reach: int) -> tuple[int, int] | None:
        """The last boundary up to `reach` of the strongest level that has visible text after `floor`."""
        for level, code in self.search:
            visible = level.visible_list
            at = bisect_right(visible, reach) - 1
            if at >= 0 and visible[at] > floor:
                return self.snap(min(level.cut_list[at], reach)), code
        end = self.snap(reach)
        if end > floor and self.visible_before[end] > self.visible_before[floor]:
            return end, self.character
        return None

    def _overlapped(self, start: int, end: int, high: int) -> tuple[int, int]:
        """(start of the next chunk, end of this one): the end gives up its blanks where that lets a word overlap."""
        if self.repeat:
            return self._repeated(start, end, high), end
        if not self.overlap:
            return end, end
        first = self._earliest(start, end, high)
        found = self._unit_start(first, end)
        if found is not None:
            return found, end
        visible = self.visible_end[end]
        if self.snap(visible) == visible < end:
            found = self._unit_start(self._earliest(start, visible, high), visible)
            if found is not None:
                return found, visible
        first = self.known.snap_up(first)
        return (first, end) if self._overlaps(first, end) else (end, end)

    def _unit_start(self, first: int, end: int) -> int | None:
        """The first start of a unit, or else of a word, from `first` on that leaves a visible overlap."""
        for cuts in self.starts:
            at = bisect_left(cuts, first)
            if at < len(cuts) and self._overlaps(cuts[at], end):
                return cuts[at]
        return None

    def _earliest(self, start: int, end: int, high: int) -> int:
        return max(self.measure.back(end, self.overlap), start + 1, self._room(end, high))

    def _repeated(self, start: int, end: int, high: int) -> int:
        """The start of the `repeat`-th last unit before `end`, later where the next word needs the room."""
        cuts = self.search[0][0].cut_list
        first, at = max(start + 1, self._room(end, high)), bisect_left(cuts, end)
        return next((cut for cut in cuts[max(0, at - self.repeat) : at] if first <= cut < end), end)

    def _overlaps(self, start: int, end: int) -> bool:
        if start >= end or self.visible_before[end] == self.visible_before[start]:
            return False
        return not self.measure.excess(start, end, self.overlap)

    def _room(self, end: int, high: int) -> int:
        """The earliest next start from which the first whole word after `end` still fits."""
        if self.visible_end[end] == self.next_visible[end]:
            return 0
        visible = self.words.visible_list
        at = bisect_right(visible, end)
        word_end = min(visible[at] if at < len(visible) else high, high)
        room = self.measure.back(word_end, self.size)
        return room if room <= end else 0
