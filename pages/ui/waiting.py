"""Long work: how far it has come, how long it will take, and a way back out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic

import streamlit as st

from chunklab.errors import ChunklabError
from chunklab.progress import Pace, listening
from chunklab.recipe import parse_component, parse_recipe
from pages.ui.state import DEFAULT_EMBEDDER, DEFAULT_RECIPE, DEFAULT_RETRIEVER, View, change

QUIET = 0.5
"""Work that takes less, in seconds, is not told; loading a model, which always takes more, is told at once."""


@contextmanager
def telling(cancelled: Callable[..., None] | None = None, *args: object) -> Iterator[None]:
    """Shows how far the work in this block has come, with a button that ends it and then calls `cancelled`."""
    box, pace, began = st.empty(), Pace(), monotonic()
    bar = None

    def tell(what: str, done: int, total: int) -> None:
        nonlocal bar
        line = pace.line(what, done, total)
        if monotonic() - began < QUIET and not what.startswith("loading"):
            return
        if bar is None:
            with box.container(border=True):
                bar = st.progress(0.0)
                st.button("Cancel", key="cancel", on_click=cancelled, args=args)
        bar.progress(min(done / max(total, 1), 1.0), line)

    with listening(tell):
        yield
    box.empty()


def quick(view: View) -> bool:
    """Whether the view is drawn without a wait that is worth telling: no model is asked and no cut needs vectors."""
    retriever, embedder = (
        parse_component("retrievers", view.retriever),
        parse_component("embedders", view.embedder),
    )
    return retriever.keeps_up(embedder) and not hasattr(view.recipe.split, "embedder")


def through(view: View, work: Callable[[], object]) -> None:
    """Does what the view needs before it is drawn; what goes wrong is left to the drawing to say.

    Call it outside of fragments: only a run of the whole page can be cancelled. Cancelling goes back to
    the view that was drawn last.
    """
    try:
        with telling(_back, view):
            work()
    except ChunklabError:
        pass
    else:
        st.session_state["drawn"] = view


def _back(view: View) -> None:
    """To what was drawn before or, when that is this very view, to what takes no time."""
    from chunklab.meaning import ByMeaning

    before: View | None = st.session_state.get("drawn")
    if before is None or _settings(before) == _settings(view):
        quick = parse_recipe(DEFAULT_RECIPE) if isinstance(view.recipe.split, ByMeaning) else view.recipe
        before = replace(view, recipe=quick, embedder=DEFAULT_EMBEDDER, retriever=DEFAULT_RETRIEVER)
    change(**vars(before))


def _settings(view: View) -> tuple[object, ...]:
    return view.recipe, view.embedder, view.retriever, view.source, view.sample
