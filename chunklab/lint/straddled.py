"""Evidence that no returned span holds whole."""

from __future__ import annotations

from chunklab.lint.base import Case, Problem, problem
from chunklab.lint.fixes import changed, first_of, returning


def detect(case: Case) -> Problem | None:
    """Each place of evidence, in this document, that is cut by every chunk that touches it."""
    here = case.document.id
    places = sorted(
        {
            (each.span.start, each.span.end)
            for question in case.questions
            for each in question.evidence
            if each.document_id == here
        }
    )
    low, high = case.returned[:, 0], case.returned[:, 1]
    return problem(
        "straddled evidence",
        "The answer to a question is cut: no chunk that is returned holds all of it.",
        [(start, end) for start, end in places if not ((low <= start) & (high >= end)).any()],
        "Return the parent of what is found, or cut along the document's structure; more overlap only helps "
        "for short evidence.",
        _fix(case),
    )


def _fix(case: Case) -> str | None:
    longest = int((case.returned[:, 1] - case.returned[:, 0]).max())
    size = 2000 if 2 * longest <= 2000 else min(-(-2 * longest // 100) * 100, 100_000)
    return first_of(returning(case, "parent", size=size), changed(case, overlap="20%"))
