"""Harder and harder, to see which cuts fail most gracefully."""

from __future__ import annotations

from collections.abc import Sequence

from chunklab.exercises.base import Claim, Exercise, Result, Samples, Variant, joined
from chunklab.transforms import misspelt, shortened, with_distractors

_RECIPES = {
    "fixed": "fixed(size=400)",
    "recursive": "recursive(size=400,overlap=0)",
    "headings": "markdown(max_size=400)",
}


def _variants(samples: Samples, embedder: str) -> list[Variant]:
    plain = joined(samples, "prose", "markdown", "mixed")
    crowded = with_distractors(plain, [samples["topics"], samples["formats"]])
    steps = {
        "as it is": plain,
        "+ 48 other documents": crowded,
        "+ half the words": shortened(crowded, 0.5),
        "+ misspelt": misspelt(shortened(crowded, 0.5), 0.5),
    }
    return [
        Variant(f"{name}, {step}", corpus, recipe, embedder)
        for step, corpus in steps.items()
        for name, recipe in _RECIPES.items()
    ]


def _notes(results: Sequence[Result]) -> list[str]:
    said = []
    for name in _RECIPES:
        means = [
            float(each.evaluation.value("recall@5").mean())
            for each in results
            if each.variant.name.startswith(f"{name},")
        ]
        said.append(
            f"{name}: recall@5 {' → '.join(f'{mean:.2f}' for mean in means)}, a loss of {means[0] - means[-1]:.2f}."
        )
    return said


EXERCISE = Exercise(
    order=11,
    title="Make it harder",
    asks="Other documents beside the right ones, shorter questions, misspelt ones: what holds?",
    measures=("hit_rate@1", "recall@5", "mrr"),
    variants=_variants,
    claims=tuple(
        Claim(
            f"{name} cuts lose recall on the way.", f"{name}, + misspelt", f"{name}, as it is", "recall@5", -1
        )
        for name in _RECIPES
    ),
    notes=_notes,
)
