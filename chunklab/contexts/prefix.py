"""The beginning of the document, then the chunk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunklab.contexts.base import Context, before_own
from chunklab.params import param
from chunklab.scan import scan
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class Prefix(Context):
    """The first `chars` characters of the document, up to a word's end, put before every chunk.

    Tutorials call this late chunking; it only comes near it: late chunking (Günther et al. 2024) pools
    the token vectors of the whole document. The prefix never repeats the document's layout: it is one
    line.
    """

    label = "The document's beginning (what tutorials call late chunking)"
    assumes = "The first words of a document say what all of it is about."
    fails = "The same words before every chunk make all chunks alike, the shorter the more."

    chars: int = param(
        120, low=1, high=2000, step=10, slider=(20, 400), help="Characters of the document's beginning."
    )

    def contexts(self, document: Document, cuts: Cuts) -> tuple[str, ...]:
        known = scan(document)
        start = int(known.next_visible[0])
        end = min(start + self.chars, len(document.text))
        ends = known.words[1]
        whole = int(np.searchsorted(ends, end, "right"))
        end = known.snap(int(ends[whole - 1]) if whole else end)
        head = " ".join(document.text[start:end].split())
        return before_own([head + "\n" if head else ""] * len(cuts.spans), cuts)
