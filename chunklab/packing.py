"""Greedy packing over boundary offsets: the one place that fills chunks to a size, caps and overlaps."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from chunklab.boundaries import Later, Level, word_level
from chunklab.measure import Chars
from chunklab.scan import Scan, scan
from chunklab.types import Cuts, Document

END = "end of document"


class Packer:
    """Cuts regions of one document into chunks that are never longer than `size`.

    Each chunk ends at the last boundary of the strongest level that lies within its reach and leaves
    visible text on both sides; where no level has one, between words, then between grapheme clusters.
    The next chunk begins `overlap` before that end, moved up to the next start of `overlap_level`, of a
    word or of a cluster, whichever is the first to leave an overlap, and never so early that the next
    word would not fit. `at_most` limits a chunk to so many units of the first level, of which the next
    one repeats the last `repeat`.
    """

    def __init__(
        self, document: Document, measure: Chars, size: int, overlap: int = 0,
        levels: Sequence[Level | Later] = (), *, hard: bool = False, overlap_level: Level | None = None, at_most: int = 0,
        repeat: int = 0,
    ):  # fmt: skip
        self.known: Scan = scan(document)
        self.snap = self.known.snap if len(self.known.joined) else int
        # Single elements of a memoryview come as plain numbers, several times faster than numpy's.
        self.visible_end = memoryview(self.known.visible_end)
        self.next_visible = memoryview(self.known.next_visible)
        self.visible_before = memoryview(self.known.visible_before)
        self.measure, self.size, self.overlap = measure, size, overlap
        self.levels = list(levels) if hard else [*levels, word_level(document)]
        self.words = word_level(document)
        self.overlap_level, self.at_most, self.repeat = overlap_level, at_most, repeat
        self.names = [*dict.fromkeys([each.name for each in self.levels]), "character", END]
        self.search = [(each, self.names.index(each.name)) for each in self.levels]
        self.starts = [each.cut_list for each in (overlap_level, self.words) if each is not None]
        self.spans: list[tuple[int, int]] = []
        self.reasons: list[int] = []
        self.oversize = 0

    def reason(self, name: str) -> int:
        """The number under which a reason is reported."""
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def pack(self, low: int, high: int, reason: str = END) -> None:
        """Cuts the region [low, high); its last chunk is ended by `reason`."""
        visible_high = self.visible_end[high]
        start = ended = int(low)
        last = self.reason(reason)
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

    def cuts(self, contexts: tuple[str, ...] = (), notices: tuple[str, ...] = ()) -> Cuts:
        """Everything packed so far."""
        if self.oversize:
            many = (
                "1 character cluster is" if self.oversize == 1 else f"{self.oversize} character clusters are"
            )
            notices = (*notices, f"{many} longer than the size and kept whole: a cluster is never cut.")
        spans = np.array(self.spans, dtype=np.int32).reshape(-1, 2)
        return Cuts(spans, np.array(self.reasons, dtype=np.uint8), tuple(self.names), contexts, notices)

    def _add(self, start: int, end: int, code: int) -> None:
        self.spans.append((start, end))
        self.reasons.append(code)

    def _few(self, start: int, end: int) -> bool:
        return not self.at_most or self._nth_end(start) >= end

    def _nth_end(self, start: int) -> int:
        cuts = self.levels[0].cut_list
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
        character = self.names.index("character")
        first = self.snap(self.next_visible[ended])
        end = self.known.snap_up(self.next_visible[ended] + 1)
        if self.measure.excess(start, end, self.size):
            start = max(start, first)
            self.oversize += self.measure.excess(start, end, self.size) > 0
        return start, end, character

    def _strongest(self, floor: int, reach: int) -> tuple[int, int] | None:
        """The last boundary up to `reach` of the strongest level that has visible text after `floor`."""
        for level, code in self.search:
            visible = level.visible_list
            at = bisect_right(visible, reach) - 1
            if at >= 0 and visible[at] > floor:
                return self.snap(min(level.cut_list[at], reach)), code
        end = self.snap(reach)
        if end > floor and self.visible_before[end] > self.visible_before[floor]:
            return end, self.names.index("character")
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
        cuts = self.levels[0].cut_list
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
