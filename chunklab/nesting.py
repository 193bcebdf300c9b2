"""Nested parts as boundaries: what fits the size stays whole, what does not is cut between its parts."""

from __future__ import annotations

import numpy as np

from chunklab.boundaries import Level, separator_levels
from chunklab.measure import Chars, Words
from chunklab.outline.base import Nested
from chunklab.packing import Packer
from chunklab.scan import Scan, scan
from chunklab.structure import text_levels
from chunklab.types import Cuts, Document

DEEPEST = 30


def nested_cuts(document: Document, found: Nested, measure: Chars, size: int, name: str, edge: str) -> Cuts:
    """The document packed along its nested parts; as `recursive` does it, with a notice, where they are broken."""
    if found.problem:
        levels = separator_levels(document, "plain", "end", False)
    else:
        levels = nested_levels(document, found, measure, size, name, edge)
    packer = Packer(document, measure, size, 0, levels)
    packer.pack(0, len(document.text))
    return packer.cuts(notices=(f"{found.problem} It is cut as recursive does.",) if found.problem else ())


def nested_levels(
    document: Document, parts: Nested, measure: Chars, size: int, name: str, edge: str
) -> tuple[Level, ...]:
    """Levels for packing: between siblings, outermost first; beside a part that fits; then as plain text.

    A part that fits the size is cut only where nothing else is in reach. No cut falls before a part's first
    child, for what stands before it is a bracket or a tag, unless nothing else is in reach and the child
    fits. `name` is the reason given for a cut between siblings, `edge` for one beside a part. In tokens a part fits by the count of
    the whole document's tokens in it, which a token at its edge can make one off.
    """
    known = scan(document)
    spans = np.stack([parts.starts, parts.ends], axis=1)
    atoms = np.concatenate([spans, parts.atoms])
    fits = _lengths(measure, atoms) <= size
    whole = parts.whole[_lengths(measure, parts.whole) <= size]
    fitting = _outermost(atoms[fits])
    kept = _outermost(np.concatenate([fitting, whole]))

    def outside(offsets: np.ndarray) -> np.ndarray:
        return np.searchsorted(kept[:, 0], offsets) <= np.searchsorted(kept[:, 1], offsets, "right")

    sibling = np.zeros(len(parts.starts), dtype=bool)
    sibling[1:] = parts.depths[1:] <= parts.depths[:-1]
    sibling &= outside(parts.starts)
    deepest = min(DEEPEST, int(parts.depths[sibling].max(initial=-1)) + 1)
    levels = [
        _level(name, parts.starts[sibling & (parts.depths == depth)], known) for depth in range(deepest)
    ]
    deep = parts.starts[sibling & (parts.depths >= DEEPEST)]
    beside = fitting.ravel()
    beside = np.sort(np.concatenate([deep, beside[outside(beside)]]))
    levels.append(_level(edge, beside, known))
    if (_lengths(measure, parts.prose) > size).any():
        text = text_levels(document)
        clear = [outside(each.cuts) for each in text]
        levels += [each.only(mask) for each, mask in zip(text, clear, strict=True)]
        levels += [each.only(~mask) for each, mask in zip(text, clear, strict=True)]
    return tuple(each for each in levels if len(each.cuts))


def _level(name: str, offsets: np.ndarray, known: Scan) -> Level:
    """A level from sorted offsets: `boundaries.level` sorts and hashes, too costly for millions of parts."""
    kept = (offsets > 0) & (offsets < len(known.text))
    kept[1:] &= offsets[1:] > offsets[:-1]
    cuts = offsets[kept]
    cuts = cuts[~np.isin(cuts, known.joined)] if len(known.joined) else cuts
    return Level(name, cuts.astype(np.int32), known.visible_end[cuts])


def _outermost(spans: np.ndarray) -> np.ndarray:
    """The spans that lie in no other, in order; the spans are nested or disjoint."""
    ordered = spans[np.lexsort((-spans[:, 1], spans[:, 0]))]
    reached = np.maximum.accumulate(ordered[:, 1]) if len(ordered) else ordered[:, 1]
    outermost = np.ones(len(ordered), dtype=bool)
    outermost[1:] = ordered[1:, 1] > reached[:-1]
    return ordered[outermost]


def _lengths(measure: Chars, spans: np.ndarray) -> np.ndarray:
    if isinstance(measure, Words):
        return Words.lengths(measure, spans)
    return measure.lengths(spans)
