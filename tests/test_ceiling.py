"""The ceiling: what a perfect ranking of k places reaches, against trying every choice."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunklab.ceiling import ceiling
from chunklab.chunking import Chunks, chunk
from chunklab.errors import ParamError
from chunklab.metrics import question_scores
from chunklab.types import Document, Evidence, Question, Span

DOCUMENTS = (Document("a", "abcdefghi " * 6), Document("b", "abcdefghi " * 4))
RECIPES = (
    "fixed(size=10)",
    "fixed(size=20,overlap=13)",
    "fixed(size=17)",
    "sentence(n=1) | itself() | window()",
)
PLACE = st.tuples(st.sampled_from("ab"), st.integers(0, 38), st.integers(1, 25)).map(
    lambda each: Evidence(each[0], Span(each[1], min(each[1] + each[2], 40)))
)
PART = st.tuples(PLACE, st.lists(PLACE, max_size=2)).map(
    lambda each: Evidence(each[0].document_id, each[0].span, tuple(each[1]))
)


def cut(recipe: str) -> list[Chunks]:
    return [chunk(document, recipe) for document in DOCUMENTS]


def tried(question: Question, chunks: list[Chunks], k: int) -> float:
    """The best recall@k of every choice of k returned places."""

    def place(evidence: Evidence) -> tuple[str, int, int]:
        return evidence.document_id, evidence.span.start, evidence.span.end

    places = [(each.document.id, *span) for each in chunks for span in each.returned.tolist()]
    gold = [place(part) for part in question.evidence]
    others = [[place(each) for each in part.alternatives] for part in question.evidence]
    near = [each for each in places if any(
        each[0] == other[0] and each[1] < other[2] and other[1] < each[2]
        for other in [*gold, *(other for some in others for other in some)]
    )]  # fmt: skip
    return max(
        (
            question_scores(gold, some, (k,), others, places)[f"recall@{k}"]
            for some in combinations(near, min(k, len(near)))
        ),
        default=0.0,
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(PART, min_size=1, max_size=3), st.sampled_from(RECIPES), st.integers(1, 4))
def test_it_is_the_best_of_every_choice(parts: list[Evidence], recipe: str, k: int) -> None:
    chunks, question = cut(recipe), Question("q", "?", tuple(parts))
    assert ceiling([question], chunks, k)[0] == pytest.approx(tried(question, chunks, k), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.lists(PLACE, min_size=1, max_size=4), st.sampled_from(RECIPES), st.integers(1, 5))
def test_without_alternatives_too(parts: list[Evidence], recipe: str, k: int) -> None:
    chunks, question = cut(recipe), Question("q", "?", tuple(parts))
    assert ceiling([question], chunks, k)[0] == pytest.approx(tried(question, chunks, k), abs=1e-9)


def test_by_hand() -> None:
    chunks = cut("fixed(size=10)")
    whole, split = Evidence("a", Span(2, 8)), Evidence("a", Span(5, 35))
    two = (Evidence("a", Span(0, 5)), Evidence("b", Span(20, 25)))
    questions = [Question("1", "?", (whole,)), Question("2", "?", (split,)), Question("3", "?", two)]
    assert ceiling(questions, chunks, 1) == pytest.approx([1, 10 / 30, 1 / 2])
    assert ceiling(questions, chunks, 2) == pytest.approx([1, 20 / 30, 1])
    assert ceiling(questions, chunks, 99) == pytest.approx([1, 1, 1])


def test_a_document_without_chunks_and_no_questions() -> None:
    documents = (Document("blank", "   "), Document("a", "text"))
    chunks = [chunk(each, "fixed(size=10)") for each in documents]
    gone = Question("q", "?", (Evidence("blank", Span(0, 2)),))
    assert ceiling([gone], chunks, 3).tolist() == [0]
    assert ceiling([gone], chunks[:1], 3).tolist() == [0]
    either = Question("q", "?", (Evidence("blank", Span(0, 2), (Evidence("a", Span(0, 4)),)),) * 2)
    assert ceiling([either], chunks, 3).tolist() == [1]
    assert ceiling([], chunks, 3).shape == (0,)


@pytest.mark.parametrize("k", [0, -1, 1.5, True])
def test_a_k_that_is_not_allowed(k: object) -> None:
    with pytest.raises(ParamError, match="k must be"):
        ceiling([], cut("fixed(size=10)"), k)


def test_no_ranking_is_better() -> None:
    chunks = cut("fixed(size=20,overlap=13)")
    question = Question("q", "?", (Evidence("a", Span(3, 50)), Evidence("b", Span(0, 33))))
    places = [(each.document.id, *span) for each in chunks for span in each.returned.tolist()]
    gold = [("a", 3, 50), ("b", 0, 33)]
    random = np.random.default_rng(0)
    for k in (1, 3, 5):
        best = ceiling([question], chunks, k)[0]
        for _ in range(30):
            ranked = [places[at] for at in random.permutation(len(places))]
            assert question_scores(gold, ranked, (k,))[f"recall@{k}"] <= best + 1e-12
