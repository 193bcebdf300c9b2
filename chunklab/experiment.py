"""Runs a recipe over a corpus and measures what a retriever finds of the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chunklab.chunking import Chunks, chunk
from chunklab.corpus import Corpus
from chunklab.embedders.base import Embedder
from chunklab.errors import ParamError
from chunklab.line import Line
from chunklab.metrics import CORE, OF_DOCUMENTS, checked_budgets, checked_ks, score_names
from chunklab.questions import check_questions
from chunklab.recipe import Recipe, parse_recipe
from chunklab.retrievers.base import Ranking, Retriever
from chunklab.returned import rank_returned
from chunklab.scoring import score_rankings
from chunklab.types import Question, Score

MRR_DEPTH = 100
"""The reciprocal rank looks at this many results, or at the largest k if that is more."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What one recipe, embedder and retriever reach on a corpus.

    `fingerprint` names the embedder's vectors, whatever machine made them.
    `values` maps a metric's name, such as "recall@5" or, at a budget, "recall@500tokens", to a (q,)
    float64 array in the order of `questions`, which are those with evidence; `left_out` are the ids of
    the others. `ranking` has a row for each of `questions` and counts chunks over all documents, in their
    order; chunks that return the same span are there once, as the best of them. `first` are the ranks of
    `ranks`. `tokenizer` is the one that budgets are counted with.
    """

    recipe: str
    embedder: str
    fingerprint: str
    retriever: str
    chunks: int
    ks: tuple[int, ...]
    questions: tuple[Question, ...]
    values: dict[str, np.ndarray]
    left_out: tuple[str, ...]
    ranking: Ranking = field(repr=False)
    first: Sequence[int | None] = field(repr=False)
    budgets: tuple[int, ...] = ()
    tokenizer: str = "cl100k"

    @property
    def question_ids(self) -> tuple[str, ...]:
        """The ids of the questions that were scored, in the order of every array."""
        return tuple(each.id for each in self.questions)

    @property
    def depth(self) -> int:
        """How many results were looked at for mrr."""
        return max(*self.ks, MRR_DEPTH)

    def means(self) -> dict[str, float | None]:
        """Metric -> mean over the scored questions, None when there are none."""
        return {name: float(values.mean()) if len(values) else None for name, values in self.values.items()}

    def ranks(self) -> list[int | None]:
        """For each question the rank, from 1, of the first returned span that overlaps its evidence."""
        return list(self.first)

    def value(self, name: str) -> np.ndarray:
        """(q,) the values of a metric, also of "failure@5", which is 1 - recall@5.

        Raises ParamError for a metric that was not measured.
        """
        if name in self.values:
            return self.values[name]
        recall = f"recall@{name.removeprefix('failure@')}"
        if name.startswith("failure@") and recall in self.values:
            return 1 - self.values[recall]
        known = ", ".join([*self.values, "and failure@ in place of recall@"])
        raise ParamError("evaluation", "metric", f"one of {known}", name, "Measure it, or correct the name.")

    def ties(self) -> dict[int, int]:
        """k -> how many questions have equal scores at ranks k and k + 1, so that chunk order decided."""
        scores = self.ranking.scores
        return {
            k: int((scores[:, k - 1] == scores[:, k]).sum()) if k < scores.shape[1] else 0 for k in self.ks
        }

    def rows(self) -> list[Score]:
        """One Score for each metric, k and question; the k of mrr is the depth it looked at.

        At a budget the metric is "recall@tokens" and k is the budget.
        """
        rows = []
        for name, values in self.values.items():
            metric, _, k = name.partition("@")
            if k.endswith("tokens"):
                metric, k = f"{metric}@tokens", k.removesuffix("tokens")
            for id, value in zip(self.question_ids, values.tolist(), strict=True):
                rows.append(
                    Score(self.recipe, self.embedder, self.retriever, metric, int(k or self.depth), id, value)
                )
        return rows

    def to_json(self, per_question: bool = False) -> dict[str, Any]:
        """Plain data for JSON, numbers finite; `rank` is null where no result overlaps the evidence."""
        count = len(self.questions)
        result: dict[str, Any] = {
            "recipe": self.recipe,
            "embedder": self.embedder,
            "retriever": self.retriever,
            "chunks": self.chunks,
            "metrics": {name: {"mean": mean, "questions": count} for name, mean in self.means().items()},
            "fingerprint": self.fingerprint,
            "left_out": list(self.left_out),
            "ties": {f"@{k}": count for k, count in self.ties().items()},
        }
        if self.budgets:
            result["tokenizer"] = self.tokenizer
        if per_question:
            columns = {name: values.tolist() for name, values in self.values.items()}
            result["per_question"] = [
                {"id": question.id, "kind": question.kind}
                | {name: column[at] for name, column in columns.items()}
                | {"rank": rank}
                for at, (question, rank) in enumerate(zip(self.questions, self.ranks(), strict=True))
            ]
        return result


def evaluate(
    corpus: Corpus,
    recipe: Recipe | str,
    embedder: Embedder,
    retriever: Retriever,
    ks: Iterable[int] = (1, 3, 5, 10),
    chunks: Sequence[Chunks] | None = None,
    budgets: Iterable[int] = (),
    measures: Iterable[str] = CORE,
    tokenizer: str = "cl100k",
) -> Evaluation:
    """The scores of a recipe on a corpus's questions, by what the reader gets: each chunk's `returned` span.

    Ranks and k count different returned spans, so k parents are k, whatever the number of their chunks.
    `chunks`, when they are at hand, are those of each document by this recipe. At a budget of tokens,
    counted by `tokenizer`, places are taken in rank order and the one that passes it is cut to what fits.
    Raises ParamError for a k, budget or measure that is not allowed, CorpusError for evidence that lies in
    no document or for ids that come twice, and what reading the recipe raises.
    """
    ks, budgets, measures = checked_ks(ks), checked_budgets(budgets), tuple(measures)
    score_names(ks, budgets, measures)
    check_questions(corpus.questions, corpus.documents)
    if not ks:
        raise ParamError("metrics", "k", "at least one whole number", list(ks), "Use 1, 3, 5 or 10.")
    recipe = parse_recipe(recipe) if isinstance(recipe, str) else recipe
    asked = tuple(each for each in corpus.questions if each.evidence)
    if chunks is None:
        chunks = [chunk(document, recipe) for document in corpus.documents]
    queries = [each.text for each in asked]
    ranking = rank_returned(
        retriever, embedder, queries, chunks, _depth(ks, budgets, measures, tokenizer, chunks)
    )
    values = score_rankings(
        asked, chunks, ranking.indices, ks, budgets, {*measures, "mrr"}, tokenizer, depth=max(*ks, MRR_DEPTH)
    )
    first = [round(1 / value) if value else None for value in values["mrr"].tolist()]
    return Evaluation(
        recipe=str(recipe),
        embedder=str(embedder),
        fingerprint=embedder.fingerprint,
        retriever=str(retriever),
        chunks=sum(map(len, chunks)),
        ks=ks,
        questions=asked,
        values={name: values[name] for name in score_names(ks, budgets, measures)},
        left_out=tuple(each.id for each in corpus.questions if not each.evidence),
        ranking=ranking,
        first=first,
        budgets=budgets,
        tokenizer=tokenizer,
    )


def _depth(
    ks: Sequence[int],
    budgets: Sequence[int],
    measures: Iterable[str],
    tokenizer: str,
    chunks: Sequence[Chunks],
) -> int:
    """How many places have to be ranked: for a measure of documents all, since most may be of one document."""
    needed = [*ks, MRR_DEPTH]
    if budgets:
        needed.append(Line(chunks).depth(budgets, tokenizer))
    if set(measures) & set(OF_DOCUMENTS):
        needed.append(sum(map(len, chunks)))
    return max(needed)
