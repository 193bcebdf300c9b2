"""Retrieve: a question, what is found for it, why the rest is missed, and the prompt that comes of it."""

from __future__ import annotations

import streamlit as st

from pages.ui import frame

frame.begin("Retrieve")

from pages.ui import below, following, retrieve, retrieve_panels, shown, sidebar, state  # noqa: E402

samples = list(shown.sample_names())
view = following.to_question(state.current(samples))
found = shown.chosen(view)
view, corpus, document = st.session_state["view"], found.corpus, found.document
sidebar.draw(view, found)
frame.link_notice()
if document is None:
    frame.welcome(view.source)
else:
    retrieve.draw(view, corpus, document)
    retrieve_panels.draw(st.session_state["view"], corpus)
state.write_address()
with st.sidebar:
    below.share(view)
frame.end()
