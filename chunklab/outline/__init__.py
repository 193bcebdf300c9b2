"""Document -> Outline: one reader a format, each a module with `MEDIA_TYPES` and `read(document)`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from chunklab.outline.parts import Parts, parts_in
from chunklab.types import Document, Outline, Span


@cache
def readers() -> dict[str, str]:
    """Media type -> name of the module that reads it."""
    found = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        found.update(dict.fromkeys(module.MEDIA_TYPES, module.__name__))
    return found


def outline_of(document: Document, media_type: str | None = None) -> Outline:
    """The document's outline, kept with it; empty where no reader knows the media type.

    `media_type` reads the document as if it were of that type.
    """
    name = readers().get(media_type or document.media_type)
    if name is None:
        return Outline()
    return document.fact(("outline", name), lambda: importlib.import_module(name).read(document))


def inline_spans(document: Document, media_type: str | None = None) -> list[Span]:
    """Links, inline code and the like: spans inside a line that should stay whole; none for most formats."""
    name = readers().get(media_type or document.media_type)
    read = getattr(importlib.import_module(name), "read_inline", None) if name else None
    return document.fact(("inline", name), lambda: read(document)) if read else []


def parts_of(document: Document, media_type: str | None = None) -> Parts:
    """What cutting at headings asks of the outline, kept with the document; sooner made than that where its reader knows how."""
    name = readers().get(media_type or document.media_type, "")
    make = getattr(importlib.import_module(name), "parts", None) if name else None
    if make is None:
        outline, links = outline_of(document, media_type), inline_spans(document, media_type)
        return document.fact(("parts", name), lambda: parts_in(document, outline, links))
    return document.fact(("parts", name), lambda: make(document))
