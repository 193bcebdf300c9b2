"""What strategies share: the family, and the fields that every one of them declares alike."""

from __future__ import annotations

from typing import Any, ClassVar

from chunklab.measure import Chars, measure_of
from chunklab.params import TOKENIZERS, UNITS, Component, param
from chunklab.types import Cuts, Document

MAX_SIZE = 100_000


class Strategy(Component):
    """Where to cut. `split` returns spans in document order, untrimmed: blanks stay with a neighbour.

    `serves` names the media types a strategy is made for; empty means any text. Lengths are counted in
    `unit`, of `tokenizer` where these are tokens: parameters, unless a strategy has no size.
    """

    family: ClassVar[str] = "strategies"
    serves: ClassVar[tuple[str, ...]] = ()

    def split(self, document: Document) -> Cuts:
        """The cuts of one document; a text without visible characters has none."""
        raise NotImplementedError

    def measure(self, document: Document) -> Chars:
        """Lengths in this strategy's unit."""
        return measure_of(document, self.unit, self.tokenizer)


def size_param(default: int, help: str = "Longest chunk allowed, overlap included.") -> Any:
    """The field for a size in the strategy's unit."""
    return param(default, low=1, high=MAX_SIZE, step=10, help=help, slider=(20, 2000))


def overlap_param(default: int | str = 0) -> Any:
    """The field for an overlap: a count in the size's unit or a share of the size."""
    return param(
        default, kind="overlap", low=0, high=MAX_SIZE, step=5, slider=(0, 400),
        help="How much of a chunk's end the next one repeats; a number or a share such as 10%.",
    )  # fmt: skip


def unit_param() -> Any:
    """The field for what a size counts."""
    return param("chars", choices=UNITS, help="What sizes count: characters, words or tokens.")


def tokenizer_param() -> Any:
    """The field for whose tokens are counted."""
    return param(
        "cl100k",
        choices=TOKENIZERS,
        help="Whose tokens: cl100k and o200k are OpenAI's, minilm is all-MiniLM-L6-v2's.",
    )
