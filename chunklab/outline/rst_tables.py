"""Grid tables and simple tables of reStructuredText, as ranges of lines."""

from __future__ import annotations

import re

MEDIA_TYPES: tuple[str, ...] = ()
_GRID = re.compile(r"\+-[-+]+-\+")
_GRID_RULE = re.compile(r"\+[-=+]+\+")
_SIMPLE = re.compile(r"=+(?: +=+)+")

Found = tuple[int, list[tuple[int, int]]]


def grid_rows(lines: list[str], at: int) -> Found | None:
    """(the line after the table, its rows as ranges of lines) for a grid table that begins at line `at`."""
    if not _GRID.fullmatch(lines[at].strip()):
        return None
    rows: list[tuple[int, int]] = []
    after, row = at, at + 1
    while after < len(lines) and lines[after].lstrip()[:1] in ("+", "|"):
        if after > at and _GRID_RULE.fullmatch(lines[after].strip()):
            if after > row:
                rows.append((row, after))
            row = after + 1
        after += 1
    return (after, rows) if rows else None


def simple_rows(lines: list[str], at: int) -> Found | tuple[()] | None:
    """The same for a simple table; () when none begins here, None when one begins that never ends.

    It ends at a border before a blank line. A line whose first column is blank goes on with the row above.
    """
    if not _SIMPLE.fullmatch(lines[at].strip()):
        return ()
    indent = len(lines[at]) - len(lines[at].lstrip())
    rows: list[tuple[int, int]] = []
    for n in range(at + 1, len(lines)):
        line = lines[n]
        if _SIMPLE.fullmatch(line.strip()):
            if n + 1 == len(lines) or not lines[n + 1]:
                return (n + 1, rows) if rows else ()
        elif line[indent : indent + 1].strip() or (line and not rows):
            rows.append((n, n + 1))
        elif line:
            rows[-1] = (rows[-1][0], n + 1)
    return None
