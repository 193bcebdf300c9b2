"""Code between the paragraphs, and which cuts it upsets."""

from __future__ import annotations

from chunklab.exercises.base import Claim, Exercise, Samples, Variant
from chunklab.transforms import inject_code

_RECIPES = {
    "fixed": "fixed(size=500,overlap=50)",
    "sentence": "sentence(size=500)",
    "recursive": "recursive(size=500,overlap=0)",
    "semantic": "semantic(size=500,embedder='static')",
    "headings": "markdown(max_size=500)",
}


def _variants(samples: Samples, embedder: str) -> list[Variant]:
    plain = samples["prose"]
    kinds = {"prose": plain, "30 % code": inject_code(plain, 0.3)}
    return [
        Variant(f"{name} on {kind}", corpus, recipe, embedder)
        for kind, corpus in kinds.items()
        for name, recipe in _RECIPES.items()
    ]


EXERCISE = Exercise(
    order=6,
    title="Put code between the paragraphs",
    asks="Prose with 30 % code blocks: whose recall falls? The marked answers move with their text.",
    measures=("hit_rate@1", "recall@5", "whole@5"),
    variants=_variants,
    claims=tuple(
        Claim(
            f"Code makes {name} cuts find less.", f"{name} on 30 % code", f"{name} on prose", "recall@5", -1
        )
        for name in _RECIPES
    ),
)
