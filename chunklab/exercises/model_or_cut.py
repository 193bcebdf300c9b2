"""What matters more: the model or the cuts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunklab.exercises.base import Exercise, Result, Samples, Variant, crossed, joined

_RECIPES = {
    "fixed 200": "fixed(size=200)",
    "fixed 800": "fixed(size=800)",
    "sentence 400": "sentence(size=400)",
    "recursive 400": "recursive(size=400,overlap=0)",
    "headings 800": "markdown(max_size=800)",
}
_EMBEDDERS = {"hashing": "hashing()", "static": "static()", "minilm": "minilm()"}


def _variants(samples: Samples, embedder: str) -> list[Variant]:
    return crossed(joined(samples, "prose", "markdown", "mixed"), _RECIPES, _EMBEDDERS)


def _notes(results: Sequence[Result]) -> list[str]:
    said = []
    for measure in EXERCISE.measures:
        means = np.array([each.evaluation.value(measure).mean() for each in results])
        cuts, model, rest = shares(means.reshape(len(_EMBEDDERS), len(_RECIPES)))
        said.append(
            f"{measure}: of the variance between the means, the cuts explain {cuts:.0%}, the model {model:.0%}, "
            f"their interplay {rest:.0%}."
        )
    return said


def shares(means: np.ndarray) -> tuple[float, float, float]:
    """The shares of variance of (models, cuts) means due to columns, to rows and to neither; 0 without any.

    Sums of squares of a two-way table with one value a cell (Fisher 1925).
    """
    total = float(((means - means.mean()) ** 2).sum())
    if not total:
        return 0.0, 0.0, 0.0
    columns = means.shape[0] * float(((means.mean(axis=0) - means.mean()) ** 2).sum())
    rows = means.shape[1] * float(((means.mean(axis=1) - means.mean()) ** 2).sum())
    return columns / total, rows / total, max(0.0, 1 - (columns + rows) / total)


EXERCISE = Exercise(
    order=12,
    title="Model or cuts?",
    asks="How much of the difference between results is due to the cuts, and how much to the embedder?",
    measures=("recall@5", "whole@5", "precision@5", "mrr"),
    variants=_variants,
    notes=_notes,
    embedder=False,
)
