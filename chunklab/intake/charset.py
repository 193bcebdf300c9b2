"""Text whose own first lines say in which encoding it is written: HTML and XML."""

from __future__ import annotations

import codecs
import re

from chunklab.intake import text as plain

_DECLARED = {
    "text/html": re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE),
    "application/xml": re.compile(rb"""^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]{2,40})"""),
}
# Browsers read these names as Windows-1252, which has more characters.
_LATIN = ("iso8859-1", "ascii")
# Python has codecs for other ends; UTF-7 is one that browsers refuse, as it hides markup.
_NO_ENCODINGS = (
    "idna",
    "punycode",
    "unicode-escape",
    "raw-unicode-escape",
    "unicode_escape",
    "raw_unicode_escape",
    "utf-7",
)


def decode(name: str, data: bytes, media_type: str) -> tuple[str, tuple[str, ...]]:
    """The text and notices; a declared encoding is used where the bytes are not UTF-8 and bear no mark."""
    declared = _declared(data, media_type)
    if declared and not _is_utf8(data):
        text = data.decode(declared, "replace")
        if "\0" not in text:
            broken = text.count("\ufffd")
            lost = f" {broken} characters could not be read." if broken else ""
            return text, (f"Encoding: not UTF-8; decoded as {declared}, as the file says.{lost}",)
    return plain.decode(name, data)


def _declared(data: bytes, media_type: str) -> str:
    pattern = _DECLARED.get(media_type)
    found = pattern.search(data[:2048]) if pattern else None
    if not found:
        return ""
    try:
        name = codecs.lookup(found[1].decode("ascii", "replace")).name
        if name in _NO_ENCODINGS or "<".encode(name) != b"<":
            return ""
    except (LookupError, ValueError):
        return ""
    return "cp1252" if name in _LATIN else name


def _is_utf8(data: bytes) -> bool:
    if data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
