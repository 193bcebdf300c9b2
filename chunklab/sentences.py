"""Where sentences begin, by sentencex (MIT, Wikimedia), with its known slips mended in this one place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate

import numpy as np
from sentencex import get_sentence_boundaries, segment

from chunklab.scan import Scan, scan
from chunklab.types import Document

_QUOTE_REACH = 600
_PIECE = 20_000
_STOP_BEFORE = re.compile(r"[.!?…。！？][\"”’»)\]]{0,3}\s{0,4}\Z")
_OPENERS = {"“": "”", "„": "“", "«": "»", '"': '"'}
_MARKS = '“”„«»"'
_QUOTES = re.compile(f"[{_MARKS}]")
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
    starts = np.array([start for at in range(len(reading)) for start in reading.starts(at)], dtype=np.int32)
    return starts[~scan(document).joins(starts)]


class Paragraphs:
    """The maximal runs of lines with something on them, as sorted `lows` and `highs`, read when they are asked for."""

    def __init__(self, known: Scan):
        self.text = known.text
        lines, filled = known.line_starts, known.filled
        ends = np.append(lines[1:], len(known.text))
        edges = np.diff(np.concatenate(([False], filled, [False])).astype(np.int8))
        self.lows = lines[np.flatnonzero(edges == 1)].tolist()
        self.highs = ends[np.flatnonzero(edges == -1) - 1].tolist()
        self.read: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return len(self.lows)

    def starts(self, at: int) -> list[int]:
        """The sorted starts of the sentences of one paragraph; those that begin inside a grapheme cluster too."""
        if at not in self.read:
            self.read[at] = starts_in_paragraph(self.text, self.lows[at], self.highs[at])
        return self.read[at]


def paragraphs(document: Document) -> Paragraphs:
    """The paragraphs of a document, kept with it."""
    return document.fact("paragraphs", lambda: Paragraphs(scan(document)))


def mostly_read(document: Document) -> bool:
    """Whether most paragraphs have been looked through for sentences, so that the rest may be as well."""
    found = paragraphs(document)
    return 2 * len(found.read) > len(found)


def starts_in_paragraph(text: str, low: int, high: int) -> list[int]:
    """The sorted starts of the sentences of one paragraph, text[low:high]."""
    found: list[int] = []
    for at, end in _pieces(text, low, high):
        part = text[at:end]
        plain, stray = _without_stray_quotes(part)
        starts = _split(plain)
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


def _split(part: str) -> set[int]:
    """Where the sentences of a text begin as sentencex has it; their texts come far faster than their places."""
    try:
        ends = list(accumulate(map(len, segment("en", part))))
        if ends and ends[-1] == len(part):
            return {0, *ends[:-1]}
        return {each["start_index"] for each in get_sentence_boundaries("en", part)}
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


def _without_stray_quotes(part: str) -> tuple[str, list[int]]:
    """The text with each quotation mark that has no partner nearby made a blank, and where those were."""
    if not any(mark in part for mark in _MARKS):
        return part, []
    stray: list[int] = []
    waiting: tuple[int, str] | None = None
    for found in _QUOTES.finditer(part):
        at, mark = found.start(), found[0]
        if waiting and at - waiting[0] > _QUOTE_REACH:
            stray.append(waiting[0])
            waiting = None
        before_blank = at == 0 or not (part[at - 1].isalnum() or part[at - 1] in ".,!?…")
        if waiting and mark == waiting[1]:
            waiting = None
        elif mark in _OPENERS and (mark != '"' or before_blank):
            if waiting:
                stray.append(waiting[0])
            waiting = (at, _OPENERS[mark])
        else:
            stray.append(at)
    if waiting:
        stray.append(waiting[0])
    if not stray:
        return part, stray
    letters = list(part)
    for at in stray:
        letters[at] = " "
    return "".join(letters), sorted(stray)


def _mended(part: str, stray: list[int], known: set[int]) -> list[int]:
    """The starts that sentencex does not find, those `known` left out."""
    strays = set(stray)
    starts = [found.end() for found in _AFTER_STOP.finditer(part) if found.end() in strays] if strays else []
    for found in _STOP_THEN_CAPITAL.finditer(part):
        stop, start = found.span()
        if start in known:
            continue
        word = _SHORT_WORD.search(part, max(0, stop - 13), stop)
        if word and word[0] not in _BEFORE_CAPITALS and not _inside_quotes(part, start, strays):
            starts.append(start)
    return starts


def _inside_quotes(part: str, at: int, strays: set[int]) -> bool:
    window = part[max(0, at - _QUOTE_REACH) : at]
    base = at - len(window)
    curly = straight = 0
    for found in _QUOTES.finditer(window):
        if base + found.start() in strays:
            continue
        straight += found[0] == '"'
        curly += (found[0] in "“«„") - (found[0] in "”»")
    return curly > 0 or straight % 2 == 1
