"""What a random ranking would reach: the yardstick beside every measure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunklab.chunking import Chunks
from chunklab.types import Question


def chance_recall(questions: Sequence[Question], chunks: Sequence[Chunks], k: int) -> float | None:
    """The expected recall@k when what the reader can get is ranked at random; None without evidence.

    That is each returned span once. Exact: a character that lies in m of n spans is among k drawn without replacement with probability
    1 - C(n - m, k) / C(n, k). Mean over the questions that have evidence, each character counted once.
    """
    by_document = {each.document.id: np.unique(each.returned, axis=0) for each in chunks}
    total = sum(map(len, by_document.values()))
    shares = [_expected(question, by_document, total, k) for question in questions if question.evidence]
    return float(np.mean(shares)) if shares else None


def _expected(question: Question, spans_of: dict[str, np.ndarray], total: int, k: int) -> float:
    covered = length = 0.0
    for document_id in {each.document_id for each in question.evidence}:
        places = [each.span for each in question.evidence if each.document_id == document_id]
        spans = spans_of[document_id]
        low, high = min(each.start for each in places), max(each.end for each in places)
        near = spans[(spans[:, 0] < high) & (spans[:, 1] > low)]
        edges = np.unique(
            [*near.ravel().clip(low, high), *(edge for each in places for edge in (each.start, each.end))]
        )
        starts, widths = edges[:-1], np.diff(edges)
        inside = np.any([(each.start <= starts) & (starts < each.end) for each in places], axis=0)
        depth = ((near[:, 0][:, None] <= starts) & (starts < near[:, 1][:, None])).sum(axis=0)
        length += widths[inside].sum()
        covered += (widths * [_drawn(int(each), total, k) for each in depth])[inside].sum()
    return covered / length


def _drawn(holding: int, total: int, k: int) -> float:
    missed = 1.0
    for drawn in range(min(k, total)):
        missed *= max(0, total - holding - drawn) / (total - drawn)
    return 1 - missed
