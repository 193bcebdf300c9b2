"""What the Compare page shows, as plain values: cuts and their changes, verdicts that flip, paired measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chunklab.agreement import top1_agreement
from chunklab.chunking import Chunks
from chunklab.corpus import Corpus
from chunklab.diff import TOLERANCE, diff
from chunklab.experiment import Evaluation
from chunklab.metrics import CORE, METRICS
from chunklab.reasons import Verdict, verdicts
from chunklab.recipe import Recipe, parse_component
from chunklab.stats import bootstrap_interval, corrected_together, in_words, paired
from chunklab.types import Document
from pages.ui.cache import chunks_of, controls_of, evaluation_of
from pages.ui.scene import VERDICTS
from pages.ui.state import View

LETTERS = "ABCD"
KEPT, MOVED, ADDED, GONE = range(4)
AGREEMENT = (
    "Agreement is the F1 of these cuts against those of A: 1 when all are the same, 0 when none is. A cut that moved is "
    f"not the same; one within {TOLERANCE} characters of a cut of A counts as moved, not as added and gone."
)


@dataclass(frozen=True)
class Side:
    """One recipe's evaluation over the corpus with a verdict on each question."""

    recipe: Recipe
    chunks: Sequence[Chunks]
    evaluation: Evaluation
    verdicts: tuple[Verdict, ...]


def sides(view: View, corpus: Corpus, recipes: Sequence[Recipe]) -> list[Side]:
    """The evaluation of each recipe; empty where the corpus has no question with evidence."""
    if not any(each.evidence for each in corpus.questions):
        return []
    embedder = parse_component("embedders", view.embedder)
    found = []
    for recipe in recipes:
        chunks = [chunks_of(document, str(recipe)) for document in corpus.documents]
        evaluation = evaluation_of(corpus, str(recipe), view.k, view.embedder, view.retriever)
        found.append(Side(recipe, chunks, evaluation, verdicts(evaluation, chunks, embedder, view.k)))
    return found


