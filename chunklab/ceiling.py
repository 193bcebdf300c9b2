"""The best recall that any retriever could reach with these chunks: what is missing above it, cutting lost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunklab.chunking import Chunks
from chunklab.intervals import Place, union
from chunklab.line import Gold, Line
from chunklab.metrics import checked_ks, united
from chunklab.types import Question


def ceiling(questions: Sequence[Question], chunks: Sequence[Chunks], k: int) -> np.ndarray:
    """(q,) float64: the largest recall@k over all choices of k returned places, exact.

    `questions` all have evidence, in documents that `chunks` has an entry for. Raises ParamError for a k
    below 1.
    """
    (k,) = checked_ks((k,))
    if not len(questions):
        return np.zeros(0)
    line = Line(chunks)
    gold = Gold(questions, line)
    return np.array([_best(gold.evidence(at), line, k) for at in range(len(questions))])


def _best(parts: Sequence[Sequence[Place]], line: Line, k: int) -> float:
    units = united(parts)
    if all(len(unit) == 1 for unit in units):
        return _covered([unit[0] for unit in units], line, k)
    if len(units) == 1:
        return max(_covered([place], line, k) for place in units[0])
    return _programmed(units, line, k)


def _covered(places: Sequence[Place], line: Line, k: int) -> float:
    """The largest share of the places' characters that k returned places cover, by dynamic programming."""
    spans = np.array(sorted(span for found in union(places).values() for span in found))
    starts, ends = _near(spans, line)
    # From here on positions count evidence alone: how much of it lies before them.
    starts, ends = (
        np.clip(each[:, None] - spans[:, 0], 0, spans[:, 1] - spans[:, 0]).sum(axis=1)
        for each in (starts, ends)
    )
    order = np.lexsort((-ends, starts))
    starts, ends = starts[order], ends[order]
    # What lies in another place is never needed; of the rest, starts and ends rise.
    outer = ends > np.append(0, np.maximum.accumulate(ends)[:-1])
    starts, ends = starts[outer], ends[outer]
    if not len(starts):
        return 0.0
    return float(_chain(starts, ends, min(k, len(starts))) / (spans[:, 1] - spans[:, 0]).sum())


def _chain(starts: np.ndarray, ends: np.ndarray, k: int) -> int:
    """The largest union of k of the intervals, none of which holds another, in order.

    With the choice in order an interval adds what lies beyond the one before it, so the best choice of
    one more that ends with an interval follows from the best choices that end with those before.
    """
    apart = np.searchsorted(ends, starts, side="right")  # so many before it do not overlap it
    behind = np.arange(len(starts)) - apart
    best = ends - starts
    for _ in range(k - 1):
        longest = np.append(0, np.maximum.accumulate(best))
        more = longest[apart] + ends - starts
        for back in range(1, int(behind.max()) + 1):
            at = np.flatnonzero(behind >= back)
            more[at] = np.maximum(more[at], best[at - back] + ends[at] - ends[at - back])
        best = more
    return int(best.max())


def _programmed(units: Sequence[Sequence[Place]], line: Line, k: int) -> float:
    """The same where parts have alternatives, by integer programming (HiGHS, through scipy)."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    places = [place for unit in units for place in unit]
    of_unit = np.repeat(np.eye(len(units)), [len(unit) for unit in units], axis=1)
    lengths = np.array([unit[0][2] - unit[0][1] for unit in units])
    starts, ends = _near(np.array([place[1:] for place in places]), line)
    cuts = [np.unique(np.clip([*starts, *ends, low, high], low, high)) for _, low, high in places]
    pieces = np.concatenate([np.stack((each[:-1], each[1:]), axis=1) for each in cuts])
    of_place = np.repeat(np.eye(len(places)), [len(each) - 1 for each in cuts], axis=1)
    holds = (starts <= pieces[:, :1]) & (pieces[:, 1:] <= ends)
    shares = (pieces[:, 1] - pieces[:, 0]) / ([place[2] - place[1] for place in places] @ of_place)
    weights = lengths / lengths.sum()

    # The variables, 0 to 1: which returned places are chosen, which place stands for each part, and
    # which pieces of the evidence count: those of such a place that a chosen one holds.
    n, p, s = len(starts), len(places), len(pieces)
    limits = np.block(
        [
            [np.ones((1, n)), np.zeros((1, p + s))],
            [np.zeros((len(units), n)), of_unit, np.zeros((len(units), s))],
            [-holds.astype(float), np.zeros((s, p)), np.eye(s)],
            [np.zeros((s, n)), -of_place.T, np.eye(s)],
        ]
    )
    solved = milp(
        np.concatenate((np.zeros(n + p), -(weights @ of_unit @ of_place) * shares)),
        integrality=np.arange(n + p + s) < n,
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(limits, ub=[k, *[1] * len(units), *[0] * (2 * s)]),
        options={"mip_rel_gap": 0},
    )
    covered = holds[:, solved.x[:n] > 0.5].any(axis=1)
    by_place = of_place @ (shares * covered)
    return float(weights @ (of_unit * by_place).max(axis=1))


def _near(spans: np.ndarray, line: Line) -> tuple[np.ndarray, np.ndarray]:
    """The returned places that overlap any of the (g, 2) spans."""
    starts, ends = line.distinct
    near = np.any((starts[:, None] < spans[:, 1]) & (ends[:, None] > spans[:, 0]), axis=1)
    return starts[near], ends[near]
