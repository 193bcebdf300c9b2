"""What a number must be held against: a random ranking, no cutting at all, and the best these chunks allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chunklab.ceiling import ceiling
from chunklab.chunking import Chunks
from chunklab.corpus import Corpus
from chunklab.embedders.base import Embedder
from chunklab.errors import ParamError
from chunklab.experiment import Evaluation, evaluate
from chunklab.progress import tell
from chunklab.retrievers.base import Retriever
from chunklab.returned import place_numbers
from chunklab.scoring import score_rankings

WHOLE = "document()"
_AT_ONCE = 1_000_000
"""Ranks times tops that are scored at once."""


@dataclass(frozen=True, eq=False)
class Controls:
    """Beside an evaluation: `chance` by metric as (mean, low, high), `whole_document` and the `ceiling` by k.

    The mean is over `draws` random rankings of every question, seeded; 95 % of such rankings have a score
    from low to high, over as many questions. `ceiling` maps each k to (q,) float64, the best recall@k that
    any ranking of these chunks could reach.
    """

    chance: dict[str, tuple[float, float, float]]
    whole_document: Evaluation
    ceiling: dict[int, np.ndarray]
    seed: int
    draws: int

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON; a mean over no questions is null."""
        return {
            "seed": self.seed,
            "draws": self.draws,
            "chance": {
                name: dict(zip(("mean", "low", "high"), values, strict=True))
                for name, values in self.chance.items()
            },
            "whole_document": self.whole_document.means(),
            "ceiling": {
                f"recall@{k}": float(values.mean()) if len(values) else None
                for k, values in self.ceiling.items()
            },
        }


def controls(
    corpus: Corpus,
    chunks: Sequence[Chunks],
    evaluation: Evaluation,
    embedder: Embedder,
    retriever: Retriever,
    seed: int = 0,
    draws: int = 200,
) -> Controls:
    """The controls of an evaluation made with these chunks, embedder and retriever.

    A document longer than an embedder accepts is embedded by its beginning, where the embedder would
    refuse it. Raises ParamError unless there is at least one draw.
    """
    if getattr(embedder, "over", "") == "refuse":
        embedder = embedder.with_(over="truncate")
    whole = evaluate(
        corpus, WHOLE, embedder, retriever, evaluation.ks,
        budgets=evaluation.budgets, measures=_measures(evaluation), tokenizer=evaluation.tokenizer,
    )  # fmt: skip
    best = {k: ceiling(evaluation.questions, chunks, k) for k in evaluation.ks}
    return Controls(chance(evaluation, chunks, seed, draws), whole, best, seed, draws)


def chance(
    evaluation: Evaluation, chunks: Sequence[Chunks], seed: int = 0, draws: int = 200
) -> dict[str, tuple[float, float, float]]:
    """Metric -> (mean, low, high) of `draws` seeded random rankings of what the reader can get.

    Every metric of the evaluation, in its order; each returned place is ranked once, each question by a
    ranking of its own. low to high holds 95 % of the draws' means. Empty without questions.
    """
    if isinstance(draws, bool) or not isinstance(draws, int) or draws < 1:
        raise ParamError("controls", "draws", "a whole number of at least 1", draws, "Use 200.")
    asked = evaluation.questions
    if not asked:
        return {}
    random, places = np.random.default_rng(seed), _representatives(chunks)
    depth, tops = evaluation.ranking.indices.shape[1], len(evaluation.ks) + len(evaluation.budgets)
    at_once, means = max(1, _AT_ONCE // max(1, len(asked) * depth * tops)), []
    for done in range(0, draws, at_once):
        tell("random rankings", done, draws)
        some = min(at_once, draws - done)
        drawn = [random.choice(len(places), depth, replace=False) for _ in range(some * len(asked))]
        scores = score_rankings(
            asked * some, chunks, places[np.array(drawn, dtype=np.intp)], evaluation.ks, evaluation.budgets,
            _measures(evaluation), evaluation.tokenizer, evaluation.depth,
        )  # fmt: skip
        means.append([scores[name].reshape(some, len(asked)).mean(axis=1) for name in evaluation.values])
    tell("random rankings", draws, draws)
    table = np.concatenate(means, axis=1)
    low, high = np.quantile(table, [0.025, 0.975], axis=1)
    rows = zip(table.mean(axis=1).tolist(), low.tolist(), high.tolist(), strict=True)
    return dict(zip(evaluation.values, rows, strict=True))


def _measures(evaluation: Evaluation) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.partition("@")[0] for name in evaluation.values))


def _representatives(chunks: Sequence[Chunks]) -> np.ndarray:
    """The number of one chunk for each place that can be returned."""
    numbers = place_numbers(chunks)
    return np.arange(sum(map(len, chunks))) if numbers is None else np.unique(numbers, return_index=True)[1]
