"""Overlap taken away, to see how many answers it saves."""

from __future__ import annotations

from chunklab.exercises.base import Claim, Exercise, Samples, Variant, joined


def _variants(samples: Samples, embedder: str) -> list[Variant]:
    corpus = joined(samples, "prose", "markdown", "mixed")
    return [
        Variant(f"{name} with overlap {overlap}", corpus, f"{name}(size=200,overlap={overlap!r})", embedder)
        for name in ("fixed", "recursive")
        for overlap in ("20%", 0)
    ]


EXERCISE = Exercise(
    order=1,
    title="Take the overlap away",
    asks="Does recall drop when chunks no longer repeat the end of the one before?",
    measures=("hit_rate@10", "recall@5", "whole@5", "iou@5"),
    variants=_variants,
    claims=(
        Claim("Overlap raises recall.", "fixed with overlap 20%", "fixed with overlap 0", "recall@5"),
        Claim("Overlap keeps answers whole.", "fixed with overlap 20%", "fixed with overlap 0", "whole@5"),
        Claim(
            "Recursive cuts need overlap too.",
            "recursive with overlap 20%",
            "recursive with overlap 0",
            "whole@5",
        ),
    ),
)
