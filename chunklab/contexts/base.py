"""What the vector sees besides the chunk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from chunklab.params import Component
from chunklab.types import Cuts, Document

if TYPE_CHECKING:
    from chunklab.chunking import Chunks
    from chunklab.embedders.base import Embedder


class Context(Component):
    """Embed as. `contexts` returns one text a chunk, put before it for embedding only, or none at all.

    A context that `makes_vectors` does not go by texts: `vectors` gives them, and no text is embedded.
    """

    family: ClassVar[str] = "contexts"
    makes_vectors: ClassVar[bool] = False

    def contexts(self, document: Document, cuts: Cuts) -> tuple[str, ...]:
        """n texts, or an empty tuple where nothing is put before any chunk."""
        raise NotImplementedError

    def vectors(self, chunks: Chunks, embedder: Embedder) -> np.ndarray | None:
        """(n, d) float32 rows of length one, or None where the embedder embeds texts as usual."""
        return None

    def at_hand(self, chunks: Chunks, embedder: Embedder) -> bool:
        """True when no model has to run for the vectors of these chunks."""
        return embedder.at_hand(chunks)

    def notices(self, chunks: Chunks, embedder: Embedder) -> tuple[str, ...]:
        """What a reader must know about vectors made here, each a sentence."""
        return ()


def before_own(texts: Sequence[str], cuts: Cuts) -> tuple[str, ...]:
    """Each text, then the context that the strategy gave that chunk; an empty tuple where all are empty."""
    own = cuts.contexts or ("",) * len(texts)
    found = tuple(text + context for text, context in zip(texts, own, strict=True))
    return found if any(found) else ()
