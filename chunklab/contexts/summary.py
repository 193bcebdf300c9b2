"""The chunk's most central sentence, then the chunk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunklab.contexts.base import Context, before_own
from chunklab.likeness import likeness
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class Summary(Context):
    """The sentence of the chunk that is nearest to all its sentences together, put before it.

    Sentences are compared by hashed words, rare ones weighing more; no model writes anything. A chunk with
    fewer than two whole sentences gets none: it would only be said twice.
    """

    label = "Its central sentence, then the chunk"
    assumes = "One sentence of a chunk says what the chunk is about, and may count double."
    fails = "In a chunk with two topics the central sentence stands for one of them."

    def contexts(self, document: Document, cuts: Cuts) -> tuple[str, ...]:
        if not len(cuts.spans):
            return ()
        known = likeness(document)
        texts = [""] * len(cuts.spans)
        first, last = known.within(cuts.spans)
        for at in np.flatnonzero(last - first > 1).tolist():
            best = known.most_central(int(first[at]), int(last[at]))
            words = document.text[known.starts[best] : known.ends[best]]
            texts[at] = " ".join(words.split()) + "\n"
        return before_own(texts, cuts)
