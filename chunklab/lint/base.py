"""What detectors share: the finding they return, and what is known about the chunks they look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from chunklab.advise import NOT_PROSE as WITHOUT_SENTENCES
from chunklab.advise import structural
from chunklab.chunking import Chunks
from chunklab.embedders.base import Embedder
from chunklab.outline import outline_of
from chunklab.scan import scan
from chunklab.sentences import sentence_starts
from chunklab.tokens.ngrams import HashedText
from chunklab.types import Document, Node, Question, Span

PLACES_KEPT, PLACES_IN_JSON = 1000, 100
APART = ("code", "html", "table", "row", "definition", "member", "element", "front_matter")


@dataclass(frozen=True, slots=True)
class Problem:
    """One failure mode: how often, where (the first 1000 places), what to do and the recipe that does it.

    `fix` is None where no recipe helps, or none is known to.
    """

    kind: str
    count: int
    what: str
    places: tuple[Span, ...]
    remedy: str
    fix: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON, with the first 100 places."""
        places = [{"start": each.start, "end": each.end} for each in self.places[:PLACES_IN_JSON]]
        return {
            "kind": self.kind, "count": self.count, "what": self.what, "places": places,
            "remedy": self.remedy, "fix": self.fix,
        }  # fmt: skip


def problem(
    kind: str, what: str, places: np.ndarray | Sequence[tuple[int, int]], remedy: str, fix: str | None = None
) -> Problem | None:
    """A Problem from (m, 2) places, None when there are none."""
    if not len(places):
        return None
    pairs = np.asarray(places, dtype=np.int64).reshape(-1, 2)[:PLACES_KEPT].tolist()
    return Problem(kind, len(places), what, tuple(Span(*pair) for pair in pairs), remedy, fix)


class Case:
    """The chunks under examination. Arrays are (n,), one value a chunk, unless they say otherwise."""

    def __init__(
        self, chunks: Chunks, questions: Sequence[Question] = (), model: str | Embedder | None = None
    ):
        self.chunks, self.questions, self.model = chunks, questions, model
        self.document: Document = chunks.document
        self.text, self.recipe, self.known = self.document.text, chunks.recipe, scan(chunks.document)
        self.spans, self.returned = chunks.spans, chunks.returned
        self.starts, self.ends = self.spans[:, 0], self.spans[:, 1]
        self.first = self.known.next_visible[self.starts]
        self.last = self.known.visible_end[self.ends]
        """The visible part of each chunk, half-open."""

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The outline as the recipe's strategy reads it."""
        return outline_of(self.document, getattr(self.recipe.split, "reads_as", None)).nodes

    def node_spans(self, *kinds: str) -> np.ndarray:
        """(m, 2) spans of the outline's nodes of these kinds, in order of start."""
        found = [(each.span.start, each.span.end) for each in self.nodes if each.kind in kinds]
        return np.array(found, dtype=np.int64).reshape(-1, 2)

    @cached_property
    def sentences(self) -> np.ndarray:
        """(m,) where sentences begin."""
        return sentence_starts(self.document)

    @cached_property
    def words(self) -> HashedText:
        """The document's words."""
        return self.document.fact(("ngrams", "unicode"), lambda: HashedText(self.text, "unicode"))

    @cached_property
    def cuts(self) -> np.ndarray:
        """(m,) sorted offsets at which a chunk begins or ends with visible text on both sides."""
        before = self.known.visible_before
        cuts = np.unique(self.spans)
        return cuts[(before[cuts] > 0) & (before[cuts] < before[-1])]

    def cut_through(self, spans: np.ndarray) -> np.ndarray:
        """(m, 2) those of the spans, in order of start, that a cut lies strictly inside of."""
        if not len(spans) or not len(self.cuts):
            return spans[:0]
        at = np.searchsorted(self.cuts, spans[:, 0], "right")
        next_cut = np.append(self.cuts, len(self.text))[at]
        return spans[next_cut < spans[:, 1]]

    def inside(self, offsets: np.ndarray, spans: np.ndarray) -> np.ndarray:
        """Which offsets lie in a span: at its start or after it, and before its end."""
        opened = np.searchsorted(np.sort(spans[:, 0]), offsets, "right")
        return opened > np.searchsorted(np.sort(spans[:, 1]), offsets, "right")

    @cached_property
    def in_prose(self) -> np.ndarray:
        """Chunks whose first visible character stands in running text, not in code, tables or data."""
        if structural(self.document) in WITHOUT_SENTENCES:
            return np.zeros(len(self.first), dtype=bool)
        return ~self.inside(self.first, self.node_spans(*APART))

    @cached_property
    def headings(self) -> np.ndarray:
        """(m, 2) spans of the headings."""
        return self.node_spans("heading")

    @cached_property
    def header_only(self) -> np.ndarray:
        """Chunks that hold nothing visible but headings."""
        steps = np.zeros(len(self.text) + 1, dtype=np.int8)
        steps[self.headings[:, 0]] += 1
        np.add.at(steps, self.headings[:, 1], -1)
        visible = (np.cumsum(steps[:-1], dtype=np.int8) > 0) & ~self.known.blank
        count = np.concatenate(([0], np.cumsum(visible, dtype=np.int32)))
        all_visible = self.known.visible_before
        return count[self.ends] - count[self.starts] == all_visible[self.ends] - all_visible[self.starts]

    @cached_property
    def after_heading(self) -> np.ndarray:
        """Chunks before whose first visible character a heading ends."""
        return np.isin(self.known.visible_end[self.first], self.headings[:, 1])

    @cached_property
    def has_context(self) -> np.ndarray:
        """Chunks whose vector sees more than their own text."""
        contexts = self.chunks.contexts
        return np.array([bool(each) for each in contexts]) if contexts else np.zeros(len(self.spans), bool)

    @cached_property
    def opened_before(self) -> np.ndarray:
        """Chunks that are returned with visible text before them."""
        return self.known.next_visible[self.returned[:, 0]] < self.first
