"""What is below a node on one line: nothing but the elements of lists, and strings. Most of a tree is that."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np

from chunklab.syntax.roles import COMMA, OTHER, PLAIN, STRING, TOKEN

if TYPE_CHECKING:
    from tree_sitter import Node

_LINE_ENDS = b"\n\r"
_MARKS = b"\n\r,;:'\"`#/{}<>@\\!"
"""What is below a PLAIN node without any of these is no string, comment, body, definition or list."""
_DEEPEST = 40
"""So many levels are read at most: the rest is walked into."""
Rows = list[tuple[int, int, int]]


class Inline:
    """Reads the nodes of one line without a frame for each, into the walk's `breaks` and `strings`.

    `broken`: the tree has errors.
    """

    def __init__(
        self, data: bytes, roles: bytes, broken: bool, breaks: tuple[array, ...], strings: tuple[array, ...]
    ):
        self.roles, self.broken, self.breaks, self.strings = roles, broken, breaks, strings
        self._lines, self._marks = _before(data, _LINE_ENDS), _before(data, _MARKS)

    def note(self, node: Node, role: int, depth: int) -> bool:
        """Notes what is below a node, whose children are at this depth.

        False, with nothing noted, where it is not on one line or something in it has to be walked into.
        """
        start, end = node.start_byte, node.end_byte
        if self._lines[start] != self._lines[end] or (self.broken and node.has_error):
            return False
        if role == PLAIN and self._marks[start] == self._marks[end]:
            return True
        elements, strings = found = ([], [])
        if not self._read(node, depth, depth + _DEEPEST, found):
            return False
        for columns, rows in ((self.breaks, elements), (self.strings, strings)):
            for row in rows:
                for column, value in zip(columns, row, strict=True):
                    column.append(value)
        return True

    def _read(self, node: Node, depth: int, deepest: int, found: tuple[Rows, Rows]) -> bool:
        known, marks, named, comma = self.roles, self._marks, False, False
        for child in node.children:
            role = known[child.kind_id]
            if role == TOKEN:
                continue
            if role == COMMA:
                comma = True
                continue
            if role not in (OTHER, PLAIN, STRING):
                return False
            if named and comma:
                found[0].append((child.start_byte, depth, 3))
            named, comma = True, False
            if role == STRING:
                found[1].append((child.start_byte, child.end_byte, 0))
            elif (
                child.child_count
                and (role == OTHER or marks[child.start_byte] != marks[child.end_byte])
                and not (depth < deepest and self._read(child, depth + 1, deepest, found))
            ):
                return False
        return True


def _before(data: bytes, wanted: bytes) -> memoryview:
    """(n + 1,) int32: how many of some bytes stand before each place."""
    counts = np.zeros(len(data) + 1, dtype=np.int32)
    flags = bytes(each in wanted for each in range(256))
    np.cumsum(np.frombuffer(data.translate(flags), dtype=np.uint8), dtype=np.int32, out=counts[1:])
    # Single elements of a memoryview come as plain numbers, several times faster than numpy's.
    return memoryview(counts)
