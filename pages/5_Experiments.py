"""Experiments: what tutorials say about chunking, each run in one click and judged by its own numbers."""

from __future__ import annotations

import streamlit as st

from pages.ui import frame

frame.begin("Experiments")

from pages.ui import experiments, gallery, state  # noqa: E402
from pages.ui.shown import sample_names  # noqa: E402

state.current(list(sample_names()))
with st.sidebar:
    embedder = experiments.embedder_choice()
frame.link_notice()
shown = st.segmented_control(
    "Show", ["Experiments", "Failures"], default="Experiments", required=True, label_visibility="collapsed"
)
if shown == "Failures":
    gallery.draw()
else:
    experiments.draw(embedder)
frame.end()
