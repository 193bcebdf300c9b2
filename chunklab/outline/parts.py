"""What cutting at headings asks of a document, as arrays: its headings, and what should stay whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from chunklab.scan import scan
from chunklab.types import PSEUDO, Document, Node, Outline, Span

MEDIA_TYPES = ()
ATOMS = ("row", "item", "code", "html", "definition", "directive")
Around = Callable[[int], tuple[int, int] | None]


@dataclass(frozen=True)
class Parts:
    """Half-open offsets (n, 2), in order of their starts where nothing else is said.

    `headings` have `levels` (n,), 1 to 6; `pseudo` are lines that look like headings and are none. `atoms`, in
    any order, are rows, items, code and the like. `tables` (n, 3) are where a table that is more than a header
    begins, where its second row does, and where it ends. `links` are spans inside lines; where they were not
    all looked for, `around` gives the one that an offset lies in the middle of, and all the others are in `near`.
    """

    headings: np.ndarray
    levels: np.ndarray
    pseudo: np.ndarray
    atoms: np.ndarray
    tables: np.ndarray
    links: np.ndarray
    notices: tuple[str, ...] = ()
    around: Around | None = None
    near: np.ndarray | None = None


def pairs(spans: Iterable[tuple[int, int]] | Sequence[Sequence[int]], width: int = 2) -> np.ndarray:
    """(n, width) int64, for none too."""
    return np.array([*spans], dtype=np.int64).reshape(-1, width)


def parts_in(document: Document, outline: Outline, links: Sequence[Span]) -> Parts:
    """The same from an outline's nodes."""
    headings = [node for node in outline.nodes if node.kind == "heading"]
    return Parts(
        pairs((each.span.start, each.span.end) for each in headings),
        np.array([each.level for each in headings], dtype=np.int64),
        pairs((each.span.start, each.span.end) for each in outline.nodes if each.kind == PSEUDO),
        pairs((each.span.start, each.span.end) for each in outline.nodes if each.kind in ATOMS),
        tables_in(document, outline.nodes),
        pairs((each.start, each.end) for each in links),
        outline.notices,
    )


def tables_in(document: Document, nodes: Sequence[Node]) -> np.ndarray:
    """`Parts.tables` of some nodes: each table that begins with a row, the header, and has another."""
    lines = scan(document).line_starts
    found: list[tuple[int, int, int]] = []
    table, header = None, None
    for node, after in pairwise((*nodes, None)):
        if node.kind == "table" and after is not None and after.kind == "row":
            table, header = node.span, after
        elif node.kind == "row" and table is not None and node is not header:
            if header.span.end <= node.span.start < table.end:
                at = int(np.searchsorted(lines, node.span.start, "right")) - 1
                found.append((table.start, max(int(lines[at]), header.span.end), table.end))
            table = None
    return pairs(found, 3)
