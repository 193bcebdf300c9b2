"""The questions that a person marked, kept in the session beside the documents they are about."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from chunklab.corpus import Corpus
from chunklab.labels import Lost, reanchor
from chunklab.types import Evidence, Question

UNDONE = 50
"""So many steps can be undone."""


@dataclass(frozen=True)
class Kept:
    """The questions of a corpus as a person left them.

    `corpus` is as it was given, with the questions that came with it; `past` are the earlier states and
    what was done to them, newest last.
    """

    corpus: Corpus
    questions: tuple[Question, ...]
    past: tuple[tuple[str, tuple[Question, ...]], ...] = ()


@dataclass(frozen=True)
class Moved:
    """What became of the places of evidence when their document was edited."""

    name: str
    same: int
    moved: int
    lost: tuple[Lost, ...]
    notices: tuple[str, ...]


def marked(corpus: Corpus) -> Corpus:
    """The corpus with the questions that a person left it with; its own where nothing was done to them."""
    kept = _all().get(key_of(corpus))
    if kept is None:
        return corpus
    if kept.corpus.questions != corpus.questions:
        joined = join(kept.questions, corpus.questions)
        kept = Kept(corpus, joined, (*kept.past, ("taking in a file", kept.questions)))
        _all()[key_of(corpus)] = kept
    notices = corpus.notices
    if (edited := moved(corpus)) and edited.lost:
        what = "1 marked answer was" if len(edited.lost) == 1 else f"{len(edited.lost)} marked answers were"
        notices += (f"{what} not found again when the text changed: see the Label page.",)
    return replace(corpus, questions=kept.questions, notices=notices)


def keep(corpus: Corpus, questions: Sequence[Question], what: str) -> None:
    """Makes these the corpus's questions; `what`, as in "deleting a question", can be undone."""
    kept = _all().get(key_of(corpus)) or Kept(corpus, corpus.questions)
    past = (*kept.past, (what, kept.questions))[-UNDONE:]
    _all()[key_of(corpus)] = replace(kept, questions=tuple(questions), past=past)


def carry(before: Corpus, after: Corpus) -> None:
    """Finds the questions of a document again in an edited version of it, or in any other."""
    (old,), (new,) = before.documents, after.documents
    found = reanchor(before.questions, old, new)
    keep(after, join(after.questions, found.questions), f"taking over the questions of {old.id}")
    was, now = (
        {(each.span.start, each.span.end) for each in _places(some)}
        for some in (before.questions, found.questions)
    )
    edited = Moved(old.id, len(was & now), len(now - was), found.lost, found.notices)
    st.session_state.setdefault("edited", {})[key_of(after)] = edited


def moved(corpus: Corpus) -> Moved | None:
    """What became of the answers that were taken over from another version of the document."""
    return st.session_state.get("edited", {}).get(key_of(corpus))


def seen(corpus: Corpus) -> None:
    """The report of what was taken over has been read."""
    st.session_state.get("edited", {}).pop(key_of(corpus), None)


def others(corpus: Corpus) -> list[Corpus]:
    """A person's other documents of this session in which something is marked, newest last."""
    every = [(key, replace(kept.corpus, questions=kept.questions)) for key, kept in _all().items()]
    return [
        each
        for key, each in every
        if key != key_of(corpus) and each.name == corpus.name and len(each.documents) == 1 and each.questions
    ]


def last_done(corpus: Corpus) -> str:
    """What `undo` would take back, "" when there is nothing."""
    kept = _all().get(key_of(corpus))
    return kept.past[-1][0] if kept and kept.past else ""


def undo(corpus: Corpus) -> None:
    """Takes back what was done last."""
    kept = _all()[key_of(corpus)]
    _all()[key_of(corpus)] = replace(kept, questions=kept.past[-1][1], past=kept.past[:-1])


def join(questions: Sequence[Question], more: Sequence[Question]) -> tuple[Question, ...]:
    """Both, those that are equal once; of the new ones those whose id is taken get another one."""
    joined = list(questions)
    for each in more:
        if each not in joined:
            taken = {known.id for known in joined}
            joined.append(replace(each, id=free_id(taken, f"{each.id}-")) if each.id in taken else each)
    return tuple(joined)


def free_id(taken: Iterable[str], beginning: str = "q") -> str:
    """The first of q1, q2, … that is free."""
    taken, number = set(taken), 1
    while f"{beginning}{number}" in taken:
        number += 1
    return f"{beginning}{number}"


def key_of(corpus: Corpus) -> str:
    """Names the documents of a corpus, whatever its questions are."""
    facts = "\n".join(f"{each.id} {each.digest}" for each in corpus.documents)
    return hashlib.sha256(facts.encode("utf-8", "surrogatepass")).hexdigest()


def _places(questions: Iterable[Question]) -> list[Evidence]:
    return [place for each in questions for part in each.evidence for place in part.places]


def _all() -> dict[str, Kept]:
    return st.session_state.setdefault("marked", {})
