"""Larger chunks: what they gain and what they dilute."""

from __future__ import annotations

from chunklab.exercises.base import Claim, Exercise, Samples, Variant, joined


def _variants(samples: Samples, embedder: str) -> list[Variant]:
    corpus = joined(samples, "prose", "markdown", "mixed")
    return [
        Variant(f"{name} {size}", corpus, f"{name}(size={size},overlap=0)", embedder)
        for name in ("fixed", "recursive")
        for size in (200, 500)
    ]


EXERCISE = Exercise(
    order=3,
    title="Make the chunks larger",
    asks="What happens when a chunk may have 500 characters in place of 200?",
    measures=("hit_rate@10", "recall@5", "whole@5", "precision@5", "iou@5"),
    variants=_variants,
    claims=(
        Claim("Larger chunks find more.", "recursive 500", "recursive 200", "recall@5"),
        Claim("Larger chunks hold more answers whole.", "recursive 500", "recursive 200", "whole@5"),
        Claim("Larger chunks dilute.", "recursive 500", "recursive 200", "iou@5", -1),
    ),
)
