"""The sentences before and after the chunk, then the chunk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunklab.contexts.base import Context, before_own
from chunklab.params import param
from chunklab.scan import scan
from chunklab.sentences import sentence_starts
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class Neighbours(Context):
    """The `n` sentences before a chunk and the `n` after it, put before it for embedding only.

    They are taken from the text beside the chunk, so nothing that it holds is repeated; where a chunk
    begins or ends inside a sentence, the rest of that sentence counts as one.
    """

    label = "Neighbouring sentences, then the chunk"
    assumes = "The sentences around a chunk say what its pronouns mean."
    fails = "With small chunks the neighbours outweigh the chunk, and all chunks of a passage look alike."

    n: int = param(1, low=1, high=10, step=1, slider=(1, 5), help="Sentences on either side.")

    def contexts(self, document: Document, cuts: Cuts) -> tuple[str, ...]:
        text, known, starts = document.text, scan(document), sentence_starts(document)
        spans = cuts.spans
        if not len(spans) or not len(starts):
            return cuts.contexts
        ends = np.append(starts[1:], len(text))
        before = np.searchsorted(starts, known.visible_end[spans[:, 0]] - 1, "right") - self.n
        after = np.searchsorted(starts, known.next_visible[spans[:, 1]], "right") - 2 + self.n
        low = np.minimum(starts[np.clip(before, 0, len(starts) - 1)], spans[:, 0])
        high = np.maximum(ends[np.clip(after, 0, len(ends) - 1)], spans[:, 1])
        return before_own(
            [
                "".join(part + "\n" for each in (text[first:start], text[end:last]) if (part := each.strip()))
                for first, start, end, last in zip(
                    low.tolist(), *spans.T.tolist(), high.tolist(), strict=True
                )
            ],
            cuts,
        )
