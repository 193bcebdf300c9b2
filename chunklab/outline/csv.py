"""The rows of comma- or tab-separated text (RFC 4180, and what is usual beside it)."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from chunklab.outline.base import MAX_NODES, left_out, place
from chunklab.scan import scan
from chunklab.types import Document, Node, Outline, Span

MEDIA_TYPES = ("text/csv", "text/tab-separated-values")
DELIMITERS = ",;\t|"
_SAMPLE = 50
_QUOTED = re.compile(r'"(?:[^"]|"")*+"')


@dataclass(frozen=True)
class Rows:
    """(n, 2) int32 spans of the rows without their line ends, the delimiter, and what is wrong ("" if nothing).

    The delimiter is "" where no column was found.
    """

    spans: np.ndarray
    delimiter: str
    problem: str = ""


def read(document: Document) -> Outline:
    """One table and its rows, the header being the first; a line end inside quotes does not end a row.

    A quote counts at the beginning of a field only. One that is never closed is read as text, and so are
    all quotes after it, with a notice of the place.
    """
    found = rows(document)
    if not len(found.spans):
        return Outline()
    table = Node(Span(int(found.spans[0, 0]), int(found.spans[-1, 1])), "table")
    each = [Node(Span(*span), "row") for span in found.spans[: MAX_NODES - 1].tolist()]
    problem = (found.problem,) if found.problem else ()
    return Outline((table, *each), (*problem, *left_out(len(found.spans), "rows")))


def rows(document: Document) -> Rows:
    """The document's rows as an array, in order; blank lines are none."""
    tabs = document.media_type == "text/tab-separated-values"
    return document.fact(("csv rows", tabs), lambda: _rows(document, tabs))


def _rows(document: Document, tabs: bool) -> Rows:
    text, known = document.text, scan(document)
    starts = known.line_starts
    edges = np.append(starts, len(text))
    delimiter = "\t" if tabs else sniffed(text, edges[: _SAMPLE + 1].tolist())
    problem = ""
    if delimiter and '"' in text:
        inside, unclosed = _inside_quotes(text, delimiter)
        if unclosed >= 0:
            problem = f"A quote is never closed, at {place(document, unclosed)}: it and those after it are read as text."
        if len(inside):
            # A line begins inside quotes where it lies after an opening quote and not after its end.
            after = np.searchsorted(inside[:, 0], starts)
            starts = starts[(after == 0) | (starts >= inside[np.maximum(after - 1, 0), 1])]
    lows = known.next_visible[starts]
    highs = known.visible_end[np.append(starts[1:], len(text))]
    filled = highs > lows
    # An empty first field of a tab-separated row belongs to the row, though it cannot be seen.
    lows = starts if delimiter == "\t" else lows
    return Rows(np.stack([lows, highs], axis=1)[filled].astype(np.int32), delimiter, problem)


def sniffed(text: str, edges: list[int]) -> str:
    """The delimiter that most lines of the beginning have equally often, "" if none is in half of them.

    Quoted fields are left out of account. Ties go to the order comma, semicolon, tab, bar.
    """
    sample = _QUOTED.sub("", text[: min(edges[-1], 50_000)]) if edges else ""
    lines = [line for line in sample.splitlines() if line.strip()]
    best, most = "", 0
    for delimiter in DELIMITERS:
        counts = [line.count(delimiter) for line in lines]
        usual = max(set(counts) - {0}, key=lambda n: (counts.count(n), n), default=0)
        agreeing = counts.count(usual) if usual else 0
        if agreeing > most and agreeing * 2 >= len(lines):
            best, most = delimiter, agreeing
    return best


def _inside_quotes(text: str, delimiter: str) -> tuple[np.ndarray, int]:
    """(n, 2) spans of the quoted fields, and where a quote is never closed (-1 if all are)."""
    opening = re.compile(rf'(?:^|(?<=[\r\n{re.escape(delimiter)}]))"')
    spans: list[tuple[int, int]] = []
    at = 0
    while found := opening.search(text, at):
        quoted = _QUOTED.match(text, found.start())
        if quoted is None:
            return np.array(spans, dtype=np.int64).reshape(-1, 2), found.start()
        spans.append(quoted.span())
        at = quoted.end()
    return np.array(spans, dtype=np.int64).reshape(-1, 2), -1
