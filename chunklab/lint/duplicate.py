"""Chunks with the same text as one before."""

from __future__ import annotations

import numpy as np

from chunklab.lint.base import Case, Problem, problem

LEAST = 20
MOST_TEXT = 50_000_000
"""Characters that are compared: with large overlaps the chunks have far more text than the document."""


def first_of_its_text(case: Case) -> np.ndarray:
    """For each chunk the first chunk with its text, blanks aside; itself under 20 characters.

    Chunks after the first 50 million characters of chunk text are not compared.
    """
    found = np.arange(len(case.spans))
    seen: dict[str, int] = {}
    lengths = case.last - case.first
    long = np.flatnonzero((lengths >= LEAST) & (np.cumsum(lengths, dtype=np.int64) <= MOST_TEXT))
    for at, low, high in zip(long.tolist(), case.first[long].tolist(), case.last[long].tolist(), strict=True):
        found[at] = seen.setdefault(" ".join(case.text[low:high].split()), at)
    return found


def detect(case: Case) -> Problem | None:
    """Each chunk, from 20 characters, whose text another chunk before it has too."""
    again = first_of_its_text(case) != np.arange(len(case.spans))
    return problem(
        "duplicate",
        "A chunk repeats the text of one before: both are found, and one of them is a wasted place.",
        np.column_stack((case.first, case.last))[again],
        "Take repeated text, such as page headers and licence notes, out of the document.",
    )
