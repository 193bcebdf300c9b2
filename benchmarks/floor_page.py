"""The least a Streamlit page can do: one component sends a number and shows the one that comes back.

It has the app's warm imports and is kept out of garbage collection as the app is, so that what the app
takes above it is the app's own work.
"""

from __future__ import annotations

import gc

import streamlit as st

HTML = '<div data-testid="floor-view"><input type="range" min="0" max="1000000"><output></output></div>'
JS = """
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector("[data-testid=floor-view]");
  root.querySelector("output").textContent = data;
  root.querySelector("input").oninput = ({ target }) => setStateValue("drag", { seq: target.valueAsNumber });
  root.dataset.chunks = data;
  root.dataset.paintedSeq = data;
}
"""
FLOOR = st.components.v2.component("benchmarks.floor", html=HTML, js=JS)


@st.cache_resource(show_spinner=False)
def _warm() -> bool:
    import numpy  # noqa: F401
    import pandas  # noqa: F401
    import plotly.graph_objects  # noqa: F401
    import pyarrow  # noqa: F401
    import scipy.sparse  # noqa: F401

    gc.collect()
    gc.freeze()
    return True


_warm()


@st.fragment
def _view() -> None:
    drag = (st.session_state.get("floor") or {}).get("drag") or {}
    FLOOR(data=str(drag.get("seq", 0)), key="floor", on_drag_change=lambda: None)


_view()
