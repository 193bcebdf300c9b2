"""Results kept between runs, by strings alone: what a document says (its digest), and the recipe's text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chunklab.chunking import Chunks, chunk
from chunklab.corpus import Corpus
from chunklab.experiment import Evaluation, evaluate
from chunklab.recipe import parse_component, parse_recipe
from chunklab.retrievers.base import Ranking
from chunklab.returned import rank_returned
from chunklab.tokens.recent import Recent
from chunklab.types import Document

if TYPE_CHECKING:
    from chunklab.controls import Controls
    from chunklab.lint import Problem

KEPT = 400
_chunks: Recent[Chunks] = Recent(KEPT)
_evaluations: Recent[Evaluation] = Recent(KEPT)
_controls: Recent[Controls] = Recent(KEPT)
_rankings: Recent[Ranking] = Recent(KEPT)
_problems: Recent[list[Problem]] = Recent(KEPT)


def chunks_of(document: Document, recipe: str) -> Chunks:
    """The document's chunks."""
    return _chunks.get((_named(document), recipe), 1, lambda: chunk(document, parse_recipe(recipe)))


def evaluation_of(corpus: Corpus, recipe: str, k: int, embedder: str, retriever: str) -> Evaluation:
    """The corpus's evaluation at one k."""

    def make() -> Evaluation:
        chunks = [chunks_of(document, recipe) for document in corpus.documents]
        ranked = parse_component("embedders", embedder), parse_component("retrievers", retriever)
        return evaluate(corpus, recipe, *ranked, (k,), chunks)

    return _evaluations.get((corpus.digest, recipe, k, embedder, retriever), 1, make)


def ranking_of(corpus: Corpus, recipe: str, k: int, embedder: str, retriever: str, question: str) -> Ranking:
    """One row: the k best returned places for any question."""

    def make() -> Ranking:
        chunks = [chunks_of(document, recipe) for document in corpus.documents]
        asked = parse_component("retrievers", retriever), parse_component("embedders", embedder)
        return rank_returned(*asked, [question], chunks, k)

    return _rankings.get((corpus.digest, recipe, k, embedder, retriever, question), 1, make)


def controls_of(corpus: Corpus, recipe: str, k: int, embedder: str, retriever: str) -> Controls:
    """What the evaluation of the same arguments is held against."""
    from chunklab.controls import controls

    def make() -> Controls:
        chunks = [chunks_of(document, recipe) for document in corpus.documents]
        asked = parse_component("embedders", embedder), parse_component("retrievers", retriever)
        return controls(corpus, chunks, evaluation_of(corpus, recipe, k, embedder, retriever), *asked)

    return _controls.get((corpus.digest, recipe, k, embedder, retriever), 1, make)


def problems_of(corpus: Corpus, document: Document, recipe: str, embedder: str) -> list[Problem]:
    """What is wrong with the document's chunks, its questions and the embedder's limit included."""
    from chunklab.lint import lint

    def make() -> list[Problem]:
        return lint(chunks_of(document, recipe), corpus.questions, parse_component("embedders", embedder))

    return _problems.get((corpus.digest, _named(document), recipe, embedder), 1, make)


def token_counts(chunks: Chunks, tokenizer: str) -> np.ndarray:
    """(n,) tokens of each chunk."""
    key = ("counts", str(chunks.recipe), tokenizer)
    return chunks.document.fact(key, lambda: chunks.token_counts(tokenizer))


def _named(document: Document) -> str:
    return f"{document.digest} {document.media_type} {document.id}"
