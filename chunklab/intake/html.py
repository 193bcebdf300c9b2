"""HTML: the text a reader would see, with its structure, from lxml's event parser.

Events instead of a tree: memory stays linear, nothing recurses, and the tree that the standard asks for
can be quadratic in the source (unclosed formatting elements are repeated in every paragraph).
"""

from __future__ import annotations

import re
from collections import Counter

from lxml import etree

from chunklab.intake.page import Page
from chunklab.outline.base import pseudo_notice
from chunklab.outline.extracted import LINK
from chunklab.types import PSEUDO, Outline

_SKIPPED = ("script", "style", "noscript", "template", "iframe", "noframes", "noembed", "title")
_PARAGRAPHS = frozenset((
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "pre", "blockquote", "hr", "figure", "section",
    "article", "header", "footer", "main", "aside", "nav", "form", "fieldset", "details", "address",
    "listing", "xmp", "plaintext", "ul", "ol", "dl", "menu", "dir",
))  # fmt: skip
_LINES = frozenset((
    "html", "body", "div", "li", "dt", "dd", "tr", "caption", "thead", "tbody", "tfoot", "figcaption",
    "option", "optgroup", "summary", "legend", "center", "textarea", "select", "hgroup", "search", "dialog",
))  # fmt: skip
_LISTS = frozenset(("ul", "ol", "dl", "menu", "dir"))
_KEPT = frozenset(("pre", "listing", "xmp", "plaintext", "textarea"))
_BOLD = frozenset(("b", "strong"))
_KINDS = {
    **dict.fromkeys((f"h{n}" for n in range(1, 7)), "heading"), **dict.fromkeys(_LISTS, "list"),
    **dict.fromkeys(("li", "dt", "dd"), "item"), **dict.fromkeys(("td", "th"), "cell"),
    **dict.fromkeys(_KEPT, "code"), **dict.fromkeys(("a", "code", "kbd", "samp"), LINK),
    "p": "paragraph", "table": "table", "tr": "row", "blockquote": "quote",
}  # fmt: skip
_BLANKS = re.compile(r"[ \t\n\r\f]+")


def read(source: str) -> tuple[str, Outline, tuple[str, ...]]:
    """(text, outline, notices) of an HTML source, whole page or fragment, however broken.

    Block elements stand on lines of their own, paragraphs, lists and tables with a blank line around them;
    the cells of a row are separated by tabs; `pre` is kept as it is, other runs of blanks are one blank.
    Entities are decoded once. What browsers do not show is left out and counted: script, style, noscript,
    template and frames. Nothing is fetched. Headings are h1 to h6 wherever they stand; one ends at the first
    block inside it. A paragraph that is all bold is a pseudo-heading.
    """
    reader = _Reader()
    if source.strip():
        parser = etree.HTMLParser(target=reader, huge_tree=True, encoding="utf-8")
        try:
            parser.feed(source.encode("utf-8", "replace"))
            parser.close()
        except etree.LxmlError:
            reader.broken = True
    nodes, cut = reader.page.nodes()
    outline = Outline(nodes, (*pseudo_notice(nodes, "HTML"), *cut))
    return reader.page.text(), outline, reader.notices()


class _Reader:
    """The parser's target: turns elements into lines, paragraphs and nodes of a page."""

    def __init__(self) -> None:
        self.page = Page()
        self.open: list[str] = []
        self.counts: Counter[str] = Counter()
        self.skipped: Counter[str] = Counter()
        self.hidden = self.kept = self.lists = self.bold = 0
        self.title: list[str] = []
        self.first = False
        self.broken = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.open.append(tag)
        self.counts[tag] += 1
        if tag in _SKIPPED:
            self.skipped[tag] += not self.hidden
            self.hidden += 1
        if self.hidden:
            return
        page = self.page
        if tag == "br":
            page.write_kept("\n") if self.kept else page.line_end()
        elif tag in _PARAGRAPHS:
            page.end_line(1 if tag in _LISTS and self.lists else 2)
        elif tag in _LINES:
            page.end_line(1)
        if tag == "table":
            page.open_table()
        elif tag == "tr":
            page.open_row()
        elif tag in ("td", "th"):
            page.open_cell()
        kind = _KINDS.get(tag)
        if kind:
            page.open_node(tag, self._kind(kind), int(tag[1]) if kind == "heading" else 0)
        self.lists += tag in _LISTS
        self.bold += tag in _BOLD
        if tag in _KEPT:
            self.kept += 1
            self.first = True

    def _kind(self, kind: str) -> str:
        if kind == LINK and self.kept:
            return ""
        loose = kind == "paragraph" and not any(self.counts[each] for each in ("li", "dd", "table"))
        return PSEUDO if loose else kind

    def end(self, tag: str) -> None:
        if not self.counts[tag]:
            return
        while True:
            last = self.open.pop()
            self.counts[last] -= 1
            self._close(last)
            if last == tag:
                return

    def _close(self, tag: str) -> None:
        if self.hidden:
            self.hidden -= tag in _SKIPPED
            return
        page = self.page
        self.lists -= tag in _LISTS
        self.bold -= tag in _BOLD
        self.kept -= tag in _KEPT
        if tag in _KINDS:
            page.close_node(tag)
        if tag == "tr":
            page.close_row()
        if tag in _PARAGRAPHS:
            page.end_line(1 if tag in _LISTS and self.lists else 2)
        elif tag in _LINES:
            page.end_line(1)

    def data(self, text: str) -> None:
        if self.hidden:
            if self.counts["title"] and self.open[-1] == "title" and len(self.title) < 50:
                self.title.append(text)
        elif self.kept:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
            # A line end right after <pre> is not part of it.
            text = text.removeprefix("\n") if self.first else text
            self.first = False
            self.page.write_kept(text)
        else:
            self.page.write(_BLANKS.sub(" ", text), bool(self.bold))

    def close(self) -> None:
        while self.open:
            self._close(self.open.pop())

    def notices(self) -> tuple[str, ...]:
        """What was left out."""
        found = []
        title = " ".join("".join(self.title).split())[:200]
        if title:
            found.append(f"The page's title, {title!r}, is not part of the text.")
        counted = [f"{many} {tag}" for tag, many in self.skipped.items() if tag != "title"]
        if counted:
            found.append(f"Left out of the text, with what is in them: {', '.join(counted)}.")
        if self.broken:
            found.append("The HTML parser gave up: what follows the last line could not be read.")
        return tuple(found)
