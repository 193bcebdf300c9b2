"""Links, images, autolinks and inline code in a Markdown text, found only in the paragraphs that are asked about."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from chunklab.outline.layout import Layout
from chunklab.scan import Scan

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

MEDIA_TYPES = ()
LONGEST = 20_000
"""A paragraph of more characters is not looked through."""
_MARK = re.compile(
    r"(`+)|\[[^\[\]`<\\\n]*\]\((?:https?://)?[\w./#?=&%~+-]+\)|(\]\(|<(?=[A-Za-z0-9/!?.#$%&'*+=^_{|}~-]))|(\\(?s:.))"
)
"""A run of backticks, a plain link, what only the parser can tell, or an escaped character."""
_AFTER_LESS = re.compile(r"`|\]\(|<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\x00-\x20]*>|<[^<>\s]+@[^<>\s]+>")
Spans = list[tuple[int, int]]


class Inline:
    """What inside a line should stay whole, as half-open offsets: the outermost only.

    `crossing` is what stands in paragraphs of more than one line; the others are looked through when `around` asks.
    """

    def __init__(self, layout: Layout, known: Scan):
        self.layout = layout
        pairs, kinds, self.said = _contents(layout)
        lines = np.array(layout.lines)
        lows, ends = lines[pairs[:, 0]], lines[np.minimum(pairs[:, 1], len(lines) - 1)]
        kept = np.flatnonzero(_may_hold(known, lows, ends))
        self.lows, self.ends = lows[kept].tolist(), ends[kept].tolist()
        self.pairs, self.kinds = pairs[kept].tolist(), kinds[kept].tolist()
        self.depths = {first: depth for first, _, depth in layout.walk.quotes}
        self.found: dict[int, Spans] = {}
        self.crossing: Spans = []
        for at in np.flatnonzero(pairs[kept, 1] - pairs[kept, 0] > 1).tolist():
            self.crossing += self._look(at)
            self.found[at] = []

    def all(self) -> Spans:
        """Every one, in order."""
        return [span for at in range(len(self.lows)) for span in self._look(at)]

    def around(self, offset: int) -> tuple[int, int] | None:
        """The one that an offset lies in the middle of, those in `crossing` left out."""
        at = bisect_right(self.lows, offset) - 1
        low = self.lows[at] if at >= 0 else 0
        while at >= 0 and self.lows[at] == low and offset < self.ends[at]:
            if at not in self.found:
                self.found[at] = self._look(at)
            for start, end in self.found[at]:
                if start < offset < end:
                    return start, end
            at -= 1
        return None

    def _look(self, at: int) -> Spans:
        """What one paragraph holds; a line break inside a link is written in more than one way: such a one is not found."""
        content = self._content(at)
        if len(content) > LONGEST:
            return []
        found, cursor = [], self.lows[at]
        for low, high in ranges(content):
            start = self.layout.text.find(content[low:high], cursor, self.ends[at])
            if start >= 0:
                cursor = start + high - low
                found.append((start, cursor))
        return found

    def _content(self, at: int) -> str:
        (first, end), kind = self.pairs[at], self.kinds[at]
        if kind >= _SAID:
            return self.said[kind - _SAID]
        if kind == _TITLE:
            return self.layout.title(first)
        if kind == _ITEM:
            return self.layout.item(first, end)
        if kind == _QUOTE:
            return self.layout.quote(first, end, self.depths[first])
        return self.layout.content(first, end)


_PARAGRAPH, _TITLE, _ITEM, _QUOTE, _SAID = range(5)


def _contents(layout: Layout) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Lines and kinds of all that may hold something, in order, and what was said to the parser."""
    walk = layout.walk
    parsed = [block for blocks in walk.parsed for block in blocks if block[0] == "inline"]
    groups = [
        (_PARAGRAPH, layout.paragraphs),
        (_PARAGRAPH, np.array([(first, end - 1) for first, end in walk.underlined])),
        (_TITLE, np.stack((layout.heads, layout.heads + 1), axis=1)),
        (_ITEM, np.array(walk.items)),
        (_QUOTE, np.array([(first, end) for first, end, _ in walk.quotes])),
        (_SAID, np.array([(first, end) for _, _, first, end, _ in parsed])),
    ]
    pairs = np.concatenate([each.reshape(-1, 2) for _, each in groups]).astype(np.int64)
    kinds = np.concatenate([np.full(len(each), kind) for kind, each in groups])
    kinds[len(kinds) - len(parsed) :] += np.arange(len(parsed))
    order = np.argsort(pairs[:, 0], kind="stable")
    return pairs[order], kinds[order], [content for *_, content in parsed]


def _may_hold(known: Scan, lows: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """(n,) bool: whether backticks, the middle of a link or what may begin an autolink stands in each range."""
    units = known.units
    links = np.flatnonzero(units == ord("("))
    links = links[units[links - 1] == ord("]")] if len(links) else links
    marks = np.flatnonzero((units == ord("`")) | (units == ord("<")))
    found = np.zeros(len(lows), dtype=bool)
    for each in (links, marks):
        found |= np.searchsorted(each, ends) > np.searchsorted(each, lows)
    return found


def ranges(content: str) -> Spans:
    """Half-open ranges in an inline text that its parser takes as one link, image, autolink or code."""
    found = _plain(content)
    return _parsed(content) if found is None else found


def _plain(content: str) -> Spans | None:
    """The same where backticks, plain links and escapes are all there is; None where they are not."""
    found: Spans = []
    at = 0
    while mark := _MARK.search(content, at):
        start, at = mark.span()
        if mark[2] == "<" and not _AFTER_LESS.search(content, start):
            return found
        if mark[2] or content.startswith("![", start - 1):
            return None
        if mark[1]:
            at = _code_end(content, mark[1], at) or at
        if at - start > 1 and not mark[3]:
            found.append((start, at))
    return found


def _code_end(content: str, run: str, at: int) -> int:
    """The end of the next run of backticks of the same length, 0 if none."""
    while (low := content.find(run, at)) >= 0:
        at = low + len(run)
        while content.startswith("`", at):
            at += 1
        if at - low == len(run):
            return at
    return 0


def _parsed(content: str) -> Spans:
    noted: dict[str, Spans] = {"ranges": []}
    _watched_parser().parseInline(content, noted)
    return _outermost(noted["ranges"])


@cache
def _watched_parser() -> MarkdownIt:
    """A parser that notes in the environment it is given where each such element begins and ends."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    for name in ("link", "image", "autolink", "backticks"):
        rule = next(each for each in parser.inline.ruler.__rules__ if each.name == name).fn

        def watched(state, silent, rule=rule):
            start = state.pos
            taken = rule(state, silent)
            if taken and not silent and state.level == 0 and state.pos - start > 1:
                state.env.setdefault("ranges", []).append((start, state.pos))
            return taken

        parser.inline.ruler.at(name, watched)
    return parser


def _outermost(ranges: Spans) -> Spans:
    kept: Spans = []
    for start, end in sorted(ranges, key=lambda each: (each[0], -each[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept
