"""Plain text in whatever encoding it comes."""

from __future__ import annotations

import codecs
import contextlib
import re

from chunklab.errors import IntakeError, shown

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
_MAGIC = (
    b"\x89PNG",
    b"%PDF-",
    b"PK\x03\x04",
    b"\xff\xd8\xff",
    b"GIF8",
    b"\x7fELF",
    b"MZ\x90",
    b"\x1f\x8b\x08",
    b"7z\xbc\xaf",
)
# Controls that are neither line ends, tabs nor page breaks; U+0085 is a line end of its own and stays.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]")
_SURROGATES = re.compile("[\ud800-\udfff]")
# More than this share of control characters is no text: bytes that are not UTF-8 get less benefit of the doubt.
_UTF8_CONTROLS, _LEGACY_CONTROLS = 0.3, 0.05


def decode(name: str, data: bytes) -> tuple[str, tuple[str, ...]]:
    """The text and notices about how it was read; raises IntakeError when the bytes are not text.

    In order: a byte order mark, UTF-8, UTF-16 by its zero bytes, Windows-1252 where few bytes are above
    ASCII, then charset-normalizer's best guess. Everything but plain UTF-8 is told in a notice.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(encoding, "replace")
            what = (
                "a byte order mark was removed" if encoding == "utf-8" else f"decoded as {encoding.upper()}"
            )
            return text.removeprefix("\ufeff"), (f"Encoding: {what}.",)
    if data.startswith(_MAGIC):
        raise _not_text(name)
    try:
        text = data.decode("utf-8")
        guess = ""
    except UnicodeDecodeError:
        text, guess = None, ""
    wide = _wide_encoding(data)
    if wide and (text is None or "\0" in text):
        with contextlib.suppress(UnicodeDecodeError):
            text, guess = data.decode(wide), wide
    if text is None:
        text, guess = _legacy(name, data)
    if len(_CONTROLS.findall(text)) > len(text) * (_LEGACY_CONTROLS if guess else _UTF8_CONTROLS):
        raise _not_text(name)
    return text, (f"Encoding: not UTF-8; decoded as {guess}.",) if guess else ()


def without_controls(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without control characters (tabs, line ends and page breaks stay) and notices about it."""
    notices: list[str] = []
    if text.startswith("\ufeff"):
        text = text[1:]
        notices.append("A byte order mark was removed.")
    text, count = _CONTROLS.subn("", text)
    if count:
        notices.append(
            f"{count} control characters were removed."
            if count > 1
            else "1 of the control characters was removed."
        )
    text, count = _SURROGATES.subn("\ufffd", text)
    if count:
        notices.append(f"{count} broken characters (lone surrogates) were replaced by U+FFFD.")
    return text, tuple(notices)


def _wide_encoding(data: bytes) -> str:
    sample = data[:4096]
    if len(sample) < 4:
        return ""
    even, odd = sample[::2].count(0) / len(sample[::2]), sample[1::2].count(0) / len(sample[1::2])
    if odd > 0.4 and even < 0.1:
        return "utf-16-le"
    return "utf-16-be" if even > 0.4 and odd < 0.1 else ""


def _legacy(name: str, data: bytes) -> tuple[str, str]:
    """The text of bytes that are no Unicode, and the encoding's name.

    Up to 40 % of bytes above ASCII are what Western European languages need: that is Windows-1252
    wherever it can be. More of them mean another script, and charset-normalizer decides.
    """
    sample = data[:65536]
    if sum(byte > 127 for byte in sample) <= 0.4 * len(sample):
        with contextlib.suppress(UnicodeDecodeError):
            return data.decode("cp1252"), "Windows-1252"
    from charset_normalizer import from_bytes

    best = from_bytes(data).best()
    if best is None:
        raise _not_text(name)
    return str(best), re.sub("^cp125", "Windows-125", best.encoding).replace("_", "-")


def _not_text(name: str) -> IntakeError:
    return IntakeError(f"{shown(name)}: is not text; choose a text file, such as .txt, .md, .html or .py.")
