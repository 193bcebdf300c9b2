"""The setting that was chosen in a sweep: what it reaches and costs, and the ways to its cuts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from chunklab.limits import LIMITS, token_lengths
from chunklab.recipe import parse_component, parse_recipe
from chunklab.stats import in_words
from chunklab.sweep.result import Swept
from pages.ui.cache import chunks_of, token_counts
from pages.ui.state import OTHERS, View, to_params
from pages.ui.sweep_scene import Said, interval
from pages.ui.sweep_work import Work

WINDOW = 8192
"""Tokens that a reader takes in at once, until a person says otherwise."""
_WORDS = {"best": " · best", "tied": " · tied with the best", "below": ""}


def chosen(work: Work, said: Said, recipe: str) -> None:
    """What one setting reaches and costs, and the ways to its cuts; another one can be taken instead."""
    each, view = work.results[recipe], work.view
    with st.container(border=True, gap="xsmall", key="sweep_setting"):
        _choice(work, said, recipe)
        ends = interval(said.intervals[recipe])
        st.text(f"{each.name}: {work.metric} {each.mean(work.metric):.2f}{ends and f', {ends}'}")
        if pair := said.pair(recipe):
            st.text(in_words(said.standing.best.name, each.name, work.metric, pair))
        st.text(_numbers(each, view.k))
        st.text(_window(each, view.k))
        for notice in _limits(work, recipe):
            st.text(notice)
        with st.container(horizontal=True, gap="small"):
            here = replace(view, recipe=parse_recipe(recipe))
            st.page_link(
                "app.py", label="Open in Inspect", icon=":material/visibility:", query_params=to_params(here),
                help="Its cuts on the text, with every question's verdict.",
            )  # fmt: skip
            st.page_link(
                "pages/1_Compare.py", label="Add to Compare", icon=":material/compare:",
                query_params=to_params(beside(view, recipe)), help="Beside the recipe that is open in Inspect.",
            )  # fmt: skip


def _choice(work: Work, said: Said, recipe: str) -> None:
    """All settings, best first."""
    words = {
        each.recipe: f"{each.name} · {each.mean(work.metric):.2f}{_WORDS[said.mark(each.recipe)]}"
        for each in by_merit(work)
    }
    st.session_state["sweep_looked"] = recipe
    st.selectbox("setting", list(words), format_func=words.get, key="sweep_looked", on_change=_look)


def by_merit(work: Work) -> list[Swept]:
    """What is measured, best first and of equal ones the cheaper."""
    return sorted(work.measured, key=lambda each: (-each.mean(work.metric), each.costs["characters"]))


def _look() -> None:
    st.session_state["sweep_chosen"] = st.session_state["sweep_looked"]


def beside(view: View, recipe: str) -> View:
    """The view with a recipe among those it is compared with, in place of the last one where there is no room."""
    added = parse_recipe(recipe)
    if added in (view.recipe, *view.others):
        return view
    return replace(view, others=(*view.others[: len(OTHERS) - 1], added))


def _numbers(each: Swept, k: int) -> str:
    shown = [f"{words} {each.mean(f'{name}@{k}'):.2f}" for name, words in _SHOWN.items()]
    costs = each.costs
    twice = f"{costs['duplication']:.0%}" if costs["duplication"] else "none"
    many = f"{costs['chunks']:,} chunks" if costs["chunks"] != 1 else "1 chunk"
    kept = f"{many}, {twice} of the text kept twice"
    index = f", vectors of {_bytes(costs['index_bytes'])}" if costs["index_bytes"] else ""
    return f"At k = {k}: {', '.join(shown)}. {kept}{index}."


_SHOWN = {"whole": "whole answers", "all_evidence": "all evidence", "precision": "precision", "ndcg": "ndcg"}


def _window(each: Swept, k: int) -> str:
    mean, most = each.mean(f"returned_tokens@{k}"), each.most(f"returned_tokens@{k}")
    window, chunks = st.session_state.get("window", WINDOW), int(each.costs["chunks"])
    every = f"k = {k} takes all there is: any ranking finds the same. " if chunks <= k else ""
    many = f"{min(k, chunks)} results bring" if min(k, chunks) != 1 else "1 result brings"
    return every + (
        f"{many} {mean:,.0f} tokens on average and at most {most:,.0f}, "
        f"{most / window:.0%} of a reader's window of {window:,}."
    )


def _limits(work: Work, recipe: str) -> list[str]:
    """How many of these chunks are longer than what the embedding model reads, and the one that was chosen."""
    embedder = parse_component("embedders", work.view.embedder)
    models = [(embedder.key(), embedder.limit, partial(token_lengths, embedder=embedder))]
    if work.view.model:
        limit, tokenizer = LIMITS[work.view.model]
        models.append((work.view.model, limit, partial(token_counts, tokenizer=tokenizer)))
    found = []
    for name, limit, lengths in models:
        if limit is None or parse_recipe(recipe).embed_as.makes_vectors:
            continue
        counts = np.concatenate([lengths(chunks_of(each, recipe)) for each in work.asked.corpus.documents])
        if over := int((counts > limit).sum()):
            found.append(
                f"{over:,} of {len(counts):,} chunks are over the {limit:,} tokens that {name} reads."
            )
    return found


def _bytes(count: float) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{count / 1e3:,.0f} KB"
