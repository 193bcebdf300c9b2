"""Retrieve: a question, what is found for it, why the rest is missed, and the prompt that comes of it."""

from __future__ import annotations

import streamlit as st

from pages.ui import below, controls, following, frame, retrieve, retrieve_panels, sources, state

frame.begin("Retrieve")
samples = list(sources.sample_names())
view = following.to_question(state.current(samples))
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
    retrieve.draw(view, corpus, document)
    retrieve_panels.draw(st.session_state["view"], corpus)
state.write_address()
with st.sidebar:
    below.share(view)