def frame(
    corpus: Corpus, document: Document, chunks: Sequence[Chunks], found: Sequence[Side]
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The head and the arrays of `compare_view`: the first recipe is what the others are held against."""
    base, arrays, recipes = chunks[0], {}, []
    changes = [diff(base, each) for each in chunks[1:]]
    for at, each in enumerate(chunks):
        facts = [f"{len(each):,} chunks"]
        if at:
            change = changes[at - 1]
            marks = [
                *((int(cut), KEPT, 0) for cut in change.kept),
                *((int(to), MOVED, int(old)) for old, to in change.moved),
                *((int(cut), ADDED, 0) for cut in change.added),
                *((int(cut), GONE, 0) for cut in change.gone),
            ]
            facts += [
                f"agreement with A {change.agreement:.2f}",
                f"{len(change.kept):,} kept, {len(change.moved):,} moved, {len(change.added):,} added, {len(change.gone):,} gone",
            ]
        else:
            marks = [(int(cut), KEPT, 0) for cut in each.spans[:-1, 1]]
        arrays[f"spans{at}"] = each.spans
        arrays[f"marks{at}"] = np.array(marks, dtype=np.int32).reshape(-1, 3)
        recipes.append(
            {"name": str(each.recipe), "facts": " · ".join(facts), "says": AGREEMENT if at else ""}
        )
    evidence = sorted(
        (part.span.start, part.span.end, question.id)
        for question in corpus.questions
        for part in question.evidence
        if part.document_id == document.id
    )
    for at, side in enumerate(found):
        status = {each.question_id: VERDICTS.index(each.status) for each in side.verdicts}
        arrays[f"verdicts{at}"] = np.array([status[id] for _, _, id in evidence], dtype=np.int32)
    arrays["evidence"] = np.array([place[:2] for place in evidence], dtype=np.int32).reshape(-1, 2)
    return {"doc": document.digest, "recipes": recipes}, arrays


def flips(corpus: Corpus, found: Sequence[Side]) -> list[dict[str, Any]]:
    """The questions whose status is not the same for all recipes, in their order."""
    known = {each.id: each for each in corpus.questions}
    rows = []
    for each in zip(*(side.verdicts for side in found), strict=True):
        if len({verdict.status for verdict in each}) < 2:
            continue
        question = known[each[0].question_id]
        worst = min(each, key=lambda verdict: VERDICTS.index(verdict.status))
        rows.append(
            {
                "id": question.id,
                "text": question.text,
                "kind": question.kind,
                "verdicts": [_said(verdict) for verdict in each],
                "statuses": [verdict.status for verdict in each],
                "why": f"{LETTERS[each.index(worst)]}: {worst.sentence}",
                "place": question.evidence[0],
            }
        )
    return rows


def _said(verdict: Verdict) -> str:
    return f"{verdict.status}, rank {verdict.rank}" if verdict.rank else verdict.status


def measures(found: Sequence[Side]) -> list[dict[str, Any]]:
    """One row a measure: each recipe's mean and interval, and the paired difference of the others from A."""
    names, pairs = _paired(found)
    rows = []
    for name in names:
        row: dict[str, Any] = {"measure": name}
        for at, side in enumerate(found):
            values = side.evaluation.value(name)
            row[LETTERS[at]] = f"{values.mean():.3f}{_interval(bootstrap_interval(values))}"
            if at:
                one = pairs[name, at]
                row[f"{LETTERS[at]} − A"] = (
                    f"{round(one.difference, 3) + 0.0:+.3f}{_interval((one.low, one.high))}"
                )
                row[f"p {LETTERS[at]}"] = round(one.adjusted, 3)
        row["what it says"] = METRICS[name.partition("@")[0]]
        rows.append(row)
    return rows


def held(view: View, corpus: Corpus, found: Sequence[Side]) -> list[dict[str, Any]]:
    """One row a recipe: recall and whole answers beside chance, one chunk per document, and the ceiling."""
    rows = []
    for at, side in enumerate(found):
        controls = controls_of(corpus, str(side.recipe), view.k, view.embedder, view.retriever)
        row: dict[str, Any] = {"": LETTERS[at]}
        for name in (f"recall@{view.k}", f"whole@{view.k}"):
            mean, low, high = controls.chance[name]
            row[name] = f"{side.evaluation.value(name).mean():.2f}"
            row[f"{name} by chance"] = f"{mean:.2f} [{low:.2f}, {high:.2f}]"
            row[f"{name}, one chunk per document"] = f"{controls.whole_document.value(name).mean():.2f}"
        row[f"ceiling of recall@{view.k}"] = f"{controls.ceiling[view.k].mean():.2f}"
        agreed = top1_agreement(found[0].evaluation, found[0].chunks, side.evaluation, side.chunks)
        row["same top result as A"] = f"{agreed.mean():.0%}"
        rows.append(row)
    return rows


def by_k(view: View, corpus: Corpus, found: Sequence[Side]) -> list[dict[str, Any]]:
    """One row a recipe: its chunks, and recall and whole answers at several k."""
    ks = sorted({1, 3, 5, 10, view.k})
    rows = []
    for at, side in enumerate(found):
        row: dict[str, Any] = {"": LETTERS[at], "recipe": str(side.recipe), "chunks": side.evaluation.chunks}
        every = {k: evaluation_of(corpus, str(side.recipe), k, view.embedder, view.retriever) for k in ks}
        for name in ("recall", "whole"):
            row |= {
                f"{name}@{k}": round(float(each.value(f"{name}@{k}").mean()), 3) for k, each in every.items()
            }
        rows.append(row)
    return rows


def slices(found: Sequence[Side], k: int) -> list[dict[str, Any]]:
    """One row for all questions, each kind and each document: how many, and every recipe's recall and whole answers."""
    questions = found[0].evaluation.questions
    groups = {"all": [True] * len(questions)}
    for kind in sorted({each.kind for each in questions if each.kind}):
        groups[f"kind: {kind}"] = [each.kind == kind for each in questions]
    for id in sorted({part.document_id for each in questions for part in each.evidence}):
        groups[f"document: {id}"] = [
            any(part.document_id == id for part in each.evidence) for each in questions
        ]
    rows = []
    for name, members in groups.items():
        chosen = np.array(members)
        row: dict[str, Any] = {"questions": name, "n": int(chosen.sum())}
        for measure in (f"recall@{k}", f"whole@{k}"):
            for at, side in enumerate(found):
                row[f"{measure} {LETTERS[at]}"] = round(
                    float(side.evaluation.value(measure)[chosen].mean()), 3
                )
        rows.append(row)
    return rows


def words(found: Sequence[Side], k: int) -> list[str]:
    """What may be said of each other recipe against A, by recall and by whole answers."""
    _, pairs = _paired(found)
    return [
        in_words("A", LETTERS[at], name, pairs[name, at])
        for at in range(1, len(found))
        for name in (f"recall@{k}", f"whole@{k}")
    ]


def _paired(found: Sequence[Side]) -> tuple[list[str], dict[tuple[str, int], Any]]:
    names = [name for name in found[0].evaluation.values if name.partition("@")[0] in CORE]
    keys = [(name, at) for name in names for at in range(1, len(found))]
    first = found[0].evaluation
    pairs = [paired(first.value(name), found[at].evaluation.value(name)) for name, at in keys]
    return names, dict(zip(keys, corrected_together(pairs), strict=True))


def _interval(ends: tuple[float | None, float | None] | None) -> str:
    return "" if ends is None or ends[0] is None else f" [{ends[0]:.2f}, {ends[1]:.2f}]"
