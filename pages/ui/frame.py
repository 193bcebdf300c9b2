"""What every page begins and ends with: settings, the code of its views, and what makes the next run quick."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import streamlit as st

from pages.ui.viewer import view_code

_STYLE = """<style>
[data-testid=stMainBlockContainer] { padding: 1.1rem 1.6rem 2rem; max-width: none }
[data-testid=stSidebarHeader] { height: 1.6rem; padding-block: .3rem 0; margin-bottom: 0 }
[data-testid=stSidebarUserContent] { padding-top: .2rem }
[data-testid=stSidebarUserContent] [data-testid=stVerticalBlock] { gap: .7rem }
header[data-testid=stHeader] { height: 2.2rem; min-height: 2.2rem; background: transparent }
[data-testid=stElementToolbarButton]:has(button[aria-label="Download as CSV"]) { display: none }
[data-testid=stExpandSidebarButton] { background: var(--st-background-color, Canvas); border-radius: .4rem }
[data-testid=stSidebarUserContent] [data-testid=stPageLink-NavLink] { padding: .1rem .45rem; min-height: 0 }
[data-testid=stSidebarUserContent] .st-key-pages { display: grid; grid-template-columns: repeat(3, auto); gap: .1rem; margin-inline: -.45rem }
.st-key-view_code, .st-key-document_store { position: absolute }
.wordmark { font-size: 1.3rem; font-weight: 700; letter-spacing: -.02em; line-height: 1.2 }
.wordmark small { display: block; font-size: .8rem; font-weight: 400; letter-spacing: 0; opacity: .7 }
[data-testid=stCaptionContainer] { opacity: .72 }
[data-testid=stMain] h3 { font-size: 1.15rem; padding-block: .4rem .1rem }
:is([data-testid=stMultiSelectTagsContainer] > span, [data-testid=stBaseButton-primary]), :is([data-testid=stMultiSelectTagsContainer] > span, [data-testid=stBaseButton-primary]) * { color: light-dark(#fff, #12161c) !important }
.js-plotly-plot svg text:not(.legendtext) { fill: light-dark(#4a5361, #c9d0da) !important }
@media (max-width: 640px) { [data-testid=stMainBlockContainer] { padding: 2.4rem .7rem 1rem } }
</style>"""


@st.cache_resource(show_spinner=False)
def _warm(model: bool) -> bool:
    """Imports what every run needs and takes it out of the collections that Streamlit does after each run.

    Once more when a model is loaded: it comes with so many objects that a collection takes longer than a drag step.
    """
    import numpy  # noqa: F401
    import pandas  # noqa: F401
    import plotly.graph_objects  # noqa: F401
    import pyarrow  # noqa: F401
    import scipy.sparse  # noqa: F401

    gc.collect()
    gc.freeze()
    return True


def begin(title: str) -> None:
    """The page's settings, style and code; call it before anything else is drawn or imported.

    The browser then loads what it needs to draw while Python imports what it needs to cut.
    """
    st.set_page_config(page_title=f"{title} · chunklab", layout="wide")
    view_code()
    st.html(_STYLE)
    with st.sidebar:
        st.html('<div class="wordmark">chunklab<small>see your cuts, measure your recall</small></div>')
        with st.container(key="pages", horizontal=True):
            for name, path in _pages().items():
                st.page_link(path, label=name)


def end() -> None:
    """What can wait until everything is on its way to the browser; call it last."""
    st.set_page_config(page_icon="✂️")  # Streamlit looks an emoji up in a catalogue that takes long to load
    _warm("torch" in sys.modules)


def _pages() -> dict[str, str]:
    """Name -> script of every page, in the order of their numbers."""
    found = sorted(Path(__file__).parents[1].glob("[0-9]*_*.py"))
    return {"Inspect": "app.py"} | {each.stem.partition("_")[2]: f"pages/{each.name}" for each in found}


def link_notice() -> None:
    """One line when parts of the address could not be used."""
    if ignored := st.session_state.get("link_ignored"):
        with st.container(border=True):
            st.text(
                f"Part of the link was not understood and left at its default: {' · '.join(ignored)[:400]}"
            )


def welcome(source: str) -> None:
    """What to do when there is no document yet."""
    what = {"paste": "Paste a text on the left", "upload": "Choose a file on the left"}
    st.subheader(what.get(source, "Choose a sample on the left"))
    st.write("Its chunks appear here, coloured on the text, and follow every slider while you drag.")
