"""The recipe that a document of one's own starts with, and why."""

from __future__ import annotations

import streamlit as st

from chunklab.advise import advise
from chunklab.recipe import parse_recipe
from chunklab.types import Document
from pages.ui.state import DEFAULT_RECIPE, change


def take(document: Document) -> None:
    """A document of one's own starts with the recipe that suits it, unless one was chosen already."""
    found = advise(document)
    st.session_state["advice"] = (document.digest, found)
    if str(st.session_state["view"].recipe) in (DEFAULT_RECIPE, st.session_state.get("advised")):
        st.session_state["advised"] = found.recipe
        change(recipe=parse_recipe(found.recipe))


def show(document: Document) -> None:
    """The advised recipe with its reasons, and a button while another one is in use."""
    digest, found = st.session_state.get("advice", ("", None))
    if digest != document.digest:
        return
    used = str(st.session_state["view"].recipe) == found.recipe
    with st.expander("Why this recipe" if used else "A recipe that suits it", expanded=used):
        st.code(found.recipe, language=None)
        for reason in found.reasons:
            st.text(reason)
        if not used:
            st.button("Use it", on_click=lambda: change(recipe=parse_recipe(found.recipe)))
