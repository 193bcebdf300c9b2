"""The outline of JSON text (RFC 8259), by a scanner of our own: the library's parser tells no offsets."""

from __future__ import annotations

import json
import re
from array import array
from itertools import pairwise

import numpy as np

from chunklab.outline.base import MAX_NODES, MAX_TITLE, Nested, joined_path, left_out, place
from chunklab.scan import scan
from chunklab.types import Document, Node, Outline, Span

LINES = "application/x-ndjson"
MEDIA_TYPES = ("application/json", LINES)

_TOKEN = re.compile(
    r"""[ \t\n\r]*+(?:
    ("[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+")
    |(-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null)
    |([{\[])|([}\]])|(,)|(:))""",
    re.VERBOSE,
)
_STRING, _SCALAR, _OPEN, _CLOSE, _COMMA, _COLON = range(1, 7)
_BLANK = re.compile(r"[ \t\n\r]*+")
_FOUND = re.compile(r"[A-Za-z_0-9.+-]{1,40}|.", re.DOTALL)
_VALUE, _ITEM_OR_END, _KEY_OR_END, _KEY, _COLON_NEXT, _AFTER, _DONE = range(7)
_WANTED = ("a value", "a value or ]", "a name in quotes or }", "a name in quotes", "a colon", "a comma or a closing bracket", "the end")  # fmt: skip


class _Table:
    """Columns that grow while scanning; `key_end` is 0 for array items, `value` where a member's value begins."""

    def __init__(self) -> None:
        self.start, self.end, self.depth = array("i"), array("i"), array("i")
        self.key_end, self.value = array("i"), array("i")
        self.strings = array("i")

    def open(self, start: int, depth: int, key_end: int = 0) -> int:
        self.start.append(start)
        self.end.append(0)
        self.depth.append(depth)
        self.key_end.append(key_end)
        self.value.append(0 if key_end else start)
        return len(self.start) - 1


def read(document: Document) -> Outline:
    """Members and array items, nested, each with its JSON pointer (RFC 6901) as title.

    A member's span is name and value. Pointers over 200 characters are shortened in the middle. Text that is
    not JSON gives what was read up to there and a notice with the place; NaN, Infinity, comments and trailing
    commas are not JSON. In JSON lines each line is an item, and a broken line does not end the reading.
    """
    table, problem = _scanned(document)
    nodes: list[Node] = []
    paths: list[str] = []
    counts: list[int] = []
    for at in range(min(len(table.start), MAX_NODES)):
        depth, key_end, start = table.depth[at], table.key_end[at], table.start[at]
        del paths[depth:], counts[depth + 1 :]
        if len(counts) <= depth:
            counts.append(0)
        step = _key(document.text[start:key_end]) if key_end else str(counts[depth])
        counts[depth] += 1
        paths.append(joined_path(paths[-1] if paths else "", step))
        end = table.end[at]
        nodes.append(Node(Span(start, end), "member" if key_end else "item", 0, paths[-1]))
    notices = (problem,) if problem else ()
    return Outline(tuple(nodes), (*notices, *left_out(len(table.start), "members and items")))


def nested(document: Document) -> Nested:
    """The same members and items as arrays, string values as atoms and names as wholes."""
    return document.fact(("json nested", document.media_type == LINES), lambda: _nested(document))


def _nested(document: Document) -> Nested:
    table, problem = _scanned(document)
    starts, ends, depths, values, keys = (
        np.frombuffer(column, dtype=np.int32) if column else np.zeros(0, np.int32)
        for column in (table.start, table.end, table.depth, table.value, table.key_end)
    )
    strings = np.array(table.strings, dtype=np.int32).reshape(-1, 2)
    named = (keys > 0) & (values > 0)
    return Nested(
        starts, ends, depths, strings, np.stack([starts[named], values[named]], axis=1), strings, problem
    )  # fmt: skip


def _scanned(document: Document) -> tuple[_Table, str]:
    lines = document.media_type == LINES
    return document.fact(("json scan", lines), lambda: _lines(document) if lines else _whole(document))


def _whole(document: Document) -> tuple[_Table, str]:
    table, text = _Table(), document.text
    at, wanted = _value(text, 0, len(text), table, -1)
    if wanted < 0 and _BLANK.match(text, at).end() < len(text):
        wanted = _DONE
    _close_open(document, table, 0, len(text))
    return table, _problem(document, at, len(text), wanted) if wanted >= 0 and text.strip() else ""


