"""Whole elements of XML."""

from __future__ import annotations

from dataclasses import dataclass

from chunklab.nesting import nested_cuts
from chunklab.outline.xml import nested
from chunklab.strategies.base import Strategy, size_param, tokenizer_param, unit_param
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class Xml(Strategy):
    """Whole elements packed to `size`; an element over the size is cut between its children, then in its text.

    Cuts fall between siblings, the outermost first. A tag, and an element amid text such as <b>, are cut
    only where one alone is over the size. There is no overlap, for half an element repeated is no XML. Text
    that is not well-formed is cut as `recursive` does, with a notice that says where it broke.
    """

    label = "XML elements"
    assumes = "Each element says something on its own."
    fails = "Tags take up room, and an inner element can lose what the elements around it say."
    serves = ("application/xml",)

    size: int = size_param(800, "Longest chunk allowed, tags included.")
    unit: str = unit_param()
    tokenizer: str = tokenizer_param()

    def split(self, document: Document) -> Cuts:
        return nested_cuts(
            document, nested(document), self.measure(document), self.size, "element", "element's edge"
        )
