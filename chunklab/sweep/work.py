"""The work on one setting, as it is done here, in a thread or in another process."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np

from chunklab import __version__
from chunklab.ceiling import ceiling
from chunklab.chunking import chunk
from chunklab.controls import chance
from chunklab.corpus import Corpus
from chunklab.embedders.base import Embedder, prefixed
from chunklab.errors import ChunklabError
from chunklab.experiment import evaluate
from chunklab.recipe import Recipe
from chunklab.retrievers.base import Retriever
from chunklab.sweep.costs import spent, stored
from chunklab.sweep.result import Swept

FORMAT = 1
Vectors = Mapping[str, np.ndarray]
"""Text -> (d,) float32."""


@dataclass(frozen=True, eq=False)
class Plan:
    """What is the same for all settings of a sweep. In another process it is made once, however often it is sent."""

    corpus: Corpus
    embedder: Embedder
    retriever: Retriever
    ks: tuple[int, ...]
    budgets: tuple[int, ...]
    measures: tuple[str, ...]
    tokenizer: str
    tokens: bool
    controls: bool
    seed: int

    @cached_property
    def dims(self) -> int:
        """How many numbers a vector has, 0 where there are none."""
        return self.embedder.embed([""]).shape[1] if self.retriever.uses_vectors else 0

    @cached_property
    def questions(self) -> list[str]:
        """What the model reads of each question that is scored."""
        asked = [each.text for each in self.corpus.questions if each.evidence]
        return prefixed(self.embedder.query_prefix, asked)

    def header(self) -> dict[str, Any]:
        """What decides the values, as plain data."""
        return {
            "sweep": FORMAT,
            "chunklab": __version__,
            "numpy": np.__version__,
            "corpus_digest": self.corpus.digest,
            "embedder": str(self.embedder),
            "fingerprint": self.embedder.fingerprint,
            "retriever": str(self.retriever),
            "ks": list(self.ks),
            "budgets": list(self.budgets),
            "measures": list(self.measures),
            "tokenizer": self.tokenizer,
            "tokens": self.tokens,
            "controls": self.controls,
            "seed": self.seed,
        }

    @cached_property
    def packed(self) -> bytes:
        """The plan without what is known about its documents."""
        documents = tuple(dataclasses.replace(each) for each in self.corpus.documents)
        corpus = dataclasses.replace(self.corpus, documents=documents)
        fields = {each.name: getattr(self, each.name) for each in dataclasses.fields(self)}
        return pickle.dumps(fields | {"corpus": corpus})

    def __reduce__(self) -> tuple[Callable[[bytes], Plan], tuple[bytes]]:
        return _received, (self.packed,)


_plans: dict[bytes, Plan] = {}


def _received(packed: bytes) -> Plan:
    key = hashlib.sha256(packed).digest()
    if key not in _plans:
        _plans.clear()
        _plans[key] = Plan(**pickle.loads(packed))
    return _plans[key]


def measured(plan: Plan, recipe: Recipe, vectors: Vectors | None = None) -> Swept:
    """The setting, measured as `evaluate` does; one that cannot be measured says why.

    `vectors` are of texts that are encoded already: only others are given to the embedder.
    """
    began = perf_counter()
    embedder = remembering(plan.embedder, vectors) if vectors else plan.embedder
    tokenizer = plan.tokenizer if plan.tokens or plan.budgets else ""
    try:
        dims = len(next(iter(vectors.values()))) if vectors else plan.dims
        chunks = [chunk(document, recipe) for document in plan.corpus.documents]
        found = evaluate(
            plan.corpus, recipe, embedder, plan.retriever, plan.ks, chunks, plan.budgets, plan.measures,
            plan.tokenizer,
        )  # fmt: skip
        result = Swept(
            recipe=str(recipe),
            values=found.values,
            costs=stored(chunks, dims, tokenizer),
            spent=spent(chunks, found.ranking.indices, plan.ks, tokenizer),
            chance=chance(found, chunks, plan.seed) if plan.controls else {},
            ceiling={f"recall@{k}": ceiling(found.questions, chunks, k) for k in plan.ks if plan.controls},
        )
    except ChunklabError as error:
        result = Swept(str(recipe), problem=str(error))
    return dataclasses.replace(result, seconds=perf_counter() - began)


def embedded(embedder: Embedder, texts: Sequence[str]) -> np.ndarray:
    """(n, d) float32 vectors of the texts."""
    return embedder.embed(texts)


def remembering(embedder: Embedder, vectors: Vectors) -> Any:
    """The same embedder, which looks up the vectors of texts that it finds there."""

    class Remembering(type(embedder)):
        def embed(self, texts: Sequence[str]) -> np.ndarray:
            missing = [each for each in dict.fromkeys(texts) if each not in vectors]
            if len(missing) == len(texts):
                return embedder.embed(texts)
            made = dict(zip(missing, embedder.embed(missing), strict=True)) if missing else {}
            return np.stack([made[each] if each in made else vectors[each] for each in texts])

        def embed_queries(self, queries: Sequence[str]) -> np.ndarray:
            return self.embed(prefixed(self.query_prefix, queries)).astype(np.float64)

    return as_kind(embedder, Remembering)


def as_kind(embedder: Embedder, kind: type[Embedder]) -> Any:
    """A copy of the embedder that is of a class made from its own, under the same name."""
    kind.__module__, kind.__qualname__ = type(embedder).__module__, type(embedder).__qualname__
    made = copy.copy(embedder)
    object.__setattr__(made, "__class__", kind)
    return made
