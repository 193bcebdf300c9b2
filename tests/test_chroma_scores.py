"""The Chroma report's scores: worked by hand, and equal to its own code's values for every question."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from chunklab import chroma
from chunklab.chunking import chunk
from chunklab.corpus import Corpus
from chunklab.experiment import evaluate
from chunklab.recipe import parse_component
from chunklab.types import Document, Evidence, Question, Span

SHARED = Path(__file__).resolve().parents[2] / "shared"
REFERENCE, DATA = SHARED / "reference" / "chroma", SHARED / "data" / "chroma"
CONFIGURATIONS = ("recursive-cl100k_200_0", "recursive-wordpiece_250_0", "token-cl100k_200_0")


def test_lengths_are_summed_and_other_documents_count() -> None:
    gold = [("a", 10, 30), ("a", 50, 60)]
    retrieved = [("a", 0, 20), ("a", 10, 40), ("b", 0, 50), ("a", 45, 65)]
    assert chroma.scores(gold, retrieved, 2) == (20 / 30, 20 / 50, 20 / (50 + 10))
    assert chroma.scores(gold, retrieved, 3) == (20 / 30, 20 / 100, 20 / 110)
    assert chroma.scores(gold, retrieved) == (1, 30 / 120, 30 / 120)
    assert chroma.scores(gold, [("b", 10, 30)]) == (0, 0, 0)
    assert chroma.scores(gold, []) == (0, 0, 0)


def test_touching_counts_in_precision_omega() -> None:
    gold, chunks = np.array([[10, 20]]), np.array([[0, 10], [10, 16], [12, 18], [20, 25], [26, 30]])
    assert chroma.touching(gold, chunks).tolist() == [True, True, True, True, False]
    assert chroma.precision_omega(gold, chunks) == 8 / (10 + 8 + 5 + 2)
    assert chroma.precision_omega(gold, chunks[4:]) == 0


Place = tuple[str, int, int]


@cache
def gold_of_questions() -> list[list[Place]]:
    with (DATA / "questions_df.csv").open(encoding="utf-8", newline="") as file:
        return [
            [
                (row["corpus_id"], each["start_index"], each["end_index"])
                for each in json.loads(row["references"])
            ]
            for row in csv.DictReader(file)
        ]


@pytest.mark.skipif(not REFERENCE.exists(), reason="the reference values are not here")
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_every_question_has_the_value_of_their_code(configuration: str) -> None:
    with (REFERENCE / configuration / "chunks.csv").open(encoding="utf-8", newline="") as file:
        places = [
            (row["corpus_id"], int(row["start_found"]), int(row["end_found"])) for row in csv.DictReader(file)
        ]
    spans_of = {
        name: np.array([each[1:] for each in places if each[0] == name])
        for name in {each[0] for each in places}
    }
    rows = [
        json.loads(line) for line in (REFERENCE / configuration / "retrieved.jsonl").open(encoding="utf-8")
    ]
    assert len(rows) == 472
    for row in rows:
        gold, spans = gold_of_questions()[row["q"]], spans_of[row["corpus"]]
        for order, at_5 in (("exact_top20", "exact_k5"), ("hnsw_top20", "hnsw_k5")):
            found = chroma.scores(gold, [places[at] for at in row[order]], 5)
            assert found == pytest.approx(
                (row[at_5]["recall"], row[at_5]["precision"], row[at_5]["iou"]), abs=1e-9
            )
        evidence = np.array([each[1:] for each in gold])
        assert chroma.precision_omega(evidence, spans) == pytest.approx(row["precision_omega"], abs=1e-9)
        assert chroma.touching(evidence, spans).sum() == row["min_k"]


def test_evaluate_measures_them() -> None:
    text = "Pears are sweet. Plums are blue. Quinces are hard. "
    corpus = Corpus(
        "fruit",
        (Document("a", text), Document("b", text[:33])),
        (
            Question("one", "Which fruit is blue?", (Evidence("a", Span(17, 32)),)),
            Question("two", "hard or sweet", (Evidence("a", Span(34, 49)), Evidence("b", Span(0, 16)))),
            Question("end", "What is hard?", (Evidence("a", Span(33, 51)),)),
        ),
    )
    hashing, dense = parse_component("embedders", "hashing()"), parse_component("retrievers", "dense()")
    measures = ("chroma_precision", "chroma_iou", "precision_omega")
    evaluation = evaluate(corpus, "fixed(size=12,overlap=6)", hashing, dense, (1, 3), measures=measures)
    assert list(evaluation.values) == [
        "chroma_precision@1", "chroma_precision@3", "chroma_iou@1", "chroma_iou@3", "precision_omega"
    ]  # fmt: skip
    chunks = [chunk(document, "fixed(size=12,overlap=6)") for document in corpus.documents]
    places = [(each.document.id, *span) for each in chunks for span in each.spans.tolist()]
    for at, question in enumerate(corpus.questions):
        gold = [(each.document_id, each.span.start, each.span.end) for each in question.evidence]
        ranked = [places[index] for index in evaluation.ranking.indices[at]]
        for k in (1, 3):
            expected = chroma.scores(gold, ranked, k)[1:]
            names = (f"chroma_precision@{k}", f"chroma_iou@{k}")
            assert tuple(evaluation.values[name][at] for name in names) == expected
    one = np.array([[17, 32]])
    assert evaluation.values["precision_omega"][0] == chroma.precision_omega(one, chunks[0].spans)
    assert 0 < evaluation.values["precision_omega"][1] < 1
    # what starts the next document does not touch what ends the one before
    end = np.array([[33, 51]])
    assert evaluation.values["precision_omega"][2] == chroma.precision_omega(end, chunks[0].spans)
