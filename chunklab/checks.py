"""Conditions on a mean, written as text: recall@5>=0.8, failure@10<0.1, mrr>=first-0.05."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import NoReturn

from chunklab.errors import ParamError
from chunklab.metrics import BUDGETED, METRICS, PLAIN

RELATIONS = {">=": operator.ge, "<=": operator.le, "==": operator.eq, ">": operator.gt, "<": operator.lt}
DECIMALS = 9
"""Means are compared after rounding, so that 24 values of 0.8 have a mean of 0.8."""
FAILURE = "failure"
"""1 - recall, at a k or a budget."""
_METRIC = r"\s*(?P<measure>\w+)(?:@(?P<at>[1-9]\d{0,5})(?P<tokens>tokens)?)?\s*"
_BOUND = r"(?:first\s*(?:(?P<sign>[+-])\s*(?P<by>\d*\.?\d+))?|(?P<bound>\d*\.?\d+))\s*"
_CHECK = re.compile(rf"{_METRIC}(?P<relation>>=|<=|==|>|<)\s*{_BOUND}", re.ASCII)
_NAME = re.compile(_METRIC, re.ASCII)


@dataclass(frozen=True)
class Metric:
    """The name of a mean: a measure and, unless it has none, the `k` or the `budget` in tokens it is taken at."""

    name: str
    k: int | None = None
    budget: int | None = None

    def __str__(self) -> str:
        return self.name + (f"@{self.k}" if self.k else f"@{self.budget}tokens" if self.budget else "")

    @property
    def measure(self) -> str:
        """What has to be measured: recall for failure@5."""
        return "recall" if self.name == FAILURE else self.name

    def value(self, means: Mapping[str, float | None]) -> float | None:
        """This mean among others by name; None when no question has evidence."""
        mean = means[str(replace(self, name=self.measure))]
        return 1 - mean if self.name == FAILURE and mean is not None else mean


@dataclass(frozen=True)
class Check:
    """That the mean of `metric` has the relation to `bound`; with `relative` to the first recipe's mean + bound."""

    metric: Metric
    relation: str
    bound: float
    relative: bool = False

    def __str__(self) -> str:
        by = f"{self.bound:+g}" if self.bound else ""
        return f"{self.metric}{self.relation}" + (f"first{by}" if self.relative else f"{self.bound:g}")

    def judge(
        self,
        means: Mapping[str, float | None],
        first: Mapping[str, float | None],
        chance: Mapping[str, float | None] | None = None,
    ) -> Judged:
        """Whether it holds for these means; `first` are those of the first recipe, `chance` a random ranking's."""
        value = self.metric.value(means)
        if value is None:
            return Judged(str(self), None, None, False, "no question has evidence")
        bound = self.bound + (self.metric.value(first) if self.relative else 0)
        random = self.metric.value(chance) if chance else None
        holds, note = self._holds(value, bound), ""
        if holds and random is not None and self._holds(random, bound):
            note = f"this check holds for a random ranking too: {random:.2f}"
        return Judged(str(self), value, bound, holds, note)

    def _holds(self, value: float, bound: float) -> bool:
        return RELATIONS[self.relation](round(value, DECIMALS), round(bound, DECIMALS))


@dataclass(frozen=True)
class Judged:
    """A check, the mean and the bound it was held against, whether it holds, and what to know about it."""

    check: str
    value: float | None
    bound: float | None
    holds: bool
    note: str


def parse_check(text: str) -> Check:
    """The check written in `text`; raises ParamError, in one line, for what cannot be checked."""
    found = _CHECK.fullmatch(text)
    if not found:
        _refuse("--check", "written like recall@5>=0.8, mrr>0.5 or whole@500tokens>=first-0.1", text)
    metric, number = _metric(found, "--check"), found["bound"]
    if number is None:
        return Check(metric, found["relation"], float(f"{found['sign'] or '+'}{found['by'] or 0}"), True)
    if float(number) > 1:
        _refuse("--check", "about a number from 0 to 1", number, f"Use {float(number) / 100:g}.")
    return Check(metric, found["relation"], float(number))


def parse_metric(text: str, option: str = "--metric") -> Metric:
    """The metric named in `text`, such as recall@5, failure@500tokens or mrr; ParamError for any other."""
    found = _NAME.fullmatch(text)
    if not found:
        _refuse(option, "a name like recall@5, mrr or whole@500tokens", text)
    return _metric(found, option)


def _metric(found: re.Match[str], option: str) -> Metric:
    measure, at, tokens = found["measure"], found["at"], found["tokens"]
    if measure not in METRICS and measure != FAILURE:
        known = [*METRICS, FAILURE]
        near = get_close_matches(measure, known, 1)
        _refuse(option, f"about one of {', '.join(known)}", measure, f"Use {near[0]}." if near else "")
    if (measure in PLAIN) == bool(at):
        _refuse(option, "without a number behind @" if at else f"at a k, such as {measure}@5", found[0])
    if tokens and measure not in (*BUDGETED, FAILURE):
        _refuse(option, f"at a k, since {measure} is not taken at a budget", found[0])
    return Metric(measure, *((None, int(at)) if tokens else (int(at), None) if at else (None, None)))


def _refuse(option: str, must: str, got: str, remedy: str = "") -> NoReturn:
    raise ParamError("chunklab", option, must, got, remedy)
