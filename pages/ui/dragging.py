"""The view's sliders: what is drawn of them, and what a drag or its end does to the session's view."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import streamlit as st

from chunklab.chunking import Chunks, asked_overlap, size_of
from chunklab.errors import ChunklabError
from chunklab.recipe import Recipe
from pages.ui.state import MAX_K, View, change

_FAR = 2**53


def asked(view: View, key: str) -> tuple[View, int, bool]:
    """The view to draw, the number of the request it answers, and whether a slider is being dragged."""
    done = st.session_state.get("answered", -1)
    drag = sent(key).get("drag")
    seq = _number(drag, "seq")
    if seq is None or seq <= done:
        return view, done, False
    return with_values(view, drag.get("values"), st.session_state.get("sent_overlap")), int(seq), True


def with_values(view: View, values: Any, sent_overlap: int | None) -> View:
    """The view with the sliders' values: k, and what the recipe takes of the others."""
    k = _number(values, "k")
    k = view.k if k is None else int(min(max(k, 1), MAX_K))
    return replace(view, k=k, recipe=moved(view.recipe, values, sent_overlap))


def moved(recipe: Recipe, values: Any, sent_overlap: int | None) -> Recipe:
    """The recipe with the sliders' values, each clamped to what its parameter allows.

    An overlap written as a share stays one until its own slider is touched. Values that are no numbers
    change nothing.
    """
    split = recipe.split
    changes: dict[str, Any] = {}
    for name, (_, spec) in split.params().items():
        number = _number(values, name)
        if spec.slider and number is not None:
            changes[name] = int(min(max(number, spec.low), spec.high))
    share = isinstance(getattr(split, "overlap", None), str)
    if share and "overlap" in changes and changes["overlap"] == sent_overlap:
        changes.pop("overlap")
    size = changes.get("size", changes.get("max_size"))
    if size is not None and "overlap" in changes:
        changes["overlap"] = min(changes["overlap"], size // 2)
    try:
        return Recipe(split.with_(**changes), recipe.embed_as, recipe.return_as)
    except ChunklabError:
        return recipe


def _number(values: Any, name: str) -> float | None:
    """A finite number that the browser sent, held within what any parameter could take; else None."""
    value = values.get(name) if hasattr(values, "get") else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return min(max(value, -_FAR), _FAR)


def commit(key: str) -> None:
    """Takes over the values that the sliders of view component `key` were let go at."""
    given = sent(key).get("commit")
    seq = _number(given, "seq")
    if seq is None:
        return
    view: View = st.session_state["view"]
    new = with_values(view, given.get("values"), st.session_state.get("sent_overlap"))
    st.session_state["answered"] = int(seq)
    st.session_state["run_page"] = True
    change(recipe=new.recipe, k=new.k)


def sent(key: str) -> Any:
    """What a component sent last; nothing where it sent nothing yet."""
    return st.session_state.get(key) or {}


def picked(key: str, name: str) -> Any:
    """What a component says was picked under a name, None where it was something else."""
    given = sent(key).get("pick")
    return given.get(name) if hasattr(given, "get") else None


def sliders(chunks: Chunks) -> list[dict[str, Any]]:
    """One slider for each length that the strategy takes."""
    recipe, split, shown = chunks.recipe, chunks.recipe.split, []
    for name, (_, spec) in split.params().items():
        if not spec.slider:
            continue
        value = asked_overlap(recipe) if spec.kind == "overlap" else getattr(split, name)
        low, high = spec.slider
        if spec.kind == "overlap":
            high = min(high, size_of(recipe) // 2)
        shown.append(
            {
                "name": name,
                "label": name.replace("_", " "),
                "low": min(low, value),
                "high": max(high, value),
                "step": 1,
                "value": value,
                "unit": split.unit,
                "help": spec.help,
            }
        )
    return shown


def k_slider(k: int) -> dict[str, Any]:
    """The slider of k."""
    help = "How many of the best chunks recall and the verdicts look at."
    return {
        "name": "k", "label": "k", "low": 1, "high": max(20, k), "step": 1, "value": k, "unit": "retrieved", "help": help,
    }  # fmt: skip
