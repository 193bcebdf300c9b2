"""The Inspect view: the document with its sliders, drawn again while they are dragged."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from chunklab.chunking import Chunks, asked_overlap, size_of
from chunklab.corpus import Corpus
from chunklab.errors import ChunklabError
from chunklab.limits import unembedded
from chunklab.progress import listening
from chunklab.recipe import Recipe, parse_component
from chunklab.types import Document
from pages.ui import scene as scenes
from pages.ui.cache import chunks_of, evaluation_of, token_counts
from pages.ui.scene import Scene
from pages.ui.state import MAX_K, View, change
from pages.ui.viewer import document_store, document_view


def draw(view: View, corpus: Corpus, document: Document) -> None:
    """Sends the document's text once and draws the view in a fragment of its own."""
    document_store(document.digest, document.text, scenes.headings(document))
    _view(corpus, document)


@st.fragment
def _view(corpus: Corpus, document: Document) -> None:
    if st.session_state.pop("run_page", False):
        st.rerun()
    view: View = st.session_state["view"]
    view, seq, live = _asked(view)
    try:
        with _progress():
            scene = make_scene(view, corpus, document, live)
            head, arrays, values = _frame(scene, seq)
    except ChunklabError as error:
        st.error("These settings cannot be used.")
        st.text(str(error))
        return
    if not live:
        st.session_state["values"] = values
        st.session_state["sent_overlap"] = asked_overlap(view.recipe)
    document_view(head, arrays, key="view_component", on_commit=_commit, on_pick=_pick)


def make_scene(view: View, corpus: Corpus, document: Document, live: bool = False) -> Scene:
    """The chunks of every document that is needed and, where there are questions, their evaluation.

    While a slider is dragged, an embedder that would have to encode every new chunk is left waiting.
    """
    text, embedder = str(view.recipe), parse_component("embedders", view.embedder)
    chunks = chunks_of(document, text)
    base = Scene(corpus, chunks, [chunks], None, view.k, embedder, view.retriever, view.model, live)
    if not corpus.questions or (live and not embedder.additive):
        return base
    every = [chunks_of(each, text) for each in corpus.documents]
    evaluation = evaluation_of(corpus, text, view.k, view.embedder, view.retriever)
    return replace(base, all_chunks=every, evaluation=evaluation)


@contextmanager
def _progress() -> Iterator[None]:
    """Shows how far long work has come, while it lasts."""
    box = st.empty()

    def tell(what: str, done: int, total: int) -> None:
        box.progress(min(done / max(total, 1), 1.0), f"{done:,} of {total:,} {what}")

    with listening(tell):
        yield
    box.empty()


def _asked(view: View) -> tuple[View, int, bool]:
    """The view to draw, the number of the request it answers, and whether a slider is being dragged."""
    done = st.session_state.get("answered", -1)
    drag = (st.session_state.get("view_component") or {}).get("drag")
    seq = _number(drag, "seq")
    if seq is None or seq <= done:
        return view, done, False
    return with_values(view, drag.get("values"), st.session_state.get("sent_overlap")), int(seq), True


def with_values(view: View, values: Any, sent_overlap: int | None) -> View:
    """The view with the sliders' values: k, and what the recipe takes of the others."""
    k = _number(values, "k")
    k = view.k if k is None else int(min(max(k, 1), MAX_K))
    return replace(view, k=k, recipe=moved(view.recipe, values, sent_overlap))


def moved(recipe: Recipe, values: Any, sent_overlap: int | None) -> Recipe:
    """The recipe with the sliders' values, each clamped to what its parameter allows.

    An overlap written as a share stays one until its own slider is touched. Values that are no numbers
    change nothing.
    """
    split = recipe.split
    changes: dict[str, Any] = {}
    for name, (_, spec) in split.params().items():
        number = _number(values, name)
        if spec.slider and number is not None:
            changes[name] = int(min(max(number, spec.low), spec.high))
    share = isinstance(getattr(split, "overlap", None), str)
    if share and "overlap" in changes and changes["overlap"] == sent_overlap:
        changes.pop("overlap")
    size = changes.get("size", changes.get("max_size"))
    if size is not None and "overlap" in changes:
        changes["overlap"] = min(changes["overlap"], size // 2)
    try:
        return Recipe(split.with_(**changes), recipe.embed_as, recipe.return_as)
    except ChunklabError:
        return recipe


def _number(values: Any, name: str) -> float | None:
    """A finite number that the browser sent, held within what any parameter could take; else None."""
    value = values.get(name) if hasattr(values, "get") else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return min(max(value, -_FAR), _FAR)


_FAR = 2**53


def _commit() -> None:
    commit = (st.session_state.get("view_component") or {}).get("commit")
    seq = _number(commit, "seq")
    if seq is None:
        return
    view: View = st.session_state["view"]
    new = with_values(view, commit.get("values"), st.session_state.get("sent_overlap"))
    st.session_state["answered"] = int(seq)
    st.session_state["run_page"] = True
    change(recipe=new.recipe, k=new.k)


def _pick() -> None:
    picked = (st.session_state.get("view_component") or {}).get("pick")
    if hasattr(picked, "get") and isinstance(picked.get("question"), str):
        st.session_state["picked_question"] = picked["question"]
        st.session_state["run_page"] = True


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
        "sliders": [*_sliders(chunks), *([_k_slider(scene.k)] if rows else [])],
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


def _sliders(chunks: Chunks) -> list[dict[str, Any]]:
    recipe, split, sliders = chunks.recipe, chunks.recipe.split, []
    for name, (_, spec) in split.params().items():
        if not spec.slider:
            continue
        value = asked_overlap(recipe) if spec.kind == "overlap" else getattr(split, name)
        low, high = spec.slider
        if spec.kind == "overlap":
            high = min(high, size_of(recipe) // 2)
        sliders.append(
            {
                "name": name,
                "label": name.replace("_", " "),
                "low": min(low, value),
                "high": max(high, value),
                "step": 1,
                "value": value,
                "unit": split.unit,
                "help": spec.help,
            }
        )
    return sliders


def _k_slider(k: int) -> dict[str, Any]:
    help = "How many of the best chunks recall and the verdicts look at."
    return {
        "name": "k", "label": "k", "low": 1, "high": max(20, k), "step": 1, "value": k, "unit": "retrieved", "help": help,
    }  # fmt: skip
