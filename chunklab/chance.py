"""What a random ranking would reach: the yardstick beside every measure."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from chunklab.chunking import Chunks
from chunklab.intervals import Place
from chunklab.line import Gold, Line
from chunklab.metrics import united
from chunklab.types import Question

ENUMERATED = 12
"""With alternatives, every set of so many returned places that matter is looked at; of more, a sample."""
SAMPLED = 4096


def chance_recall(questions: Sequence[Question], chunks: Sequence[Chunks], k: int) -> float | None:
    """The expected recall@k when what the reader can get is ranked at random; None without evidence.

    That is each returned span once. Exact: a character that lies in m of n spans is among k drawn without
    replacement with probability 1 - C(n - m, k) / C(n, k). For a part with alternatives the best covered
    place of each set of spans counts, exact up to 12 spans that overlap one of them and otherwise over
    4096 sets, drawn with a fixed seed. Mean over the questions that have evidence.
    """
    asked = [each for each in questions if each.evidence]
    if not asked:
        return None
    line = Line(chunks)
    gold = Gold(asked, line)
    return float(np.mean([_expected(gold.evidence(at), line, k) for at in range(len(asked))]))


def _expected(parts: Sequence[Sequence[Place]], line: Line, k: int) -> float:
    """The expected recall of one question."""
    units = united(parts)
    weights = [unit[0][2] - unit[0][1] for unit in units]
    return float(np.average([_share(unit, line, k) for unit in units], weights=weights))


def _share(places: Sequence[Place], line: Line, k: int) -> float:
    """The expected share of the best covered of the places."""
    starts, ends = line.distinct
    total, k = len(starts), min(k, len(starts))
    near = np.any([(starts < end) & (ends > start) for _, start, end in places], axis=0)
    starts, ends = starts[near], ends[near]
    pieces = [_pieces(starts, ends, start, end) for _, start, end in places]
    if len(places) == 1:
        ((widths, holds),) = pieces
        missed = [comb(total - depth, k) / comb(total, k) for depth in holds.sum(axis=0).tolist()]
        return float(np.average(1 - np.array(missed), weights=widths))
    drawn, likelihood = _drawn(len(starts), total, k)
    shares = [(drawn @ holds > 0) @ (widths / widths.sum()) for widths, holds in pieces]
    return float(np.max(shares, axis=0) @ likelihood)


def _pieces(starts: np.ndarray, ends: np.ndarray, low: int, high: int) -> tuple[np.ndarray, np.ndarray]:
    """The place [low, high) cut at every edge: (widths of the pieces, which spans hold which piece)."""
    edges = np.unique(np.concatenate((starts, ends, [low, high])).clip(low, high))
    return np.diff(edges), (starts[:, None] <= edges[:-1]) & (edges[1:] <= ends[:, None])


def _drawn(near: int, total: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Sets of the spans that matter when k of all are drawn: (sets, near) 0 or 1, and how likely each is."""
    if near <= ENUMERATED:
        sets = np.arange(2**near)[:, None] >> np.arange(near) & 1
        each = [
            comb(total - near, k - size) / comb(total, k) if size <= k else 0.0 for size in range(near + 1)
        ]
        return sets, np.array(each)[sets.sum(axis=1)]
    random = np.random.default_rng(0)
    sizes = random.hypergeometric(near, total - near, k, SAMPLED)
    order = random.random((SAMPLED, near)).argsort(axis=1).argsort(axis=1)
    return (order < sizes[:, None]).astype(np.int64), np.full(SAMPLED, 1 / SAMPLED)
