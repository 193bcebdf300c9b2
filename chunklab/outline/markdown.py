"""The outline of a Markdown text, read with markdown-it-py (CommonMark, tables, front matter)."""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt

from chunklab.outline.blocks import blocks
from chunklab.scan import scan
from chunklab.types import PSEUDO, Document, Node, Outline, Span

MEDIA_TYPES = ("text/markdown",)
_MARKUP = re.compile(r"[*_`\[\]<&\\!]")
_LINKS = re.compile(r"[\[<`]")
_BOLD_LINE = re.compile(r"(\*\*|__)(?!\s)([^*_\n]{1,120})\1[ \t]*")


def read(document: Document) -> Outline:
    """Headings, tables, rows, list items, paragraphs, code and HTML blocks, and front matter, in order.

    A heading's span is its own lines without the line end; a heading inside a quote or a list is part of
    that block. A paragraph of one line that is all bold or all capitals is a pseudo-heading and
    is counted in a notice.
    """
    known = scan(document)
    lines = [*known.line_starts.tolist(), len(document.text)]
    ends = known.line_visible_ends.tolist()
    nodes: list[Node] = []
    inlines: list[tuple[str, int, int]] = []
    for kind, level, first, last, content in blocks(document.text, lines, known.filled.tolist()):
        low, high = lines[first], ends[min(last, len(ends)) - 1]
        if kind == "inline":
            if len(content) <= 20_000 and _LINKS.search(content):
                inlines.append((content, low, lines[min(last, len(lines) - 1)]))
        elif low < high:
            title = ""
            if kind == "heading":
                title = _title(content)
            elif kind == "paragraph" and level == 0:
                title = _pseudo_title(content)
                kind, level = PSEUDO if title else kind, 0
            nodes.append(Node(Span(low, high), kind, level if kind == "heading" else 0, title))
    document.fact(_INLINE, lambda: inlines)
    return Outline(tuple(nodes), _pseudo_notice([node for node in nodes if node.kind == PSEUDO]))


def _pseudo_title(content: str) -> str:
    """The title in a paragraph that is one line, all bold or all in capitals; "" in any other."""
    if "\n" in content or len(content) > 120:
        return ""
    bold = _BOLD_LINE.fullmatch(content)
    if bold:
        return bold[2]
    letters = sum(each.isalpha() for each in content)
    capitals = letters >= 4 and content.isupper() and content[0].isalnum()
    return content if capitals and content[-1] not in ".!?,;:" else ""


def _pseudo_notice(found: list[Node]) -> tuple[str, ...]:
    if not found:
        return ()
    many = (
        "1 line looks like a heading but is"
        if len(found) == 1
        else f"{len(found)} lines look like headings but are"
    )
    return (
        f"{many} none in Markdown; the first is {found[0].title[:60]!r}. bold_headings=true reads them so.",
    )


@cache
def _inline_parser() -> MarkdownIt:
    return MarkdownIt("commonmark")


def _title(content: str) -> str:
    if not _MARKUP.search(content) or len(content) > 500:
        return content.strip()
    children = _inline_parser().parseInline(content)[0].children or []
    return "".join(
        " " if each.type in ("softbreak", "hardbreak") else each.content for each in children
    ).strip()


def read_inline(document: Document) -> list[Span]:
    """The links, images, autolinks and inline code of the document, in order."""
    if document.known(_INLINE) is None:
        read(document)
    found: list[Span] = []
    for content, start, end in document.fact(_INLINE, list):
        cursor = start
        for low, high in _inline_ranges(content):
            # A line break inside a link is written in more than one way: such a link is not looked for.
            at = document.text.find(content[low:high], cursor, end)
            if at >= 0:
                found.append(Span(at, at + high - low))
                cursor = at + high - low
    return found


_INLINE = "markdown inline"


def _inline_ranges(content: str) -> list[tuple[int, int]]:
    """Half-open ranges in an inline text that its parser takes as one link, image, autolink or code."""
    noted: dict[str, list[tuple[int, int]]] = {"ranges": []}
    _watched_parser().parseInline(content, noted)
    return _outermost(noted["ranges"])


@cache
def _watched_parser() -> MarkdownIt:
    """A parser that notes in the environment it is given where each such element begins and ends."""
    parser = MarkdownIt("commonmark")
    for name in ("link", "image", "autolink", "backticks"):
        rule = next(each for each in parser.inline.ruler.__rules__ if each.name == name).fn

        def watched(state, silent, rule=rule):
            start = state.pos
            taken = rule(state, silent)
            if taken and not silent and state.level == 0 and state.pos - start > 1:
                state.env.setdefault("ranges", []).append((start, state.pos))
            return taken

        parser.inline.ruler.at(name, watched)
    return parser


def _outermost(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for start, end in sorted(ranges, key=lambda each: (each[0], -each[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept
