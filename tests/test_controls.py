"""What numbers are held against: random rankings, whole documents and the ceiling."""

from __future__ import annotations

import json
import sys
from itertools import permutations

import numpy as np
import pytest

from chunklab.ceiling import ceiling
from chunklab.chance import chance_recall
from chunklab.chunking import chunk
from chunklab.controls import chance, controls
from chunklab.corpus import Corpus, load_corpus
from chunklab.errors import ParamError
from chunklab.experiment import Evaluation, evaluate
from chunklab.metrics import question_scores
from chunklab.progress import listening
from chunklab.recipe import parse_component
from chunklab.scoring import score_rankings
from chunklab.types import Document, Evidence, Question, Span
from tests.test_retrieval import SAMPLES

module = sys.modules["chunklab.controls"]
HASHING, DENSE = parse_component("embedders", "hashing()"), parse_component("retrievers", "dense()")
RECIPES = ["recursive(size=200)", "fixed(size=150,overlap=50)", "sentence(n=1) | itself() | window()",
           "recursive(size=120) | itself() | parent(size=500)"]  # fmt: skip


def made(corpus: Corpus, recipe: str, **settings: object) -> tuple[Evaluation, list]:
    chunks = [chunk(each, recipe) for each in corpus.documents]
    return evaluate(corpus, recipe, HASHING, DENSE, chunks=chunks, **settings), chunks


def small() -> Corpus:
    """Four places of ten characters and two questions, one of two parts."""
    questions = (
        Question("one", "?", (Evidence("a", Span(12, 18)),)),
        Question("two", "?", (Evidence("a", Span(5, 15)), Evidence("b", Span(2, 4)))),
    )
    return Corpus("small", (Document("a", "a" * 30), Document("b", "b" * 10)), questions)


@pytest.mark.parametrize("name", ["markdown", "prose", "topics"])
@pytest.mark.parametrize("recipe", RECIPES)
def test_the_exact_chance_lies_inside_and_near_the_mean(name: str, recipe: str) -> None:
    corpus = load_corpus(SAMPLES / name)
    evaluation, chunks = made(corpus, recipe)
    found = chance(evaluation, chunks)
    assert list(found) == list(evaluation.values)
    for k in evaluation.ks:
        mean, low, high = found[f"recall@{k}"]
        exact = chance_recall(corpus.questions, chunks, k)
        assert low <= exact <= high and low <= mean <= high
        assert mean == pytest.approx(exact, abs=4 * (high - low) / 4 / 200**0.5 + 0.002)


def test_every_measure_is_the_mean_over_all_orders() -> None:
    evaluation, chunks = made(small(), "fixed(size=10)", ks=(1, 2), budgets=(3,))
    found = chance(evaluation, chunks, draws=4000)
    places = [("a", 0, 10), ("a", 10, 20), ("a", 20, 30), ("b", 0, 10)]
    totals: dict[str, list[float]] = {}
    for question in evaluation.questions:
        gold = [(each.document_id, each.span.start, each.span.end) for each in question.evidence]
        for order in permutations(places):
            for name, value in question_scores(gold, list(order), (1, 2)).items():
                totals.setdefault(name, []).append(value)
    assert {name for name in found if not name.endswith("tokens")} == set(totals)
    for name, values in totals.items():
        assert found[name][0] == pytest.approx(np.mean(values), abs=0.02), name
    assert 0 < found["recall@3tokens"][0] < found["recall@2"][0]


