"""Sweep: every setting of a grid measured on one corpus, which is best, and which cannot be told from it."""

from __future__ import annotations

import streamlit as st

from pages.ui import frame

frame.begin("Sweep")

from pages.ui import below, following, shown, sources, state, sweep  # noqa: E402

samples = list(shown.sample_names())
view = following.to_question(state.current(samples))
with st.sidebar:
    corpus, document = sources.choose(view)
    below.measure_controls(view)
frame.link_notice()
if document is None:
    frame.welcome(view.source)
else:
    sweep.draw(view, corpus)
state.write_address()
with st.sidebar:
    below.share(view)
frame.end()
