"""What goes wrong with the chunks, each with its remedy, and the curve that a cut by meaning follows."""

from __future__ import annotations

import numpy as np
import streamlit as st

from chunklab.chunking import Chunks
from chunklab.corpus import Corpus
from chunklab.errors import ChunklabError
from chunklab.lint import Problem
from chunklab.meaning import Curve, cost, embedding_seconds
from chunklab.recipe import parse_recipe
from chunklab.views.figures import similarity_curve
from pages.ui.cache import problems_of
from pages.ui.state import View, change, focus


def draw(view: View, corpus: Corpus, chunks: Chunks) -> None:
    """A row for each kind of problem: how often, what it is, a button to its places, one to its remedy."""
    try:
        found = problems_of(corpus, chunks.document, str(view.recipe), view.embedder)
    except ChunklabError as error:
        st.text(str(error))
        return
    if not found:
        st.text("Nothing was found: no detector has anything to say about these chunks.")
    for at, each in enumerate(found):
        _row(at, each, chunks)


def _row(at: int, problem: Problem, chunks: Chunks) -> None:
    with st.container(border=True):
        words, buttons = st.columns([5, 2], vertical_alignment="center")
        words.text(f"{problem.count:,} × {problem.kind}: {problem.what}")
        words.text(f"Remedy: {problem.remedy}")
        with buttons.container(horizontal=True, horizontal_alignment="right"):
            st.button(
                "Show",
                key=f"show {at}",
                on_click=_show,
                args=(problem, chunks),
                help="Goes to the next place.",
            )
            if problem.fix:
                st.button(
                    "Apply", key=f"fix {at}", on_click=_apply, args=(problem.fix,), help=_plain(problem.fix)
                )


def _plain(recipe: str) -> str:
    """A recipe for a tooltip, which is read as Markdown: only the characters of simple recipes are shown."""
    return (
        recipe
        if recipe.replace("_", "").replace(" ", "").isascii() and "\\" not in recipe
        else "Changes the recipe."
    )


def _show(problem: Problem, chunks: Chunks) -> None:
    seen = st.session_state.setdefault("problem_places", {})
    key = (problem.kind, str(chunks.recipe), chunks.document.digest)
    place = problem.places[seen.get(key, 0) % len(problem.places)]
    st.session_state["problem_places"] = {key: seen.get(key, 0) + 1}
    focus(int(np.searchsorted(chunks.spans[:, 1], place.start, "right")))


def _apply(fix: str) -> None:
    change(recipe=parse_recipe(fix))


def similarity(chunks: Chunks) -> None:
    """The curve with its cut-off; a click on a point goes to that place in the document."""
    split = chunks.recipe.split
    curve = split.curve(chunks.document)
    spent = embedding_seconds(chunks.document, split)
    took = f", embedded in {spent:.1f} s" if spent is not None else ""
    st.caption(f"{cost(chunks.document, split):,} sentences{took}. Select a point to go to its place.")
    st.plotly_chart(
        similarity_curve(curve), key="similarity", on_select=lambda: _go(chunks, curve), selection_mode="points",
        alt=f"{curve.shows} in each of {len(curve.offsets)} gaps between sentences, with the cut-off.",
    )  # fmt: skip


def _go(chunks: Chunks, curve: Curve) -> None:
    points = st.session_state["similarity"]["selection"]["points"]
    if points and 0 <= points[0]["point_index"] < len(curve.offsets):
        place = int(curve.offsets[points[0]["point_index"]])
        focus(int(np.searchsorted(chunks.spans[:, 1], place, "right")))
