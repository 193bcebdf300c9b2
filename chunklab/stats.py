"""How far a mean over few questions can be trusted, and whether two recipes can be told apart on them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from chunklab.errors import ParamError
from chunklab.resampling import signs, sums, with_replacement

LEVEL, POWER = 0.05, 0.8
"""The two-sided error of the test, and the chance with which a study of `needed` questions finds the difference."""
FLIPS, EXACT = 10_000, 16
"""Up to 16 differing questions every flip of their signs is counted, beyond that so many seeded ones."""
FEWEST = 6
"""Fewer differing questions cannot fall below the error: 2 of their 2 ** 5 flips are 6 %."""


@dataclass(frozen=True)
class Paired:
    """How b differs from a on the same questions: the mean of b - a, its 95 % interval and the test's p.

    `low` and `high` are None below two questions. `needed` is how many questions in all it would take to
    tell this difference apart in four studies of five, None where the difference is 0 or its spread
    unknown. b is `better` (higher) on so many questions and `worse` on so many. `adjusted` is p after a
    correction for many comparisons, None without one.
    """

    difference: float
    low: float | None
    high: float | None
    p: float
    questions: int
    needed: int | None
    better: int
    worse: int
    adjusted: float | None = None

    @property
    def distinguishable(self) -> bool:
        """True when p, corrected where a correction is given, is at most 5 %."""
        return (self.p if self.adjusted is None else self.adjusted) <= LEVEL

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return dataclasses.asdict(self) | {"distinguishable": self.distinguishable}


def bootstrap_interval(
    values: np.ndarray, level: float = 0.95, resamples: int = 2000, seed: int = 0
) -> tuple[float, float] | None:
    """(low, high) of the mean of (n,) values by the percentile bootstrap (Efron 1979), None for n < 2.

    Questions are drawn with replacement; the same seed gives the same interval, and the same draws serve
    every interval over as many values.
    """
    if len(values) < 2:
        return None
    means = sums(with_replacement, values, resamples, seed) / len(values)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    least, most = float(np.min(values)), float(np.max(values))
    return min(max(float(low), least), most), min(max(float(high), least), most)


def paired(a: np.ndarray, b: np.ndarray, seed: int = 0) -> Paired:
    """b - a over (n,) values of the same questions in the same order; values may be anything finite.

    The interval is the paired bootstrap's, p the two-sided one of the sign-flip permutation test (Fisher
    1935; for retrieval Smucker, Allan and Carterette 2007): exact up to 16 differing questions. Raises
    ParamError when the lengths differ.
    """
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if a.shape != b.shape:
        raise ParamError("stats", "b", f"{len(a)} values, one for each question of a", len(b))
    differences = _clean(b - a)
    low, high = bootstrap_interval(differences, seed=seed) or (None, None)
    return Paired(
        difference=float(_clean(differences.mean())) if len(a) else 0.0,
        low=low,
        high=high,
        p=_sign_flip(differences, seed),
        questions=len(a),
        needed=needed(differences),
        better=int((differences > 0).sum()),
        worse=int((differences < 0).sum()),
    )


def needed(differences: np.ndarray) -> int | None:
    """How many questions tell a mean like that of (n,) paired differences from 0 with a power of 80 %.

    n = ((z(0.975) + z(0.8)) * s / d) ** 2 with their mean d and standard deviation s, the normal
    approximation for one sample (Chow, Shao and Wang 2008), and never below 6, which the sign-flip test
    needs. None for a mean of 0 or fewer than two differences.
    """
    if len(differences) < 2 or not (mean := float(_clean(np.mean(differences)))):
        return None
    z = NormalDist().inv_cdf(1 - LEVEL / 2) + NormalDist().inv_cdf(POWER)
    return max(FEWEST, math.ceil((z * float(np.std(differences, ddof=1)) / mean) ** 2))


def corrected(ps: Sequence[float] | np.ndarray) -> np.ndarray:
    """(m,) the p values of m comparisons made together, adjusted by Holm (1979), in their order.

    Those at most 5 % hold together: the chance that any of them is false is at most 5 %.
    """
    ps = np.asarray(ps, dtype=np.float64)
    order = np.argsort(ps, kind="stable")
    found = np.empty_like(ps)
    found[order] = np.minimum(1, np.maximum.accumulate(ps[order] * np.arange(len(ps), 0, -1)))
    return found


def corrected_together(pairs: Sequence[Paired]) -> tuple[Paired, ...]:
    """The comparisons, each with its p corrected for all of them."""
    adjusted = corrected([each.p for each in pairs]).tolist()
    return tuple(dataclasses.replace(each, adjusted=p) for each, p in zip(pairs, adjusted, strict=True))


def spread(values: Iterable[float]) -> float:
    """The largest value less the smallest, such as the means of several strategies; 0 without values."""
    held = list(values)
    return max(held) - min(held) if held else 0.0


def in_words(name_a: str, name_b: str, metric: str, paired: Paired) -> str:
    """What may be said of b against a, in one sentence of plain text."""
    n, moved = paired.questions, paired.better + paired.worse
    over = "1 question" if n == 1 else f"{n:,} questions"
    if not n:
        return f"{metric}: no question has evidence, so {name_b} and {name_a} cannot be compared."
    if not moved:
        return f"{metric}: {name_b} and {name_a} are identical on {'the one question' if n == 1 else f'all {over}'}."
    if paired.distinguishable:
        way = "higher" if paired.difference > 0 else "lower"
        return (
            f"{metric}: {name_b} is {_number(abs(paired.difference))} {way} than {name_a} "
            f"(95 % interval {_signed(paired.low)} to {_signed(paired.high)}, {_p(paired)}, {over})."
        )
    said = f"{metric}: {name_b} and {name_a} are not distinguishable with {over}"
    if not paired.difference:
        return f"{said}: their means are equal, though {moved:,} differ."
    if paired.p <= LEVEL:
        return f"{said} after the correction for many comparisons ({_p(paired)})."
    if paired.needed and paired.needed > n:
        return f"{said}; about {_rounded(paired.needed):,} would be needed to tell {_signed(paired.difference)} apart."
    if moved < FEWEST:
        return f"{said}: only {moved} {'differs' if moved == 1 else 'differ'}, and at least {FEWEST} must."
    return f"{said} ({_signed(paired.difference)}, {_p(paired)})."


def _clean(values: np.ndarray) -> np.ndarray:
    """The values, with 0 for what is only rounding."""
    return np.where(np.abs(values) < 1e-12, 0.0, values)


def _sign_flip(differences: np.ndarray, seed: int) -> float:
    moved = differences[differences != 0]
    if not len(moved):
        return 1.0
    least = abs(float(moved.sum())) - 1e-9 * float(np.abs(moved).sum())
    if len(moved) > EXACT:
        flipped = sums(signs, differences, FLIPS - 1, seed)
        return (1 + int((np.abs(flipped) >= least).sum())) / FLIPS
    flipped = moved[:1]  # Its own sign is left alone: the other half of the flips mirrors these.
    for each in moved[1:]:
        flipped = np.concatenate((flipped - each, flipped + each))
    return float((np.abs(flipped) >= least).mean())


def _signed(value: float | None) -> str:
    return "?" if value is None else f"{'-' if value < 0 else '+'}{_number(abs(value))}"


def _number(size: float) -> str:
    """Two decimals, or as many as show one digit that is not 0, at most six."""
    digits = next((each for each in range(2, 6) if round(size, each)), 6) if size else 2
    return f"{size:.{digits}f}"


def _p(paired: Paired) -> str:
    own = f"p {_probability(paired.p)}"
    return own if paired.adjusted is None else f"{own}, corrected {_probability(paired.adjusted)}"


def _probability(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}" if p < 0.1 else f"= {p:.2f}"


def _rounded(count: int) -> int:
    """Two leading digits: what an estimate can bear."""
    unit = 10 ** max(0, len(str(count)) - 2)
    return -(-count // unit) * unit
