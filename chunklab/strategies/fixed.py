"""Windows of a fixed size."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from chunklab.measure import Chars, Tokens
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
            windows = _Windows(known, measure, self.size, overlap)
            spans = windows.spans()
            if known.joins(edges(spans)).any():
                windows.mind_clusters()
                spans = windows.spans()
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


class _Windows:
    """Windows in any measure: by arithmetic where tokens are whole at both ends, else measured one by one."""

    def __init__(self, known: Scan, measure: Chars, size: int, overlap: int):
        self.known, self.measure, self.size, self.overlap = known, measure, size, overlap
        self.starts, self.firm = measure.layout.lists if isinstance(measure, Tokens) else ((), b"")

    def mind_clusters(self) -> None:
        """Measures where a token begins inside a grapheme cluster, which is looked for otherwise only there."""
        if isinstance(self.measure, Tokens):
            layout = self.measure.layout
            self.firm = (layout.firm & ~self.known.joins(layout.starts)).tobytes()

    def spans(self) -> np.ndarray:
        """The windows in order, the last one at the end of the visible text."""
        starts, firm, size, overlap = self.starts, self.firm, self.size, self.overlap
        spans: list[tuple[int, int]] = []
        start = ended = 0
        at, last, visible = self._token(0), len(starts) - 1, len(self.known.text.rstrip())
        while ended < visible:
            after = min(at + size, last)
            if at < 0 or not firm[after]:
                end = self._end(start, ended)
                if end <= ended and start < ended:
                    start, at = ended, self._token(ended)
                    continue
                after = self._token(end)
            else:
                end = starts[after]
            spans.append((start, end))
            ended, before = end, after - overlap
            if not overlap:
                start, at = end, after
            elif after >= 0 and before > 0 and firm[before] and starts[before] > start:
                start, at = starts[before], before
            else:
                start = max(self._begin(end), self.known.snap_up(start + 1))
                at = self._token(start)
        return np.array(spans, dtype=np.int32).reshape(-1, 2)

    def _token(self, offset: int) -> int:
        """The number of the firm token that begins there, the number of all at the text's end, -1 if none does."""
        at = bisect_left(self.starts, offset)
        return at if at < len(self.starts) and self.starts[at] == offset and self.firm[at] else -1

    def _end(self, start: int, ended: int) -> int:
        known, measure, size = self.known, self.measure, self.size
        end = known.snap(measure.reach(start, size))
        while end > ended and (excess := measure.excess(start, end, size)):
            end = known.snap(min(measure.reach(start, max(1, size - excess)), end - 1))
        return known.snap_up(start + 1) if end <= start == ended else end

    def _begin(self, end: int) -> int:
        """Where a window that repeats at most `overlap` before `end` begins."""
        known, measure, overlap = self.known, self.measure, self.overlap
        start = known.snap_up(measure.begin(end, overlap))
        while start < end and (excess := measure.excess(start, end, overlap)):
            overlap = max(0, overlap - excess)
            start = known.snap_up(measure.begin(end, overlap)) if overlap else end
        return start
