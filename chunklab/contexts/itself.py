"""The chunk alone."""

from __future__ import annotations

from dataclasses import dataclass

from chunklab.contexts.base import Context
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class Itself(Context):
    """The chunk as it is, with the context that its strategy gave it, such as a table's header row."""

    label = "The chunk itself"
    assumes = "A chunk can be understood alone."
    fails = 'A chunk that says only "it" or "the above" is embedded without what it speaks of.'

    def contexts(self, document: Document, cuts: Cuts) -> tuple[str, ...]:
        return cuts.contexts
