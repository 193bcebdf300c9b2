"""A real embedder in place of hashed words."""

from __future__ import annotations

from chunklab.exercises.base import Claim, Exercise, Samples, Variant, crossed, joined

_RECIPES = {"fixed": "fixed(size=400)", "recursive": "recursive(size=400,overlap=0)"}
_EMBEDDERS = {"hashing": "hashing()", "static": "static()", "minilm": "minilm()"}


def _variants(samples: Samples, embedder: str) -> list[Variant]:
    return crossed(joined(samples, "prose", "markdown", "mixed"), _RECIPES, _EMBEDDERS)


EXERCISE = Exercise(
    order=4,
    title="Use a real embedder",
    asks="Does a neural model find more than hashed words, with the same cuts?",
    measures=("hit_rate@10", "recall@5", "mrr"),
    variants=_variants,
    claims=(
        Claim("A neural model ranks better.", "recursive with minilm", "recursive with hashing", "mrr"),
        Claim("It finds more.", "recursive with minilm", "recursive with hashing", "recall@5"),
        Claim("It beats static vectors.", "recursive with minilm", "recursive with static", "mrr"),
    ),
    embedder=False,
)
