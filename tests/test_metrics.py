"""Metrics: hand-worked cases, a brute-force version on sets of characters, and the audits of a cutting."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunklab import metrics
from chunklab.coverage import duplication, length_summary, uncovered
from chunklab.errors import ParamError
from chunklab.metrics import mean_scores, question_scores, verdict
from chunklab.types import Span


def on_one_document(spans: list[tuple[int, int]]) -> list[metrics.Place]:
    return [("d", start, end) for start, end in spans]


# evidence, ranking, expected scores; worked by hand
WORKED = {
    "the same chunk twice counts once": (
        [(10, 20)],
        [(0, 30), (0, 30), (40, 60)],
        {"recall@2": 1, "whole@2": 1, "precision@2": 1 / 3, "iou@2": 1 / 3, "precision@3": 10 / 50, "mrr": 1},
    ),
    "evidence in the overlap of two chunks counts once": (
        [(5, 25)],
        [(0, 20), (10, 30)],
        {"recall@1": 15 / 20, "recall@2": 1, "whole@2": 0, "precision@2": 20 / 30, "iou@2": 20 / 30},
    ),
    "evidence across a cut": (
        [(90, 110)],
        [(0, 100), (100, 200)],
        {"recall@1": 0.5, "recall@2": 1, "whole@1": 0, "whole@2": 0, "hit_rate@1": 1, "iou@1": 10 / 110},
    ),
    "overlapping evidence is united": (
        [(10, 30), (20, 40)],
        [(0, 20)],
        {"recall@1": 1 / 3, "whole@1": 0, "precision@1": 0.5, "iou@1": 0.25},
    ),
    "one of two pieces of evidence is whole": (
        [(10, 20), (60, 70)],
        [(0, 30), (50, 80)],
        {"recall@1": 0.5, "whole@1": 1, "recall@3": 1, "recall@100": 1},
    ),
    "touching is not overlapping": (
        [(10, 20)],
        [(0, 10), (20, 30), (19, 20)],
        {"hit_rate@2": 0, "hit_rate@3": 1, "document_hit_rate@1": 1, "recall@3": 0.1, "mrr": 1 / 3},
    ),
    "no results": (
        [(5, 9)],
        [],
        dict.fromkeys(question_scores([("d", 0, 1)], [], (1, 2, 3, 100)), 0),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WORKED)
def test_worked_by_hand(name: str) -> None:
    evidence, ranking, expected = WORKED[name]
    scores = question_scores(on_one_document(evidence), on_one_document(ranking), (1, 2, 3, 100))
    assert {each: scores[each] for each in expected} == pytest.approx(expected, abs=1e-12)


def test_documents_are_kept_apart() -> None:
    scores = question_scores([("a", 0, 10)], [("b", 0, 10), ("a", 20, 30), ("a", 5, 15)], (1, 2, 3))
    assert [scores[f"hit_rate@{k}"] for k in (1, 2, 3)] == [0, 0, 1]
    assert [scores[f"document_hit_rate@{k}"] for k in (1, 2, 3)] == [0, 1, 1]
    assert scores["precision@3"] == 5 / 30
    assert scores["mrr"] == pytest.approx(1 / 3)


def discounted(gains: list[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def brute_force(evidence: list[metrics.Place], retrieved: list[metrics.Place], k: int) -> dict[str, float]:
    def letters(places: list[metrics.Place]) -> set:
        return {(document, at) for document, start, end in places for at in range(start, end)}

    top = retrieved[:k]
    gold, got = letters(evidence), letters(top)
    both = gold & got
    held = [any(letters([one]) <= letters([other]) for other in top) for one in evidence]
    gains = [len(letters([each]) & gold) / len(gold) for each in top]
    gains = [
        0 if each in top[:rank] else gain for rank, (each, gain) in enumerate(zip(top, gains, strict=True))
    ]
    ideal = sorted((len(letters([each]) & gold) / len(gold) for each in set(retrieved)), reverse=True)[:k]
    return {
        f"hit_rate@{k}": float(bool(both)),
        f"document_hit_rate@{k}": float(bool({each[0] for each in top} & {each[0] for each in evidence})),
        f"recall@{k}": len(both) / len(gold),
        f"whole@{k}": float(any(held)),
        f"all_evidence@{k}": float(all(held)),
        f"precision@{k}": len(both) / len(got) if got else 0.0,
        f"iou@{k}": len(both) / len(gold | got),
        f"ndcg@{k}": discounted(gains) / discounted(ideal) if any(ideal) else 0.0,
        "mrr": max(
            [1 / (at + 1) for at, each in enumerate(retrieved) if letters([each]) & gold], default=0.0
        ),
    }


PLACE = st.tuples(st.integers(0, 2), st.integers(0, 30), st.integers(1, 12)).map(
    lambda each: (each[0], each[1], each[1] + each[2])
)


@given(st.lists(PLACE, min_size=1, max_size=5), st.lists(PLACE, max_size=12), st.integers(1, 15))
def test_against_sets_of_characters(evidence: list, retrieved: list, k: int) -> None:
    assert question_scores(evidence, retrieved, (k,)) == pytest.approx(
        brute_force(evidence, retrieved, k), abs=1e-12
    )


@given(st.lists(PLACE, min_size=1, max_size=5), st.lists(PLACE, max_size=12))
def test_bounds_and_growth(evidence: list, retrieved: list) -> None:
    ks = tuple(range(1, 14))
    scores = question_scores(evidence, retrieved, ks)
    assert all(0 <= value <= 1 for value in scores.values())
    for name in ("hit_rate", "document_hit_rate", "recall", "whole", "all_evidence"):
        rising = [scores[f"{name}@{k}"] for k in ks]
        assert rising == sorted(rising)
    assert question_scores(evidence[::-1], retrieved, ks) == scores


def test_names_and_their_order() -> None:
    names = list(question_scores([("d", 0, 1)], [], (1, 5)))
    assert names == [f"{name}@{k}" for name in metrics.CORE if name != "mrr" for k in (1, 5)] + ["mrr"]
    assert all("from 0 to 1" in text and text.count(". ") == 0 for text in metrics.METRICS.values())
    assert "recall@k" in metrics.METRICS["hit_rate"]


@pytest.mark.parametrize("k", [0, -1, 1.0, "5", None, True, float("nan")])
def test_a_k_that_is_not_allowed(k: object) -> None:
    with pytest.raises(ParamError, match="k must be a whole number of at least 1"):
        question_scores([("d", 0, 1)], [("d", 0, 1)], (1, k))


def test_ks_are_sorted_and_single() -> None:
    assert metrics.checked_ks((5, 1, np.int64(5))) == (1, 5)


def test_questions_without_evidence_are_left_out_and_named() -> None:
    means = mean_scores(
        {
            "a": question_scores(on_one_document([(0, 10)]), on_one_document([(0, 20)]), (1,)),
            "b": question_scores([], on_one_document([(0, 20)]), (1,)),
            "c": question_scores(on_one_document([(50, 60)]), on_one_document([(0, 20)]), (1,)),
            "d": question_scores(on_one_document([(5, 9)]), [], (1,)),
        }
    )
    assert means.values["recall@1"] == pytest.approx(1 / 3)
    assert (means.questions, means.left_out) == (3, ("b",))


def test_means_of_nothing() -> None:
    assert mean_scores({}) == metrics.Means({}, 0, ())
    assert mean_scores({"a": {}}) == metrics.Means({}, 0, ("a",))


@pytest.mark.parametrize(
    ("retrieved", "expected"),
    [
        ([("d", 0, 10)], "missed"),
        ([("d", 20, 30)], "missed"),
        ([("e", 0, 30)], "missed"),
        ([], "missed"),
        ([("d", 0, 11)], "split"),
        ([("d", 0, 15), ("d", 15, 30)], "split"),
        ([("d", 0, 15), ("d", 10, 20)], "whole"),
        ([("d", 0, 30)], "whole"),
    ],
)
def test_verdict(retrieved: list, expected: str) -> None:
    assert verdict(("d", 10, 20), retrieved) == expected


def test_uncovered_by_hand() -> None:
    assert uncovered("ab  cd ef", [Span(0, 1), Span(5, 7)]) == [Span(1, 2), Span(4, 5), Span(7, 9)]
    assert uncovered("ab  cd", [Span(0, 2), Span(4, 6)]) == []
    assert uncovered("", []) == []
    assert uncovered(" \n\u00a0\u3000", []) == []


SPANS = st.lists(
    st.tuples(st.integers(0, 19), st.integers(1, 20)).map(lambda each: Span(each[0], each[0] + each[1])),
    max_size=8,
).map(lambda spans: [Span(each.start, min(each.end, 20)) for each in spans])


@given(st.text(alphabet="ab \n\u00a0\u3000\u200be\u0301", min_size=20, max_size=20), SPANS)
def test_uncovered_against_sets(text: str, spans: list[Span]) -> None:
    inside = {at for each in spans for at in range(each.start, each.end)}
    lost = {at for at, letter in enumerate(text) if not letter.isspace() and at not in inside}
    found = uncovered(text, spans)
    assert [at for each in found for at in range(each.start, each.end)] == sorted(lost)
    assert all(one.end < other.start for one, other in pairwise(found))


def test_duplication_by_hand() -> None:
    assert duplication([]) == 0
    assert duplication([Span(0, 10), Span(10, 20)]) == 0
    assert duplication([Span(0, 10), Span(5, 15)]) == pytest.approx(20 / 15 - 1)
    assert duplication(np.array([[0, 10], [0, 10]], dtype=np.int32)) == 1


@given(SPANS.filter(bool))
def test_duplication_against_sets(spans: list[Span]) -> None:
    union = {at for each in spans for at in range(each.start, each.end)}
    assert duplication(spans) == pytest.approx(sum(map(len, spans)) / len(union) - 1)


def test_length_summary() -> None:
    assert length_summary([4, 1, 3, 2]) == {
        "min": 1,
        "median": 2.5,
        "mean": 2.5,
        "p95": pytest.approx(3.85),
        "max": 4,
    }
    assert length_summary(np.array([7], dtype=np.int32)) == dict.fromkeys(
        ("min", "median", "mean", "p95", "max"), 7
    )
    assert set(length_summary([]).values()) == {None}
    assert all(type(value) in (int, float) for value in length_summary(np.array([1, 2])).values())
