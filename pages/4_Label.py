"""Label: mark the answers to questions in a document; every other page measures with them at once."""

from __future__ import annotations

import streamlit as st

from pages.ui import below, following, frame, label, sources, state

frame.begin("Label")
samples = list(sources.sample_names())
view = following.to_question(state.current(samples))
with st.sidebar:
    corpus, document = sources.choose(view)
frame.link_notice()
if document is None:
    frame.welcome(view.source)
else:
    label.draw(corpus, document)
state.write_address()
with st.sidebar:
    below.share(view)
