"""The Compare view: recipes to add, swap and take away, their cuts side by side, and what they do to recall."""

from __future__ import annotations

import streamlit as st

from chunklab.corpus import Corpus
from chunklab.errors import ChunklabError
from chunklab.recipe import Recipe, parse_recipe
from chunklab.types import Document
from pages.ui import compare_panels, compare_scene, waiting
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
    if not any(map(len, chunks)):
        st.subheader("Nothing to compare", anchor=False)
        st.write("This text has no visible characters, so no recipe cuts it.")
        return
    head |= st.session_state.get("compare_focus", {})
    compare_view(head, arrays, key="compare_view")
    compare_panels.draw(view, corpus, document, chunks, sides)


def _first_other(recipe: Recipe) -> Recipe:
    return parse_recipe("recursive()" if recipe.split.key() == "sentence" else "sentence()")


def _editors(view: View) -> None:
    columns = st.columns(len(view.others) + (len(view.others) < len(OTHERS)))
    for at, (column, recipe) in enumerate(zip(columns, view.others, strict=False)):
        with column, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            key = f"compare_{at}"
            if key not in st.session_state or st.session_state.get(f"{key}_shown") != str(recipe):
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
