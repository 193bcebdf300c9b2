"""One setting of a sweep as it was measured: its scores, and what it costs to keep and to read."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from chunklab.axes import axes_of, short_name
from chunklab.errors import ParamError


@dataclass(frozen=True, eq=False)
class Swept:
    """What one recipe reaches and costs.

    `values` are the scores of `Evaluation.values`, and `spent` the costs at each k (see `costs`), both (q,)
    float64 in the order of the sweep's questions; `costs` are of the chunks whatever is asked. `chance` maps
    each metric to (mean, low, high) of random rankings and `ceiling` "recall@5" to (q,) float64, where that
    was asked. `problem` says why nothing was measured; all else is empty then. `seconds` is the time it took
    just now, the encoding of texts for several settings aside; None when it comes from a file.
    """

    recipe: str
    values: dict[str, np.ndarray] = field(default_factory=dict)
    costs: dict[str, float] = field(default_factory=dict)
    spent: dict[str, np.ndarray] = field(default_factory=dict)
    chance: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    ceiling: dict[str, np.ndarray] = field(default_factory=dict)
    problem: str = ""
    seconds: float | None = None

    @cached_property
    def axes(self) -> dict[str, Any]:
        """Which field has which value, see `axes_of`."""
        return axes_of(self.recipe)

    @cached_property
    def name(self) -> str:
        """The recipe as people say it, "recursive 400/50"."""
        return short_name(self.recipe)

    def value(self, name: str) -> np.ndarray:
        """(q,) a metric, "failure@5" for 1 - recall@5, or a cost at a k such as "duplicates@5".

        Raises ParamError for what was not measured.
        """
        found = self.values | self.spent
        recall = name.replace("failure@", "recall@", 1)
        if name in found:
            return found[name]
        if name.startswith("failure@") and recall in found:
            return 1 - found[recall]
        raise ParamError(
            "sweep",
            "metric",
            f"one of {', '.join(found) or 'none'}",
            name,
            "Measure it, or correct the name.",
        )

    def mean(self, name: str) -> float | None:
        """The mean of `value`, or one of the `costs`; None without questions or after a problem."""
        if name in self.costs:
            return self.costs[name]
        if self.problem:
            return None
        values = self.value(name)
        return float(values.mean()) if len(values) else None

    def most(self, name: str) -> float | None:
        """The largest of `value`: what the most expensive question takes of the reader's window."""
        values = self.value(name)
        return float(values.max()) if len(values) else None

    def row(self) -> dict[str, Any]:
        """One flat row: recipe, axes, the mean of each metric and of each cost at a k, the costs, the problem."""
        means = {name: self.mean(name) for name in (*self.values, *self.spent)}
        return {
            "recipe": self.recipe,
            "name": self.name,
            **self.axes,
            **means,
            **self.costs,
            "problem": self.problem,
        }

    def to_json(self) -> dict[str, Any]:
        """Plain data, from which `from_json` makes an equal one; without the time it took."""
        arrays = {
            part: {name: values.tolist() for name, values in getattr(self, part).items()}
            for part in ("values", "spent", "ceiling")
        }
        chance = {name: list(values) for name, values in self.chance.items()}
        return {
            "recipe": self.recipe,
            **arrays,
            "costs": self.costs,
            "chance": chance,
            "problem": self.problem,
        }


def from_json(data: dict[str, Any]) -> Swept:
    """What `to_json` was made from."""
    arrays = {
        part: {name: np.array(values, dtype=np.float64) for name, values in data[part].items()}
        for part in ("values", "spent", "ceiling")
    }
    chance = {name: tuple(values) for name, values in data["chance"].items()}
    return Swept(data["recipe"], costs=data["costs"], chance=chance, problem=data["problem"], **arrays)
