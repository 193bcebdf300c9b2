"""Results kept between runs, by strings alone: what a document says (its digest), and the recipe's text."""

from __future__ import annotations

import numpy as np
import streamlit as st

from chunklab.chunking import Chunks, chunk
from chunklab.corpus import Corpus
from chunklab.experiment import Evaluation, evaluate
from chunklab.recipe import parse_component, parse_recipe
from chunklab.types import Document


def chunks_of(document: Document, recipe: str) -> Chunks:
    """The document's chunks."""
    return _chunks(f"{document.digest} {document.media_type} {document.id}", recipe, document)


@st.cache_resource(show_spinner=False, max_entries=400)
def _chunks(key: str, recipe: str, _document: Document) -> Chunks:
    return chunk(_document, parse_recipe(recipe))


def evaluation_of(corpus: Corpus, recipe: str, k: int, embedder: str, retriever: str) -> Evaluation:
    """The corpus's evaluation at one k."""
    return _evaluation(corpus.digest, recipe, k, embedder, retriever, corpus)


@st.cache_resource(show_spinner=False, max_entries=400)
def _evaluation(key: str, recipe: str, k: int, embedder: str, retriever: str, _corpus: Corpus) -> Evaluation:
    chunks = [chunks_of(document, recipe) for document in _corpus.documents]
    return evaluate(
        _corpus,
        recipe,
        parse_component("embedders", embedder),
        parse_component("retrievers", retriever),
        (k,),
        chunks,
    )


def token_counts(chunks: Chunks, tokenizer: str) -> np.ndarray:
    """(n,) tokens of each chunk."""
    return chunks.document.fact(
        ("counts", str(chunks.recipe), tokenizer), lambda: chunks.token_counts(tokenizer)
    )
