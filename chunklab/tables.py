"""The next cut looked up instead of searched: the boundaries of a document as tables over all its offsets."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from chunklab.boundaries import Level
from chunklab.offsets import FAR, firsts
from chunklab.scan import Scan, scan
from chunklab.searches import Find
from chunklab.types import Document

_VISIBLE = re.compile(r"\S")


class Tables:
    """Chunks in characters found by a few steps of arithmetic each, as `plain.pack` would make them.

    `levels` are all levels of a run with the numbers of their reasons, strongest first; one of which not
    all boundaries are known comes as a way to find them. `character` is the reason of a cut between
    characters and `units` the level that an overlap begins with where it can. What is not sure here is
    left to the packing loop.
    """

    def __init__(
        self, document: Document, size: int, overlap: int, levels: Sequence[tuple[Level | Find, int]],
        character: int, units: Level | None = None,
    ):  # fmt: skip
        known, length = scan(document), len(document.text)
        self.size, self.overlap, self.character = size, overlap, character
        # Single elements of a memoryview come as plain numbers, several times faster than numpy's.
        self.steps = [
            (memoryview(each.lasts(length)), None, code) if isinstance(each, Level) else (None, each, code)
            for each, code in levels
            if not isinstance(each, Level) or len(each.cuts)
        ]
        # Beyond a cut that no blanks were clipped at, the strongest level needs no second look at what is visible.
        self.first, _, self.strongest = self.steps[0] if self.steps else (None, None, character)
        self.text = document.text
        self.starts, self.word_ends = [b""], b""
        if overlap:
            words = document.fact("word starts", lambda: firsts(known.words[0], length))
            starts = [words] if units is None else [units.firsts(length), words]
            self.starts = [memoryview(each) for each in starts]
            tight = document.fact("longest word", lambda: _longest_word(known)) > size - overlap
            if tight:
                ends = document.fact("word ends", lambda: firsts(known.words[1] - 1, length))
                self.word_ends = memoryview(ends)

    def follow(
        self, start: int, ended: int, last: int, starts: list[int], ends: list[int], codes: bytearray
    ) -> tuple[int, int]:
        """Adds chunks from `start` on, the one before having ended at `ended`, while they are sure and none reaches `last`.

        Returns the start of the next chunk and the end of the last one.
        """
        if self.size >= FAR:
            return start, ended
        size, first, strongest = self.size, self.first, self.strongest
        text, steps, character, visible = self.text, self.steps, self.character, _VISIBLE.search
        overlap, nearest, word_ends = self.overlap, self.starts[0], self.word_ends
        add_start, add_end, add_code, unsure = starts.append, ends.append, codes.append, True
        reach = start + size
        while reach < last:
            code = strongest
            if unsure or (end := reach - first[reach]) <= ended:
                floor = visible(text, ended).start() if text[ended].isspace() else ended
                for table, find, code in steps:  # noqa: B007
                    if find is None:
                        end = reach - table[reach]
                    else:
                        beyond = visible(text, reach).start() if text[reach].isspace() else reach
                        end = min(find(floor, reach, beyond), reach)
                    if end > floor:
                        break
                else:
                    if floor >= reach:
                        break
                    end, code = reach, character
            following = end
            if overlap:
                wanted = end - overlap
                if (
                    wanted <= start
                    or (following := wanted + nearest[wanted]) >= end
                    or (word_ends and end + word_ends[end] >= following + size)
                ) and not (following := self._begin(start, end, last)):
                    break
            add_start(start)
            add_end(end)
            add_code(code)
            unsure = end == reach or first is None
            start, ended = following, end
            reach = start + size
        return start, ended

    def _begin(self, start: int, end: int, last: int) -> int:
        """Where the chunk after one begins when that takes a second look, 0 where it is not sure even then."""
        text, first, room, blank = self.text, end - self.overlap, 0, self.text[end - 1].isspace()
        if self.word_ends and (blank or text[end].isspace()):
            # The first whole word after the end has to fit.
            room = end + self.word_ends[end] + 1 - self.size
            if self.word_ends[end] == FAR or room + self.size > last:
                return 0
        if first < room <= end:
            first = room
        if first <= start:
            return 0
        for table in self.starts:
            if (following := first + table[first]) < end:
                return following
        if blank:
            seen = start + len(text[start:end].rstrip())
            before = max(seen - self.overlap, room if room <= seen else 0)
            if before <= start:
                return 0
            for table in self.starts:
                if before + table[before] < seen:
                    return 0
        return 0 if text[first:end].isspace() else first


def _longest_word(known: Scan) -> int:
    """The most characters from the end of one word to the end of the next."""
    return int(np.diff(known.words[1], prepend=0).max(initial=0))
