"""The exercises as a page: choose one, run it, read its numbers and what becomes of its claims."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from chunklab.errors import ChunklabError
from chunklab.exercises import exercises
from chunklab.exercises.base import Exercise, Outcome, run
from chunklab.views.figures import interval_dots
from pages.ui.shown import sample, sample_names
from pages.ui.waiting import telling

EMBEDDERS = {
    "static()": "static, word vectors",
    "hashing()": "hashing, counted words",
    "minilm()": "minilm, a neural model",
}
SIGNS = {True: ":green[✓ holds]", False: ":red[✗ the other way round]", None: ":gray[○ cannot be told]"}


def embedder_choice() -> str:
    """The text form of the embedder that exercises use, unless they decide about embedders themselves."""
    return st.selectbox(
        "Embedder", list(EMBEDDERS), format_func=EMBEDDERS.get, key="experiment_embedder",
        help="Whose vectors rank the chunks. Exercises about models bring their own.",
    )  # fmt: skip


def draw(embedder: str) -> None:
    """The list of exercises, and the chosen one with its results once it has run."""
    known = exercises()
    left, right = st.columns([1, 3], gap="large")
    with left:
        key = st.radio("Experiment", list(known), format_func=lambda each: known[each].title, key="exercise")
    with right:
        _one(key, known[key], embedder)


def _one(key: str, exercise: Exercise, embedder: str) -> None:
    st.subheader(exercise.title)
    st.write(exercise.asks)
    kept: dict[tuple[str, str], Outcome] = st.session_state.setdefault("outcomes", {})
    named = key, embedder if exercise.embedder else ""
    again = named in kept
    pressed = st.button(
        "Run again" if again else "Run", type="secondary" if again else "primary", key=f"run_{key}"
    )
    if pressed and (outcome := _run(exercise, embedder)):
        kept[named] = outcome
        if not again:
            st.rerun()
    if named in kept:
        _results(kept[named])
    elif exercise.claims:
        _claims([(each.text, "not run yet", "") for each in exercise.claims])


def _run(exercise: Exercise, embedder: str) -> Outcome | None:
    samples = {name: sample(folder) for name, folder in sample_names().items()}
    try:
        with telling():
            return run(exercise, samples, embedder)
    except ChunklabError as error:
        st.error("This experiment cannot be run.")
        st.text(str(error))
        return None


def _results(outcome: Outcome) -> None:
    rows, measures = outcome.rows(), outcome.exercise.measures
    if outcome.judged:
        _claims([(each.claim.text, SIGNS[each.holds], each.sentence) for each in outcome.judged])
    for note in outcome.notes:
        st.text(note)
    measure = st.segmented_control(
        "Measure", measures, key=f"measure_{outcome.exercise.order}", default=measures[0], required=True,
        label_visibility="collapsed",
    )  # fmt: skip
    st.plotly_chart(
        interval_dots(rows, measure), key="exercise_figure",
        alt=f"{measure} of each setting with its 95 % interval; the table below has the same numbers.",
    )  # fmt: skip
    table = pd.DataFrame(rows)
    for name in measures:
        table[name] = [_with_interval(row, name) for row in rows]
    held = [name for name in table if name.startswith(("chance ", "ceiling "))]
    table[held] = table[held].round(2)
    columns = ["variant", *measures, *held, "chunks", "questions", "recipe", "embedder", "corpus"]
    st.dataframe(table[columns], hide_index=True, key="exercise_table")
    st.caption(
        "In brackets the 95 % interval over the questions. The samples are small on purpose: they show how many "
        "questions such claims would take."
    )


def _claims(rows: list[tuple[str, str, str]]) -> None:
    with st.container(border=True, gap="small"):
        for text, sign, sentence in rows:
            st.markdown(f"**{text}** &nbsp; {sign}")
            if sentence:
                st.caption(sentence)


def _with_interval(row: dict[str, Any], name: str) -> str:
    low, high = row[f"{name} low"], row[f"{name} high"]
    return f"{row[name]:.2f}" + (f" [{low:.2f}, {high:.2f}]" if low is not None else "")
