"""A larger piece of the document that holds the chunk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunklab.boundaries import blank_line_level, heading_level, separator_levels
from chunklab.measure import measure_of
from chunklab.outline import parts_of
from chunklab.packing import Packer
from chunklab.params import param
from chunklab.returns.base import Return
from chunklab.scan import scan
from chunklab.sections import sections
from chunklab.strategies.base import size_param, tokenizer_param, unit_param
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class Parent(Return):
    """Small chunks are searched, and the larger piece that a chunk lies in is returned.

    Parents are cut by themselves: packed up to `size`, or each section under a heading, or each
    paragraph; a section or paragraph over `size` is packed into several. They tile the text. A chunk
    that lies in more than one parent returns all of them as one span.
    """

    label = "The parent"
    assumes = "What answers a question lies near the words that were found."
    fails = "Large parents fill the prompt with what was not asked for."

    size: int = size_param(2000, "Longest parent allowed.")
    unit: str = unit_param()
    tokenizer: str = tokenizer_param()
    by: str = param(
        "size",
        choices=("size", "section", "paragraph"),
        help="What a parent is: as much as fits the size, the section under a heading, or the paragraph.",
    )

    def spans(self, document: Document, cuts: Cuts) -> np.ndarray:
        if not len(cuts.spans):
            return cuts.spans
        starts = document.fact(("parents", str(self)), lambda: self._starts(document))
        ends = np.append(starts[1:], len(document.text))
        known = scan(document)
        low, high = cuts.spans[:, 0], cuts.spans[:, 1]
        first = np.searchsorted(starts, known.next_visible[low], "right") - 1
        last = np.searchsorted(starts, known.visible_end[high] - 1, "right") - 1
        # Blanks beside a chunk may lie in the parent before or after: all its chunks then return them.
        _, family = np.unique(first.astype(np.int64) * len(starts) + last, return_inverse=True)
        begin, end = starts[first].astype(np.int32), ends[last].astype(np.int32)
        lowest = np.full(family.max() + 1, len(document.text), dtype=np.int32)
        highest = np.zeros_like(lowest)
        np.minimum.at(lowest, family, np.minimum(begin, low))
        np.maximum.at(highest, family, np.maximum(end, high))
        return np.column_stack((lowest[family], highest[family])).astype(np.int32)

    def _starts(self, document: Document) -> np.ndarray:
        """Sorted offsets at which a parent begins, the first of them 0."""
        edges = [0]
        if self.by == "section":
            edges += sections(document, parts_of(document)).starts.tolist()
        elif self.by == "paragraph":
            edges += [*blank_line_level(document).cuts.tolist(), *heading_level(document).cuts.tolist()]
        edges = sorted(set(edges))
        levels = separator_levels(document, "markdown", "end", False)
        packer = Packer(document, measure_of(document, self.unit, self.tokenizer), self.size, 0, levels)
        for low, high in zip(edges, [*edges[1:], len(document.text)], strict=True):
            packer.pack(low, high)
        starts = np.array([low for low, _ in packer.spans], dtype=np.int32)
        starts[:1] = 0
        return starts
