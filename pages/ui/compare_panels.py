"""The panels under the Compare view: questions that flipped, measures, controls, slices, lengths."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from chunklab.chunking import Chunks
from chunklab.corpus import Corpus
from chunklab.types import Document
from chunklab.views.figures import length_overlay
from pages.ui import compare_scene
from pages.ui.compare_scene import LETTERS, Side
from pages.ui.dragging import picked
from pages.ui.state import View, change
from pages.ui.viewer import question_table

FLIPS = "compare_flips"


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


def _table(rows: list[dict[str, Any]], key: str) -> None:
    """All rows, with every share to the same two digits."""
    shares = [name for name in rows[0] if isinstance(rows[0][name], float)]
    st.dataframe(
        pd.DataFrame(rows), hide_index=True, key=key,
        column_config={
            name: st.column_config.NumberColumn(format="%.3f" if name.startswith("p ") else "%.2f") for name in shares
        },
    )  # fmt: skip


def _measures(view: View, corpus: Corpus, sides: list[Side]) -> None:
    _table(compare_scene.measures(sides), "compare_measures")
    st.caption(
        "Differences are over the same questions, with a 95 % interval; p is corrected for all rows of the table."
    )
    with st.container(gap="xxsmall"):
        for sentence in compare_scene.words(sides, view.k):
            st.text(sentence)
    st.subheader("At several k", anchor=False)
    _table(compare_scene.by_k(view, corpus, sides), "compare_by_k")
    st.subheader("What the numbers are held against", anchor=False)
    _table(compare_scene.held(view, corpus, sides), "compare_held")
    st.caption(
        "Chance: seeded random rankings of the same chunks, with the range of 95 % of them. Ceiling: the best any "
        "ranking of these chunks could reach. A cut is worth what it adds to chance and leaves below the ceiling."
    )


def _slices(view: View, sides: list[Side]) -> None:
    _table(compare_scene.slices(sides, view.k), "compare_slices")
    st.caption(
        "Means over the questions of each kind, and over those whose answer lies in each document: few, so mind n."
    )


def _flips(view: View, corpus: Corpus, document: Document, sides: list[Side]) -> None:
    rows = compare_scene.flips(corpus, sides)
    if not rows:
        st.text(f"No question changes its verdict at k = {view.k}.")
        return
    sides_of = [f"side{at}" for at in range(len(sides))]
    table = {
        "rows": [
            {"id": row["id"], "text": row["text"], "kind": row["kind"], "why": row["why"]}
            | {
                side: {"verdict": status, "said": said}
                for side, status, said in zip(sides_of, row["statuses"], row["verdicts"], strict=True)
            }
            for row in rows
        ],
        "columns": [
            ("text", "question"),
            *zip(sides_of, LETTERS, strict=False),
            ("why", "why"),
            ("kind", "kind"),
        ],
        "current": st.session_state.get("compare_flip", ""),
        "empty": "",
    }
    question_table(table, key=FLIPS, on_pick=lambda: _go(rows, document))
    st.caption(
        f"{len(rows)} of {len(sides[0].verdicts)} questions. Click one to go to its answer in the text above."
    )


def _go(rows: list[dict[str, Any]], document: Document) -> None:
    row = next((row for row in rows if row["id"] == picked(FLIPS, "question")), None)
    if row is None:
        return
    place = row["place"]
    seq = st.session_state.get("compare_focus", {}).get("focus_seq", 0) + 1
    st.session_state["compare_focus"] = {"focus_at": place.span.start, "focus_seq": seq}
    st.session_state["compare_flip"] = row["id"]
    if place.document_id != document.id:
        change(document=place.document_id)
