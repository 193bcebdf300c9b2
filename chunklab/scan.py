"""What is known about a text after one pass over it: blanks, words, and places that must not be cut."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property

import numpy as np

from chunklab.characters import codes_of, is_blank, may_join, units_of
from chunklab.offsets import runs
from chunklab.types import Document


class Scan:
    """Facts about one text, each computed on first use and kept. Offsets are code points."""

    def __init__(self, text: str):
        self.text = text

    @cached_property
    def codes(self) -> np.ndarray:
        """(n,) uint32 code points."""
        return codes_of(self.text)

    @cached_property
    def units(self) -> np.ndarray:
        """(n,) code points in the least of uint8, uint16 and uint32 that holds them all."""
        return units_of(self.text)

    @cached_property
    def blank(self) -> np.ndarray:
        """(n,) bool, true where `str.isspace` is."""
        return is_blank(self.units)

    @cached_property
    def visible_before(self) -> np.ndarray:
        """(n + 1,) int32: how many non-blank code points lie before each offset."""
        out = np.zeros(len(self.text) + 1, dtype=np.int32)
        np.cumsum(~self.blank, dtype=np.int32, out=out[1:])
        return out

    @cached_property
    def visible_end(self) -> np.ndarray:
        """(n + 1,) int32: the end of the last non-blank code point before each offset, 0 if none."""
        out = np.zeros(len(self.text) + 1, dtype=np.int32)
        ends = np.where(self.blank, 0, np.arange(1, len(self.text) + 1, dtype=np.int32))
        np.maximum.accumulate(ends, out=out[1:])
        return out

    @cached_property
    def next_visible(self) -> np.ndarray:
        """(n + 1,) int32: the first non-blank offset at or after each offset, n if none."""
        n = len(self.text)
        out = np.full(n + 1, n, dtype=np.int32)
        starts = np.where(self.blank, n, np.arange(n, dtype=np.int32))
        out[:n] = np.minimum.accumulate(starts[::-1])[::-1]
        return out

    def visible_ends(self, offsets: np.ndarray) -> np.ndarray:
        """`visible_end` at some offsets, found without a pass over the text where no run of blanks is long."""
        found = offsets.astype(np.int32)
        # An offset one blank after the offset before it in the array has the same: indentation is seen once.
        again = np.diff(found, prepend=np.int32(-2)) == 1
        again[again] = is_blank(self.units[found[again] - 1])
        if again.any():
            return self._visible_ends(found[~again])[np.cumsum(~again) - 1]
        return self._visible_ends(found)

    def _visible_ends(self, found: np.ndarray) -> np.ndarray:
        offsets, found = found, found.copy()
        moving = np.flatnonzero(found > 0)
        for _ in range(8 + len(self.text) // 4096):
            moving = moving[is_blank(self.units[found[moving] - 1])]
            if not len(moving):
                return found
            found[moving] -= 1
            moving = moving[found[moving] > 0]
        return self.visible_end[offsets]

    def next_visible_at(self, offsets: np.ndarray) -> np.ndarray:
        """`next_visible` at some offsets, found without a pass over the text where no run of blanks is long."""
        found, length = offsets.astype(np.int32), len(self.text)
        moving = np.flatnonzero(found < length)
        for _ in range(8 + length // 4096):
            moving = moving[is_blank(self.units[found[moving]])]
            if not len(moving):
                return found
            found[moving] += 1
            moving = moving[found[moving] < length]
        return self.next_visible[offsets]

    @cached_property
    def line_visible_ends(self) -> np.ndarray:
        """(lines,) int32: `visible_end` at the end of each line; above the line's start where something stands on it."""
        return self.visible_ends(np.append(self.line_starts[1:], len(self.text)))

    @cached_property
    def filled(self) -> np.ndarray:
        """(lines,) bool: whether something stands on each line."""
        return self.line_visible_ends > self.line_starts

    @cached_property
    def words(self) -> tuple[np.ndarray, np.ndarray]:
        """(starts, ends) int32 of the maximal runs of non-blank code points, as `str.split` sees them."""
        if not len(self.text):
            return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32)
        edges = (np.flatnonzero(self.blank[1:] != self.blank[:-1]) + 1).astype(np.int32)
        first = np.zeros(0 if self.blank[0] else 1, dtype=np.int32)
        last = np.full(0 if self.blank[-1] else 1, len(self.text), dtype=np.int32)
        edges = np.concatenate((first, edges, last))
        return edges[::2].copy(), edges[1::2].copy()

    @cached_property
    def line_starts(self) -> np.ndarray:
        """Sorted int32 offsets at which a line begins; LF, CRLF and a lone CR each end a line."""
        ends = self.units == 10
        if "\r" in self.text:
            lone = self.units == 13
            lone[:-1] &= ~ends[1:]
            ends |= lone
        return np.concatenate(([0], np.flatnonzero(ends) + 1)).astype(np.int32)

    @cached_property
    def spaced_lines(self) -> tuple[np.ndarray, np.ndarray]:
        """(starts, ends) of the lines with nothing but blanks on them, without the empty ones, in a text with LF only.

        A line ends at its line end; the last line, which has none, is left out.
        """
        ends = np.flatnonzero(self.units == 10)
        blank = is_blank(self.units[ends[ends > 0] - 1])
        at = np.flatnonzero(np.concatenate((np.zeros(len(ends) - len(blank), dtype=bool), blank)))
        starts, ends = np.where(at > 0, ends[at - 1] + 1, 0), ends[at]
        starts, ends = starts[starts < ends], ends[starts < ends]
        lines = zip(starts.tolist(), ends.tolist(), strict=True)
        kept = np.array([self.text[low:high].isspace() for low, high in lines], dtype=bool)
        return starts[kept], ends[kept]

    @cached_property
    def joined(self) -> np.ndarray:
        """Sorted int32 offsets inside a grapheme cluster (or a CRLF), where a cut is never allowed."""
        units = self.units
        pairs = np.zeros(0, dtype=np.int32)
        if "\r\n" in self.text:
            pairs = np.flatnonzero((units[:-1] == 13) & (units[1:] == 10)) + 1
        suspect = may_join(units)
        if not suspect.any():
            return pairs.astype(np.int32)
        import regex

        cluster = regex.compile(r"\X")
        wide = suspect.copy()
        wide[:-1] |= suspect[1:]
        wide[1:] |= suspect[:-1]
        inside: list[int] = []
        for low, high in runs(wide).tolist():
            for match in cluster.finditer(self.text, low, high):
                inside.extend(range(match.start() + 1, match.end()))
        return np.unique(np.concatenate((pairs, np.array(inside, dtype=np.int64)))).astype(np.int32)

    @cached_property
    def has_returns(self) -> bool:
        """Whether there is a carriage return in the text."""
        return "\r" in self.text

    @cached_property
    def never_joins(self) -> bool:
        """Whether a look at the text as a whole shows that no two characters in it form a grapheme cluster."""
        return self.text.isascii() and not self.has_returns

    def joins(self, offsets: np.ndarray) -> np.ndarray:
        """(n,) bool: whether each offset is one of `joined`; where the characters beside them tell, that is not built."""
        if self.never_joins:
            return np.zeros(len(offsets), dtype=bool)
        if "joined" not in vars(self):
            inside = offsets[(offsets > 0) & (offsets < len(self.text))]
            before, after = self.units[inside - 1], self.units[inside]
            if not (may_join(before) | may_join(after) | ((before == 13) & (after == 10))).any():
                return np.zeros(len(offsets), dtype=bool)
        return np.isin(offsets, self.joined) if len(self.joined) else np.zeros(len(offsets), dtype=bool)

    @cached_property
    def _joined_list(self) -> list[int]:
        return self.joined.tolist()

    def snap(self, offset: int) -> int:
        """The nearest allowed cut at or below the offset."""
        joined = self._joined_list
        at = bisect_left(joined, offset)
        while at < len(joined) and at >= 0 and joined[at] == offset:
            offset -= 1
            at -= 1
        return offset

    def snap_up(self, offset: int) -> int:
        """The nearest allowed cut at or above the offset."""
        joined = self._joined_list
        at = bisect_left(joined, offset)
        while at < len(joined) and joined[at] == offset:
            offset += 1
            at += 1
        return offset


def scan(document: Document) -> Scan:
    """The document's scan, kept with the document."""
    return document.fact("scan", lambda: Scan(document.text))


def edges(spans: np.ndarray) -> np.ndarray:
    """Where spans in order begin and end, without the ends that are the beginning of the next."""
    return np.append(spans[:, 0], spans[:, 1][np.append(spans[1:, 0], -1) != spans[:, 1]])
