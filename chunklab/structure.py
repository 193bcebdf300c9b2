"""What any text can be cut at, with the units that should stay whole kept for last."""

from __future__ import annotations

import numpy as np

from chunklab.boundaries import Level, blank_line_level, line_level, sentence_level, word_level
from chunklab.types import Document, Span


def text_levels(document: Document) -> tuple[Level, ...]:
    """Blank lines, lines, sentences, words: what any text can be cut at."""
    return (blank_line_level(document), line_level(document), sentence_level(document), word_level(document))


def outside_first(levels: tuple[Level, ...], atoms: list[Span]) -> tuple[Level, ...]:
    """The levels with their boundaries inside an atom moved behind all boundaries outside.

    An atom is a span that is cut only when it alone is over the size; atoms may be nested, and what is
    inside two of them comes last.
    """
    starts = np.sort(np.array([each.start for each in atoms], dtype=np.int64))
    ends = np.sort(np.array([each.end for each in atoms], dtype=np.int64))
    inside = [
        np.searchsorted(starts, each.cuts) - np.searchsorted(ends, each.cuts, "right") for each in levels
    ]
    deepest = max((int(each.max()) for each in inside if len(each)), default=0)
    return tuple(
        each.only(depth == wanted)
        for wanted in range(deepest + 1)
        for each, depth in zip(levels, inside, strict=True)
        if (depth == wanted).any()
    )
