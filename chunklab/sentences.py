"""Where sentences begin, by sentencex (MIT, Wikimedia), with its known slips mended in this one place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain, repeat

import numpy as np
from sentencex import get_sentence_boundaries, segment

from chunklab.characters import is_blank
from chunklab.offsets import runs
from chunklab.quotation import MARKS, inside_quotes, without_strays
from chunklab.scan import Scan, scan
from chunklab.tokens.base import plain as encodable
from chunklab.types import Document

_PIECE = 20_000
_STOP_BEFORE = re.compile(r"[.!?…。！？][\"”’»)\]]{0,3}\s{0,4}\Z")
_AFTER_STOP = re.compile(r"[.!?…][\"”’»)\]]{0,3}[^\S\n\r]{1,20}")
_STOP_THEN_CAPITAL = re.compile(r"\.[\"”’»)\]]{0,3}\s{1,20}(?=[\"“‘«(]?[A-Z])")
_SHORT_WORD = re.compile(r"(?<![\w.])[a-z]{2,12}\Z")
_VISIBLE = re.compile(r"\S")
_WIDE_BLANK = re.compile(r"[^\S\x00-\x7f]")
_BEFORE_CAPITALS = frozenset([
    "al", "approx", "art", "ca", "cap", "cf", "ch", "chap", "col", "cp", "dept", "ed", "eds", "eg", "eq",
    "eqs", "ex", "fig", "figs", "ie", "illus", "incl", "lit", "ms", "no", "nos", "nr", "op", "par", "para",
    "pg", "pl", "pp", "pt", "pts", "ref", "refs", "sec", "sect", "ser", "sp", "st", "suppl", "tab", "tr",
    "trans", "viz", "vol", "vols", "vs", "dr", "mr", "mrs", "prof", "rev", "gen", "gov", "sen", "rep",
    "capt", "lt", "sgt", "mt",
])  # fmt: skip


def sentence_starts(document: Document) -> np.ndarray:
    """Sorted int32 offsets of the first visible character of every sentence, kept with the document.

    A blank line always ends a sentence, and so does a line end before a list item. A sentence owns
    the blanks after it. sentencex 1.0 is mended where it joins sentences: at a quotation mark that is
    never closed, and after words such as "ff." that it takes for abbreviations before a capital.
    """
    return document.fact("sentences", lambda: _starts(document))


def _starts(document: Document) -> np.ndarray:
    reading = paragraphs(document)
    reading.read_all()
    starts = np.array([*chain.from_iterable(map(reading.starts, range(len(reading))))], dtype=np.int32)
    return starts[~scan(document).joins(starts)]


class Paragraphs:
    """The maximal runs of lines with something on them, as sorted `lows` and `highs`, read when they are asked for.

    Where nothing has to be mended, the sentences are what sentencex finds and that is seen at a glance; other
    paragraphs are left to `starts_in_paragraph`.
    """

    def __init__(self, known: Scan):
        self._known, self.text = known, known.text
        lines, filled = known.line_starts, known.filled
        ends = np.append(lines[1:], len(known.text))
        first, after = runs(filled).T
        self.lows, self.highs = lines[first].tolist(), ends[after - 1].tolist()
        self._encodable = encodable(known.text)
        self._marks = [mark for mark in MARKS if mark in known.text]
        self.read: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return len(self.lows)

    def starts(self, at: int) -> list[int]:
        """The sorted starts of the sentences of one paragraph; those that begin inside a grapheme cluster too."""
        if at not in self.read:
            low, high = self.lows[at], self.highs[at]
            found = self._at_a_glance(low, high)
            stops = _STOP_THEN_CAPITAL.finditer(self.text, low, high)
            if found is None or any(_missed(self.text, stops, {*found})):
                found = starts_in_paragraph(self.text, low, high)
            self.read[at] = found
        return self.read[at]

    def read_all(self) -> None:
        """Reads all paragraphs, which takes less than to read them one by one."""
        text, units = self.text, self._known.units
        for at, (low, high) in enumerate(zip(self.lows, self.highs, strict=True)):
            if at not in self.read:
                self.read[at] = self._at_a_glance(low, high) or starts_in_paragraph(text, low, high)
        starts = [*chain.from_iterable(self.read.values())]
        begins = np.zeros(len(text) + 2, dtype=bool)
        begins[starts] = True
        # Nearly every stop stands before one blank and a sentence that is known.
        stops = np.flatnonzero(units[:-1] == ord("."))
        stops = stops[~(begins[stops + 2] & is_blank(units[stops + 1]))].tolist()
        for start in _missed(text, map(_STOP_THEN_CAPITAL.match, repeat(text), stops), {*starts}):
            at = bisect_right(self.lows, start) - 1
            self.read[at] = starts_in_paragraph(text, self.lows[at], self.highs[at])

    def _at_a_glance(self, low: int, high: int) -> list[int] | None:
        """What sentencex finds in a paragraph; None where that has to be mended."""
        if high - low > _PIECE:
            return None
        part = plain = self._encodable[low:high]
        if any([mark in part for mark in self._marks]):
            plain, stray = without_strays(part)
            if stray and _after_stops(part, stray):
                return None
        found = [low + start for start in _split(plain)]
        if part[0].isspace() and found[:1] == [low]:
            found[0] = _VISIBLE.search(part).start() + low
            if found[1:] and found[1] <= found[0]:
                return None
        return None if any([self.text[start].isspace() for start in found]) else found


def paragraphs(document: Document) -> Paragraphs:
    """The paragraphs of a document, kept with it."""
    return document.fact("paragraphs", lambda: Paragraphs(scan(document)))


def mostly_read(document: Document) -> bool:
    """Whether most paragraphs have been looked through for sentences, so that the rest may be as well."""
    found = document.known("paragraphs")
    return isinstance(found, Paragraphs) and 2 * len(found.read) > len(found)


def starts_in_paragraph(text: str, low: int, high: int) -> list[int]:
    """The sorted starts of the sentences of one paragraph, text[low:high]."""
    found: list[int] = []
    for at, end in _pieces(text, low, high):
        part = text[at:end]
        plain, stray = without_strays(part)
        starts = set(_split(encodable(plain)))
        starts.update(_mended(part, stray, starts))
        if at > low and not _STOP_BEFORE.search(text, max(low, at - 8), at):
            starts.discard(0)
        for start in sorted(starts):
            start += at
            if text[start].isspace():
                visible = _VISIBLE.search(text, start, high)
                start = visible.start() if visible else -1
            if start > (found[-1] if found else -1):
                found.append(start)
    return found


def _split(part: str) -> list[int]:
    """Where the sentences of a text begin as sentencex has it; their texts come far faster than their places."""
    try:
        ends = [*accumulate(map(len, filter(None, segment("en", part))), initial=0)]
        if ends[-1] == len(part):
            return ends[:-1]
        return sorted({each["start_index"] for each in get_sentence_boundaries("en", part)})
    except BaseException as error:
        # sentencex panics on some blanks beyond ASCII; a panic is no Exception.
        spaced = _WIDE_BLANK.sub(" ", part)
        if type(error).__name__ != "PanicException" or spaced == part:
            raise
        return _split(spaced)


def _pieces(text: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    """A paragraph in pieces that sentencex, which is quadratic on some texts, can take: cut after a stop or a blank."""
    while high - low > _PIECE:
        end = low + _PIECE
        for mark in (". ", "! ", "? ", "。", " "):
            at = text.rfind(mark, end - _PIECE // 4, end)
            if at >= 0:
                end = at + len(mark)
                break
        yield low, end
        low = end
    yield low, high


def _mended(part: str, stray: list[int], known: set[int]) -> list[int]:
    """The starts that sentencex does not find, those `known` left out."""
    strays = set(stray)
    missed = _missed(part, _STOP_THEN_CAPITAL.finditer(part), known)
    return _after_stops(part, stray) + [start for start in missed if not inside_quotes(part, start, strays)]


def _after_stops(part: str, stray: list[int]) -> list[int]:
    """The stray quotation marks that come after a stop and blanks."""
    return [found.end() for found in _AFTER_STOP.finditer(part) if found.end() in stray] if stray else []


def _missed(text: str, stops: Iterable[re.Match | None], known: set[int]) -> Iterator[int]:
    """Where a capital follows a stop after a word that is no abbreviation, the starts that are `known` left out."""
    for found in stops:
        if found and (start := found.end()) not in known:
            stop = found.start()
            word = _SHORT_WORD.search(text, max(0, stop - 13), stop)
            if word and word[0] not in _BEFORE_CAPITALS:
                yield start
