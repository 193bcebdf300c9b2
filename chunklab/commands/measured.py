"""One recipe's result as plain values: every question's scores, intervals, times and, on demand, controls."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from chunklab.commands.base import counted

if TYPE_CHECKING:
    import numpy as np

    from chunklab.chunking import Chunks
    from chunklab.commands.asked import Asked
    from chunklab.experiment import Evaluation
    from chunklab.recipe import Recipe


def measured(asked: Asked, recipe: Recipe) -> dict[str, Any]:
    """What `Evaluation.to_json` gives with its questions, and `low` and `high` of each mean, and `seconds`."""
    from chunklab.chunking import chunk
    from chunklab.experiment import evaluate

    began = time.perf_counter()
    chunks = [chunk(document, recipe) for document in asked.corpus.documents]
    cut = time.perf_counter()
    evaluation = evaluate(
        asked.corpus, recipe, asked.embedder, asked.retriever, asked.ks, chunks, asked.budgets, asked.measures
    )
    seconds = {"chunking": cut - began, "retrieval": time.perf_counter() - cut}
    result = evaluation.to_json(per_question=True) | {"seconds": seconds}
    result["metrics"] = _summaries(evaluation.values, asked.seed)
    result["notices"] = list(dict.fromkeys(_notices(asked, evaluation, chunks)))
    return result | (_controlled(asked, evaluation, chunks, result["per_question"]) if asked.controls else {})


def _notices(asked: Asked, evaluation: Evaluation, chunks: list[Chunks]) -> Iterator[str]:
    """What happened while cutting, what the model does not read, what the retriever leaves out, and ties."""
    from chunklab.limits import embedding_notices

    for each in chunks:
        yield from each.notices
        if asked.retriever.uses_vectors:
            yield from embedding_notices(each, asked.embedder)
    queries = [each.text for each in evaluation.questions]
    yield from asked.retriever.notices(asked.embedder, queries, chunks, evaluation.depth)
    ties = [f"{counted(count, 'question')} at k = {k}" for k, count in evaluation.ties().items() if count]
    if ties:
        yield f"The order of the chunks decided between equal scores: {', '.join(ties)}."


def _controlled(
    asked: Asked, evaluation: Evaluation, chunks: list[Chunks], rows: list[dict[str, Any]]
) -> dict[str, Any]:
    """What chance, whole documents and any retriever reach, and why answers are not whole, told in the rows too."""
    from chunklab.controls import controls
    from chunklab.reasons import REASONS, verdicts

    reasons = {}
    for k in asked.ks:
        told = verdicts(evaluation, chunks, asked.embedder, k)
        counts = Counter(each.reason for each in told)
        reasons[f"@{k}"] = {"whole": counts[""], **{name: counts[name] for name in REASONS}}
        for row, each in zip(rows, told, strict=True):
            row.setdefault("reasons", {})[f"@{k}"] = each.reason
    found = controls(asked.corpus, chunks, evaluation, asked.embedder, asked.retriever, seed=asked.seed)
    chance = {
        name: dict(zip(("mean", "low", "high"), each, strict=True)) for name, each in found.chance.items()
    }
    return {
        "controls": {
            "chance": chance,
            "whole_document": _summaries(found.whole_document.values, asked.seed),
            "ceiling": _summaries({f"ceiling@{k}": each for k, each in found.ceiling.items()}, asked.seed),
            "draws": found.draws,
        },
        "reasons": reasons,
    }


def _summaries(values: dict[str, np.ndarray], seed: int) -> dict[str, dict[str, Any]]:
    return {name: summary(each, seed) for name, each in values.items()}


def summary(values: np.ndarray, seed: int) -> dict[str, Any]:
    """The mean, over how many questions, and its 95 % interval, None below two."""
    from chunklab.stats import bootstrap_interval

    low, high = bootstrap_interval(values, seed=seed) or (None, None)
    mean = float(values.mean()) if len(values) else None
    return {"mean": mean, "questions": len(values), "low": low, "high": high}
