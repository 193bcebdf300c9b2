"""Which texts the settings of a sweep need from a model, each of them once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chunklab.chunking import chunk
from chunklab.errors import ChunklabError
from chunklab.recipe import Recipe
from chunklab.sweep.work import Plan, Vectors, as_kind

ENOUGH = 256
"""Settings share one call of the model until it has so many texts; more would keep the first results waiting."""


@dataclass
class Round:
    """Settings whose texts are encoded together. `count` texts are new, that is, in no setting before."""

    settings: list[int] = field(default_factory=list)
    count: int = 0


class Texts:
    """The texts of all settings: which of them is new where, and which is needed again.

    Texts are known by their hash alone until their turn comes. Of two that share one, the second is encoded
    when it is asked for.
    """

    def __init__(self, plan: Plan, recipes: Sequence[Recipe]):
        self.plan, self.recipes = plan, recipes
        self.needed = not plan.embedder.additive and plan.retriever.uses_vectors
        self.uses: dict[int, tuple[int, int]] = {}
        self.open: dict[int, list[str]] = {}
        self.rounds = list(self._rounds())
        self.total = sum(each.count for each in self.rounds)

    def _rounds(self) -> Iterator[Round]:
        """In the order of the settings; without a model, one for each."""
        current = Round()
        for at in range(len(self.recipes)):
            current.settings.append(at)
            for text in self._of(at) if self.needed else ():
                first, _ = self.uses.get(hash(text), (at, at))
                current.count += hash(text) not in self.uses
                self.uses[hash(text)] = first, at
            if current.count >= ENOUGH or not self.needed:
                yield current
                current = Round()
        if current.settings:
            yield current

    def new(self, round_: Round) -> list[str]:
        """The round's new texts, each once."""
        if not self.needed:
            return []
        self.open |= {at: self._of(at) for at in round_.settings}
        found = (text for at in round_.settings for text in self.open[at] if self.uses[hash(text)][0] == at)
        return list(dict.fromkeys(found))

    def known(self, at: int, store: dict[str, np.ndarray]) -> Vectors:
        """The vectors of a setting's texts out of the store, from which those not needed again are taken."""
        found = {text: store[text] for text in self.open.pop(at, ()) if text in store}
        for text in found:
            if self.uses[hash(text)][1] <= at:
                del store[text]
        return found

    def _of(self, at: int) -> list[str]:
        """The different texts that a setting gives to the model, the questions first."""
        recipe, seen = self.recipes[at], dict.fromkeys(self.plan.questions)
        if not recipe.embed_as.makes_vectors:
            reader = _reading(self.plan.embedder, seen)
            try:
                for document in self.plan.corpus.documents:
                    reader.similarities([""], chunk(document, recipe))
            except ChunklabError:
                return list(seen)  # It is told when the setting is measured.
        return list(seen)


def _reading(embedder: Any, seen: dict[str, None]) -> Any:
    """The same embedder, which only notes what it is given."""

    class Reading(type(embedder)):
        def embed(self, texts: Sequence[str]) -> np.ndarray:
            seen.update(dict.fromkeys(texts))
            return np.zeros((len(texts), 1), dtype=np.float32)

        def embed_queries(self, queries: Sequence[str]) -> np.ndarray:
            return np.zeros((len(queries), 1))

    return as_kind(embedder, Reading)