@pytest.mark.parametrize("recipe", RECIPES)
def test_each_returned_place_is_ranked_once(recipe: str, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = load_corpus(SAMPLES / "markdown")
    evaluation, chunks = made(corpus, recipe, ks=(1, 3))
    scored = []

    def seen(questions: tuple, chunks: list, indices: np.ndarray, *settings: object) -> dict[str, np.ndarray]:
        scored.append(indices)
        return score_rankings(questions, chunks, indices, *settings)

    monkeypatch.setattr(module, "score_rankings", seen)
    chance(evaluation, chunks)
    places = np.concatenate([each.returned for each in chunks])
    different = len(np.unique(places, axis=0))
    rows = np.concatenate(scored)
    assert rows.shape == (200 * len(corpus.questions), min(100, different))
    assert all(len(np.unique(places[row], axis=0)) == len(row) for row in rows)
    assert len(np.unique(rows[:, 0])) == different, "every place comes first at some time"


def test_draws_are_seeded_and_the_same_in_any_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation, chunks = made(small(), "fixed(size=10)")
    first = chance(evaluation, chunks, draws=50)
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(module, "_AT_ONCE", 300)
    with listening(lambda what, done, total: told.append((done, total))):
        again = chance(evaluation, chunks, draws=50)
    assert all(again[name] == pytest.approx(values) for name, values in first.items())
    assert told[0] == (0, 50) and told[-1] == (50, 50) and len(told) > 4
    assert chance(evaluation, chunks, seed=1, draws=50) != first


def test_all_controls_of_an_evaluation() -> None:
    corpus = load_corpus(SAMPLES / "mixed")
    evaluation, chunks = made(corpus, RECIPES[0], budgets=(200,))
    found = controls(corpus, chunks, evaluation, HASHING, DENSE, seed=3, draws=30)
    whole = evaluate(corpus, "document()", HASHING, DENSE, budgets=(200,))
    assert found.whole_document.recipe == "document()" and found.whole_document.chunks == len(
        corpus.documents
    )
    assert found.whole_document.means() == whole.means() and list(whole.values) == list(evaluation.values)
    for k in evaluation.ks:
        assert found.ceiling[k].tolist() == ceiling(evaluation.questions, chunks, k).tolist()
        assert (evaluation.values[f"recall@{k}"] <= found.ceiling[k] + 1e-9).all()
    plain = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert (plain["seed"], plain["draws"]) == (3, 30) and set(plain["chance"]) == set(evaluation.values)
    assert plain["chance"]["recall@5"]["low"] <= plain["chance"]["recall@5"]["mean"]
    assert plain["ceiling"]["recall@10"] == pytest.approx(found.ceiling[10].mean())
    assert plain["whole_document"]["recall@1"] == 1


def test_one_chunk_for_each_document_hits_every_time_and_its_precision_tells() -> None:
    """A corpus of one document: hit rate and recall are 1 whoever ranks, so they must not rank it first."""
    corpus = load_corpus(SAMPLES / "prose")
    evaluation, chunks = made(corpus, "document()", ks=(1,))
    found = controls(corpus, chunks, evaluation, HASHING, DENSE, draws=10)
    for name in ("hit_rate@1", "document_hit_rate@1", "recall@1", "whole@1"):
        assert evaluation.means()[name] == found.chance[name][1] == 1
    assert evaluation.means()["precision@1"] == found.chance["precision@1"][0] < 0.05


def test_an_embedder_that_refuses_long_chunks_reads_their_beginning() -> None:
    embedder = parse_component("embedders", "minilm(over=refuse)")
    text = "The gate opens at seven. " * 80
    corpus = Corpus(
        "c", (Document("a", text),), (Question("q", "When does it open?", (Evidence("a", Span(0, 24)),)),)
    )
    chunks = [chunk(corpus.documents[0], "fixed(size=400)")]
    evaluation = evaluate(corpus, "fixed(size=400)", embedder, DENSE, (1,), chunks)
    found = controls(corpus, chunks, evaluation, embedder, DENSE, draws=5)
    assert found.whole_document.embedder == "minilm()" and found.whole_document.means()["recall@1"] == 1


@pytest.mark.parametrize("documents", [(), (Document("a", "some text"),)])
def test_nothing_to_measure(documents: tuple[Document, ...]) -> None:
    corpus = Corpus("none", documents)
    evaluation, chunks = made(corpus, "fixed(size=10)")
    plain = controls(corpus, chunks, evaluation, HASHING, DENSE).to_json()
    assert plain["chance"] == {} and plain["ceiling"]["recall@5"] is None
    assert json.dumps(plain, allow_nan=False)


def test_no_chunks_leave_chance_nothing_to_find() -> None:
    corpus = Corpus("blank", (Document("a", " " * 9),), (Question("q", "?", (Evidence("a", Span(0, 9)),)),))
    evaluation, chunks = made(corpus, "fixed(size=10)", ks=(1,))
    assert set(chance(evaluation, chunks, draws=3).values()) == {(0, 0, 0)}


@pytest.mark.parametrize("draws", [0, -1, 1.5, True])
def test_draws_that_are_not_allowed(draws: object) -> None:
    evaluation, chunks = made(small(), "fixed(size=10)")
    with pytest.raises(ParamError, match="controls: draws must be a whole number of at least 1"):
        chance(evaluation, chunks, draws=draws)
