"""Greedy packing over boundary offsets: the one place that fills chunks to a size, caps and overlaps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import takewhile

import numpy as np

from chunklab.boundaries import Later, Level, word_level
from chunklab.filling import Filling
from chunklab.leaps import Joint, Leaps
from chunklab.measure import Chars
from chunklab.plain import Limits, is_roomy, pack
from chunklab.scan import scan
from chunklab.searches import Search, level_finder, word_finder
from chunklab.types import Cuts, Document

END = "end of document"
_LONG = 30
"""A region of so many sizes is worth leaps, and so is a text with so many characters for a boundary."""


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
        self.document, self.known, self.measure = document, scan(document), measure
        self.size, self.overlap = size, overlap
        self.words = Later("word", lambda: word_level(document))
        self.levels = list(levels) if hard else [*levels, self.words]
        self.overlap_level, self.at_most, self.repeat = overlap_level, at_most, repeat
        self.names = [*dict.fromkeys([each.name for each in self.levels]), "character", END]
        self.codes = [self.names.index(each.name) for each in self.levels]
        self.plain = type(measure) is Chars and not at_most and not repeat
        self.spans: list[tuple[int, int]] = []
        self.reasons = bytearray()
        self.oversize = 0

    def reason(self, name: str) -> int:
        """The number under which a reason is reported."""
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def pack(self, low: int, high: int, reason: str = END) -> None:
        """Cuts the region [low, high); its last chunk is ended by `reason`."""
        low, high, last = int(low), int(high), self.reason(reason)
        if self.plain and high - low <= self.size:
            if low < high and not self.known.text[low:high].isspace():
                self.spans.append((low, high))
                self.reasons.append(last)
            return
        if self.plain:
            units = self.overlap_level.cut_list if self.overlap_level else ()
            limits = Limits(self.size, self.overlap, units, self._roomy, self.names.index("character"), last)
            leaps = self._leaps if high - low > max(_LONG * self.size, len(self.known.text) // 2) else None
            packed = pack(self.known.text, low, high, self._searches, limits, leaps)
            if self._joined.isdisjoint((*packed.starts, *packed.ends, *packed.passed)):
                self.spans += zip(packed.starts, packed.ends, strict=True)
                self.reasons += packed.codes
                return
        self._filling.pack(low, high, last)
        self.spans += self._filling.spans
        self.reasons += self._filling.reasons
        self.oversize = self._filling.oversize

    def cuts(self, contexts: tuple[str, ...] = (), notices: tuple[str, ...] = ()) -> Cuts:
        """Everything packed so far."""
        if self.oversize:
            many = (
                "1 character cluster is" if self.oversize == 1 else f"{self.oversize} character clusters are"
            )
            notices = (*notices, f"{many} longer than the size and kept whole: a cluster is never cut.")
        spans = np.array(self.spans, dtype=np.int32).reshape(-1, 2)
        return Cuts(
            spans, np.frombuffer(bytes(self.reasons), dtype=np.uint8), tuple(self.names), contexts, notices
        )

    @cached_property
    def _roomy(self) -> bool:
        return is_roomy(self.known, self.size, self.overlap)

    @cached_property
    def _joined(self) -> frozenset[int]:
        return frozenset(self.known.joined.tolist())

    @cached_property
    def _searches(self) -> list[Search]:
        text = self.known.text
        finders = [word_finder(text) if each is self.words else level_finder(each) for each in self.levels]
        return [("", 0, 0, 0, find, code) for find, code in zip(finders, self.codes, strict=True)]

    @cached_property
    def _leaps(self) -> Leaps | None:
        levels = list(takewhile(lambda each: isinstance(each, Level), self.levels))
        if not 0 < sum(len(each.cuts) for each in levels) < len(self.known.text) // _LONG:
            return None
        units = self.overlap_level.cuts if self.overlap_level else None
        return Leaps(Joint(self.known, levels), self.codes[: len(levels)], self.size, self.overlap, units)

    @cached_property
    def _filling(self) -> Filling:
        search = list(zip(self.levels, self.codes, strict=True))
        return Filling(
            self.document, self.measure, self.size, self.overlap, search, self.names.index("character"),
            self.overlap_level, self.at_most, self.repeat,
        )  # fmt: skip
