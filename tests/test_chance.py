"""The yardstick of a random ranking, against drawing every set of k."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from chunklab.chance import chance_recall
from chunklab.chunking import chunk
from chunklab.metrics import question_scores
from chunklab.stats import bootstrap_interval
from chunklab.types import Document, Evidence, Question, Span

TEXT = "One two three four. Five six seven eight. Nine ten eleven twelve. Thirteen fourteen. " * 2


@pytest.mark.parametrize(
    "recipe", ["fixed(size=40)", "fixed(size=40,overlap=20)", "sentence(n=1) | itself() | window()"]
)
@pytest.mark.parametrize("k", [1, 2, 3])
def test_it_is_the_mean_over_all_sets_of_k(recipe: str, k: int) -> None:
    chunks = [chunk(Document(name, text), recipe) for name, text in (("a", TEXT), ("b", TEXT[:70]))]
    places = (Evidence("a", Span(10, 55)), Evidence("a", Span(50, 60)), Evidence("b", Span(0, 19)))
    question = Question("q", "?", places)
    got = [(each.document.id, *span) for each in chunks for span in np.unique(each.returned, axis=0).tolist()]
    gold = [(each.document_id, each.span.start, each.span.end) for each in places]
    drawn = [question_scores(gold, list(some), (k,))[f"recall@{k}"] for some in combinations(got, k)]
    assert chance_recall([question], chunks, k) == pytest.approx(np.mean(drawn))


def test_without_evidence_there_is_no_chance() -> None:
    assert chance_recall([Question("q", "?", ())], [chunk(Document("a", TEXT), "fixed()")], 3) is None


def test_intervals_hold_the_mean_and_need_two_values() -> None:
    values = np.array([0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.5, 1.0])
    low, high = bootstrap_interval(values)
    assert 0 <= low < values.mean() < high <= 1
    assert bootstrap_interval(values) == (low, high)
    assert bootstrap_interval(values[:1]) is None
    assert bootstrap_interval(np.ones(9)) == (1.0, 1.0)


@pytest.mark.parametrize("recipe", ["fixed(size=40)", "fixed(size=60,overlap=30)"])
@pytest.mark.parametrize("k", [1, 2, 4, 99])
def test_with_alternatives_it_is_the_mean_over_all_sets_too(recipe: str, k: int) -> None:
    chunks = [chunk(Document(name, text), recipe) for name, text in (("a", TEXT), ("b", TEXT[:70]))]
    other, longer = Evidence("b", Span(0, 19)), Evidence("a", Span(100, 150))
    parts = (Evidence("a", Span(10, 55), (other, longer)), Evidence("b", Span(40, 45)))
    got = [(each.document.id, *span) for each in chunks for span in each.returned.tolist()]
    gold = [(each.document_id, each.span.start, each.span.end) for each in parts]
    others = [[("b", 0, 19), ("a", 100, 150)], []]
    name = f"recall@{k}"
    drawn = [
        question_scores(gold, list(some), (k,), others)[name] for some in combinations(got, min(k, len(got)))
    ]
    assert chance_recall([Question("q", "?", parts)], chunks, k) == pytest.approx(np.mean(drawn))


def test_many_spans_are_sampled_and_come_close() -> None:
    chunks = [chunk(Document("a", TEXT), "fixed(size=60,overlap=54)")]
    place = Evidence("a", Span(40, 70), (Evidence("a", Span(90, 120)),))
    exact = chance_recall([Question("q", "?", (place,))], chunks, len(chunks[0]))
    assert exact == 1
    sampled = chance_recall([Question("q", "?", (place,))], chunks, 1)
    got = [("a", *span) for span in chunks[0].spans.tolist()]
    drawn = [question_scores([("a", 40, 70)], [each], (1,), [[("a", 90, 120)]])["recall@1"] for each in got]
    assert sampled == pytest.approx(np.mean(drawn), abs=0.03)
    assert chance_recall([Question("q", "?", (place,))], chunks, 1) == sampled
