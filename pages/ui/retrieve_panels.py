"""Under the Retrieve view: the prompt with its room in the reader's window, and what the numbers are held against."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from chunklab.chunking import Chunks
from chunklab.corpus import Corpus
from chunklab.errors import ChunklabError
from chunklab.intervals import Place
from chunklab.metrics import METRICS
from chunklab.params import TOKENIZERS
from chunklab.prompt import Prompt, assemble
from chunklab.stats import bootstrap_interval
from chunklab.tokens.counting import count_spans
from chunklab.types import Document, Question
from pages.ui.cache import chunks_of, controls_of, evaluation_of
from pages.ui.retrieve_ask import question_of
from pages.ui.state import View

WINDOW, KEPT = 8192, 1024
"""Tokens that a reader takes in at once, and of these the ones kept for instructions and the answer."""
MOST = 2_000_000


def draw(view: View, corpus: Corpus) -> None:
    """One panel at a time."""
    question = question_of(view, corpus)
    shown = {"Prompt": lambda: _prompt(view, corpus, question)} if question else {}
    if any(each.evidence for each in corpus.questions):
        shown["Held against"] = lambda: _controls(view, corpus)
    if not shown:
        return
    if st.session_state.get("retrieve_panel") not in shown:
        st.session_state["retrieve_panel"] = next(iter(shown))
    panel = st.segmented_control(
        "Show", list(shown), key="retrieve_panel", required=True, label_visibility="collapsed"
    )
    try:
        shown[panel]()
    except ChunklabError as error:
        st.text(str(error))


def _prompt(view: View, corpus: Corpus, question: Question) -> None:
    places: list[Place] = st.session_state.get("hits", [])
    first, second, third, fourth = st.columns(4)
    window = first.number_input(
        "reader's window, tokens", 16, MOST, WINDOW, 512, key="window", persist_state="session",
        help="How many tokens the model that answers takes in at once.",
    )  # fmt: skip
    kept = second.number_input(
        "kept for the rest", 0, MOST, KEPT, 128, key="kept", persist_state="session",
        help="Tokens of the window that instructions and the answer need.",
    )  # fmt: skip
    tokenizer = third.selectbox("counted by", TOKENIZERS, key="prompt_tokenizer", persist_state="session")
    once = fourth.checkbox(
        "leave out repeats", key="once", persist_state="session",
        help="A place with nearly the same words as one before it is left out.",
    )  # fmt: skip
    if kept >= window:
        st.text("Nothing is left for the prompt: keep less, or take a larger window.")
        return
    prompt = assemble(question.text, places, corpus.documents, int(window - kept), tokenizer, once)
    mean, most = _sizes([chunks_of(each, str(view.recipe)) for each in corpus.documents], tokenizer)
    _meter(prompt, int(window), int(kept), round(view.k * mean), view.k * most)
    st.text(
        f"{prompt.tokens:,} tokens are sent and {prompt.left:,} are left. {view.k} × {mean:,.0f} on average = "
        f"{view.k * mean:,.0f}, at most {view.k} × {most:,} = {view.k * most:,}." + _left_out(prompt)
    )
    st.code(prompt.text, language=None, wrap_lines=True, height=420)


def _left_out(prompt: Prompt) -> str:
    said = ""
    if cut := [part.number for part in prompt.parts if part.cut]:
        said += f" The window ends in [{cut[0]}]."
    if prompt.beyond:
        said += f" {len(prompt.beyond)} of the hits did not fit."
    if prompt.repeats:
        said += f" {len(prompt.repeats)} said the same as one before."
    return said


def _sizes(every: list[Chunks], tokenizer: str) -> tuple[float, int]:
    """Mean and largest number of tokens that a hit can bring."""
    counts = [
        count
        for chunks in every
        for count in chunks.document.fact(
            ("returned tokens", str(chunks.recipe), tokenizer),
            lambda chunks=chunks: count_spans(chunks.document.text, chunks.returned, tokenizer).tolist(),
        )
    ]
    return (sum(counts) / len(counts), max(counts)) if counts else (0.0, 0)


def _meter(prompt: Prompt, window: int, kept: int, mean: int, most: int) -> None:
    """The window as a bar: what is sent, how far k hits go at most, and what is kept."""
    share = [min(100.0, 100 * each / window) for each in (prompt.tokens, mean, most, kept)]
    st.html(
        f"""<style>
.room {{ position: relative; height: 18px; overflow: hidden; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 4px }}
.room i {{ position: absolute; top: 0; bottom: 0 }}
.room .sent {{ left: 0; background: var(--st-primary-color, #0b5f8a) }}
.room .most {{ left: 0; background: color-mix(in srgb, var(--st-primary-color, #0b5f8a) 28%, transparent) }}
.room .kept {{ right: 0; background: repeating-linear-gradient(-45deg, color-mix(in srgb, currentColor 30%, transparent) 0 3px, transparent 3px 7px) }}
</style><div class="room" role="img" aria-label="{prompt.tokens} of {window} tokens are sent, {kept} are kept, {prompt.left} are left.">
<i class="most" style="width:{share[2]:.2f}%" title="{most:,} tokens: k times the largest"></i>
<i class="sent" style="width:{share[0]:.2f}%" title="{prompt.tokens:,} tokens are sent"></i>
<i class="kept" style="width:{share[3]:.2f}%" title="{kept:,} tokens are kept"></i></div>"""
    )


def _controls(view: View, corpus: Corpus) -> None:
    evaluation = evaluation_of(corpus, str(view.recipe), view.k, view.embedder, view.retriever)
    held = controls_of(corpus, str(view.recipe), view.k, view.embedder, view.retriever)
    table = []
    for name, values in evaluation.values.items():
        interval = bootstrap_interval(values)
        at = name.partition("@")[0]
        table.append(
            {
                "measure": name,
                "here": f"{values.mean():.2f}",
                "95 % interval": f"{interval[0]:.2f} to {interval[1]:.2f}" if interval else "",
                "a random ranking": "{:.2f}  ({:.2f} to {:.2f})".format(*held.chance[name]),
                "whole documents": f"{held.whole_document.values[name].mean():.2f}",
                "at best": f"{held.ceiling[view.k].mean():.2f}" if at == "recall" else "",
                "what it is": METRICS[at],
            }
        )
    st.dataframe(
        pd.DataFrame(table), hide_index=True, key="held_against",
        column_config={
            "a random ranking": st.column_config.TextColumn(help=f"Mean of {held.draws} seeded random rankings, and where 95 % of them lie."),
            "whole documents": st.column_config.TextColumn(help="The same questions with each document as one chunk."),
            "at best": st.column_config.TextColumn(help="The best any ranking of these chunks could reach: what cutting alone lost."),
            "what it is": st.column_config.TextColumn(width="large"),
        },
    )  # fmt: skip
    st.text(f"Over {len(evaluation.questions)} questions." + _whole_documents(corpus.documents, view.k))


def _whole_documents(documents: tuple[Document, ...], k: int) -> str:
    if len(documents) <= k:
        return f" {len(documents)} document{'s' * (len(documents) > 1)} and k = {k}: whole documents are always found."
    return ""
