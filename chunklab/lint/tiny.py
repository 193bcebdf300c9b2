"""Chunks too small to say anything."""

from __future__ import annotations

import numpy as np

from chunklab.chunking import size_of
from chunklab.lint.base import Case, Problem, problem
from chunklab.lint.fixes import changed, first_of, resplit, returning

FEWEST, SHARE = 20, 0.05


def detect(case: Case) -> Problem | None:
    """Each chunk returned with fewer than 20 characters or less than 5 % of the size.

    A document that is one chunk is as large as it is; chunks of nothing but headings have a finding of
    their own.
    """
    if len(case.spans) < 2:
        return None
    low, high = case.known.next_visible[case.returned[:, 0]], case.known.visible_end[case.returned[:, 1]]
    least = SHARE * size_of(case.recipe)
    small = high - low < FEWEST
    small |= case.recipe.split.measure(case.document).lengths(np.column_stack((low, high))) < least
    small &= ~case.header_only
    return problem(
        "tiny",
        "A chunk is too small to be understood or to be told from others.",
        np.column_stack((case.first, case.last))[small],
        "Let small pieces join their neighbours, or return the chunks beside them too.",
        _fix(case) if small.any() else None,
    )


def _fix(case: Case) -> str | None:
    split = case.recipe.split
    if getattr(split, "n", 0):
        return changed(case, n=0, repeat=0)
    joining = resplit(case, "recursive", overlap=0) if split.key() == "paragraph" else None
    return first_of(joining, changed(case, mode="subtree"), returning(case, "window", of="chunks"))
