"""The outline of a Markdown text, as markdown-it-py has it (CommonMark, tables, front matter)."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from chunklab.outline.inline import Inline
from chunklab.outline.layout import Layout, layout_of
from chunklab.outline.parts import ATOMS, Parts, pairs, tables_in
from chunklab.scan import scan
from chunklab.types import PSEUDO, Document, Node, Outline, Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

MEDIA_TYPES = ("text/markdown",)
_MARKUP = re.compile(r"[*_`\[\]<&\\!]")
_BOLD_LINE = re.compile(r"(\*\*|__)(?!\s)([^*_\n]{1,120})\1[ \t]*")
_LONGEST_TITLE, _BOLD = 120, [ord("*"), ord("_")]


def read(document: Document) -> Outline:
    """Headings, tables, rows, list items, paragraphs, code and HTML blocks, and front matter, in order.

    A heading's span is its own lines without the line end; a heading inside a quote or a list is part of
    that block. A paragraph of one line that is all bold or all capitals is a pseudo-heading and
    is counted in a notice.
    """
    layout = layout_of(document)
    nodes: list[Node] = []
    for kind, level, first, last, content in layout.blocks:
        low, high = layout.span(first, last)
        if kind != "inline" and low < high:
            title = ""
            if kind == "heading":
                title = _title(content)
            elif kind == "paragraph" and level == 0:
                title = _pseudo_title(content)
                kind, level = PSEUDO if title else kind, 0
            nodes.append(Node(Span(low, high), kind, level if kind == "heading" else 0, title))
    titles = [node.title for node in nodes if node.kind == PSEUDO]
    return Outline(tuple(nodes), _pseudo_notice(titles))


def read_inline(document: Document) -> list[Span]:
    """The links, images, autolinks and inline code of the document, in order."""
    return [Span(low, high) for low, high in _inline(document).all()]


def parts(document: Document) -> Parts:
    """What cutting asks of the outline, without the outline; links that cross no line end are looked for later."""
    layout = layout_of(document)
    walk, inline = layout.walk, _inline(document)
    parsed = [block for blocks in walk.parsed for block in blocks]
    headings = [(line, line + 1, int(layout.margins.level[line])) for line in layout.heads.tolist()]
    headings += [(first, end, layout.underlined_level(end)) for first, end in walk.underlined]
    headings += [(first, end, level) for kind, level, first, end, _ in parsed if kind == "heading"]
    found = pairs(sorted(headings), 3)
    pseudo, titles = _pseudo(layout)
    rows = [line for first, end in walk.tables for line in (first, *range(first + 2, end))]
    blocks = [(line, line + 1) for line in rows] + walk.items + walk.fences + walk.html
    blocks += [(first, end) for kind, _, first, end, _ in parsed if kind in ATOMS]
    atoms = layout.spans(np.concatenate((pairs(blocks), layout.code)))
    plain = pairs([(first, first + 2, end) for first, end in walk.tables if end > first + 2], 3)
    tables = np.stack(
        (layout.starts[plain[:, 0]], layout.starts[plain[:, 1]], layout.ends[plain[:, 2] - 1]), axis=1
    )
    nodes = [
        Node(Span(*layout.span(first, end)), kind)
        for kind, _, first, end, _ in parsed
        if kind in ("table", "row")
    ]
    tables = np.concatenate((tables, tables_in(document, nodes)))
    return Parts(
        layout.spans(found[:, :2]), found[:, 2], pseudo, atoms[atoms[:, 0] < atoms[:, 1]],
        tables[np.argsort(tables[:, 0], kind="stable")], pairs(inline.crossing), _pseudo_notice(titles), inline.around,
        pairs(zip(inline.lows, inline.ends, strict=True)),
    )  # fmt: skip


def _inline(document: Document) -> Inline:
    return document.fact("markdown inline", lambda: Inline(layout_of(document), scan(document)))


def _pseudo(layout: Layout) -> tuple[np.ndarray, list[str]]:
    """Where the pseudo-headings are, and their titles."""
    lines = layout.paragraphs
    starts, ends = layout.spans(lines).T
    short = np.flatnonzero((lines[:, 1] - lines[:, 0] == 1) & (ends - starts <= _LONGEST_TITLE + 3))
    bold = np.isin(layout.margins.head[lines[short, 0]], _BOLD)
    said = [
        layout.text[low:high] for low, high in zip(starts[short].tolist(), ends[short].tolist(), strict=True)
    ]
    may = [
        at
        for at, text, is_bold in zip(short.tolist(), said, bold.tolist(), strict=True)
        if is_bold or text.isupper()
    ]
    found = [(first, layout.content(first, end), end) for first, end in lines[may].tolist()]
    found += [
        (first, content, end)
        for blocks in layout.walk.parsed
        for kind, level, first, end, content in blocks
        if kind == "paragraph" and level == 0
    ]
    titled = [
        (first, end, title) for first, content, end in sorted(found) if (title := _pseudo_title(content))
    ]
    return layout.spans(pairs((first, end) for first, end, _ in titled)), [title for *_, title in titled]


def _pseudo_title(content: str) -> str:
    """The title in a paragraph that is one line, all bold or all in capitals; "" in any other."""
    if len(content) > _LONGEST_TITLE or "\n" in content:
        return ""
    if content[:2] in ("**", "__") and (bold := _BOLD_LINE.fullmatch(content)):
        return bold[2]
    if not content.isupper() or not content[0].isalnum() or content[-1] in ".!?,;:":
        return ""
    return content if sum(each.isalpha() for each in content) >= 4 else ""


def _pseudo_notice(titles: list[str]) -> tuple[str, ...]:
    if not titles:
        return ()
    many = (
        "1 line looks like a heading but is"
        if len(titles) == 1
        else f"{len(titles)} lines look like headings but are"
    )
    return (f"{many} none in Markdown; the first is {titles[0][:60]!r}. bold_headings=true reads them so.",)


@cache
def _inline_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")


def _title(content: str) -> str:
    if not _MARKUP.search(content) or len(content) > 500:
        return content.strip()
    children = _inline_parser().parseInline(content)[0].children or []
    return "".join(
        " " if each.type in ("softbreak", "hardbreak") else each.content for each in children
    ).strip()
