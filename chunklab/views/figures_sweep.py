"""A sweep's metric over sizes, as a figure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from chunklab.views.figures import AMBER, BLUE, INK, plain

COLOURS = (BLUE, AMBER, "#3aa37a", "#b96bb0", "#d9653b", "#7b86c9", "#8f9a3a", "#c27c8e")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "pentagon", "star")
PLOT, AXIS, ROW = 284, 50, 20
"""Heights in pixels: of a plot, of its axis below, and of a row of its legend."""
WHISKERS = 4
"""The first curve has its intervals as a band, the others as whiskers; of more curves only the first has any."""


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

    `held` are what the metric is held against, in grey beneath all else. `plateau` are the sizes between which the first
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
    for at, each in enumerate(held):
        dash = ("dot", "solid", "dashdot")[at % 3]
        figure.add_trace(_level(each, INK, dash, reach).update(legendrank=2000 + at))
    for at, each in enumerate(curves):
        colour = COLOURS[at % len(COLOURS)]
        known = bool(each.ends) and all(each.ends)
        if known and at == 0:
            figure.add_trace(_band(each, colour))
        figure.add_trace(
            go.Scatter(
                x=list(each.sizes), y=list(each.means), name=plain(each.name), mode="lines+markers", cliponaxis=False,
                line={"color": colour, "width": 2}, marker={"size": 7, "symbol": SYMBOLS[at % len(SYMBOLS)]},
                customdata=[f" ({ends[0]:.2f} to {ends[1]:.2f})" if ends else "" for ends in each.ends] or [""] * len(each.means),
                hovertemplate="%{y:.3f}%{customdata} at size %{x:,}",
                error_y=_whiskers(each, colour) if known and 0 < at < len(curves) <= WHISKERS else None,
            )
        )  # fmt: skip
    for at, each in enumerate(level, len(curves)):
        figure.add_trace(_level(each, COLOURS[at % len(COLOURS)], "dash", reach))
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
    highest += [ends[1] for each in curves[:WHISKERS] for ends in each.ends if ends]
    figure.update_layout(
        xaxis={
            "title": f"size in {'characters' if unit == 'chars' else unit}",
            "tickvals": sizes if len(sizes) < 12 else None,
        },
        yaxis={
            "title": metric,
            "range": [0, top_of(highest)],
        },
        height=PLOT + AXIS + ROW * rows,
        margin={"l": 10, "r": 10, "t": 26, "b": AXIS + ROW * rows},
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


def _whiskers(curve: Curve, colour: str) -> dict[str, object]:
    means = list(zip(curve.means, curve.ends, strict=True))
    up, down = [high - mean for mean, (_, high) in means], [mean - low for mean, (low, _) in means]
    return {
        "type": "data",
        "array": up,
        "arrayminus": down,
        "color": _faint(colour, 0.45),
        "thickness": 1.5,
        "width": 4,
    }


def top_of(values: Iterable[float]) -> float:
    """All that a share can be, but not where that would press everything onto the axis."""
    most = max(values, default=1.0)
    return 1.02 if most > 0.5 or not most else 1.2 * most


def _faint(colour: str, strength: float = 0.16) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{strength})"


def _level(curve: Curve, colour: str, dash: str, reach: tuple[int, int]) -> go.Scatter:
    one = not curve.sizes
    return go.Scatter(
        x=list(reach) if one else list(curve.sizes), y=[curve.means[0]] * 2 if one else list(curve.means),
        name=plain(curve.name), mode="lines", line={"color": colour, "width": 1.8, "dash": dash},
        hovertemplate="%{y:.3f}",
    )  # fmt: skip
