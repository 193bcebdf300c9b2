"""Formats whose text is extracted at intake: the outline comes with the document."""

from __future__ import annotations

from chunklab.types import Document, Outline, Span

MEDIA_TYPES = ("text/html", "application/x-ipynb+json", "application/pdf")
LINK = "link"
"""The kind of a node for a link or inline code: a span inside a line that should stay whole."""


def read(document: Document) -> Outline:
    """What intake found; a notice where the document was not made from a file of its format."""
    found = document.outline
    if found is None or (found.nodes and found.nodes[-1].span.end > len(document.text)):
        return Outline((), ("The text was not read from a file of this format: its structure is not known.",))
    return found


def read_inline(document: Document) -> list[Span]:
    """The links and inline code of the document, in order, the outermost only."""
    spans: list[Span] = []
    for node in read(document).nodes:
        if node.kind == LINK and (not spans or node.span.start >= spans[-1].end):
            spans.append(node.span)
    return spans
