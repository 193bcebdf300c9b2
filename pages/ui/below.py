"""What stands around the Inspect view: how it is measured, the chunks as a table, the lengths, the recipe."""

from __future__ import annotations

import shlex
from contextlib import suppress
from functools import cache
from urllib.parse import urlencode

import streamlit as st

from chunklab.chunking import Chunks, size_of
from chunklab.corpus import Corpus
from chunklab.coverage import length_summary
from chunklab.discovery import components
from chunklab.embedded import context_share
from chunklab.errors import ChunklabError
from chunklab.export import export_name, to_csv, to_json
from chunklab.limits import LIMITS
from chunklab.params import Component
from chunklab.report import report
from chunklab.types import Document
from chunklab.why import why
from pages.ui.cache import chunks_of, token_counts
from pages.ui.state import MAX_K, View, change, focus, to_params

PREVIEW = 160


def measure_controls(view: View) -> None:
    """Whose vectors are searched, how many chunks count as found, and whose limit the lengths are held against."""
    _chosen(
        "Search with", "embedders", "embedder", view.embedder,
        "Whose vectors rank the chunks. static and hashing need no model to load.",
    )  # fmt: skip
    _chosen(
        "Retriever", "retrievers", "retriever", view.retriever,
        "How chunks are ranked: by vectors, by words, or by both. Words alone need no embedder.",
    )  # fmt: skip
    st.session_state["k"] = view.k
    st.number_input(
        "k, chunks retrieved", 1, MAX_K, key="k", on_change=_take, args=("k",),
        help="Recall and the verdicts look at the k best chunks.",
    )  # fmt: skip
    st.session_state["model"] = view.model
    st.selectbox(
        "check lengths against", ["", *LIMITS], key="model", on_change=_take, args=("model",),
        format_func=lambda name: f"{name}, {LIMITS[name][0]:,} tokens" if name else "no other model",
        help="Tells which chunks another embedding model would read only in part.",
    )  # fmt: skip


def _chosen(label: str, family: str, key: str, value: str, help: str) -> None:
    """A choice among the components of a family; one with settings of its own, as from a link, is listed too."""
    known = {str(each): each.label for each in _ready(family)}
    known.setdefault(value, value)
    st.session_state[key] = value
    st.selectbox(label, list(known), key=key, on_change=_take, args=(key,), format_func=known.get, help=help)


@cache
def _ready(family: str) -> tuple[Component, ...]:
    """Every component of a family that needs no setting to be chosen; what comes up at once goes first."""
    found = []
    for kind in components(family).values():
        with suppress(ChunklabError):
            found.append(kind())
    order = {name: at for at, name in enumerate(("static", "hashing", "dense", "bm25", "hybrid"))}
    return tuple(sorted(found, key=lambda each: order.get(each.key(), len(order))))


def _take(name: str) -> None:
    if (value := st.session_state[name]) is not None:
        change(**{name: value})


def panels(view: View, corpus: Corpus, document: Document) -> None:
    """What else there is to see of these chunks, one panel at a time."""
    try:
        chunks = chunks_of(document, str(view.recipe))
    except ChunklabError:
        return
    draw = {
        "Chunks": lambda: _table(chunks),
        "Problems": lambda: _problems(view, corpus, chunks),
        "Lengths": lambda: _lengths(view, chunks),
        **({"Similarity": lambda: _similarity(chunks)} if hasattr(view.recipe.split, "curve") else {}),
        "Recipe and export": lambda: _export(view, chunks),
    }
    if st.session_state.get("panel") not in draw:
        st.session_state["panel"] = "Chunks"
    draw[st.segmented_control("Show", list(draw), key="panel", required=True, label_visibility="collapsed")]()


def _problems(view: View, corpus: Corpus, chunks: Chunks) -> None:
    from pages.ui import problems

    problems.draw(view, corpus, chunks)


def _similarity(chunks: Chunks) -> None:
    from pages.ui import problems

    problems.similarity(chunks)


