"""The text of a PDF in reading order, with a node for each page; pages are kept apart by a form feed.

Columns are told by a strip of white that runs down beside three or more lines (the XY-cut of Nagy and Seth
1984). Lines of a paragraph are joined again, words that were hyphenated at a line's end too, and ligatures
are written as the letters they stand for: offsets are into the text that comes of it.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from chunklab.errors import IntakeError, shown
from chunklab.intake.text import without_controls
from chunklab.types import Node, Outline, Span

PAGE = "page"
MAX_PAGES = 2000
GUTTER, COLUMN_LINES = 9.0, 3
"""The least width of the white between columns in points, and how many lines must stand on either side."""
_LIGATURES = str.maketrans(
    {
        "\ufb00": "ff",
        "\ufb01": "fi",
        "\ufb02": "fl",
        "\ufb03": "ffi",
        "\ufb04": "ffl",
        "\ufb05": "st",
        "\ufb06": "st",
    }
)
_SOFT = re.compile("[\x02\xad]")


@dataclass(slots=True)
class _Line:
    """A run of characters on one line, and its box in points from the page's lower left corner."""

    text: str
    left: float
    bottom: float
    right: float
    top: float


def read(name: str, data: bytes) -> tuple[str, Outline, tuple[str, ...]]:
    """(text, outline, notices) of a file; IntakeError for one that is damaged, locked, or has no text."""
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(data)
        count = len(pdf)
    except pypdfium2.PdfiumError as error:
        locked = "password" in str(error).lower()
        why = "it asks for a password. Save it without one" if locked else "it is damaged. Save it anew"
        raise IntakeError(f"{shown(name)}: cannot be read, {why}, or paste its text.") from None
    pieces: list[str] = []
    nodes: list[Node] = []
    at, empty = 0, 0
    for number in range(min(count, MAX_PAGES)):
        text = _page(pdf, number)
        if not text:
            empty += 1
            continue
        if pieces:
            pieces.append("\n\f")
            at += 2
        nodes.append(Node(Span(at, at + len(text)), PAGE, 0, f"page {number + 1}"))
        pieces.append(text)
        at += len(text)
    if not pieces:
        raise IntakeError(
            f"{shown(name)}: has no text on its {count} pages, only pictures. Run text recognition (OCR) first."
        )
    notices = []
    if empty:
        notices.append(f"{empty} of {count} pages have no text: they may be pictures.")
    if count > MAX_PAGES:
        notices.append(f"Only the first {MAX_PAGES:,} of {count:,} pages were read.")
    return "".join(pieces), Outline(tuple(nodes)), tuple(notices)


def plain(text: str) -> str:
    """The text with ligatures as letters and words joined that a line's end hyphenated."""
    text = text.translate(_LIGATURES)
    return re.sub(r"(?<=[^\W\d_])[-\u2010\x02\xad]\n(?=[^\W\d_A-Z])", "", text)


def pages_of(outline: Outline, start: int, end: int) -> tuple[int, int] | None:
    """The numbers, from 1, of the first and the last page that a span has text of; None without pages."""
    found = [
        int(node.title.rpartition(" ")[2])
        for node in outline.nodes
        if node.kind == PAGE and node.span.start < end and start < node.span.end
    ]
    return (found[0], found[-1]) if found else None


def _page(pdf, number: int) -> str:
    import pypdfium2

    try:
        page = pdf[number]
        found = page.get_textpage()
    except pypdfium2.PdfiumError:
        return ""
    lines = _lines(found)
    found.close()
    page.close()
    return without_controls(plain("\n\n".join(map(_paragraphs, _ordered(lines)))))[0].strip()


def _lines(found) -> list[_Line]:
    """The runs of characters in the order of the file, broken at line ends and at wide gaps."""
    from pypdfium2 import raw

    box = [ctypes.c_double() for _ in range(4)]
    lines: list[_Line] = []
    current: _Line | None = None
    for at in range(raw.FPDFText_CountChars(found)):
        code = raw.FPDFText_GetUnicode(found, at)
        letter = chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\N{REPLACEMENT CHARACTER}"
        if letter in "\r\n":
            current = None
            continue
        raw.FPDFText_GetCharBox(found, at, *map(ctypes.byref, (box[0], box[2], box[1], box[3])))
        left, bottom, right, top = (each.value for each in box)
        if letter == " " or code == 0:
            if current is not None:
                current.text += " "
            continue
        height = max(top - bottom, 1.0)
        if (
            current is None
            or left - current.right > max(GUTTER, 1.5 * height)
            or left < current.left - height
        ):
            current = _Line("", left, bottom, right, top)
            lines.append(current)
        current.text += letter
        current.right, current.top = max(current.right, right), max(current.top, top)
        current.bottom = min(current.bottom, bottom)
    for each in lines:
        each.text = each.text.strip()
    return [each for each in lines if _SOFT.sub("", each.text)]


def _ordered(lines: Sequence[_Line], depth: int = 0) -> list[list[_Line]]:
    """The lines as regions in reading order, each from top to bottom: columns from left to right."""
    if depth < 8 and (at := _gutter(lines)) is not None:
        left = [each for each in lines if each.right <= at]
        right = [each for each in lines if each.left >= at]
        return [*_ordered(left, depth + 1), *_ordered(right, depth + 1)]
    rows = sorted(lines, key=lambda each: -each.top)
    if depth < 8:
        for at in range(1, len(rows)):
            above, below = rows[:at], rows[at:]
            if min(each.bottom for each in above) < max(each.top for each in below):
                continue
            if _gutter(below) is not None or _gutter(above) is not None:
                return [*_ordered(above, depth + 1), *_ordered(below, depth + 1)]
    return [_rows(rows)] if rows else []


def _gutter(lines: Sequence[_Line]) -> float | None:
    """Where a strip of white runs from top to bottom with enough lines on either side; None where none does."""
    spans = sorted((each.left, each.right) for each in lines)
    reach = spans[0][1] if spans else 0.0
    for at, (left, right) in enumerate(spans[1:], 1):
        if left - reach >= GUTTER and at >= COLUMN_LINES and len(spans) - at >= COLUMN_LINES:
            return (left + reach) / 2
        reach = max(reach, right)
    return None


def _rows(lines: Sequence[_Line]) -> list[_Line]:
    """The lines from top to bottom; runs on one height are one line, their gaps kept as a tab."""
    rows: list[_Line] = []
    for each in lines:
        if rows and each.top > rows[-1].bottom + (rows[-1].top - rows[-1].bottom) / 2:
            first, second = sorted((rows[-1], each), key=lambda line: line.left)
            rows[-1] = _Line(
                f"{first.text}\t{second.text}", first.left, min(first.bottom, second.bottom),
                max(first.right, second.right), max(first.top, second.top),
            )  # fmt: skip
        else:
            rows.append(each)
    return rows


def _paragraphs(lines: Sequence[_Line]) -> str:
    """The text of a region: a blank line where the gap is wide, one text where a line runs on into the next."""
    gaps = sorted(above.top - below.top for above, below in pairwise(lines))
    usual = gaps[len(gaps) // 2] if gaps else 0.0
    edge = max((each.right for each in lines), default=0.0)
    said = lines[0].text if lines else ""
    for above, below in pairwise(lines):
        full = (
            above.right > lines[0].left + 0.85 * (edge - lines[0].left)
            and "\t" not in above.text + below.text
        )
        if above.top - below.top > 1.4 * usual:
            said += "\n\n"
        elif full and not said.endswith(("-", "\u2010", "\x02", "\xad")):
            said += " "
        else:
            said += "\n"
        said += below.text
    return said
