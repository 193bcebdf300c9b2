"""What a sweep says: which setting is best, which cannot be told from it, where size stops to matter, what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chunklab.axes import curve_name
from chunklab.stats import Paired, corrected_together, paired
from chunklab.sweep.costs import SPENT
from chunklab.sweep.result import Swept

NAMED = 3
"""A sentence names so many settings and counts the others."""


@dataclass(frozen=True)
class Standing:
    """The best setting by the mean of one metric, and how each of the others differs from it.

    Of equal ones the best is the cheaper, then the first. `others` are in the order of the results, and
    `paired[i]` is how `others[i]` differs from the best, corrected by Holm over all of them. `tied` are those
    that are not distinguishable from the best, the better ones first.
    """

    metric: str
    best: Swept
    others: tuple[Swept, ...]
    paired: tuple[Paired, ...]
    tied: tuple[Swept, ...]
    sentence: str

    def is_tied(self, recipe: str) -> bool:
        """True for the best itself and for what is not distinguishable from it."""
        return any(each.recipe == recipe for each in (self.best, *self.tied))


@dataclass(frozen=True)
class Plateau:
    """The longest run of neighbouring sizes none of which is distinguishable from the best size.

    `curve` are all settings that differ in nothing but the size, the smallest first, and `name` what they
    share; `settings` are those of them on the plateau.
    """

    metric: str
    name: str
    curve: tuple[Swept, ...]
    settings: tuple[Swept, ...]
    sentence: str


def standing(results: Sequence[Swept], metric: str, seed: int = 0) -> Standing | None:
    """Where each result stands by a metric such as "recall@5"; None where nothing was measured.

    Of "failure@5" and of costs at a k less is better. Raises ParamError for what was not measured.
    """
    found = [each for each in results if not each.problem and len(each.value(metric))]
    if not found:
        return None
    best = max(found, key=lambda each: (_merit(each, metric), -each.costs["characters"]))
    others = tuple(each for each in found if each is not best)
    pairs = corrected_together([paired(best.value(metric), each.value(metric), seed) for each in others])
    tied = [each for each, pair in zip(others, pairs, strict=True) if not pair.distinguishable]
    tied.sort(key=lambda each: -_merit(each, metric))
    return Standing(metric, best, others, pairs, tuple(tied), _sentence(metric, best, others, tied))


def plateaus(results: Sequence[Swept], metric: str, seed: int = 0) -> tuple[Plateau, ...]:
    """For each curve over at least two sizes, where the metric no longer changes with the size (RULE-11)."""
    curves: dict[str, list[Swept]] = {}
    for each in results:
        if not each.problem and "size" in each.axes:
            curves.setdefault(curve_name(each.recipe), []).append(each)
    found = []
    for name, curve in curves.items():
        curve.sort(key=lambda each: each.axes["size"])
        stands = standing(curve, metric, seed) if len(curve) > 1 else None
        if stands is not None:
            run = _longest([stands.is_tied(each.recipe) for each in curve], curve.index(stands.best))
            settings = tuple(curve[run])
            found.append(Plateau(metric, name, tuple(curve), settings, _flat(metric, name, curve, settings)))
    return tuple(found)


def front(results: Sequence[Swept], metric: str, cost: str = "characters") -> tuple[Swept, ...]:
    """The Pareto front, cheapest first: no other result costs as little and reaches as much.

    `cost` is one of COSTS or of SPENT at a k, such as "returned_tokens@5"; less of it is better. Of equal
    results the first is kept. Raises ParamError for what was not measured.
    """
    found = [each for each in results if not each.problem and each.mean(metric) is not None]
    kept: list[Swept] = []
    for each in sorted(found, key=lambda each: (each.mean(cost), -_merit(each, metric))):
        if not kept or _merit(each, metric) > _merit(kept[-1], metric):
            kept.append(each)
    return tuple(kept)


def less_is_better(metric: str) -> bool:
    """True of "failure@5" and of costs at a k."""
    return metric.partition("@")[0] in ("failure", *SPENT)


def _merit(result: Swept, metric: str) -> float:
    mean = result.mean(metric) or 0.0
    return -mean if less_is_better(metric) else mean


def _longest(tied: list[bool], best: int) -> slice:
    """The longest run of True, of equally long ones the one with the best."""
    runs, start = [], None
    for at, each in enumerate([*tied, False]):
        if each and start is None:
            start = at
        elif not each and start is not None:
            runs.append(slice(start, at))
            start = None
    return max(runs, key=lambda run: (run.stop - run.start, run.start <= best < run.stop))


def _sentence(metric: str, best: Swept, others: Sequence[Swept], tied: Sequence[Swept]) -> str:
    asked = _questions(len(best.value(metric)))
    if not others:
        return f"{best.name} is the only setting that was measured."
    if not tied:
        many = "the other setting is" if len(others) == 1 else f"all {len(others)} others are"
        return f"{best.name} is best by {metric}; {many} distinguishable from it with {asked}."
    if len(tied) == len(others) > 1:
        return (
            f"{best.name} has the best {metric}, but none of the {len(others)} others is distinguishable "
            f"from it with {asked}."
        )
    same = {each.axes["strategy"] for each in tied} == {best.axes["strategy"]}
    names = [each.name.removeprefix(best.axes["strategy"] + " ") if same else each.name for each in tied]
    verb = "is" if len(tied) == 1 else "are"
    return (
        f"{best.name} is best by {metric}; {_listed(names)} {verb} not distinguishable from it with {asked}."
    )


def _flat(metric: str, name: str, curve: Sequence[Swept], plateau: Sequence[Swept]) -> str:
    asked = _questions(len(curve[0].value(metric)))
    sizes = [each.axes["size"] for each in plateau]
    if len(plateau) == len(curve):
        what = f"no size from {sizes[0]} to {sizes[-1]} is distinguishable from the best by {metric} with {asked}"
    elif len(plateau) == 1:
        what = f"{metric} has no plateau; {sizes[0]} is best of {len(curve)} sizes with {asked}"
    else:
        what = f"{metric} is on a plateau from {sizes[0]} to {sizes[-1]} as far as {asked} can tell"
    beyond = "; larger sizes were not tried" if plateau[-1] is curve[-1] else ""
    return f"{name}: {what}{beyond}."


def _listed(names: Sequence[str]) -> str:
    shown = [*names[:NAMED], f"{len(names) - NAMED} others"] if len(names) > NAMED + 1 else list(names)
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def _questions(count: int) -> str:
    return "1 question" if count == 1 else f"{count:,} questions"
