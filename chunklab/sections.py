"""A text as the run of sections that its headings begin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunklab.outline import outline_of
from chunklab.scan import scan
from chunklab.types import PSEUDO, Document, Node, Outline

_CLOSING = "".join({chr(each) for each in range(0x3001) if chr(each).isspace()} | set(")]};,"))


@dataclass(frozen=True, slots=True)
class Section:
    """The text from one heading to the next: [start, end), untrimmed.

    `level` is 0 for text before the first heading, `bare` says that nothing but the heading is in it,
    and `subtree_end` is the index of the first later section that is not below this one.
    """

    start: int
    end: int
    level: int
    bare: bool
    subtree_end: int


def sections(document: Document, outline: Outline, deepest: int = 6, bold: bool = False) -> list[Section]:
    """The sections begun by headings up to level `deepest`, in order; they tile the text.

    With `bold`, a line that only looks like a heading (all bold, or all capitals) begins a section one level below the heading above it.
    """
    heads: list[tuple[int, int, int]] = []
    above = 0
    for node in outline.nodes:
        if node.kind == "heading":
            above = node.level
            if node.level <= deepest:
                heads.append((node.span.start, node.span.end, node.level))
        elif node.kind == PSEUDO and bold and above < deepest:
            heads.append((node.span.start, node.span.end, above + 1))
    if not heads or heads[0][0] > 0:
        heads.insert(0, (0, 0, 0))
    ends = [start for start, _, _ in heads[1:]] + [len(document.text)]
    after = _subtree_ends([level for _, _, level in heads])
    before = scan(document).visible_before
    return [
        Section(start, end, level, bool(before[end] == before[head_end]), below)
        for (start, head_end, level), end, below in zip(heads, ends, after, strict=True)
    ]


def _subtree_ends(levels: list[int]) -> list[int]:
    ends = [len(levels)] * len(levels)
    waiting: list[int] = []
    for at, level in enumerate(levels):
        while waiting and (levels[waiting[-1]] >= level or levels[waiting[-1]] == 0):
            ends[waiting.pop()] = at
        waiting.append(at)
    return ends


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
