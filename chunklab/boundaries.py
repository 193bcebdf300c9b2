"""Where a text may be cut: one level for each kind of boundary, found once and kept with the document."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from chunklab.offsets import firsts, for_bisection, lasts
from chunklab.outline import outline_of
from chunklab.patterns import regex_cuts
from chunklab.scan import Scan, scan
from chunklab.sentences import sentence_starts
from chunklab.types import Document

PRESETS: dict[str, tuple[str, ...]] = {
    "plain": ("\f", "\n\n", "\n", "<sentence>", " ", ""),
    "markdown": ("<heading>", "\n\n", "\n", "<sentence>", " ", ""),
    "python": ("\nclass ", "\ndef ", "\n\tdef ", "\n    def ", "\n\n", "\n", " ", ""),
    "notebook": ("\n\n", "<sentence>", ""),
}
_NAMES = {"\n\n": "blank line", "\n": "line", " ": "blank", "\f": "page break",
          "<sentence>": "sentence", "<heading>": "heading"}  # fmt: skip


@dataclass(frozen=True)
class Level:
    """All boundaries of one kind in a document.

    `cuts` are the sorted offsets at which the next chunk would begin. `visible[i]` is the end of the
    last non-blank code point before `cuts[i]`: when only that fits, the blanks between go to the next
    chunk, so a chunk's size never depends on how many blanks follow it.
    """

    name: str
    cuts: np.ndarray
    visible: np.ndarray
    _tables: dict[str, np.ndarray | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    def again(self) -> bool:
        """Whether this was asked before: a level that is used but once is not worth a table."""
        before, self._tables["asked"] = "asked" in self._tables, None
        return before

    def lasts(self, length: int) -> np.ndarray:
        """`offsets.lasts` of the boundaries in a text of this length, made once."""
        if "lasts" not in self._tables:
            self._tables["lasts"] = lasts(self.visible, self.cuts, length)
        return self._tables["lasts"]

    def firsts(self, length: int) -> np.ndarray:
        """`offsets.firsts` of the cuts in a text of this length, made once."""
        if "firsts" not in self._tables:
            self._tables["firsts"] = firsts(self.cuts, length)
        return self._tables["firsts"]

    @cached_property
    def cut_list(self) -> array:
        """The cuts for bisection."""
        return for_bisection(self.cuts)

    @cached_property
    def visible_list(self) -> array:
        """The visible ends for bisection."""
        return for_bisection(self.visible)

    def only(self, mask: np.ndarray) -> Level:
        """The boundaries where the mask is true."""
        return Level(self.name, self.cuts[mask], self.visible[mask])


@dataclass(frozen=True)
class Later:
    """A level that is found only when a chunk cannot be ended by a stronger one.

    `seek` finds the last of its boundaries in a window, see `searches.Find`, where that takes less than to find them all.
    """

    name: str
    find: Callable[[], Level]
    seek: Callable[[int, int, int], int] | None = None

    @cached_property
    def cut_list(self) -> array:
        """As in Level."""
        return self.find().cut_list

    @cached_property
    def visible_list(self) -> array:
        """As in Level."""
        return self.find().visible_list


def level(name: str, cuts: np.ndarray, known: Scan) -> Level:
    """A level from the offsets at which chunks may begin; offsets inside a grapheme cluster are left out."""
    cuts = np.asarray(cuts, dtype=np.int64)
    if not (cuts[1:] > cuts[:-1]).all():
        cuts = np.sort(cuts)
        cuts = cuts[np.concatenate(([True], cuts[1:] > cuts[:-1]))]
    cuts = cuts[(cuts > 0) & (cuts < len(known.text))]
    cuts = cuts[~known.joins(cuts)]
    return Level(name, cuts.astype(np.int32), known.visible_ends(cuts))


def _at_lines(name: str, known: Scan, wanted: np.ndarray | bool) -> Level:
    """A level from lines but the first; `wanted` says which."""
    cuts = known.line_starts[1:]
    kept = (cuts < len(known.text)) & ~known.joins(cuts) & wanted
    return Level(name, cuts[kept], known.line_visible_ends[:-1][kept])


def word_level(document: Document) -> Level:
    """After each run of blanks: the cut of last resort before single characters."""
    known = scan(document)
    return document.fact("words", lambda: level("word", known.words[0], known))


def sentence_level(document: Document) -> Level:
    """Before each sentence."""
    return document.fact(
        "sentence level", lambda: level("sentence", sentence_starts(document), scan(document))
    )


def later_sentences(document: Document) -> Later:
    """Before each sentence, found when it is first needed: the dearest of the boundaries of plain text."""
    return Later("sentence", lambda: sentence_level(document))


def line_level(document: Document) -> Level:
    """Before each line."""
    return document.fact("lines", lambda: _at_lines("line", scan(document), True))


def blank_line_level(document: Document) -> Level:
    """Before the first line with something on it after one or more blank lines."""
    filled = scan(document).filled
    return document.fact(
        "blank lines", lambda: _at_lines("blank line", scan(document), filled[1:] & ~filled[:-1])
    )


def heading_level(document: Document) -> Level:
    """Before each heading of the document's outline."""
    starts = [node.span.start for node in outline_of(document).nodes if node.kind == "heading"]
    return document.fact("heading level", lambda: level("heading", np.array(starts), scan(document)))


def separator_levels(
    document: Document, separators: str | tuple[str, ...], keep: str, regex: bool
) -> tuple[Level | Later, ...]:
    """The levels of a preset's name or of a list of separators, strongest first.

    The list ends at the first empty separator. "\\n\\n" stands for a blank line and "\\n" for a line end,
    whatever the line ending; "<heading>" and "<sentence>" for what the outline and the segmenter find. A
    separator that occurs in the text stays in it: with the text before it (`keep` = end) or after it
    (start); where it begins with a line end, what follows the line end always opens the next piece.
    Raises ParamError for an unknown preset or a regular expression that RE2 refuses.
    """
    if isinstance(separators, str):
        separators = PRESETS[separators]
    if "" in separators:
        separators = separators[: separators.index("")]
    return tuple(
        document.fact(
            ("separator", each, keep, regex), lambda each=each: _separator_level(document, each, keep, regex)
        )
        for each in separators
    )


def _separator_level(document: Document, separator: str, keep: str, regex: bool) -> Level | Later:
    if separator == "\n\n":
        return blank_line_level(document)
    if separator == "\n":
        return line_level(document)
    if separator == "<sentence>":
        return later_sentences(document)
    if separator == "<heading>":
        return heading_level(document)
    known = scan(document)
    if len(separator) == 1 and not regex:
        starts = np.flatnonzero(known.units == ord(separator))
        cuts = starts if keep == "start" and not separator.isspace() else starts + 1
    elif regex:
        cuts = regex_cuts(document, separator, keep)
    else:
        lead = len(separator) - len(separator.lstrip("\r\n"))
        opens = 0 < lead < len(separator)
        pattern = re.compile("(?:\r\n|\r|\n)".join(map(re.escape, separator.split("\n"))))
        cuts = [
            _after_line_end(found[0], found.start())
            if opens
            else found.start()
            if keep == "start"
            else found.end()
            for found in pattern.finditer(document.text)
        ]
        if opens and document.text.startswith(separator.lstrip("\r\n")):
            cuts = [0, *cuts]
    return level(name_of(separator), np.array(cuts), known)


def name_of(separator: str) -> str:
    """What a cut at this separator is called."""
    return _NAMES.get(separator, repr(separator)[1:-1])


def _after_line_end(found: str, start: int) -> int:
    return start + len(found) - len(found.lstrip("\r\n"))
