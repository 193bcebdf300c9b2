"""The form of one question: its words, the places that answer it, its kind."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from chunklab.corpus import Corpus
from chunklab.types import Document, Evidence
from pages.ui import label_draft as drafts
from pages.ui import label_store
from pages.ui.label_draft import NEW, Draft
from pages.ui.state import change

KINDS = ("fact", "straddle", "anaphora", "multi-hop", "code", "table")
QUOTED = 160
AROUND = 40
MOST_CHARS, MOST_PASTED = 500, 20_000


def draw(corpus: Corpus, document: Document) -> None:
    """The open question: written, answered, saved or deleted."""
    draft = drafts.current(corpus)
    id = draft.question.id
    with st.container(border=True):
        st.session_state["draft text"] = draft.question.text
        st.text_input(
            "New question" if id == NEW else "Question", key="draft text", max_chars=MOST_CHARS,
            on_change=_words, args=(corpus,), placeholder="What would somebody ask?",
        )  # fmt: skip
        _answer(corpus, document, draft)
        _kind(corpus, draft)
        if problem := st.session_state.pop("form_problem", ""):
            st.text(problem)
        with st.container(horizontal=True):
            st.button("Save", type="primary", on_click=_save, args=(corpus,))
            if id != NEW:
                st.button("Close", on_click=drafts.open_question, args=(NEW,))
                st.button("Delete", on_click=_delete, args=(corpus, id))
            if id in drafts.unsaved(corpus):
                st.button("Discard" if id == NEW else "Discard changes", on_click=_discard, args=(corpus, id))
            if done := label_store.last_done(corpus):
                st.space("stretch")
                st.button(f"Undo {done}", key="undo", type="tertiary", on_click=_undo, args=(corpus,))


def _words(corpus: Corpus) -> None:
    draft = drafts.current(corpus)
    text = st.session_state["draft text"].strip()
    drafts.put(corpus, replace(draft, question=replace(draft.question, text=text)))


def _kind(corpus: Corpus, draft: Draft) -> None:
    kinds = list(dict.fromkeys([*(each.kind for each in corpus.questions if each.kind), *KINDS]))
    st.session_state["draft kind"] = draft.question.kind or None
    st.selectbox(
        "Kind", kinds, key="draft kind", index=None, accept_new_options=True, on_change=_take_kind, args=(corpus,),
        placeholder="none", help="To look at the questions of one kind by themselves; type a new one.",
    )  # fmt: skip


def _take_kind(corpus: Corpus) -> None:
    draft = drafts.current(corpus)
    kind = (st.session_state["draft kind"] or "").strip()[:60]
    drafts.put(corpus, replace(draft, question=replace(draft.question, kind=kind)))


def _answer(corpus: Corpus, document: Document, draft: Draft) -> None:
    evidence = draft.question.evidence
    for part, each in enumerate(evidence):
        for at, place in enumerate(each.places):
            label = (f"Part {part + 1}" if len(evidence) > 1 else "Answer") if not at else "or"
            _place(corpus, label, place, (part, at))
    if draft.selected:
        _place(corpus, "Selected", draft.selected)
        if evidence:
            with st.container(horizontal=True):
                st.button("Add as a further part", on_click=_add, args=(corpus,))
                for part in range(len(evidence)):
                    name = "the answer" if len(evidence) == 1 else f"part {part + 1}"
                    st.button(f"Says the same as {name}", on_click=_same, args=(corpus, part))
    _paste(corpus, document, draft)


def _place(corpus: Corpus, label: str, place: Evidence, of: tuple[int, int] | None = None) -> None:
    """One place with its text; one that belongs to a part already, `of` (part, place), can be taken away."""
    document = next(each for each in corpus.documents if each.id == place.document_id)
    text = document.text[place.span.start : place.span.end]
    with st.container(gap=None):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f"{label}, {place.span.start:,}–{place.span.end:,}, {len(place.span):,} characters")
            if of:
                key = f"without {of[0]} {of[1]}"
                st.button("Remove", key=key, type="tertiary", on_click=_without, args=(corpus, *of))
        if len(corpus.documents) > 1:
            st.text(document.id)
        st.text(text if len(text) <= QUOTED else f"{text[: QUOTED // 2]} … {text[-QUOTED // 2 :]}")


def _paste(corpus: Corpus, document: Document, draft: Draft) -> None:
    st.text_area(
        "Select the answer in the text, or paste it here", key="pasted answer", height=68, max_chars=MOST_PASTED,
        on_change=_look_up, args=(corpus, document),
    )  # fmt: skip
    if draft.problem:
        st.text(draft.problem)
    if draft.found:
        names = [_around(document, each) for each in draft.found]
        st.selectbox(
            f"It stands there {len(names)} times: which one?", range(len(names)), index=None, key="which place",
            format_func=names.__getitem__, on_change=_choose, args=(corpus,), placeholder="Choose one",
        )  # fmt: skip
        st.button("Any of them", on_click=_any, args=(corpus,))


def _around(document: Document, place: Evidence) -> str:
    """A place with the words around it, on one line."""
    start, end = place.span.start, place.span.end
    before, after = document.text[max(0, start - AROUND) : start], document.text[end : end + AROUND]
    shown = document.text[start:end][:AROUND]
    return f"{start:,}: " + " ".join(f"…{before}[{shown}]{after}…".split())


def _look_up(corpus: Corpus, document: Document) -> None:
    draft = drafts.look_up(drafts.current(corpus), document, st.session_state["pasted answer"])
    drafts.put(corpus, draft)
    if draft.selected and not draft.found and not draft.problem:
        st.session_state["pasted answer"] = ""
        _show(draft.selected)


def _show(place: Evidence) -> None:
    st.session_state["label_focus"] = (place.span.start, st.session_state.get("label_focus", (0, 0))[1] + 1)


def _choose(corpus: Corpus) -> None:
    draft, at = drafts.current(corpus), st.session_state["which place"]
    if at is not None and at < len(draft.found):
        drafts.put(corpus, replace(draft, selected=draft.found[at], found=()))
        st.session_state["pasted answer"] = ""
        _show(draft.found[at])


def _any(corpus: Corpus) -> None:
    """Every place of the pasted answer will do: one part with alternatives."""
    draft = drafts.current(corpus)
    if draft.found:
        first, *others = draft.found
        part = replace(first, alternatives=tuple(others))
        evidence = (*draft.question.evidence, part)
        drafts.put(corpus, Draft(replace(draft.question, evidence=evidence)))
        st.session_state["pasted answer"] = ""


def _add(corpus: Corpus) -> None:
    drafts.put(corpus, drafts.add_part(drafts.current(corpus)))


def _same(corpus: Corpus, part: int) -> None:
    drafts.put(corpus, drafts.add_alternative(drafts.current(corpus), part))


def _without(corpus: Corpus, part: int, place: int) -> None:
    drafts.put(corpus, drafts.without(drafts.current(corpus), part, place))


def _save(corpus: Corpus) -> None:
    draft = drafts.current(corpus)
    if problem := drafts.missing(draft):
        st.session_state["form_problem"] = problem
        return
    drafts.save(corpus, draft)
    st.session_state["pasted answer"] = ""


def _discard(corpus: Corpus, id: str) -> None:
    drafts.forget(corpus, id)
    st.session_state["pasted answer"] = ""


def _delete(corpus: Corpus, id: str) -> None:
    label_store.keep(corpus, [each for each in corpus.questions if each.id != id], "deleting a question")
    if st.session_state["view"].question == id:
        change(question="")
    drafts.open_question(NEW)


def _undo(corpus: Corpus) -> None:
    label_store.undo(corpus)
