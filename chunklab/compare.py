"""Whether two results on the same questions can be told apart, measure by measure, and which questions flipped."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chunklab.comparable import differences, require_same_corpus
from chunklab.errors import ChunklabError, shown
from chunklab.stats import Paired, corrected_together, in_words, paired

FLIPPED_BY, AT = ("whole", "recall"), 5
"""The measures by which questions flip, the first that both results have, and at which k at most, if it can be."""


@dataclass(frozen=True)
class Compared:
    """One measure: both means, None without questions, the paired result, and what may be said of it.

    `failure_reduction` is the share of the first's failures, 1 - recall, that the second does not have,
    negative when it has more; None for other measures and where the first has none.
    """

    metric: str
    first: float | None
    second: float | None
    paired: Paired
    failure_reduction: float | None
    words: str

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "metric": self.metric, "first": self.first, "second": self.second, **self.paired.to_json(),
            "failure_reduction": self.failure_reduction, "words": self.words,
        }  # fmt: skip


@dataclass(frozen=True)
class Flip:
    """A question whose value changed, with the rank of its first hit in both, None for no hit."""

    id: str
    kind: str
    text: str
    before: float
    after: float
    rank_before: int | None
    rank_after: int | None


@dataclass(frozen=True)
class Comparison:
    """Two run records' results: every measure that both have, in the order of the first, and the flips by one."""

    first: str
    second: str
    questions: int
    notices: tuple[str, ...]
    measures: tuple[Compared, ...]
    flipped_by: str
    flips: tuple[Flip, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "first": self.first, "second": self.second, "questions": self.questions, "notices": list(self.notices),
            "measures": [each.to_json() for each in self.measures],
            "flipped_by": self.flipped_by, "flips": [dataclasses.asdict(each) for each in self.flips],
        }  # fmt: skip


def compare(
    run_a: Mapping[str, Any], run_b: Mapping[str, Any], metric: str = "", seed: int = 0
) -> Comparison:
    """How the first result of run record B differs from that of A; questions flip by `metric`.

    p is of each measure alone. Flips come largest gain first, then largest loss, then in the order of the
    questions. Raises ChunklabError, with the reason, when the corpora or the questions differ, or when
    the measure is not in both.
    """
    require_same_corpus(run_a["corpus"], run_b["corpus"])
    a, b = run_a["results"][0], run_b["results"][0]
    shared = [name for name in a["metrics"] if name in b["metrics"]]
    by = _flipped_by(metric, shared)
    columns = [values_of(each) for each in (a, b)]
    names = (a["recipe"], b["recipe"]) if a["recipe"] != b["recipe"] else ("A", "B")
    pairs = {name: paired(columns[0][name], columns[1][name], seed) for name in shared}
    return Comparison(
        first=a["recipe"],
        second=b["recipe"],
        questions=len(a["per_question"]),
        notices=tuple(differences(run_a, run_b, shared)),
        measures=tuple(_compared(name, names, *(each[name] for each in columns), pairs[name]) for name in shared),
        flipped_by=by,
        flips=_flips(run_a["corpus"]["questions"], a["per_question"], b["per_question"], by),
    )  # fmt: skip


def against_first(
    names: Sequence[str], values: Sequence[Mapping[str, np.ndarray]], seed: int = 0
) -> list[list[Compared]]:
    """For each result but the first every measure against the first's, on the same questions.

    `values` maps a measure to (q,) values. p is corrected for the comparisons made with one measure.
    """
    found: list[list[Compared]] = [[] for _ in names[1:]]
    for metric, base in values[0].items():
        pairs = corrected_together([paired(base, other[metric], seed) for other in values[1:]])
        for rows, name, other, pair in zip(found, names[1:], values[1:], pairs, strict=True):
            rows.append(_compared(metric, (names[0], name), base, other[metric], pair))
    return found


def failure_reduction(first: float, second: float) -> float | None:
    """By which share of its failures, 1 - recall, the second is better: 0.35 from 0.943 to 0.963; None without any."""
    failures = round(1 - first, 12)
    return round((second - first) / failures, 12) if failures > 0 else None


def _compared(metric: str, names: tuple[str, str], a: np.ndarray, b: np.ndarray, pair: Paired) -> Compared:
    means = [float(each.mean()) if len(each) else None for each in (a, b)]
    fails = metric.startswith("recall@") and None not in means
    return Compared(
        metric, *means, pair, failure_reduction(*means) if fails else None, in_words(*names, metric, pair)
    )  # fmt: skip


def values_of(result: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Measure -> (q,) float64, of a record's result."""
    rows = result["per_question"]
    return {name: np.array([row[name] for row in rows], dtype=np.float64) for name in result["metrics"]}


def _flipped_by(metric: str, shared: Sequence[str]) -> str:
    if not shared:
        raise ChunklabError("compare: the runs have no measure in common. Evaluate both at the same k.")
    if metric and metric not in shared:
        raise ChunklabError(
            f"compare: the metric must be in both runs ({', '.join(shared)}), got {shown(metric)}."
        )
    for measure in () if metric else FLIPPED_BY:
        ks = sorted(
            int(at)
            for name, _, at in (each.partition("@") for each in shared)
            if name == measure and at.isdecimal()
        )
        if ks:
            return f"{measure}@{max((k for k in ks if k <= AT), default=ks[0])}"
    return metric or shared[0]


def _flips(
    questions: Sequence[Mapping], before: Sequence[Mapping], after: Sequence[Mapping], by: str
) -> tuple[Flip, ...]:
    flips = [
        Flip(question["id"], question["kind"], question["text"], old[by], new[by], old["rank"], new["rank"])
        for question, old, new in zip(questions, before, after, strict=True)
        if old[by] != new[by]
    ]
    return tuple(sorted(flips, key=lambda each: (each.after < each.before, -abs(each.after - each.before))))
