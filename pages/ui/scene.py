"""One state of the Inspect page as plain values: what the document view is sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from chunklab.chance import chance_recall
from chunklab.chunking import Chunks, asked_overlap, size_of
from chunklab.corpus import Corpus
from chunklab.coverage import duplication
from chunklab.embedded import context_notice, context_share
from chunklab.embedders.base import Embedder
from chunklab.experiment import Evaluation
from chunklab.limits import LIMITS, embedding_notices, limit_notice
from chunklab.metrics import METRICS, PLAIN, verdict
from chunklab.outline import outline_of
from chunklab.recipe import parse_component
from chunklab.scan import scan
from chunklab.stats import bootstrap_interval
from chunklab.tokens import tokenizer as offsets_of
from chunklab.types import Document
from chunklab.vector_cache import cache_notices
from chunklab.views.bins import bins
from pages.ui.cache import token_counts

MEASURED = ("recall", "whole")
VERDICTS = ("missed", "split", "whole")


@dataclass(frozen=True)
class Scene:
    """What one frame is made of; `live` frames, drawn while a slider is dragged, leave out the slower parts."""

    corpus: Corpus
    chunks: Chunks
    all_chunks: list[Chunks]
    evaluation: Evaluation | None
    k: int
    embedder: Embedder
    retriever: str
    model: str
    live: bool


def numbers(scene: Scene, before: dict[str, float]) -> tuple[list[dict[str, Any]], dict[str, float]]:
    """The strip of numbers, and the values that the next deltas are taken from."""
    chunks, unit = scene.chunks, scene.chunks.recipe.split.unit
    lengths, size = chunks.lengths, size_of(chunks.recipe)
    asked, got = asked_overlap(chunks.recipe), float(chunks.overlaps.mean()) if len(chunks) > 1 else 0.0
    extra = duplication(chunks.spans)
    strip = [
        number("chunks", "chunks", f"{len(chunks):,}", "How many chunks this document is cut into."),
        number("median", f"median {unit}", f"{_at(np.median, lengths):,.0f}", f"Half of the chunks have fewer {unit}."),
        number("longest", f"longest {unit}", f"{_at(np.max, lengths):,.0f}",
                f"The longest chunk in {unit}" + (f"; never over the size limit of {size:,}." if size else ".")),
        number("overlap", "overlap asked, got", f"{asked:,}, {got:,.0f}",
                f"Asked in {unit}; got is the mean over all joints, in characters. Cuts move to whole words, so it may be less."),
        number("repeated", "text repeated", f"+{extra:.0%}", "Characters stored more than once because of overlap, 0 % without."),
    ]  # fmt: skip
    other, ratio = conversion(chunks.document, unit, chunks.recipe.split.tokenizer)
    for each, length in ((strip[1], _at(np.median, lengths)), (strip[2], _at(np.max, lengths))):
        each["detail"] = f"≈ {length * ratio:,.0f} {other}"
    if scene.evaluation is not None and len(scene.evaluation.questions):
        cells, values = measured(scene, before)
        return strip + cells, values
    if scene.live and scene.corpus.questions:
        waits = f"Ranking every new chunk by {names_of(scene)} takes too long while dragging: let go."
        strip += [number(name, f"{name}@{scene.k}", "…", waits) for name in MEASURED]
    return strip, {}


def measured(
    scene: Scene, before: dict[str, float], names: tuple[str, ...] = MEASURED
) -> tuple[list[dict[str, Any]], dict[str, float]]:
    """The cells of the measures: the mean, its change and, for the first one, its interval and what chance gives."""
    cells, values = [], {}
    for name in names:
        first = name == names[0]
        metric = name if name in PLAIN else f"{name}@{scene.k}"
        scores = scene.evaluation.values[metric]
        values[metric] = float(scores.mean())
        interval = bootstrap_interval(scores) if first or not scene.live else None
        help = METRICS[name]
        if interval:
            help += f" Over {len(scores)} questions; 95 % interval {interval[0]:.2f} to {interval[1]:.2f}."
        if first and not scene.live:
            chance = chance_recall(scene.corpus.questions, scene.all_chunks, scene.k)
            help += f" A random ranking would reach {chance:.2f}."
        cell = number(name, metric, f"{values[metric]:.2f}", help)
        if first and interval:
            cell["detail"] = f"[{interval[0]:.2f}, {interval[1]:.2f}]".replace("0.", ".")
        change = values[metric] - before.get(metric, values[metric])
        if not scene.live and abs(change) >= 0.005:
            cell["delta"] = {"text": f"{change:+.2f}", "good": change > 0}
        cells.append(cell)
    return cells, values


def number(key: str, label: str, value: str, help: str) -> dict[str, Any]:
    """One cell of the strip."""
    return {"key": key, "label": label, "value": value, "help": help, "delta": None}


def _at(measure, lengths: np.ndarray) -> float:
    return float(measure(lengths)) if len(lengths) else 0.0


def histogram(scene: Scene) -> dict[str, Any] | None:
    """Bars of the lengths with the size limit and, where it counts the same tokens, the model's limit."""
    split, lengths = scene.chunks.recipe.split, scene.chunks.lengths
    if not len(lengths):
        return None
    size = size_of(scene.chunks.recipe)
    edges = bins(lengths, size)
    limit, tokenizer = LIMITS.get(scene.model, (None, ""))
    comparable = split.unit == "tokens" and split.tokenizer == tokenizer
    return {
        "edges": edges,
        "counts": np.histogram(lengths, edges)[0],
        "unit": split.unit,
        "limit": size or None,
        "model": limit if comparable else None,
        "model_label": "model",
    }


