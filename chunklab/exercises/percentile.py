"""The percentile of a semantic cut, and whether its cuts fall where the topics change."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunklab.boundaries import blank_line_level
from chunklab.exercises.base import Claim, Exercise, Result, Samples, Variant
from chunklab.segmentation import boundary_scores, pk, window_diff

_RECIPES = {
    **{
        f"percentile {each}": f"semantic(size=4000,buffer=0,percentile={each},embedder='static')"
        for each in (75, 95, 99)
    },
    "paragraphs": "paragraph(max_size=4000)",
}


def _variants(samples: Samples, embedder: str) -> list[Variant]:
    return [Variant(name, samples["topics"], recipe, embedder) for name, recipe in _RECIPES.items()]


def _notes(results: Sequence[Result]) -> list[str]:
    said = []
    for each in results:
        rows = []
        for chunks in each.chunks:
            document = chunks.document
            ends = blank_line_level(document).cuts, chunks.spans[1:, 0], len(document.text)
            rows.append([*boundary_scores(*ends), pk(*ends), window_diff(*ends)])
        precision, recall, f1, missed, windows = np.mean(rows, axis=0)
        said.append(
            f"{each.variant.name}: {each.evaluation.chunks} chunks; topic boundaries found with precision {precision:.2f}, "
            f"recall {recall:.2f}, F1 {f1:.2f}; Pk {missed:.2f}, WindowDiff {windows:.2f} (0 is best)."
        )
    return said


EXERCISE = Exercise(
    order=2,
    title="Move the percentile",
    asks="What do 75, 95 and 99 change for a semantic cut, and does it find the topics?",
    measures=("hit_rate@10", "recall@5", "iou@5"),
    variants=_variants,
    claims=(
        Claim("More cuts make chunks more precise.", "percentile 75", "percentile 99", "iou@5"),
        Claim("Meaning cuts better than paragraphs.", "percentile 95", "paragraphs", "recall@5"),
    ),
    notes=_notes,
)
