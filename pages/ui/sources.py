"""Where the document comes from: a sample, pasted text or a file; what a person brought is kept."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import streamlit as st

from chunklab.corpus import Corpus, join_corpora, load_corpus
from chunklab.errors import ChunklabError
from chunklab.intake import MEDIA_TYPES, from_text, read_bytes
from chunklab.questions import parse_questions
from chunklab.types import Document
from pages.ui import advice, label_store
from pages.ui.state import View, change, printable

SAMPLES = Path(__file__).resolve().parents[2] / "sample_corpora"
LABELS = {"sample": "Sample", "paste": "Paste", "upload": "Upload"}
MAX_PASTE = 200_000
MAX_UPLOAD_MB = 20


@st.cache_data(show_spinner=False)
def sample_names() -> dict[str, str]:
    """Name -> folder of every sample corpus; CHUNKLAB_CORPORA may name one more folder of corpora."""
    roots = [SAMPLES, *filter(None, [os.environ.get("CHUNKLAB_CORPORA")])]
    found: dict[str, str] = {}
    for root in map(Path, roots):
        if root.is_dir():
            found |= {each.name: str(each) for each in sorted(root.iterdir()) if each.is_dir()}
    order = {name: at for at, name in enumerate(("markdown", "prose", "mixed", "formats", "topics"))}
    return dict(sorted(found.items(), key=lambda item: (order.get(item[0], 9), item[0])))


@st.cache_resource(show_spinner=False, max_entries=20)
def sample(folder: str) -> Corpus:
    """The sample corpus in a folder."""
    return load_corpus(folder)


def sample_of(view: View) -> Corpus:
    """The sample that the view shows, joined with those it is mixed with."""
    folders = sample_names()
    names = [view.sample, *(each for each in view.mix if each != view.sample and each in folders)]
    corpora = [sample(folders[each]) for each in names]
    return join_corpora(" + ".join(names), corpora) if len(corpora) > 1 else corpora[0]


def choose(view: View) -> tuple[Corpus | None, Document | None]:
    """Draws the choice of source; the corpus and the document to show, None while there is none."""
    st.segmented_control(
        "Document", list(LABELS), format_func=LABELS.get, key="source", default=view.source,
        required=True, on_change=_take_source, width="stretch",
    )  # fmt: skip
    try:
        if view.source == "sample":
            corpus, document = _choose_sample(view)
        else:
            corpus, document = _own("pasted", _paste) if view.source == "paste" else _own("uploaded", _upload)
        return corpus and label_store.marked(corpus), document
    except ChunklabError as error:
        st.error("This document cannot be used.")
        st.text(str(error))
        return None, None


def _take_source() -> None:
    change(source=st.session_state["source"])


def _choose_sample(view: View) -> tuple[Corpus, Document]:
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
    corpus = sample_of(view)
    ids = [each.id for each in corpus.documents]
    if view.document and view.document not in ids:
        ignored = st.session_state.get("link_ignored", ())
        change(document="")
        st.session_state["link_ignored"] = (*ignored, printable(f"document={view.document[:20]}"))
    shown = view.document if view.document in ids else ids[0]
    if len(ids) > 1:
        st.session_state["document"] = shown
        st.selectbox(f"{len(ids)} documents", ids, key="document", on_change=_take_document)
    return corpus, corpus.documents[ids.index(shown)]


def _take_sample() -> None:
    change(sample=st.session_state["sample"], document="", question="")


def _take_mix() -> None:
    change(mix=tuple(st.session_state["mix"]), document="", question="")


def _take_document() -> None:
    change(document=st.session_state["document"])


def _own(slot: str, ask) -> tuple[Corpus | None, Document | None]:
    ask(st.session_state.get(slot))
    document: Document | None = st.session_state.get(slot)
    if document is None:
        return None, None
    corpus, problem = _corpus_of(slot, document)
    if problem:
        st.error("These questions cannot be used.")
        st.text(problem)
    return corpus, document


def _corpus_of(slot: str, document: Document) -> tuple[Corpus, str]:
    text = st.session_state.get("questions_text") if slot == "uploaded" else None
    digest = hashlib.sha256((text or "").encode()).hexdigest()
    return _own_corpus(f"{document.digest} {document.media_type} {document.id} {digest}", document, text)


def _bring(slot: str, document: Document) -> None:
    """Takes a document of a person's own; answers marked in an earlier version of it are found again."""
    old: Document | None = st.session_state.get(slot) or st.session_state.get(f"{slot} before")
    before = label_store.marked(_corpus_of(slot, old)[0]) if old is not None else None
    st.session_state[slot] = document
    st.session_state.pop("questions_text", None)
    if before and before.questions and old.id == document.id and old.text != document.text:
        label_store.carry(before, _corpus_of(slot, document)[0])


@st.cache_resource(show_spinner=False, max_entries=20)
def _own_corpus(key: str, _document: Document, _questions: str | None) -> tuple[Corpus, str]:
    """The document with its marked answers, and what is wrong with them, if anything."""
    questions, notices, problem = (), (), ""
    try:
        if _questions:
            questions, notices = parse_questions(_questions, (_document,))
    except ChunklabError as error:
        problem = str(error)
    return Corpus("your document", (_document,), questions, notices), problem


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
