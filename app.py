"""Inspect: a document, its cuts, their lengths and their recall, all moving with the sliders."""

from __future__ import annotations

import streamlit as st

from pages.ui import frame

frame.begin("Inspect")

from pages.ui import following, inspect, shown, state, waiting  # noqa: E402

view = following.to_pick(state.current(list(shown.sample_names())))
found = shown.chosen(view)
view = st.session_state["view"]


def cuts() -> None:
    """The document with its cuts, or how to get one."""
    frame.link_notice()
    if found.document is None:
        frame.welcome(view.source)
    else:
        inspect.draw(view, found.corpus, found.document)


def controls() -> None:
    """The sidebar; nothing of it is imported before the cuts are on their way."""
    from pages.ui import sidebar

    sidebar.draw(view, found)


# The cuts come first, unless they take long: then there is something to change them with meanwhile.
for part in (cuts, controls) if waiting.quick(view) else (controls, cuts):
    part()

from pages.ui import below  # noqa: E402

if found.document is not None:
    below.panels(st.session_state["view"], found.corpus, found.document)
state.write_address()
with st.sidebar:
    below.share(view)
frame.end()
