"""Where a recipe stands in a grid: which field has which value, and short names for people."""

from __future__ import annotations

from typing import Any

from chunklab.chunking import size_of
from chunklab.params import literal
from chunklab.recipe import Recipe, parse_recipe

_SIZES = ("size", "max_size")


def axes_of(recipe: Recipe | str) -> dict[str, Any]:
    """Field -> value: the strategy, its size whatever it calls it, its other fields, and the stages.

    The stages are `embed_as` and `return_as`, as text.
    """
    recipe = parse_recipe(recipe) if isinstance(recipe, str) else recipe
    split, size = recipe.split, size_of(recipe)
    return {
        "strategy": split.key(),
        **({"size": size} if size else {}),
        **{name: getattr(split, name) for name in split.params() if name not in _SIZES},
        "embed_as": str(recipe.embed_as),
        "return_as": str(recipe.return_as),
    }


def short_name(recipe: Recipe | str) -> str:
    """The recipe as people say it, "recursive 400/50"; whatever else differs from its default follows."""
    recipe = parse_recipe(recipe) if isinstance(recipe, str) else recipe
    at = axes_of(recipe)
    numbers = "/".join(str(at[name]) for name in ("size", "overlap") if name in at)
    return " ".join(filter(None, (at["strategy"], numbers, _rest(recipe))))


def curve_name(recipe: Recipe | str) -> str:
    """All of the recipe but its size, "recursive, overlap 20%": what the settings of one curve share."""
    recipe = parse_recipe(recipe) if isinstance(recipe, str) else recipe
    at = axes_of(recipe)
    named = at["strategy"] + (f", overlap {at['overlap']}" if "overlap" in at else "")
    return " ".join(filter(None, (named, _rest(recipe))))


def _rest(recipe: Recipe) -> str:
    """What no number says: the other parameters that are not at their default, and the stages."""
    changed = recipe.split.changed().items()
    inside = ",".join(
        f"{name}={literal(value)}" for name, value in changed if name not in (*_SIZES, "overlap")
    )
    stages = str(recipe).removeprefix(str(recipe.split)).strip()
    return " ".join(filter(None, (f"({inside})" if inside else "", stages)))
