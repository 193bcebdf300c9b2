"""Two versions of a document: where what stood in one stands in the other."""

from __future__ import annotations

import numpy as np

from chunklab.anchor import find_quote
from chunklab.scan import scan
from chunklab.types import Document, Span


class Edit:
    """What lies before the first change is where it was, and what lies behind the last one moved with the end."""

    def __init__(self, old: Document, new: Document):
        self.old, self.new = old, new
        before, after = scan(old).codes, scan(new).codes
        least = min(len(before), len(after))
        self.shift = len(after) - len(before)
        self.head = _equal(before[:least], after[:least])
        self.tail = len(before) - _equal(before[::-1][:least], after[::-1][:least])

    def places(self, span: Span) -> list[Span]:
        """Where the text of a span of the old version stands in the new one, the nearest to it first.

        One place when it lies outside all that changed; otherwise all that `anchor.find_quote` finds.
        """
        if span.end <= self.head:
            return [span]
        if span.start >= self.tail:
            return [Span(span.start + self.shift, span.end + self.shift)]
        found = find_quote(self.new.text, self.old.text[span.start : span.end])
        return sorted(found, key=lambda each: abs(each.start - span.start))


def _equal(one: np.ndarray, other: np.ndarray) -> int:
    """How many values at the start are equal."""
    differ = np.flatnonzero(one != other)
    return int(differ[0]) if len(differ) else len(one)
