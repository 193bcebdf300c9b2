"""The records that flow through chunklab. Every position is a code point offset into a document's text."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np

from chunklab.errors import ChunklabError

T = TypeVar("T")
FACTS_KEPT = 128
PSEUDO = "pseudo-heading"
"""The kind of a node that looks like a heading and is none."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code points, ``start < end``. Spans that only touch do not overlap."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ChunklabError(f"span: must be 0 <= start < end, got [{self.start}, {self.end}).")

    def overlaps(self, other: Span) -> bool:
        """True when at least one code point lies in both."""
        return self.start < other.end and other.start < self.end

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(frozen=True)
class Document:
    """A text as it was decoded; nothing in it is normalised, and all offsets are into `text`.

    `notices` are sentences for the reader about what happened at intake. `outline` is the structure that
    intake found where the text was extracted from something else, such as HTML; None where it is read
    from the text.
    """

    id: str
    text: str
    media_type: str = "text/plain"
    notices: tuple[str, ...] = ()
    outline: Outline | None = field(default=None, repr=False, compare=False)
    _facts: dict = field(default_factory=dict, init=False, repr=False, compare=False)

    def fact(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` returns, computed once and kept with the document (the newest 128 facts).

        Scans, outlines, boundaries and tokens are kept here: they live and die with their document.
        """
        if key not in self._facts:
            value = make()
            while len(self._facts) >= FACTS_KEPT:
                self._facts.pop(next(iter(self._facts)), None)
            self._facts[key] = value
            return value
        return self._facts[key]

    def known(self, key: Hashable) -> object | None:
        """The fact kept under this key, None where there is none so far."""
        return self._facts.get(key)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text, and of the structure where it came with it, in hexadecimal: the key of every cache."""
        found = hashlib.sha256(self.text.encode("utf-8", "surrogatepass"))
        for node in self.outline.nodes if self.outline else ():
            found.update(f"\0{node.span.start} {node.span.end} {node.kind} {node.level}".encode())
        return found.hexdigest()


@dataclass(frozen=True, slots=True)
class Node:
    """One part of a document's structure.

    `span` is the whole element for a table, list or code block, and the heading's own lines for a
    heading. `level` is 1 to 6 for headings, from 1 up for definitions by their nesting, and 0 elsewhere;
    `title` is a heading's text or the name that is defined.
    """

    span: Span
    kind: str
    level: int = 0
    title: str = ""


@dataclass(frozen=True)
class Outline:
    """The structure of one document: nodes in order of their start, outer before inner."""

    nodes: tuple[Node, ...] = ()
    notices: tuple[str, ...] = ()

    @cached_property
    def headings(self) -> tuple[Node, ...]:
        """The headings alone, in document order; in source code, which has none, the definitions."""
        found = tuple(node for node in self.nodes if node.kind == "heading")
        return found or tuple(node for node in self.nodes if node.kind == "definition")

    @cached_property
    def paths(self) -> tuple[tuple[str, ...], ...]:
        """For each heading the titles from the outermost heading above it down to itself."""
        open_levels: list[tuple[int, str]] = []
        paths = []
        for node in self.headings:
            while open_levels and open_levels[-1][0] >= node.level:
                open_levels.pop()
            open_levels.append((node.level, node.title))
            paths.append(tuple(title for _, title in open_levels))
        return tuple(paths)


@dataclass(frozen=True)
class Cuts:
    """What a strategy returns: spans in document order and, for each, which boundary ended it.

    `spans` is (n, 2) int32, half-open code points. `reasons` is (n,) and indexes `reason_names`.
    """

    spans: np.ndarray
    reasons: np.ndarray
    reason_names: tuple[str, ...]
    contexts: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece of a document.

    `id` is a hash of the document's text, the span and the recipe; `context` is text put before `text` for embedding only and never part of the span; `returned` is
    the span the reader gets; `headings` are the titles above the chunk's first line of body text;
    `cut` names the boundary that ended it.
    """

    id: str
    document: Document = field(repr=False)
    span: Span
    index: int
    context: str
    returned: Span
    headings: tuple[str, ...]
    cut: str

    @property
    def text(self) -> str:
        """The slice of the document: offsets are exact because nothing else is stored."""
        return self.document.text[self.span.start : self.span.end]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The place of a gold answer: a span of one document, never a chunk.

    `alternatives` are other places that say the same: any one of them will do.
    """

    document_id: str
    span: Span
    alternatives: tuple[Evidence, ...] = ()

    @property
    def places(self) -> tuple[Evidence, ...]:
        """Itself, then its alternatives."""
        return self, *self.alternatives


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the parts of its answer, all of which it takes. Without evidence it is left out of every mean."""

    id: str
    text: str
    evidence: tuple[Evidence, ...]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """One measured value in tidy form; everything plotted or compared is made of these rows."""

    recipe: str
    embedder: str
    retriever: str
    metric: str
    k: int
    question_id: str
    value: float
