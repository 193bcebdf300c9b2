"""Compare: two to four recipes on one document, where their cuts differ and which questions flip."""

from __future__ import annotations

import streamlit as st

from pages.ui import frame

frame.begin("Compare")

from pages.ui import below, compare, following, shown, sidebar, state  # noqa: E402

samples = list(shown.sample_names())
view = following.to_question(state.current(samples))
found = shown.chosen(view)
view, corpus, document = st.session_state["view"], found.corpus, found.document
sidebar.draw(view, found)
frame.link_notice()
if document is None:
    frame.welcome(view.source)
else:
    compare.draw(view, corpus, document)
state.write_address()
with st.sidebar:
    below.share(view)
frame.end()
