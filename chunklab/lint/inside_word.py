"""Cuts inside a word or an identifier."""

from __future__ import annotations

import numpy as np

from chunklab.chunking import size_of
from chunklab.lint.base import Case, Problem, problem
from chunklab.lint.fixes import changed, first_of, resized, resplit


def detect(case: Case) -> Problem | None:
    """Each word, or name joined by underscores, that a cut lies inside of.

    In scripts without blanks between words a cut between two characters is none.
    """
    runs = _names(case)
    cut = case.cut_through(runs)
    return problem(
        "cut inside a word",
        "A word or identifier is cut in two, so neither chunk holds it.",
        cut,
        "Cut between words: use a strategy with separators, or a size that is larger than the longest word.",
        _fix(case, int(case.recipe.split.measure(case.document).lengths(cut).max())) if len(cut) else None,
    )


def _fix(case: Case, longest: int) -> str | None:
    room = -(-longest // 100) * 100 if longest > size_of(case.recipe) else 0
    blind = case.recipe.split.key() in ("fixed", "recursive")
    plain = resplit(case, "recursive", room, separators="plain", regex=False) if blind else None
    return first_of(plain, resized(case, max(room, size_of(case.recipe))), changed(case, overlap=0))


def _names(case: Case) -> np.ndarray:
    """(m, 2) maximal runs of words that only underscores join."""
    starts, ends = case.words.run_starts.astype(np.int64), case.words.run_ends.astype(np.int64)
    gap = case.known.codes != ord("_")
    other = np.concatenate(([0], np.cumsum(gap, dtype=np.int32)))
    apart = other[starts[1:]] > other[ends[:-1]]
    apart |= starts[1:] == ends[:-1]
    first = np.concatenate(([True], apart)) if len(starts) else np.zeros(0, dtype=bool)
    return np.column_stack((starts[first], ends[np.roll(first, -1)] if len(starts) else ends))
