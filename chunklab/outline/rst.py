"""The outline of reStructuredText, by a line reader of our own.

docutils knows lines but no columns, is a hundred times slower, and its directives can read files.
"""

from __future__ import annotations

import re

from chunklab.outline.base import place
from chunklab.outline.rst_tables import grid_rows, simple_rows
from chunklab.scan import scan
from chunklab.types import Document, Node, Outline, Span

MEDIA_TYPES = ("text/x-rst",)
_ADORNED = re.compile(r"([!-/:-@[-`{-~])\1*")
_DIRECTIVE = re.compile(r"\.\. +(?:\|[^|]+\| +)?([A-Za-z0-9][\w.+:-]*?) ?::(?:\s|$)")
_EXPLICIT = re.compile(r"\.\.(?:\s|$)")
_NOTE = re.compile(r"\.\. +\[[^\]]+\](?:\s|$)")
_ITEM = re.compile(r"([-*+•‣⁃]|\(?(?:[0-9]{1,4}|#|[A-Za-z]|[ivxlcdm]{1,8}|[IVXLCDM]{1,8})[.)])(?:[ \t]+|$)")
# What stands before these is never a title, whatever is below.
_MARKED = re.compile(r"(?:[-*+•‣⁃|]|\.\.)[ \t]|:(?! )[^:]+(?<! ):(?:[ \t]|$)")
_VERBATIM = frozenset((
    "code", "code-block", "sourcecode", "highlight", "literalinclude", "parsed-literal", "math", "prompt",
    "doctest", "testcode", "testoutput", "raw", "graphviz", "csv-table",
))  # fmt: skip


def read(document: Document) -> Outline:
    """Sections, literal blocks, directives, tables and their rows, list items and paragraphs, nested.

    A title is a line at the left edge with a line of one repeated punctuation mark below it, and perhaps the
    same above; each new style of mark is one level deeper than the section it is met in (levels over 6
    count as 6). A style that comes back in the wrong place is reported and read at the level it had.
    Literal blocks and code directives are `code`, other directives `directive`, with their name as title.
    """
    return _Reader(document).outline()


