"""Greedy packing over boundary offsets: the one place that fills chunks to a size, caps and overlaps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from chunklab.boundaries import Later, Level, word_level
from chunklab.chains import Chains
from chunklab.filling import Filling
from chunklab.measure import Chars
from chunklab.plain import Limits, pack
from chunklab.scan import scan
from chunklab.searches import Search, level_finder, word_finder
from chunklab.tables import Tables
from chunklab.types import Cuts, Document

END = "end of document"
_LONG = 30
"""So many chunks are worth tables."""


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
        self.words = Later("word", lambda: word_level(document), word_finder(document.text))
        self.levels = list(levels) if hard else [*levels, self.words]
        self.overlap_level, self.at_most, self.repeat = overlap_level, at_most, repeat
        self.names = [*dict.fromkeys([each.name for each in self.levels]), "character", END]
        self.codes = [self.names.index(each.name) for each in self.levels]
        self.plain = type(measure) is Chars and not at_most and not repeat
        self.chains: Chains | None = None
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
            limits = Limits(self.size, self.overlap, units, self.names.index("character"), last)
            packed = pack(self.known.text, low, high, self._searches, limits, self.chains or self._tables)
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
        return Cuts(*self.packed(), tuple(self.names), contexts, (*notices, *oversize_notice(self.oversize)))

    def packed(self) -> tuple[np.ndarray, np.ndarray]:
        """The spans (n, 2) and the numbers of their reasons (n,) so far."""
        spans = np.array(self.spans, dtype=np.int32).reshape(-1, 2)
        return spans, np.frombuffer(bytes(self.reasons), dtype=np.uint8)

    @cached_property
    def _joined(self) -> frozenset[int]:
        return frozenset(self.known.joined.tolist())

    @cached_property
    def _searches(self) -> list[Search]:
        return [
            ("", 0, 0, 0, level_finder(each), code)
            for each, code in zip(self.levels, self.codes, strict=True)
        ]

    @cached_property
    def _tables(self) -> Tables | None:
        known = [each for each in self.levels if isinstance(each, Level)]
        if len(self.known.text) < _LONG * self.size or not all([each.again() for each in known]):
            return None
        levels = [
            each if isinstance(each, Level) else word_level(self.document) if each is self.words else level_finder(each)
            for each in self.levels
        ]  # fmt: skip
        return Tables(
            self.document, self.size, self.overlap, [*zip(levels, self.codes, strict=True)],
            self.names.index("character"), self.overlap_level,
        )  # fmt: skip

    @cached_property
    def _filling(self) -> Filling:
        search = list(zip(self.levels, self.codes, strict=True))
        return Filling(
            self.document, self.measure, self.size, self.overlap, search, self.names.index("character"),
            self.overlap_level, self.at_most, self.repeat,
        )  # fmt: skip


def oversize_notice(clusters: int) -> tuple[str, ...]:
    """What is said of so many grapheme clusters that alone are over the size, nothing of none."""
    if not clusters:
        return ()
    many = "1 character cluster is" if clusters == 1 else f"{clusters} character clusters are"
    return (f"{many} longer than the size and kept whole: a cluster is never cut.",)
