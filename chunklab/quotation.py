"""Quotation marks in one paragraph: those without a partner nearby, and what is inside a pair."""

from __future__ import annotations

import re

_REACH = 600
"""How far a mark's partner may be, in characters."""
_OPENERS = {"“": "”", "„": "“", "«": "»", '"': '"'}
MARKS = '“”„«»"'
_QUOTES = re.compile(f"[{MARKS}]")
PAIRED = re.compile(
    rf"""[^{MARKS}]*+(?:(?:“[^{MARKS}]{{0,{_REACH - 1}}}+”|„[^{MARKS}]{{0,{_REACH - 1}}}+“"""
    rf"""|«[^{MARKS}]{{0,{_REACH - 1}}}+»|(?<![^\W_])(?<![.,!?…])"[^{MARKS}]{{0,{_REACH - 1}}}+")"""
    rf"""[^{MARKS}]*+)*+"""
)
"""Any text in which each quotation mark has its partner nearby, with no other between."""


def without_strays(part: str) -> tuple[str, list[int]]:
    """The text with each quotation mark that has no partner nearby made a blank, and where those were."""
    stray = [] if PAIRED.fullmatch(part) else strays(part)
    if not stray:
        return part, stray
    letters = list(part)
    for at in stray:
        letters[at] = " "
    return "".join(letters), stray


def strays(part: str) -> list[int]:
    """The sorted places of the quotation marks that have no partner nearby."""
    stray: list[int] = []
    waiting: tuple[int, str] | None = None
    for found in _QUOTES.finditer(part):
        at, mark = found.start(), found[0]
        if waiting and at - waiting[0] > _REACH:
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
    return sorted(stray)


def inside_quotes(part: str, at: int, apart: set[int]) -> bool:
    """Whether an offset is inside quotation marks that are not in `apart`."""
    window = part[max(0, at - _REACH) : at]
    base = at - len(window)
    curly = straight = 0
    for found in _QUOTES.finditer(window):
        if base + found.start() in apart:
            continue
        straight += found[0] == '"'
        curly += (found[0] in "“«„") - (found[0] in "”»")
    return curly > 0 or straight % 2 == 1
