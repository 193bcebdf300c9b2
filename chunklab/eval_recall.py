"""One number for each k, in the shape of the exercises' harness: {1: 0.67, 3: 1.0, 5: 1.0}."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

import numpy as np

from chunklab.chunking import Chunks, chunk
from chunklab.corpus import Corpus, load_corpus
from chunklab.errors import ParamError
from chunklab.experiment import evaluate
from chunklab.recipe import Recipe, parse_component, parse_recipe
from chunklab.types import Cuts, Document, Span


def eval_recall(
    chunker: Recipe | str | Callable[[str], Iterable[tuple[int, int]]],
    fixture: Corpus | str | os.PathLike[str],
    ks: Iterable[int] = (1, 3, 5),
    embedder: str = "hashing()",
    retriever: str = "dense()",
) -> dict[int, float | None]:
    """k -> share of questions for which any of the top k chunks overlaps the evidence: "recall@k" there, hit_rate here.

    `chunker` is a recipe, its text, or a function from a text to the (start, end) of its chunks; `fixture`
    is a corpus or its folder. A value is None where no question has evidence. Raises what reading them
    raises, and ParamError for a k below 1.
    """
    corpus = fixture if isinstance(fixture, Corpus) else load_corpus(fixture)
    given = callable(chunker)
    recipe = parse_recipe("fixed()" if given else str(chunker))
    chunks = [_as_given(each, recipe, chunker) if given else chunk(each, recipe) for each in corpus.documents]
    evaluation = evaluate(
        corpus,
        recipe,
        parse_component("embedders", embedder),
        parse_component("retrievers", retriever),
        ks,
        chunks,
        measures=("hit_rate",),
    )
    means = evaluation.means()
    return {k: means[f"hit_rate@{k}"] for k in evaluation.ks}


def _as_given(
    document: Document, recipe: Recipe, chunker: Callable[[str], Iterable[tuple[int, int]]]
) -> Chunks:
    """The chunks that a function finds, as its recipe's "embed as" and "return as" would leave them."""
    spans = sorted(Span(*each) for each in chunker(document.text))
    if spans and max(each.end for each in spans) > len(document.text):
        must = f"a function whose spans end by {len(document.text)}, the length of {document.id}"
        raise ParamError("eval_recall", "chunker", must, spans[-1], "Count code points from 0.")
    pairs = np.array([(each.start, each.end) for each in spans], dtype=np.int32).reshape(-1, 2)
    return Chunks(document, recipe, Cuts(pairs, np.zeros(len(pairs), dtype=np.int32), ("given",)))
