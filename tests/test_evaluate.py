"""evaluate: hand-worked rankings, what is left out, the JSON of the command line, and the sample corpora."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from chunklab.chunking import chunk
from chunklab.corpus import Corpus, load_corpus
from chunklab.errors import ParamError
from chunklab.experiment import Evaluation, evaluate
from chunklab.recipe import parse_component
from chunklab.retrievers.base import Ranking
from chunklab.types import Document, Evidence, Question, Span

SAMPLES = Path(__file__).parent.parent / "sample_corpora"
HASHING = parse_component("embedders", "hashing()")
DENSE = parse_component("retrievers", "dense()")


@dataclass(frozen=True)
class Fixed:
    """A retriever that returns the same order of chunks for every question."""

    order: tuple[int, ...]

    def rank(self, embedder: object, queries: list[str], chunks_of_documents: list, k: int) -> Ranking:
        indices = np.tile(np.array(self.order[:k], dtype=np.int32), (len(queries), 1))
        return Ranking(indices, np.zeros(indices.shape))


def question(id: str, *places: tuple[str, int, int], kind: str = "") -> Question:
    return Question(
        id, f"{id}?", tuple(Evidence(name, Span(start, end)) for name, start, end in places), kind
    )


# fixed(size=10) cuts a into [0,10) [10,20) [20,30), numbers 0 to 2, and b into [0,10) [10,20), 3 and 4
CORPUS = Corpus(
    "two",
    (Document("a", "a" * 30), Document("b", "b" * 20)),
    (
        question("whole", ("b", 12, 18), kind="fact"),
        question("none"),
        question("split", ("a", 5, 15)),
        question("never", ("a", 25, 30)),
        question("both", ("a", 10, 15), ("b", 0, 5)),
    ),
)


@pytest.fixture
def evaluation() -> Evaluation:
    return evaluate(CORPUS, "fixed(size=10)", HASHING, Fixed((4, 1, 3)), (1, 2, 3))


def test_values_worked_by_hand(evaluation: Evaluation) -> None:
    assert evaluation.question_ids == ("whole", "split", "never", "both")
    assert evaluation.left_out == ("none",)
    assert (evaluation.chunks, evaluation.ks) == (5, (1, 2, 3))
    expected = {
        "hit_rate@1": [1, 0, 0, 0],
        "hit_rate@2": [1, 1, 0, 1],
        "document_hit_rate@1": [1, 0, 0, 1],
        "recall@2": [1, 0.5, 0, 0.5],
        "recall@3": [1, 0.5, 0, 1],
        "whole@3": [1, 0, 0, 1],
        "precision@2": [6 / 20, 5 / 20, 0, 5 / 20],
        "iou@2": [6 / 20, 5 / 25, 0, 5 / 25],
        "mrr": [1, 1 / 2, 0, 1 / 2],
    }
    for name, values in expected.items():
        assert evaluation.values[name] == pytest.approx(values), name
        assert evaluation.values[name].dtype == np.float64
    assert evaluation.means()["recall@3"] == pytest.approx(2.5 / 4)
    assert evaluation.ranks() == [1, 2, None, 2]


def test_rows_are_tidy(evaluation: Evaluation) -> None:
    rows = evaluation.rows()
    assert len(rows) == (6 * 3 + 1) * 4
    row = next(each for each in rows if (each.metric, each.k, each.question_id) == ("recall", 2, "split"))
    assert (row.recipe, row.embedder, row.value) == ("fixed(size=10)", "hashing()", 0.5)
    assert {each.k for each in rows if each.metric == "mrr"} == {evaluation.depth} == {100}


def test_json(evaluation: Evaluation) -> None:
    plain = json.loads(json.dumps(evaluation.to_json(per_question=True), allow_nan=False))
    assert plain["metrics"]["recall@2"] == {"mean": 0.5, "questions": 4}
    assert (plain["recipe"], plain["embedder"], plain["chunks"]) == ("fixed(size=10)", "hashing()", 5)
    assert plain["left_out"] == ["none"]
    first = plain["per_question"][0]
    assert (first["id"], first["kind"], first["rank"], first["recall@1"]) == ("whole", "fact", 1, 1.0)
    assert plain["per_question"][2]["rank"] is None
    assert "per_question" not in evaluation.to_json()


def test_what_the_reader_gets_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def widened(document: Document, recipe: object) -> object:
        chunks = chunk(document, recipe)
        chunks.returned = np.tile(np.array([[0, len(document.text)]], dtype=np.int32), (len(chunks), 1))
        return chunks

    monkeypatch.setattr("chunklab.experiment.chunk", widened)
    values = evaluate(CORPUS, "fixed(size=10)", HASHING, Fixed((0,)), (1,)).values
    assert values["recall@1"] == pytest.approx([0, 1, 1, 0.5])


@pytest.mark.parametrize("ks", [(0,), (5, -1), (1.5,), ()])
def test_a_k_that_is_not_allowed(ks: tuple) -> None:
    with pytest.raises(ParamError, match="k must be"):
        evaluate(CORPUS, "fixed(size=10)", HASHING, DENSE, ks)


@pytest.mark.parametrize(
    "corpus",
    [
        Corpus("no questions", (Document("a", "some text"),)),
        Corpus("no evidence", (Document("a", "some text"),), (question("none"),)),
        Corpus("no text", (Document("a", ""),)),
        Corpus("no documents", ()),
    ],
    ids=lambda corpus: corpus.name,
)
def test_nothing_to_measure(corpus: Corpus) -> None:
    evaluation = evaluate(corpus, "fixed(size=10)", HASHING, DENSE)
    assert set(evaluation.means().values()) == {None}
    assert evaluation.rows() == []
    json.dumps(evaluation.to_json(per_question=True), allow_nan=False)


def test_evidence_in_a_document_without_chunks_counts_as_zero() -> None:
    corpus = Corpus("blank", (Document("a", " " * 9), Document("b", "text")), (question("q", ("a", 0, 9)),))
    means = evaluate(corpus, "fixed(size=10)", HASHING, DENSE).means()
    assert means["recall@10"] == 0
    only = Corpus("blank", corpus.documents[:1], corpus.questions)
    assert evaluate(only, "fixed(size=10)", HASHING, DENSE).means()["recall@10"] == 0


@pytest.mark.parametrize("name", ["prose", "markdown", "mixed", "topics"])
def test_samples(name: str) -> None:
    corpus = load_corpus(SAMPLES / name)
    first, second = (evaluate(corpus, "recursive(size=400)", HASHING, DENSE) for _ in range(2))
    assert first.left_out == ()
    means = first.means()
    assert all(0 <= value <= 1 for value in means.values())
    assert means["recall@1"] < means["recall@10"]
    assert first.to_json(True) == second.to_json(True)


def test_one_chunk_each_finds_everything() -> None:
    corpus = load_corpus(SAMPLES / "prose")
    means = evaluate(corpus, "fixed(size=100000)", HASHING, DENSE, (1,)).means()
    assert math.isclose(means["recall@1"], 1)
    assert means["precision@1"] < 0.1


def test_question_order_does_not_matter() -> None:
    corpus = load_corpus(SAMPLES / "mixed")
    turned = Corpus("turned", corpus.documents, corpus.questions[::-1])
    one, other = (evaluate(each, "sentence()", HASHING, DENSE) for each in (corpus, turned))
    assert one.means() == pytest.approx(other.means())
