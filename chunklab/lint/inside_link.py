"""Cuts inside a link or inline code."""

from __future__ import annotations

import numpy as np

from chunklab.lint.base import Case, Problem, problem
from chunklab.lint.fixes import along_structure
from chunklab.outline import inline_spans


def detect(case: Case) -> Problem | None:
    """Each link, image or piece of inline code that is cut."""
    spans = inline_spans(case.document, getattr(case.recipe.split, "reads_as", None))
    cut = case.cut_through(
        np.array([(each.start, each.end) for each in spans], dtype=np.int64).reshape(-1, 2)
    )
    longest = int(case.recipe.split.measure(case.document).lengths(cut).max()) if len(cut) else 0
    return problem(
        "cut inside a link",
        "A link or a piece of inline code is cut in two.",
        cut,
        "Cut along the document's structure: links stay whole where they fit the size.",
        along_structure(case, longest) if len(cut) else None,
    )
