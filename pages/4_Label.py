"""Label: mark the answers to questions in a document; every other page measures with them at once."""

from __future__ import annotations

import streamlit as st

from pages.ui import frame

frame.begin("Label")

from pages.ui import below, following, label, shown, sources, state  # noqa: E402

samples = list(shown.sample_names())
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
frame.end()
