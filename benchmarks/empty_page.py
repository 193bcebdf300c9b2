"""A Streamlit page that imports pandas and plotly and shows a heading: the least that a start can take."""

from __future__ import annotations

import pandas  # noqa: F401
import plotly.graph_objects  # noqa: F401
import streamlit as st

st.title("Empty")
