"""All questions scored at once: the measures of `metrics` as array arithmetic on a line of documents.

In shapes: q questions, f places of evidence (alternatives counted), p parts of evidence, m ranks, t tops
(the first k places, or those that fit a budget).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from chunklab import chroma
from chunklab.chunking import Chunks
from chunklab.document_level import document_scores
from chunklab.intervals import Place, shared, union, union_lengths
from chunklab.line import Gold, Line
from chunklab.metrics import CORE, checked_budgets, checked_ks, question_scores, score_names
from chunklab.types import Question


def score_rankings(
    questions: Sequence[Question],
    chunks: Sequence[Chunks],
    indices: np.ndarray,
    ks: Iterable[int] = (1, 3, 5, 10),
    budgets: Iterable[int] = (),
    measures: Iterable[str] = CORE,
    tokenizer: str = "cl100k",
    depth: int | None = None,
) -> dict[str, np.ndarray]:
    """The scores of rankings by what their chunks return: name -> (q,) float64, in the order of display.

    `questions` all have evidence, in documents that `chunks` has an entry for; `indices` (q, n) count the
    chunks over all documents, best first, no two of a row returning the same place. A budget counts tokens as they stand in the document, those of
    an overlap each time; the place that passes it is cut to the tokens that still fit. The reciprocal
    rank of chunks looks at the first `depth` columns. Raises ParamError for a k, budget or measure that
    is not allowed.
    """
    ks, budgets, measures = checked_ks(ks), checked_budgets(budgets), set(measures)
    names = score_names(ks, budgets, measures)
    if not len(questions):
        return {name: np.zeros(0) for name in names}
    line = Line(chunks)
    gold = Gold(questions, line)
    starts, ends = line.starts[indices], line.ends[indices]
    values: dict[str, np.ndarray] = {}
    if measures & set(CORE):
        looked = slice(None if budgets else max(ks, default=0))
        top = np.arange(ends.shape[1])[looked]
        tops = {f"{k}": np.where(top < k, ends[:, looked], starts[:, looked]) for k in ks}
        fitting = line.within(starts, ends, budgets, tokenizer)
        tops |= {f"{budget}tokens": cut for budget, cut in zip(budgets, fitting, strict=True)}
        values = _core(gold, line, starts[:, looked], tops, ks) if tops else {}
        values["mrr"] = _reciprocal_ranks(gold, starts[:, :depth], ends[:, :depth])
        for at in gold.tangled:
            cuts = {budget: each[at] for budget, each in zip(budgets, fitting, strict=True)}
            exact = _exact(gold.evidence(at), line, starts[at], ends[at], ks, cuts, depth)
            for name, value in exact.items():
                values[name][at] = value
    if measures - set(CORE):
        rows = [_further(gold.evidence(at), line, starts[at], ends[at], ks) for at in range(len(questions))]
        values |= {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return {name: values[name] for name in names}


def _core(
    gold: Gold, line: Line, starts: np.ndarray, tops: Mapping[str, np.ndarray], ks: Sequence[int]
) -> dict[str, np.ndarray]:
    """Everything that is taken at a k or a budget, for questions whose parts do not overlap one another."""
    ends = np.stack(list(tops.values()))
    inside = ends > starts
    used = int(np.max(np.flatnonzero(inside.any(axis=(0, 1))), initial=-1)) + 1
    order = np.argsort(starts[:, :used], axis=1, kind="stable")
    starts = np.take_along_axis(starts, order, axis=1)
    ends = np.take_along_axis(ends[:, :, :used], order[None], axis=2)
    inside = ends > starts
    of, parts, questions = gold.question_of, gold.parts, gold.questions

    low = np.maximum(starts[of], gold.starts[:, None])
    high = np.maximum(np.minimum(ends[:, of], gold.ends[:, None]), low)
    covered = union_lengths(low, high)
    share = covered / gold.lengths
    best = np.maximum.reduceat(share, parts, axis=1)
    position = np.where(share == best[:, gold.part_of], np.arange(len(of)), len(of))
    chosen = np.minimum.reduceat(position, parts, axis=1)
    found = np.add.reduceat(np.take_along_axis(covered, chosen, axis=1), questions, axis=1)
    wanted = np.add.reduceat(gold.lengths[chosen], questions, axis=1)
    size = union_lengths(starts, ends)

    same = line.documents(starts)[of] == line.documents(gold.starts)[:, None]
    holds = (starts[of] <= gold.starts[:, None]) & (ends[:, of] >= gold.ends[:, None])
    held = np.logical_or.reduceat(holds.any(axis=2), parts, axis=1)
    gains = np.maximum.reduceat((high - low) / gold.lengths[:, None], parts, axis=1)
    gains = np.add.reduceat(gains * gold.weights[:, None], questions, axis=1)
    counts = inside.sum(axis=2)
    counts[: len(ks)] = np.array(ks)[:, None]
    ideal = _ideal(gold, line, counts)
    gained = (gains * _discounts(used)[order]).sum(axis=2)
    rows = {
        "hit_rate": found > 0,
        "document_hit_rate": np.logical_or.reduceat((same & inside[:, of]).any(axis=2), parts[questions], axis=1),
        "recall": np.add.reduceat(best * gold.weights, questions, axis=1),
        "whole": np.logical_or.reduceat(held, questions, axis=1),
        "all_evidence": np.logical_and.reduceat(held, questions, axis=1),
        "precision": found / np.maximum(size, 1),
        "iou": found / (size + wanted - found),
        "ndcg": np.minimum(gained / np.where(ideal > 0, ideal, 1), 1),
    }  # fmt: skip
    return {
        f"{name}@{top}": row.astype(np.float64)
        for name, values in rows.items()
        for top, row in zip(tops, values, strict=True)
    }


def _ideal(gold: Gold, line: Line, counts: np.ndarray) -> np.ndarray:
    """(t, q) the discounted gain of the best order of all places, as many as `counts` (t, q) says."""
    starts, ends = line.distinct
    first = np.searchsorted(np.maximum.accumulate(ends), gold.starts, side="right")
    sizes = np.maximum(np.searchsorted(starts, gold.ends) - first, 0)
    place = np.repeat(np.arange(len(sizes)), sizes)
    returned = np.arange(len(place)) + np.repeat(first - np.cumsum(sizes) + sizes, sizes)
    both = np.minimum(ends[returned], gold.ends[place]) - np.maximum(starts[returned], gold.starts[place])
    share = np.maximum(both, 0) / gold.lengths[place]

    part, returned, gain = _grouped(gold.part_of[place], returned, share, np.maximum)
    question = gold.question_of[gold.parts[part]]
    question, returned, gain = _grouped(question, returned, gain * gold.weights[part], np.add)
    order = np.lexsort((-gain, question))
    question, gain = question[order], gain[order]
    begin, end = np.searchsorted(
        question, [np.arange(len(gold.questions)), np.arange(1, len(gold.questions) + 1)]
    )
    rank = np.arange(len(gain)) - begin[question]
    total = np.append(0, np.cumsum(gain * _discounts(len(gain))[rank]))
    return total[np.minimum(begin + counts, end)] - total[begin]


def _grouped(
    group: np.ndarray, member: np.ndarray, values: np.ndarray, combine: np.ufunc
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(group, member, value) with each pair of group and member once, its values combined."""
    order = np.lexsort((member, group))
    group, member, values = group[order], member[order], values[order]
    new = np.append(True, (np.diff(group) != 0) | (np.diff(member) != 0))[: len(group)]
    at = np.flatnonzero(new)
    return group[at], member[at], combine.reduceat(values, at) if len(at) else values


