"""The Retrieve view: a question, what was retrieved for it, and the same places on the source."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from chunklab.chunking import asked_overlap
from chunklab.corpus import Corpus
from chunklab.errors import ChunklabError
from chunklab.reasons import Verdict, verdicts
from chunklab.recipe import parse_component
from chunklab.retrievers.base import Retriever
from chunklab.types import Document, Question
from pages.ui import retrieve_scene as found_by
from pages.ui import scene as scenes
from pages.ui import waiting
from pages.ui.cache import chunks_of, ranking_of
from pages.ui.dragging import asked, commit, k_slider, picked, sliders
from pages.ui.following import turn_to
from pages.ui.inspect import make_scene
from pages.ui.retrieve_ask import ask, question_of, take
from pages.ui.retrieve_scene import Hit
from pages.ui.scene import Scene
from pages.ui.state import View
from pages.ui.viewer import document_store, document_view, question_table

KEY, TABLE = "retrieve_view", "retrieve_table"
MEASURED = ("recall", "whole", "mrr", "precision")
COLUMNS = [("verdict", "verdict"), ("rank", "rank"), ("text", "question"), ("why", "why"), ("kind", "kind")]


def draw(view: View, corpus: Corpus, document: Document) -> None:
    """The question, the view in a fragment of its own, and the table of all questions."""
    ask(view, corpus)
    waiting.through(view, lambda: _found(view, corpus, make_scene(view, corpus, document)))
    document_store(document.digest, document.text, scenes.headings(document))
    _view(corpus, document)


@st.fragment
def _view(corpus: Corpus, document: Document) -> None:
    if st.session_state.pop("run_page", False):
        st.rerun()
    view: View = st.session_state["view"]
    view, seq, live = asked(view, KEY)
    try:
        scene = make_scene(view, corpus, document, live)
        question, hits = _found(view, corpus, scene)
        judged = _judged(scene)
        head, arrays = _frame(scene, seq, question, hits, judged)
    except ChunklabError as error:
        st.session_state["hits"] = []
        st.error("These settings cannot be used.")
        st.text(str(error))
        return
    if not live:
        st.session_state["sent_overlap"] = asked_overlap(view.recipe)
        st.session_state["hits"] = [hit.place for hit in hits]
    document_view(head, arrays, key=KEY, on_commit=lambda: commit(KEY), on_pick=lambda: _pick(corpus))
    rows = found_by.rows(corpus.questions, judged)
    if live and not judged:
        rows = st.session_state.get("rows", [])
    st.session_state["rows"] = rows
    table = {
        "rows": rows,
        "columns": COLUMNS,
        "reasons": found_by.REASONS,
        "current": question.id if question else "",
    }
    question_table(table, key=TABLE, on_pick=lambda: _pick_row(corpus))


def _found(view: View, corpus: Corpus, scene: Scene) -> tuple[Question | None, list[Hit]]:
    """The question and its hits; none while a slider is dragged and each chunk would have to be encoded."""
    question = question_of(view, corpus)
    every = [chunks_of(each, str(view.recipe)) for each in corpus.documents]
    if question is None or (scene.live and not _retriever(view).keeps_up(scene.embedder, every)):
        return question, []
    evaluation, row = scene.evaluation, 0
    if evaluation is not None and question.id in evaluation.question_ids:
        ranking, row = evaluation.ranking, evaluation.question_ids.index(question.id)
    else:
        ranking = ranking_of(corpus, str(view.recipe), view.k, view.embedder, view.retriever, question.text)
    return question, found_by.hits(ranking, row, every, view.k)


def _judged(scene: Scene) -> tuple[Verdict, ...]:
    if scene.evaluation is None:
        return ()
    reader = found_by.reader_of(scene)
    return verdicts(scene.evaluation, scene.all_chunks, reader, scene.k)


def _retriever(view: View) -> Retriever:
    return parse_component("retrievers", view.retriever)


def _frame(
    scene: Scene, seq: int, question: Question | None, hits: list[Hit], judged: tuple[Verdict, ...]
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    chunks, here = scene.chunks, scene.chunks.document.id
    mine = next((each for each in judged if question and each.question_id == question.id), None)
    places = [each for each in (found_by.evidence(question, hits) if question else []) if each[0][0] == here]
    head = {
        "doc": chunks.document.digest,
        "name": here,
        "prose": True,
        "seq": seq,
        "sliders": [*sliders(chunks), k_slider(scene.k)],
        "numbers": _numbers(scene),
        "reason_names": list(chunks.reason_names),
        "notices": scenes.notices(scene),
        "asked": question.text if question else "",
        "answer": found_by.answer(question, mine) if question and hits else None,
        "cards": found_by.cards(question, hits, scene) if question else [],
        "cards_title": scenes.ranked_by(scene),
        "cards_empty": _empty(scene, question),
        **_focus(scene, question, hits, [place for place, _ in places]),
    }
    arrays = {
        "spans": chunks.spans,
        "reasons": chunks.reasons,
        "ranked": found_by.ranked(hits, here),
        "evidence": np.array([place[1:] for place, _ in places], np.int32),
        "verdicts": np.array([scenes.VERDICTS.index(how) for _, how in places], np.int32),
    }
    if not scene.live:
        arrays |= {"paths": chunks.heading_of}
        if (reader := found_by.reader_of(scene)) and reader.limit is not None:
            arrays["unread"] = found_by.unread(chunks, reader)
    return head, arrays


def _numbers(scene: Scene) -> list[dict[str, Any]]:
    if scene.evaluation is None or not scene.evaluation.questions:
        return []
    before = st.session_state.get("retrieve_values", {})
    cells, values = scenes.measured(scene, before, MEASURED)
    if not scene.live:
        st.session_state["retrieve_values"] = values
    many = f"{len(scene.evaluation.questions):,}"
    what = "Questions whose answer is marked; the other numbers are means over them."
    return [scenes.number("questions", "questions", many, what), *cells]


def _empty(scene: Scene, question: Question | None) -> str:
    if question is None:
        return "Type a question above: what is retrieved for it appears here and on the text."
    if scene.live:
        return f"Ranking every new chunk by {scenes.names_of(scene)} takes too long while dragging: let go."
    return "Nothing to retrieve: this text has no chunks."


def _focus(scene: Scene, question: Question | None, hits: list[Hit], places: list[Any]) -> dict[str, int]:
    """Where the text is to be turned to: once for each question in each document, and for each hit clicked."""
    here, session = scene.chunks.document, st.session_state
    shown = (question.text if question else "", here.digest)
    wanted = session.pop("go_to", None)
    if not scene.live and (wanted is not None or session.get("shown") != shown):
        session["shown"] = shown
        first = [hit.place[1] for hit in hits if hit.chunks.document.id == here.id]
        point = next(
            iter([*([] if wanted is None else [wanted]), *(place[1] for place in places), *first]), 0
        )
        session["go"] = (point, session.get("go", (0, 0))[1] + 1)
    point, seq = session.get("go", (0, 0))
    return {"focus_at": point, "focus_seq": seq} if seq else {}


def _pick(corpus: Corpus) -> None:
    """A card was taken whose hit lies in another document, or the answer is to be shown."""
    if isinstance(id := picked(KEY, "question"), str):
        take(corpus, id)
        st.session_state["run_page"] = True
        st.session_state["shown"] = None
    rank, hits = picked(KEY, "rank"), st.session_state.get("hits", [])
    if isinstance(rank, int) and 1 <= rank <= len(hits):
        document, start, _ = hits[rank - 1]
        st.session_state["go_to"] = start
        st.session_state["run_page"] = True
        turn_to(document, corpus)


def _pick_row(corpus: Corpus) -> None:
    if isinstance(id := picked(TABLE, "question"), str):
        st.session_state["run_page"] = True
        take(corpus, id)
