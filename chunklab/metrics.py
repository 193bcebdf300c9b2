"""Measures of retrieval on spans of the source: pure functions, all in characters, overlaps counted once.

A place is a triple (document, start, end), half-open; the document is its id or its index, as long as
evidence and retrieved places name it the same way. Places that only touch do not overlap.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from chunklab.errors import ParamError
from chunklab.scan import Scan
from chunklab.types import Span

Place = tuple[Hashable, int, int]

METRICS: Mapping[str, str] = MappingProxyType(
    {
        "hit_rate": "Share of questions for which any of the top k chunks overlaps the evidence, "
        "from 0 to 1; many tutorials call this recall@k.",
        "document_hit_rate": "Share of questions for which any of the top k chunks comes from a "
        "document that holds evidence, from 0 to 1.",
        "recall": "Share of the evidence's characters that the top k chunks cover together, from 0 to 1.",
        "whole": "Share of questions for which one chunk among the top k holds a whole evidence span, "
        "from 0 to 1.",
        "precision": "Share of the characters in the top k chunks that are evidence, from 0 to 1; "
        "large chunks lower it.",
        "iou": "Characters that are both evidence and in the top k chunks, divided by those that are either, "
        "from 0 to 1.",
        "mrr": "Mean of 1 / rank of the first chunk that overlaps the evidence, 0 when none does, "
        "from 0 to 1.",
    }
)
"""Name -> one sentence with the range, in the order of display; all but mrr are taken at a k."""


def question_scores(
    evidence: Sequence[Place], retrieved: Sequence[Place], ks: Iterable[int] = (1, 3, 5, 10)
) -> dict[str, float]:
    """The scores of one question, "recall@5" -> 0 to 1, and "mrr", its reciprocal rank.

    `retrieved` is in rank order; at a k beyond its end all of it counts, and mrr looks at all of it.
    Without evidence nothing can be scored and the result is empty. Raises ParamError for a k below 1.
    """
    ks = checked_ks(ks)
    if not evidence:
        return {}
    gold = _union(evidence)
    gold_size = _size(gold)
    scores: dict[str, dict[int, float]] = {name: {} for name in METRICS if name != "mrr"}
    for k in ks:
        top = retrieved[:k]
        union = _union(top)
        covered, size = _shared(gold, union), _size(union)
        scores["hit_rate"][k] = float(covered > 0)
        scores["document_hit_rate"][k] = float(not gold.keys().isdisjoint(union))
        scores["recall"][k] = covered / gold_size
        scores["whole"][k] = float(any(verdict(place, top) == "whole" for place in evidence))
        scores["precision"][k] = covered / size if size else 0.0
        scores["iou"][k] = covered / (size + gold_size - covered)
    named = {f"{name}@{k}": value for name, at in scores.items() for k, value in at.items()}
    named["mrr"] = _reciprocal_rank(gold, retrieved)
    return named


def verdict(evidence: Place, retrieved: Iterable[Place]) -> str:
    """How the evidence fared: "whole" in one retrieved place, "split" when only overlapped, or "missed"."""
    document, start, end = evidence
    found = "missed"
    for other, low, high in retrieved:
        if other == document and low < end and start < high:
            if low <= start and end <= high:
                return "whole"
            found = "split"
    return found


@dataclass(frozen=True)
class Means:
    """Metric name -> mean over the `questions` that have evidence; `left_out` are the ids of the others."""

    values: dict[str, float]
    questions: int
    left_out: tuple[str, ...]


def mean_scores(scores: Mapping[str, Mapping[str, float]]) -> Means:
    """Means of `question_scores` by question id; a question with empty scores has no evidence."""
    counted = [each for each in scores.values() if each]
    left_out = tuple(id for id, each in scores.items() if not each)
    names = counted[0] if counted else ()
    values = {name: sum(each[name] for each in counted) / len(counted) for name in names}
    return Means(values, len(counted), left_out)


def checked_ks(ks: Iterable[int]) -> tuple[int, ...]:
    """The ks, rising and each once; raises ParamError unless all are whole numbers of at least 1."""
    ks = tuple(ks)
    for k in ks:
        if not isinstance(k, (int, np.integer)) or isinstance(k, bool) or k < 1:
            raise ParamError("metrics", "k", "a whole number of at least 1", k, "Use 1, 3, 5 or 10.")
    return tuple(sorted({int(k) for k in ks}))


def uncovered(text: str, spans: Sequence[Span] | np.ndarray) -> list[Span]:
    """The lost text: maximal runs of non-blank characters of `text` that lie in no span."""
    depth = np.zeros(len(text) + 1, dtype=np.int64)
    pairs = _pairs(spans)
    np.add.at(depth, pairs[:, 0], 1)
    np.add.at(depth, pairs[:, 1], -1)
    lost = (np.cumsum(depth)[:-1] == 0) & ~Scan(text).blank
    edges = np.flatnonzero(np.diff(np.concatenate(([False], lost, [False]))))
    return [Span(start, end) for start, end in edges.reshape(-1, 2).tolist()]


def duplication(spans: Sequence[Span] | np.ndarray) -> float:
    """Characters in the spans beyond their union, as a share of the union: 0 without overlap or spans."""
    pairs = _pairs(spans)
    if not len(pairs):
        return 0.0
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    reached = np.maximum.accumulate(np.concatenate(([0], pairs[:-1, 1])))
    union = np.maximum(pairs[:, 1] - np.maximum(pairs[:, 0], reached), 0).sum()
    return float((pairs[:, 1] - pairs[:, 0]).sum() / union - 1)


def length_summary(lengths: Sequence[int] | np.ndarray) -> dict[str, float | None]:
    """min, median, mean, p95 and max of the lengths, percentiles interpolated; all None without lengths."""
    values = np.asarray(lengths)
    if not values.size:
        return dict.fromkeys(("min", "median", "mean", "p95", "max"))
    return {
        "min": values.min().item(),
        "median": float(np.median(values)),
        "mean": float(values.mean()),
        "p95": float(np.percentile(values, 95)),
        "max": values.max().item(),
    }


def _pairs(spans: Sequence[Span] | np.ndarray) -> np.ndarray:
    if not isinstance(spans, np.ndarray):
        spans = [(each.start, each.end) if isinstance(each, Span) else each for each in spans]
    return np.asarray(spans, dtype=np.int64).reshape(-1, 2)


def _union(places: Iterable[Place]) -> dict[Hashable, list[tuple[int, int]]]:
    """For each document its sorted, disjoint intervals."""
    by_document: dict[Hashable, list[tuple[int, int]]] = {}
    for document, start, end in places:
        by_document.setdefault(document, []).append((start, end))
    for document, intervals in by_document.items():
        if len(intervals) == 1:
            continue
        merged: list[tuple[int, int]] = []
        for start, end in sorted(intervals):
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((start, end))
        by_document[document] = merged
    return by_document


def _size(union: dict[Hashable, list[tuple[int, int]]]) -> int:
    return sum(end - start for intervals in union.values() for start, end in intervals)


def _shared(left: dict[Hashable, list[tuple[int, int]]], right: dict[Hashable, list[tuple[int, int]]]) -> int:
    return sum(
        max(0, min(end, high) - max(start, low))
        for document in left.keys() & right.keys()
        for start, end in left[document]
        for low, high in right[document]
    )


def _reciprocal_rank(gold: dict[Hashable, list[tuple[int, int]]], retrieved: Sequence[Place]) -> float:
    for rank, (document, start, end) in enumerate(retrieved, 1):
        if any(low < end and start < high for low, high in gold.get(document, ())):
            return 1 / rank
    return 0.0
