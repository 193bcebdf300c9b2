"""Inspect: a document, its cuts, their lengths and their recall, all moving with the sliders."""

from __future__ import annotations

import streamlit as st

from pages.ui import below, controls, following, frame, inspect, sources, state

frame.begin("Inspect")
samples = list(sources.sample_names())
view = following.to_pick(state.current(samples))
with st.sidebar:
    corpus, document = sources.choose(view)
    controls.recipe_controls(view)
    if document is not None:
        controls.cost_note(view, document)
    below.measure_controls(view)
frame.link_notice()
if document is None:
    frame.welcome(view.source)
else:
    inspect.draw(view, corpus, document)
    below.panels(st.session_state["view"], corpus, document)
state.write_address()
with st.sidebar:
    below.share(view)
