"""score_rankings: equal to the one-question reference, to definitions spelled out, and to ir-measures."""

from __future__ import annotations

import math

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import RR, P, R, Rprec, Success, nDCG

from chunklab.chunking import Chunks, chunk
from chunklab.document_level import document_scores
from chunklab.errors import ParamError
from chunklab.line import Gold, Line
from chunklab.metrics import BUDGETED, CORE, METRICS, PLAIN, Place, question_scores, score_names
from chunklab.scoring import score_rankings
from chunklab.tokens import tokenizer
from chunklab.types import Document, Evidence, Question, Span

KS = (1, 2, 5, 40)
BUDGETS = (1, 7, 30, 500)
WORDS = "The heron waits; the eel does not. Rain fell on Monday, 14 mm of it. Naïve ducks – 鴨 – stay. "
DOCUMENTS = (Document("a", WORDS * 3), Document("blank", "  \n"), Document("b", WORDS[20:] + WORDS))
LENGTHS = {each.id: len(each.text) for each in DOCUMENTS}
RECIPES = (
    "fixed(size=30)",
    "fixed(size=50,overlap=30)",
    "recursive(size=40,overlap=10)",
    "sentence(n=1) | itself() | window()",
    "fixed(size=20) | itself() | parent(size=90)",
)
PLACE = st.tuples(st.sampled_from(["a", "b"]), st.integers(0, 150), st.integers(1, 60)).map(
    lambda each: Evidence(each[0], Span(each[1], min(each[1] + each[2], LENGTHS[each[0]])))
)
PART = st.tuples(PLACE, st.lists(PLACE, max_size=2)).map(
    lambda each: Evidence(each[0].document_id, each[0].span, tuple(each[1]))
)
QUESTIONS = st.lists(st.lists(PART, min_size=1, max_size=3), min_size=1, max_size=4).map(
    lambda each: [Question(str(at), "?", tuple(parts)) for at, parts in enumerate(each)]
)


def cut(recipe: str, documents: tuple[Document, ...] = DOCUMENTS) -> list[Chunks]:
    return [chunk(document, recipe) for document in documents]


def drawn(
    chunks: list[Chunks], questions: list[Question], seed: int, columns: int | None = None
) -> np.ndarray:
    """(q, n) chunks in random order, each returned place once."""
    random = np.random.default_rng(seed)
    places = returned(chunks)
    first = np.array([places.index(each) for each in dict.fromkeys(places)], dtype=np.int32)
    return np.array([random.permutation(first)[:columns] for _ in questions], dtype=np.int32)


def returned(chunks: list[Chunks]) -> list[Place]:
    return [(each.document.id, *span) for each in chunks for span in each.returned.tolist()]


def place(evidence: Evidence) -> Place:
    return evidence.document_id, evidence.span.start, evidence.span.end


def fitting(ranked: list[Place], budget: int) -> list[Place]:
    """The places that a budget of cl100k tokens holds, token by token."""
    kept = []
    for document, start, end in ranked:
        if budget <= 0:
            break
        text = next(each.text for each in DOCUMENTS if each.id == document)
        reach = end
        for token in tokenizer("cl100k").offsets(text)[0].tolist():
            if start <= token < end:
                if budget == 0:
                    reach = token
                    break
                budget -= 1
        if reach > start:
            kept.append((document, start, reach))
        if reach < end:
            break
    return kept


@settings(max_examples=60, deadline=None)
@given(QUESTIONS, st.sampled_from(RECIPES), st.integers(0, 9))
def test_equal_to_the_reference(questions: list[Question], recipe: str, seed: int) -> None:
    chunks = cut(recipe)
    indices = drawn(chunks, questions, seed, columns=3 if seed % 2 else None)
    found = score_rankings(questions, chunks, indices, KS, BUDGETS)
    assert list(found) == score_names(KS, BUDGETS, CORE)
    places = returned(chunks)
    for at, question in enumerate(questions):
        ranked = [places[index] for index in indices[at]]
        gold = [place(part) for part in question.evidence]
        others = [[place(each) for each in part.alternatives] for part in question.evidence]
        within = {budget: fitting(ranked, budget) for budget in BUDGETS}
        expected = question_scores(gold, ranked, KS, others, places, within)
        assert {name: values[at] for name, values in found.items()} == pytest.approx(expected, abs=1e-12)
        assert all(0 <= value <= 1 for value in expected.values())


