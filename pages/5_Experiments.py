"""Experiments: what tutorials say about chunking, each run in one click and judged by its own numbers."""

from __future__ import annotations

import streamlit as st

from pages.ui import experiments, frame, gallery, sources, state

frame.begin("Experiments")
state.current(list(sources.sample_names()))
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
