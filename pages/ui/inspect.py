"""The Inspect view: the document with its sliders, drawn again while they are dragged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from chunklab.chunking import asked_overlap
from chunklab.corpus import Corpus
from chunklab.errors import ChunklabError
from chunklab.limits import unembedded
from chunklab.recipe import parse_component
from chunklab.types import Document
from pages.ui import scene as scenes
from pages.ui import waiting
from pages.ui.cache import chunks_of, evaluation_of, token_counts
from pages.ui.dragging import asked, commit, k_slider, picked, sliders
from pages.ui.scene import Scene
from pages.ui.state import View, change
from pages.ui.viewer import document_store, document_view

KEY = "view_component"


def draw(view: View, corpus: Corpus, document: Document) -> None:
    """Sends the document's text once and draws the view in a fragment of its own."""
    document_store(document.digest, document.text, scenes.headings(document))
    if st.session_state.get("clicked_in") != document.digest:
        st.session_state["clicked_in"], st.session_state["clicked_chunk"] = document.digest, -1
    waiting.through(view, lambda: make_scene(view, corpus, document))
    _view(corpus, document)


@st.fragment
def _view(corpus: Corpus, document: Document) -> None:
    if st.session_state.pop("run_page", False):
        st.rerun()
    view: View = st.session_state["view"]
    view, seq, live = asked(view, KEY)
    try:
        scene = make_scene(view, corpus, document, live)
        head, arrays, values = _frame(scene, seq)
    except ChunklabError as error:
        st.error("These settings cannot be used.")
        st.text(str(error))
        return
    if not live:
        st.session_state["values"] = values
        st.session_state["sent_overlap"] = asked_overlap(view.recipe)
    document_view(head, arrays, key=KEY, on_commit=lambda: commit(KEY), on_pick=_pick)
    _why(scene)


def _why(scene: Scene) -> None:
    """Why the chunk that was clicked last ends where it does; in words only when nothing moves any more."""
    at = st.session_state.get("clicked_chunk", -1)
    if not 0 <= at < len(scene.chunks):
        st.caption("Click a chunk to read why it ends where it does." if len(scene.chunks) else "")
    elif scene.live:
        st.text(f"Chunk {at + 1}. …")
    else:
        from chunklab.why import why

        st.text(f"Chunk {at + 1}. {why(scene.chunks, at).sentence}")


def make_scene(view: View, corpus: Corpus, document: Document, live: bool = False) -> Scene:
    """The chunks of every document that is needed and, where there are questions, their evaluation.

    While a slider is dragged, there is none by what would take long, such as encoding every new chunk.
    """
    text, embedder = str(view.recipe), parse_component("embedders", view.embedder)
    retriever = parse_component("retrievers", view.retriever)
    chunks = chunks_of(document, text)
    base = Scene(corpus, chunks, [chunks], None, view.k, embedder, view.retriever, view.model, live)
    if not corpus.questions:
        return base
    every = [chunks_of(each, text) for each in corpus.documents]
    if live and not retriever.keeps_up(embedder, every):
        return base
    evaluation = evaluation_of(corpus, text, view.k, view.embedder, view.retriever)
    return replace(base, all_chunks=every, evaluation=evaluation)


def _pick() -> None:
    if isinstance(id := picked(KEY, "question"), str):
        st.session_state["picked_question"] = id
        st.session_state["typed"] = ""
        change(question=id)
        st.session_state["run_page"] = True
    if type(chunk := picked(KEY, "chunk")) is int:
        st.session_state["clicked_chunk"] = chunk


def _frame(scene: Scene, seq: int) -> tuple[dict[str, Any], dict[str, np.ndarray], dict[str, float]]:
    chunks = scene.chunks
    strip, values = scenes.numbers(scene, st.session_state.get("values", {}))
    if scene.evaluation is None and scene.live:
        rows, evidence, verdicts = st.session_state.get("marks") or scenes.questions(scene)
    else:
        rows, evidence, verdicts = st.session_state["marks"] = scenes.questions(scene)
    focus, focus_seq = st.session_state.get("focus", (-1, 0))
    head = {
        "doc": chunks.document.digest,
        "name": chunks.document.id,
        "prose": True,
        "seq": seq,
        "sliders": [*sliders(chunks), *([k_slider(scene.k)] if rows else [])],
        "numbers": strip,
        "histogram": scenes.histogram(scene),
        "questions": rows,
        "questions_title": scenes.ranked_by(scene),
        "reason_names": list(chunks.reason_names),
        "notices": scenes.notices(scene),
    }
    if focus_seq:
        head |= {"focus": focus, "focus_seq": focus_seq}
    if not len(chunks):
        head["empty"] = "Nothing to cut: this text has no visible characters."
    arrays = {"spans": chunks.spans, "reasons": chunks.reasons, "evidence": evidence, "verdicts": verdicts}
    if not scene.live:
        arrays |= {"tokens": token_counts(chunks, chunks.recipe.split.tokenizer), "paths": chunks.heading_of}
        if scene.embedder.limit is not None:
            arrays["unread"] = unembedded(chunks, scene.embedder)
    return head, arrays, values
