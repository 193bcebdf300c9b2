"""What the reader gets: parents, windows, each of them once, and one text for the prompt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunklab.chunking import chunk
from chunklab.corpus import Corpus, load_corpus
from chunklab.discovery import components
from chunklab.experiment import evaluate
from chunklab.measure import measure_of
from chunklab.recipe import parse_component, parse_recipe
from chunklab.retrievers.base import Ranking
from chunklab.returned import chunks_needed, distinct, merged, place_numbers, rank_returned
from chunklab.types import Document, Evidence, Question, Span
from tests.texts import AWKWARD, GENERATED

SAMPLES = Path(__file__).parent.parent / "sample_corpora"
HASHING, DENSE = parse_component("embedders", "hashing"), parse_component("retrievers", "dense")
RETURNS = [
    "itself()", "parent(size=60)", "parent(size=7)", "parent(by=section)", "parent(size=40,by=paragraph)",
    "parent(size=9,unit=words)", "window(n=0)", "window()", "window(n=50)", "window(of=chunks)",
]  # fmt: skip


def returned(text: str, recipe: str, media_type: str = "text/plain") -> list[list[int]]:
    return chunk(Document("a", text, media_type), recipe).returned.tolist()


def check_returned(text: str, recipe: str) -> None:
    """Every rule for what is returned; `recipe` has the strategy and, after a bar, the return."""
    split, given = recipe.split(" | ")
    document = Document("a", text, "text/markdown")
    chunks = chunk(document, f"{split} | itself() | {given}")
    assert chunks.spans.tolist() == chunk(document, split).spans.tolist()
    assert chunks.returned.shape == chunks.spans.shape and chunks.returned.dtype == np.int32
    for each in chunks:
        assert 0 <= each.returned.start <= each.span.start < each.span.end <= each.returned.end <= len(text)


@pytest.mark.parametrize("kind", RETURNS)
@pytest.mark.parametrize(
    "split", ["fixed(size=1)", "fixed(size=9,overlap=4)", "sentence(n=1)", "paragraph()"]
)
def test_a_chunk_lies_in_what_is_returned_on_awkward_texts(split: str, kind: str) -> None:
    for text in AWKWARD.values():
        check_returned(text, f"{split} | {kind}")


@given(text=GENERATED, kind=st.sampled_from(RETURNS))
def test_a_chunk_lies_in_what_is_returned_on_generated_texts(text: str, kind: str) -> None:
    check_returned(text, f"recursive(size=12,overlap=4) | {kind}")


def test_every_return_has_its_words_and_parses_back() -> None:
    for key, kind in components("returns").items():
        assert kind.label and kind.assumes.endswith(".") and kind.fails.endswith(".")
        assert all(spec.help.endswith(".") for _, spec in kind.params().values()), key
    for text in RETURNS:
        assert str(parse_recipe(f"recursive() | itself() | {text}").return_as) == text


def test_a_window_is_the_slice_from_the_sentences_before_to_those_after() -> None:
    text = "First line.\n\nSecond   line.  Third."
    assert returned(text, "sentence(n=1) | itself() | window()") == [[0, 29], [0, 35], [13, 35]]
    assert returned(text, "sentence(n=1) | itself() | window(n=0)") == [[0, 13], [13, 29], [29, 35]]
    assert returned("One. Two. Three.", "sentence(n=1) | itself() | window(n=5)") == [[0, 16]] * 3


def test_a_window_rounds_a_cut_sentence_out() -> None:
    text = "One is short. Two is quite a bit longer. Three."
    spans = returned(text, "fixed(size=20) | itself() | window(n=0)")
    assert [text[low:high] for low, high in spans] == [
        "One is short. Two is quite a bit longer. ", "Two is quite a bit longer. ", " Three.",
    ]  # fmt: skip


def test_a_window_of_chunks() -> None:
    assert returned("a" * 50, "fixed(size=10) | itself() | window(n=1,of=chunks)") == [
        [0, 20], [0, 30], [10, 40], [20, 50], [30, 50],
    ]  # fmt: skip


def test_parents_are_paragraphs_whatever_repeats_in_them() -> None:
    text = "Intro same. Intro same.\n\nBody same. Body same. Body same."
    spans = returned(text, "sentence(n=1) | itself() | parent(by=paragraph)")
    assert spans == [[0, 25], [0, 25], [25, 57], [25, 57], [25, 57]]


def test_parents_are_sections_with_their_heading() -> None:
    text = "lead\n\n# A\n\none. two.\n\n## B\n\nthree. four.\n"
    parts = {
        tuple(each)
        for each in returned(text, "sentence(n=1) | itself() | parent(by=section)", "text/markdown")
    }
    assert [text[low:high] for low, high in sorted(parts)] == [
        "lead\n\n", "# A\n\none. two.\n\n", "## B\n\nthree. four.\n",
    ]  # fmt: skip


@pytest.mark.parametrize("unit", ["chars", "words", "tokens"])
def test_parents_keep_their_size(unit: str) -> None:
    document = Document("a", "Some words stand here in a row. " * 90)
    chunks = chunk(document, f"sentence(n=1) | itself() | parent(size=60,unit={unit})")
    assert measure_of(document, unit, "cl100k").lengths(chunks.returned).max() <= 60
    assert len({tuple(each) for each in chunks.returned.tolist()}) > 5


def test_a_chunk_in_two_parents_returns_both() -> None:
    text = "aaaa bbbb\n\ncccc dddd"
    assert returned(text, "fixed(size=14,overlap=0) | itself() | parent(by=paragraph)") == [[0, 20], [11, 20]]


def test_blanks_at_a_joint_make_no_second_parent() -> None:
    text = "aaaa\n\n\n\nbbbb cccc dddd"
    spans = returned(text, "fixed(size=6) | itself() | parent(by=paragraph)")
    assert len({tuple(each) for each in spans}) == 2


# Four chunks of ten in two parents of twenty: numbers 0 and 1, 2 and 3
CORPUS = Corpus(
    "two parents",
    (Document("a", "x" * 40),),
    (Question("q", "?", (Evidence("a", Span(30, 35)),)),),
)


class Given:
    """A retriever that ranks the chunks in a fixed order and notes how many were asked for."""

    def __init__(self, *order: int):
        self.order, self.asked = order, 0

    def rank(self, embedder: object, queries: list[str], chunks_of_documents: list, k: int) -> Ranking:
        self.asked = k
        indices = np.tile(np.array(self.order[:k], dtype=np.int32), (len(queries), 1))
        return Ranking(indices, np.linspace(1, 0, indices.size).reshape(indices.shape))


def test_k_counts_different_parents() -> None:
    recipe = "fixed(size=10) | itself() | parent(size=20)"
    found = evaluate(CORPUS, recipe, HASHING, Given(0, 1, 3, 2), (1, 2))
    assert found.ranking.indices.tolist() == [[0, 3]] and found.ranks() == [2] and found.chunks == 4
    assert found.means()["hit_rate@1"] == 0 and found.means()["recall@2"] == 1
    assert found.means()["precision@2"] == pytest.approx(5 / 40)
    alone = evaluate(CORPUS, "fixed(size=10)", HASHING, Given(0, 1, 3, 2), (1, 2))
    assert alone.ranks() == [3] and alone.means()["recall@2"] == 0


def test_itself_is_ranked_as_before() -> None:
    for name in ("prose", "mixed"):
        corpus = load_corpus(SAMPLES / name)
        chunks = [chunk(each, "recursive(size=200)") for each in corpus.documents]
        queries = [each.text for each in corpus.questions]
        assert place_numbers(chunks) is None
        plain, through = (
            DENSE.rank(HASHING, queries, chunks, 9),
            rank_returned(DENSE, HASHING, queries, chunks, 9),
        )
        assert plain.indices.tolist() == through.indices.tolist()
        assert plain.scores.tolist() == through.scores.tolist()


@pytest.mark.parametrize("kind", ["parent()", "parent(by=paragraph)", "window(n=2)"])
def test_the_top_is_the_full_ranking_without_repeats(kind: str) -> None:
    corpus = load_corpus(SAMPLES / "topics")
    chunks = [chunk(each, f"sentence(n=1) | itself() | {kind}") for each in corpus.documents]
    queries = [each.text for each in corpus.questions][:6]
    every = DENSE.rank(HASHING, queries, chunks, 10_000)
    returned = [(at, *span) for at, each in enumerate(chunks) for span in each.returned.tolist()]
    for k in (1, 4, 100):
        found = rank_returned(DENSE, HASHING, queries, chunks, k)
        for row, full in zip(found.indices.tolist(), every.indices.tolist(), strict=True):
            assert [returned[at] for at in row] == list(dict.fromkeys(returned[at] for at in full))[:k]


def test_only_as_many_chunks_are_ranked_as_can_be_needed() -> None:
    places = np.array([0, 0, 0, 1, 2, 2, 3])
    assert [chunks_needed(places, k) for k in (1, 2, 3, 4, 5)] == [1, 4, 6, 7, 7]
    seen = Given(0, 1, 2, 3)
    evaluate(CORPUS, "fixed(size=10) | itself() | parent(size=20)", HASHING, seen, (1,))
    assert seen.asked == 4


def test_distinct_keeps_the_best_of_each() -> None:
    ranking = Ranking(np.array([[3, 0, 1, 2], [1, 2, 0, 3]]), np.array([[0.9, 0.8, 0.7, 0.1]] * 2))
    found = distinct(ranking, np.array([5, 6, 6, 5]), 2)
    assert found.indices.tolist() == [[3, 1], [1, 0]] and found.scores.tolist() == [[0.9, 0.7], [0.9, 0.7]]
    none = distinct(Ranking(np.zeros((2, 0), int), np.zeros((2, 0))), np.zeros(0, int), 3)
    assert none.indices.shape == (2, 0)


def test_overlapping_windows_are_one_text_at_the_best_rank() -> None:
    places = [
        ("a", 50, 60),
        ("b", 0, 5),
        ("a", 0, 20),
        ("a", 10, 30),
        ("a", 55, 70),
        ("b", 5, 9),
        ("a", 25, 26),
    ]
    assert merged(places) == [("a", 50, 70), ("b", 0, 5), ("a", 0, 30), ("b", 5, 9)]
    assert merged([]) == []
