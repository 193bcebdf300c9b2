"""The scores of the Chroma report, by its own definitions (Smith and Troynikov 2024).

They differ from the measures of `metrics`: lengths of retrieved chunks are added up, so that text in two
chunks counts twice, and a chunk that only touches the evidence counts as one that holds it. Places are
(document, start, end), half-open; a document is what the report calls a corpus.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunklab.intervals import Place, shared, size, union


def scores(
    gold: Sequence[Place], retrieved: Sequence[Place], k: int | None = None
) -> tuple[float, float, float]:
    """(recall, precision, IoU) of one question's first k retrieved places, all of them without k.

    `retrieved` is in rank order, with repeats and with places of other documents; nothing retrieved
    gives 0 for all. The report's "Min" mode takes as k the number of chunks that `touching` finds.
    """
    top = retrieved[:k]
    covered = shared(union(gold), union(top))
    summed = sum(end - start for _, start, end in top)
    wanted = sum(end - start for _, start, end in gold)
    if not summed:
        return 0.0, 0.0, 0.0
    return covered / wanted, covered / summed, covered / (summed + wanted - covered)


def precision_omega(gold: np.ndarray, chunks: np.ndarray) -> float:
    """The evidence in all chunks that touch it, over the union of these chunks and the evidence they miss.

    `gold` (g, 2) and `chunks` (n, 2) are spans of one document, chunks in any order; 0 when none touches.
    """
    held = union(("", *span) for span in chunks[touching(gold, chunks)].tolist())
    wanted = union(("", *span) for span in gold.tolist())
    covered = shared(wanted, held)
    return covered / (size(held) + size(wanted) - covered) if held else 0.0


def touching(gold: np.ndarray, chunks: np.ndarray) -> np.ndarray:
    """(n,) bool: which of the (n, 2) chunks overlap any of the (g, 2) spans of evidence or abut it."""
    return ((chunks[:, :1] <= gold[:, 1]) & (chunks[:, 1:] >= gold[:, 0])).any(axis=1)
