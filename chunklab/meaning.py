"""What strategies that cut by meaning share: their fields, their curve, and how its cuts become chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chunklab.discovery import keys
from chunklab.errors import ParamError
from chunklab.grouping import Grouping
from chunklab.params import param
from chunklab.parts import Parts, sentences
from chunklab.strategies.base import MAX_SIZE, Strategy, size_param, tokenizer_param, unit_param
from chunklab.types import Cuts, Document
from chunklab.vectors import given, seconds, truncated

FEW = 8
"""With fewer sentences a cut-off that is relative to the text says little."""


@dataclass(frozen=True)
class Curve:
    """What a strategy compares between neighbouring parts, to be drawn over the document.

    `offsets` (n,) int32 is where the next chunk begins if the gap is cut, `distances` (n,) how far apart
    the two sides are, `values` (n,) what is compared with `cutoff` (the distances, or their slopes; the
    cut-off is None where none decides), `cut` (n,) bool the gaps that meaning cuts, before sizes are held.
    `shows` names the values. Any amount from `same[0]` up to, not including, `same[1]` would cut the same
    gaps.
    """

    offsets: np.ndarray
    distances: np.ndarray
    values: np.ndarray
    cut: np.ndarray
    cutoff: float | None = None
    shows: str = "cosine distance"
    same: tuple[float, float] | None = None
    notices: tuple[str, ...] = ()


def embedder_param() -> Any:
    """The field for the embedder whose vectors decide the cuts."""
    return param(
        "hashing",
        choices=keys("embedders"),
        help="Whose vectors decide the cuts; apart from the embedder that is searched with.",
    )


@dataclass(frozen=True)
class ByMeaning(Strategy):
    """A strategy whose cuts follow from the vectors of a document's parts."""

    size: int = size_param(1000, "Longest chunk allowed; a longer group is cut at sentences, then words.")
    unit: str = unit_param()
    tokenizer: str = tokenizer_param()
    min_size: int = param(
        0, low=0, high=MAX_SIZE // 2, step=10, slider=(0, 500),
        help="Shortest chunk allowed; a shorter group joins the neighbour that is nearer in meaning.",
    )  # fmt: skip
    embedder: str = embedder_param()

    def check(self) -> None:
        if self.min_size > self.size // 2:
            raise ParamError(
                self.key(), "min_size", f"at most half the size of {self.size}", self.min_size,
                f"Use at most {self.size // 2}, or a larger size.",
            )  # fmt: skip

    @property
    def sides(self) -> int:
        """How many parts on either side are embedded together with each."""
        return 0

    def parts(self, document: Document) -> Parts:
        """What gets a vector each."""
        return sentences(document)

    def curve(self, document: Document) -> Curve:
        """What is compared in every gap, and which gaps are cut."""
        raise NotImplementedError

    def split(self, document: Document) -> Cuts:
        seen = self.curve(document)
        gaps = dict(zip(seen.offsets[seen.cut].tolist(), seen.distances[seen.cut].tolist(), strict=True))
        key = ("embedder's limit", self.embedder, self.parts(document).key, self.sides)
        over = document.fact(
            key, lambda: truncated(document, self.parts(document), self.embedder, self.sides)
        )
        grouping = Grouping(document, self.measure(document), self.size, self.min_size, seen.offsets)
        return grouping.cuts(gaps, (*seen.notices, over) if over else seen.notices)


def few_notice(count: int, cut: bool, what: str) -> tuple[str, ...]:
    """A notice where a text has so few sentences that a cut-off relative to it means little."""
    if count == 2:
        return (f"2 sentences have one gap, and {what} never cuts it; a threshold may.",)
    if count < FEW and cut:
        return (f"Only {count} sentences: {what} cuts a text of one topic too.",)
    return ()


def curve(document: Document, strategy: Strategy) -> Curve | None:
    """The curve of a strategy that cuts by meaning, None for any other; embeds what is not yet embedded."""
    return strategy.curve(document) if isinstance(strategy, ByMeaning) else None


def cost(document: Document, strategy: Strategy | None = None) -> int:
    """How many texts a strategy will have embedded, 0 if it needs none; without one, the sentences."""
    if strategy is None:
        return len(sentences(document))
    return len(strategy.parts(document)) if isinstance(strategy, ByMeaning) else 0


def embedding_seconds(document: Document, strategy: Strategy) -> float | None:
    """How long embedding took for a strategy's cuts; None when nothing was embedded for them yet."""
    if not isinstance(strategy, ByMeaning):
        return None
    return seconds(document, strategy.parts(document), strategy.embedder, strategy.sides)


def give_vectors(document: Document, strategy: ByMeaning, rows: Sequence | np.ndarray) -> None:
    """Lets a strategy cut by these vectors, (n, d), one a unit, instead of its embedder's.

    To be called once, on a document that the strategy's embedder has not seen; they are checked when used.
    """
    given(document, rows, strategy.parts(document), strategy.embedder, strategy.sides)
