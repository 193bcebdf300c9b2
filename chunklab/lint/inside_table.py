"""Tables cut inside a row, or between rows without their header."""

from __future__ import annotations

import numpy as np

from chunklab.lint.base import Case, Problem, problem
from chunklab.lint.fixes import along_structure


def detect(case: Case) -> Problem | None:
    """Each row that is cut, and each table that a chunk begins inside of without the header as context."""
    rows, tables = case.node_spans("row"), case.node_spans("table")
    bare = case.first[~case.has_context]
    at = np.searchsorted(tables[:, 0], bare) - 1
    within = (at >= 0) & (bare < np.append(tables[:, 1], 0)[at]) if len(tables) else at < -1
    places = np.concatenate((case.cut_through(rows), tables[np.unique(at[within])]))
    measure = case.recipe.split.measure(case.document)
    return problem(
        "cut inside a table",
        "A table is cut inside a row, or its rows stand in a chunk without the header that names them.",
        places[np.lexsort((places[:, 1], places[:, 0]))],
        "Cut along the document's structure: rows stay whole and carry their header as context.",
        along_structure(case, int(measure.lengths(case.cut_through(rows)).max(initial=0)))
        if len(places)
        else None,
    )
