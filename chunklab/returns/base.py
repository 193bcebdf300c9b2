"""What the reader gets for a chunk that was found."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from chunklab.params import Component
from chunklab.types import Cuts, Document


class Return(Component):
    """Return as. `spans` gives, for each chunk, the span that is handed to the reader."""

    family: ClassVar[str] = "returns"

    def spans(self, document: Document, cuts: Cuts) -> np.ndarray:
        """(n, 2) int32 half-open spans, each holding its chunk's span."""
        raise NotImplementedError
