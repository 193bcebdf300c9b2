"""A document's outline as boundaries: the outermost units first, then what is inside them."""

from __future__ import annotations

from collections import Counter

import numpy as np

from chunklab.boundaries import Level, blank_line_level, level, line_level, sentence_level, word_level
from chunklab.scan import scan
from chunklab.types import Document, Node, Span


def depths(nodes: tuple[Node, ...]) -> list[int]:
    """How many other nodes each node lies in; nodes come in order of their start, outer before inner."""
    ends: list[int] = []
    found = []
    for node in nodes:
        while ends and ends[-1] <= node.span.start:
            ends.pop()
        found.append(len(ends))
        ends.append(node.span.end)
    return found


def node_levels(document: Document, nodes: tuple[Node, ...], deepest: int = 30) -> tuple[Level, ...]:
    """One level for each depth: a chunk may begin where a node begins, outermost nodes strongest.

    A level is named by the most frequent kind of its nodes. Nodes deeper than `deepest` are left out.
    """
    known = scan(document)
    starts: dict[int, list[int]] = {}
    kinds: dict[int, Counter] = {}
    for node, depth in zip(nodes, depths(nodes), strict=True):
        if depth < deepest:
            starts.setdefault(depth, []).append(node.span.start)
            kinds.setdefault(depth, Counter())[node.kind] += 1
    return tuple(
        level(kinds[depth].most_common(1)[0][0], np.array(starts[depth]), known) for depth in sorted(starts)
    )


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
