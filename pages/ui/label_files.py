"""Marked answers as files: taken in, given out, and what became of them when the text was edited."""

from __future__ import annotations

import streamlit as st

from chunklab.corpus import Corpus
from chunklab.errors import ChunklabError
from chunklab.labels import questions_from_csv, questions_to_csv, questions_to_jsonl
from chunklab.questions import parse_questions
from chunklab.types import Document
from pages.ui import label_store

MAX_MB = 5


def report(corpus: Corpus) -> None:
    """What became of the marked answers when the document was edited, and whose could be taken over."""
    if (edited := label_store.moved(corpus)) is not None:
        with st.container(border=True):
            st.text(f"Answers taken over from {edited.name}: {_counts(edited)}.")
            texts = {each.id: each.text for each in corpus.questions}
            for lost in edited.lost:
                st.caption("Not found again; the question is kept without it")
                st.text(f"{texts.get(lost.question_id, lost.question_id)}\n{lost.quote}")
            for each in edited.notices:
                st.text(each)
            st.button("Done", on_click=label_store.seen, args=(corpus,))
    for at, each in enumerate(label_store.others(corpus)):
        questions = "1 question is" if len(each.questions) == 1 else f"{len(each.questions)} questions are"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"{questions} marked in {each.documents[0].id}.")
            st.button(
                "Find them in this text", key=f"carry {at}", on_click=label_store.carry, args=(each, corpus)
            )


def _counts(edited: label_store.Moved) -> str:
    said = [f"{edited.same} unmoved"] if edited.same else []
    said += [f"{edited.moved} moved with the text"] if edited.moved else []
    said += [f"{len(edited.lost)} lost"] if edited.lost else []
    return ", ".join(said) or "none"


def draw(corpus: Corpus, document: Document) -> None:
    """The questions as a file, to keep or to take in."""
    with st.container(horizontal=True):
        for label, write, kind in (
            ("Save as JSONL", questions_to_jsonl, "jsonl"), ("Save as CSV", questions_to_csv, "csv"),
        ):  # fmt: skip
            st.download_button(
                label, lambda write=write: write(corpus.questions, corpus.documents).encode("utf-8", "replace"),
                f"questions.{kind}", f"text/{kind}", on_click="ignore",
                disabled=not corpus.questions,
            )  # fmt: skip
    st.file_uploader(
        "Take in questions, JSONL or CSV", type=["jsonl", "ndjson", "csv", "tsv"], key="label_file",
        on_change=_take, args=(corpus,), max_upload_size=MAX_MB,
        help="CSV: question_id, text, quote; and document, start, end, kind, part where they are needed.",
    )  # fmt: skip
    for each in st.session_state.pop("label_file_said", ()):
        st.text(each)


def _take(corpus: Corpus) -> None:
    """Adds a file's questions to those there are; says what cannot be used of it, and then adds none."""
    file = st.session_state["label_file"]
    if file is None:
        return
    read = questions_from_csv if file.name.lower().endswith((".csv", ".tsv")) else parse_questions
    try:
        text = file.getvalue().decode("utf-8")
        questions, notices = read(text, corpus.documents, file.name)
    except UnicodeDecodeError as error:
        st.session_state["label_file_said"] = (
            f"{file.name}: must be UTF-8, got byte {error.object[error.start]:#04x}. Save it as UTF-8.",
        )
        return
    except ChunklabError as error:
        st.session_state["label_file_said"] = (str(error),)
        return
    joined = label_store.join(corpus.questions, questions)
    added = len(joined) - len(corpus.questions)
    if added:
        label_store.keep(corpus, joined, "taking in a file")
    st.session_state["label_file_said"] = (f"{added} of {len(questions)} questions added.", *notices[:20])
