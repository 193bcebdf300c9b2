"""One paragraph a chunk."""

from __future__ import annotations

from dataclasses import dataclass

from chunklab.boundaries import blank_line_level, heading_level, later_sentences
from chunklab.packing import END, Packer
from chunklab.strategies.base import Strategy, size_param, tokenizer_param, unit_param
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class Paragraph(Strategy):
    """Each paragraph as it stands; one over `max_size` is packed from its sentences.

    A paragraph ends at a blank line, whatever the line ending and with or without blanks on it, or
    before a Markdown heading.
    """

    label = "Paragraphs"
    assumes = "The writer put one topic in each paragraph."
    fails = "A heading or a one-line paragraph becomes a chunk that says almost nothing."

    max_size: int = size_param(1000, "Longest paragraph that stays whole.")
    unit: str = unit_param()
    tokenizer: str = tokenizer_param()

    def split(self, document: Document) -> Cuts:
        packer = Packer(document, self.measure(document), self.max_size, 0, (later_sentences(document),))
        edges: dict[int, str] = {0: ""}
        for each in (blank_line_level(document), heading_level(document)):
            edges.update(dict.fromkeys(each.cuts.tolist(), each.name))
        starts = sorted(edges)
        for start, end in zip(starts, [*starts[1:], len(document.text)], strict=True):
            packer.pack(start, end, edges.get(end, END))
        return packer.cuts()
