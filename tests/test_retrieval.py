"""Rankings: always score down, then chunk order, whatever k; indices over the whole corpus."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunklab.chunking import chunk
from chunklab.corpus import load_corpus
from chunklab.discovery import components
from chunklab.embedders.base import Embedder
from chunklab.embedders.hashing import Hashing
from chunklab.errors import ParamError
from chunklab.retrievers.base import best
from chunklab.retrievers.dense import Dense
from chunklab.types import Document, Span

SAMPLES = Path(__file__).parent.parent / "sample_corpora"


@dataclass
class Windows:
    """Windows cut without regard to anything."""

    document: Document
    spans: np.ndarray
    contexts: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.spans)


@dataclass(frozen=True)
class Given(Embedder):
    """Scores laid down in advance, by document."""

    table: ClassVar[dict[str, np.ndarray]] = {}

    def embed(self, texts):
        raise AssertionError("not needed")

    def similarities(self, queries, chunks):
        return self.table[chunks.document.id]


def sorted_fully(scores: np.ndarray, k: int) -> list[list[int]]:
    """By a Python sort of all chunks; the slow truth."""
    rounded = np.round(scores, 9)
    return [sorted(range(scores.shape[1]), key=lambda at: (-row[at], at))[:k] for row in rounded]


@settings(max_examples=300, deadline=None)
@given(
    st.integers(0, 4), st.integers(0, 40), st.integers(1, 50), st.integers(1, 4), st.integers(0, 2**32 - 1)
)
def test_as_a_full_stable_sort(queries, n, k, levels, seed):
    scores = np.random.default_rng(seed).integers(0, levels, (queries, n)) / 3 - 0.2
    ranking = best(scores, k, "dense")
    assert ranking.indices.dtype == np.int32 and ranking.scores.dtype == np.float64
    assert ranking.indices.shape == ranking.scores.shape == (queries, min(k, n))
    assert ranking.indices.tolist() == sorted_fully(scores, k)
    assert np.allclose(ranking.scores, np.take_along_axis(scores, ranking.indices.astype(int), 1), atol=1e-9)


def test_ties_at_the_last_place_go_by_chunk_order():
    scores = np.array([[0.5, 0.9, 0.5, 0.5, 0.5, 0.9]])
    assert best(scores, 3, "dense").indices.tolist() == [[1, 5, 0]]
    assert best(scores, 4, "dense").indices.tolist() == [[1, 5, 0, 2]]


def test_differences_below_a_billionth_are_ties():
    scores = np.array([[0.3, 0.3 + 4e-10, 0.3 + 2e-9, -1e-12, 0.0]])
    ranking = best(scores, 5, "dense")
    assert ranking.indices.tolist() == [[2, 0, 1, 3, 4]]
    assert not np.signbit(ranking.scores).any()


def test_indices_count_all_chunks_of_the_corpus():
    documents = [Document("a", "one two three four"), Document("empty", ""), Document("b", "five six seven")]
    chunked = [chunk(each, "fixed(size=4)") for each in documents]
    sizes = [len(each) for each in chunked]
    assert sizes[1] == 0
    Given.table.update(a=np.arange(sizes[0])[None] / 10.0, b=np.arange(sizes[2])[None] / 10.0 + 0.05)
    ranking = Dense().rank(Given(), ["q"], chunked, 100)
    scores = np.concatenate([Given.table["a"], Given.table["b"]], axis=1)
    assert ranking.indices.tolist() == sorted_fully(scores, 100)
    assert sorted(ranking.indices[0].tolist()) == list(range(sum(sizes)))


def test_the_chunk_that_answers_comes_first():
    text = "Mars is red. Venus is hot. Saturn has rings. Jupiter is large."
    chunks = chunk(Document("d", text), "sentence(n=1)")
    ranking = Dense().rank(Hashing(), ["Which planet has rings?", "large jupiter"], [chunks], 1)
    assert [chunks[at].text.strip() for at in ranking.indices[:, 0].tolist()] == [
        "Saturn has rings.",
        "Jupiter is large.",
    ]


def test_equal_chunks_keep_their_order_across_documents():
    part = "The same sentence again and again. "
    chunked = [chunk(Document(str(at), part * 4), "sentence(n=1)") for at in range(3)]
    total = sum(len(each) for each in chunked)
    ranking = Dense().rank(Hashing(), ["same sentence", "again"], chunked, 7)
    assert total > 7 and ranking.indices.tolist() == [list(range(7))] * 2
    assert (ranking.scores == ranking.scores[:, :1]).all()


def test_a_query_without_words_ranks_in_chunk_order():
    chunks = chunk(Document("d", "one two three four five"), "fixed(size=5)")
    ranking = Dense().rank(Hashing(), ["?!"], [chunks], 3)
    assert ranking.indices.tolist() == [[0, 1, 2]] and ranking.scores.tolist() == [[0, 0, 0]]


def test_nothing_to_rank():
    blank = chunk(Document("d", "  \n "), "fixed(size=5)")
    for chunked in ([], [blank]):
        ranking = Dense().rank(Hashing(), ["a", "b"], chunked, 5)
        assert ranking.indices.shape == ranking.scores.shape == (2, 0)
    some = chunk(Document("d", "words"), "fixed(size=5)")
    assert Dense().rank(Hashing(), [], [some], 5).indices.shape == (0, 1)


@pytest.mark.parametrize("k", [0, -1, 1.5, True, "5", None])
def test_k_below_one_is_refused(k):
    for chunked in ([], [chunk(Document("d", "words"), "fixed(size=5)")]):
        with pytest.raises(ParamError, match="dense: k must be a whole number of at least 1, got"):
            Dense().rank(Hashing(), ["q"], chunked, k)


@pytest.mark.parametrize(
    ("size", "overlap", "n_chunks", "hits"),
    [
        (200, 40, 76, (0.375, 0.4583, 0.5417)),
        (500, 50, 28, (0.2083, 0.3333, 0.4167)),
        (1000, 150, 16, (0.25, 0.5833, 0.625)),
    ],
)
def test_independently_computed_hit_rates(size, overlap, n_chunks, hits):
    """Hit rate at 1, 3 and 5 over the 24 sample questions, from another program of the same recipe."""
    corpora = [load_corpus(SAMPLES / name) for name in ("markdown", "mixed", "prose")]
    documents = [document for corpus in corpora for document in corpus.documents]
    questions = [question for corpus in corpora for question in corpus.questions]
    chunked, places = [], []
    for document in documents:
        starts = np.arange(0, len(document.text), size - overlap)
        ends = np.minimum(starts + size, len(document.text))
        chunked.append(Windows(document, np.stack([starts, ends], axis=1)))
        places += [(document.id, Span(int(a), int(b))) for a, b in zip(starts, ends, strict=True)]
    texts = [question.text for question in questions]
    ranking = Dense().rank(Hashing(dims=256, words="ascii"), texts, chunked, 5)
    found = np.array(
        [
            [
                any(places[at][0] == e.document_id and places[at][1].overlaps(e.span) for e in q.evidence)
                for at in row
            ]
            for q, row in zip(questions, ranking.indices.tolist(), strict=True)
        ]
    )
    assert len(places) == n_chunks and len(questions) == 24
    assert [round(float(found[:, :k].any(axis=1).mean()), 4) for k in (1, 3, 5)] == list(hits)


def test_it_is_found_and_described():
    assert components("retrievers")["dense"] is Dense and str(Dense()) == "dense()"
    assert all((Dense.label, Dense.assumes, Dense.fails))
