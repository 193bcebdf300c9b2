"""The chunk that was found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunklab.returns.base import Return
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class Itself(Return):
    """Exactly the span that was embedded."""

    label = "The chunk itself"
    assumes = "The span that was found holds the answer."
    fails = "A small chunk is found well and read badly: what surrounds it is missing."

    def spans(self, document: Document, cuts: Cuts) -> np.ndarray:
        return cuts.spans
