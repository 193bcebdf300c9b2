"""What is known about a text after one pass over it: blanks, words, and places that must not be cut."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property

import numpy as np
import regex

from chunklab.types import Document

_BLANKS = np.array([c for c in range(0x3001) if chr(c).isspace()], dtype=np.uint32)
_CLUSTER = regex.compile(r"\X")

# Code points that never join a neighbour into a grapheme cluster (Unicode Annex 29), as ranges: with
# these left out, ordinary text in most scripts needs no segmentation at all.
_PLAIN = ((0x0, 0x2FF), (0x370, 0x482), (0x48A, 0x590), (0x2010, 0x2027), (0x2030, 0x203B),
          (0x203D, 0x2048), (0x3001, 0x3029), (0x3031, 0x303C), (0x3041, 0x3098), (0x309B, 0x3296),
          (0x3300, 0xA66E), (0xF900, 0xFB1D), (0xFF00, 0xFF9D), (0x20000, 0x3FFFF))  # fmt: skip


class Scan:
    """Facts about one text, each computed on first use and kept. Offsets are code points."""

    def __init__(self, text: str):
        self.text = text

    @cached_property
    def codes(self) -> np.ndarray:
        """(n,) uint32 code points."""
        return np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), dtype="<u4")

    @cached_property
    def blank(self) -> np.ndarray:
        """(n,) bool, true where `str.isspace` is."""
        small = np.zeros(0x3001, dtype=bool)
        small[_BLANKS] = True
        return small[np.minimum(self.codes, 0x2FFF)] | (self.codes == 0x3000)

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

    @cached_property
    def words(self) -> tuple[np.ndarray, np.ndarray]:
        """(starts, ends) int32 of the maximal runs of non-blank code points, as `str.split` sees them."""
        edges = np.diff(np.concatenate(([False], ~self.blank, [False])).astype(np.int8))
        return (np.flatnonzero(edges == 1).astype(np.int32), np.flatnonzero(edges == -1).astype(np.int32))

    @cached_property
    def line_starts(self) -> np.ndarray:
        """Sorted int32 offsets at which a line begins; LF, CRLF and a lone CR each end a line."""
        feeds = self.codes == 10
        returns = self.codes == 13
        lone = returns.copy()
        lone[:-1] &= ~feeds[1:]
        return np.concatenate(([0], np.flatnonzero(feeds | lone) + 1)).astype(np.int32)

    @cached_property
    def joined(self) -> np.ndarray:
        """Sorted int32 offsets inside a grapheme cluster (or a CRLF), where a cut is never allowed."""
        codes = self.codes
        pairs = np.flatnonzero((codes[:-1] == 13) & (codes[1:] == 10)) + 1 if len(codes) else codes
        suspect = np.ones(len(codes), dtype=bool)
        for low, high in _PLAIN:
            suspect &= (codes < low) | (codes > high)
        if not suspect.any():
            return pairs.astype(np.int32)
        wide = suspect.copy()
        wide[:-1] |= suspect[1:]
        wide[1:] |= suspect[:-1]
        edges = np.diff(np.concatenate(([False], wide, [False])).astype(np.int8))
        inside: list[int] = []
        for low, high in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
            for match in _CLUSTER.finditer(self.text, int(low), int(high)):
                inside.extend(range(match.start() + 1, match.end()))
        return np.unique(np.concatenate((pairs, np.array(inside, dtype=np.int64)))).astype(np.int32)

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
