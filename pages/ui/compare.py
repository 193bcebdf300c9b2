"""The Compare view: recipes to add, swap and take away, their cuts side by side, and what they do to recall."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from chunklab.chunking import Chunks
from chunklab.corpus import Corpus
from chunklab.errors import ChunklabError
from chunklab.recipe import Recipe, parse_recipe
from chunklab.types import Document
from chunklab.views.figures import length_overlay
from pages.ui import compare_scene, waiting
from pages.ui import scene as scenes
from pages.ui.cache import chunks_of
from pages.ui.compare_scene import LETTERS, Side
from pages.ui.state import OTHERS, View, change
from pages.ui.viewer import compare_view, document_store

SUGGESTED = (
    "sentence()", "recursive()", "paragraph()", "markdown()", "fixed()", "fixed(size=128,unit=tokens)",
    "recursive(size=200)", "recursive(size=800)", "semantic()", "sentence(n=1) | itself() | window(n=2)",
)  # fmt: skip


def draw(view: View, corpus: Corpus, document: Document) -> None:
    """Everything of the page beside the sidebar."""
    if not view.others:
        change(others=(_first_other(view.recipe),))
        view = st.session_state["view"]
    _editors(view)
    document_store(document.digest, document.text, scenes.headings(document))
    recipes = [view.recipe, *view.others]
    sides: list[Side] = []
    waiting.through(view, lambda: sides.extend(compare_scene.sides(view, corpus, recipes)))
    try:
        sides = sides or compare_scene.sides(view, corpus, recipes)
        chunks = [chunks_of(document, str(each)) for each in recipes]
        head, arrays = compare_scene.frame(corpus, document, chunks, sides)
    except ChunklabError as error:
        st.error("These recipes cannot be compared on this document.")
        st.text(str(error))
        return
    head |= st.session_state.get("compare_focus", {})
    compare_view(head, arrays, key="compare_view")
    _panels(view, corpus, document, chunks, sides)


def _first_other(recipe: Recipe) -> Recipe:
    return parse_recipe("recursive()" if recipe.split.key() == "sentence" else "sentence()")


def _editors(view: View) -> None:
    columns = st.columns(len(view.others) + (len(view.others) < len(OTHERS)))
    for at, (column, recipe) in enumerate(zip(columns, view.others, strict=False)):
        with column, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            key = f"compare_{at}"
            if st.session_state.get(f"{key}_shown") != str(recipe):
                st.session_state[key] = st.session_state[f"{key}_shown"] = str(recipe)
            st.text_input(f"Recipe {LETTERS[at + 1]}", key=key, on_change=_take, args=(at,), max_chars=2000)
            st.button(
                "⇄ A", key=f"swap_{at}", on_click=_swap, args=(at,), help="Swap with A, the sidebar's recipe."
            )
            if len(view.others) > 1:
                st.button("✕", key=f"drop_{at}", on_click=_drop, args=(at,), help="Take this recipe away.")
    if len(view.others) < len(OTHERS):
        with columns[-1]:
            st.selectbox(
                "Add a recipe", SUGGESTED, index=None, key="compare_add", on_change=_add,
                placeholder="Choose or type a recipe", accept_new_options=True,
            )  # fmt: skip
    if problem := st.session_state.pop("compare_problem", ""):
        st.error("This recipe cannot be used; the one before stays.")
        st.text(problem)


def _take(at: int) -> None:
    _put(at, st.session_state[f"compare_{at}"])
    st.session_state.pop(f"compare_{at}_shown", None)


def _add() -> None:
    text = st.session_state.pop("compare_add", None)
    if text:
        _put(len(st.session_state["view"].others), text)


def _put(at: int, text: str) -> None:
    others = list(st.session_state["view"].others)
    try:
        others[at : at + 1] = [parse_recipe(text)]
    except ChunklabError as error:
        st.session_state["compare_problem"] = str(error)
        return
    change(others=tuple(others))


def _swap(at: int) -> None:
    view: View = st.session_state["view"]
    others = list(view.others)
    first, others[at] = others[at], view.recipe
    change(recipe=first, others=tuple(others))
    st.session_state["revision"] = st.session_state.get("revision", 0) + 1


def _drop(at: int) -> None:
    others = list(st.session_state["view"].others)
    del others[at]
    change(others=tuple(others))


def _panels(view: View, corpus: Corpus, document: Document, chunks: list[Chunks], sides: list[Side]) -> None:
    names = ["Questions that flipped", "Measures", "Lengths"] if sides else ["Lengths"]
    if st.session_state.get("compare_panel") not in names:
        st.session_state["compare_panel"] = names[0]
    shown = st.segmented_control(
        "Show", names, key="compare_panel", required=True, label_visibility="collapsed"
    )
    if shown == "Lengths":
        units = {each.recipe.split.unit for each in chunks}
        unit = units.pop() if len(units) == 1 else "characters"
        lengths = [
            each.lengths if unit != "characters" else each.spans[:, 1] - each.spans[:, 0] for each in chunks
        ]
        names = [f"{LETTERS[at]} {each.recipe}" for at, each in enumerate(chunks)]
        st.plotly_chart(
            length_overlay(lengths, names, unit),
            key="compare_lengths",
            alt="Chunk lengths of the recipes, overlaid.",
        )
    elif shown == "Measures":
        st.dataframe(pd.DataFrame(compare_scene.measures(sides)), hide_index=True, key="compare_measures")
        st.caption(
            "Differences are over the same questions, with a 95 % interval; p is corrected for all rows of the table."
        )
        for sentence in compare_scene.words(sides, view.k):
            st.text(sentence)
    else:
        _flips(view, corpus, document, sides)


def _flips(view: View, corpus: Corpus, document: Document, sides: list[Side]) -> None:
    rows = compare_scene.flips(corpus, sides)
    if not rows:
        st.text(f"No question changes its verdict at k = {view.k}.")
        return
    columns: dict[str, Any] = {"question": [row["text"] for row in rows]}
    for at in range(len(sides)):
        columns[LETTERS[at]] = [row["verdicts"][at] for row in rows]
    columns |= {"why": [row["why"] for row in rows], "kind": [row["kind"] for row in rows]}
    key = f"compare_flips_{len(rows)}"
    st.dataframe(
        pd.DataFrame(columns), hide_index=True, key=key, on_select=lambda: _go(key, rows, document),
        selection_mode="single-row", column_config={"question": st.column_config.TextColumn(width="large")},
    )  # fmt: skip
    st.caption("Select a row to go to its answer.")


def _go(key: str, rows: list[dict[str, Any]], document: Document) -> None:
    chosen = st.session_state[key]["selection"]["rows"]
    if not chosen:
        return
    place = rows[chosen[0]]["place"]
    seq = st.session_state.get("compare_focus", {}).get("focus_seq", 0) + 1
    st.session_state["compare_focus"] = {"focus_at": place.span.start, "focus_seq": seq}
    if place.document_id != document.id:
        st.session_state["view"] = replace(st.session_state["view"], document=place.document_id)
