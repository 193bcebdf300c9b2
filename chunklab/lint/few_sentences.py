"""Cutting by meaning where there are too few sentences to compare."""

from __future__ import annotations

from chunklab.advise import FEW_SENTENCES
from chunklab.lint.base import Case, Problem, problem
from chunklab.lint.fixes import resplit


def detect(case: Case) -> Problem | None:
    """The document, when its sentences are embedded to cut it and there are fewer than eight."""
    if "embedder" not in case.recipe.split.params() or len(case.sentences) >= FEW_SENTENCES:
        return None
    return problem(
        "few sentences",
        f"The document has only {len(case.sentences)} sentences: similarities between so few are chance, and "
        "a percentile always finds a cut.",
        [(int(case.first[0]), int(case.last[-1]))],
        "Use a strategy that does not compare sentences.",
        resplit(case, "recursive"),
    )
