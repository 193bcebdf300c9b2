"""Cases about metrics: spans ranked against gold spans, scored by chunklab's metrics."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.case_model import Case, NotBuilt, Result

_DOCUMENT = "document"
_NAME_AT = re.compile(r"([a-z_ ]+?)(?:\s*@\s*k)?\s*=\s*(.*)", re.IGNORECASE | re.DOTALL)
# A name's own meaning, used where the case does not define it.
_BY_NAME = {
    "recall": "recall", "char_recall": "recall", "coverage": "recall",
    "hit_rate": "hit_rate", "hit": "hit_rate", "success": "hit_rate",
    "whole": "whole", "whole_hit": "whole", "containment": "whole",
    "precision": "precision", "char_precision": "precision",
    "iou": "iou", "char_iou": "iou", "jaccard": "iou", "mrr": "mrr",
    "document_hit_rate": "document_hit_rate", "document_recall": "document_hit_rate",
    "doc_hit_rate": "document_hit_rate", "doc_hit": "document_hit_rate", "doc_recall": "document_hit_rate",
}  # fmt: skip


def is_metrics(given: Any) -> bool:
    """True when a case's data is a ranking to be scored."""
    return isinstance(given, dict) and bool({"ranking", "scored", "queries", "questions"} & set(given))


def metrics_run(case: Case, given: dict[str, Any], settings: dict[str, Any]) -> Result:
    """Scores of every k that the case names; whatever is refused is kept as the error."""
    from tests.case_run import timed

    result = Result(case, settings=settings, facts={"notices": []})
    meanings = definitions(str(given.get("definition", "")))
    scored: dict[str, Any] = {}

    def work() -> None:
        scored.update(score(given, _ks(settings), meanings))

    result.seconds, result.error = timed(work)
    if result.error is not None:
        if isinstance(result.error, ValueError):
            result.facts["notices"] = [str(result.error)]
        return result
    result.facts |= scored
    result.facts["shuffled"] = lambda seed: score(shuffled(given, seed), _ks(settings), meanings)["metrics"]
    return result


def definitions(text: str) -> dict[str, str]:
    """What the case's own words make of a metric's name: name -> chunklab's name for it."""
    found = {}
    for part in text.split(";"):
        match = _NAME_AT.search(part)
        if match:
            name, words = match[1].strip().replace(" ", "_").lower(), match[2].lower()
            meaning = _by_words(words)
            if meaning:
                found[name] = meaning
    return found


def _by_words(words: str) -> str | None:
    if "discount" in words or "log" in words:
        return "ndcg"
    if "rank" in words and ("1/" in words or "1 /" in words or "reciprocal" in words):
        return "mrr of whole answers" if "whole" in words or "contain" in words else "mrr"
    over = words.rpartition("/")[2] if "/" in words else ""
    if over:
        if "gold" in over and (("union" in over and " or " in over) or "∪" in over):
            return "iou"
        return "recall" if "gold" in over else "precision"
    if "document" in words and "overlap" not in words:
        return "document_hit_rate"
    if "single" in words or "whole" in words or "contains a" in words or "one chunk" in words:
        return "whole"
    if "overlap" in words or "touch" in words or "intersect" in words or "any of" in words:
        return "hit_rate"
    return None


def score(given: dict[str, Any], ks: list[Any], meanings: dict[str, str]) -> dict[str, Any]:
    """Facts: metrics by the names a case may use, the ids left out, and ids counted although without gold."""
    from chunklab.metrics import mean_scores, question_scores

    questions = given.get("queries", given.get("questions"))
    single = questions is None
    rows = {"": given} if single else {str(each.get("id", at)): each for at, each in enumerate(questions)}
    scores = {
        id: question_scores([_place(each) for each in row.get("gold", ())], ranking(row), ks)
        for id, row in rows.items()
    }
    means = mean_scores(scores)
    built = question_scores([(_DOCUMENT, 0, 1)], [], ks)
    metrics: dict[str, Any] = {}
    for name in [*_BY_NAME, *meanings]:
        meaning = meanings.get(name, _BY_NAME.get(name))
        for at in [""] if meaning.startswith("mrr") else [f"@{k}" for k in ks]:
            if f"{meaning}{at}" not in built:
                continue
            value = means.values.get(f"{meaning}{at}")
            metrics[f"{name}{at}"] = metrics[f"mean_{name}{at}"] = value
            if meaning == "mrr":
                metrics.update({f"{prefix}{name}@{k}": value for prefix in ("", "mean_") for k in ks})
            for id in () if single else scores:
                metrics[f"{name}{at}[{id}]"] = scores[id].get(f"{meaning}{at}")
    without = [id for id, row in rows.items() if not row.get("gold")]
    return {
        "metrics": metrics,
        "skipped": list(means.left_out),
        "counted_without_gold": [id for id in without if id not in means.left_out],
        "numbers": [value for value in metrics.values() if value is not None],
    }


def ranking(row: dict[str, Any]) -> list[tuple[Any, int, int]]:
    """The retrieved places in rank order: as given, or as chunklab orders them by score."""
    if "scored" not in row:
        return [_place(each) for each in row.get("ranking", ())]
    from chunklab.discovery import components

    dense = components("retrievers").get("dense")
    if dense is None:
        raise NotBuilt("the dense retriever")
    items = sorted((_place(each), each["score"]) for each in row["scored"])
    given = GivenScores([[score for _, score in items]])
    order = dense().rank(given, ["the query"], [GivenChunks(items)], len(items)).indices[0]
    return [items[at][0] for at in order]


class GivenChunks(list):
    """Stands for the chunks of one document: their places in document order."""


class GivenScores:
    """Stands for an embedder: the similarities are those of the case."""

    additive = False

    def __init__(self, rows: list[list[float]]):
        self.rows = rows

    def similarities(self, queries: Sequence[str], chunks: Any) -> np.ndarray:
        """(q, n) float64, one column for each given chunk."""
        return np.array(self.rows, dtype=np.float64)


def shuffled(given: dict[str, Any], seed: int) -> dict[str, Any]:
    """The same data with what has no order of its own in another order."""
    out, mixer = dict(given), random.Random(seed)
    for name in ("scored", "gold", "queries", "questions"):
        if isinstance(out.get(name), list):
            out[name] = mixer.sample(out[name], len(out[name]))
    if "queries" in out or "questions" in out:
        name = "queries" if "queries" in out else "questions"
        out[name] = [shuffled(each, seed) for each in out[name]]
    return out


def _place(value: Any) -> tuple[Any, int, int]:
    if isinstance(value, dict):
        document = value.get("document", value.get("doc", _DOCUMENT))
        span = value.get("span", [value.get("start"), value.get("end")])
        return (document, *span)
    return tuple(value) if len(value) == 3 else (_DOCUMENT, *value)


def _ks(settings: dict[str, Any]) -> list[Any]:
    ks = settings.get("k", [1, 3, 5, 10])
    return ks if isinstance(ks, list) else [ks]
