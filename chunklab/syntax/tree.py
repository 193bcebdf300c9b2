"""A source text as its syntax tree sees it: definitions, statements, strings, and where it may be cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from chunklab.scan import Scan, scan
from chunklab.syntax.languages import grammar
from chunklab.syntax.walk import Walk
from chunklab.types import Document, Node, Span

MAX_BYTES = 6_000_000
"""A syntax tree takes up to 100 times its text."""


@dataclass(frozen=True)
class Breaks:
    """Where statements, members and the elements of lists begin, as arrays in order of offset.

    `cuts` are int32 code points; where only blanks stand before one on its line (`at_line`), it is the
    line's start. `depths` rise with nesting; `kinds` index `walk.KINDS`.
    """

    cuts: np.ndarray
    depths: np.ndarray
    kinds: np.ndarray
    at_line: np.ndarray

    def at(self, rows: np.ndarray) -> Breaks:
        """The chosen rows."""
        return Breaks(self.cuts[rows], self.depths[rows], self.kinds[rows], self.at_line[rows])

    def joined(self, other: Breaks) -> Breaks:
        """These and others."""
        names = [each.name for each in fields(self)]
        both = Breaks(*(np.concatenate((getattr(self, each), getattr(other, each))) for each in names))
        return both.ordered()

    def ordered(self) -> Breaks:
        """In order of offset, of each offset the outermost."""
        order = np.lexsort((self.depths, self.cuts))
        return self.at(order[np.diff(self.cuts[order], prepend=-1) > 0])


@dataclass(frozen=True)
class Firsts:
    """The definitions and members that are the first in what holds them.

    `breaks` has a break before each and is no part of the tree's; `heads` are the offsets at which what
    holds them begins, at the start of the line as in Breaks, `ends` those of the last visible character
    before the next break.
    """

    breaks: Breaks
    heads: np.ndarray
    ends: np.ndarray


@dataclass(frozen=True)
class Tree:
    """`nodes` in order of start, outer before inner: definitions, the statements beside them, and strings
    and comments with a blank in them. `members` are the starts of the definitions that are not inside a
    function. `strings` is (m, 2): all strings and comments, disjoint. `errors`
    counts the places that could not be parsed; `error_line` is the line of the first, from 1. `problem`
    says why nothing was read, "" when something was.
    """

    nodes: tuple[Node, ...]
    members: np.ndarray
    breaks: Breaks
    firsts: Firsts
    strings: np.ndarray
    errors: int
    error_line: int
    problem: str = ""

    @cached_property
    def definitions(self) -> np.ndarray:
        """(k, 2): the spans of the definitions, in order of start, outer before inner."""
        return self._spans("definition")

    @cached_property
    def atoms(self) -> np.ndarray:
        """(k, 2): the spans of the strings and comments among the nodes."""
        return self._spans("string", "comment")

    def _spans(self, *kinds: str) -> np.ndarray:
        found = [(each.span.start, each.span.end) for each in self.nodes if each.kind in kinds]
        return np.array(found, dtype=np.int32).reshape(-1, 2)


def tree_of(document: Document, language: str) -> Tree:
    """The document read as one language, kept with it."""
    return document.fact(("syntax tree", language), lambda: _read(document, language))


def _read(document: Document, language: str) -> Tree:
    known = scan(document)
    data = document.text.encode("utf-8", "surrogatepass")
    try:
        grammar(language)
    except ImportError as error:
        return _unread(f"cannot be parsed here ({error}); install what requirements.txt names")
    if len(data) > MAX_BYTES:
        return _unread(f"is over {MAX_BYTES // 1_000_000} MB and not parsed")
    # Byte offset of each code point, None where the two are the same.
    at = None if len(data) == len(document.text) else np.flatnonzero(_leads(data))

    def points(found: Sequence[int]) -> np.ndarray:
        offsets = np.array(found, dtype=np.int32)
        return offsets if at is None else np.searchsorted(at, offsets).astype(np.int32)

    walk = Walk(data, _openings(known, at, len(data)), language)
    strings = np.column_stack([points(each) for each in walk.strings[:2]])
    places = np.column_stack([points([row[column] for row in walk.nodes]) for column in (0, 1)])
    first = int(points(walk.errors[:1])[0]) if walk.errors else 0
    breaks = _breaks(known, points(walk.breaks[0]), *walk.breaks[1:]).ordered()
    begins, heads, ends = (points(walk.firsts[column]) for column in (0, 3, 4))
    following = np.append(breaks.cuts, len(document.text))[np.searchsorted(breaks.cuts, ends)]
    firsts = Firsts(
        _breaks(known, begins, *walk.firsts[1:3]), _at_lines(known, heads)[0], known.visible_end[following]
    )
    return Tree(
        _nodes(known, walk.nodes, places, strings, np.array(walk.strings[2])),
        points(walk.members),
        breaks,
        firsts,
        strings,
        len(walk.errors),
        int(np.searchsorted(known.line_starts, first, "right")),
    )


def _unread(problem: str) -> Tree:
    none = np.zeros(0, dtype=np.int32)
    breaks = Breaks(none, none, none, none.astype(bool))
    return Tree((), none, breaks, Firsts(breaks, none, none), none.reshape(0, 2), 0, 0, problem)


def _leads(data: bytes) -> np.ndarray:
    return (np.frombuffer(data, np.uint8) & 0xC0) != 0x80


def _openings(known: Scan, at: np.ndarray | None, size: int) -> bytes:
    first = known.next_visible[known.line_starts]
    flags = np.zeros(size + 1, dtype=np.uint8)
    first = first[first < len(known.text)]
    flags[first if at is None else at[first]] = 1
    return flags.tobytes()


def _at_lines(known: Scan, cuts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The offsets, at the start of their line where only blanks stand before them, and whether that is so."""
    lines = known.line_starts[np.searchsorted(known.line_starts, cuts, "right") - 1]
    at_line = known.visible_before[lines] == known.visible_before[cuts]
    return np.where(at_line, lines, cuts), at_line


def _breaks(known: Scan, cuts: np.ndarray, depths: Sequence[int], kinds: Sequence[int]) -> Breaks:
    cuts, at_line = _at_lines(known, cuts)
    return Breaks(cuts, np.array(depths, dtype=np.int32), np.array(kinds, dtype=np.int8), at_line)


def _nodes(
    known: Scan, found: list[list], places: np.ndarray, strings: np.ndarray, comment: np.ndarray
) -> tuple[Node, ...]:
    ends = known.visible_end[places[:, 1]]
    rows = [
        (start, end, kind, level, title)
        for (_, _, kind, level, title), start, end in zip(
            found, places[:, 0].tolist(), ends.tolist(), strict=True
        )
    ]
    visible = known.visible_before[strings[:, 1]] - known.visible_before[strings[:, 0]]
    spaced = visible < strings[:, 1] - strings[:, 0]
    for (start, end), is_comment in zip(strings[spaced].tolist(), comment[spaced].tolist(), strict=True):
        rows.append((start, end, "comment" if is_comment else "string", 0, ""))
    rows.sort(key=lambda row: (row[0], -row[1]))
    return tuple(
        Node(Span(start, end), kind, level, title) for start, end, kind, level, title in rows if start < end
    )
