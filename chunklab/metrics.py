"""Measures of retrieval on spans of the source: pure functions, all in characters, overlaps counted once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from types import MappingProxyType

import numpy as np

from chunklab.errors import ParamError
from chunklab.intervals import Place, overlap, shared, size, union

METRICS: Mapping[str, str] = MappingProxyType(
    {
        "hit_rate": "Share of questions for which any of the top k chunks overlaps the evidence, "
        "from 0 to 1; many tutorials call this recall@k.",
        "document_hit_rate": "Share of questions for which any of the top k chunks comes from a "
        "document that holds evidence, from 0 to 1.",
        "recall": "Share of the evidence's characters that the top k chunks cover together, from 0 to 1.",
        "whole": "Share of questions for which one chunk among the top k holds a whole evidence span, "
        "from 0 to 1.",
        "all_evidence": "Share of questions for which every evidence span is held whole by one of the top k "
        "chunks, from 0 to 1; what questions that need several facts ask for.",
        "precision": "Share of the characters in the top k chunks that are evidence, from 0 to 1; "
        "large chunks lower it.",
        "iou": "Characters that are both evidence and in the top k chunks, divided by those that are either, "
        "from 0 to 1.",
        "ndcg": "Evidence covered by each of the top k chunks, less the lower it ranks, divided by what "
        "the best order of all chunks gives, from 0 to 1.",
        "mrr": "Mean of 1 / rank of the first chunk that overlaps the evidence, 0 when none does, "
        "from 0 to 1.",
        "document_recall": "Share of the documents with evidence that are among the first k documents, "
        "from 0 to 1; a document ranks where its first chunk does.",
        "document_ndcg": "Documents with evidence among the first k documents, each less the lower it ranks, "
        "divided by what the best order gives, from 0 to 1.",
        "document_mrr": "Mean of 1 / rank of the first document that holds evidence, 0 when none does, "
        "from 0 to 1.",
        "r_precision": "Share of documents with evidence among the first R documents, from 0 to 1; R is how "
        "many documents hold evidence.",
        "chroma_precision": "Precision of Smith and Troynikov (2024): evidence covered by the top k chunks, "
        "divided by the sum of their lengths, from 0 to 1.",
        "chroma_iou": "IoU of Smith and Troynikov (2024): evidence covered by the top k chunks, divided by "
        "the sum of their lengths and the evidence missed, from 0 to 1.",
        "precision_omega": "Precision-omega of Smith and Troynikov (2024): evidence in all chunks that touch "
        "it, divided by those chunks and the evidence missed, from 0 to 1; no retrieval.",
    }
)
"""Name -> one sentence with the range, in the order of display; all but those in PLAIN are taken at a k."""

CORE = ("hit_rate", "document_hit_rate", "recall", "whole", "all_evidence", "precision", "iou", "ndcg", "mrr")
"""What is measured unless something else is asked for."""

PLAIN = ("mrr", "document_mrr", "r_precision", "precision_omega")
"""What is not taken at a k."""

OF_DOCUMENTS = ("document_recall", "document_ndcg", "document_mrr", "r_precision")
"""What ranks whole documents."""

BUDGETED = CORE[:-1]
"""What is also taken at a budget of returned tokens."""


def question_scores(
    evidence: Sequence[Place],
    retrieved: Sequence[Place],
    ks: Iterable[int] = (1, 3, 5, 10),
    alternatives: Sequence[Sequence[Place]] = (),
    places: Iterable[Place] | None = None,
    within: Mapping[int, Sequence[Place]] = MappingProxyType({}),
) -> dict[str, float]:
    """The core scores of one question, "recall@5" -> 0 to 1, and "mrr", its reciprocal rank.

    `retrieved` is in rank order; at a k beyond its end all of it counts, and mrr looks at all of it.
    `alternatives` are, for each part of the evidence, other places that say the same: a part is measured
    on the place that is covered by the largest share, itself before the others, and counts in recall and
    ndcg by its own length. Parts that overlap are united there, unless they have alternatives.
    `places` are all that could be returned, for the best order that ndcg is compared with; by default
    those retrieved; one that is ranked twice gains once. `within` maps a budget to the places that fit it, the last one cut: "recall@500tokens";
    ndcg's best order has as many places. Without evidence nothing can be scored and the result is empty.
    Raises ParamError for a k below 1.
    """
    ks = checked_ks(ks)
    if not evidence:
        return {}
    parts = [(place, *others) for place, others in zip_longest(evidence, alternatives, fillvalue=())]
    units = united(parts)
    known = set(retrieved if places is None else places)
    ideal = sorted((_gain(units, each) for each in known), reverse=True)
    tops = {str(k): (retrieved[:k], ideal[:k]) for k in ks}
    tops |= {f"{budget}tokens": (top, ideal[: len(top)]) for budget, top in within.items()}
    scores = {at: _scores(parts, units, *top) for at, top in tops.items()}
    named = {f"{name}@{at}": scores[at][name] for name in BUDGETED for at in tops}
    hits = (rank for rank, each in enumerate(retrieved, 1) if _gain(units, each) > 0)
    return named | {"mrr": 1 / next(hits, np.inf)}


def _scores(
    parts: Sequence[Sequence[Place]],
    units: Sequence[Sequence[Place]],
    top: Sequence[Place],
    ideal: Sequence[float],
) -> dict[str, float]:
    found = union(top)
    chosen = [max(unit, key=lambda each: shared(union([each]), found) / _length(each)) for unit in units]
    gold = union(chosen)
    covered, got, wanted = shared(gold, found), size(found), size(gold)
    weights = [_length(unit[0]) for unit in units]
    shares = [shared(union([each]), found) / _length(each) for each in chosen]
    held = [any(verdict(place, top) == "whole" for place in part) for part in parts]
    gains = [0.0 if each in top[:rank] else _gain(units, each) for rank, each in enumerate(top)]
    best = _discounted(ideal)
    return {
        "hit_rate": float(covered > 0),
        "document_hit_rate": float(any(place[0] in found for part in parts for place in part)),
        "recall": float(np.dot(weights, shares) / sum(weights)),
        "whole": float(any(held)),
        "all_evidence": float(all(held)),
        "precision": covered / got if got else 0.0,
        "iou": covered / (got + wanted - covered),
        "ndcg": min(1.0, _discounted(gains) / best) if best else 0.0,
    }


def united(parts: Sequence[Sequence[Place]]) -> list[Sequence[Place]]:
    """The parts as recall weighs them: those without alternatives that overlap one another are one."""
    alone = union(part[0] for part in parts if len(part) == 1)
    merged = [((document, *span),) for document, spans in alone.items() for span in spans]
    return [*merged, *(part for part in parts if len(part) > 1)]


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
    return _checked("k", ks, "Use 1, 3, 5 or 10.")


def checked_budgets(budgets: Iterable[int]) -> tuple[int, ...]:
    """The budgets in tokens, rising and each once; ParamError unless whole numbers of at least 1."""
    return _checked("budget", budgets, "Use 500 or 1000, for example.")


def score_names(ks: Sequence[int], budgets: Sequence[int], measures: Iterable[str]) -> list[str]:
    """The names of all scores in the order of display: "recall@5", "recall@500tokens", "mrr".

    Raises ParamError for a measure that does not exist.
    """
    measures = list(measures)
    for each in measures:
        if each not in METRICS:
            raise ParamError(
                "metrics", "measures", "some of " + ", ".join(METRICS), each, "Correct the name."
            )
    names = []
    for name in METRICS:
        if name in measures and name in PLAIN:
            names.append(name)
        elif name in measures:
            names += [f"{name}@{k}" for k in ks]
            names += [f"{name}@{budget}tokens" for budget in budgets if name in BUDGETED]
    return names


def _checked(name: str, values: Iterable[int], remedy: str) -> tuple[int, ...]:
    values = tuple(values)
    for each in values:
        if not isinstance(each, (int, np.integer)) or isinstance(each, bool) or each < 1:
            raise ParamError("metrics", name, "a whole number of at least 1", each, remedy)
    return tuple(sorted({int(each) for each in values}))


def _length(place: Place) -> int:
    return place[2] - place[1]


def _gain(units: Sequence[Sequence[Place]], place: Place) -> float:
    """The share of the evidence that one place covers by itself."""
    weights = [_length(unit[0]) for unit in units]
    shares = [max(overlap(each, place) / _length(each) for each in unit) for unit in units]
    return float(np.dot(weights, shares) / sum(weights))


def _discounted(gains: Sequence[float]) -> float:
    """The sum of gains in rank order, each divided by log2(rank + 1) (Järvelin and Kekäläinen 2002)."""
    return sum(gain / np.log2(rank + 1) for rank, gain in enumerate(gains, 1))
