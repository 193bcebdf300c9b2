"""How long an embedder takes on this machine, to tell what the vectors of a setting cost."""

from __future__ import annotations

import random
from functools import lru_cache
from time import perf_counter

from chunklab.recipe import parse_component

TEXTS, WORDS = 16, 60
_VOCABULARY = (
    "the of and to in is that for it as with on by from at which this be are or was an not have but one all may where "
    "when more than each other so text time number part of size page limit server answer question first second after"
)


@lru_cache(maxsize=20)
def seconds_per_character(embedder: str) -> float:
    """What one character of a chunk takes, from a few texts that no cache can know."""
    made = parse_component("embedders", embedder)
    made.embed(_texts(1))
    texts = _texts(TEXTS)
    began = perf_counter()
    made.embed(texts)
    return (perf_counter() - began) / sum(map(len, texts))


def _texts(count: int) -> list[str]:
    return [" ".join(random.choices(_VOCABULARY.split(), k=WORDS)) for _ in range(count)]
