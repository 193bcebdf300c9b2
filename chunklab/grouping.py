"""Groups of sentences as chunks: none over the size, and none under the minimum where words allow."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from chunklab.boundaries import Level, level, word_level
from chunklab.measure import Chars
from chunklab.packing import END, Packer
from chunklab.scan import scan
from chunklab.types import Cuts, Document

MEANING, SIZE = "meaning", "size"


class Grouping:
    """Holds groups of sentences or pieces to `size` and `min_size`, both in the measure's unit.

    `starts` are where the sentences or pieces begin. A group under `min_size` joins the neighbour with the
    smaller gap, the one before where both are equal; where that is over the size, the other one; where
    both are, it joins all the same and the two are cut anew. A group over the size is cut before the last
    sentence, or else the last word, that leaves nothing under `min_size`. A chunk ended by the size alone
    has the reason "size", or "character" inside a word.
    """

    def __init__(self, document: Document, measure: Chars, size: int, min_size: int, starts: np.ndarray):
        self.document, self.known = document, scan(document)
        self.measure, self.size, self.min_size = measure, size, min_size
        words = word_level(document)
        self.levels = (level(SIZE, starts, self.known), Level(SIZE, words.cuts, words.visible))

    def cuts(self, gaps: Mapping[int, float], notices: tuple[str, ...] = ()) -> Cuts:
        """The chunks of groups that begin at the keys of `gaps`, offset -> distance to what is before."""
        edges = [0, *gaps, len(self.document.text)]
        if self.min_size:
            edges = self._joined(edges, gaps)
        packer = Packer(self.document, self.measure, self.size, 0, self.levels, hard=True)
        for low, high in pairwise(edges):
            for edge in self._inner(low, high):
                packer.pack(low, edge, SIZE)
                low = edge
            packer.pack(low, high, MEANING if high < len(self.document.text) else END)
        return packer.cuts(notices=notices)

    def _joined(self, edges: Sequence[int], gaps: Mapping[int, float]) -> list[int]:
        kept, at, last = [edges[0]], 1, len(edges) - 1
        while at <= last:
            low, high = kept[-1], edges[at]
            unions = []
            if self._short(low, high):
                unions += [(gaps[low], 0, kept[-2], high)] if len(kept) > 1 else []
                unions += [(gaps[high], 1, low, edges[at + 1])] if at < last else []
            if not unions:
                kept.append(high)
                at += 1
                continue
            unions.sort()
            _, onward, _, _ = next((each for each in unions if self._fits(*each[2:])), unions[0])
            if onward:
                at += 1
            else:
                kept.pop()
        return kept

    def _inner(self, low: int, high: int) -> list[int]:
        """Where a group over the size is cut so that nothing is too short; the rest is left to the packer."""
        found: list[int] = []
        while self.min_size and not self._fits(low, high):
            edge = self._edge(low, high)
            if edge is None:
                break
            found.append(edge)
            low = edge
        return found

    def _edge(self, low: int, high: int) -> int | None:
        reach = self.measure.reach(low, self.size)
        for each in self.levels:
            at = bisect_right(each.visible_list, reach) - 1
            while at >= 0 and each.cut_list[at] > low:
                edge = each.cut_list[at]
                if self._short(low, edge):
                    break
                if edge < high and self._fits(low, edge) and not self._short(edge, high):
                    return edge
                at -= 1
        return None

    def _fits(self, low: int, high: int) -> bool:
        return not self.measure.excess(low, int(self.known.visible_end[high]), self.size)

    def _short(self, low: int, high: int) -> bool:
        return not self.measure.excess(low, int(self.known.visible_end[high]), self.min_size - 1)
