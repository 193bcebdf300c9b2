"""Windows of tokens as one more strategy."""

from __future__ import annotations

from chunklab.exercises.base import Claim, Exercise, Samples, Variant, joined

_RECIPES = {
    "tokens 128": "fixed(size=128,unit=tokens,tokenizer=minilm)",
    "chars 500": "fixed(size=500)",
    "chars 500, overlap 50": "fixed(size=500,overlap=50)",
}


def _variants(samples: Samples, embedder: str) -> list[Variant]:
    corpus = joined(samples, "prose", "markdown", "mixed")
    return [Variant(name, corpus, recipe, embedder) for name, recipe in _RECIPES.items()]


EXERCISE = Exercise(
    order=5,
    title="Count tokens, not characters",
    asks="Do windows of 128 tokens find more than windows of 500 characters, which are about as long?",
    measures=("hit_rate@1", "recall@5", "whole@5", "mrr"),
    variants=_variants,
    claims=(
        Claim("Token windows rank better.", "tokens 128", "chars 500", "hit_rate@1"),
        Claim("Token windows find more.", "tokens 128", "chars 500", "recall@5"),
    ),
)
