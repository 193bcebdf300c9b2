"""Chunks that begin in the middle of a sentence."""

from __future__ import annotations

import numpy as np

from chunklab.lint.base import Case, Problem, problem
from chunklab.lint.fixes import resplit


def detect(case: Case) -> Problem | None:
    """Each chunk whose first visible character begins no sentence and no part of the outline.

    Code, tables and data have no sentences.
    """
    nodes = np.array([each.span.start for each in case.nodes], dtype=np.int64)
    begins = np.isin(case.first, case.sentences) | np.isin(case.first, nodes)
    broken = ~begins & case.in_prose
    return problem(
        "mid-sentence start",
        f"A chunk begins in the middle of a sentence; {broken.mean():.0%} of these chunks do.",
        np.column_stack((case.first, case.last))[broken],
        "Cut by whole sentences; an overlap that is too small for one begins inside it.",
        resplit(case, "sentence", overlap=0) if broken.any() else None,
    )
