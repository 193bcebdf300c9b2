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
from chunklab.errors import CorpusError, ParamError
from chunklab.eval_recall import eval_recall
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
    assert len(rows) == (8 * 3 + 1) * 4
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


def test_failure_is_what_recall_misses(evaluation: Evaluation) -> None:
    assert evaluation.value("recall@2") is evaluation.values["recall@2"]
    assert evaluation.value("failure@2") == pytest.approx([0, 0.5, 1, 0.5])
    for name in ("failure@7", "recall", "failure@", "nope@2"):
        with pytest.raises(
            ParamError, match=r"^evaluation: metric must be one of hit_rate@1, .*failure@"
        ) as caught:
            evaluation.value(name)
        assert repr(name) in str(caught.value)


def test_only_what_is_asked_is_measured() -> None:
    measures = ("mrr", "recall", "document_recall", "r_precision")
    found = evaluate(CORPUS, "fixed(size=10)", HASHING, DENSE, (1, 9), budgets=(2, 50), measures=measures)
    assert list(found.values) == [
        "recall@1", "recall@9", "recall@2tokens", "recall@50tokens", "mrr",
        "document_recall@1", "document_recall@9", "r_precision",
    ]  # fmt: skip
    assert (found.budgets, found.tokenizer) == ((2, 50), "cl100k")
    assert found.values["document_recall@9"].tolist() == [1, 1, 1, 1], "all chunks are ranked"
    assert found.value("failure@50tokens") == pytest.approx(1 - found.values["recall@50tokens"])
    rows = found.rows()
    assert len(rows) == 8 * 4
    assert {(row.metric, row.k) for row in rows} == {
        ("recall", 1), ("recall", 9), ("recall@tokens", 2), ("recall@tokens", 50), ("mrr", 100),
        ("document_recall", 1), ("document_recall", 9), ("r_precision", 100),
    }  # fmt: skip
    without = evaluate(CORPUS, "fixed(size=10)", HASHING, Fixed((4, 1, 3)), (1,), measures=("recall",))
    assert list(without.values) == ["recall@1"]
    assert without.ranks() == [1, 2, None, 2], "known although mrr is not asked for"


def test_a_budget_looks_as_deep_as_it_has_to() -> None:
    document = Document("a", "one two. " * 400)
    corpus = Corpus("deep", (document,), (question("last", ("a", 9 * 399, 9 * 400)),))
    order = Fixed(tuple(range(400)))
    found = evaluate(
        corpus, "fixed(size=9)", HASHING, order, (1,), budgets=(3, 300, 5000), measures=("recall", "mrr")
    )
    assert found.chunks == 400
    assert [found.values[f"recall@{budget}tokens"][0] for budget in (3, 300, 5000)] == [0, 0, 1]
    assert found.values["mrr"].tolist() == [0], "beyond the depth of the reciprocal rank"


def test_alternatives_count() -> None:
    either = Evidence("a", Span(25, 30), (Evidence("b", Span(12, 18)),))
    corpus = Corpus("two", CORPUS.documents, (Question("either", "?", (either,)),))
    found = evaluate(corpus, "fixed(size=10)", HASHING, Fixed((4, 1, 3)), (1,))
    assert {name: values.tolist() for name, values in found.values.items() if "precision" not in name} == {
        "hit_rate@1": [1], "document_hit_rate@1": [1], "recall@1": [1], "whole@1": [1], "all_evidence@1": [1],
        "iou@1": [0.6], "ndcg@1": [1], "mrr": [1],
    }  # fmt: skip
    assert found.ranks() == [1]


@pytest.mark.parametrize(
    ("questions", "says"),
    [
        ((question("q", ("a", 0, 5)), question("q", ("a", 0, 5))), "ids must differ, got 'q' twice"),
        ((question("q", ("c", 0, 5)),), "a document of the corpus, got 'c'. There are a, b."),
        ((question("q", ("b", 15, 21)),), "[0, 20), the length of b, got [15, 21)"),
    ],
)
def test_questions_that_cannot_be_scored(questions: tuple, says: str) -> None:
    with pytest.raises(CorpusError) as caught:
        evaluate(Corpus("two", CORPUS.documents, questions), "fixed(size=10)", HASHING, DENSE)
    assert says in str(caught.value)