def questions(scene: Scene) -> tuple[list[dict[str, Any]], np.ndarray, np.ndarray]:
    """The list of questions with their verdicts, and this document's evidence: (m, 2) spans and (m,) verdicts."""
    evaluation = scene.evaluation
    rows: list[dict[str, Any]] = []
    spans: list[tuple[int, int]] = []
    verdicts: list[int] = []
    if evaluation is None:
        return rows, np.zeros((0, 2), np.int32), np.zeros(0, np.int32)
    tops = _places(scene)
    here = scene.chunks.document.id
    for question, ranked, rank in zip(evaluation.questions, tops, evaluation.ranks(), strict=True):
        found = []
        for part in question.evidence:
            places = [(each.document_id, each.span.start, each.span.end) for each in part.places]
            how = max(VERDICTS.index(verdict(place, ranked)) for place in places)
            for each in part.places:
                found.append((how, each))
                if each.document_id == here:
                    spans.append((each.span.start, each.span.end))
                    verdicts.append(how)
        best, place = max(found, key=lambda each: (each[1].document_id == here, each[0]))
        best = max(how for how, _ in found)
        inside = place.document_id == here
        rows.append(
            {
                "id": question.id,
                "text": question.text,
                "kind": question.kind,
                "verdict": VERDICTS[best],
                "rank": rank if rank and rank <= scene.k else None,
                "start": place.span.start if inside else None,
                "end": place.span.end if inside else None,
                "document": place.document_id,
                "at": place.span.start,
            }
        )
    order = np.argsort([start for start, _ in spans], kind="stable") if spans else []
    return rows, np.array(spans, np.int32).reshape(-1, 2)[order], np.array(verdicts, np.int32)[order]


def ranked_by(scene: Scene) -> str:
    """How many places of which ranking the verdicts look at."""
    names = [scene.retriever.partition("(")[0]]
    if names != ["bm25"]:
        names.append(scene.embedder.key())
    return " · ".join([f"top {scene.k}", *names])


def names_of(scene: Scene) -> str:
    """The retriever, and the embedder where it is asked, in words."""
    return " with ".join(ranked_by(scene).split(" · ")[1:])


def _places(scene: Scene) -> list[list[tuple[str, int, int]]]:
    """For each question its top k as (document id, start, end) of what the reader gets."""
    owners = [each.document.id for each in scene.all_chunks for _ in range(len(each))]
    returned = (
        np.concatenate([each.returned for each in scene.all_chunks]) if owners else np.zeros((0, 2), np.int32)
    )
    return [
        [(owners[at], *returned[at].tolist()) for at in row[: scene.k].tolist()]
        for row in scene.evaluation.ranking.indices
    ]


def notices(scene: Scene) -> list[str]:
    """Everything the reader should know about this document and these cuts, each a sentence."""
    said = [*scene.chunks.document.notices, *scene.corpus.notices, *scene.chunks.notices]
    if not scene.live:
        said += [
            *embedding_notices(scene.chunks, scene.embedder),
            *_of_ranking(scene),
            *cache_notices(),
            context_notice(context_share(scene.chunks, scene.chunks.recipe.split.tokenizer)),
        ]
    if scene.evaluation is None and not scene.live:
        said.append(
            "No marked answers: upload the text with a questions file, or open a sample, to see recall."
        )
    if scene.evaluation is not None and (ties := scene.evaluation.ties()[scene.k]):
        at = f"ranks {scene.k} and {scene.k + 1}"
        what = "1 question has" if ties == 1 else f"{ties} questions have"
        said.append(f"{what} equal scores at {at}: the order of the chunks decided.")
    if scene.model and not scene.live:
        limit, tokenizer = LIMITS[scene.model]
        said.append(limit_notice(token_counts(scene.chunks, tokenizer), limit))
    return [each for each in said if each]


def _of_ranking(scene: Scene) -> tuple[str, ...]:
    if scene.evaluation is None:
        return ()
    asked = [each.text for each in scene.evaluation.questions]
    retriever = parse_component("retrievers", scene.retriever)
    return retriever.notices(scene.embedder, asked, scene.all_chunks, scene.k)


def conversion(document: Document, unit: str, tokenizer: str) -> tuple[str, float]:
    """The other unit that a size is shown in, and how many of it one unit is on average in this document."""
    tokens = len(
        document.fact(("tokens", tokenizer), lambda: offsets_of(tokenizer).offsets(document.text))[0]
    )
    if unit == "tokens":
        return "chars", len(document.text) / max(tokens, 1)
    units = len(document.text) if unit == "chars" else len(scan(document).words[0])
    return "tok.", tokens / max(units, 1)


def headings(document: Document) -> list[tuple[int, int, str, int]]:
    """The outline's headings as (start, level, title, index of the heading above or -1)."""
    rows: list[tuple[int, int, str, int]] = []
    open_levels: list[int] = []
    for at, node in enumerate(outline_of(document).headings):
        while open_levels and rows[open_levels[-1]][1] >= node.level:
            open_levels.pop()
        rows.append((node.span.start, node.level, node.title, open_levels[-1] if open_levels else -1))
        open_levels.append(at)
    return rows
