"""Whole rows of a table, its header carried along."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunklab.boundaries import level, separator_levels
from chunklab.outline.csv import MEDIA_TYPES, rows
from chunklab.packing import Packer
from chunklab.params import param
from chunklab.scan import scan
from chunklab.strategies.base import Strategy, size_param, tokenizer_param, unit_param
from chunklab.structure import text_levels
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class Rows(Strategy):
    """Whole rows of comma- or tab-separated text packed to `size`, with the first row as context.

    The delimiter is found from the first lines; a line end inside quotes does not end a row. A row over the
    size is cut like text. Chunks after the one that holds the header row get it as context, which is not
    part of the span and not of the size. Text without columns is cut as `recursive` does, with a notice.
    """

    label = "Table rows"
    assumes = "Each row is a record of its own, and the first row names the columns."
    fails = "Without the names of the columns a row says little, and a wrong first row misleads every chunk."
    serves = ("text/csv", "text/tab-separated-values")

    size: int = size_param(800, "Longest chunk allowed, the repeated header not counted.")
    unit: str = unit_param()
    tokenizer: str = tokenizer_param()
    header: bool = param(True, help="Give the first row as context to the chunks after it.")

    def split(self, document: Document) -> Cuts:
        found, text = rows(document), document.text
        columns = bool(found.delimiter) or document.media_type in MEDIA_TYPES
        notices = (found.problem,) if found.problem else ()
        if columns:
            levels = (level("row", found.spans[:, 0], scan(document)), *text_levels(document))
        else:
            levels = separator_levels(document, "plain", "end", False)
            if text.strip():
                notices = ("No columns were found in the first lines: the text is cut as recursive does.",)
        packer = Packer(document, self.measure(document), self.size, 0, levels)
        packer.pack(0, len(text))
        contexts: tuple[str, ...] = ()
        if columns and self.header and len(found.spans) > 1:
            low, high = found.spans[0].tolist()
            starts = np.array([start for start, _ in packer.spans])
            contexts = tuple(f"{text[low:high]}\n" if start >= high else "" for start in starts.tolist())
        return packer.cuts(contexts if any(contexts) else (), notices)
