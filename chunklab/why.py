"""Why a chunk ends where it does: the rule that cut there, what was stronger but out of reach, what comes next."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from chunklab.boundaries import (
    Later,
    Level,
    blank_line_level,
    heading_level,
    line_level,
    sentence_level,
    word_level,
)
from chunklab.chunking import Chunks, size_of
from chunklab.measure import Chars
from chunklab.types import Document

KINDS: dict[str, Callable[[Document], Level | Later]] = {
    "heading": heading_level,
    "blank line": blank_line_level,
    "line": line_level,
    "sentence": sentence_level,
    "word": word_level,
}
"""The kinds of boundary that any text may have, strongest first; a recipe is told about those it looks for."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """A place where a chunk could end: where the next would begin, of which kind, and the lengths it leaves.

    `left` is the chunk up to it, `right` what would follow up to the next chunk's end, in the recipe's
    unit; `over` is by how much the left one would be over the size, 0 where it fits.
    """

    at: int
    kind: str
    left: int
    right: int
    over: int


@dataclass(frozen=True, slots=True)
class Why:
    """The cut after one chunk.

    `cut` has the rule's name as its kind. `next_best` is the last boundary within reach of the strongest
    kind that has one, this cut left out; `stronger` is the nearest one beyond reach that would have
    been preferred. Either may be None. `sentence` says it all in words.
    """

    cut: Boundary
    next_best: Boundary | None
    stronger: Boundary | None
    unit: str
    sentence: str


def why(chunks: Chunks, index: int) -> Why:
    """Why the chunk at `index` ends there; IndexError when there is no such chunk."""
    here = chunks[index]
    start, end = here.span.start, here.span.end
    document, split = chunks.document, chunks.recipe.split
    measure, size = split.measure(document), size_of(chunks.recipe)
    following = chunks.spans[index + 1].tolist() if index + 1 < len(chunks) else None
    close = following[1] if following else end

    def boundary(at: int, visible: int, kind: str) -> Boundary:
        over = measure.excess(start, visible, size) if size else 0
        return Boundary(at, kind, _length(measure, start, at), _length(measure, at, close), over)

    cut = Boundary(end, here.cut, _length(measure, start, end), _length(measure, end, close), 0)
    if following is None:
        return Why(cut, None, None, split.unit, "The document ends here.")
    before = int(chunks.spans[index - 1, 1]) if index else start
    reach = measure.reach(start, size) if size else end
    near: list[Boundary] = []
    stronger = None
    known = [kind for kind in KINDS if kind in chunks.reason_names] or list(KINDS)
    for kind in known:
        found = KINDS[kind](document)
        cuts, visible = found.cut_list, found.visible_list
        last = bisect_right(visible, reach)
        while last and visible[last - 1] > before and _same(cuts[last - 1], visible[last - 1], end):
            last -= 1
        if last and visible[last - 1] > before:
            near.append(boundary(cuts[last - 1], visible[last - 1], kind))
        beyond = bisect_left(visible, max(reach + 1, end + 1))
        if stronger is None and size and beyond < len(cuts) and _rank(kind) < _rank(here.cut):
            stronger = boundary(cuts[beyond], visible[beyond], kind)
    best = near[0] if near else None
    return Why(cut, best, stronger, split.unit, _said(cut, best, stronger, split.unit, size))


def _same(at: int, visible: int, end: int) -> bool:
    return visible <= end <= at


def _rank(kind: str) -> int:
    """How strong a kind is, 0 the strongest; what only some strategies know counts as strongest of all."""
    names = [*KINDS, "blank", "character"]
    return names.index(kind) if kind in names else -1


def _length(measure: Chars, start: int, end: int) -> int:
    return int(measure.lengths(np.array([[start, end]], dtype=np.int32))[0]) if start < end else 0


def _said(cut: Boundary, best: Boundary | None, stronger: Boundary | None, unit: str, size: int) -> str:
    parts = [
        f"Cut at {cut.at:,} by the rule {cut.kind}: {cut.left:,} {unit} before it, {cut.right:,} after it."
    ]
    if stronger:
        parts.append(
            f"The next {stronger.kind}, at {stronger.at:,}, would have been stronger, but is {stronger.over:,} {unit} "
            f"beyond the size of {size:,}."
        )
    if best:
        parts.append(
            f"Next best within reach: the {best.kind} at {best.at:,}, leaving {best.left:,} {unit} before it."
        )
    return " ".join(parts)