def _discounts(ranks: int) -> np.ndarray:
    return 1 / np.log2(np.arange(2, ranks + 2))


def _reciprocal_ranks(gold: Gold, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    of = gold.question_of
    met = (starts[of] < gold.ends[:, None]) & (ends[of] > gold.starts[:, None])
    hit = np.logical_or.reduceat(met, gold.parts[gold.questions], axis=0)
    never = np.ones((len(hit), 1), dtype=bool)
    rank = np.argmax(np.concatenate((hit, never), axis=1), axis=1)
    return np.where(rank < hit.shape[1], 1 / (rank + 1), 0.0)


def _exact(
    parts: Sequence[Sequence[Place]],
    line: Line,
    starts: np.ndarray,
    ends: np.ndarray,
    ks: Sequence[int],
    cuts: Mapping[int, np.ndarray],
    depth: int | None,
) -> dict[str, float]:
    """The core scores of one question whose parts overlap, one step at a time."""
    near = np.any(
        [(line.starts < end) & (line.ends > start) for part in parts for _, start, end in part], axis=0
    )
    places = line.places(line.starts[near], line.ends[near])
    within = {
        budget: [each for each in line.places(starts, cut) if each[1] < each[2]]
        for budget, cut in cuts.items()
    }
    retrieved = line.places(starts[:depth], ends[:depth])
    own, others = [part[0] for part in parts], [part[1:] for part in parts]
    return question_scores(own, retrieved, ks, others, places, within)


def _chosen(parts: Sequence[Sequence[Place]], retrieved: Sequence[Place]) -> list[Place]:
    """For each part the place of which the largest share is covered."""
    found = union(retrieved)
    return [max(part, key=lambda each: shared(union([each]), found) / (each[2] - each[1])) for part in parts]


def _further(
    parts: Sequence[Sequence[Place]], line: Line, starts: np.ndarray, ends: np.ndarray, ks: Sequence[int]
) -> dict[str, float]:
    """What is not in the core: documents, and the Chroma report's scores; precision-omega on the parts' own spans."""
    retrieved = line.places(starts, ends)
    scores = document_scores(
        [[place[0] for place in part] for part in parts], [each[0] for each in retrieved], ks
    )
    for k in ks:
        gold = _chosen(parts, retrieved[:k])
        _, scores[f"chroma_precision@{k}"], scores[f"chroma_iou@{k}"] = chroma.scores(gold, retrieved, k)
    spans = np.array([part[0][1:] for part in parts])
    chunks = np.stack((line.starts, line.ends), axis=1)
    return scores | {"precision_omega": chroma.precision_omega(spans, chunks)}
