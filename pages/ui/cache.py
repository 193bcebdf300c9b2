"""Results kept between runs, by strings alone: what a document says (its digest), and the recipe's text."""

from __future__ import annotations

import numpy as np

from chunklab.chunking import Chunks, chunk
from chunklab.corpus import Corpus
from chunklab.experiment import Evaluation, evaluate
from chunklab.lint import Problem, lint
from chunklab.recipe import parse_component, parse_recipe
from chunklab.tokens.recent import Recent
from chunklab.types import Document

KEPT = 400
_chunks: Recent[Chunks] = Recent(KEPT)
_evaluations: Recent[Evaluation] = Recent(KEPT)
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


def problems_of(corpus: Corpus, document: Document, recipe: str, embedder: str) -> list[Problem]:
    """What is wrong with the document's chunks, its questions and the embedder's limit included."""

    def make() -> list[Problem]:
        return lint(chunks_of(document, recipe), corpus.questions, parse_component("embedders", embedder))

    return _problems.get((corpus.digest, _named(document), recipe, embedder), 1, make)


def token_counts(chunks: Chunks, tokenizer: str) -> np.ndarray:
    """(n,) tokens of each chunk."""
    key = ("counts", str(chunks.recipe), tokenizer)
    return chunks.document.fact(key, lambda: chunks.token_counts(tokenizer))


def _named(document: Document) -> str:
    return f"{document.digest} {document.media_type} {document.id}"
