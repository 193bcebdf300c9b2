"""What a sweep measures: the corpus, the metric in words and as a name, and whether it may begin by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from chunklab.corpus import Corpus
from chunklab.grid import Grid
from chunklab.metrics import BUDGETED, CORE
from chunklab.recipe import Recipe, parse_component, parse_recipe
from chunklab.sweep import sweep
from chunklab.sweep.run import Sweep
from pages.ui.state import DEFAULT_RECIPE, View

KS = (1, 3, 5, 10)
BUDGET = 1000
CHEAP = 200
"""So many settings are swept without being asked for, where nothing has to be encoded by a model."""


@dataclass(frozen=True)
class Asked:
    """A corpus and what each setting is measured by."""

    corpus: Corpus
    embedder: str
    retriever: str
    ks: tuple[int, ...]
    budgets: tuple[int, ...]
    measures: tuple[str, ...] = CORE
    controls: bool = False

    @cached_property
    def key(self) -> tuple[object, ...]:
        """Equal for equal results of the same recipe."""
        settings = self.embedder, self.retriever, self.ks, self.budgets, self.measures, self.controls
        return self.corpus.digest, *settings

    def sweep(self, recipes: Iterable[Recipe]) -> Sweep:
        """A sweep over the recipes; raises ChunklabError where the embedder or the retriever cannot be had."""
        return sweep(
            self.corpus, Grid(tuple(recipes)), parse_component("embedders", self.embedder),
            parse_component("retrievers", self.retriever), self.ks, self.budgets, self.measures,
            tokens=True, controls=self.controls,
        )  # fmt: skip


def asked_by(view: View, corpus: Corpus) -> Asked:
    """What the view asks: every core measure at the usual ks, at its own k and at its budget."""
    ks = tuple(sorted({*KS, view.k}))
    return Asked(corpus, view.embedder, view.retriever, ks, (budget_of(view.metric) or BUDGET,))


def controls_by(view: View, asked: Asked) -> Asked:
    """The same for the view's metric alone, with what it is held against."""
    name, _, at = view.metric.partition("@")
    budgets = asked.budgets if at else ()
    return Asked(asked.corpus, asked.embedder, asked.retriever, (view.k,), budgets, (name,), True)


def budget_of(metric: str) -> int | None:
    """The budget that a view's metric names, in tokens."""
    at = metric.partition("@")[2].removesuffix("tokens")
    return int(at) if at else None


def metric_of(view: View) -> str:
    """The name of the scores that the view's metric means, "recall@5"."""
    return f"{view.metric}@{view.k}" if view.metric in BUDGETED else view.metric


def with_default(grid: Grid) -> tuple[Recipe, ...]:
    """The grid's recipes and the default one, which the best is held against."""
    default = parse_recipe(DEFAULT_RECIPE)
    return grid.recipes if default in grid.recipes else (*grid.recipes, default)


def cheap(view: View, recipes: Sequence[Recipe]) -> bool:
    """Whether a sweep may begin by itself: a sample, few settings, and no model that reads each chunk."""
    embedder = parse_component("embedders", view.embedder)
    by_meaning = {each.split.embedder for each in recipes if hasattr(each.split, "embedder")}
    return (
        view.source == "sample"
        and len(recipes) <= CHEAP
        and parse_component("retrievers", view.retriever).keeps_up(embedder)
        and not any(each.embed_as.makes_vectors for each in recipes)
        and all(parse_component("embedders", name).additive for name in by_meaning)
    )
