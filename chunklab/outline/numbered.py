"""The outline of text with numbered headings: RFCs, standards, contracts and laws."""

from __future__ import annotations

import re
from dataclasses import replace

from chunklab.outline.numbering import Numbered, outline_run
from chunklab.scan import scan
from chunklab.types import Document, Node, Outline, Span

NUMBERED = "text/x-numbered"
MEDIA_TYPES = (NUMBERED, "text/plain")
FEWEST = 3
_LONGEST_TITLE = 100
_NUMBER = re.compile(r"((?:[0-9]{1,3}|[A-Z](?=\.[0-9]))(?:\.[0-9]{1,3}){0,8})\.?[ \t]{1,4}(?=[^\W\d_])")
_LABEL = re.compile(
    r"(part|title|book|chapter|article|section|sec\.|clause|§+|appendix|annex|schedule|exhibit)[ \t]{0,3}"
    r"((?:[0-9]{1,4}|[ivxlcdm]{1,8}|[a-z])(?:\.[0-9]{1,3}){0,5}[a-z]?)(?![\w])([.:)]|[ \t]*[-–—](?![\w]))?",
    re.IGNORECASE,
)
_CONTENTS = re.compile(r"(?:\.{3,}|(?:\s\.){3,}|…|\t| {3,})\s*[0-9ivx]{0,5}$")
_ATTACHED = ("appendix", "annex", "schedule", "exhibit")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


def read(document: Document) -> Outline:
    """Headings such as `1.2.3 Title`, `A.1 Title`, `Section 4.`, `§ 7`, `Article IV`, each at its level.

    A heading begins at the left edge (up to three blanks), after a blank line or the beginning, and is short
    and no sentence; one with a label may be followed by its text in the same line. The level of bare
    numbers is how many numbers there are; labels nest in the order in which they first appear, and
    appendices are at the top.

    Numbers must rise as an outline does, 1, 1.1, 1.2, 2: what does not follow the heading before is text.
    A numbered list fails this, or has no blank line around its items, or nothing between them: bare numbers
    that are all of one depth count only where most have text of their own below them. Lines with dot leaders
    or page numbers are a table of contents; where the numbers start again, the run with more text counts.
    In plain text headings are taken only where at least three are found and each stands alone between blank
    lines; for text/x-numbered one suffices, and the text may follow in the next line.
    """
    strict = document.media_type != NUMBERED
    found = outline_run(_candidates(document, strict))
    if strict and len(found) < FEWEST:
        return Outline()
    base, stack, nodes = 0, [], []
    for each in found:
        if not each.style:
            if "" not in stack:
                stack.append("")
            del stack[stack.index("") + 1 :]
            base = stack.index("")
            level = base + len(each.number)
        elif each.style in _ATTACHED:
            stack, level = [each.style], len(each.number)
        else:
            if each.style not in stack:
                stack.append(each.style)
            del stack[stack.index(each.style) + 1 :]
            level = len(stack)
        nodes.append(Node(Span(each.start, each.end), "heading", min(level, 6), each.title))
    return Outline(tuple(nodes))


def _candidates(document: Document, strict: bool) -> list[Numbered]:
    text, known = document.text, scan(document)
    lows = known.line_starts.tolist()
    edges = [*lows[1:], len(text)]
    ends = known.visible_end[edges].tolist()
    filled = [end > low for low, end in zip(lows, ends, strict=True)]
    found: list[Numbered] = []
    for at, (low, end) in enumerate(zip(lows, ends, strict=True)):
        if not filled[at] or (at and filled[at - 1]):
            continue
        alone = at + 1 == len(lows) or not filled[at + 1]
        start = low + len(text[low : low + 4]) - len(text[low : low + 4].lstrip(" \f"))
        line = text[start : min(end, start + 400)]
        made = _labelled(line, start, end, alone) or _bare(line, start, end, alone or not strict)
        if made:
            found.append(replace(made, indent=start - low))
    return _with_bodies(found, lows, filled)


def _with_bodies(found: list[Numbered], lows: list[int], filled: list[bool]) -> list[Numbered]:
    """The candidates, each knowing whether other text comes before the next one."""
    heads = {each.start for each in found}
    body, later = False, {}
    for low, full in zip(reversed(lows), reversed(filled), strict=True):
        if not full:
            continue
        head = next((at for at in range(low, low + 4) if at in heads), None)
        if head is None:
            body = True
        else:
            later[head], body = body, False
    return [replace(each, body=later[each.start] or each.body) for each in found]


def _bare(line: str, start: int, end: int, alone: bool) -> Numbered | None:
    found = _NUMBER.match(line)
    if not found or _CONTENTS.search(line):
        return None
    title = line[found.end() :]
    long = len(title) > _LONGEST_TITLE or end - start > len(line)
    weak = not alone or long or title[0].islower() or title[-1] in ".,;:"
    parts = [ord(each) - 64 if each.isalpha() else int(each) for each in found[1].split(".")]
    return Numbered(start, end, line, "appendix" if found[1][0].isalpha() else "", tuple(parts), weak=weak)


def _labelled(line: str, start: int, end: int, alone: bool) -> Numbered | None:
    found = _LABEL.match(line)
    if not found or line[0].islower() or _CONTENTS.search(line):
        return None
    number = _number(found[2])
    rest = line[found.end() :].strip()
    if number is None or (found[2].isalpha() and found[2].islower() and rest):
        return None
    style = found[1].lower().replace("sec.", "section").replace("§§", "§")
    whole = alone and len(line) <= _LONGEST_TITLE and end - start <= len(line)
    if whole and (not rest or (rest[-1] not in ",;" and (found[3] or _titled(rest)) and rest[-1] != ".")):
        return Numbered(start, end, line, style, number)
    if found[3] and rest[:1].isupper():
        return Numbered(
            start, start + len(line[: found.end()].rstrip()), found[0].strip(), style, number, True
        )
    return None


def _titled(rest: str) -> bool:
    return rest[0].isupper() or rest[0] in '(["“' or not rest[0].isalnum()


def _number(text: str) -> tuple[int, ...] | None:
    """(4, 2) for 4.2, (4,) for IV or iv, (1,) for A; a letter after a number, as in 7a, counts for nothing."""
    parts: list[int] = []
    for each in text.lower().split("."):
        digits = each.rstrip("abcdefghijklmnopqrstuvwxyz")
        if digits:
            parts.append(int(digits))
        elif all(letter in _ROMAN for letter in each):
            values = [_ROMAN[letter] for letter in each]
            pairs = zip(values, [*values[1:], 0], strict=True)
            parts.append(sum(-value if value < after else value for value, after in pairs))
        elif len(each) == 1:
            parts.append(ord(each) - 96)
        else:
            return None
    return tuple(parts)
