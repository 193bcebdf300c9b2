"""The Label view: the document to select answers in, the question being written, and those marked already."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from chunklab.corpus import Corpus
from chunklab.types import Document, Evidence, Question
from pages.ui import label_draft as drafts
from pages.ui import label_files, label_form
from pages.ui import scene as scenes
from pages.ui.dragging import picked
from pages.ui.following import turn_to
from pages.ui.scene import VERDICTS
from pages.ui.viewer import document_store, document_view, question_table

KEY, TABLE = "label_view", "label_table"
COLUMNS = [("text", "question"), ("facts", "answer"), ("kind", "kind")]
MARKED = len(VERDICTS)


def draw(corpus: Corpus, document: Document) -> None:
    """The document at the left; the form, the questions and the files at the right."""
    left, right = st.columns([3, 2], gap="medium")
    with left:
        document_store(document.digest, document.text, scenes.headings(document))
        head, arrays = _frame(corpus, document)
        document_view(head, arrays, key=KEY, on_pick=lambda: _pick(corpus, document))
    with right:
        label_files.report(corpus)
        label_form.draw(corpus, document)
        table = {
            "rows": _rows(corpus), "columns": COLUMNS, "current": st.session_state.get("open_question", drafts.NEW),
            "empty": "No question is marked yet.",
        }  # fmt: skip
        question_table(table, key=TABLE, on_pick=lambda: _pick_row(corpus))
        label_files.draw(corpus, document)


def _frame(corpus: Corpus, document: Document) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    draft = drafts.current(corpus)
    marks = [
        {"id": question.id, "text": question.text, "start": place.span.start, "end": place.span.end}
        for question, place in _places(corpus.questions)
        if place.document_id == document.id
    ]
    parts = [(number, each) for number, part in enumerate(draft.question.evidence, 1) for each in part.places]
    if draft.selected:
        parts.append((len(draft.question.evidence) + 1, draft.selected))
    being = [
        [number, each.span.start, each.span.end, -1]
        for number, each in parts
        if each.document_id == document.id
    ]
    head: dict[str, Any] = {
        "doc": document.digest,
        "name": document.id,
        "prose": True,
        "marks": marks,
        "notices": list(document.notices),
    }
    if "label_focus" in st.session_state:
        head["focus_at"], head["focus_seq"] = st.session_state["label_focus"]
    spans = np.array([[each["start"], each["end"]] for each in marks], np.int32).reshape(-1, 2)
    arrays = {
        "spans": np.zeros((0, 2), np.int32),
        "evidence": spans,
        "verdicts": np.full(len(spans), MARKED, np.int32),
        "ranked": np.array(being[:62], np.int32).reshape(-1, 4),
    }
    return head, arrays


def _places(questions: tuple[Question, ...]) -> list[tuple[Question, Evidence]]:
    return [(each, place) for each in questions for part in each.evidence for place in part.places]


def _rows(corpus: Corpus) -> list[dict[str, Any]]:
    unsaved, many, rows = drafts.unsaved(corpus), len(corpus.documents) > 1, []
    for each in corpus.questions:
        places = [place for part in each.evidence for place in part.places]
        facts = ["unsaved changes"] if each.id in unsaved else []
        facts += [f"{len(each.evidence)} parts"] if len(each.evidence) > 1 else []
        if places:
            at = f"{places[0].span.start:,}–{places[0].span.end:,}"
            facts.append(f"{places[0].document_id} {at}" if many else at)
            facts += [f"and {len(places) - 1} more"] if len(places) > 1 else []
        else:
            facts.append("no answer")
        rows.append({"id": each.id, "text": each.text, "kind": each.kind, "facts": " · ".join(facts)})
    return rows


def _pick(corpus: Corpus, document: Document) -> None:
    """A selection in the text, or a marked answer that was clicked."""
    selection = picked(KEY, "selection")
    if isinstance(selection, list) and len(selection) == 2 and all(type(each) is int for each in selection):
        drafts.put(corpus, drafts.select(drafts.current(corpus), document, *selection))
    elif isinstance(id := picked(KEY, "question"), str):
        drafts.open_question(id)


def _pick_row(corpus: Corpus) -> None:
    """A question of the list: it is opened, and the text turned to its answer."""
    question = next((each for each in corpus.questions if each.id == picked(TABLE, "question")), None)
    if question is None:
        return
    drafts.open_question(question.id)
    if question.evidence:
        place = question.evidence[0]
        st.session_state["label_focus"] = (
            place.span.start,
            st.session_state.get("label_focus", (0, 0))[1] + 1,
        )
        turn_to(place.document_id, corpus)
