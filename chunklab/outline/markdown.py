"""The outline of a Markdown text, read with markdown-it-py (CommonMark, tables, front matter)."""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from chunklab.scan import scan
from chunklab.types import PSEUDO, Document, Node, Outline, Span

MEDIA_TYPES = ("text/markdown",)
_KINDS = {
    "fence": "code", "code_block": "code", "html_block": "html", "front_matter": "front_matter",
    "table_open": "table", "tr_open": "row", "list_item_open": "item", "paragraph_open": "paragraph",
    "blockquote_open": "quote",
}  # fmt: skip
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
    lines = known.line_starts
    nodes: list[Node] = []

    def span(token: Token) -> Span | None:
        first, last = token.map
        low = int(lines[first])
        high = int(known.visible_end[lines[last] if last < len(lines) else len(document.text)])
        return Span(low, high) if high > low else None

    tokens = _parser().parse(document.text)
    document.fact(_INLINE, lambda: _inlines(document, tokens))
    for at, token in enumerate(tokens):
        if not token.map:
            continue
        if token.type == "heading_open" and token.level == 0:
            place = span(token)
            if place:
                nodes.append(Node(place, "heading", int(token.tag[1]), _title(tokens[at + 1].content)))
        elif token.type in _KINDS:
            place = span(token)
            if place is None:
                continue
            kind, title = _KINDS[token.type], ""
            if kind == "paragraph" and token.level == 0:
                title = _pseudo_title(tokens[at + 1].content)
                kind = PSEUDO if title else kind
            nodes.append(Node(place, kind, 0, title))
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
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 60}).enable("table").use(front_matter_plugin)
    return parser.disable(["inline"])


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
    found: list[Span] = []
    for content, start, end in document.fact(
        _INLINE, lambda: _inlines(document, _parser().parse(document.text))
    ):
        cursor = start
        for low, high in _inline_ranges(content):
            # A line break inside a link is written in more than one way: such a link is not looked for.
            at = document.text.find(content[low:high], cursor, end)
            if at >= 0:
                found.append(Span(at, at + high - low))
                cursor = at + high - low
    return found


_INLINE = "markdown inline"


def _inlines(document: Document, tokens: list[Token]) -> list[tuple[str, int, int]]:
    """(content, start, end) of each block of inline text that may hold a link or code."""
    lines = [*scan(document).line_starts.tolist(), len(document.text)]
    return [
        (token.content, lines[token.map[0]], lines[min(token.map[1], len(lines) - 1)])
        for token in tokens
        if token.type == "inline"
        and token.map
        and len(token.content) <= 20_000
        and _LINKS.search(token.content)
    ]


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
