"""Short documents laid behind one another: the same scores as one by one, and what is paid for each is paid once."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from chunklab import joined as module
from chunklab.chunking import chunk
from chunklab.embedders.hashing import Hashing
from chunklab.embedders.static import Static
from chunklab.joined import Joined, joined
from chunklab.retrievers.bm25 import Bm25
from chunklab.retrievers.dense import Dense
from chunklab.types import Document
from tests.test_hashing import texts

QUERIES = ["the river café 漢字", "don't x 2024 a", ""]
RECIPES = (
    "fixed(size=7,overlap=3)",
    "sentence(size=30) | label()",
    "fixed(size=9) | label(text=xy)",
    "document()",
)


@settings(max_examples=120, deadline=None)
@given(
    st.lists(texts, min_size=1, max_size=6),
    st.sampled_from(RECIPES),
    st.sampled_from([Hashing(), Hashing(dims=256, ngrams=3), Hashing(words="ascii"), Static()]),
    st.integers(0, 60),
)
def test_scores_are_those_of_each_document_alone(found, recipe, embedder, longest):
    chunks = [chunk(Document(f"d{at}", text), recipe) for at, text in enumerate(found)]
    alone = np.concatenate([embedder.similarities(QUERIES, each) for each in chunks], axis=1)
    with patch.object(module, "LONGEST", 0):
        by_words = Bm25().scores(QUERIES, chunks)
    for limit in (longest, module.LONGEST):
        with patch.object(module, "LONGEST", limit):
            assert np.array_equal(Dense().scores(embedder, QUERIES, chunks), alone)
            assert np.array_equal(Bm25().scores(QUERIES, chunks), by_words)


def test_neighbours_are_joined_as_long_as_they_are_short():
    chunks = [chunk(Document(f"d{at}", "word " * 20), "fixed(size=50)") for at in range(7)]
    with patch.object(module, "LONGEST", 210):
        found = list(joined(chunks))
    assert [len(each) for each in found] == [4, 4, 4, 2] and found[-1] is chunks[-1]
    assert found[0].spans.tolist() == [[0, 50], [50, 100], [101, 151], [151, 201]]
    assert isinstance(found[0], Joined) and len(list(joined(chunks))) == 1


def test_forty_documents_are_asked_for_at_once():
    asked = []

    class Counting(Hashing):
        def similarities(self, queries, chunks):
            asked.append(len(chunks))
            return super().similarities(queries, chunks)

    chunks = [chunk(Document(f"d{at}", f"w{at} word " * 20), "fixed(size=50)") for at in range(40)]
    Dense().scores(Counting(), QUERIES, chunks)
    assert asked == [sum(map(len, chunks))]
