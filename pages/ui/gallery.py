"""Each way in which chunks go wrong, on a small text of the samples: one click shows it, another its remedy."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from chunklab.lint import Problem
from chunklab.recipe import parse_recipe
from pages.ui.cache import problems_of
from pages.ui.shown import sample, sample_names
from pages.ui.state import DEFAULT_EMBEDDER, change


@dataclass(frozen=True)
class Failure:
    """A kind of problem as lint names it, and where it can be seen."""

    kind: str
    sample: str
    document: str
    recipe: str


GALLERY = (
    Failure("straddled evidence", "mixed", "mixed.md", "fixed(size=120)"),
    Failure("cut inside a word", "prose", "prose.txt", "fixed(size=120)"),
    Failure("mid-sentence start", "prose", "prose.txt", "fixed(size=200)"),
    Failure("orphan sentence", "prose", "prose.txt", "sentence(n=1)"),
    Failure("tiny", "prose", "prose.txt", "semantic(percentile=60)"),
    Failure("header only", "markdown", "markdown.md", "paragraph(max_size=300)"),
    Failure("lost heading", "markdown", "markdown.md", "recursive(size=100,overlap=0)"),
    Failure("lost structure", "markdown", "markdown.md", "markdown(max_size=400)"),
    Failure("cut inside a table", "formats", "orchard.csv", "fixed(size=120)"),
    Failure("cut inside code", "formats", "station.json", "recursive(size=150)"),
    Failure("drift", "markdown", "markdown.md", "sentence(size=500)"),
    Failure("few sentences", "formats", "catalogue.xml", "semantic()"),
    Failure("over the model's limit", "prose", "prose.txt", "recursive(size=2000)"),
    Failure("much context", "prose", "prose.txt", "recursive(size=200) | prefix(chars=120)"),
)


def found(failure: Failure) -> Problem:
    """What lint says about it, held against a model that reads 256 tokens."""
    corpus = sample(sample_names()[failure.sample])
    document = next(each for each in corpus.documents if each.id == failure.document)
    problems = problems_of(corpus, document, failure.recipe, "minilm()")
    return next(each for each in problems if each.kind == failure.kind)


def draw() -> None:
    """A row for each failure."""
    st.write(
        "Fourteen ways in which chunks go wrong. Each opens on the Inspect page, with its places marked."
    )
    for at, failure in enumerate(GALLERY):
        problem = found(failure)
        with st.container(border=True):
            words, buttons = st.columns([5, 2], vertical_alignment="center")
            words.markdown(f"**{failure.kind.capitalize()}**, in *{failure.document}* by `{failure.recipe}`")
            words.text(f"{problem.count:,} × {problem.what}")
            with buttons.container(horizontal=True, horizontal_alignment="right"):
                if st.button("See it", key=f"see {at}", type="primary"):
                    _open(failure, failure.recipe)
                if problem.fix and st.button("Remedy", key=f"remedy {at}", help=problem.remedy):
                    _open(failure, problem.fix)


def _open(failure: Failure, recipe: str) -> None:
    embedder = "minilm()" if failure.kind == "over the model's limit" else DEFAULT_EMBEDDER
    change(
        source="sample",
        sample=failure.sample,
        document=failure.document,
        recipe=parse_recipe(recipe),
        embedder=embedder,
    )
    st.session_state["panel"] = "Problems"
    st.session_state["revision"] = st.session_state.get("revision", 0) + 1
    st.switch_page("app.py")
