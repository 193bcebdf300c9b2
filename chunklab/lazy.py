"""Recursive runs in characters that look for separators only where a chunk may end.

Line ends are found all at once, which is fast; whatever else a chunk may end at is looked for backwards
from its limit, so that most of a text is never looked at. The cuts are those of `packing.Packer`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

import numpy as np

from chunklab.boundaries import sentence_level, separator_levels
from chunklab.leaps import Joint, Leaps
from chunklab.packing import END
from chunklab.plain import Limits, is_roomy, pack
from chunklab.scan import edges, scan
from chunklab.searches import WORDS, searches_for
from chunklab.sentences import mostly_read
from chunklab.types import Cuts, Document

_SPARSE = ("\f", "\n\n", "\n", "<sentence>")


def cuts_by_search(
    document: Document, size: int, overlap: int, separators: Sequence[str], keep: str
) -> Cuts | None:
    """What `recursive` makes of a text; None where the text has to be scanned for it."""
    text = document.text
    if "\r" in text or not text or text.isspace():
        return None
    hard = separators.index("") if "" in separators else None
    if "<sentence>" in separators and mostly_read(document):
        sentence_level(document)
    found = searches_for(document, separators[:hard] if hard is not None else (*separators, WORDS), keep)
    if found is None:
        return None
    names, searches = found
    known = scan(document)
    limits = Limits(size, overlap, (), is_roomy(known, size, overlap), len(names), len(names) + 1)
    leaps = _leaps(document, size, overlap, separators[:hard], keep, names)
    packed = pack(text, 0, len(text), searches, limits, leaps)
    spans = np.empty((len(packed.ends), 2), dtype=np.int32)
    spans[:, 0], spans[:, 1] = packed.starts, packed.ends
    if known.joins(np.append(edges(spans), np.array(packed.passed, dtype=np.int32))).any():
        return None
    return Cuts(spans, np.frombuffer(packed.codes, dtype=np.uint8), (*names, "character", END))


def _leaps(
    document: Document, size: int, overlap: int, separators: Sequence[str], keep: str, names: list[str]
) -> Leaps | None:
    sparse = [*takewhile(_SPARSE.__contains__, separators)]
    if "<sentence>" in sparse and document.known("sentence level") is None:
        sparse = sparse[: sparse.index("<sentence>")]
    levels = [
        sentence_level(document)
        if each == "<sentence>"
        else separator_levels(document, (each,), keep, False)[0]
        for each in sparse
    ]
    if not any(len(each.cuts) for each in levels):
        return None
    joint = document.fact(("joint", *sparse), lambda: Joint(scan(document), levels))
    return Leaps(joint, [names.index(each.name) for each in levels], size, overlap)