def test_overlapping_evidence_is_counted_once() -> None:
    corpus = Corpus("two", CORPUS.documents, (question("q", ("a", 0, 20), ("a", 10, 30)),))
    found = evaluate(corpus, "fixed(size=10)", HASHING, Fixed((1, 0, 2)), (1, 2, 3))
    assert [found.values[f"recall@{k}"][0] for k in (1, 2, 3)] == pytest.approx([1 / 3, 2 / 3, 1])
    assert [found.values[f"precision@{k}"][0] for k in (1, 2, 3)] == [1, 1, 1]
    assert [found.values[f"ndcg@{k}"][0] for k in (1, 3)] == pytest.approx([1, 1])


def test_a_k_beyond_the_chunks_counts_all_of_them() -> None:
    found = evaluate(CORPUS, "fixed(size=10)", HASHING, DENSE, (5, 6, 1000))
    assert found.chunks == 5
    for name in ("hit_rate", "recall", "whole", "precision", "iou", "ndcg"):
        assert found.values[f"{name}@5"].tolist() == found.values[f"{name}@1000"].tolist()
    assert found.means()["recall@1000"] == 1
    assert found.ties()[1000] == 0


@pytest.mark.parametrize(
    ("name", "wrong"), [("budgets", (0,)), ("budgets", (2.5,)), ("measures", ("recal",))]
)
def test_budgets_and_measures_that_are_not_allowed(name: str, wrong: tuple) -> None:
    with pytest.raises(ParamError, match=r"^metrics: (budget|measures) must be"):
        evaluate(CORPUS, "fixed(size=10)", HASHING, DENSE, **{name: wrong})


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
        Corpus("one empty document", (Document("a", ""),), (question("none"),)),
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


def test_eval_recall_has_the_shape_of_the_exercises() -> None:
    corpus = load_corpus(SAMPLES / "prose")
    found = eval_recall("fixed(size=400)", SAMPLES / "prose", (1, 3, 5))
    means = evaluate(corpus, "fixed(size=400)", HASHING, DENSE, (1, 3, 5)).means()
    assert found == {k: means[f"hit_rate@{k}"] for k in (1, 3, 5)}
    assert all(type(k) is int and type(value) is float for k, value in found.items())
    assert json.loads(json.dumps(found)) == {str(k): value for k, value in found.items()}
    bm25 = eval_recall("fixed(size=400)", corpus, (1,), retriever="bm25()")
    assert bm25 == {
        1: evaluate(corpus, "fixed(size=400)", HASHING, parse_component("retrievers", "bm25()")).means()[
            "hit_rate@1"
        ]
    }


def test_eval_recall_takes_a_function() -> None:
    corpus = load_corpus(SAMPLES / "prose")

    def halves(text: str) -> list[tuple[int, int]]:
        middle = len(text) // 2
        return [(middle, len(text)), (0, middle)]

    assert eval_recall(halves, corpus, (2,)) == {2: 1.0}
    assert eval_recall(lambda text: [(0, 10)], corpus, (1, 2)) == {1: 0.0, 2: 0.0}
    assert eval_recall(lambda text: [], corpus, (1,)) == {1: 0.0}
    assert eval_recall("fixed()", Corpus("none", corpus.documents), (1,)) == {1: None}
    with pytest.raises(ParamError, match="k must be"):
        eval_recall("fixed()", corpus, (0,))
    with pytest.raises(ParamError, match="a function whose spans end by"):
        eval_recall(lambda text: [(0, len(text) + 1)], corpus, (1,))


def test_the_verdict_of_a_part_is_that_of_its_best_place() -> None:
    from pages.ui.scene import Scene, questions

    either = Evidence("a", Span(25, 30), (Evidence("b", Span(12, 18)), Evidence("a", Span(3, 5))))
    corpus = Corpus("two", CORPUS.documents, (Question("either", "?", (either,)), CORPUS.questions[3]))
    found = evaluate(corpus, "fixed(size=10)", HASHING, Fixed((4, 1)), (1,))
    chunks = [chunk(document, "fixed(size=10)") for document in corpus.documents]
    rows, spans, verdicts = questions(
        Scene(corpus, chunks[0], chunks, found, 1, HASHING, str(DENSE), "", live=False)
    )
    assert [row["verdict"] for row in rows] == ["whole", "missed"]
    assert spans.tolist() == [[3, 5], [25, 30], [25, 30]]
    assert sorted(verdicts.tolist()) == [0, 2, 2], "both places in this document, and the other question's"
