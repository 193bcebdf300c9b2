"""Many recipes in one text: the recipe language with lists where a recipe has one value or one stage.

    recursive(size=[100,200,400],overlap=[0,20%]) | [itself(),headings()] ; sentence(n=1..5:2)

A list of values or of stages stands for each of them in turn, `1..5:2` for 1, 3 and 5, and a semicolon or
a new line begins another grid. The text is read with Python's own parser and never evaluated.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from chunklab.axes import axes_of
from chunklab.discovery import components
from chunklab.errors import ParamError, RecipeError, shown
from chunklab.params import Component, literal
from chunklab.recipe import (
    MAX_LENGTH,
    PARTS,
    Recipe,
    build,
    check_known,
    joined,
    named,
    parse_recipe,
    stages,
    value_of,
)

MAX_SETTINGS = 1000
SIZES = (80, 120, 160, 200, 280, 400, 600)
OVERLAPS = (0, "20%")
Call = tuple[str, dict[str, list[Any]]]
_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_SPLIT = re.compile(rf"{_QUOTED}|([;\n]+)")
_RANGE = re.compile(rf"{_QUOTED}|(?<![\w.])(\d+)\.\.(\d+):(\d+)(?![\w.])")


@dataclass(frozen=True)
class Dropped:
    """A combination that is no recipe, as it would be written, and why not."""

    text: str
    reason: str


@dataclass(frozen=True)
class Grid:
    """Recipes in the grid's order: the values named last change first.

    `dropped` are combinations that a rule between parameters forbids, `duplicates` how many recipes
    came more than once and are here once.
    """

    recipes: tuple[Recipe, ...]
    dropped: tuple[Dropped, ...] = ()
    duplicates: int = 0

    def __len__(self) -> int:
        return len(self.recipes)

    @cached_property
    def axes(self) -> tuple[dict[str, Any], ...]:
        """`axes_of` each recipe."""
        return tuple(axes_of(each) for each in self.recipes)

    @cached_property
    def varied(self) -> tuple[str, ...]:
        """The names in `axes` that have more than one value, in the order of the names."""
        found: dict[str, set[str]] = {}
        for each in self.axes:
            for name, value in each.items():
                found.setdefault(name, set()).add(repr(value))
        return tuple(name for name, values in found.items() if len(values) > 1)

    def notices(self) -> tuple[str, ...]:
        """Sentences about what was left out."""
        found = [
            f"{count} of the grid's combinations {'was' if count == 1 else 'were'} left out: {reason}"
            for reason, count in Counter(each.reason for each in self.dropped).items()
        ]
        if self.duplicates:
            found.append(f"{self.duplicates} of the grid's recipes came twice and are measured once.")
        return tuple(found)


def parse_grid(texts: str | Iterable[str]) -> Grid:
    """The recipes that one text or several stand for, in their order.

    Raises RecipeError or ParamError, each in one line, for a text that cannot be read, an unknown name, a
    value that its parameter never allows, more than 1000 recipes, or none that is valid.
    """
    texts = [texts] if isinstance(texts, str) else list(texts)
    grids = [piece for text in texts for piece in _pieces(text) if piece.strip()]
    if not grids:
        raise RecipeError(f"grid: must not be empty; write one such as {default_grid()}.")
    found: dict[Recipe, None] = {}
    dropped: list[Dropped] = []
    valid = total = 0
    for grid in grids:
        families = _families(grid)
        total += prod(sum(prod(map(len, values.values())) for _, values in each) for each in families)
        if total > MAX_SETTINGS:
            raise RecipeError(
                f"grid: must have at most {MAX_SETTINGS} settings, got {total}. Leave some values out."
            )
        parts = [
            [each for key, values in calls for each in _components(family, key, values)]
            for family, calls in zip(PARTS, families, strict=True)
        ]
        for combination in product(*parts):
            broken = next((each.reason for each in combination if isinstance(each, Dropped)), "")
            if not broken:
                valid += 1
                found[Recipe(*combination)] = None
            else:
                text = joined([each.text if isinstance(each, Dropped) else str(each) for each in combination])
                dropped.append(Dropped(text, broken))
    if not found:
        raise RecipeError(f"grid: must have at least one valid recipe. {dropped[0].reason}")
    return Grid(tuple(found), tuple(dropped), valid - len(found))


def default_grid(recipe: str = "recursive()") -> str:
    """The text of a grid over size and overlap, with all else as in the recipe.

    Sizes 80 to 600 and overlaps of nothing and a fifth, as far as the strategy has a size and an overlap.
    """
    known = parse_recipe(recipe)
    params = known.split.params()
    size = next((name for name in ("size", "max_size") if name in params), None)
    lists = {size: SIZES} if size else {}
    lists |= {"overlap": OVERLAPS} if "overlap" in params else {}
    kept = {name: value for name, value in known.split.changed().items() if name not in lists}
    inside = [f"{name}=[{','.join(map(literal, values))}]" for name, values in lists.items()]
    inside += [f"{name}={literal(value)}" for name, value in kept.items()]
    return str(known).replace(str(known.split), f"{known.split.key()}({','.join(inside)})", 1)


def _pieces(text: str) -> Iterator[str]:
    """The grids of a text: it is cut at semicolons and line ends outside quotes."""
    if not isinstance(text, str):
        raise RecipeError(f"grid: must be text, got {type(text).__name__}.")
    if len(text) > 10 * MAX_LENGTH:
        raise RecipeError(f"grid: must have at most {10 * MAX_LENGTH} characters, got {len(text)}.")
    at = 0
    for each in _SPLIT.finditer(text):
        if each[1]:
            yield text[at : each.start()]
            at = each.end()
    yield text[at:]


def _families(grid: str) -> list[list[Call]]:
    """For each stage its components, names with the values of each parameter."""
    if len(grid) > MAX_LENGTH:
        raise RecipeError(f"grid: a recipe must have at most {MAX_LENGTH} characters, got {len(grid)}.")
    text = _RANGE.sub(_listed, grid)
    found = []
    for family, node in zip(PARTS, stages(text), strict=False):
        nodes = node.elts if isinstance(node, ast.List) else [node]
        if not nodes:
            raise RecipeError(f"grid: a list must not be empty, got {shown(grid)}.")
        calls = []
        for each in nodes:
            key, values = named(each, grid)
            check_known(family, key, values)
            calls.append((key, {name: _values(value, name, family, key) for name, value in values.items()}))
        found.append(calls)
    return found + [[("itself", {})]] * (len(PARTS) - len(found))


def _listed(found: re.Match[str]) -> str:
    if found[1] is None:
        return found[0]
    low, high, step = (int(each) if len(each) < 10 else -1 for each in found.groups())
    if step < 1 or not 0 <= low <= high or (high - low) // step >= MAX_SETTINGS:
        raise RecipeError(
            f"grid: a range must rise to at most {MAX_SETTINGS} values, such as 100..800:100, got {shown(found[0])}."
        )
    return f"[{','.join(map(str, range(low, high + 1, step)))}]"


def _values(node: ast.expr, name: str, family: str, key: str) -> list[Any]:
    """What a parameter takes in turn, each allowed by the parameter alone."""
    spec = components(family)[key].params()[name][1]
    nodes = [node]
    if isinstance(node, ast.List) and spec.kind != "separators":
        # A range inside a list is a list by now.
        nodes = [each for part in node.elts for each in (part.elts if isinstance(part, ast.List) else [part])]
    elif isinstance(node, ast.List) and any(isinstance(each, ast.List | ast.Name) for each in node.elts):
        # A list of quoted texts is one value of a parameter that takes lists.
        nodes = node.elts
    if not nodes:
        raise RecipeError(f"grid: {name} of {key} must have at least one value, got an empty list.")
    found = [value_of(each, name) for each in nodes]
    for value in found:
        if not spec.allows(value):
            raise ParamError(key, name, spec.must(), value, spec.remedy(value))
    return found


def _components(family: str, key: str, values: dict[str, list[Any]]) -> Iterator[Component | Dropped]:
    for combination in product(*values.values()):
        chosen = dict(zip(values, combination, strict=True))
        try:
            yield build(family, key, chosen)
        except ParamError as error:
            inside = ",".join(f"{name}={literal(value)}" for name, value in chosen.items())
            yield Dropped(f"{key}({inside})", str(error))
