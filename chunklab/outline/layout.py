"""The blocks of a Markdown text as arrays of line numbers: what cutting needs, without a record for each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from chunklab.offsets import runs
from chunklab.outline.blocks import Walk
from chunklab.outline.margins import Margins, is_usual
from chunklab.outline.parsed import Block
from chunklab.scan import Scan, scan
from chunklab.types import Document

MEDIA_TYPES = ()


class Layout:
    """Plain blocks as half-open pairs of lines, (n, 2) and in order; the others are apart in `walk`.

    `lines` are the starts of the lines and the text's length, `ends` where the visible text of each line ends.
    With `whole` the parser reads all of the text.
    """

    def __init__(self, known: Scan, whole: bool = False):
        self.text, self.starts, self.ends = known.text, known.line_starts, known.line_visible_ends
        self.lines = [*self.starts.tolist(), len(self.text)]
        self.margins = margins = Margins(known)
        self.walk = walk = Walk(self.text, margins, self.lines)
        if whole or not is_usual(known):
            walk.whole()
        else:
            walk.line_by_line()
        free = margins.filled.copy()
        for first, end in walk.taken:
            free[first:end] = False
        self.heads = np.flatnonzero(free & (margins.level > 0))
        free[self.heads] = False
        code = _code_lines(free, margins.deep)
        self.code = _joined(code, margins.filled)
        self.paragraphs = runs(free & ~code)

    def span(self, first: int, end: int) -> tuple[int, int]:
        """Offsets of the lines' start and of the end of what is visible on the last."""
        return self.lines[first], int(self.ends[min(end, len(self.ends)) - 1])

    def spans(self, pairs: np.ndarray) -> np.ndarray:
        """(n, 2) the same for pairs of lines."""
        return np.stack(
            (self.starts[pairs[:, 0]], self.ends[np.minimum(pairs[:, 1], len(self.ends)) - 1]), axis=1
        )

    def content(self, first: int, end: int) -> str:
        """The lines without the blanks around them."""
        return self.text[self.lines[first] : self.lines[end]].strip()

    @cached_property
    def blocks(self) -> list[Block]:
        """All blocks in order, outer before inner."""
        walk = self.walk
        found = [(blocks[0][2], blocks) for blocks in walk.parsed if blocks]
        found += [(first, self._paragraph(first, end)) for first, end in self.paragraphs.tolist()]
        found += [(line, self._heading(line)) for line in self.heads.tolist()]
        found += [(first, self._underlined(first, end)) for first, end in walk.underlined]
        found += [
            (first, [("code", 0, first, end, "")]) for first, end in [*self.code.tolist(), *walk.fences]
        ]
        found += [(first, [("html", 0, first, end, "")]) for first, end in walk.html]
        found += [(first, self._item(first, end)) for first, end in walk.items]
        found += [(first, self._quote(first, end, depth)) for first, end, depth in walk.quotes]
        found += [(first, _table(first, end)) for first, end in walk.tables]
        if walk.front:
            found.append((0, [("front_matter", 0, 0, walk.front, "")]))
        return [block for _, blocks in sorted(found, key=lambda each: each[0]) for block in blocks]

    def _paragraph(self, first: int, end: int) -> list[Block]:
        return _said(0, first, end, self.content(first, end))

    def _heading(self, line: int) -> list[Block]:
        level, content = int(self.margins.level[line]), self.title(line)
        return [("heading", level, line, line + 1, content), ("inline", 1, line, line + 1, content)]

    def _underlined(self, first: int, end: int) -> list[Block]:
        content = self.content(first, end - 1)
        return [
            ("heading", self.underlined_level(end), first, end, content),
            ("inline", 1, first, end - 1, content),
        ]

    def _item(self, first: int, end: int) -> list[Block]:
        return [("item", 1, first, end, ""), *_said(2, first, end, self.item(first, end))]

    def _quote(self, first: int, end: int, depth: int) -> list[Block]:
        around: list[Block] = [("quote", level, first, end, "") for level in range(depth)]
        return [*around, *_said(depth, first, end, self.quote(first, end, depth))]

    def item(self, first: int, end: int) -> str:
        """What a list item says, its mark and as much indent left out."""
        mark, said = self.content(first, end).split(" ", 1)
        return re.sub(rf"(?m)^ {{1,{len(mark) + 1}}}", "", said)

    def quote(self, first: int, end: int, depth: int) -> str:
        """What a quotation says, without its marks."""
        return re.sub(
            rf"(?m)^ {{0,3}}>{{{depth}}} ?", "", self.text[self.lines[first] : self.lines[end]]
        ).strip()

    def title(self, line: int) -> str:
        """What a heading that begins with hashes says, as it is written."""
        said = self.content(line, line + 1).lstrip("#")
        shorter = said.rstrip("#")
        return (shorter if shorter[-1:].isspace() else said).strip()

    def underlined_level(self, end: int) -> int:
        """1 or 2: what the line before says of the heading above it."""
        return 1 if self.content(end - 1, end)[0] == "=" else 2


def layout_of(document: Document) -> Layout:
    """The document's blocks, kept with it."""
    return document.fact("markdown layout", lambda: Layout(scan(document)))


def _said(level: int, first: int, end: int, content: str) -> list[Block]:
    return [("paragraph", level, first, end, content), ("inline", level + 1, first, end, content)]


def _table(first: int, end: int) -> Iterator[Block]:
    yield "table", 0, first, end, ""
    for line in (first, *range(first + 2, end)):
        yield "row", 2, line, line + 1, ""


def _code_lines(free: np.ndarray, deep: np.ndarray) -> np.ndarray:
    """(lines,) bool: deep lines that go on no paragraph."""
    before = np.maximum.accumulate(np.where(free & deep, -1, np.arange(len(free))))
    return free & deep & ~(free[before] & (before >= 0))


def _joined(code: np.ndarray, filled: np.ndarray) -> np.ndarray:
    """(n, 2): runs of code lines, going on over blank lines between them."""
    lines = np.flatnonzero(code)
    parts = np.cumsum(filled & ~code)[lines]
    new = np.diff(parts, prepend=-1) != 0
    return np.stack((lines[new], np.append(lines[:-1][new[1:]], lines[-1:]) + 1), axis=1)
