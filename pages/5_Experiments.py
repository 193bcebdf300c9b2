"""Experiments: what tutorials say about chunking, each run in one click and judged by its own numbers."""

from __future__ import annotations

import streamlit as st

from pages.ui import experiments, frame, sources, state

frame.begin("Experiments")
state.current(list(sources.sample_names()))
with st.sidebar:
    embedder = experiments.embedder_choice()
frame.link_notice()
experiments.draw(embedder)
