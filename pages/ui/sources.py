"""Where the document comes from: a sample, pasted text or a file; what a person brought is kept."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from chunklab.corpus import Corpus
from chunklab.errors import ChunklabError
from chunklab.intake import MEDIA_TYPES, from_text, read_bytes
from chunklab.types import Document
from pages.ui import advice, label_store
from pages.ui.shown import Chosen, chosen, corpus_of, sample_names
from pages.ui.state import View, change

LABELS = {"sample": "Sample", "paste": "Paste", "upload": "Upload"}
MAX_PASTE = 200_000
MAX_UPLOAD_MB = 20


def choose(view: View) -> tuple[Corpus | None, Document | None]:
    """Draws the choice of source; the corpus and the document to show, None while there is none."""
    found = chosen(view)
    choice(view, found)
    return found.corpus, found.document


def choice(view: View, found: Chosen) -> None:
    """Draws the choice of source, with what was found for the view."""
    st.segmented_control(
        "Document", list(LABELS), format_func=LABELS.get, key="source", default=view.source,
        required=True, on_change=_take_source, width="stretch",
    )  # fmt: skip
    if view.source == "sample":
        _sample_choice(view, found)
    elif view.source == "paste":
        _paste(found.document)
    else:
        _upload(found.document)
    for what, problem in (("document", found.problem), ("questions", found.questions_problem)):
        if problem:
            st.error(
                "This document cannot be used." if what == "document" else "These questions cannot be used."
            )
            st.text(problem)


def _take_source() -> None:
    change(source=st.session_state["source"])


def _sample_choice(view: View, found: Chosen) -> None:
    names = list(sample_names())
    st.session_state["sample"] = view.sample
    st.selectbox("Sample corpus", names, key="sample", on_change=_take_sample, label_visibility="collapsed")
    others = [each for each in names if each != view.sample]
    st.session_state["mix"] = [each for each in view.mix if each in others]
    with st.expander(
        f"Mixed with {' and '.join(st.session_state['mix'])}"
        if st.session_state["mix"]
        else "Mix with others"
    ):
        st.multiselect(
            "Searched together with", others, key="mix", on_change=_take_mix,
            help="All documents and questions of these samples count too: the winner depends on the mix.",
        )  # fmt: skip
    ids = [each.id for each in found.corpus.documents] if found.corpus else []
    if len(ids) > 1:
        st.session_state["document"] = found.document.id
        st.selectbox(f"{len(ids)} documents", ids, key="document", on_change=_take_document)


def _take_sample() -> None:
    change(sample=st.session_state["sample"], document="", question="")


def _take_mix() -> None:
    change(mix=tuple(st.session_state["mix"]), document="", question="")


def _take_document() -> None:
    change(document=st.session_state["document"])


def _bring(slot: str, document: Document) -> None:
    """Takes a document of a person's own; answers marked in an earlier version of it are found again."""
    old: Document | None = st.session_state.get(slot) or st.session_state.get(f"{slot} before")
    before = label_store.marked(corpus_of(slot, old)[0]) if old is not None else None
    st.session_state[slot] = document
    st.session_state.pop("questions_text", None)
    if before and before.questions and old.id == document.id and old.text != document.text:
        label_store.carry(before, corpus_of(slot, document)[0])


def _paste(document: Document | None) -> None:
    if document is not None:
        st.caption(f"{len(document.text):,} characters pasted")
        kinds = {"text/plain": "Plain text", "text/markdown": "Markdown"}
        st.selectbox(
            "Read it as", list(kinds), format_func=kinds.get, key="pasted_type",
            index=list(kinds).index(document.media_type), on_change=_take_type,
        )  # fmt: skip
        st.button("Paste another text", on_click=_paste_another)
        return
    st.text_area(
        "Paste a text", key="paste_box", height=180, max_chars=MAX_PASTE, on_change=_take_paste,
        help=f"At most {MAX_PASTE:,} characters; upload longer ones.",
    )  # fmt: skip
    st.button("Cut it", type="primary")


def _paste_another() -> None:
    st.session_state["pasted before"] = st.session_state.pop("pasted", None)


def _take_paste() -> None:
    text = st.session_state["paste_box"]
    if text:
        looks = any(line.startswith(("# ", "## ", "### ")) for line in text.splitlines()[:400])
        _bring("pasted", from_text(text, "pasted.md" if looks else "pasted.txt"))


def _take_type() -> None:
    pasted = st.session_state["pasted"]
    st.session_state["pasted"] = replace(pasted, media_type=st.session_state["pasted_type"])


def _upload(document: Document | None) -> None:
    st.file_uploader(
        "A text file", type=sorted(each.lstrip(".") for each in MEDIA_TYPES), key="file", on_change=_take_file, max_upload_size=MAX_UPLOAD_MB,
        help="Plain text, Markdown, PDF, HTML, reStructuredText, JSON, XML, CSV, notebooks, source code.",
    )  # fmt: skip
    if problem := st.session_state.get("file_problem"):
        st.error("This file cannot be used.")
        st.text(problem)
        if document is not None:
            st.text(f"Still showing {document.id}.")
    elif document is not None and st.session_state.get("file") is None:
        st.text(f"Still showing {document.id}.")
    if document is None:
        return
    advice.show(document)
    st.file_uploader(
        "Marked answers (optional)", type=["jsonl"], key="questions_file", on_change=_take_questions, max_upload_size=5,
        help='One JSON object a line: {"id": "1", "text": "…?", "evidence": [{"quote": "…"}]}',
    )  # fmt: skip


def _take_file() -> None:
    file = st.session_state["file"]
    st.session_state["file_problem"] = ""
    if file is None:
        return
    try:
        document = read_bytes(file.name, file.getvalue())
        _bring("uploaded", document)
        advice.take(document)
    except ChunklabError as error:
        st.session_state["file_problem"] = str(error)


def _take_questions() -> None:
    file = st.session_state["questions_file"]
    st.session_state["questions_text"] = file.getvalue().decode("utf-8", "replace") if file else None
