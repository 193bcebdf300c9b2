"""A text as the run of sections that its headings begin."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from chunklab.outline import outline_of
from chunklab.outline.parts import Parts
from chunklab.scan import scan
from chunklab.types import Document, Node

_CLOSING = "".join({chr(each) for each in range(0x3001) if chr(each).isspace()} | set(")]};,"))


@dataclass(frozen=True)
class Sections:
    """The texts from one heading to the next, untrimmed: `starts` and `ends` (n,) tile the document.

    `levels` is 0 for text before the first heading, `bare` says that nothing but the heading is in a section.
    """

    starts: np.ndarray
    ends: np.ndarray
    levels: np.ndarray
    bare: np.ndarray

    @cached_property
    def after_subtree(self) -> list[int]:
        """For each section the index of the first later one that is not below it."""
        levels = self.levels.tolist()
        ends = [len(levels)] * len(levels)
        waiting: list[int] = []
        for at, level in enumerate(levels):
            while waiting and (levels[waiting[-1]] >= level or levels[waiting[-1]] == 0):
                ends[waiting.pop()] = at
            waiting.append(at)
        return ends


def sections(document: Document, parts: Parts, deepest: int = 6, bold: bool = False) -> Sections:
    """The sections begun by headings up to level `deepest`, in order.

    With `bold`, a line that only looks like a heading (all bold, or all capitals) begins a section one level below
    the heading above it.
    """
    heads, levels = parts.headings, parts.levels
    if bold and len(parts.pseudo):
        above = np.searchsorted(heads[:, 0], parts.pseudo[:, 0])
        level = np.append(0, levels)[above]
        found = np.concatenate((heads, parts.pseudo[level < deepest]))
        levels = np.concatenate((levels, level[level < deepest] + 1))
        order = np.argsort(found[:, 0], kind="stable")
        heads, levels = found[order], levels[order]
    heads, levels = heads[levels <= deepest], levels[levels <= deepest]
    if not len(heads) or heads[0, 0] > 0:
        heads, levels = np.concatenate(([[0, 0]], heads)), np.append(0, levels)
    ends = np.append(heads[1:, 0], len(document.text))
    bare = scan(document).visible_ends(ends) <= heads[:, 1]
    return Sections(heads[:, 0], ends, levels, bare)


def headings_above(document: Document, spans: np.ndarray) -> np.ndarray:
    """(n,) int32: for each span the index of the heading above its first line of body text, -1 if none.

    A span that begins with headings stands under the last of them; one that is all headings too. In source
    code it is the innermost definition that holds the span's text, closing brackets at its end left out.
    """
    headings = outline_of(document).headings
    if not headings or not len(spans):
        return np.full(len(spans), -1, dtype=np.int32)
    if headings[0].kind == "definition":
        return _definitions_around(document, headings, spans)
    after = scan(document).next_visible
    starts = np.array([each.span.start for each in headings], dtype=np.int64)
    ends = np.array([each.span.end for each in headings], dtype=np.int64)
    first = after[spans[:, 0]].astype(np.int64)
    above = np.searchsorted(starts, first, "right") - 1
    moving = np.arange(len(spans))
    while len(moving):
        moving = moving[(above[moving] >= 0) & (first[moving] < ends[above[moving]])]
        first[moving] = after[ends[above[moving]]]
        moving = moving[first[moving] < spans[moving, 1]]
        above[moving] = np.searchsorted(starts, first[moving], "right") - 1
    return above.astype(np.int32)


def _definitions_around(document: Document, definitions: tuple[Node, ...], spans: np.ndarray) -> np.ndarray:
    known = scan(document)
    starts = np.array([each.span.start for each in definitions], dtype=np.int64)
    ends = np.array([each.span.end for each in definitions], dtype=np.int64)
    around = np.full(len(definitions) + 1, -1, dtype=np.int64)
    open_: list[int] = []
    for at, each in enumerate(definitions):
        while open_ and definitions[open_[-1]].span.end <= each.span.start:
            open_.pop()
        around[at] = open_[-1] if open_ else -1
        open_.append(at)
    last = np.array([low + len(document.text[low:high].rstrip(_CLOSING)) for low, high in spans.tolist()])
    found = np.searchsorted(starts, known.next_visible[spans[:, 0]], "right") - 1
    while (outside := (found >= 0) & (ends[found] < last)).any():
        found[outside] = around[found[outside]]
    return found.astype(np.int32)
