"""What readers share: places in words, and nested parts as arrays where nodes would be too many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunklab.scan import scan
from chunklab.types import PSEUDO, Document, Node

MEDIA_TYPES: tuple[str, ...] = ()
MAX_NODES = 200_000
"""So many nodes an outline holds at most: a node takes some 250 bytes, ten times its text."""
MAX_TITLE = 200


@dataclass(frozen=True)
class Nested:
    """A document as nested parts, in order of start, outer before inner; half-open code points.

    `starts`, `ends`, `depths` are (n,) int32, depth 0 outermost. `atoms` (k, 2) are further spans that are
    kept whole where they fit and beside which a cut is welcome; `whole` (m, 2) are spans that are only kept
    whole. `prose` (p, 2) are the spans that hold text for people: where all of them fit, sentences need not
    be looked for. `problem` says what kept the text from being read, with the place; "" when nothing did.
    """

    starts: np.ndarray
    ends: np.ndarray
    depths: np.ndarray
    atoms: np.ndarray
    whole: np.ndarray
    prose: np.ndarray
    problem: str = ""


def place(document: Document, offset: int) -> str:
    """ "line 3, column 7", both counted from 1, columns in code points."""
    lines = scan(document).line_starts
    line = int(np.searchsorted(lines, offset, "right"))
    return f"line {line}, column {offset - int(lines[line - 1]) + 1}"


def left_out(count: int, what: str) -> tuple[str, ...]:
    """A notice when more than `MAX_NODES` parts were found."""
    if count <= MAX_NODES:
        return ()
    return (f"{count:,} {what} were found; the outline holds the first {MAX_NODES:,}.",)


def pseudo_notice(nodes: list[Node] | tuple[Node, ...], format: str) -> tuple[str, ...]:
    """A notice that counts the pseudo-headings and says how to read them as headings."""
    found = [node for node in nodes if node.kind == PSEUDO]
    if not found:
        return ()
    one = len(found) == 1
    many = "1 line looks like a heading but is" if one else f"{len(found)} lines look like headings but are"
    return (
        f"{many} none in {format}; the first is {found[0].title[:60]!r}. bold_headings=true reads them so.",
    )


def joined_path(above: str, step: str) -> str:
    """The path one step down, shortened in the middle: titles stay short however deep the nesting."""
    step = step if len(step) <= MAX_TITLE // 2 else step[: MAX_TITLE // 2] + "…"
    path = f"{above}/{step}"
    return path if len(path) <= MAX_TITLE else f"…/{step}"
