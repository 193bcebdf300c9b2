"""An ordered list of separators, strongest first."""

from __future__ import annotations

from dataclasses import dataclass

from chunklab.boundaries import PRESETS, separator_levels
from chunklab.errors import ParamError
from chunklab.lazy import cuts_by_search
from chunklab.packing import Packer
from chunklab.params import check_overlap, overlap_of, param
from chunklab.patterns import check_pattern
from chunklab.strategies.base import Strategy, overlap_param, size_param, tokenizer_param, unit_param
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class Recursive(Strategy):
    """Chunks up to `size`, each ended at the strongest separator within reach.

    A cut falls at the last paragraph end within the size, or else the last line end, sentence, word and,
    where nothing else helps, between characters. Unlike LangChain's splitter of the same idea, whose exact
    result `langchain` has, it fills up the tail of a piece over the size, and every joint gets the overlap
    asked for.
    """

    label = "Recursive"
    assumes = "Writers mark topics by blank lines, then lines, then sentences."
    fails = "A long paragraph with several topics is cut by length, not by meaning."

    size: int = size_param(400)
    overlap: int | str = overlap_param("10%")
    unit: str = unit_param()
    tokenizer: str = tokenizer_param()
    separators: str | tuple[str, ...] = param(
        "plain", kind="separators",
        help="A preset (plain, markdown, python, notebook) or a list of separators, strongest first.",
    )  # fmt: skip
    keep: str = param(
        "end",
        choices=("end", "start"),
        help="Whether a visible separator ends a chunk or starts one.",
        detail=True,
    )
    regex: bool = param(False, help="Read the listed separators as regular expressions (RE2).", detail=True)

    def check(self) -> None:
        check_overlap(self)
        if isinstance(self.separators, str):
            if self.separators not in PRESETS:
                raise ParamError(
                    "recursive",
                    "separators",
                    f"a preset ({', '.join(PRESETS)}) or a list of texts",
                    self.separators,
                )
        elif self.regex:
            for pattern in self.separators:
                check_pattern("recursive", pattern)

    def split(self, document: Document) -> Cuts:
        preset = isinstance(self.separators, str)
        listed = PRESETS[self.separators] if preset else self.separators
        regex = self.regex and not preset
        overlap = overlap_of(self.overlap, self.size)
        if self.unit == "chars" and not regex:
            cuts = cuts_by_search(document, self.size, overlap, listed, self.keep)
            if cuts is not None:
                return cuts
        levels = separator_levels(document, listed, self.keep, regex)
        packer = Packer(document, self.measure(document), self.size, overlap, levels, hard="" in listed)
        packer.pack(0, len(document.text))
        return packer.cuts()
