"""The outline of XML text, by expat: it tells where each tag begins and fetches nothing."""

from __future__ import annotations

import re
from array import array
from xml.parsers import expat

import numpy as np

from chunklab.outline.base import MAX_NODES, Nested, joined_path, left_out, place
from chunklab.scan import scan
from chunklab.types import Document, Node, Outline, Span

MEDIA_TYPES = ("application/xml",)
_TAG = re.compile(rb"""<(?:[^"'>]|"[^"]*+"|'[^']*+')*+>""")
_NO_ENTITY = re.compile(r"&(?!(?:#[0-9]+|#x[0-9A-Fa-f]+|[\w:][\w.:-]*);)")
_OWN_ENTITY = re.compile(r"<!ENTITY\s")


class _Reader:
    """Collects elements in order of their start; offsets are bytes of the UTF-8 text until the end."""

    def __init__(self, data: bytes):
        self.data = data
        self.start, self.end, self.depth = array("i"), array("i"), array("i")
        self.above, self.mixed = array("i"), bytearray()
        self.tags = array("i")
        self.titles: list[str] = []
        self.open: list[tuple[int, bool, str, dict[str, int]]] = []
        self.parser = expat.ParserCreate("utf-8")
        self.parser.specified_attributes = True
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._opened
        self.parser.EndElementHandler = self._closed
        self.parser.CharacterDataHandler = self._said

    def parse(self) -> tuple[str, int]:
        """(what is wrong, byte where), or ("", 0)."""
        try:
            self.parser.Parse(self.data, True)
        except expat.ExpatError as error:
            return expat.errors.messages[error.code], min(self.parser.ErrorByteIndex, len(self.data))
        return "", 0

    def _opened(self, name: str, attributes: dict[str, str]) -> None:
        start = self.parser.CurrentByteIndex
        found = _TAG.match(self.data, start)
        end = found.end() if found else start + 1
        row = len(self.start)
        self.start.append(start)
        self.end.append(-1)
        self.depth.append(len(self.open))
        self.above.append(self.open[-1][0] if self.open else -1)
        self.mixed.append(0)
        self.tags.extend((start, end))
        if row < MAX_NODES:
            above = self.titles[self.open[-1][0]] if self.open else ""
            seen = self.open[-1][3] if self.open else {}
            seen[name] = seen.get(name, 0) + 1
            self.titles.append(joined_path(above, name if seen[name] == 1 else f"{name}[{seen[name]}]"))
        self.open.append((row, self.data[end - 2 : end] == b"/>", name, {}))

    def _closed(self, name: str) -> None:
        row, empty, _, _ = self.open.pop()
        if empty:
            self.end[row] = self.tags[2 * row + 1]
        else:
            start = self.parser.CurrentByteIndex
            self.end[row] = self.data.find(b">", start) + 1 or len(self.data)

    def _said(self, text: str) -> None:
        if self.open and not self.mixed[self.open[-1][0]] and not text.isspace():
            self.mixed[self.open[-1][0]] = 1


def read(document: Document) -> Outline:
    """Elements, nested, each with a path such as /catalog/book[2]/title as its title.

    The text is the source as it stands. Entities are never expanded and nothing outside the text is read:
    every & is hidden from the parser. Paths over 200 characters are shortened in the middle. Text that is not
    well-formed gives what was read up to there and a notice with the place.
    """
    found, titles, notices = _scanned(document)
    spans = zip(found.starts.tolist(), found.ends.tolist(), titles, strict=False)
    nodes = tuple(Node(Span(low, high), "element", 0, title) for low, high, title in spans)
    return Outline(nodes, (*notices, *left_out(len(found.starts), "elements")))


def nested(document: Document) -> Nested:
    """The elements as arrays. Those amid text, such as <b>, are no places to cut: they are only kept whole."""
    return document.fact("xml nested", lambda: _nested(document))


def _nested(document: Document) -> Nested:
    found, _, _ = _scanned(document)
    inline = found.atoms[:, 0].astype(bool) if len(found.atoms) else np.zeros(0, dtype=bool)
    spans = np.stack([found.starts, found.ends], axis=1)
    return Nested(
        found.starts[~inline], found.ends[~inline], found.depths[~inline],
        np.zeros((0, 2), np.int32), np.concatenate([found.whole, spans[inline]]), found.prose, found.problem,
    )  # fmt: skip


def _scanned(document: Document) -> tuple[Nested, list[str], tuple[str, ...]]:
    """All elements (in `atoms` whether each stands amid text), their titles, and notices."""
    return document.fact("xml scan", lambda: _scan(document))


def _scan(document: Document) -> tuple[Nested, list[str], tuple[str, ...]]:
    text = document.text
    reader = _Reader(text.replace("&", "_").encode("utf-8", "surrogatepass"))
    problem, notices = "", []
    if text.strip():
        wrong, where = reader.parse()
        at = _code_points(reader.data)
        if wrong:
            problem = f"The text is not well-formed XML: {wrong}, at {place(document, int(at[where]))}."
            notices.append(problem)
        stray = _NO_ENTITY.search(text)
        if stray and not wrong:
            notices.append(
                f"An & that begins no entity was read as text, at {place(document, stray.start())}."
            )
        own = _OWN_ENTITY.search(text)
        if own:
            notices.append(
                f"Entities of the file's own are not expanded; the first is at {place(document, own.start())}."
            )
    else:
        at = np.zeros(1, np.int32)
    ends = np.frombuffer(reader.end, np.int32) if reader.end else np.zeros(0, np.int32)
    starts = at[np.frombuffer(reader.start, np.int32)] if reader.start else ends
    last = int(scan(document).visible_end[-1])
    ends = np.where(ends < 0, last, at[np.maximum(ends, 0)])
    tags = (
        at[np.frombuffer(reader.tags, np.int32).reshape(-1, 2)] if reader.tags else np.zeros((0, 2), np.int32)
    )
    depths = np.frombuffer(reader.depth, np.int32) if reader.depth else ends
    amid = np.array(_amid_text(reader), np.int32).reshape(-1, 1)
    mixed = np.frombuffer(reader.mixed, np.uint8).astype(bool)
    prose = np.stack([starts, ends], axis=1)[mixed]
    return Nested(starts, ends, depths, amid, tags, prose, problem), reader.titles, tuple(notices)


def _amid_text(reader: _Reader) -> list[bool]:
    amid: list[bool] = []
    for above in reader.above:
        amid.append(above >= 0 and (bool(reader.mixed[above]) or amid[above]))
    return amid


def _code_points(data: bytes) -> np.ndarray:
    """(bytes + 1,) int32: how many code points begin before each byte."""
    starts = (np.frombuffer(data, np.uint8) & 0xC0) != 0x80
    return np.concatenate(([0], np.cumsum(starts, dtype=np.int32))).astype(np.int32)
