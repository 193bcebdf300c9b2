"""Compare: two to four recipes on one document, where their cuts differ and which questions flip."""

from __future__ import annotations

import streamlit as st

from pages.ui import below, compare, controls, following, frame, sources, state

frame.begin("Compare")
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
    compare.draw(view, corpus, document)
state.write_address()
with st.sidebar:
    below.share(view)