@settings(max_examples=40, deadline=None)
@given(QUESTIONS, st.sampled_from(RECIPES), st.integers(0, 9))
def test_more_never_finds_less(questions: list[Question], recipe: str, seed: int) -> None:
    chunks = cut(recipe)
    budgets = (1, 5, 20, 60, 200)
    found = score_rankings(questions, chunks, drawn(chunks, questions, seed), (1, 2, 3, 4, 6, 9), budgets)
    for name in ("hit_rate", "document_hit_rate", "recall", "whole", "all_evidence"):
        for tops in (
            ("1", "2", "3", "4", "6", "9"),
            ("1tokens", "5tokens", "20tokens", "60tokens", "200tokens"),
        ):
            rising = np.array([found[f"{name}@{top}"] for top in tops])
            assert (np.diff(rising, axis=0) >= -1e-12).all()


def test_alternatives_by_hand() -> None:
    chunks = cut("fixed(size=10)", (Document("a", "x" * 40), Document("b", "y" * 40)))
    part = Evidence("a", Span(0, 10), (Evidence("b", Span(5, 25)),))
    other = Evidence("a", Span(30, 40))
    question = Question("q", "?", (part, other))
    ranking = np.array([[4, 5, 6, 0, 3]])  # b [0, 10) [10, 20) [20, 30), then a [0, 10) and a [30, 40)
    scores = {
        name: value[0] for name, value in score_rankings([question], chunks, ranking, (1, 2, 3, 4, 5)).items()
    }
    # the part weighs 10 of 20; of its alternative 5, 15 and 20 of 20 are covered, at 4 itself is whole
    assert [scores[f"recall@{k}"] for k in (1, 2, 3, 4, 5)] == [0.125, 0.375, 0.5, 0.5, 1]
    assert [scores[f"precision@{k}"] for k in (1, 2, 3, 4)] == [5 / 10, 15 / 20, 20 / 30, 10 / 40]
    assert [scores[f"iou@{k}"] for k in (1, 3)] == [5 / (10 + 30 - 5), 20 / (30 + 30 - 20)]
    assert [scores[f"whole@{k}"] for k in (3, 4)] == [0, 1]
    assert [scores[f"all_evidence@{k}"] for k in (4, 5)] == [0, 1]
    assert [scores[name] for name in ("hit_rate@1", "document_hit_rate@1", "mrr")] == [1, 1, 1]
    gains = [0.125, 0.25, 0.125, 0.5, 0.5]  # of each place by itself
    best = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(sorted(gains, reverse=True), 1))
    assert scores["ndcg@5"] == pytest.approx(
        sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1)) / best
    )


def test_a_budget_cuts_the_place_that_passes_it() -> None:
    document = Document("a", "one two three four five six seven eight nine ten")
    chunks = cut("fixed(size=24)", (document,))  # "one two three four five " and the rest
    assert [each.text for each in chunks[0]] == ["one two three four five ", "six seven eight nine ten"]
    question = Question("q", "?", (Evidence("a", Span(document.text.index("six"), len(document.text))),))
    ranking = np.array([[0, 1]])
    found = score_rankings([question], chunks, ranking, (1,), (3, 7, 99), ("recall", "precision"))
    assert found["recall@3tokens"] == [0]
    assert found["recall@7tokens"] == [len("six seven") / 24], "five and two tokens"
    assert found["precision@7tokens"] == [len("six seven") / (24 + len("six seven"))]
    assert found["recall@99tokens"] == [1]


def test_a_place_inside_a_token_has_none_and_fits_while_anything_does() -> None:
    chunks = cut("fixed(size=4)", (Document("a", "international"),))
    assert Line(chunks).tokens("cl100k").tolist() == [0]
    question = Question("q", "?", (Evidence("a", Span(8, 12)),))
    orders = np.array([[0, 1, 2, 3], [2, 0, 1, 3], [1, 2, 0, 3]])
    found = score_rankings([question] * 3, chunks, orders, (1,), (1, 2), ("recall",))
    assert found["recall@1tokens"].tolist() == [0, 1, 1]
    assert found["recall@2tokens"].tolist() == [1, 1, 1]


def test_a_budget_needs_so_many_places() -> None:
    line = Line(cut("fixed(size=10)"))
    tokens = line.tokens("cl100k")
    counts = sorted(
        int(((tokens >= low) & (tokens < high)).sum())
        for low, high in zip(line.starts, line.ends, strict=True)
    )
    for budget in (1, 5, 20, 10**6):
        depth = line.depth((1, budget), "cl100k")
        assert sum(counts[:depth]) >= min(budget, sum(counts))
        assert depth == 1 or sum(counts[: depth - 1]) < budget
    assert line.depth((), "cl100k") == 0


