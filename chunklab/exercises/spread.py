"""Whether a real embedder lifts semantic cuts, and narrows the gap between strategies."""

from __future__ import annotations

from collections.abc import Sequence

from chunklab.exercises.base import Claim, Exercise, Result, Samples, Variant, crossed, joined
from chunklab.stats import spread

_RECIPES = {
    "fixed": "fixed(size=500,overlap=50)",
    "sentence": "sentence(size=500)",
    "recursive": "recursive(size=500,overlap=0)",
    "semantic": "semantic(size=500,embedder='static')",
}
_EMBEDDERS = {"hashing": "hashing()", "minilm": "minilm()"}


def _variants(samples: Samples, embedder: str) -> list[Variant]:
    return crossed(joined(samples, "prose", "markdown", "mixed"), _RECIPES, _EMBEDDERS)


def _notes(results: Sequence[Result]) -> list[str]:
    said = []
    for measure in ("hit_rate@1", "recall@5", "mrr"):
        apart = {
            embedder: spread(
                float(each.evaluation.value(measure).mean())
                for each in results
                if each.variant.embedder == text
            )
            for embedder, text in _EMBEDDERS.items()
        }
        said.append(
            f"{measure}: the strategies lie {apart['hashing']:.2f} apart with hashing and "
            f"{apart['minilm']:.2f} with minilm."
        )
    return said


EXERCISE = Exercise(
    order=7,
    title="Does the model even out the cuts?",
    asks="With a better embedder, do semantic cuts gain, and do strategies come closer together?",
    measures=("hit_rate@1", "recall@5", "mrr"),
    variants=_variants,
    claims=(
        Claim(
            "A real embedder lifts semantic cuts.",
            "semantic with minilm",
            "semantic with hashing",
            "hit_rate@1",
        ),
        Claim("It lifts fixed cuts as well.", "fixed with minilm", "fixed with hashing", "hit_rate@1"),
    ),
    notes=_notes,
    embedder=False,
)
