"""The metric of a sweep over sizes, or as dots where no setting has a size of its own."""

from __future__ import annotations

import streamlit as st

from chunklab.views.figures import interval_dots
from chunklab.views.figures_sweep import size_curves
from pages.ui.sweep_scene import Said, curves, held_against
from pages.ui.sweep_work import Work


def draw(work: Work, said: Said | None) -> None:
    """The curves with their intervals, as far as they are known, and what they are held against."""
    over, alone, units = curves(work.measured, work.metric, said)
    words = said.standing.sentence if said else f"{len(work.measured)} settings so far."
    if not over:
        rows = [_row(each.name, each.mean(work.metric), said, each.recipe) for each in work.measured]
        figure = interval_dots(rows, "value").update_xaxes(title=work.metric)
    else:
        unit = units.pop() if len(units) == 1 else "each strategy's own unit"
        held = held_against(work.held(), work.metric, said.curve) if said else []
        figure = size_curves(
            over, alone, work.metric, unit, held=held, plateau=_plateau(said), marks=_marks(work, said, unit)
        )
    st.plotly_chart(
        figure, key="sweep_curves", config={"displayModeBar": False},
        alt=f"{work.metric} over size with 95 % intervals. {words} The table below has the same numbers.",
    )  # fmt: skip


def _row(name: str, mean: float, said: Said | None, recipe: str) -> dict[str, object]:
    low, high = (said.intervals[recipe] if said else None) or (None, None)
    return {"variant": name, "value": mean, "value low": low, "value high": high}


def _plateau(said: Said | None) -> tuple[int, int] | None:
    """The sizes to shade; where no size can be told from another, there is nothing to mark off."""
    if said is None or said.plateau is None:
        return None
    sizes = [each.axes["size"] for each in said.plateau.settings]
    return (sizes[0], sizes[-1]) if 1 < len(sizes) < len(said.curve) else None


def _marks(work: Work, said: Said | None, unit: str) -> list[tuple[str, str, int, float]]:
    """The best and the default as points, where they have a size in this unit."""
    if said is None:
        return []
    best, default = said.standing.best, said.default
    found = []
    if len(said.curve) > 1 and best in said.curve:
        found.append(("best", "circle", best.axes["size"], best.mean(work.metric)))
    if default is not None and default.axes["unit"] == unit:
        found.append(("default", "diamond", default.axes["size"], default.mean(work.metric)))
    return found
