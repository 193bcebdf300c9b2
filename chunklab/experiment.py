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
from chunklab.metrics import checked_ks, question_scores
from chunklab.recipe import Recipe, parse_recipe
from chunklab.retrievers.base import Ranking, Retriever
from chunklab.returned import rank_returned
from chunklab.types import Question, Score

MRR_DEPTH = 100
"""The reciprocal rank looks at this many results, or at the largest k if that is more."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What one recipe, embedder and retriever reach on a corpus.

    `fingerprint` names the embedder's vectors, whatever machine made them.
    `values` maps a metric's name, such as "recall@5", to a (q,) float64 array in the order of
    `questions`, which are those with evidence; `left_out` are the ids of the others. `ranking` has a
    row for each of `questions` and counts chunks over all documents, in their order; chunks that return
    the same span are there once, as the best of them.
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

    @property
    def question_ids(self) -> tuple[str, ...]:
        """The ids of the questions that were scored, in the order of every array."""
        return tuple(each.id for each in self.questions)

    @property
    def depth(self) -> int:
        """How many results were asked of the retriever, and looked at for mrr."""
        return max(*self.ks, MRR_DEPTH)

    def means(self) -> dict[str, float | None]:
        """Metric -> mean over the scored questions, None when there are none."""
        return {name: float(values.mean()) if len(values) else None for name, values in self.values.items()}

    def ranks(self) -> list[int | None]:
        """For each question the rank, from 1, of the first returned span that overlaps its evidence."""
        return [round(1 / value) if value else None for value in self.values["mrr"].tolist()]

    def ties(self) -> dict[int, int]:
        """k -> how many questions have equal scores at ranks k and k + 1, so that chunk order decided."""
        scores = self.ranking.scores
        return {
            k: int((scores[:, k - 1] == scores[:, k]).sum()) if k < scores.shape[1] else 0 for k in self.ks
        }

    def rows(self) -> list[Score]:
        """One Score for each metric, k and question; the k of mrr is the depth it looked at."""
        rows = []
        for name, values in self.values.items():
            metric, _, k = name.partition("@")
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
) -> Evaluation:
    """The scores of a recipe on a corpus's questions, by what the reader gets: each chunk's `returned` span.

    Ranks and k count different returned spans, so k parents are k, whatever the number of their chunks.
    `chunks`, when they are at hand, are those of each document by this recipe. Raises ParamError for a k below 1, and what reading the recipe raises.
    """
    ks = checked_ks(ks)
    if not ks:
        raise ParamError("metrics", "k", "at least one whole number", list(ks), "Use 1, 3, 5 or 10.")
    recipe = parse_recipe(recipe) if isinstance(recipe, str) else recipe
    asked = tuple(each for each in corpus.questions if each.evidence)
    if chunks is None:
        chunks = [chunk(document, recipe) for document in corpus.documents]
    queries = [each.text for each in asked]
    ranking = rank_returned(retriever, embedder, queries, chunks, max(*ks, MRR_DEPTH))

    documents = np.repeat(np.arange(len(chunks)), [len(each) for each in chunks])
    returned = np.concatenate([np.empty((0, 2), np.int32), *(each.returned for each in chunks)])
    index = {document.id: at for at, document in enumerate(corpus.documents)}
    scores = []
    for question, row in zip(asked, ranking.indices, strict=True):
        evidence = [(index[each.document_id], each.span.start, each.span.end) for each in question.evidence]
        found = zip(documents[row].tolist(), *returned[row].T.tolist(), strict=True)
        scores.append(question_scores(evidence, list(found), ks))
    names = question_scores([(0, 0, 1)], [], ks)
    return Evaluation(
        recipe=str(recipe),
        embedder=str(embedder),
        fingerprint=embedder.fingerprint,
        retriever=str(retriever),
        chunks=len(documents),
        ks=ks,
        questions=asked,
        values={name: np.array([each[name] for each in scores], dtype=np.float64) for name in names},
        left_out=tuple(each.id for each in corpus.questions if not each.evidence),
        ranking=ranking,
    )
