"""What a sweep's settings reach over what they cost, as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from chunklab.views.figures import AMBER, INK, plain
from chunklab.views.figures_sweep import COLOURS, top_of

_MARKS = {"best": "best", "tied": "tied with the best", "below": "below the best", "default": "the default"}
_SHAPES = {"best": "star", "tied": "circle", "below": "circle-open", "default": "diamond-open", "": "circle"}
_WIDTHS = {"best": 16, "tied": 9, "below": 9, "default": 13, "": 9}


@dataclass(frozen=True)
class Point:
    """A setting by what it costs and reaches; `mark` is best, tied, below or default."""

    name: str
    recipe: str
    group: str
    cost: float
    mean: float
    mark: str


def pareto(
    points: Sequence[Point],
    front: Sequence[tuple[float, float]],
    metric: str,
    cost: str,
    window: float | None = None,
) -> go.Figure:
    """Benefit over cost: a dot for each point, in their order, and the `front`, (cost, mean) with the cheapest first.

    What is tied with the best is filled, what is below it open, as the legend says. `window` is a limit of the
    cost, as a line.
    """
    groups = list(dict.fromkeys(each.group for each in points))
    figure = go.Figure()
    figure.add_trace(
        go.Scatter(
            x=[each[0] for each in front], y=[each[1] for each in front], mode="lines", line_shape="hv",
            line={"color": INK, "width": 1.5}, name="nothing is cheaper and better", hoverinfo="skip",
        )
    )  # fmt: skip
    for at, group in enumerate(groups):
        own = [each for each in points if each.group == group]
        colour = COLOURS[at % len(COLOURS)]
        figure.add_trace(
            go.Scatter(
                x=[each.cost for each in own], y=[each.mean for each in own], mode="markers", name=plain(group), cliponaxis=False, showlegend=False,
                customdata=[[plain(each.name), each.recipe] for each in own], hovertemplate="%{customdata[0]}: %{y:.3f} for %{x:,.4~r}<extra></extra>",
                marker={
                    "symbol": [_SHAPES[each.mark] for each in own], "size": [_WIDTHS[each.mark] for each in own],
                    "color": colour, "line": {"color": colour, "width": 1.8},
                },
            )
        )  # fmt: skip
    for at, group in enumerate(groups):
        figure.add_trace(_key(group, "circle", COLOURS[at % len(COLOURS)]))
    for mark in [each for each in _MARKS if any(point.mark == each for point in points)]:
        figure.add_trace(_key(_MARKS[mark], _SHAPES[mark], INK))
    if window is not None:
        figure.add_vline(
            x=window,
            line_dash="dash",
            line_color=AMBER,
            annotation_text=f"the reader's window, {window:,.0f}",
        )
    figure.update_layout(
        xaxis={"title": cost, "rangemode": "tozero"},
        yaxis={"title": metric, "range": [0, top_of(each.mean for each in points)]},
        height=380,
        margin={"l": 10, "r": 10, "t": 12, "b": 10},
        legend={"orientation": "h", "y": -0.22, "x": 0},
        hovermode="closest",
        dragmode=False,
    )
    return figure


def _key(name: str, symbol: str, colour: str) -> go.Scatter:
    """An entry of the legend alone."""
    return go.Scatter(
        x=[None], y=[None], mode="markers", name=plain(name), hoverinfo="skip",
        marker={"symbol": symbol, "size": 9, "color": colour, "line": {"color": colour, "width": 1.8}},
    )  # fmt: skip
