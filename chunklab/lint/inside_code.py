"""Cuts inside code that would have fitted, or inside a code block."""

from __future__ import annotations

import numpy as np

from chunklab.chunking import size_of
from chunklab.lint.base import Case, Problem, problem
from chunklab.lint.fixes import along_structure


def detect(case: Case) -> Problem | None:
    """Each code block that is cut, and each definition that is cut though it fits the size."""
    measure = case.recipe.split.measure(case.document)
    definitions = case.node_spans("definition", "member")
    definitions = definitions[measure.lengths(definitions) <= size_of(case.recipe)]
    blocks = np.concatenate((case.node_spans("code"), definitions))
    cut = case.cut_through(blocks[np.lexsort((blocks[:, 1], blocks[:, 0]))])
    return problem(
        "cut inside code",
        "Code is cut in the middle, so no chunk holds all of it.",
        cut,
        "Cut along the document's structure, with a size that the code fits.",
        along_structure(case, int(measure.lengths(cut).max())) if len(cut) else None,
    )
