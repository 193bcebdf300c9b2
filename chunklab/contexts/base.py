"""What the vector sees besides the chunk."""

from __future__ import annotations

from typing import ClassVar

from chunklab.params import Component
from chunklab.types import Cuts, Document


class Context(Component):
    """Embed as. `contexts` returns one text a chunk, put before it for embedding only, or none at all."""

    family: ClassVar[str] = "contexts"

    def contexts(self, document: Document, cuts: Cuts) -> tuple[str, ...]:
        """n texts, or an empty tuple where nothing is put before any chunk."""
        raise NotImplementedError