def _lengths(view: View, chunks: Chunks) -> None:
    from chunklab.views.figures import length_histogram

    split = view.recipe.split
    limit, tokenizer = LIMITS.get(view.model, (None, ""))
    same = split.unit == "tokens" and split.tokenizer == tokenizer
    figure = length_histogram(chunks.lengths, split.unit, size_of(view.recipe), limit if same else None)
    _summary(chunks)
    st.plotly_chart(figure, key="lengths", alt=f"Distribution of the lengths of {len(chunks)} chunks.")


def _export(view: View, chunks: Chunks) -> None:
    st.code(str(view.recipe), language=None)
    st.caption("The same on the command line, where FILE is your document:")
    st.code(f"python -m chunklab chunk FILE -r {shlex.quote(str(view.recipe))} --json", language=None)
    left, right, _ = st.columns([1, 1, 3])
    left.download_button(
        "Chunks as JSON", lambda: to_json(chunks), export_name(chunks.document.id, "json"),
        "application/json", on_click="ignore", width="stretch",
    )  # fmt: skip
    right.download_button(
        "Chunks as CSV", lambda: to_csv(chunks), export_name(chunks.document.id, "csv"),
        "text/csv", on_click="ignore", width="stretch",
    )  # fmt: skip


def _table(chunks: Chunks) -> None:
    import pandas as pd

    split = chunks.recipe.split
    frame = pd.DataFrame(
        {
            "#": range(1, len(chunks) + 1),
            "headings": [" › ".join(path) for path in chunks.heading_paths],
            "text": [text[:PREVIEW] + ("…" if len(text) > PREVIEW else "") for text in chunks.texts],
            "start": chunks.spans[:, 0],
            "end": chunks.spans[:, 1],
            "chars": chunks.spans[:, 1] - chunks.spans[:, 0],
            "tokens": token_counts(chunks, split.tokenizer),
            "overlap": [0, *chunks.overlaps.tolist()][: len(chunks)],
            "cut at": [chunks.reason_names[each] for each in chunks.reasons.tolist()],
        }
    )
    if not any(chunks.heading_paths):
        frame = frame.drop(columns="headings")
    st.dataframe(
        frame, hide_index=True, height=320, key="table", on_select=_take_row, selection_mode="single-row",
        column_config={
            "text": st.column_config.TextColumn(width="large"),
            "tokens": st.column_config.NumberColumn(help=f"{split.tokenizer} tokens"),
            "overlap": st.column_config.NumberColumn(help="characters shared with the chunk before"),
        },
    )  # fmt: skip
    rows = st.session_state["table"]["selection"]["rows"]
    if rows and rows[0] < len(chunks):
        st.text(f"Chunk {rows[0] + 1}. {why(chunks, rows[0]).sentence}")
    else:
        st.caption("Select a row to go to its chunk and to read why it ends where it does.")


def _summary(chunks: Chunks) -> None:
    import pandas as pd

    split = chunks.recipe.split
    held = {
        "characters": chunks.spans[:, 1] - chunks.spans[:, 0],
        f"{split.tokenizer} tokens": token_counts(chunks, split.tokenizer),
    }
    if split.unit == "words":
        held["words"] = chunks.lengths
    rows = {name: length_summary(lengths) for name, lengths in held.items()}
    st.dataframe(pd.DataFrame(rows).T.round(1), column_config={"_index": "chunk length in"})
    share = report(chunks)["coverage"]
    context = context_share(chunks, split.tokenizer)
    st.caption(
        f"{share:.0%} of the visible characters are in a chunk; {context:.0%} of the embedded tokens are context."
    )


def _take_row() -> None:
    rows = st.session_state["table"]["selection"]["rows"]
    if rows:
        focus(int(rows[0]))


@st.fragment
def share(view: View) -> None:
    """The address of this view, ready to copy; made when it is opened, as what shows it in the browser is large."""
    box = st.expander("Share this view", key="share", on_change="rerun")
    with box:
        if box.open:
            base = (st.context.url or "").partition("?")[0]
            st.code(
                f"{base}?{urlencode(to_params(st.session_state['view']))}", language=None, wrap_lines=True
            )
        if view.source != "sample":
            st.caption("The link holds the settings only: the text is not in the link.")
