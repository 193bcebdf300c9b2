"""Three ways to cut one text, three questions, and what stands at the top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chunklab.exercises.base import Exercise, Result, Samples, Variant

_RECIPES = {
    "fixed": "fixed(size=500,overlap=50)",
    "sentence": "sentence(size=500)",
    "semantic": "semantic(method='threshold',threshold=0.3,size=500,embedder='static')",
}
_ASKED = ("p3", "p4", "p8")


def _variants(samples: Samples, embedder: str) -> list[Variant]:
    prose = samples["prose"]
    chosen = tuple(each for each in prose.questions if each.id in _ASKED)
    corpus = replace(prose, questions=chosen)
    return [Variant(name, corpus, recipe, embedder) for name, recipe in _RECIPES.items()]


def _notes(results: Sequence[Result]) -> list[str]:
    said = []
    for each in results:
        split = [
            question.id
            for question in each.evaluation.questions
            if not all(_whole(part.span, chunks) for part in question.evidence for chunks in each.chunks)
        ]
        held = int(each.evaluation.value("all_evidence@1").sum())
        cut = f"cuts {', '.join(split)} in two" if split else "cuts no answer in two"
        said.append(
            f"{each.variant.name}: the top chunk holds {held} of {len(_ASKED)} answers whole; it {cut}."
        )
    return [*said, "Three questions can show a fault, but decide nothing: see the intervals."]


def _whole(span, chunks) -> bool:
    return bool(((chunks.spans[:, 0] <= span.start) & (span.end <= chunks.spans[:, 1])).any())


EXERCISE = Exercise(
    order=9,
    title="Three ways, three questions",
    asks="One story cut three ways: which top results hold the answers, and which cuts split them?",
    measures=("hit_rate@1", "all_evidence@1", "mrr"),
    variants=_variants,
    notes=_notes,
)
