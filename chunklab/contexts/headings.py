"""The headings above the chunk, then the chunk."""

from __future__ import annotations

from dataclasses import dataclass

from chunklab.contexts.base import Context
from chunklab.outline import outline_of
from chunklab.sections import headings_above
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class Headings(Context):
    """The titles above a chunk, outermost first and joined by " > ", put before it for embedding only."""

    label = "Headings, then the chunk"
    assumes = "The headings above a chunk say what it is about."
    fails = "Long headings drown a short chunk, and the same title above many chunks makes them alike."

    def contexts(self, document: Document, cuts: Cuts) -> tuple[str, ...]:
        above = headings_above(document, cuts.spans).tolist()
        paths = outline_of(document).paths
        own = cuts.contexts or ("",) * len(above)
        found = tuple(
            (" > ".join(paths[at]) + "\n" if at >= 0 else "") + context
            for at, context in zip(above, own, strict=True)
        )
        return found if any(found) else ()
