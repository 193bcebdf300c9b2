"""The blocks that markdown-it-py finds in some lines, and whether more lines may belong to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MEDIA_TYPES = ()
Block = tuple[str, int, int, int, str]
"""Kind, level, first line, line after the last, content. The level is a heading's own, else how deep a block is
nested. After a heading or a paragraph comes an "inline" with its content."""

_KINDS = {
    "fence": "code", "code_block": "code", "html_block": "html", "front_matter": "front_matter",
    "table_open": "table", "tr_open": "row", "list_item_open": "item", "paragraph_open": "paragraph",
    "blockquote_open": "quote", "inline": "inline",
}  # fmt: skip
_CLOSED = {"paragraph_close", "heading_close", "blockquote_close", "table_close", "hr"}
_FENCE_END = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*")


def parse(text: str, front_matter: bool = False) -> list[Token]:
    """The parser's tokens, without what is inside a line."""
    return _parser(front_matter).parse(text)


def blocks_of(tokens: Sequence[Token], line: int = 0) -> Iterator[Block]:
    """The blocks in order, outer before inner; the part that was parsed begins at a line."""
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


def closed_by_blank(tokens: Sequence[Token]) -> bool:
    """Whether nothing of the part goes on after a blank line: no list, code or HTML is the last at the top."""
    return not tokens or tokens[-1].type in _CLOSED


def stays_open(tokens: Sequence[Token], part: str) -> bool:
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
    from markdown_it import MarkdownIt
    from mdit_py_plugins.front_matter import front_matter_plugin

    parser = MarkdownIt("commonmark", {"maxNesting": 60}).enable("table").disable(["inline"])
    return parser.use(front_matter_plugin) if front_matter else parser
