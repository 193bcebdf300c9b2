"""Chunks as files: JSON for programs and CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from chunklab import __version__
from chunklab.chunking import Chunks
from chunklab.intake import file_name
from chunklab.intake.pdf import pages_of
from chunklab.report import report
from chunklab.types import Outline

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def record(chunks: Chunks) -> dict[str, Any]:
    """The document, the recipe, every chunk and the report, as plain values for JSON."""
    document, tokenizer = chunks.document, chunks.recipe.split.tokenizer
    return {
        "document": {
            "id": document.id,
            "media_type": document.media_type,
            "characters": len(document.text),
            "digest": document.digest,
            "notices": list(document.notices),
        },
        "recipe": str(chunks.recipe),
        "version": __version__,
        "tokenizer": tokenizer,
        "chunks": rows(chunks),
        "report": report(chunks),
    }


def rows(chunks: Chunks) -> list[dict[str, Any]]:
    """One mapping a chunk: index, id, start, end, text, characters, tokens, headings, context, returned, cut.

    Where the document has pages there are also "pages", the first and the last one that the chunk has text of.
    """
    outline = chunks.document.outline or Outline()
    pages = [pages_of(outline, each.span.start, each.span.end) for each in chunks]
    tokens = chunks.token_counts(chunks.recipe.split.tokenizer).tolist()
    return [
        {
            "index": each.index,
            "id": each.id,
            "start": each.span.start,
            "end": each.span.end,
            "text": each.text,
            "characters": len(each.span),
            "tokens": count,
            "headings": list(each.headings),
            "context": each.context,
            "returned": {"start": each.returned.start, "end": each.returned.end},
            "cut": each.cut,
        }
        | ({"pages": list(page)} if page else {})
        for each, count, page in zip(chunks, tokens, pages, strict=True)
    ]


def to_json(chunks: Chunks) -> str:
    """`record` as indented JSON text."""
    return json.dumps(record(chunks), ensure_ascii=False, indent=2)


def to_csv(chunks: Chunks) -> str:
    """One line a chunk; a cell that a spreadsheet would run as a formula is given a leading apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["index", "start", "end", "characters", "tokens", "cut", "headings", "context", "text"])
    for row in rows(chunks):
        words = [row["cut"], " > ".join(row["headings"]), row["context"], row["text"]]
        numbers = [row[name] for name in ("index", "start", "end", "characters", "tokens")]
        writer.writerow([*numbers, *map(cell, words)])
    return out.getvalue()


def cell(text: str) -> str:
    """The text as a spreadsheet cell that is never a formula (OWASP, CSV injection)."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def export_name(document_id: str, ending: str) -> str:
    """A file name for a download: the document's own, without folders or odd characters."""
    stem = file_name(document_id).rpartition(".")[0] or file_name(document_id)
    clean = "".join(each if each.isalnum() or each in " -_" else "_" for each in stem).strip() or "document"
    return f"{clean[:80]}.chunks.{ending}"