def _lines(document: Document) -> tuple[_Table, str]:
    table, text, known = _Table(), document.text, scan(document)
    edges = [*known.line_starts.tolist(), len(text)]
    ends = known.visible_end
    broken, first = 0, ""
    for low, high in pairwise(edges):
        if int(ends[high]) <= low:
            continue
        before = len(table.start)
        at, wanted = _value(text, low, high, table, 0)
        if wanted < 0 and _BLANK.match(text, at, high).end() < high:
            wanted = _DONE
        if wanted >= 0:
            broken += 1
            first = first or _problem(document, at, high, wanted)
            if before < len(table.start):
                table.end[before] = 0
        _close_open(document, table, before, high)
    return table, f"{first} {broken} lines are broken." if broken > 1 else first


def _value(text: str, at: int, high: int, table: _Table, above: int) -> tuple[int, int]:
    """Scans one value: (where it ended, -1), or (where the trouble is, what was wanted there).

    `above` is the depth of the value itself; with -1 it gets no row, only what is in it.
    """
    inside: list[tuple[bool, int]] = []  # for each open bracket: is it an object, whose row is it
    wanted, row = _VALUE, -1
    match = _TOKEN.match
    while True:
        found = match(text, at, high)
        if found is None:
            return at, wanted
        kind = found.lastindex
        start, end = found.span(kind)
        if kind <= _OPEN and wanted <= _ITEM_OR_END:
            if inside or above >= 0:
                if not inside or not inside[-1][0]:
                    row = table.open(start, above + len(inside))
                else:
                    table.value[row] = start
            if kind == _OPEN:
                inside.append((text[start] == "{", row))
                wanted = _KEY_OR_END if text[start] == "{" else _ITEM_OR_END
                row = -1
            else:
                if kind == _STRING:
                    table.strings.extend((start, end))
                if row >= 0:
                    table.end[row] = end
                wanted = _AFTER
        elif kind == _STRING and _KEY_OR_END <= wanted <= _KEY:
            row = table.open(start, above + len(inside), end)
            wanted = _COLON_NEXT
        elif kind == _COLON and wanted == _COLON_NEXT:
            wanted = _VALUE
        elif kind == _COMMA and wanted == _AFTER:
            wanted = _KEY if inside[-1][0] else _VALUE
        elif kind == _CLOSE and inside and wanted == _after_open(inside[-1][0], wanted):
            if (text[start] == "}") != inside[-1][0]:
                return at, wanted
            _, row = inside.pop()
            if row >= 0:
                table.end[row] = end
            wanted = _AFTER
        else:
            return at, wanted
        at = end
        if wanted == _AFTER and not inside:
            return at, -1


def _after_open(is_object: bool, wanted: int) -> int:
    """`wanted` itself when a closing bracket is allowed now, else -1."""
    return wanted if wanted in (_AFTER, _KEY_OR_END if is_object else _ITEM_OR_END) else -1


def _close_open(document: Document, table: _Table, first: int, high: int) -> None:
    """Rows that broken text left open end with the visible text."""
    last = int(scan(document).visible_end[high])
    for at in range(first, len(table.start)):
        if not table.end[at]:
            table.end[at] = last


def _problem(document: Document, at: int, high: int, wanted: int) -> str:
    text = document.text
    at = _BLANK.match(text, at, high).end()
    if at >= high or not text[at:].strip():
        what = f"it ends where {_WANTED[wanted]} should be"
    elif text[at] == '"' and _TOKEN.match(text, at, high) is None:
        what = "a string is not closed, or holds a line end, a control character or a wrong escape"
    elif text[at] in "]}" and wanted in (_VALUE, _KEY):
        what = (
            f"a comma before {text[at]}"
            if text[:at].rstrip().endswith(",")
            else f"{text[at]} without a value"
        )
    else:
        found = _FOUND.match(text, at, high)[0]
        what = f"{found if found.isprintable() else ascii(found)} where {_WANTED[wanted]} should be"
    return f"The text is not valid JSON: {what}, at {place(document, min(at, len(text)))}."


def _key(literal: str) -> str:
    if len(literal) > MAX_TITLE:
        return literal[1 : MAX_TITLE // 2] + "…"
    return json.loads(literal).replace("~", "~0").replace("/", "~1")
