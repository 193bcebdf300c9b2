"""Lengths in characters, words or tokens, as questions about offsets."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import numpy as np

from chunklab.offsets import for_bisection
from chunklab.scan import scan
from chunklab.tokens import tokenizer
from chunklab.tokens.counting import layout
from chunklab.types import Document


class Chars:
    """Length in code points."""

    unit = "chars"

    def __init__(self, document: Document):
        self.end = len(document.text)

    def reach(self, start: int, size: int) -> int:
        """The farthest end of a span from `start` that is not longer than `size`."""
        return min(self.end, start + size)

    def reaches(self, starts: np.ndarray, size: int) -> np.ndarray:
        """(n,) `reach` of many starts."""
        return np.minimum(self.end, starts + size)

    def back(self, end: int, size: int) -> int:
        """The nearest start of a span up to `end` that is not longer than `size`."""
        return max(0, end - size)

    def begin(self, end: int, size: int) -> int:
        """Where the last `size` units before `end` begin."""
        return max(0, end - size)

    def excess(self, start: int, end: int, size: int) -> int:
        """By how much the span's own text is over the size, 0 when it fits."""
        return max(0, end - start - size)

    def lengths(self, spans: np.ndarray) -> np.ndarray:
        """(n,) exact lengths of the spans' own texts."""
        return spans[:, 1] - spans[:, 0]


class Words(Chars):
    """Length in maximal runs of non-blank code points; a word cut in two counts in both parts."""

    unit = "words"

    def __init__(self, document: Document):
        super().__init__(document)
        self._set(*scan(document).words)

    def _set(self, starts: np.ndarray, ends: np.ndarray) -> None:
        self.starts, self.ends = starts, ends
        self._starts, self._ends = for_bisection(starts), for_bisection(ends)

    def reach(self, start: int, size: int) -> int:
        first = bisect_right(self._ends, start)
        return self._starts[first + size] if first + size < len(self._starts) else self.end

    def reaches(self, starts: np.ndarray, size: int) -> np.ndarray:
        first = np.searchsorted(self.ends, starts, "right") + size
        return np.append(self.starts, self.end)[np.minimum(first, len(self.starts))]

    def back(self, end: int, size: int) -> int:
        first = bisect_left(self._starts, end) - size
        return self._ends[first - 1] if first > 0 else 0

    def begin(self, end: int, size: int) -> int:
        first = bisect_left(self._starts, end) - size
        return self._starts[first] if first > 0 else 0

    def excess(self, start: int, end: int, size: int) -> int:
        return max(0, bisect_left(self._starts, end) - bisect_right(self._ends, start) - size)

    def lengths(self, spans: np.ndarray) -> np.ndarray:
        return np.searchsorted(self.starts, spans[:, 1]) - np.searchsorted(self.ends, spans[:, 0], "right")


class Tokens(Words):
    """Length in a model's tokens, counted on the span's own text.

    The document is encoded once. A cut can make the model split its neighbourhood in another way, so
    `excess` encodes the span anew where its edges do not rule that out.
    """

    unit = "tokens"

    def __init__(self, document: Document, name: str):
        Chars.__init__(self, document)
        self._set(*document.fact(("tokens", name), lambda: tokenizer(name).offsets(document.text)))
        self.layout = layout(document.text, name)

    def excess(self, start: int, end: int, size: int) -> int:
        return max(0, self.layout.count(start, end) - size)

    def lengths(self, spans: np.ndarray) -> np.ndarray:
        return self.layout.counts(spans)


def measure_of(document: Document, unit: str, tokenizer_name: str) -> Chars:
    """The measure for a unit (chars, words or tokens), kept with the document."""
    if unit == "chars":
        return Chars(document)
    if unit == "words":
        return document.fact("word measure", lambda: Words(document))
    return document.fact(("token measure", tokenizer_name), lambda: Tokens(document, tokenizer_name))
