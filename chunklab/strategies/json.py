"""Whole members and items of JSON."""

from __future__ import annotations

from dataclasses import dataclass

from chunklab.nesting import nested_cuts
from chunklab.outline.json import nested
from chunklab.strategies.base import Strategy, size_param, tokenizer_param, unit_param
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class Json(Strategy):
    """Whole array items and object members packed to `size`; a value over the size is cut between its parts.

    Cuts fall between siblings, the outermost first. A string is cut only where it alone is over the size.
    Brackets and commas stay in the text and count; there is no overlap, for half a member repeated is no
    JSON. Text that is not JSON is cut as `recursive` does, with a notice that says where it broke.
    """

    label = "JSON members"
    assumes = "Each member or item of the data says something on its own."
    fails = "Names further up are not in the chunk, so an inner object can lose what it is about."
    serves = ("application/json", "application/x-ndjson")

    size: int = size_param(800, "Longest chunk allowed, brackets and commas included.")
    unit: str = unit_param()
    tokenizer: str = tokenizer_param()

    def split(self, document: Document) -> Cuts:
        return nested_cuts(document, nested(document), self.measure(document), self.size, "member", "value")