def test_no_results_score_nothing() -> None:
    questions = [
        Question("q", "?", (Evidence("a", Span(0, 9)),)),
        Question("r", "?", (Evidence("a", Span(0, 9)),) * 2),
    ]
    found = score_rankings(questions, cut("fixed(size=30)"), np.zeros((2, 0), np.int32), KS, BUDGETS, METRICS)
    assert {name for name, values in found.items() if values.any()} == {"precision_omega"}
    nothing = score_rankings([], cut("fixed(size=30)"), np.zeros((0, 5), np.int32), KS, (), METRICS)
    assert all(values.shape == (0,) for values in nothing.values())
    empty = cut("fixed(size=30)", (Document("a", " " * 20),))
    found = score_rankings(questions, empty, np.zeros((2, 0), np.int32), KS, BUDGETS, METRICS)
    assert not any(values.any() for values in found.values())


def test_neither_ks_nor_budgets() -> None:
    question = [Question("q", "?", (Evidence("a", Span(0, 9)),))]
    found = score_rankings(question, cut("fixed(size=30)"), np.array([[1, 0]]), (), (), ("recall", "mrr"))
    assert {name: values.tolist() for name, values in found.items()} == {"mrr": [0.5]}


def test_names_and_what_is_not_allowed() -> None:
    names = score_names((1, 5), (500,), METRICS)
    assert names[:3] == ["hit_rate@1", "hit_rate@5", "hit_rate@500tokens"]
    assert [name for name in names if "@" not in name] == list(PLAIN)
    assert {name.partition("@")[0] for name in names} == set(METRICS)
    assert {name.partition("@")[0] for name in names if name.endswith("tokens")} == set(BUDGETED)
    assert all("from 0 to 1" in text and text.count(". ") == 0 for text in METRICS.values())
    question, chunks = [Question("q", "?", (Evidence("a", Span(0, 9)),))], cut("fixed(size=30)")
    for wrong in ({"ks": (0,)}, {"budgets": (0,)}, {"budgets": (1.5,)}, {"measures": ("recal",)}):
        with pytest.raises(ParamError, match=r"^metrics: (k|budget|measures) must be"):
            score_rankings(question, chunks, np.array([[0]]), **wrong)


def test_tangled_questions_are_those_whose_parts_overlap() -> None:
    one, other, apart = (Evidence("a", Span(*each)) for each in ((0, 20), (10, 30), (30, 40)))
    copies = Evidence("a", Span(50, 60), (one, other))
    questions = [
        Question(str(at), "?", parts)
        for at, parts in enumerate(
            [(one,), (one, other), (one, apart), (copies,), (copies, one), (apart, other)]
        )
    ]
    assert Gold(questions, Line(cut("fixed(size=30)"))).tangled == [1, 4]


def test_documents_rank_where_their_first_place_does() -> None:
    scores = document_scores([["a"], ["b"], ["a"]], ["c", "a", "c", "a", "d", "b"], (1, 2, 3, 4, 9))
    assert [scores[f"document_recall@{k}"] for k in (1, 2, 3, 4, 9)] == [0, 0.5, 0.5, 1, 1]
    assert scores["document_ndcg@4"] == pytest.approx(
        (1 / math.log2(3) + 1 / math.log2(5)) / (1 + 1 / math.log2(3))
    )
    assert (scores["document_mrr"], scores["r_precision"]) == (0.5, 0.5)
    either = document_scores([["a", "d"]], ["d", "a"], (1, 2))
    assert set(either.values()) == {1}, "any of the documents that hold alternatives will do"
    assert set(document_scores([["a"]], [], (1,)).values()) == {0}


# What ir-measures defines too. Gains are characters, since it takes whole numbers; ndcg is a ratio.

EVEN = (Document("a", "abcdefghi " * 12), Document("b", "abcdefghi " * 8), Document("c", "abcdefghi " * 5))


