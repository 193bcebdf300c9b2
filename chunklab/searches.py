"""The last boundary within a window of a text, looked for backwards from the window's end."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence

from chunklab.boundaries import Later, Level, blank_line_level, name_of
from chunklab.scan import scan
from chunklab.sentences import paragraphs
from chunklab.types import Document

WORDS = ""
"""Stands for the starts of words where separators are searched."""
Find = Callable[[int, int, int], int]
"""(floor, reach, beyond) -> the last boundary up to `reach` with visible text after `floor`, 0 if none; `floor`
and `beyond` are visible offsets, `beyond` the first from `reach` on."""
Search = tuple[str, int, int, int, Find | None, int]
"""A text to look for, what to add to floor and beyond for that and to its place for the cut; or else a way
to find the cut; and the number of its reason."""

_FEW = 100
_VISIBLE = re.compile(r"\S")
_WORD = 40
"""So many characters are looked at first for the start of a word."""


def searches_for(
    document: Document, separators: Sequence[str], keep: str
) -> tuple[list[str], list[Search]] | None:
    """The names of the reasons, and a search for each separator in the text, strongest first.

    The text has no carriage returns. None where a separator takes a scan or an outline to be found.
    """
    text = document.text
    names = list(dict.fromkeys("word" if each == WORDS else name_of(each) for each in separators))
    searches: list[Search] = []
    for separator in separators:
        name, find, shifts = name_of(separator), None, (0, 0, 0)
        if separator == WORDS:
            name, find = "word", word_finder(text)
        elif separator == "\n\n":
            shifts, find = (0, 0, 2), blank_line_finder(document)
        elif separator == "<sentence>":
            known = document.known("sentence level")
            find = level_finder(known) if known else sentence_finder(document)
        elif (shifts := _shifts(separator, keep)) is None:
            return None
        elif len(separator) == 1 and separator not in text:
            continue
        searches.append((separator, *shifts, find, names.index(name)))
    return names, searches


def _shifts(separator: str, keep: str) -> tuple[int, int, int] | None:
    """What a search for the text of a separator adds, see Search; None where its last place may be no boundary."""
    size = len(separator)
    if separator == "\n":
        return 0, 0, size
    if separator.startswith("<") or any(separator.startswith(separator[at:]) for at in range(1, size)):
        return None
    lead = size - len(separator.lstrip("\n"))
    if 0 < lead < size:
        return 0, size - 1, lead
    if keep == "start" and not (size == 1 and separator.isspace()):
        return 1, size, 0
    seen = len(separator.rstrip())
    return (0, size - seen if seen else 0, size) if seen <= 1 else None


def level_finder(level: Level | Later) -> Find:
    """Finds the boundaries of a level, in its own way where it has one."""
    if isinstance(level, Later) and level.seek:
        return level.seek

    def find(floor: int, reach: int, beyond: int) -> int:
        visible = level.visible_list
        at = bisect_right(visible, reach) - 1
        return level.cut_list[at] if at >= 0 and visible[at] > floor else 0

    return find


def blank_line_finder(document: Document) -> Find | None:
    """Finds the ends of blank lines; None where every blank line is empty, so that two line ends are all to look for."""
    text = document.text
    lows, highs = scan(document).spaced_lines
    if len(lows) > _FEW:
        return level_finder(blank_line_level(document))
    if not len(lows):
        return None
    filled = [
        found.start() if (found := _VISIBLE.search(text, high)) else len(text) for high in highs.tolist()
    ]
    cuts = [text.rfind("\n", 0, at) + 1 for at in filled]
    visible = scan(document).visible_ends(lows).tolist()

    def find(floor: int, reach: int, beyond: int) -> int:
        end = text.rfind("\n\n", floor, beyond) + 2
        at = bisect_right(visible, reach) - 1
        if at >= 0 and visible[at] > floor and cuts[at] > end:
            return cuts[at]
        return end if end > 1 else 0

    return find


def word_finder(text: str) -> Find:
    """Finds the starts of words."""

    def find(floor: int, reach: int, beyond: int) -> int:
        if floor >= reach:
            return 0
        if beyond > reach or text[reach - 1].isspace():
            return reach
        for low in (max(floor, reach - _WORD), floor):
            words = text[low:reach].rsplit(None, 1)
            if len(words) == 2:
                return reach - len(words[1])
        return 0

    return find


def sentence_finder(document: Document) -> Find:
    """Sentences are found paragraph by paragraph, where one is asked for: they never run on over a blank line."""

    def find(floor: int, reach: int, beyond: int) -> int:
        found = paragraphs(document)
        starts = found.starts(bisect_right(found.lows, beyond) - 1)
        at = bisect_right(starts, beyond) - 1
        return starts[at] if at >= 0 and starts[at] > floor else 0

    return find
