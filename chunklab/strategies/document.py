"""The whole document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from chunklab.packing import END
from chunklab.scan import scan
from chunklab.strategies.base import Strategy
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class WholeDocument(Strategy):
    """Each document is one chunk, uncut: the control that any way of cutting has to beat."""

    label = "Whole document, no cuts"
    assumes = "A document is about one thing, and there is room for all of it."
    fails = "One vector averages everything, a model reads the beginning only, and the reader gets it all."
    unit: ClassVar[str] = "chars"
    tokenizer: ClassVar[str] = "cl100k"

    def split(self, document: Document) -> Cuts:
        visible = int(scan(document).visible_before[-1]) > 0
        spans = np.array([[0, len(document.text)]] if visible else [], dtype=np.int32).reshape(-1, 2)
        return Cuts(spans, np.zeros(len(spans), dtype=np.uint8), (END,))
