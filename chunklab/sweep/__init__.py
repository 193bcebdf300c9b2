"""Measures every recipe of a grid on one corpus, sharing the work between them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import Executor

from chunklab.corpus import Corpus
from chunklab.embedders.base import Embedder
from chunklab.errors import ParamError
from chunklab.grid import Grid, parse_grid
from chunklab.metrics import CORE, checked_budgets, checked_ks, score_names
from chunklab.questions import check_questions
from chunklab.retrievers.base import Retriever
from chunklab.sweep.run import Sweep
from chunklab.sweep.work import Plan


def sweep(
    corpus: Corpus,
    grids: Grid | str | Iterable[str],
    embedder: Embedder,
    retriever: Retriever,
    ks: Iterable[int] = (1, 3, 5, 10),
    budgets: Iterable[int] = (),
    measures: Iterable[str] = CORE,
    *,
    tokenizer: str = "cl100k",
    tokens: bool = False,
    controls: bool = False,
    seed: int = 0,
    executor: Executor | None = None,
    path: str | os.PathLike[str] | None = None,
) -> Sweep:
    """A sweep that measures each setting of the grids once, while it is iterated over.

    Every setting's scores equal those of `evaluate`. Boundaries and what an additive embedder knows are
    found once a document; for other embedders each different text is encoded once over all settings.
    `tokens` counts tokens too, which budgets do anyway; `controls` adds chance and the ceiling.
    Without an `executor` all is done here, one setting after another. With one, of threads or of
    processes, the results are the same; they come in the order in which they are done, and the executor
    stays open. `path` is a file that keeps each setting as soon as it is done, and from which a sweep that
    was ended goes on. Raises ParamError, RecipeError and CorpusError for what cannot be read; iterating
    raises ChunklabError for a file that holds another sweep or is in use, which is left as it is.
    """
    ks, budgets, measures = checked_ks(ks), checked_budgets(budgets), tuple(measures)
    if not ks:
        raise ParamError("metrics", "k", "at least one whole number", [], "Use 1, 3, 5 or 10.")
    score_names(ks, budgets, measures)
    check_questions(corpus.questions, corpus.documents)
    grid = grids if isinstance(grids, Grid) else parse_grid(grids)
    plan = Plan(corpus, embedder, retriever, ks, budgets, measures, tokenizer, tokens, controls, seed)
    return Sweep(grid, plan, executor, path)
