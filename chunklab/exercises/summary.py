"""A sentence that sums the chunk up, put before it for the embedding."""

from __future__ import annotations

from chunklab.exercises.base import Claim, Exercise, Samples, Variant, joined

_RECIPES = {
    "fixed": "fixed(size=500,overlap=50)",
    "sentence": "sentence(size=500)",
    "recursive": "recursive(size=500,overlap=0)",
}


def _variants(samples: Samples, embedder: str) -> list[Variant]:
    corpus = joined(samples, "prose", "markdown", "mixed")
    return [
        Variant(f"{name}{label}", corpus, f"{recipe}{context}", embedder)
        for name, recipe in _RECIPES.items()
        for label, context in (("", ""), (" + summary", " | summary()"))
    ]


EXERCISE = Exercise(
    order=8,
    title="Add a summary to each chunk",
    asks="Does the chunk's own central sentence, embedded once more with it, lift recall?",
    measures=("hit_rate@1", "recall@5", "mrr"),
    variants=_variants,
    claims=tuple(
        Claim(f"A summary lifts {name} cuts.", f"{name} + summary", name, "hit_rate@1") for name in _RECIPES
    ),
)
