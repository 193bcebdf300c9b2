"""What may be said of a sweep's results, and its heatmap and curves as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from chunklab.axes import axes_of, curve_name, short_name
from chunklab.grid import Grid
from chunklab.params import literal
from chunklab.standing import Plateau, Standing, plateaus, standing
from chunklab.stats import Paired, bootstrap_interval, in_words, paired
from chunklab.sweep.result import Swept
from chunklab.tokens.recent import Recent
from chunklab.views.figures_sweep import Curve

WHOLE = "document()"
_curve_name, _short_name, _axes_of = (
    lru_cache(maxsize=4000)(each) for each in (curve_name, short_name, axes_of)
)


@dataclass(frozen=True)
class Said:
    """What may be said of settings that were measured by one metric.

    `curve` are the settings through the best over sizes or, where the best has no size, those of the best
    curve. `against_default` is how the best differs from the default recipe, None where that is unknown.
    """

    standing: Standing
    plateaus: tuple[Plateau, ...]
    intervals: Mapping[str, tuple[float, float] | None]
    curve: tuple[Swept, ...]
    default: Swept | None
    against_default: Paired | None

    @property
    def plateau(self) -> Plateau | None:
        """The plateau of `curve`."""
        return next((each for each in self.plateaus if each.curve == self.curve), None)

    def pair(self, recipe: str) -> Paired | None:
        """How a setting differs from the best; None for the best itself."""
        found = zip(self.standing.others, self.standing.paired, strict=True)
        return next((pair for each, pair in found if each.recipe == recipe), None)

    def mark(self, recipe: str) -> str:
        """ "best", "tied" with it, or "below"."""
        if recipe == self.standing.best.recipe:
            return "best"
        return "tied" if self.standing.is_tied(recipe) else "below"

    def sentences(self) -> list[str]:
        """The standing, the plateau of the best curve, and the best against the default."""
        found = [self.standing.sentence]
        if self.plateau is not None:
            found.append(self.plateau.sentence)
        if self.default is not None and self.default.recipe == self.standing.best.recipe:
            found.append("The best is the default recipe.")
        elif self.against_default is not None:
            name = f"the default {self.default.name}"
            found.append(in_words(name, self.standing.best.name, self.standing.metric, self.against_default))
        return found


_said: Recent[Said | None] = Recent(40)


def say(key: object, metric: str, results: Sequence[Swept], default: Swept | None) -> Said | None:
    """`Said` of results that were measured as `key` says, worked out once; None when there are none."""
    named = key, metric, tuple(each.recipe for each in results), default is not None
    return _said.get(named, 1, lambda: _say(metric, results, default))


def _say(metric: str, results: Sequence[Swept], default: Swept | None) -> Said | None:
    stands = standing(results, metric)
    if stands is None:
        return None
    flat, best = plateaus(results, metric), stands.best
    curves = sorted(
        (each.curve for each in flat),
        key=lambda curve: (best not in curve, -max(each.mean(metric) for each in curve)),
    )
    usable = default if default is not None and not default.problem else None
    known = {each.recipe: each for each in (*results, *filter(None, [usable]))}
    intervals = {recipe: bootstrap_interval(each.value(metric)) for recipe, each in known.items()}
    against = paired(usable.value(metric), best.value(metric)) if usable else None
    return Said(stands, flat, intervals, curves[0] if curves else (best,), usable, against)


def heat(
    grid: Grid, results: Mapping[str, Swept], metric: str, said: Said | None, chosen: str
) -> dict[str, Any]:
    """The head of `heat_view`: a panel for each strategy with sizes, and a list of all other settings."""
    means = {recipe: each.mean(metric) for recipe, each in results.items() if not each.problem}
    shown = [means[each] for each in map(str, grid.recipes) if means.get(each) is not None]
    high = max(shown, default=1.0)
    spread = max(high - min(shown, default=0.0), 0.05)
    digits = 2 if high >= 0.1 else 3

    def cell(recipe: str) -> dict[str, Any] | None:
        if not recipe:
            return None
        found: dict[str, Any] = {"recipe": recipe, "name": _short_name(recipe), "mark": ""}
        value = means.get(recipe)
        if value is None:
            problem = results[recipe].problem if recipe in results else ""
            return found | {"text": "–" if problem else "", "says": problem or "not measured yet"}
        found |= {"text": f"{value:.{digits}f}", "shade": round(1 - (high - value) / spread, 3), "says": ""}
        if said is not None and recipe in said.intervals:
            found |= {"mark": said.mark(recipe), "says": interval(said.intervals[recipe])}
        return found

    return {
        "metric": metric,
        "chosen": chosen,
        "questions": len(said.standing.best.value(metric)) if said else None,
        "panels": [
            {
                "name": name,
                "sizes": sizes,
                "rows": [{"name": row, "cells": list(map(cell, cells))} for row, cells in rows],
            }
            for name, sizes, rows in panels(grid)
        ],
    }


def interval(ends: tuple[float, float] | None) -> str:
    """A 95 % interval in words, "" for none; where every question scores the same, there is nothing to resample."""
    if ends and ends[0] == ends[1]:
        return "the same on every question"
    return f"95 % interval {ends[0]:.2f} to {ends[1]:.2f}" if ends else ""


def panels(grid: Grid) -> list[tuple[str, list[int], list[tuple[str, list[str]]]]]:
    """(name, sizes, rows) for each strategy with several sizes or overlaps, a row being its name and a recipe a size.

    The last one holds all other settings, under no name and without sizes, each a row with its one recipe.
    """
    families: dict[str, list[str]] = {}
    for recipe in map(str, grid.recipes):
        overlap = _axes_of(recipe).get("overlap")
        families.setdefault(_curve_name(recipe).replace(f", overlap {overlap}", "", 1), []).append(recipe)
    found, alone = [], []
    for name, recipes in families.items():
        if len(recipes) == 1 or "size" not in _axes_of(recipes[0]):
            alone += recipes
            continue
        cells: dict[str, dict[int, str]] = {}
        for each in recipes:
            at = _axes_of(each)
            row = f"overlap {literal(at['overlap'])}" if "overlap" in at else ""
            cells.setdefault(row, {})[at["size"]] = each
        sizes = sorted({size for row in cells.values() for size in row})
        rows = [(row, [each.get(size, "") for size in sizes]) for row, each in cells.items()]
        found.append((name, sizes, rows))
    return [*found, *([("", [], [(_short_name(each), [each]) for each in alone])] if alone else [])]


def curves(
    results: Sequence[Swept], metric: str, said: Said | None
) -> tuple[list[Curve], list[Curve], set[str]]:
    """The curves over size, the one through the best first, the settings that stand alone, and the units of size."""
    groups: dict[str, list[Swept]] = {}
    for each in results:
        groups.setdefault(_curve_name(each.recipe), []).append(each)
    over, alone, units = [], [], set()
    first = {each.recipe for each in said.curve} if said else ()
    for name, group in groups.items():
        group.sort(key=lambda each: each.axes.get("size", 0))
        means = [each.mean(metric) for each in group]
        if len(group) == 1:
            best = " · best" if said and group[0].recipe == said.standing.best.recipe else ""
            alone.append(Curve(f"{group[0].name} · {means[0]:.2f}{best}", means))
            continue
        top = max(range(len(group)), key=means.__getitem__)
        sizes = [each.axes["size"] for each in group]
        ends = [said.intervals[each.recipe] for each in group] if said else []
        units.add(group[0].axes["unit"])
        curve = Curve(f"{name} · {means[top]:.2f} at {sizes[top]}", means, sizes, ends)
        over.insert(0 if group[top].recipe in first else len(over), curve)
    return over, alone, units


def held_against(controls: Mapping[str, Swept], metric: str, curve: Sequence[Swept]) -> list[Curve]:
    """Chance and the ceiling over the sizes of a curve, and each document as one chunk, as far as they are known."""
    known = [controls[each.recipe] for each in curve if each.recipe in controls]
    known = [each for each in known if not each.problem]
    sizes = [each.axes.get("size", 0) for each in known]
    found = []
    if known and all(metric in each.chance for each in known):
        found.append(Curve("a random ranking", [each.chance[metric][0] for each in known], sizes))
    if known and all(metric in each.ceiling for each in known):
        found.append(
            Curve("ceiling of these cuts", [float(each.ceiling[metric].mean()) for each in known], sizes)
        )
    if WHOLE in controls and not controls[WHOLE].problem:
        mean = controls[WHOLE].mean(metric)
        found.append(Curve(f"each document as one chunk · {mean:.2f}", [mean]))
    return found
