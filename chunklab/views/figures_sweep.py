"""Figures of a sweep: a metric over sizes, and what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from chunklab.views.figures import AMBER, BLUE, INK, plain

COLOURS = (BLUE, AMBER, "#3aa37a", "#b96bb0", "#d9653b", "#7b86c9", "#8f9a3a", "#c27c8e")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "pentagon", "star")
PLOT, AXIS, ROW = 270, 50, 20
"""Heights in pixels: of a plot, of its axis below, and of a row of its legend."""
BANDS = 4
"""Of more curves only the first has its band: more would hide one another."""


@dataclass(frozen=True)
class Curve:
    """Means over sizes, the smallest first, with their 95 % intervals, or none yet; without sizes it holds for all."""

    name: str
    means: Sequence[float]
    sizes: Sequence[int] = ()
    ends: Sequence[tuple[float, float] | None] = ()


def size_curves(
    curves: Sequence[Curve],
    level: Sequence[Curve],
    metric: str,
    unit: str,
    *,
    held: Sequence[Curve] = (),
    plateau: tuple[int, int] | None = None,
    marks: Sequence[tuple[str, str, int, float]] = (),
) -> go.Figure:
    """A line for each of the `curves`, the first with the best setting, and a dashed one for each of `level`.

    `held` are what the metric is held against, in grey. `plateau` are the sizes between which the first
    curve no longer changes; `marks` are single points as (name, symbol, size, mean).
    """
    figure = go.Figure()
    sizes = sorted({size for each in (*curves, *held) for size in each.sizes} | {mark[2] for mark in marks})
    reach = (sizes[0], sizes[-1]) if sizes else (0, 1)
    if plateau is not None:
        figure.add_vrect(
            x0=plateau[0], x1=plateau[1], fillcolor=INK, opacity=0.13, line_width=0, layer="below",
            annotation_text="plateau", annotation_position="bottom left", annotation_font_color=INK,
        )  # fmt: skip
    for at, each in enumerate(curves):
        colour = COLOURS[at % len(COLOURS)]
        if all(each.ends) and each.ends and (at == 0 or len(curves) <= BANDS):
            figure.add_trace(_band(each, colour))
        figure.add_trace(
            go.Scatter(
                x=list(each.sizes), y=list(each.means), name=plain(each.name), mode="lines+markers", cliponaxis=False,
                line={"color": colour, "width": 2}, marker={"size": 7, "symbol": SYMBOLS[at % len(SYMBOLS)]},
                customdata=[f" ({ends[0]:.2f} to {ends[1]:.2f})" if ends else "" for ends in each.ends] or [""] * len(each.means),
                hovertemplate="%{y:.3f}%{customdata} at size %{x:,}",
            )
        )  # fmt: skip
    for at, each in enumerate(level, len(curves)):
        figure.add_trace(_level(each, COLOURS[at % len(COLOURS)], "dash", reach))
    for at, each in enumerate(held):
        dash = ("dot", "longdash", "dashdot")[at % 3]
        figure.add_trace(_level(each, INK, dash, reach))
    for at, (name, symbol, size, mean) in enumerate(marks):
        figure.add_trace(
            go.Scatter(
                x=[size], y=[mean], name=plain(name), text=[plain(name)], mode="markers+text", showlegend=False, cliponaxis=False,
                textposition="top center" if at == 0 else "bottom center", hovertemplate="%{y:.3f} at size %{x:,}",
                marker={"symbol": symbol, "size": 13, "color": "rgba(0,0,0,0)", "line": {"color": INK, "width": 2}},
            )
        )  # fmt: skip
    rows = len(curves) + len(level) + len(held)
    highest = [value for each in (*curves, *level, *held) for value in each.means]
    highest += [ends[1] for ends in curves[0].ends if ends] if curves else []
    figure.update_layout(
        xaxis={
            "title": f"size in {'characters' if unit == 'chars' else unit}",
            "tickvals": sizes if len(sizes) < 12 else None,
        },
        yaxis={
            "title": metric,
            "range": [0, _top(highest)],
        },
        height=PLOT + AXIS + ROW * rows,
        margin={"l": 10, "r": 10, "t": 12, "b": AXIS + ROW * rows},
        legend={"yref": "container", "y": 0, "yanchor": "bottom", "x": 0},
        hovermode="closest",
        dragmode=False,
    )
    return figure


def _band(curve: Curve, colour: str) -> go.Scatter:
    lows, highs = zip(*curve.ends, strict=True)
    return go.Scatter(
        x=[*curve.sizes, *reversed(curve.sizes)], y=[*highs, *reversed(lows)], fill="toself",
        fillcolor=_faint(colour), line={"width": 0}, mode="lines", hoverinfo="skip", showlegend=False,
    )  # fmt: skip


def _top(values: Iterable[float]) -> float:
    """All that a share can be, but not where that would press everything onto the axis."""
    most = max(values, default=1.0)
    return 1.02 if most > 0.2 or not most else 1.2 * most


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.16)"


def _level(curve: Curve, colour: str, dash: str, reach: tuple[int, int]) -> go.Scatter:
    one = not curve.sizes
    return go.Scatter(
        x=list(reach) if one else list(curve.sizes), y=[curve.means[0]] * 2 if one else list(curve.means),
        name=plain(curve.name), mode="lines", line={"color": colour, "width": 1.8, "dash": dash},
        hovertemplate="%{y:.3f}",
    )  # fmt: skip


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

    What is tied with the best is filled, what is below it open. `window` is a limit of the cost, as a line.
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
                x=[each.cost for each in own], y=[each.mean for each in own], mode="markers", name=plain(group), cliponaxis=False,
                customdata=[[plain(each.name), each.recipe] for each in own], hovertemplate="%{customdata[0]}: %{y:.3f} for %{x:,.4~r}<extra></extra>",
                marker={
                    "symbol": [_SHAPES[each.mark] for each in own], "size": [_WIDTHS[each.mark] for each in own],
                    "color": colour, "line": {"color": colour, "width": 1.8},
                },
            )
        )  # fmt: skip
    if window is not None:
        figure.add_vline(
            x=window,
            line_dash="dash",
            line_color=AMBER,
            annotation_text=f"the reader's window, {window:,.0f}",
        )
    figure.update_layout(
        xaxis={"title": cost, "rangemode": "tozero"},
        yaxis={"title": metric, "range": [0, _top(each.mean for each in points)]},
        height=380,
        margin={"l": 10, "r": 10, "t": 12, "b": 10},
        legend={"orientation": "h", "y": -0.22, "x": 0},
        hovermode="closest",
        dragmode=False,
    )
    return figure


_SHAPES = {"best": "star", "tied": "circle", "below": "circle-open", "default": "diamond-open", "": "circle"}
_WIDTHS = {"best": 16, "tied": 9, "below": 9, "default": 13, "": 9}
