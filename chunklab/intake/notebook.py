"""Jupyter notebooks: the sources of the cells, joined by blank lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from chunklab.intake.text import without_controls
from chunklab.outline import markdown
from chunklab.outline.base import pseudo_notice
from chunklab.outline.extracted import LINK
from chunklab.types import Document, Node, Outline, Span

_BETWEEN = "\n\n"


def read(source: str) -> tuple[str, Outline, tuple[str, ...]]:
    """(text, outline, notices) of a notebook's source, format 4 or 3.

    Markdown cells are read as Markdown, so their headings are the notebook's; each code cell is one code
    node titled by the language, without fences. Outputs and attachments are left out and counted. A source
    that is no notebook is shown as it is, with a notice that says why.
    """
    try:
        book = (
            json.loads(source, parse_int=str, parse_float=str, parse_constant=str) if source.strip() else None
        )
    except ValueError as error:
        return (
            source,
            Outline(),
            (f"This is no notebook and is shown as it is: not valid JSON, {_where(error)}.",),
        )
    except RecursionError:
        return source, Outline(), ("This is no notebook and is shown as it is: it is nested too deeply.",)
    if book is None:
        return source, Outline(), ()
    cells = list(_cells(book))
    if not cells:
        return source, Outline(), ("This is no notebook and is shown as it is: it has no cells.",)
    language = _language(book)
    pieces: list[str] = []
    nodes: list[Node] = []
    notices: list[str] = []
    at = outputs = attachments = 0
    for cell in cells:
        outputs += bool(cell.get("outputs"))
        attachments += bool(cell.get("attachments"))
        kind, text = cell.get("cell_type"), _source(cell)
        if not text.strip():
            continue
        if pieces:
            at += len(_BETWEEN)
        if kind == "markdown":
            nodes += _markdown(text, at)
        elif kind == "heading":
            nodes.append(Node(_visible(text, at), "heading", _level(cell), " ".join(text.split())))
        elif kind == "code":
            nodes.append(Node(_visible(text, at), "code", 0, str(cell.get("language") or language)[:40]))
        else:
            nodes.append(Node(_visible(text, at), "paragraph"))
        pieces.append(text)
        at += len(text)
    for count, what in ((outputs, "outputs"), (attachments, "attachments")):
        if count:
            notices.append(f"The {what} of {count} cell{'s' if count > 1 else ''} were left out.")
    return _BETWEEN.join(pieces), Outline(tuple(nodes), pseudo_notice(nodes, "Markdown")), tuple(notices)


def _cells(book: Any) -> Iterator[dict]:
    """The cells in order; in format 3 they lie in worksheets."""
    if not isinstance(book, dict):
        return
    sheets = book.get("worksheets")
    for holder in [book, *(sheets if isinstance(sheets, list) else [])]:
        cells = holder.get("cells") if isinstance(holder, dict) else None
        if isinstance(cells, list):
            yield from (cell for cell in cells if isinstance(cell, dict))


def _source(cell: dict) -> str:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    return without_controls(source)[0].strip("\n\r") if isinstance(source, str) else ""


def _language(book: dict) -> str:
    metadata = book.get("metadata")
    for name, key in (("language_info", "name"), ("kernelspec", "language")):
        info = metadata.get(name) if isinstance(metadata, dict) else None
        if isinstance(info, dict) and isinstance(info.get(key), str):
            return info[key]
    return "code"


def _level(cell: dict) -> int:
    level = str(cell.get("level", "1"))
    return int(level) if level in "123456" and len(level) == 1 else 1


def _markdown(text: str, at: int) -> list[Node]:
    cell = Document("cell", text, "text/markdown")
    nodes = list(markdown.read(cell).nodes) + [Node(span, LINK) for span in markdown.read_inline(cell)]
    nodes.sort(key=lambda node: (node.span.start, -node.span.end))
    return [
        Node(Span(node.span.start + at, node.span.end + at), node.kind, node.level, node.title)
        for node in nodes
    ]


def _visible(text: str, at: int) -> Span:
    return Span(at + len(text) - len(text.lstrip()), at + len(text.rstrip()))


def _where(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at line {error.lineno}, column {error.colno}"
    return str(error)[:100]
