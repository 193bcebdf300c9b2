"""The view state and its two other forms: the address and the session. Document text is never part of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from chunklab.errors import ChunklabError
from chunklab.limits import LIMITS
from chunklab.metrics import BUDGETED, CORE
from chunklab.params import Component
from chunklab.recipe import Recipe, build, parse_component, parse_recipe

SOURCES = ("sample", "paste", "upload")
MAX_K = 50
OTHERS = ("recipe2", "recipe3", "recipe4")
"""The recipes that the first one is compared with, as the address names them."""
DEFAULT_RECIPE = "recursive()"
DEFAULT_EMBEDDER = "hashing()"
DEFAULT_RETRIEVER = "dense()"
DEFAULT_METRIC = "recall"
MAX_GRID = 2000
"""A longer grid stays on the page and is not put into the address."""
_METRIC = re.compile(rf"({'|'.join(CORE)})|({'|'.join(BUDGETED)})@[1-9]\d{{1,5}}tokens", re.ASCII)


@dataclass(frozen=True)
class View:
    """Everything that decides what is drawn, apart from the text of a person's own document.

    `grid` is the text of a sweep, "" for the default one; `metric`, "recall" or "recall@1000tokens", is
    what it is judged by, at `k` unless it names a budget.
    """

    recipe: Recipe
    source: str = "sample"
    sample: str = ""
    document: str = ""
    k: int = 5
    embedder: str = DEFAULT_EMBEDDER
    retriever: str = DEFAULT_RETRIEVER
    model: str = ""
    question: str = ""
    others: tuple[Recipe, ...] = ()
    mix: tuple[str, ...] = ()
    grid: str = ""
    metric: str = DEFAULT_METRIC


def from_params(params: Mapping[str, str], samples: Sequence[str]) -> tuple[View, tuple[str, ...]]:
    """The view that an address asks for, and what of it could not be used, each in a few words.

    Every part that is missing or damaged falls back to its default on its own.
    """
    view = View(parse_recipe(DEFAULT_RECIPE), sample=samples[0] if samples else "")
    ignored: list[str] = []
    for name, value in params.items():
        if name == "recipe":
            try:
                view = replace(view, recipe=parse_recipe(value))
            except ChunklabError as error:
                ignored.append(str(error))
        elif name in OTHERS:
            try:
                view = replace(view, others=(*view.others, parse_recipe(value)))
            except ChunklabError as error:
                ignored.append(str(error))
        elif name == "embedder":
            try:
                view = replace(view, embedder=str(parse_component("embedders", value)))
            except ChunklabError as error:
                ignored.append(str(error))
        elif name == "retriever":
            try:
                view = replace(view, retriever=str(parse_component("retrievers", value)))
            except ChunklabError as error:
                ignored.append(str(error))
        elif name == "question" and 0 < len(value) <= 200 and value.isprintable():
            view = replace(view, question=value)
        elif name == "k" and value.isdecimal() and len(value) < 4 and 1 <= int(value) <= MAX_K:
            view = replace(view, k=int(value))
        elif name == "source" and value in SOURCES:
            view = replace(view, source=value)
        elif name == "sample" and value in samples:
            view = replace(view, sample=value)
        elif name == "mix" and value and all(each in samples for each in value.split(",")):
            view = replace(view, mix=tuple(dict.fromkeys(value.split(","))))
        elif name == "model" and value in LIMITS:
            view = replace(view, model=value)
        elif name == "document" and 0 < len(value) <= 200 and value.isprintable():
            view = replace(view, document=value)
        elif name == "grid" and 0 < len(value) <= MAX_GRID and value.replace("\n", "").isprintable():
            view = replace(view, grid=value)
        elif name == "metric" and _METRIC.fullmatch(value):
            view = replace(view, metric=value)
        else:
            ignored.append(printable(f"{name[:20]}={value[:20]}"))
    return view, tuple(ignored)


def printable(text: str) -> str:
    """The text on one line, without control or direction marks."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def to_params(view: View) -> dict[str, str]:
    """The address of a view: settings only. A person's own document is named by its source, nothing else."""
    params = {"recipe": str(view.recipe), "k": str(view.k)}
    if view.source == "sample":
        params["sample"] = view.sample
        if view.mix:
            params["mix"] = ",".join(view.mix)
        if view.document:
            params["document"] = view.document
    else:
        params["source"] = view.source
    if view.embedder != DEFAULT_EMBEDDER:
        params["embedder"] = view.embedder
    if view.retriever != DEFAULT_RETRIEVER:
        params["retriever"] = view.retriever
    if view.model:
        params["model"] = view.model
    params |= dict(zip(OTHERS, map(str, view.others), strict=False))
    if view.question and view.source == "sample":
        params["question"] = view.question
    if view.grid and len(view.grid) <= MAX_GRID:
        params["grid"] = view.grid
    if view.metric != DEFAULT_METRIC:
        params["metric"] = view.metric
    return params


def current(samples: Sequence[str]) -> View:
    """The session's view; an address that changed since it was last written, as by a link or Back, wins."""
    params = {name: st.query_params[name] for name in st.query_params}
    if params != st.session_state.get("address"):
        view, ignored = from_params(params, samples)
        if "view" in st.session_state and not params:
            view, ignored = st.session_state["view"], ()
        st.session_state["view"] = view
        st.session_state["link_ignored"] = ignored
        st.session_state["address"] = params
        st.session_state["revision"] = st.session_state.get("revision", 0) + 1
    return st.session_state["view"]


def change(**changes: object) -> None:
    """Replaces parts of the session's view."""
    st.session_state["view"] = replace(st.session_state["view"], **changes)
    st.session_state["link_ignored"] = ()


def focus(chunk: int) -> None:
    """Has the document view go to a chunk."""
    st.session_state["focus"] = (chunk, st.session_state.get("focus", (0, 0))[1] + 1)


def write_address() -> None:
    """Puts the session's view into the address bar."""
    params = to_params(st.session_state["view"])
    if params != st.session_state.get("address"):
        st.session_state["address"] = params
        st.query_params.from_dict(params)


_CARRIED = ("size", "max_size", "overlap", "unit", "tokenizer")


def switched(old: Component, key: str) -> Component:
    """Strategy `key` with what carries over from the old one: size, overlap, unit, tokenizer and, where they are
    allowed there too, its other changes.
    """
    values = {name: getattr(old, name) for name in old.params() if name in _CARRIED}
    size = values.get("size", values.get("max_size"))
    new = build("strategies", key, {})
    wanted = {**old.changed(), **values, "size": size, "max_size": size}
    kept = {name: wanted[name] for name in new.params() if wanted.get(name) is not None}
    plain = {name: kept[name] for name in kept if name in _CARRIED}
    for carried in (kept, plain, {name: plain[name] for name in plain if name != "overlap"}):
        try:
            return build("strategies", key, carried)
        except ChunklabError:
            continue
    return new
