"""Figures in plotly, the only module that imports it."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from chunklab.meaning import Curve
from chunklab.views.bins import bins

BLUE, AMBER, INK = "#5aa5cf", "#d9a21b", "#8a94a3"


def length_histogram(lengths: np.ndarray, unit: str, size: int, model_limit: int | None = None) -> go.Figure:
    """The distribution of (n,) chunk lengths with the size limit, the median and a model's limit as lines.

    Bars are half-open bins of equal width, the last one closed.
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
