"""Structure that the strategy did not find or did not use."""

from __future__ import annotations

from chunklab.lint.base import Case, Problem, problem
from chunklab.lint.fixes import changed, resplit
from chunklab.types import PSEUDO

_SAID = ("as recursive does", "falls back", "fell back", "fallback")


def detect(case: Case) -> Problem | None:
    """Lines that look like headings and are read as text; or else a strategy that had to fall back."""
    if getattr(case.recipe.split, "bold_headings", None) is False and len(case.node_spans(PSEUDO)):
        return problem(
            "lost structure",
            "A line that looks like a heading, all bold or all capitals, is read as text.",
            case.node_spans(PSEUDO),
            "Read such lines as headings.",
            changed(case, bold_headings=True),
        )
    said = [each for each in case.chunks.notices if any(words in each for words in _SAID)]
    return problem(
        "lost structure",
        said[0] if said else "",
        [(int(case.first[0]), int(case.last[0]))] * len(said),
        "Use a strategy that takes the text as it is, or mend the place that the notice names.",
        resplit(case, "recursive") if said else None,
    )
