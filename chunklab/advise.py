"""A recipe to start from, by three properties of a document: its kind, its paragraphs, its structure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from chunklab.boundaries import blank_line_level
from chunklab.discovery import components
from chunklab.errors import ChunklabError
from chunklab.outline import outline_of
from chunklab.params import Component
from chunklab.recipe import build
from chunklab.scan import scan
from chunklab.sentences import sentence_starts
from chunklab.syntax.guess import guess_language
from chunklab.types import Document

SIZE = 800
"""The size for prose; paragraphs longer than this on average are long, those below a quarter short."""
SENTENCE_SIZE = 500
_CLOSERS = frozenset(".!?…。！？｡।॥؟۔'\"”’»)")
HEADINGS = 2
NOT_PROSE = {"code": "source code", "json": "JSON", "rows": "a table", "xml": "XML"}
"""Strategies for what has no sentences, and what that is."""
FEW_SENTENCES = 8
"""Below this, neighbouring sentences are too few to tell a change of topic from chance."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A recipe and why. `mean_paragraph` is in characters; `structure` counts the outline's parts by kind."""

    recipe: str
    kind: str
    mean_paragraph: float
    structure: dict[str, int]
    reasons: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "recipe": self.recipe, "kind": self.kind, "mean_paragraph": round(self.mean_paragraph, 1),
            "structure": self.structure, "reasons": list(self.reasons),
        }  # fmt: skip


def advise(document: Document) -> Advice:
    """The default for a document, from strategies that exist; recursive when in doubt.

    Text with headings, code and data is cut along its structure. Prose gets recursive(size=800); where
    its paragraphs are longer than that on average, sentence(size=500); where they are shorter than a
    quarter of it, semantic.
    """
    structure = dict(sorted(Counter(node.kind for node in outline_of(document).nodes).items()))
    mean = mean_paragraph(document)
    by_structure = structural(document)
    if by_structure:
        kind, split, reasons = _structured(by_structure, structure)
    else:
        kind = "prose" if document.text.strip() else "empty"
        split, reasons = _prose(document, mean)
    return Advice(str(split), kind, mean, structure, tuple(reasons))


def mean_paragraph(document: Document) -> float:
    """The mean length in characters of the runs of text between blank lines; 0 for a blank text."""
    known = scan(document)
    if not int(known.visible_before[-1]):
        return 0.0
    edges = np.concatenate(([0], blank_line_level(document).cuts, [len(document.text)]))
    lengths = known.visible_end[edges[1:]] - known.next_visible[edges[:-1]]
    return float(lengths[lengths > 0].mean())


def structural(document: Document, least: int = HEADINGS) -> str | None:
    """The strategy that follows this document's structure, None when it has none to follow.

    One that serves the document's media type comes first, for plain text that looks like a program `code`;
    any outline with `least` headings is enough for `headings`. Markdown without them has no structure to
    cut along.
    """
    known = components("strategies")
    if not document.text.strip():
        return None
    nodes = outline_of(document).nodes
    has_headings = sum(node.kind == "heading" for node in nodes) >= least
    for key, kind in known.items():
        if document.media_type in kind.serves and (has_headings or not _needs_headings(kind)):
            return key
    if has_headings and "headings" in known:
        return "headings"
    plain = document.media_type == "text/plain"
    return "code" if plain and "code" in known and guess_language(document.text) else None


def _needs_headings(kind: type[Component]) -> bool:
    return "bold_headings" in kind.params()


def _structured(key: str, structure: dict[str, int]) -> tuple[str, Component, list[str]]:
    parts = ", ".join(f"{count:,} {name}" for name, count in structure.items())
    if key not in NOT_PROSE:
        reasons = [f"The author gave it a structure ({parts}); sections under a heading are its topics."]
        return {"markdown": "Markdown"}.get(key, "text with headings"), build("strategies", key, {}), reasons
    what = f" ({parts})" if parts else ""
    reasons = [f"This is {NOT_PROSE[key]}{what}: it has units of its own, which should stay whole."]
    return NOT_PROSE[key], build("strategies", key, {}), reasons


def _prose(document: Document, mean: float) -> tuple[Component, list[str]]:
    reasons = ["No headings or other structure to cut along were found."]
    if mean > SIZE:
        reasons.append(
            f"Paragraphs are long, {mean:,.0f} characters on average: whole sentences up to {SENTENCE_SIZE} "
            "are the smaller unit."
        )
        return _first(("sentence", {"size": SENTENCE_SIZE}), reasons)
    if 0 < mean < SIZE / 4 and _in_sentences(document) and "semantic" in components("strategies"):
        reasons.append(
            f"Paragraphs are short, {mean:,.0f} characters on average, so a chunk of {SIZE} would hold "
            "several topics: cuts are put where the meaning changes."
        )
        return _first(("semantic", {}), reasons)
    if mean:
        reasons.append(f"Paragraphs have {mean:,.0f} characters on average; most stay whole within {SIZE}.")
    return _first(("recursive", {"size": SIZE}), reasons)


def _in_sentences(document: Document) -> bool:
    """True when there are enough sentences to compare, and most of them end like one."""
    starts = sentence_starts(document)
    ends = scan(document).visible_end[np.append(starts[1:], len(document.text))]
    closed = sum(document.text[end - 1] in _CLOSERS for end in ends.tolist())
    return len(starts) >= FEW_SENTENCES and closed > len(starts) / 2


def _first(wanted: tuple[str, dict[str, Any]], reasons: list[str]) -> tuple[Component, list[str]]:
    for key, values in (wanted, ("recursive", {"size": SIZE})):
        try:
            return build("strategies", key, values), reasons
        except ChunklabError:
            reasons = [*reasons, f"The strategy {key} is not to be had here."]
    raise ChunklabError("advise: the strategy recursive is missing. This is a fault in chunklab.")
