"""Boundaries by how many units are around them, looked for only where a chunk may end: what should stay whole is cut last."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from chunklab.boundaries import Later, Level, blank_line_level, line_level
from chunklab.offsets import for_bisection
from chunklab.outline.parts import Around
from chunklab.scan import scan
from chunklab.sentences import paragraphs
from chunklab.structure import by_depth, text_levels
from chunklab.types import Document

_WORD = re.compile(r"(?<=\s)\S")
_NEAR = 40
"""So many characters are looked at first for the start of a word."""


class Depths:
    """Which of some units, `atoms` (n, 2), are around an offset; `units` are the outermost, joined where they cross.

    `around` tells of links that are not among them, all of which lie in the ranges `near` (m, 2); `links` gives them all.
    """

    def __init__(
        self, document: Document, atoms: np.ndarray, links: Callable[[], np.ndarray],
        around: Around | None = None, near: np.ndarray | None = None,
    ):  # fmt: skip
        self.document, self.atoms, self.around, self.links, self.near = document, atoms, around, links, near
        starts, ends = np.sort(atoms[:, 0]), np.sort(atoms[:, 1])
        self.starts, self.ends = for_bisection(starts), for_bisection(ends)
        inside = np.searchsorted(starts, starts, "right") - np.searchsorted(ends, starts, "right")
        self.deepest = int(inside.max(initial=0))
        ordered = atoms[np.argsort(atoms[:, 0], kind="stable")]
        reached = np.maximum.accumulate(ordered[:, 1])
        new = np.append(True, ordered[1:, 0] >= reached[:-1])[: len(ordered)]
        last = np.append(new[1:], True)[: len(ordered)]
        self.units = np.stack((ordered[new, 0], reached[last]), axis=1)
        self.outer_starts, self.outer_ends = self.units.T.tolist()
        self.seen: dict[str, tuple[int, int, dict[int, int]]] = {}

    def levels(self) -> tuple[Level | Later, ...]:
        """Blank lines, lines, sentences and words outside all units, then those inside one, and so on."""
        document = self.document
        rows = by_depth((blank_line_level(document), line_level(document)), self.atoms)
        return self._listed(rows, lambda depth: [self._sought(name, depth) for name in ("sentence", "word")])

    @cached_property
    def known(self) -> tuple[Level, ...]:
        """The same with every boundary found."""
        return self._listed(
            self._rows, lambda depth: [self._level(name, depth) for name in ("sentence", "word")]
        )

    def strongest(
        self, levels: Sequence[Level | Later], lows: np.ndarray, reach: int
    ) -> tuple[list[Level], list[Level]]:
        """The levels outside all units up to sentences, then blank lines and lines inside one.

        Sentences not found yet are there only in paragraphs with more than `reach` from a line or one of `lows` to the
        next.
        """
        names = [each.name for each in levels]
        at = names.index("sentence")
        outside = list(levels[:at])
        inside = list(levels[at + 2 : names.index("sentence", at + 1)]) if names.count("sentence") > 1 else []
        if isinstance(levels[at], Level):
            return [*outside, levels[at]], inside
        cuts = np.sort(np.concatenate([lows, *(each.cuts for each in outside), [len(self.document.text)]]))
        far = np.flatnonzero(np.diff(cuts) > reach)
        if len(far):
            outside.append(self._sentences_between(cuts[far], cuts[far + 1]))
        return outside, inside

    def _sentences_between(self, lows: np.ndarray, highs: np.ndarray) -> Level:
        """The sentences outside all units in the paragraphs that reach into one of some ranges."""
        known, read = scan(self.document), paragraphs(self.document)
        begins, ends = (
            np.array(read.lows, dtype=np.int64),
            known.visible_ends(np.array(read.highs, dtype=np.int64)),
        )
        after = np.searchsorted(highs, begins, "right")
        wanted = (after < len(lows)) & (lows[np.minimum(after, len(lows) - 1)] < ends)
        around = np.searchsorted(self.units[:, 0], begins, "right") - 1
        if len(self.units):
            wanted &= (around < 0) | (ends > self.units[around, 1])
        found = [cut for at in np.flatnonzero(wanted).tolist() for cut in read.starts(at)]
        starts = np.array(found, dtype=np.int64)
        place = np.searchsorted(self.units[:, 0], starts) - 1
        clear = ~known.joins(starts) & (starts > 0)
        if len(self.units):
            clear &= (place < 0) | (starts >= self.units[place, 1])
        starts = starts[clear]
        if self.around:
            near = np.searchsorted(self.near[:, 0], starts, "right") - 1
            asked = (
                np.flatnonzero((near >= 0) & (starts < self.near[near, 1])) if len(self.near) else near[:0]
            )
            starts = np.delete(starts, [at for at in asked.tolist() if self.around(int(starts[at]))])
        return Level("sentence", starts.astype(np.int32), known.visible_ends(starts))

    def _listed(self, rows: list[tuple[Level, ...]], weaker: Callable[[int], list]) -> tuple:
        found: list[Level | Later] = []
        for depth in range(self.deepest + 1 + bool(self.around)):
            found += [each for each in (rows[depth][:2] if depth < len(rows) else ()) if len(each.cuts)]
            found += weaker(depth)
        return tuple(found)

    @cached_property
    def _rows(self) -> list[tuple[Level, ...]]:
        return by_depth(text_levels(self.document), np.concatenate((self.atoms, self.links())))

    def _sought(self, name: str, depth: int) -> Later:
        last = self._last_sentence if name == "sentence" else self._last_word

        def outside(floor: int, reach: int, beyond: int) -> int:
            while beyond > floor:
                if begins := self._begins(beyond):
                    beyond = begins
                elif not (found := last(floor, beyond)) or found == beyond:
                    return found
                else:
                    beyond = found
            return 0

        def inside(floor: int, reach: int, beyond: int) -> int:
            return self._window(name, floor, beyond).get(depth, 0)

        return Later(name, lambda: self._level(name, depth), inside if depth else outside)

    def _level(self, name: str, depth: int) -> Level:
        row = self._rows[depth] if depth < len(self._rows) else ()
        return next(
            (each for each in row if each.name == name), Level(name, *np.zeros((2, 0), dtype=np.int32))
        )

    def _begins(self, offset: int) -> int:
        """Where the outermost unit around an offset begins, 0 if none is; one that begins the text holds no boundary."""
        at = bisect_left(self.outer_starts, offset) - 1
        if at >= 0 and offset < self.outer_ends[at]:
            return self.outer_starts[at] or -1
        span = self.around(offset) if self.around else None
        return (span[0] or -1) if span else 0

    def _window(self, name: str, floor: int, limit: int) -> dict[int, int]:
        """Depth -> the last sentence or word at it that begins after `floor` and up to `limit`."""
        seen = self.seen.get(name)
        if seen and seen[:2] == (floor, limit):
            return seen[2]
        found: dict[int, int] = {}
        for cut in self._sentences(floor, limit) if name == "sentence" else self._words(floor, limit):
            depth = bisect_left(self.starts, cut) - bisect_right(self.ends, cut)
            found[depth + bool(self.around and self.around(cut))] = cut
        self.seen[name] = (floor, limit, found)
        return found

    def _words(self, floor: int, limit: int) -> list[int]:
        return [each.start() for each in _WORD.finditer(self.document.text, floor + 1, limit + 1)]

    def _sentences(self, floor: int, limit: int) -> list[int]:
        read = paragraphs(self.document)
        first, last = bisect_right(read.lows, floor), bisect_right(read.lows, limit)
        return [
            cut for at in range(max(first - 1, 0), last) for cut in read.starts(at) if floor < cut <= limit
        ]

    def _last_sentence(self, floor: int, limit: int) -> int:
        read = paragraphs(self.document)
        at = bisect_right(read.lows, limit)
        while at > 0 and limit > floor:
            at -= 1
            starts = read.starts(at)
            if place := bisect_right(starts, limit):
                return starts[place - 1] if starts[place - 1] > floor else 0
        return 0

    def _last_word(self, floor: int, limit: int) -> int:
        text = self.document.text
        if limit <= floor:
            return 0
        if text[limit - 1].isspace() and not text[limit : limit + 1].isspace():
            return limit
        for low in (max(floor, limit - _NEAR), floor):
            part = text[low:limit].rstrip()
            words = part.rsplit(None, 1)
            if len(words) == 2:
                return low + len(part) - len(words[1])
        return 0
