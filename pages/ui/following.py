"""To the document of a sample that a question's answer lies in."""

from __future__ import annotations

import streamlit as st

from chunklab.corpus import Corpus
from pages.ui import label_store
from pages.ui.cache import chunks_of
from pages.ui.shown import sample_of
from pages.ui.state import View, change, focus, printable


def to_pick(view: View) -> View:
    """The view after a question was clicked whose evidence lies in another document of the sample."""
    id = st.session_state.pop("picked_question", None)
    if id is None or view.source != "sample":
        return view
    corpus = label_store.marked(sample_of(view))
    row = next((each for each in st.session_state["marks"][0] if each["id"] == id), None)
    document = next((each for each in corpus.documents if row and each.id == row["document"]), None)
    if document is None or document.id == (view.document or corpus.documents[0].id):
        return view
    spans = chunks_of(document, str(view.recipe)).spans
    focus(int((spans[:, 1] <= row["at"]).sum()))
    change(document=document.id)
    return st.session_state["view"]


def to_question(view: View) -> View:
    """The view, turned to the document that answers its question where it names no document.

    A question that the sample does not have is dropped, and told as part of a link that was not understood.
    """
    if view.source != "sample" or not view.question:
        return view
    corpus = label_store.marked(sample_of(view))
    question = next((each for each in corpus.questions if each.id == view.question), None)
    ignored = st.session_state.get("link_ignored", ())
    if question is None:
        change(question="")
        ignored = (*ignored, printable(f"question={view.question[:20]}"))
    elif question.evidence and not view.document:
        turn_to(question.evidence[0].document_id, corpus)
    st.session_state["link_ignored"] = ignored
    return st.session_state["view"]


def turn_to(document_id: str, corpus: Corpus) -> None:
    """Shows another document of a sample; a person's own is the only one there is."""
    ids = [each.id for each in corpus.documents]
    if st.session_state["view"].source == "sample" and document_id in ids:
        change(document=document_id if len(ids) > 1 else "")
