"""The parts of a text that are compared by meaning: its sentences, or small pieces."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from chunklab.boundaries import separator_levels
from chunklab.measure import measure_of
from chunklab.packing import Packer
from chunklab.scan import scan
from chunklab.sentences import sentence_starts
from chunklab.types import Document


@dataclass(frozen=True)
class Parts:
    """The parts of a document that get a vector each: (n,) int32 starts and visible ends, in order.

    They tile the text: each owns the blanks after it. `name` is what one is called, `key` how all were made.
    """

    name: str
    key: Hashable
    starts: np.ndarray
    ends: np.ndarray

    def __len__(self) -> int:
        return len(self.starts)

    def windows(self, sides: int) -> np.ndarray:
        """(n, 2): each part with so many others on either side, fewer at the ends of the document."""
        at = np.arange(len(self))
        last = np.minimum(at + sides, len(self) - 1)
        return np.stack([self.starts[np.maximum(at - sides, 0)], self.ends[last]], axis=1)


def sentences(document: Document) -> Parts:
    """The sentences of a document."""

    def make() -> Parts:
        return _parts(document, "sentence", "sentences", sentence_starts(document))

    return document.fact("sentence parts", make)


def pieces(document: Document, longest: int, tokenizer: str) -> Parts:
    """Pieces of at most `longest` tokens, cut as `recursive` cuts without overlap."""
    key = ("pieces", longest, tokenizer)

    def make() -> Parts:
        levels = separator_levels(document, "plain", "end", False)
        packer = Packer(document, measure_of(document, "tokens", tokenizer), longest, 0, levels)
        packer.pack(0, len(document.text))
        starts = np.array([low for low, _ in packer.spans], dtype=np.int32)
        return _parts(document, "piece", key, starts)

    return document.fact(key, make)


def _parts(document: Document, name: str, key: Hashable, starts: np.ndarray) -> Parts:
    nexts = np.append(starts[1:], len(document.text)).astype(np.int64)
    return Parts(name, key, starts, scan(document).visible_end[nexts] if len(starts) else starts)