class _Reader:
    def __init__(self, document: Document):
        self.document, self.text = document, document.text
        known = scan(document)
        self.starts = known.line_starts.tolist()
        edges = [*self.starts[1:], len(self.text)]
        self.ends = known.visible_end[edges].tolist()
        self.lines = [
            self.text[low:high] if high > low else ""
            for low, high in zip(self.starts, self.ends, strict=True)
        ]
        self.before = known.visible_end[known.line_starts].tolist()
        self.indents = [_indent(line) for line in self.lines]
        self.nodes: list[list] = []  # start, end, kind, level, title
        self.open: list[tuple[int, int]] = []  # indent, node
        self.styles: list[tuple[str, bool]] = []
        self.level = 0
        self.notices: list[str] = []
        self.no_simple_table = False

    def outline(self) -> Outline:
        at, fresh, literal = 0, True, -1  # literal: the indent that a literal block must be beyond
        count = len(self.lines)
        while at < count:
            if not self.lines[at]:
                at, fresh = at + 1, True
                continue
            fresh |= self._leave(self.indents[at], self.before[at])
            if literal >= 0 and fresh and self.indents[at] > literal:
                after = self._beyond(at, literal)
                self._node(at, after, "code")
                at, literal = after, -1
            elif fresh:
                literal = -1
                at, literal, fresh = self._element(at)
            else:
                literal = self.indents[at] if self.lines[at].endswith("::") else -1
                at += 1
        self._leave(-1, self.ends[-1])
        nodes = [Node(Span(low, high), *rest) for low, high, *rest in self.nodes if high > low]
        return Outline(tuple(nodes), tuple(self.notices))

    def _element(self, at: int) -> tuple[int, int, bool]:
        """Reads what begins at a line: (the next line, a literal block's indent or -1, may an element begin)."""
        line, indent = self.lines[at], self.indents[at]
        body = line.lstrip()
        if body.startswith(">>> "):
            after = next((n for n in range(at, len(self.lines)) if not self.lines[n]), len(self.lines))
            self._node(at, after, "code")
            return after, -1, True
        titled = 0 if _MARKED.match(body) else self._title(at)
        if titled:
            return titled, -1, True
        directive = _DIRECTIVE.match(body)
        if directive:
            name = directive[1]
            if name in _VERBATIM:
                after = self._beyond(at + 1, indent)
                self._node(at, after, "table" if name == "csv-table" else "code", name)
                return after, -1, True
            self._open(at, indent, "directive", name)
            return at + 1, -1, True
        if _EXPLICIT.match(body) and not _NOTE.match(body):
            return self._beyond(at + 1, indent), -1, True
        rows = self._table(at, body)
        if rows:
            return rows, -1, True
        item = _ITEM.match(body)
        if item and self._is_item(at, indent, body[0]):
            self._open(at, indent, "item")
            column = indent + len(item[0])
            return at + 1, column if line.endswith("::") else -1, False
        if self._indent_after(at) > indent and not _ADORNED.fullmatch(body):
            self._open(at, indent, "item")
            return at + 1, -1, True
        after = at + 1
        while after < len(self.lines) and self.lines[after] and self.indents[after] == indent:
            after += 1
        self._node(at, after, "paragraph")
        return after, indent if self.lines[after - 1].endswith("::") else -1, True

    def _title(self, at: int) -> int:
        """The line after a section title that begins at this line, 0 if none does."""
        lines, over = self.lines, _ADORNED.fullmatch(self.lines[at])
        if over:
            if at + 2 >= len(lines) or not lines[at + 1] or lines[at + 2] != over[0]:
                return 0
            title, last = lines[at + 1].strip(), at + 2
        else:
            under = _ADORNED.fullmatch(lines[at + 1]) if at + 1 < len(lines) and lines[at + 1] else None
            if not under or self.indents[at]:
                return 0
            title, last = lines[at].strip(), at + 1
        marks = lines[last]
        if len(marks) < min(len(title), 4) or self.open:
            return 0
        style = (marks[0], bool(over))
        if style not in self.styles:
            if self.level < len(self.styles):
                self._tell(
                    f"A title has a style that is new but not deepest, at {place(self.document, self.starts[at])}."
                )
            self.styles.append(style)
        level = self.styles.index(style) + 1
        if level > self.level + 1:
            self._tell(f"A title skips a level, at {place(self.document, self.starts[at])}.")
        self.level = level
        self._node(at, last + 1, "heading", title, min(level, 6))
        return last + 1

    def _tell(self, notice: str) -> None:
        if not self.notices:
            self.notices.append(notice)

    def _table(self, at: int, body: str) -> int:
        """The line after a table that begins at this line, 0 if none does; its rows become nodes."""
        found = grid_rows(self.lines, at)
        if not found and not self.no_simple_table:
            found = simple_rows(self.lines, at)
            self.no_simple_table = found is None
        if not found:
            return 0
        after, rows = found
        self._node(at, after, "table")
        for low, high in rows:
            self._node(low, high, "row")
        return after

    def _is_item(self, at: int, indent: int, first: str) -> bool:
        """A marked line is an item unless its text goes on at the left edge: then it is a paragraph."""
        if first in "-*+•‣⁃" or at + 1 >= len(self.lines) or not self.lines[at + 1]:
            return True
        return self.indents[at + 1] > indent or bool(_ITEM.match(self.lines[at + 1].lstrip()))

    def _indent_after(self, at: int) -> int:
        return self.indents[at + 1] if at + 1 < len(self.lines) and self.lines[at + 1] else -1

    def _beyond(self, at: int, indent: int) -> int:
        """The first line from `at` on that is not blank and not indented beyond `indent`."""
        while at < len(self.lines) and (not self.lines[at] or self.indents[at] > indent):
            at += 1
        return at

    def _node(self, at: int, after: int, kind: str, title: str = "", level: int = 0) -> None:
        low = self.starts[at] + len(self.lines[at]) - len(self.lines[at].lstrip())
        last = next((n for n in range(after - 1, at, -1) if self.lines[n]), at)
        self.nodes.append([low, self.ends[last], kind, level, title])

    def _open(self, at: int, indent: int, kind: str, title: str = "") -> None:
        self._node(at, at + 1, kind, title)
        self.open.append((indent, len(self.nodes) - 1))

    def _leave(self, indent: int, visible: int) -> bool:
        """Closes what a line at this indent is not inside of; true when something was closed."""
        closed = False
        while self.open and self.open[-1][0] >= indent:
            node = self.nodes[self.open.pop()[1]]
            node[1] = max(node[1], visible)
            closed = True
        return closed


def _indent(line: str) -> int:
    wide = line.expandtabs(8) if "\t" in line else line
    return len(wide) - len(wide.lstrip())
