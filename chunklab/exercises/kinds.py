"""Why one strategy wins on prose and another on technical text."""

from __future__ import annotations

from collections.abc import Sequence

from chunklab.exercises.base import Exercise, Result, Samples, Variant

_RECIPES = {
    "fixed": "fixed(size=500,overlap=50)",
    "sentence": "sentence(size=500)",
    "recursive": "recursive(size=500,overlap=0)",
    "headings": "markdown(max_size=500)",
}
_CORPORA = ("prose", "markdown", "mixed")


def _variants(samples: Samples, embedder: str) -> list[Variant]:
    return [
        Variant(f"{name} on {kind}", samples[kind], recipe, embedder)
        for kind in _CORPORA
        for name, recipe in _RECIPES.items()
    ]


def _notes(results: Sequence[Result]) -> list[str]:
    said = []
    for kind in _CORPORA:
        means = {
            each.variant.name.partition(" on ")[0]: float(each.evaluation.value("whole@5").mean())
            for each in results
            if each.variant.corpus.name == kind
        }
        top = max(means.values())
        best = [name for name, mean in means.items() if mean == top]
        said.append(f"{kind}: the highest whole@5 is {top:.2f}, by {' and '.join(best)}.")
    return [*said, "Eight questions a document: one question is 0.125, so mind the intervals."]


EXERCISE = Exercise(
    order=10,
    title="Prose, manual, runbook",
    asks="Does the best cut depend on the kind of document?",
    measures=("hit_rate@1", "recall@5", "whole@5"),
    variants=_variants,
    notes=_notes,
)
