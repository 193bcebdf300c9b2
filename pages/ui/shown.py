"""What a view shows: the sample, pasted text or file that it names, found without drawing anything."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from chunklab.corpus import Corpus, join_corpora, load_corpus
from chunklab.errors import ChunklabError
from chunklab.questions import parse_questions
from chunklab.types import Document
from pages.ui import label_store
from pages.ui.state import View, change, printable

SAMPLES = Path(__file__).resolve().parents[2] / "sample_corpora"
SLOTS = {"paste": "pasted", "upload": "uploaded"}
"""Where the session keeps a document of a person's own, by source."""


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


@dataclass(frozen=True)
class Chosen:
    """The corpus and the document to show, None while there is none, and what is wrong with what was chosen."""

    corpus: Corpus | None = None
    document: Document | None = None
    problem: str = ""
    questions_problem: str = ""


def chosen(view: View) -> Chosen:
    """What the view shows; nothing is drawn. A document that the sample does not have is dropped from the view."""
    try:
        if view.source == "sample":
            corpus, problem = sample_of(view), ""
            document = _document_of(view, corpus)
        else:
            document = st.session_state.get(SLOTS[view.source])
            if document is None:
                return Chosen()
            corpus, problem = corpus_of(SLOTS[view.source], document)
        return Chosen(label_store.marked(corpus), document, questions_problem=problem)
    except ChunklabError as error:
        return Chosen(problem=str(error))


def _document_of(view: View, corpus: Corpus) -> Document:
    """The document of a sample that the view names, the first one where it names none."""
    named = next((each for each in corpus.documents if each.id == view.document), None)
    if view.document and named is None:
        ignored = st.session_state.get("link_ignored", ())
        change(document="")
        st.session_state["link_ignored"] = (*ignored, printable(f"document={view.document[:20]}"))
    return named or corpus.documents[0]


def corpus_of(slot: str, document: Document) -> tuple[Corpus, str]:
    """A document of a person's own with its marked answers, and what is wrong with them, if anything."""
    text = st.session_state.get("questions_text") if slot == "uploaded" else None
    digest = hashlib.sha256((text or "").encode()).hexdigest()
    return _own_corpus(f"{document.digest} {document.media_type} {document.id} {digest}", document, text)


@st.cache_resource(show_spinner=False, max_entries=20)
def _own_corpus(key: str, _document: Document, _questions: str | None) -> tuple[Corpus, str]:
    questions, notices, problem = (), (), ""
    try:
        if _questions:
            questions, notices = parse_questions(_questions, (_document,))
    except ChunklabError as error:
        problem = str(error)
    return Corpus("your document", (_document,), questions, notices), problem
