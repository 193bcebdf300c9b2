"""The question that is being written: its words, its kind, the places that answer it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from chunklab.anchor import find_quote
from chunklab.corpus import Corpus
from chunklab.scan import scan
from chunklab.types import Document, Evidence, Question, Span
from pages.ui import label_store

NEW = ""
"""The id of a question that is not saved yet."""


@dataclass(frozen=True)
class Draft:
    """A question with what was selected or pasted for it and belongs to no part yet.

    `found` are the places of a pasted answer that stands there more than once; `problem` says what is
    wrong with it.
    """

    question: Question
    selected: Evidence | None = None
    found: tuple[Evidence, ...] = ()
    problem: str = ""


def current(corpus: Corpus) -> Draft:
    """The draft of the question that is open."""
    id = st.session_state.get("open_question", NEW)
    saved = {each.id: each for each in corpus.questions}
    if id != NEW and id not in saved:
        id = st.session_state["open_question"] = NEW
    return _drafts(corpus).get(id) or Draft(saved.get(id) or Question(NEW, "", ()))


def put(corpus: Corpus, draft: Draft) -> None:
    """Keeps the draft, until its question is saved."""
    _drafts(corpus)[draft.question.id] = draft


def open_question(id: str) -> None:
    """Turns to a question; what is unsaved of the one before stays in its draft."""
    st.session_state["open_question"] = id


def unsaved(corpus: Corpus) -> frozenset[str]:
    """The ids whose draft differs from what is saved."""
    saved = {each.id: each for each in corpus.questions}
    return frozenset(
        id for id, draft in _drafts(corpus).items() if draft.selected or draft.question != saved.get(id)
    )


def forget(corpus: Corpus, id: str) -> None:
    """Drops what is unsaved of a question."""
    _drafts(corpus).pop(id, None)


def select(draft: Draft, document: Document, start: int, end: int) -> Draft:
    """The draft with a stretch of the document selected, blanks at its ends left out; as it was when all is blank."""
    known = scan(document)
    start, end = sorted(min(max(each, 0), len(document.text)) for each in (start, end))
    start, end = known.snap(start), known.snap_up(end)
    low, high = int(known.next_visible[start]), int(known.visible_end[end])
    if low >= high:
        return draft
    return replace(draft, selected=Evidence(document.id, Span(low, high)), found=(), problem="")


def look_up(draft: Draft, document: Document, quote: str) -> Draft:
    """The draft with the place of a pasted answer selected, or with what is wrong with it."""
    if not quote.strip():
        return replace(draft, found=(), problem="")
    spans = find_quote(document.text, quote)
    places = tuple(Evidence(document.id, each) for each in spans)
    if not places:
        where = f"This does not stand in {document.id}. Copy it from there again, or select it in the text."
        return replace(draft, found=(), problem=where)
    if len(places) > 1:
        return replace(draft, selected=None, found=places, problem="")
    return replace(draft, selected=places[0], found=(), problem="")


def add_part(draft: Draft) -> Draft:
    """What is selected becomes one more part of the answer, unless it is one already."""
    question, place = draft.question, draft.selected
    if place is None:
        return draft
    known = {_where(each) for part in question.evidence for each in part.places}
    if _where(place) in known:
        return replace(draft, selected=None)
    return Draft(replace(question, evidence=(*question.evidence, place)))


def add_alternative(draft: Draft, part: int) -> Draft:
    """What is selected becomes another place that says what a part says."""
    place, evidence = draft.selected, list(draft.question.evidence)
    if place is None or _where(place) in {_where(each) for each in evidence[part].places}:
        return replace(draft, selected=None)
    others = (*evidence[part].alternatives, replace(place, alternatives=()))
    evidence[part] = replace(evidence[part], alternatives=others)
    return Draft(replace(draft.question, evidence=tuple(evidence)))


def without(draft: Draft, part: int, place: int) -> Draft:
    """The draft without one place of a part; the part goes with its last place."""
    evidence = list(draft.question.evidence)
    left = [each for at, each in enumerate(evidence[part].places) if at != place]
    kept = (
        [replace(left[0], alternatives=tuple(replace(each, alternatives=()) for each in left[1:]))]
        if left
        else []
    )
    evidence[part : part + 1] = kept
    return replace(draft, question=replace(draft.question, evidence=tuple(evidence)))


def missing(draft: Draft) -> str:
    """What must be there before the question can be saved."""
    if not draft.question.text.strip():
        return "Write the question first."
    if not draft.question.evidence and draft.selected is None:
        return "Mark the answer first: select it in the text, or paste it."
    return ""


def save(corpus: Corpus, draft: Draft) -> None:
    """Puts the question among the corpus's; a selection that belongs to no part yet becomes one."""
    question = add_part(draft).question
    others = list(corpus.questions)
    if question.id == NEW:
        others.append(replace(question, id=label_store.free_id(each.id for each in others)))
        label_store.keep(corpus, others, "adding a question")
    else:
        label_store.keep(
            corpus, [question if each.id == question.id else each for each in others], "changing a question"
        )
    forget(corpus, draft.question.id)
    open_question(NEW)


def _where(place: Evidence) -> tuple[str, Span]:
    return place.document_id, place.span


def _drafts(corpus: Corpus) -> dict[str, Draft]:
    every = st.session_state.setdefault("drafts", {})
    return every.setdefault(label_store.key_of(corpus), {})
