"""Windows of a fixed size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunklab.measure import Chars
from chunklab.params import check_overlap, overlap_of
from chunklab.scan import Scan, edges, scan
from chunklab.strategies.base import Strategy, overlap_param, size_param, tokenizer_param, unit_param
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class Fixed(Strategy):
    """Windows of `size`, each beginning `size - overlap` after the one before: the control.

    An edge inside a grapheme cluster moves to the cluster's start; a window that would hold only
    blanks is left out; there is no window that lies wholly inside the one before.
    """

    label = "Fixed windows"
    assumes = "Meaning is spread evenly over the text."
    fails = "It cuts through sentences and words: a control to compare with, not a default."

    size: int = size_param(400)
    overlap: int | str = overlap_param()
    unit: str = unit_param()
    tokenizer: str = tokenizer_param()

    def check(self) -> None:
        check_overlap(self)

    def split(self, document: Document) -> Cuts:
        known, measure = scan(document), self.measure(document)
        overlap = overlap_of(self.overlap, self.size)
        spans = _grid(len(document.text), self.size, self.size - overlap)
        simple = self.unit == "chars" and not known.joins(edges(spans)).any()
        if not simple:
            spans = np.array(_windows(known, measure, self.size, overlap), dtype=np.int32).reshape(-1, 2)
        spans = spans[known.visible_ends(spans[:, 1]) > spans[:, 0]]
        done = int(np.searchsorted(spans[:, 1], len(document.text.rstrip())))
        spans = spans[: done + 1]
        over = 0 if simple else int((measure.lengths(spans) > self.size).sum())
        notices = (
            (f"{over} windows hold one character cluster that is longer than the size.",) if over else ()
        )
        reasons = np.zeros(len(spans), dtype=np.uint8)
        reasons[-1:] = 1
        return Cuts(spans, reasons, ("size", "end of document"), (), notices)


def _grid(length: int, size: int, step: int) -> np.ndarray:
    starts = np.arange(0, length, step, dtype=np.int32)
    return np.column_stack((starts, np.minimum(starts + size, length))).astype(np.int32)


def _windows(known: Scan, measure: Chars, size: int, overlap: int) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = ended = 0
    while ended < known.visible_end[-1]:
        end = known.snap(measure.reach(start, size))
        while end > ended and (excess := measure.excess(start, end, size)):
            end = known.snap(min(measure.reach(start, max(1, size - excess)), end - 1))
        if end <= ended and start < ended:
            start = ended
            continue
        if end <= start:
            end = known.snap_up(start + 1)
        spans.append((start, end))
        ended = end
        start = max(_begin(known, measure, end, overlap), known.snap_up(start + 1)) if overlap else end
    return spans


def _begin(known: Scan, measure: Chars, end: int, overlap: int) -> int:
    """Where a window that repeats at most `overlap` before `end` begins."""
    start = known.snap_up(measure.begin(end, overlap))
    while start < end and (excess := measure.excess(start, end, overlap)):
        overlap = max(0, overlap - excess)
        start = known.snap_up(measure.begin(end, overlap)) if overlap else end
    return start
