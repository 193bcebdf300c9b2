"""What goes wrong with chunks: one detector a module, each with `detect(case) -> Problem | None`."""

from __future__ import annotations

from collections.abc import Sequence

from chunklab.chunking import Chunks
from chunklab.embedders.base import Embedder
from chunklab.lint import (
    cjk_stop,
    drift,
    duplicate,
    few_sentences,
    header_only,
    inside_code,
    inside_link,
    inside_table,
    inside_word,
    lost_heading,
    lost_structure,
    mid_sentence,
    much_context,
    near_duplicate,
    orphan,
    over_limit,
    straddled,
    tiny,
)
from chunklab.lint.base import Case, Problem
from chunklab.types import Question

DETECTORS = (
    straddled, over_limit, lost_structure, inside_word, inside_code, inside_table, inside_link, header_only,
    lost_heading, orphan, mid_sentence, cjk_stop, tiny, drift, few_sentences, much_context, duplicate,
    near_duplicate,
)  # fmt: skip
"""In the order in which findings are told: what loses an answer first."""


def lint(
    chunks: Chunks, questions: Sequence[Question] = (), model: str | Embedder | None = None
) -> list[Problem]:
    """What is wrong with the chunks, in the order of DETECTORS; only what was found.

    Evidence is looked for with `questions`, truncation with `model`, an embedder or one of `limits.LIMITS`. The cost
    grows with the text of the chunks, not with their pairs. Raises ParamError for an unknown model.
    """
    case = Case(chunks, questions, over_limit.checked(model))
    if not len(chunks):
        return []
    found = [detector.detect(case) for detector in DETECTORS]
    return [each for each in found if each is not None]


__all__ = ["DETECTORS", "Problem", "lint"]
