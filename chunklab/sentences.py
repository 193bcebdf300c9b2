"""Where sentences begin, by sentencex (MIT, Wikimedia), with its known slips mended in this one place."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from sentencex import get_sentence_boundaries

from chunklab.scan import Scan, scan
from chunklab.types import Document

_QUOTE_REACH = 600
_PIECE = 20_000
_STOP_BEFORE = re.compile(r"[.!?…。！？][\"”’»)\]]{0,3}\s{0,4}\Z")
_OPENERS = {"“": "”", "„": "“", "«": "»", '"': '"'}
_QUOTES = re.compile('[“”„«»"]')
_AFTER_STOP = re.compile(r"[.!?…][\"”’»)\]]{0,3}[^\S\n\r]{1,20}")
_STOP_THEN_CAPITAL = re.compile(r"(?<![\w.])([a-z]{2,12})\.[\"”’»)\]]{0,3}\s{1,20}(?=[\"“‘«(]?[A-Z])")
_BEFORE_CAPITALS = frozenset(
    [
        "al",
        "approx",
        "art",
        "ca",
        "cap",
        "cf",
        "ch",
        "chap",
        "col",
        "cp",
        "dept",
        "ed",
        "eds",
        "eg",
        "eq",
        "eqs",
        "ex",
        "fig",
        "figs",
        "ie",
        "illus",
        "incl",
        "lit",
        "ms",
        "no",
        "nos",
        "nr",
        "op",
        "par",
        "para",
        "pg",
        "pl",
        "pp",
        "pt",
        "pts",
        "ref",
        "refs",
        "sec",
        "sect",
        "ser",
        "sp",
        "st",
        "suppl",
        "tab",
        "tr",
        "trans",
        "viz",
        "vol",
        "vols",
        "vs",
        "dr",
        "mr",
        "mrs",
        "prof",
        "rev",
        "gen",
        "gov",
        "sen",
        "rep",
        "capt",
        "lt",
        "sgt",
        "mt",
    ]
)


def sentence_starts(document: Document) -> np.ndarray:
    """Sorted int32 offsets of the first visible character of every sentence, kept with the document.

    A blank line always ends a sentence, and so does a line end before a list item. A sentence owns
    the blanks after it. sentencex 1.0 is mended where it joins sentences: at a quotation mark that is
    never closed, and after words such as "ff." that it takes for abbreviations before a capital.
    """
    return document.fact("sentences", lambda: _starts(scan(document)))


def _starts(known: Scan) -> np.ndarray:
    found: list[int] = []
    for low, high in paragraphs(known):
        for at, end in _pieces(known.text, low, high):
            part = known.text[at:end]
            plain, broken = _without_stray_quotes(part)
            starts = {each["start_index"] for each in get_sentence_boundaries("en", plain)}
            starts.update(_mended(part, broken))
            if at > low and not _STOP_BEFORE.search(known.text, max(low, at - 8), at):
                starts.discard(0)
            found.extend(at + start for start in starts)
    visible = known.next_visible[np.array(sorted(found), dtype=np.int64)] if found else np.zeros(0, np.int32)
    starts = visible[visible < len(known.text)]
    starts = starts[np.diff(starts, prepend=-1) > 0]
    return (starts[~np.isin(starts, known.joined)] if len(known.joined) else starts).astype(np.int32)


def paragraphs(known: Scan) -> list[tuple[int, int]]:
    """(start, end) of each maximal run of lines with something on them, blank lines left out."""
    starts = known.line_starts
    ends = np.append(starts[1:], len(known.text))
    filled = known.visible_before[ends] > known.visible_before[starts]
    edges = np.diff(np.concatenate(([False], filled, [False])).astype(np.int8))
    first, last = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) - 1
    return list(zip(starts[first].tolist(), ends[last].tolist(), strict=True))


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


def _mended(part: str, stray: list[int]) -> list[int]:
    strays = set(stray)
    starts = [found.end() for found in _AFTER_STOP.finditer(part) if found.end() in strays] if strays else []
    for found in _STOP_THEN_CAPITAL.finditer(part):
        if found[1] not in _BEFORE_CAPITALS and not _inside_quotes(part, found.end(), strays):
            starts.append(found.end())
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
