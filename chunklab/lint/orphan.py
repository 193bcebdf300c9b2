"""Chunks that begin by pointing to a sentence they do not hold."""

from __future__ import annotations

import numpy as np

from chunklab.boundaries import blank_line_level
from chunklab.lint.base import Case, Problem, problem
from chunklab.lint.fixes import embedded, first_of, returning

POINTING = frozenset(
    {"it", "its", "this", "that", "these", "those", "they", "their", "them", "he", "him", "his", "she", "her",
     "such", "which", "who", "whose", "however", "therefore", "thus", "hence", "moreover", "furthermore",
     "additionally", "consequently", "accordingly", "instead", "otherwise", "meanwhile", "nevertheless",
     "nonetheless", "likewise", "similarly", "conversely", "afterwards", "and", "but", "or", "so", "yet", "also",
     "then", "because", "both", "neither", "either", "another"}
)  # fmt: skip
"""English pronouns and connectives that lean on what was said before."""


def detect(case: Case) -> Problem | None:
    """Each chunk that begins a sentence with a pronoun or connective, or is only a paragraph's last sentence.

    What follows a heading or begins the document points nowhere, and a chunk that gets context, or is
    returned with what stands before it, has what it needs. English only.
    """
    leaning = _begins_pointing(case) | _only_last_sentence(case)
    leaning &= case.in_prose & ~case.has_context & ~case.opened_before
    leaning &= ~case.after_heading & (case.known.visible_before[case.first] > 0)
    return problem(
        "orphan sentence",
        "A chunk begins with a word that points to a sentence before it, or is only a paragraph's last one.",
        np.column_stack((case.first, case.last))[leaning],
        "Embed the neighbouring sentences with it, return a window or the parent, or make chunks larger.",
        first_of(embedded(case, "neighbours"), returning(case, "window")) if leaning.any() else None,
    )


def _begins_pointing(case: Case) -> np.ndarray:
    begins = np.isin(case.first, case.sentences)
    if not len(case.words.starts):
        return begins & False
    at = np.minimum(np.searchsorted(case.words.starts, case.first), len(case.words.starts) - 1)
    strings = case.words.strings
    points = np.array([strings[each] in POINTING for each in at.tolist()], dtype=bool)
    return begins & points & (case.words.starts[at] < case.last)


def _only_last_sentence(case: Case) -> np.ndarray:
    starts = case.sentences
    if len(starts) < 2:
        return np.zeros(len(case.first), dtype=bool)
    paragraph = np.searchsorted(blank_line_level(case.document).cuts, starts, "right")
    last_of = np.append(paragraph[1:] != paragraph[:-1], True)
    last_of[1:] &= paragraph[1:] == paragraph[:-1]
    last_of[0] = False
    sentence = np.searchsorted(starts, case.first, "right") - 1
    ends = np.append(starts[1:], len(case.text))
    return (starts[sentence] == case.first) & last_of[sentence] & (case.last <= ends[sentence])
