"""What was found as one text for a model: every character once, each part with its place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chunklab.errors import ParamError
from chunklab.intervals import Place, shared, size, union
from chunklab.outline import outline_of
from chunklab.returned import merged
from chunklab.scan import scan
from chunklab.sections import headings_above
from chunklab.tokens import Tokenizer
from chunklab.tokens import tokenizer as tokenizer_named
from chunklab.tokens.ngrams import HashedText
from chunklab.types import Document

ALIKE = 0.8
"""Texts that share this much of their word triples (Jaccard) say the same."""
_TRIPLE = 3


@dataclass(frozen=True)
class Part:
    """One citation: its number, from 1, and the slice of a document that stands under it.

    `headings` are the titles above its first line of body text; `cut` says that the budget ended it.
    """

    number: int
    document_id: str
    start: int
    end: int
    headings: tuple[str, ...]
    cut: bool = False

    @property
    def citation(self) -> str:
        """The line above the part's text; the offsets are half-open code points."""
        path = f", {' › '.join(self.headings)}" if self.headings else ""
        return f"[{self.number}] {self.document_id}, characters {self.start}–{self.end}{path}"


@dataclass(frozen=True)
class Prompt:
    """A text to send, and its `tokens`, special ones aside; `left` is what a budget has over, None without.

    `repeats` are places left out because they say the same as one before, `beyond` those that the budget
    left out, whole.
    """

    text: str
    parts: tuple[Part, ...]
    tokens: int
    left: int | None
    repeats: tuple[Place, ...] = ()
    beyond: tuple[Place, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "text": self.text,
            "tokens": self.tokens,
            "left": self.left,
            "parts": [{"citation": part.citation, **vars(part)} for part in self.parts],
            "repeats": [list(place) for place in self.repeats],
            "beyond": [list(place) for place in self.beyond],
        }


def assemble(
    question: str,
    places: Iterable[Place],
    documents: Iterable[Document],
    budget: int | None = None,
    tokenizer: str = "cl100k",
    once: bool = False,
) -> Prompt:
    """The prompt for a question from places (document id, start, end) in rank order.

    Places that overlap or touch are one part, at the best rank of its pieces; nothing of a document
    stands twice. With a `budget` in tokens for the whole prompt, places are taken in rank order as long as
    they fit, and the one that passes it is cut after the last token that fits. With `once`, a place with
    nearly the same words as one before it is left out too. The question stands at the end; no text is changed. Raises
    ParamError when the question alone is over the budget.
    """
    known, reader = {each.id: each for each in documents}, tokenizer_named(tokenizer)
    ranked, repeats = list(places), []
    if once:
        ranked, repeats = _once(ranked, known)
    made = _made(question, ranked, known)
    tokens, beyond = reader.count(made[0]), []
    if budget is not None and tokens > budget:
        ranked, beyond, cut = _within(question, ranked, known, budget, reader)
        made = _made(question, ranked, known, cut)
        tokens = reader.count(made[0])
    left = None if budget is None else budget - tokens
    return Prompt(*made, tokens, left, tuple(repeats), tuple(beyond))


def _made(
    question: str, ranked: Sequence[Place], documents: dict[str, Document], cut: Place | None = None
) -> tuple[str, tuple[Part, ...]]:
    """The text and its parts; the part that ends where the place `cut` does was ended by the budget."""
    parts = tuple(
        Part(number, *place, _headings(documents[place[0]], place), bool(cut) and place[::2] == cut[::2])
        for number, place in enumerate(merged(ranked, touching=True), 1)
    )
    shown = [
        f"{part.citation}\n{documents[part.document_id].text[part.start : part.end]}\n\n" for part in parts
    ]
    return "".join(shown) + f"Question: {question}", parts


def _headings(document: Document, place: Place) -> tuple[str, ...]:
    above = headings_above(document, np.array([place[1:]], dtype=np.int32))[0]
    return outline_of(document).paths[above] if above >= 0 else ()


def _within(
    question: str, ranked: list[Place], documents: dict[str, Document], budget: int, reader: Tokenizer
) -> tuple[list[Place], list[Place], Place | None]:
    """The places that fit, those that do not, and the one of the first that was cut."""

    def count(some: Sequence[Place]) -> int:
        return reader.count(_made(question, some, documents)[0])

    if (least := count(())) > budget:
        raise ParamError("prompt", "budget", f"at least {least}, the tokens of the question", budget)
    fitting = 0
    while fitting + 1 < len(ranked) and count(ranked[: fitting + 1]) <= budget:
        fitting += 1
    kept, (document, start, end) = ranked[:fitting], ranked[fitting]
    ends = _ends(documents[document], start, end, reader)[:budget]
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high + 1) // 2
        fits = count([*kept, (document, start, ends[middle - 1])]) <= budget
        low, high = (middle, high) if fits else (low, middle - 1)
    cut = (document, start, ends[low - 1]) if low else None
    if cut and size(union([*kept, cut])) > size(union(kept)):
        return [*kept, cut], ranked[fitting + 1 :], cut
    return kept, ranked[fitting:], None


def _ends(document: Document, start: int, end: int, reader: Tokenizer) -> list[int]:
    """Where the slice [start, end) may be cut short: after a token and something visible, outside a cluster."""
    known = scan(document)
    found = np.unique(reader.offsets(document.text[start:end])[1]) + start
    visible = known.visible_before[found] > known.visible_before[start]
    return found[visible & (found < end) & ~np.isin(found, known.joined)].tolist()


def _once(ranked: Sequence[Place], documents: dict[str, Document]) -> tuple[list[Place], list[Place]]:
    """The places in rank order and, apart, those that say nearly the same as one kept before them."""
    kept: list[tuple[Place, frozenset]] = []
    repeats = []
    for document, start, end in ranked:
        place, words = (document, start, end), _triples(documents[document].text[start:end])
        if any(_alike(words, others) and not shared(union([place]), union([one])) for one, others in kept):
            repeats.append(place)
        else:
            kept.append((place, words))
    return [place for place, _ in kept], repeats


def _triples(text: str) -> frozenset[tuple[str, ...]]:
    """Each three words in a row; of a text with fewer, all its words."""
    words = HashedText(text, "unicode").strings or text.split()
    last = max(1, len(words) - _TRIPLE + 1)
    return frozenset(tuple(words[at : at + _TRIPLE]) for at in range(last))


def _alike(one: frozenset, other: frozenset) -> bool:
    both = len(one & other)
    return both >= ALIKE * (len(one) + len(other) - both)
