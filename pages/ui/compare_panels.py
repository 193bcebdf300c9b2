"""The panels under the Compare view: questions that flipped, measures, controls, slices, lengths."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from chunklab.chunking import Chunks
from chunklab.corpus import Corpus
from chunklab.types import Document
from chunklab.views.figures import length_overlay
from pages.ui import compare_scene
from pages.ui.compare_scene import LETTERS, Side
from pages.ui.state import View


def draw(view: View, corpus: Corpus, document: Document, chunks: list[Chunks], sides: list[Side]) -> None:
    """One panel at a time; without questions there are only the lengths."""
    shown = {"Lengths": lambda: _lengths(chunks)}
    if sides:
        shown = {
            "Questions that flipped": lambda: _flips(view, corpus, document, sides),
            "Measures": lambda: _measures(view, corpus, sides),
            "By kind and document": lambda: _slices(view, sides),
            **shown,
        }
    if st.session_state.get("compare_panel") not in shown:
        st.session_state["compare_panel"] = next(iter(shown))
    shown[
        st.segmented_control(
            "Show", list(shown), key="compare_panel", required=True, label_visibility="collapsed"
        )
    ]()


def _lengths(chunks: list[Chunks]) -> None:
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


def _measures(view: View, corpus: Corpus, sides: list[Side]) -> None:
    st.dataframe(pd.DataFrame(compare_scene.measures(sides)), hide_index=True, key="compare_measures")
    st.caption(
        "Differences are over the same questions, with a 95 % interval; p is corrected for all rows of the table."
    )
    for sentence in compare_scene.words(sides, view.k):
        st.text(sentence)
    st.subheader("At several k", anchor=False)
    st.dataframe(pd.DataFrame(compare_scene.by_k(view, corpus, sides)), hide_index=True, key="compare_by_k")
    st.subheader("What the numbers are held against", anchor=False)
    rows = compare_scene.held(view, corpus, sides)
    st.dataframe(pd.DataFrame(rows), hide_index=True, key="compare_held")
    st.caption(
        "Chance: seeded random rankings of the same chunks, with the range of 95 % of them. Ceiling: the best any "
        "ranking of these chunks could reach. A cut is worth what it adds to chance and leaves below the ceiling."
    )


def _slices(view: View, sides: list[Side]) -> None:
    st.dataframe(pd.DataFrame(compare_scene.slices(sides, view.k)), hide_index=True, key="compare_slices")
    st.caption(
        "Means over the questions of each kind, and over those whose answer lies in each document: few, so mind n."
    )


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
