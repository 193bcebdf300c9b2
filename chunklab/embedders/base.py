"""What every embedder offers: unit vectors of texts, and the cosine between queries and chunks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from chunklab.params import Component

if TYPE_CHECKING:
    from chunklab.chunking import Chunks


class Embedder(Component):
    """Turns texts into vectors. `limit` is the most tokens it reads of one text, None for no limit."""

    family: ClassVar[str] = "embedders"
    limit: ClassVar[int | None] = None

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """(n, d) float32 rows of length one; a text without words gets a row of zeros."""

    def similarities(self, queries: Sequence[str], chunks: Chunks) -> np.ndarray:
        """(q, n) float64 cosine of each query with each chunk as it is embedded: its context, then its text.

        0 where either has no words, never NaN. Equal texts get equal numbers, bit by bit: each
        different text is embedded once.
        """
        texts = embedded_texts(chunks)
        place = {text: at for at, text in enumerate(dict.fromkeys(texts))}
        if not place or not queries:
            return np.zeros((len(queries), len(texts)))
        found = _vectors(self, tuple(queries)) @ self.embed(list(place)).astype(np.float64).T
        return found[:, [place[text] for text in texts]]


def embedded_texts(chunks: Chunks) -> list[str]:
    """What the vector of each chunk is made from."""
    text = chunks.document.text
    own = [text[start:end] for start, end in chunks.spans.tolist()]
    contexts = chunks.contexts
    return [context + each for context, each in zip(contexts, own, strict=True)] if contexts else own


@lru_cache(maxsize=8)
def _vectors(embedder: Embedder, queries: tuple[str, ...]) -> np.ndarray:
    return embedder.embed(queries).astype(np.float64)
