"""Whole sentences, packed to a size."""

from __future__ import annotations

from dataclasses import dataclass

from chunklab.boundaries import sentence_level
from chunklab.errors import ParamError
from chunklab.packing import Packer
from chunklab.params import check_overlap, overlap_of, param
from chunklab.strategies.base import Strategy, overlap_param, size_param, tokenizer_param, unit_param
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class Sentence(Strategy):
    """Whole sentences up to `size`, or `n` sentences a chunk; a sentence over the size is cut at words."""

    label = "Sentences"
    assumes = "A sentence is a thought, and neighbours belong together."
    fails = "A pronoun at the start of a chunk may point to a sentence in the one before."

    size: int = size_param(500)
    overlap: int | str = overlap_param()
    unit: str = unit_param()
    tokenizer: str = tokenizer_param()
    n: int = param(
        0,
        low=0,
        high=1000,
        step=1,
        help="At most so many sentences a chunk; 0 for as many as fit.",
        label="sentences a chunk, 0 = as many as fit",
    )
    repeat: int = param(
        0,
        low=0,
        high=999,
        step=1,
        help="With n: how many of its sentences the next chunk repeats.",
        detail=True,
    )

    def check(self) -> None:
        check_overlap(self)
        if self.repeat and self.repeat >= self.n:
            raise ParamError(
                "sentence",
                "repeat",
                f"below n, which is {self.n}",
                self.repeat,
                "Set n above it, or use overlap.",
            )

    def split(self, document: Document) -> Cuts:
        sentences = sentence_level(document)
        overlap = overlap_of(self.overlap, self.size)
        packer = Packer(
            document, self.measure(document), self.size, overlap, (sentences,),
            overlap_level=sentences, at_most=self.n, repeat=self.repeat,
        )  # fmt: skip
        packer.pack(0, len(document.text))
        return packer.cuts()
