"""The blocks of a Markdown text, as markdown-it-py has them, with plain paragraphs and headings read by line.

Most of a text needs no parser: after a blank line, a line that begins with a letter at the margin begins a
paragraph, whatever stood before, unless a fence or an HTML block is open. Runs of other lines go to
markdown-it-py one by one, together with what follows them where it says that one of these stays open.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

MEDIA_TYPES = ()
Block = tuple[str, int, int, int, str]
"""Kind, level, first line, line after the last, content. The level is a heading's own, else how deep a block is
nested. After a heading or a paragraph comes an "inline" with its content."""

_KINDS = {
    "fence": "code", "code_block": "code", "html_block": "html", "front_matter": "front_matter",
    "table_open": "table", "tr_open": "row", "list_item_open": "item", "paragraph_open": "paragraph",
    "blockquote_open": "quote", "inline": "inline",
}  # fmt: skip
_TEXT = r"""(?:[^\W\d_]|["'“‘«(]|\d+(?![\d.)])|\*\*[^\W_]|`(?!`))[^\n]*"""
_HEADING = r"#{1,6}[ \t]+[^#\n]+"
_PLAIN_LINES = re.compile(rf"(?:(?:{_TEXT}|{_HEADING})(?:\n|\Z))+")
_FRONT_MATTER = re.compile(r"---\n(?:(?!-{3}|\.{3}|[ \t])[^\n]+\n)*---(?=\n)")
_LIST = re.compile(rf"(?:- {_TEXT}(?:\n|\Z))+")
_FENCE = re.compile(r"```[^`\n]*\n(?:(?! {0,3}```+[ \t]*$).*\n)*? {0,3}```+[ \t]*$", re.MULTILINE)
_TABLE = re.compile(
    r"(\|[^\\`\[<\n]*\|)[ \t]*\n(\|(?:[ \t]*:?-+:?[ \t]*\|)+)[ \t]*(?:\n|\Z)(?:\|[^\\`\[<\n]*(?:\n|\Z))*"
)
_BEGINS_ANEW = re.compile(rf"{_TEXT}|{_HEADING}")
# What the parser and `str.isspace` or our count of lines see differently.
_UNUSUAL = re.compile("[\0\r\x0b\x0c\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_FENCE_END = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*")


def blocks(text: str, lines: Sequence[int], filled: Sequence[bool]) -> Iterator[Block]:
    """All blocks in order, outer before inner.

    `lines` are the starts of the lines and the text's length, `filled` says which of them hold anything.
    """
    count = len(filled)
    front = _FRONT_MATTER.match(text)
    if _UNUSUAL.search(text) or (text.startswith("-") and not front):
        yield from _parsed(_parser(True).parse(text), 0)
        return
    at = bisect_right(lines, front.end() - 1, hi=count) if front else 0
    if front:
        yield "front_matter", 0, 0, at, ""
    while at < count:
        if not filled[at]:
            at += 1
            continue
        if fence := _FENCE.match(text, lines[at]):
            end = bisect_right(lines, fence.end() - 1, hi=count)
            yield "code", 0, at, end, ""
            at = end
            continue
        end = _group_end(filled, at)
        if _LIST.fullmatch(text, lines[at], lines[end]) and not _goes_on(text, lines, filled, end):
            for line in range(at, end):
                content = text[lines[line] + 2 : lines[line + 1]].strip()
                yield "item", 1, line, line + 1, ""
                yield "paragraph", 2, line, line + 1, content
                yield "inline", 3, line, line + 1, content
        elif _is_table(text, lines, at, end):
            yield "table", 0, at, end, ""
            for line in (at, *range(at + 2, end)):
                yield "row", 2, line, line + 1, ""
        elif _PLAIN_LINES.fullmatch(text, lines[at], lines[end]):
            yield from _plain(text, lines, at, end)
        else:
            grown = 1
            while True:
                for _ in range(grown):
                    past = end if grown == 1 else _group_end(filled, end)
                    end = _next_beginning(text, lines, filled, past)
                tokens = _parser(False).parse(text[lines[at] : lines[end]])
                if end == count or not _stays_open(tokens, text[lines[at] : lines[end]]):
                    break
                grown *= 2
            yield from _parsed(tokens, at)
        at = end


def _is_table(text: str, lines: Sequence[int], at: int, end: int) -> bool:
    found = _TABLE.fullmatch(text, lines[at], lines[end])
    return bool(found) and found[1].count("|") == found[2].count("|")


def _goes_on(text: str, lines: Sequence[int], filled: Sequence[bool], at: int) -> bool:
    """Whether the next line with anything on it is indented, so that it belongs to a list before it."""
    while at < len(filled) and not filled[at]:
        at += 1
    return at < len(filled) and text[lines[at]] in " \t"


def _group_end(filled: Sequence[bool], at: int) -> int:
    while at < len(filled) and filled[at]:
        at += 1
    return at


def _next_beginning(text: str, lines: Sequence[int], filled: Sequence[bool], at: int) -> int:
    """The next line after a blank one that begins a paragraph or heading unless something is open."""
    while at < len(filled):
        while at < len(filled) and not filled[at]:
            at += 1
        if at < len(filled) and _BEGINS_ANEW.match(text, lines[at]):
            break
        at = _group_end(filled, at)
    return at


def _plain(text: str, lines: Sequence[int], at: int, end: int) -> Iterator[Block]:
    first = at
    for line in range(at, end + 1):
        heads = line < end and text.startswith("#", lines[line])
        if (heads or line == end) and first < line:
            content = text[lines[first] : lines[line]].strip()
            yield "paragraph", 0, first, line, content
            yield "inline", 0, first, line, content
        if heads:
            content = text[lines[line] : lines[line + 1]].lstrip("#").strip()
            level = text[lines[line] : lines[line + 1]].count("#")
            yield "heading", level, line, line + 1, content
            yield "inline", 0, line, line + 1, content
            first = line + 1


def _parsed(tokens: Sequence[Token], line: int) -> Iterator[Block]:
    for at, token in enumerate(tokens):
        if not token.map:
            continue
        first, last = line + token.map[0], line + token.map[1]
        if token.type == "heading_open" and token.level == 0:
            yield "heading", int(token.tag[1]), first, last, tokens[at + 1].content
        elif token.type == "paragraph_open":
            yield "paragraph", token.level, first, last, tokens[at + 1].content
        elif token.type in _KINDS:
            yield _KINDS[token.type], token.level, first, last, token.content


def _stays_open(tokens: Sequence[Token], part: str) -> bool:
    """Whether a fence or an HTML block reaches the end of the part, so that more may belong to it."""
    lines = part.rstrip().count("\n")
    last = next(
        (each for each in reversed(tokens) if each.map and each.type in ("fence", "html_block")), None
    )
    if last is None or last.map[1] <= lines:
        return False
    closing = _FENCE_END.fullmatch(part.rstrip()[part.rstrip().rfind("\n") + 1 :])
    closed = last.type == "fence" and last.level == 0 and last.map[0] < lines
    return not (closed and closing and closing[1].startswith(last.markup))


@cache
def _parser(front_matter: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 60}).enable("table").disable(["inline"])
    return parser.use(front_matter_plugin) if front_matter else parser
