"""bytes -> Document: one reader a format, chosen by the name's ending."""

from __future__ import annotations

import importlib
from pathlib import PurePath, PureWindowsPath

from chunklab.errors import IntakeError, shown
from chunklab.intake import charset
from chunklab.intake import text as plain
from chunklab.syntax.languages import BY_ENDING
from chunklab.types import Document

MEDIA_TYPES = {
    ".txt": "text/plain", ".text": "text/plain",
    ".md": "text/markdown", ".markdown": "text/markdown", ".mdown": "text/markdown",
    ".html": "text/html", ".htm": "text/html", ".xhtml": "text/html", ".rst": "text/x-rst",
    ".json": "application/json", ".jsonl": "application/x-ndjson", ".ndjson": "application/x-ndjson",
    ".pdf": "application/pdf", ".xml": "application/xml", ".csv": "text/csv", ".tsv": "text/tab-separated-values",
    ".ipynb": "application/x-ipynb+json",
    **BY_ENDING,
}  # fmt: skip
# The text of these is made from the source by a module here: `read(source) -> (text, outline, notices)`.
EXTRACTED = {"text/html": "html", "application/x-ipynb+json": "notebook"}
# These are no text: `read(name, data) -> (text, outline, notices)`.
BINARY = {"application/pdf": "pdf"}
MAX_BYTES = 20_000_000


def read_bytes(name: str, data: bytes) -> Document:
    """The document in a file's bytes; its id is the name without folders.

    The ending decides the media type, in any case of letters; a name without a known ending is read as
    plain text. Raises IntakeError when the bytes are not text or are too many.
    """
    clean = file_name(name)
    if len(data) > MAX_BYTES:
        raise IntakeError(
            f"{shown(clean)}: is too large, got {len(data) / 1e6:.1f} MB, at most {MAX_BYTES / 1e6:.0f} MB. Split it."
        )
    media_type = MEDIA_TYPES.get(PurePath(clean).suffix.lower(), "text/plain")
    if media_type in BINARY or data.startswith(b"%PDF-"):
        kind = "application/pdf" if data.startswith(b"%PDF-") else media_type
        text, outline, notices = importlib.import_module(f"{__name__}.{BINARY[kind]}").read(clean, data)
        return Document(clean, text, kind, notices, outline)
    decoded, notices = charset.decode(clean, data, media_type)
    return from_text(decoded, clean, media_type, notices)


def from_text(
    text: str, id: str = "pasted.txt", media_type: str | None = None, notices: tuple[str, ...] = ()
) -> Document:
    """A document from text at hand: control characters are removed and reported, nothing else changes.

    For HTML and notebooks `text` is the source, and the document's text is what is extracted from it.
    """
    clean, removed = plain.without_controls(text)
    kind = media_type or MEDIA_TYPES.get(PurePath(id).suffix.lower(), "text/plain")
    outline = None
    if kind in EXTRACTED:
        clean, outline, told = importlib.import_module(f"{__name__}.{EXTRACTED[kind]}").read(clean)
        removed = (*removed, *told)
    if not clean.strip():
        removed = (
            *removed,
            "The text is empty: there is nothing to cut." if not clean else "The text is blank.",
        )
    return Document(id, clean, kind, (*notices, *removed), outline)


def file_name(name: str) -> str:
    """The last part of a path of any system, without control characters; never empty."""
    last = PureWindowsPath(name.replace("\0", "")).name
    return "".join(each for each in last if each.isprintable())[:200] or "document.txt"
