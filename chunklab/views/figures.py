"""Figures in plotly, the only module that imports it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from chunklab.meaning import Curve
from chunklab.views.bins import bins

BLUE, AMBER, INK = "#5aa5cf", "#d9a21b", "#8a94a3"


def length_histogram(lengths: np.ndarray, unit: str, size: int, model_limit: int | None = None) -> go.Figure:
    """The distribution of (n,) chunk lengths with the size limit, the median and a model's limit as lines.

    A size of 0 is none. Bars are half-open bins of equal width, the last one closed.
    """
    edges = bins(lengths, size)
    counts = np.histogram(lengths, edges)[0]
    width = edges[1] - edges[0]
    figure = go.Figure(
        go.Bar(
            x=(edges[:-1] + width / 2).tolist(),
            y=counts.tolist(),
            width=width * 0.92,
            marker_color=BLUE,
            customdata=np.column_stack((edges[:-1], edges[1:])).round().tolist(),
            hovertemplate="%{y} chunks from %{customdata[0]} to %{customdata[1]} " + unit + "<extra></extra>",
        )
    )
    figure.update_layout(
        xaxis_title=f"chunk length in {unit}",
        yaxis_title="chunks",
        height=320,
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        showlegend=False,
        bargap=0,
    )
    if size:
        figure.add_vline(x=size, line_width=2, line_color=AMBER, annotation_text=f"size limit {size:,}")
    if len(lengths):
        median = float(np.median(lengths))
        figure.add_vline(
            x=median, line_dash="dot", line_color=INK,
            annotation_text=f"median {median:,.0f}", annotation_position="top left",
        )  # fmt: skip
    if model_limit:
        figure.add_vline(
            x=model_limit, line_dash="dash", line_color=INK, annotation_text=f"model limit {model_limit:,}"
        )
    return figure


def similarity_curve(curve: Curve) -> go.Figure:
    """What is compared in each gap over its place in the text, the cut-off as a line, the cuts as dots."""
    cut = np.asarray(curve.cut, dtype=bool)
    place = curve.offsets.tolist()
    figure = go.Figure(
        go.Scatter(
            x=place,
            y=np.round(curve.values, 4).tolist(),
            mode="lines+markers",
            line={"color": BLUE, "width": 1.5},
            marker={"color": np.where(cut, AMBER, BLUE).tolist(), "size": np.where(cut, 10, 5).tolist()},
            hovertemplate="%{y:.3f} at %{x:,}<extra></extra>",
        )
    )
    figure.update_layout(
        xaxis_title="place in the text, characters",
        yaxis_title=curve.shows,
        height=320,
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        showlegend=False,
        dragmode=False,
    )
    if curve.cutoff is not None:
        figure.add_hline(
            y=curve.cutoff,
            line_dash="dash",
            line_color=AMBER,
            annotation_text=f"cut above {curve.cutoff:.3f}",
        )
    return figure


def interval_dots(rows: Sequence[Mapping[str, Any]], measure: str) -> go.Figure:
    """One line a row, the first on top: its mean of a measure as a dot and its 95 % interval as a bar.

    A row has "variant", the measure, and the measure with " low" and " high", None where there is no interval.
    """
    names = [str(row["variant"]) for row in rows]
    means = [row[measure] for row in rows]
    ends = [(row[f"{measure} low"], row[f"{measure} high"]) for row in rows]
    reach = [
        (0, 0) if low is None else (mean - low, high - mean)
        for mean, (low, high) in zip(means, ends, strict=True)
    ]
    figure = go.Figure(
        go.Scatter(
            x=means, y=list(range(len(rows))), mode="markers", marker={"color": BLUE, "size": 10},
            error_x={"type": "data", "array": [up for _, up in reach], "arrayminus": [down for down, _ in reach],
                     "color": INK, "thickness": 1.5, "width": 4},
            customdata=[plain(name) for name in names],
            hovertemplate="%{customdata}: %{x:.3f}<extra></extra>",
        )
    )  # fmt: skip
    figure.update_layout(
        xaxis={"title": measure, "range": [-0.02, 1.02]},
        yaxis={"tickvals": list(range(len(rows))), "ticktext": [plain(name) for name in names], "autorange": "reversed"},
        height=90 + 28 * len(rows),
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        showlegend=False,
    )  # fmt: skip
    return figure


def plain(text: str) -> str:
    """The text as plotly shows it as it is: plotly reads some HTML in its labels."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def length_overlay(lengths: Sequence[np.ndarray], names: Sequence[str], unit: str) -> go.Figure:
    """The distributions of several recipes' chunk lengths as outlines over one another, as shares of their chunks."""
    everything = np.concatenate([each for each in lengths if len(each)] or [np.zeros(1)])
    edges = bins(everything, 0)
    figure = go.Figure()
    for each, name, colour in zip(lengths, names, (BLUE, AMBER, "#3aa37a", "#b96bb0"), strict=False):
        shares = np.histogram(each, edges)[0] / max(1, len(each))
        figure.add_trace(
            go.Scatter(
                x=np.repeat(edges, 2)[1:-1].tolist(), y=np.repeat(shares, 2).tolist(), mode="lines", name=plain(name),
                line={"color": colour, "width": 2}, fill="tozeroy", opacity=0.7,
                hovertemplate="%{y:.0%} of the chunks<extra></extra>",
            )
        )  # fmt: skip
    figure.update_layout(
        xaxis_title=f"chunk length in {unit}", yaxis={"title": "share of chunks", "tickformat": ".0%"}, height=340,
        margin={"l": 10, "r": 10, "t": 10, "b": 10}, legend={"orientation": "h", "y": -0.25},
    )  # fmt: skip
    return figure
