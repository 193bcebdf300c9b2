"""What any text can be cut at, with the units that should stay whole kept for last."""

from __future__ import annotations

import numpy as np

from chunklab.boundaries import Level, blank_line_level, line_level, sentence_level, word_level
from chunklab.types import Document


def text_levels(document: Document) -> tuple[Level, ...]:
    """Blank lines, lines, sentences, words: what any text can be cut at."""
    return (blank_line_level(document), line_level(document), sentence_level(document), word_level(document))


def outside_first(levels: tuple[Level, ...], atoms: np.ndarray) -> tuple[Level, ...]:
    """The levels with their boundaries inside an atom moved behind all boundaries outside.

    An atom, (n, 2), is a span that is cut only when it alone is over the size; atoms may be nested, and what is
    inside two of them comes last.
    """
    return tuple(each for row in by_depth(levels, atoms) for each in row if len(each.cuts))


def by_depth(levels: tuple[Level, ...], atoms: np.ndarray) -> list[tuple[Level, ...]]:
    """For each depth from 0 on the levels with those of their boundaries that so many of the atoms, (n, 2), are around."""
    starts, ends = np.sort(atoms[:, 0]), np.sort(atoms[:, 1])
    inside = [
        np.searchsorted(starts, each.cuts) - np.searchsorted(ends, each.cuts, "right") for each in levels
    ]
    deepest = max((int(each.max()) for each in inside if len(each)), default=0)
    return [
        tuple(each.only(depth == wanted) for each, depth in zip(levels, inside, strict=True))
        for wanted in range(deepest + 1)
    ]
