"""Chunks that are nothing but headings."""

from __future__ import annotations

from chunklab.lint.base import Case, Problem, problem
from chunklab.lint.fixes import along_structure, changed, first_of, resplit


def detect(case: Case) -> Problem | None:
    """Each chunk without any text under its headings."""
    return problem(
        "header only",
        "A chunk holds a heading and nothing else: it is found for the heading's words and answers nothing.",
        case.spans[case.header_only],
        "Put a heading with the text that follows it.",
        first_of(changed(case, header_only="attach"), along_structure(case), resplit(case, "headings"))
        if case.header_only.any()
        else None,
    )
