"""The chunk with what stands before and after it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunklab.params import param
from chunklab.returns.base import Return
from chunklab.scan import scan
from chunklab.sentences import sentence_starts
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class Window(Return):
    """The chunk and `n` sentences, or `n` chunks, either side, clipped to the document.

    What is returned is always one slice of the source. With sentences and n = 0 a chunk that was cut
    inside a sentence is rounded out to whole sentences.
    """

    label = "A window around the chunk"
    assumes = "The sentences next to the one that was found explain it."
    fails = "A window stops after so many sentences, in the middle of a thought or of another topic."

    n: int = param(1, low=0, high=50, step=1, slider=(0, 5), help="How many on either side.")
    of: str = param("sentences", choices=("sentences", "chunks"), help="What n counts.")

    def spans(self, document: Document, cuts: Cuts) -> np.ndarray:
        spans = cuts.spans
        if not len(spans):
            return spans
        if self.of == "chunks":
            at = np.arange(len(spans))
            first, last = np.maximum(at - self.n, 0), np.minimum(at + self.n, len(spans) - 1)
            return np.column_stack((spans[first, 0], spans[last, 1])).astype(np.int32)
        known, starts = scan(document), sentence_starts(document)
        if not len(starts):
            return spans
        ends = np.append(starts[1:], len(document.text))
        first = np.searchsorted(starts, known.next_visible[spans[:, 0]], "right") - 1 - self.n
        last = np.searchsorted(starts, known.visible_end[spans[:, 1]] - 1, "right") - 1 + self.n
        low = np.minimum(spans[:, 0], starts[np.maximum(first, 0)])
        high = np.maximum(spans[:, 1], ends[np.clip(last, 0, len(ends) - 1)])
        return np.column_stack((low, high)).astype(np.int32)
