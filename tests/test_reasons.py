"""One reason for each question that is not whole: each by hand, and all against the scores of real evaluations."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunklab.chunking import chunk
from chunklab.corpus import Corpus, load_corpus
from chunklab.errors import ParamError
from chunklab.experiment import evaluate
from chunklab.held import Held, fewest
from chunklab.reasons import NEAR, REASONS, Verdict, verdicts
from chunklab.recipe import parse_component
from chunklab.retrievers.base import Ranking
from chunklab.types import Document, Evidence, Question, Span

SAMPLES = Path(__file__).parent.parent / "sample_corpora"
HASHING = parse_component("embedders", "hashing()")


@dataclass(frozen=True)
class Fixed:
    """A retriever that returns the same order of chunks for every question."""

    order: tuple[int, ...]

    def rank(self, embedder: object, queries: list[str], chunks_of_documents: list, k: int) -> Ranking:
        indices = np.tile(np.array(self.order[:k], dtype=np.int32), (len(queries), 1))
        return Ranking(indices, np.zeros(indices.shape))


def part(start: int, end: int, name: str = "a", *others: Evidence) -> Evidence:
    return Evidence(name, Span(start, end), others)


def judged(
    evidence: list[Evidence],
    order: list[int],
    k: int,
    recipe: str = "fixed(size=10)",
    documents: tuple[Document, ...] = (Document("a", "a" * 300),),
    embedder: object = HASHING,
) -> Verdict:
    """The verdict on one question; fixed(size=10) cuts the document into [0, 10), [10, 20), …"""
    corpus = Corpus("c", documents, (Question("q", "?", tuple(evidence), "fact"),))
    chunks = [chunk(each, recipe) for each in documents]
    (found,) = verdicts(
        evaluate(corpus, recipe, embedder, Fixed(tuple(order)), (k,), chunks), chunks, embedder, k
    )
    assert (found.question_id, found.kind) == ("q", "fact")
    return found


ALL = list(range(30))


@pytest.mark.parametrize(
    ("evidence", "order", "k", "status", "rank", "reason", "sentence"),
    [
        ([part(12, 18)], [0, 1, 2], 2, "whole", 2, "", "The whole answer is ranked 2nd."),
        ([part(12, 18), part(1, 9)], [3, 0, 1], 3, "whole", 2, "", "Both parts of the answer are whole, ranked 2nd and 3rd."),
        ([part(1, 9), part(12, 18), part(25, 30)], ALL, 3, "whole", 1, "", "All 3 parts of the answer are whole, ranked down to 3rd."),
        ([part(15, 25)], [1, 2, 3], 2, "split", 1, "cut", "No chunk holds the whole answer: the cut at 20 goes through it. A piece is ranked 1st."),
        ([part(18, 25)], [5, 4, 2], 2, "missed", 3, "cut", "No chunk holds the whole answer: the cut at 20 goes through it. A piece is ranked 3rd."),
        ([part(8, 32)], [5, 6], 1, "missed", None, "cut", "No chunk holds the whole answer: the cut at 20 goes through it. No piece is ranked."),
        ([part(2, 5), part(15, 22)], ALL, 1, "split", 1, "cut", "No chunk holds all of part 2 of the answer: the cut at 20 goes through it. A piece is ranked 2nd."),
        ([part(2, 5), part(12, 15)], ALL, 1, "split", 1, "capped by k", "A perfect ranking of 1 chunk cannot hold both parts: that takes 2."),
        ([part(2, 5), part(5, 9), part(12, 15), part(22, 25)], ALL, 2, "split", 1, "capped by k", "A perfect ranking of 2 chunks cannot hold all 4 parts: that takes 3."),
        ([part(112, 118)], ALL, 5, "missed", 12, "capped by k", "Ranked 12th: k = 5 stops before it."),
        ([part(2, 5), part(62, 65)], ALL, 3, "split", 1, "capped by k", "Part 2 of the answer is ranked 7th: k = 3 stops before it."),
        ([part(152, 158)], ALL, 5, "missed", 16, "not retrieved", "Ranked 16th of 30 chunks, far from k = 5."),
        ([part(2, 5), part(222, 225)], ALL, 3, "split", 1, "not retrieved", "Part 2 of the answer is ranked 23rd of 30 chunks, far from k = 3."),
        ([part(2, 5)], [4, 5, 6, 7], 2, "missed", None, "not retrieved", "Not among the first 4 of 30 chunks, far from k = 2."),
        ([part(2, 5), part(222, 225)], [0, 1, 2], 2, "split", 1, "not retrieved", "Part 2 of the answer is not among the first 3 of 30 chunks, far from k = 2."),
    ],
)  # fmt: skip
def test_each_reason(evidence, order, k, status, rank, reason, sentence) -> None:
    assert judged(evidence, order, k) == Verdict("q", "fact", status, rank, reason, sentence)


def test_a_part_may_stand_in_another_place() -> None:
    cut, copied = part(15, 25), part(15, 25, "a", part(102, 108))
    assert judged([copied], [10, 0], 1).status == "whole"
    assert judged([copied], [1, 2, 10], 2).reason == "capped by k", "the copy is whole, and ranked 3rd"
    assert judged([copied], [1, 2], 2) == Verdict(
        "q", "fact", "split", 1, "not retrieved", "Not among the first 2 of 30 chunks, far from k = 2."
    )
    nearly = part(15, 25, "a", part(98, 105), part(49, 61))
    assert "the cut at 60 goes" in judged([nearly], [0], 1).sentence, "where most of it holds together"
    assert judged([cut, copied], ALL, 5).reason == "cut"
    shared = [part(2, 5, "a", part(12, 14)), part(32, 35, "a", part(15, 18))]
    assert judged(shared, [5, 6, 1], 1).reason == "capped by k"
    assert "Ranked" not in judged(shared, [5, 6, 1], 1).sentence


def test_what_is_returned_is_what_holds() -> None:
    windows, parents = (
        "fixed(size=10) | itself() | window(n=1,of=chunks)",
        "fixed(size=11) | itself() | parent(size=22)",
    )
    assert judged([part(15, 25)], [1, 2], 1, windows).sentence == "The whole answer is ranked 1st."
    assert judged([part(15, 25)], [0, 2], 1, windows).sentence == "Ranked 2nd: k = 1 stops before it."
    assert judged([part(15, 20)], [0, 1], 1, parents).status == "whole", "the parent of the chunk beside it"
    assert judged([part(15, 25)], [0, 1, 2], 2, parents).sentence == (
        "No returned place holds the whole answer: the edge at 22 goes through it. A piece is ranked 1st."
    )
    assert judged([part(35, 42)], [0, 1], 1, parents).sentence == (
        "Not among the first 1 of 14 returned places, far from k = 1."
    )


LONG = Document("long", "The harbour lights went out one after another in the cold. " * 60)
MINILM = "minilm({})"


@pytest.mark.parametrize(
    ("recipe", "over", "place", "reason"),
    [
        ("document()", "", (3000, 3059), "truncated"),
        ("document()", "over=resplit", (3000, 3059), "not retrieved"),
        ("document()", "", (590, 649), "not retrieved"),
        ("document() | late()", "", (3000, 3059), "not retrieved"),
        ("fixed(size=2400,overlap=1400)", "", (1100, 1159), "not retrieved"),
        ("fixed(size=2400,overlap=700)", "", (1200, 1259), "not retrieved"),
        ("fixed(size=2400,overlap=700)", "", (1500, 1559), "truncated"),
        ("fixed(size=59) | itself() | parent(size=3000)", "", (2700, 2800), "not retrieved"),
    ],
)
def test_truncated_is_what_the_model_did_not_read(
    recipe: str, over: str, place: tuple[int, int], reason: str
) -> None:
    embedder = parse_component("embedders", MINILM.format(over))
    other = Document("other", "Nothing to see. " * 5)
    found = judged([part(*place, "long")], [], 1, recipe, (other, LONG), embedder)
    assert (found.status, found.rank, found.reason) == ("missed", None, reason)
    if reason == "truncated":
        assert found.sentence.startswith(
            "The answer lies after the first 256 tokens of chunk 1 of long, which the"
        )
    alone = judged([part(*place, "long")], [], 1, recipe, (LONG,), embedder)
    assert " of long" not in alone.sentence
    assert judged([part(*place, "long")], [], 1, recipe, (LONG,), HASHING).reason == "not retrieved"


def test_a_copy_that_is_read_is_not_truncated() -> None:
    embedder = parse_component("embedders", "minilm()")
    copied = part(3000, 3059, "long", part(0, 59, "long"))
    assert judged([copied], [], 1, "document()", (LONG,), embedder).reason == "not retrieved"
    both = part(3000, 3059, "long", part(3100, 3140, "long"))
    assert judged([both], [], 1, "document()", (LONG,), embedder).reason == "truncated"


def test_where_the_embedder_is_not_asked_nothing_is_truncated() -> None:
    others = [Document(f"other {at}", "Nothing to see. " * 5) for at in range(4)]
    corpus = Corpus("c", (*others, LONG), (Question("q", "Why?", (part(3000, 3059, "long"),)),))
    chunks, minilm = (
        [chunk(each, "document()") for each in corpus.documents],
        parse_component("embedders", "minilm()"),
    )
    for retriever, reason in (
        (parse_component("retrievers", "bm25()"), "not retrieved"),
        (Fixed((0, 1, 2, 3, 4)), "truncated"),
    ):
        evaluation = evaluate(corpus, "document()", minilm, retriever, (1,), chunks)
        (found,) = verdicts(evaluation, chunks, minilm, 1)
        assert (found.rank, found.reason) == (5, reason)
    for text, asked in (("rerank(first=bm25,model=m)", False), ("rerank(model=m)", True), ("hybrid()", True)):
        assert parse_component("retrievers", text).uses_vectors is asked


def test_near_is_three_times_k() -> None:
    assert NEAR == 3
    for k in (1, 2, 5):
        reasons = [judged([part(10 * at + 2, 10 * at + 8)], ALL, k).reason for at in range(30)]
        assert reasons == [""] * k + ["capped by k"] * 2 * k + ["not retrieved"] * (30 - 3 * k)


def test_evidence_where_nothing_is_cut() -> None:
    documents = (Document("a", "some text"), Document("blank", " " * 9))
    found = judged([part(0, 9, "blank")], [0], 1, documents=documents)
    assert found == Verdict("q", "fact", "missed", None, "cut", "No chunk has anything of the answer.")


def test_a_k_that_is_not_allowed() -> None:
    with pytest.raises(ParamError, match="k must be"):
        verdicts(None, [], HASHING, 0)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.frozensets(st.integers(0, 6), min_size=1, max_size=4), min_size=1, max_size=6))
def test_the_fewest_places_are_those_of_trying_all(holders: list[frozenset[int]]) -> None:
    tried = (
        size
        for size in range(1, 8)
        if any(all(part & set(some) for part in holders) for some in combinations(range(7), size))
    )
    assert fewest(holders) == next(tried)


RECIPES = [
    "recursive(size=150)", "fixed(size=120,overlap=40)", "sentence(n=1) | itself() | window()",
    "recursive(size=120) | headings() | parent(size=600)", "document()",
]  # fmt: skip


@pytest.mark.parametrize("name", ["markdown", "mixed", "topics"])
@pytest.mark.parametrize("recipe", RECIPES)
def test_they_agree_with_the_scores(name: str, recipe: str) -> None:
    corpus = load_corpus(SAMPLES / name)
    pairs = [
        Question(f"{one.id} {other.id}", one.text, (*one.evidence, *other.evidence))
        for one, other in zip(corpus.questions[::2], corpus.questions[1::2], strict=False)
    ]
    either = [
        Question(f"{one.id} or {other.id}", one.text, (Evidence(one.evidence[0].document_id, one.evidence[0].span, other.evidence),))
        for one, other in zip(corpus.questions[::2], corpus.questions[1::2], strict=False)
    ]  # fmt: skip
    corpus = Corpus(name, corpus.documents, (*corpus.questions, *pairs, *either))
    chunks = [chunk(each, recipe) for each in corpus.documents]
    dense = parse_component("retrievers", "dense()")
    evaluation = evaluate(corpus, recipe, HASHING, dense, (1, 3), chunks)
    held = Held(chunks)
    for k in (1, 3):
        found = verdicts(evaluation, chunks, HASHING, k)
        assert [each.question_id for each in found] == list(evaluation.question_ids)
        assert [each.rank for each in found] == evaluation.ranks()
        whole, hit = evaluation.values[f"all_evidence@{k}"], evaluation.values[f"hit_rate@{k}"]
        for each, question, is_whole, is_hit in zip(found, evaluation.questions, whole, hit, strict=True):
            assert (each.status == "whole") == (is_whole == 1) and (each.status == "missed") == (is_hit == 0)
            assert (each.reason == "") == (each.status == "whole") and each.sentence.endswith(".")
            assert each.reason in ("", *REASONS) and each.reason != "truncated"
            holdable = all(held.whole(one) for one in question.evidence)
            assert (each.reason == "cut") == (not holdable)


def test_the_samples_have_every_reason_but_truncation() -> None:
    corpus, seen = load_corpus(SAMPLES / "markdown"), set()
    for recipe in RECIPES[:2]:
        chunks = [chunk(each, recipe) for each in corpus.documents]
        evaluation = evaluate(
            corpus, recipe, HASHING, parse_component("retrievers", "dense()"), (1, 3), chunks
        )
        seen |= {each.reason for k in (1, 3) for each in verdicts(evaluation, chunks, HASHING, k)}
    assert seen == {"", "cut", "capped by k", "not retrieved"}