def judged(measures: list, relevant: list[dict[str, int]], ranked: list[list[str]]) -> dict[str, list[float]]:
    qrels = [
        ir_measures.Qrel(str(at), id, gain) for at, each in enumerate(relevant) for id, gain in each.items()
    ]
    run = [
        ir_measures.ScoredDoc(str(at), id, float(len(ids) - rank))
        for at, ids in enumerate(ranked)
        for rank, id in enumerate(ids)
    ]
    found: dict[str, list[float]] = {str(each): [0.0] * len(ranked) for each in measures}
    for each in ir_measures.iter_calc(measures, qrels, run):
        found[str(each.measure)][int(each.query_id)] = each.value
    return found


@pytest.mark.parametrize("recipe", ["fixed(size=10)", "fixed(size=30,overlap=20)", "fixed(size=50)"])
@pytest.mark.parametrize("seed", range(3))
def test_graded_gains_agree_with_ir_measures(recipe: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    chunks = cut(recipe, EVEN)
    questions = []
    for at in range(12):
        starts = [int(random.integers(0, 30)), int(random.integers(0, 30))]
        parts = zip("ab"[: 1 + at % 2], starts, strict=False)
        questions.append(
            Question(str(at), "?", tuple(Evidence(id, Span(low, low + 17)) for id, low in parts))
        )
    indices = drawn(chunks, questions, seed)
    places = returned(chunks)
    gains = [
        {
            str(index): sum(
                max(0, min(end, part.span.end) - max(start, part.span.start))
                for part in question.evidence
                if part.document_id == document
            )
            for index, (document, start, end) in enumerate(places)
        }
        for question in questions
    ]
    expected = judged([nDCG @ 1, nDCG @ 5, RR, Success @ 1, Success @ 5], gains, indices.astype(str).tolist())
    found = score_rankings(questions, chunks, indices, (1, 5))
    for ours, theirs in (
        ("ndcg@1", "nDCG@1"), ("ndcg@5", "nDCG@5"), ("mrr", "RR"), ("hit_rate@1", "Success@1"), ("hit_rate@5", "Success@5"),
    ):  # fmt: skip
        assert found[ours] == pytest.approx(expected[theirs], abs=1e-6), ours
    assert 0 < found["ndcg@5"].mean() < 1


def test_whole_chunks_as_evidence_agree_with_ir_measures() -> None:
    random = np.random.default_rng(0)
    chunks = cut("fixed(size=10)", EVEN)
    places = returned(chunks)
    picked = [random.choice(len(places), 1 + at % 4, replace=False).tolist() for at in range(20)]
    questions = [
        Question(str(at), "?", tuple(Evidence(places[each][0], Span(*places[each][1:])) for each in some))
        for at, some in enumerate(picked)
    ]
    indices = drawn(chunks, questions, 1)
    relevant = [{str(each): 1 for each in some} for some in picked]
    expected = judged([P @ 1, P @ 5, R @ 1, R @ 5, R @ 20], relevant, indices.astype(str).tolist())
    found = score_rankings(questions, chunks, indices, (1, 5, 20))
    for ours, theirs in (("precision@1", "P@1"), ("precision@5", "P@5")):
        assert found[ours] == pytest.approx(expected[theirs], abs=1e-6)
    for k in (1, 5, 20):
        assert found[f"recall@{k}"] == pytest.approx(expected[f"R@{k}"], abs=1e-6)


def test_documents_agree_with_ir_measures() -> None:
    random = np.random.default_rng(0)
    documents = tuple(Document(f"d{at}", "abcdefghi " * 3) for at in range(9))
    chunks = cut("fixed(size=10)", documents)
    picked = [random.choice(9, 1 + at % 4, replace=False).tolist() for at in range(20)]
    questions = [
        Question(str(at), "?", tuple(Evidence(f"d{each}", Span(0, 9)) for each in some))
        for at, some in enumerate(picked)
    ]
    indices = drawn(chunks, questions, 2)
    owners = [document for document, _, _ in returned(chunks)]
    ranked = [list(dict.fromkeys(owners[each] for each in row)) for row in indices]
    relevant = [{f"d{each}": 1 for each in some} for some in picked]
    expected = judged([R @ 1, R @ 3, nDCG @ 1, nDCG @ 3, RR, Rprec], relevant, ranked)
    found = score_rankings(questions, chunks, indices, (1, 3), measures=METRICS)
    for ours, theirs in (
        ("document_recall@1", "R@1"), ("document_recall@3", "R@3"), ("document_ndcg@1", "nDCG@1"),
        ("document_ndcg@3", "nDCG@3"), ("document_mrr", "RR"), ("r_precision", "Rprec"),
    ):  # fmt: skip
        assert found[ours] == pytest.approx(expected[theirs], abs=1e-6), ours
