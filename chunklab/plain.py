"""Packing in characters: the one loop for most runs, and what a chunk costs there is what a run costs."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from chunklab.searches import Search
from chunklab.tables import Tables

_BLANK, _VISIBLE = re.compile(r"\s"), re.compile(r"\S")
_WORD = 40
"""So many characters are looked at first for the beginning or the end of a word."""


@dataclass
class Packed:
    """Starts, ends and reasons of chunks, and offsets that were given up: all that were decided on."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    codes: bytearray = field(default_factory=bytearray)
    passed: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Limits:
    """The size and overlap in characters, where units begin that an overlap starts with, and the numbers of the
    reasons for a cut between characters and at the region's end.
    """

    size: int
    overlap: int
    units: Sequence[int]
    character: int
    last: int


def pack(
    text: str, low: int, high: int, searches: Sequence[Search], limits: Limits, tables: Tables | None = None
) -> Packed:
    """The region [low, high) in chunks as `packing.Packer` describes them.

    No grapheme cluster is looked at: the chunks are right when none of the offsets in them is inside one.
    """
    size, overlap, character = limits.size, limits.overlap, limits.character
    tail = max(low, high - _WORD)
    last = tail + len(text[tail:high].rstrip())
    if last == tail:
        last = low + len(text[low:high].rstrip())
    packed = Packed()
    starts, ends, codes = packed.starts, packed.ends, packed.codes
    rfind, visible, overlapped = text.rfind, _VISIBLE.search, _overlapping(text, last, limits)
    start = ended = low
    while ended < last:
        if tables:
            start, ended = tables.follow(start, ended, last, starts, ends, codes)
        reach = start + size
        floor = visible(text, start).start() if text[start].isspace() else start
        if floor >= reach:
            packed.passed.append(start)
            start = floor
            continue
        if reach >= last:
            starts.append(start)
            ends.append(high if high - start <= size else reach)
            codes.append(limits.last)
            break
        if start < ended:
            floor = visible(text, ended).start() if text[ended].isspace() else ended
        beyond = visible(text, reach).start() if text[reach].isspace() else reach
        for separator, before, after, step, find, code in searches:  # noqa: B007
            if find:
                if end := find(floor, reach, beyond):
                    break
            elif (at := rfind(separator, floor + before, beyond + after)) >= 0:
                end = at + step
                break
        else:
            end, code = reach, character
        if end > reach:
            end = reach
        if code == character and floor >= reach:
            end = floor + 1
            if end - start > size:
                packed.passed.append(start)
                start = floor
        following = ended = end
        if overlap:
            following, ended = overlapped(start, end)
            if ended < end:
                packed.passed.append(end)
        starts.append(start)
        ends.append(ended)
        codes.append(code)
        start = following
    return packed


def _overlapping(text: str, last: int, limits: Limits) -> Callable[[int, int], tuple[int, int]]:
    """A chunk's start and end -> (start of the next, end of this one), which gives up its blanks where that lets a
    word overlap.
    """
    size, overlap, units = limits.size, limits.overlap, limits.units
    near = min(size - overlap + 1, _WORD)

    def overlapped(start: int, end: int) -> tuple[int, int]:
        first = end - overlap if end - overlap > start else start + 1
        blank, room = text[end - 1].isspace(), 0
        # The first whole word after the end has to fit.
        if end < last and (text[end].isspace() or (blank and text.find(" ", end + 1, end + near) < 0)):
            room = (word_end(end) or end + size + 1) - size
            if first < room <= end:
                first = room
        if found := unit_start(first, end):
            return found, end
        if blank:
            seen = start + len(text[start:end].rstrip())
            before = seen - overlap if seen - overlap > start else start + 1
            if before < room <= seen:
                before = room
            # From `first` on there is none, as has been seen.
            if before < first and (found := unit_start(before, min(first, seen))):
                return found, seen
        repeated = text[first:end]
        return (first, end) if repeated and not repeated.isspace() else (end, end)

    def word_end(at: int) -> int:
        """The end of the first word from an offset on, `last` where the text ends before, 0 where it is far."""
        if text[at].isspace():
            at = _VISIBLE.search(text, at).start()
        found = _BLANK.search(text, at, at + size + 1)
        return found.start() if found else last if last <= at + size else 0

    def unit_start(first: int, end: int) -> int:
        """The first start of a unit, or else of a word, from `first` on and before `end`, 0 if none."""
        if units and (at := bisect_left(units, first)) < len(units) and units[at] < end:
            return units[at]
        if text[first - 1].isspace():
            word = text[first:end].lstrip()
            return end - len(word) if word else 0
        part = text[first - 1 : end if first + _WORD > end else first + _WORD]
        words = part.split(None, 1)
        if len(words) < 2 and first + _WORD < end:
            part = text[first - 1 : end]
            words = part.split(None, 1)
        return first - 1 + len(part) - len(words[1]) if len(words) == 2 else 0

    return overlapped
