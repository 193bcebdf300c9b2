"""The blocks of a Markdown text, as markdown-it-py has them, with whatever is plain read by line.

Most of a text needs no parser: where nothing is open, a line begins what its first characters say. Lists, tables
and fences in their plainest form are read here too. All else goes to markdown-it-py, with the lines before it
that may be one block with it, up to where nothing can be open any more.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

import numpy as np

from chunklab.outline.margins import Margins
from chunklab.outline.parsed import Block, blocks_of, closed_by_blank, parse, stays_open

MEDIA_TYPES = ()
_TEXT = r"""(?:[^\W\d_]|["'“‘«(]|\d+(?![\d.)])|\*\*[^\W_]|`(?!`)|\[[^\]\\\n]*\](?!:))[^\n]*(?:\n|\Z)"""
# An item in its plain form goes on over lines that can begin nothing, wherever these are.
_LIST = re.compile(
    "|".join(rf"(?:{mark} {_TEXT}(?: *{_TEXT})*)+" for mark in (r"-", r"\*", r"\+", r"\d{1,9}\."))
)
_QUOTE = re.compile(rf" {{0,3}}(>+) ?{_TEXT}(?: {{0,3}}\1 ?{_TEXT}| *{_TEXT})*")
_FRONT_MATTER = re.compile(r"---\n(?:(?!-{3}|\.{3}|[ \t])[^\n]+\n)*---(?=\n)")
_TABLE = re.compile(
    r"(\|[^\\`\[<\n]*\|)[ \t]*\n(\|(?:[ \t]*:?-+:?[ \t]*\|)+)[ \t]*(?:\n|\Z)(?:\|[^\\`\[<\n]*(?:\n|\Z))*"
)
_DELIMITERS = re.compile(r"[-:|][-:| \t]+$", re.MULTILINE)
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$", re.MULTILINE)
_ITEM = re.compile(r"(?:[-+*]|(\d{1,9})[.)])(?:([ \t]*)$|[ \t])", re.MULTILINE)
_FENCE = re.compile(r"(`{3,})[^`\n]*$|(~{3,})[^\n]*$", re.MULTILINE)
_FENCE_END = re.compile(r"(`{3,}|~{3,})[ \t]*$", re.MULTILINE)
_HTML = re.compile(r"<[A-Za-z/!?]")
_DEEPEST = 9
"""Quotes in more quotes are left to the parser, which has a limit."""


class Walk:
    """Goes from one line that may be special to the next and keeps what it finds, as pairs of lines, half-open.

    `taken` are all lines that belong to what was found: `fences`, `html`, `underlined` headings, rules, front matter,
    `tables`, list `items` and `quotes` (with their depth) in their plain form, and the `parsed` parts, each with its
    blocks.
    """

    def __init__(self, text: str, margins: Margins, lines: list[int]):
        self.text, self.margins, self.lines = text, margins, lines
        self.count = len(lines) - 1
        self.taken: list[tuple[int, int]] = []
        self.fences: list[tuple[int, int]] = []
        self.tables: list[tuple[int, int]] = []
        self.items: list[tuple[int, int]] = []
        self.quotes: list[tuple[int, int, int]] = []
        self.html: list[tuple[int, int]] = []
        self.underlined: list[tuple[int, int]] = []
        self.parsed: list[list[Block]] = []
        self.front = 0
        self.at = 0

    def whole(self) -> None:
        """The whole text as the parser has it."""
        self.parsed = [list(blocks_of(parse(self.text, True)))]
        self.taken = [(0, self.count)]

    def line_by_line(self) -> None:
        """The text line by line, with the parser where that is not enough."""
        front = _FRONT_MATTER.match(self.text)
        if self.text.startswith("-") and not front:
            self.whole()
            return
        if front:
            self.front = bisect_right(self.lines, front.end() - 1, hi=self.count)
            self._take(0, self.front)
        margins = self.margins
        special = np.flatnonzero(margins.special)
        edges = np.flatnonzero(~margins.filled | (margins.level > 0))
        place = np.searchsorted(edges, special)
        self.special = special.tolist()
        self.offsets = margins.first[special].tolist()
        self.opened = np.concatenate(([0], edges + 1))[place].tolist()
        self.edges = np.append(edges, self.count)[place].tolist()
        self.filled = np.flatnonzero(margins.filled).tolist()
        self.shallow = np.flatnonzero(margins.filled & ~margins.deep).tolist()
        self.anchors = [*np.flatnonzero(margins.anchor).tolist(), self.count]
        for which, line in enumerate(self.special):
            if line >= self.at:
                self._read(which, line)

    def _take(self, first: int, end: int) -> bool:
        self.taken.append((first, end))
        self.at = end
        return True

    def _read(self, which: int, line: int) -> None:
        """What a special line begins; where it is but text, nothing is done."""
        text, offset = self.text, self.offsets[which]
        head = text[offset]
        if head in "`~":
            if opening := _FENCE.match(text, offset):
                self._fence(which, line, opening[1] or opening[2])
            return
        # The paragraph that would be open here begins at the first line that is not deep.
        start = max(self.opened[which], self.at)
        begin = self.shallow[bisect_left(self.shallow, start)]
        inside = begin < line
        if head == ">":
            if not self._quote(which, line):
                self._parse(which, begin, line)
        elif head == "<":
            if _HTML.match(text, offset):
                self._html(line, inside)
        elif head == "[":
            if not inside and "]:" in text[offset : self.lines[self.edges[which]]]:
                self._parse(which, line, line)
        elif inside and _DELIMITERS.match(text, offset) and "|" in text[self.lines[line - 1] : offset]:
            if begin < line - 1 or not self._table(which, begin):
                self._parse(which, begin, line)
        elif inside and _UNDERLINE.match(text, offset):
            self.underlined.append((begin, line + 1))
            self._take(begin, line + 1)
        elif _RULE.match(text, offset):
            self._take(line, line + 1)
        elif item := _ITEM.match(text, offset):
            interrupts = item[2] is None and (item[1] is None or int(item[1]) == 1)
            if (interrupts or not inside) and not self._list(which, line):
                self._parse(which, begin, line)

    def _fence(self, which: int, line: int, fence: str) -> None:
        end = self.count
        for at in range(which + 1, len(self.special)):
            offset = self.offsets[at]
            if self.text[offset] == fence[0]:
                closing = _FENCE_END.match(self.text, offset)
                if closing and closing[1].startswith(fence):
                    end = self.special[at] + 1
                    break
        self.fences.append((line, end))
        self._take(line, end)

    def _table(self, which: int, first: int) -> bool:
        end = self.edges[which]
        found = _TABLE.fullmatch(self.text, self.lines[first], self.lines[end])
        if not found or found[1].count("|") != found[2].count("|"):
            return False
        self.tables.append((first, end))
        return self._take(first, end)

    def _list(self, which: int, line: int) -> bool:
        end = self.edges[which]
        if not _LIST.fullmatch(self.text, self.lines[line], self.lines[end]):
            return False
        # Indented lines after a blank one would belong to the list.
        after = bisect_left(self.filled, end)
        if after < len(self.filled) and self.text[self.lines[self.filled[after]]] in " \t":
            return False
        begins = [at for at in range(line, end) if _ITEM.match(self.text, self.lines[at])]
        self.items += zip(begins, [*begins[1:], end], strict=True)
        return self._take(line, end)

    def _quote(self, which: int, line: int) -> bool:
        end = self.edges[which]
        found = _QUOTE.fullmatch(self.text, self.lines[line], self.lines[end])
        if not found or len(found[1]) > _DEEPEST:
            return False
        self.quotes.append((line, end, len(found[1])))
        return self._take(line, end)

    def _html(self, line: int, inside: bool) -> None:
        """An HTML block by the parser's own conditions, if one begins here."""
        from markdown_it.rules_block.html_block import HTML_SEQUENCES

        said = self._said(line)
        sequence = next((each for each in HTML_SEQUENCES if each[0].search(said)), None)
        if sequence is None or (inside and not sequence[2]):
            return
        closing, end = sequence[1], line
        if closing.search(""):
            while end < self.count and self.margins.filled[end]:
                end += 1
        else:
            while end < self.count and not closing.search(self._said(end)):
                end += 1
            end = min(end + 1, self.count)
        self.html.append((line, end))
        self._take(line, end)

    def _said(self, line: int) -> str:
        return self.text[self.lines[line] : self.lines[line + 1]].lstrip(" \t").removesuffix("\n")

    def _parse(self, which: int, begin: int, line: int) -> None:
        low = self.lines[begin]
        end = self.edges[which]
        tokens = parse(self.text[low : self.lines[end]])
        if not closed_by_blank(tokens):
            grown, at = 1, bisect_right(self.anchors, line) - 1
            while True:
                at = min(at + grown, len(self.anchors) - 1)
                end = self.anchors[at]
                part = self.text[low : self.lines[end]]
                tokens = parse(part)
                if end == self.count or not stays_open(tokens, part):
                    break
                grown *= 2
        self.parsed.append(list(blocks_of(tokens, begin)))
        self._take(begin, end)
