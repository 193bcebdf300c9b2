"""Whole functions, classes and statements, in the languages that have a parser here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from chunklab.boundaries import Level, blank_line_level, level, line_level, separator_levels, word_level
from chunklab.measure import Chars
from chunklab.outline.code import MEDIA_TYPES, read_as
from chunklab.packing import END, Packer
from chunklab.params import param
from chunklab.scan import scan
from chunklab.strategies.base import Strategy, size_param, tokenizer_param, unit_param
from chunklab.structure import outside_first
from chunklab.syntax.guess import guess_language
from chunklab.syntax.languages import BY_MEDIA, LANGUAGES
from chunklab.syntax.tree import Breaks, Tree, tree_of
from chunklab.syntax.walk import KINDS
from chunklab.types import Cuts, Document

_DEEPEST = 30


@dataclass(frozen=True)
class Code(Strategy):
    """Each definition with its decorators and comments; the statements between two are put together.

    A class over `size` becomes its methods, a function over it is cut between statements, outermost first,
    then at blank lines, lines and words; strings and comments that fit are not cut. With `pack`, small
    definitions share a chunk, as those of one line always do. The language is known by the file's ending
    or else guessed; where the text cannot be parsed it is cut at blank lines and lines, with a notice.
    """

    label = "Code by definition"
    assumes = "A function or a class is one thing to find, and its file can be parsed."
    fails = "A function longer than the size loses its name and signature in every chunk but the first."
    serves = MEDIA_TYPES

    size: int = size_param(1200, "Longest chunk allowed.")
    unit: str = unit_param()
    tokenizer: str = tokenizer_param()
    language: str = param(
        "auto",
        choices=("auto", *LANGUAGES),
        help="The programming language; auto goes by ending and content.",
    )
    pack: bool = param(False, help="Put neighbouring definitions into one chunk as long as they fit.")

    def split(self, document: Document) -> Cuts:
        measure = self.measure(document)
        language = self.language if self.language != "auto" else language_of(document)
        if language is None:
            unknown = "No programming language was recognised: the text is cut as recursive does."
            notices = (unknown,) if document.text.strip() else ()
            packer = Packer(
                document, measure, self.size, 0, separator_levels(document, "plain", "end", False)
            )
            packer.pack(0, len(document.text))
            return packer.cuts((), notices)
        outline = read_as(document, language)
        tree = tree_of(document, language)
        breaks = _breaks(tree, measure, self.size)
        levels = _levels(document, language, breaks, measure, self.size)
        edges = self._edges(document, tree, breaks, measure)
        packer = Packer(document, measure, self.size, 0, levels)
        edges = [0, *edges[(edges > 0) & (edges < len(document.text))].tolist(), len(document.text)]
        for at, (low, high) in enumerate(pairwise(edges)):
            packer.pack(low, high, "definition" if at + 2 < len(edges) else END)
        return _at_lines(document, packer.cuts((), outline.notices))

    def _edges(self, document: Document, tree: Tree, breaks: Breaks, measure: Chars) -> np.ndarray:
        """Where a chunk ends whatever would still fit: around each definition over the size.

        Without `pack`, around those within it too that are not inside one and have more than a line. The
        first member of a class stays with the class's head where both fit, and closing brackets with what
        they close.
        """
        cuts, known, (starts, ends) = breaks.cuts, scan(document), tree.definitions.T
        if not len(cuts):
            return cuts
        large = measure.reaches(starts, self.size) < ends
        inside = np.maximum.accumulate(np.append(0, np.where(large, 0, ends)))[:-1]
        wanted = large
        if not self.pack:
            lines = known.line_starts
            several = np.searchsorted(lines, starts, "right") < np.searchsorted(lines, ends)
            wanted = large | (np.isin(starts, tree.members) & several)
        wanted &= starts >= inside
        before = cuts[np.searchsorted(cuts, starts[wanted], "right") - 1]
        touching = known.visible_before[before] == known.visible_before[starts[wanted]]
        after = np.searchsorted(cuts, ends[wanted])
        return np.unique(
            np.concatenate((before[touching & (before <= starts[wanted])], cuts[after[after < len(cuts)]]))
        )


def language_of(document: Document) -> str | None:
    """The language of the media type, or for plain text the one it looks like; None if there is none."""
    known = BY_MEDIA.get(document.media_type)
    if known or document.media_type != "text/plain":
        return known
    return document.fact("language", lambda: guess_language(document.text))


def _at_lines(document: Document, cuts: Cuts) -> Cuts:
    """The cuts with no chunk beginning in the blanks at the end of a line: it begins with its own line."""
    known = scan(document)
    starts = cuts.spans[:, 0]
    lines = known.line_starts
    own = lines[np.searchsorted(lines, known.next_visible[starts], "right") - 1]
    following = lines[np.minimum(np.searchsorted(lines, starts), len(lines) - 1)]
    moved = np.maximum(starts, np.minimum(following, own))
    return replace(cuts, spans=np.column_stack((moved, cuts.spans[:, 1])).astype(np.int32))


def _breaks(tree: Tree, measure: Chars, size: int) -> Breaks:
    """The breaks of the tree, and those before the first members that do not fit with what holds them.

    A first member that is no definition and does not fit alone has none: its beginning fills the chunk
    of the head.
    """
    firsts, begins = tree.firsts, tree.firsts.breaks.cuts
    fits = measure.reaches(begins, size) >= firsts.ends
    defined = firsts.breaks.kinds == KINDS.index("definition")
    apart = np.flatnonzero((measure.reaches(firsts.heads, size) < firsts.ends) & (defined | fits))
    return tree.breaks.joined(firsts.breaks.at(apart)) if len(apart) else tree.breaks


def _levels(
    document: Document, language: str, breaks: Breaks, measure: Chars, size: int
) -> tuple[Level, ...]:
    """Breaks at the start of a line, outermost first, blank lines, lines, breaks inside a line, words; all of
    them outside strings and comments before any inside.
    """
    tree = tree_of(document, language)
    atoms = tree.atoms[measure.reaches(tree.atoms[:, 0], size) >= tree.atoms[:, 1]]
    if breaks is tree.breaks:
        levels = document.fact(("code levels", language), lambda: _all_levels(document, tree, breaks))
    else:
        levels = _all_levels(document, tree, breaks)
    return outside_first(levels, atoms)


def _all_levels(document: Document, tree: Tree, breaks: Breaks) -> tuple[Level, ...]:
    known = scan(document)
    ranks = np.minimum(np.unique(breaks.depths, return_inverse=True)[1], _DEEPEST)

    def nested(wanted: np.ndarray) -> list[Level]:
        found = []
        for rank in np.unique(ranks[wanted]).tolist():
            chosen = wanted & (ranks == rank)
            name = KINDS[int(np.bincount(breaks.kinds[chosen]).argmax())]
            found.append(level(name, breaks.cuts[chosen], known))
        return found

    lines = (blank_line_level(document), line_level(document))
    last = (word_level(document), level("string", tree.strings.ravel(), known))
    return (*nested(breaks.at_line), *lines, *nested(~breaks.at_line), *last)
