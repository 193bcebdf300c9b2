"""What a set of chunks looks like in numbers."""

from __future__ import annotations

import numpy as np

from chunklab.chunking import Chunks, asked_overlap
from chunklab.coverage import duplication, length_summary
from chunklab.scan import scan


def report(chunks: Chunks) -> dict:
    """Count, lengths in the recipe's unit, coverage, duplication and the overlap asked and achieved.

    `coverage` is the share of visible characters that some chunk holds, `duplication` the share of
    characters added by overlap (0 without), `overlap_mean` the mean over all joints in characters and
    `overlap_zero` how many joints have none. Lengths are None where there are no chunks.
    """
    return {
        "count": len(chunks),
        **length_summary(chunks.lengths),
        "unit": chunks.recipe.split.unit,
        "coverage": coverage(chunks),
        "duplication": duplication(chunks.spans),
        "overlap_asked": asked_overlap(chunks.recipe),
        "overlap_mean": float(chunks.overlaps.mean()) if len(chunks) > 1 else 0.0,
        "overlap_zero": int((chunks.overlaps == 0).sum()),
        "notices": [*chunks.document.notices, *chunks.notices],
    }


def coverage(chunks: Chunks) -> float:
    """The share of visible characters that lie in at least one chunk; 1.0 for a blank text."""
    visible = scan(chunks.document).visible_before
    total = int(visible[-1])
    if not total or not len(chunks):
        return 1.0 if not total else 0.0
    starts, ends = visible[chunks.spans[:, 0]], visible[chunks.spans[:, 1]]
    gaps = np.maximum(0, starts[1:] - ends[:-1]).sum() + starts[0] + total - ends[-1]
    return float(1 - gaps / total)
