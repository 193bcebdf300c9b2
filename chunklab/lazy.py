"""Recursive runs in characters that look for separators only where a chunk may end.

Line ends are found all at once, which is fast; whatever else a chunk may end at is looked for backwards
from its limit, so that most of a text is never looked at. The cuts are those of `packing.Packer`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunklab.boundaries import Later, Level, sentence_level, separator_levels, word_level
from chunklab.packing import END
from chunklab.plain import Limits, pack
from chunklab.scan import edges, scan
from chunklab.searches import WORDS, Find, searches_for, sentence_finder
from chunklab.sentences import mostly_read
from chunklab.tables import Tables
from chunklab.types import Cuts, Document


def cuts_by_search(
    document: Document, size: int, overlap: int, separators: Sequence[str], keep: str
) -> Cuts | None:
    """What `recursive` makes of a text; None where the text has to be scanned for it."""
    text = document.text
    if scan(document).has_returns or not text or text.isspace():
        return None
    hard = separators.index("") if "" in separators else None
    listed = tuple(separators[:hard]) if hard is not None else (*separators, WORDS)
    if "<sentence>" in separators and mostly_read(document):
        sentence_level(document)
    key = ("searches", listed, keep, document.known("sentence level") is None)
    found = document.fact(key, lambda: searches_for(document, listed, keep))
    if found is None:
        return None
    names, searches = found
    limits = Limits(size, overlap, (), len(names), len(names) + 1)
    packed = pack(
        text, 0, len(text), searches, limits, _tables(document, size, overlap, separators, keep, names)
    )
    spans = np.empty((len(packed.ends), 2), dtype=np.int32)
    spans[:, 0], spans[:, 1] = packed.starts, packed.ends
    known, passed = scan(document), np.array(packed.passed, dtype=np.int32)
    if not known.never_joins and known.joins(np.append(edges(spans), passed)).any():
        return None
    return Cuts(spans, np.frombuffer(packed.codes, dtype=np.uint8), (*names, "character", END))


def _tables(
    document: Document, size: int, overlap: int, separators: Sequence[str], keep: str, names: list[str]
) -> Tables | None:
    """The boundaries as tables when a text is cut by these separators again, but for sentences not found yet."""
    key = ("searched", *separators, keep)
    if not document.known(key):
        return document.fact(key, lambda: True) and None
    hard = "" in separators
    listed = separators[: separators.index("")] if hard else separators
    levels: list[tuple[Level | Find, int]] = []
    for each in separator_levels(document, listed, keep, False):
        if isinstance(each, Later):
            each = document.known("sentence level") or sentence_finder(document)
            levels.append((each, names.index("sentence")))
        else:
            levels.append((each, names.index(each.name)))
    if not hard:
        levels.append((word_level(document), names.index("word")))
    return Tables(document, size, overlap, levels, len(names))
