"""Chunks whose heading stands in the chunk before."""

from __future__ import annotations

import numpy as np

from chunklab.lint.base import Case, Problem, problem
from chunklab.lint.fixes import along_structure, changed, embedded, first_of


def detect(case: Case) -> Problem | None:
    """Each heading that is cut off from the text under it, unless the chunk gets it as context."""
    headed = np.isin(case.first, case.headings[:, 0])
    lost = np.flatnonzero(case.after_heading & ~headed & ~case.has_context & ~case.opened_before)
    at = np.searchsorted(case.headings[:, 1], case.known.visible_end[case.first[lost]])
    return problem(
        "lost heading",
        "A heading stands at the end of one chunk and the text under it in the next.",
        case.headings[at],
        "Begin chunks at headings, or embed the headings above a chunk with it.",
        first_of(changed(case, header_only="attach"), along_structure(case), embedded(case, "headings"))
        if len(lost)
        else None,
    )
