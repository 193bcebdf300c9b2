"""The sidebar of a page that cuts a document: what is cut, how, and how it is measured."""

from __future__ import annotations

import streamlit as st

from pages.ui import below, controls, sources
from pages.ui.shown import Chosen
from pages.ui.state import View


def draw(view: View, found: Chosen) -> None:
    """All of its controls, for what was found for the view."""
    with st.sidebar:
        sources.choice(view, found)
        controls.recipe_controls(view)
        if found.document is not None:
            controls.cost_note(view, found.document)
        below.measure_controls(view)
