"""Which question is asked: typed, or one of those whose answer is marked."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from chunklab.corpus import Corpus
from chunklab.types import Question
from pages.ui.following import turn_to
from pages.ui.state import View, change

MOST_CHARS = 500


def question_of(view: View, corpus: Corpus) -> Question | None:
    """The question that is asked: a typed one, else the marked one that the view names, else the first."""
    if typed := st.session_state.get("typed"):
        return Question("", typed, ())
    known = {each.id: each for each in corpus.questions}
    return known.get(view.question) or next(iter(corpus.questions), None)


def ask(view: View, corpus: Corpus) -> None:
    """One box to ask in: type a question, or take one whose answer is marked."""
    question, named = question_of(view, corpus), _named(corpus)
    name = next((name for name, id in named.items() if question and id == question.id), None)
    st.session_state["asked"] = name or (question.text if question else None)
    known = f", or take one of {len(named)} whose answer is marked" if named else ""
    st.selectbox(
        f"Question: type one{known}", list(named), key="asked", index=None, accept_new_options=True,
        placeholder="Ask something that the text answers", on_change=_ask, args=(corpus, named),
    )  # fmt: skip


def _named(corpus: Corpus) -> dict[str, str]:
    """What is listed for each marked question, its text, and its id; equal texts are told apart by their ids."""
    texts = Counter(each.text for each in corpus.questions)
    return {
        each.text if texts[each.text] == 1 else f"{each.text} ({each.id})": each.id
        for each in corpus.questions
    }


def _ask(corpus: Corpus, named: dict[str, str]) -> None:
    text = (st.session_state["asked"] or "").strip()[:MOST_CHARS]
    if text in named:
        take(corpus, named[text])
    else:
        st.session_state["typed"] = text
        change(question="")


def take(corpus: Corpus, id: str) -> None:
    """Asks a marked question and turns to the document that answers it."""
    question = next((each for each in corpus.questions if each.id == id), None)
    if question is None:
        return
    st.session_state["typed"] = ""
    change(question=id)
    if question.evidence:
        turn_to(question.evidence[0].document_id, corpus)
