"""The hashing embedder: its recipe, slices of a document equal to their own text, and work done once."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunklab.chunking import chunk
from chunklab.discovery import components
from chunklab.embedders.base import Embedder, embedded_texts
from chunklab.embedders.hashing import Hashing
from chunklab.errors import ParamError
from chunklab.tokens.ngrams import WORK, HashedText, words_of
from chunklab.types import Document

PIECES = [
    "the", "River", "STRASSE", "straße", "don't", "x", "a", "I", "snake_case", "3.14", "2024", "½", "漢字", "東京都",
    "カタカナ", "が", "か\u3099", "ภาษาไทย", "น้ำ", "ខ្មែរ", "မြန်မာ", "བོད་ཡིག", "한국어", "हिन्दी", "العربية", "café", "cafe\u0301",
    "\u0301", "\ufe0f", "👩‍🚀", " ", "  ", "\n", "\r\n", "\t", ".", ", ", "-", "漢\u0301abc", "\ud800", "İ", "ﬁ", "\x1f",
]  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=25).map("".join)
embedders = st.builds(
    Hashing,
    dims=st.sampled_from([256, 1024]),
    ngrams=st.integers(1, 3),
    words=st.sampled_from(["unicode", "ascii"]),
)


@dataclass
class Slices:
    """Any spans of a document, as the chunks of one."""

    document: Document
    spans: np.ndarray
    contexts: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.spans)


def slices(text: str, spans, contexts=()) -> Slices:
    return Slices(Document("d", text), np.array(spans, dtype=np.int32).reshape(-1, 2), tuple(contexts))


def cosine(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(left, axis=1)[:, None] * np.linalg.norm(right, axis=1)
    return np.divide(left @ right.T, lengths, out=np.zeros_like(lengths), where=lengths > 0)


def reference(text: str, dims: int = 256) -> np.ndarray:
    """The recipe of the reference results, written from its description alone."""
    words = re.findall("[A-Za-z]{2,}", text.lower())
    vector = np.zeros(dims)

    def add(key, weight):
        digest = blake2b("\x1f".join(key).encode(), digest_size=8).digest()
        vector[int.from_bytes(digest, "little") % dims] += weight

    for word in words:
        add(("u", word), 1)
    for pair in pairwise(words):
        add(("b", *pair), 0.5)
    return vector / (np.linalg.norm(vector) + 1e-9)


def test_the_reference_recipe_is_reproduced():
    text = "Plants turn light into sugar; chlorophyll in a leaf catches the light. Is I x or 42?"
    vector = Hashing(dims=256, words="ascii").embed([text])[0]
    assert np.allclose(vector, reference(text), atol=1e-6)
    assert np.count_nonzero(vector) > 10


def test_one_word_lands_where_the_hash_says():
    digest = blake2b(b"u\x1fword", digest_size=8).digest()
    vector = Hashing(dims=512).counts(["Word"])[0]
    assert np.flatnonzero(vector).tolist() == [int.from_bytes(digest, "little") % 512]
    assert vector.sum() == 1.0


def test_weights_of_the_orders():
    counts = [Hashing(ngrams=n).counts(["one two three"])[0].sum() for n in (1, 2, 3)]
    assert counts == [3.0, 4.0, 4.25]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ein STRASSE-Test, straße!", ["ein", "strasse", "test", "strasse"]),
        ("cafe\u0301 CAFÉ", ["café", "café"]),
        ("don't 3.14 x_1", ["don", "t", "3", "14", "x", "1"]),
        ("東京2024 tower", ["東", "京", "2024", "tower"]),
        ("น้ำ", ["น้", "ำ"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("한국어", ["한국어"]),
        ("☀\ufe0f \u0301 !", []),
    ],
)
def test_words(text, words):
    assert list(words_of(text, "unicode")) == words


@settings(max_examples=250, deadline=None)
@given(texts, embedders, st.data())
def test_slices_score_as_their_own_text(text, embedder, data):
    offset = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(offset, offset).map(sorted), min_size=1, max_size=6))
    contexts = data.draw(st.one_of(st.just([]), st.lists(texts, min_size=len(spans), max_size=len(spans))))
    chunks = slices(text, spans, contexts)
    queries = [text, text[::2], "the river café 漢字", ""]
    scores = embedder.similarities(queries, chunks)
    directly = cosine(embedder.counts(queries), embedder.counts(embedded_texts(chunks)))
    assert np.abs(scores - directly).max() < 1e-9
    assert (
        np.isfinite(scores).all()
        and (scores[-1] == 0).all()
        and scores.min() >= 0
        and scores.max() < 1 + 1e-9
    )


@settings(max_examples=200, deadline=None)
@given(texts, st.sampled_from(["unicode", "ascii"]), st.data())
def test_the_words_of_a_slice_are_the_words_of_the_text_cut_to_it(text, rule, data):
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    whole, part = HashedText(text, rule), HashedText(text[start:end], rule)
    runs = [(max(a, start), min(b, end)) for a, b in zip(whole.run_starts, whole.run_ends, strict=True)]
    expected = [(a - start, b - start) for a, b in runs if a < b]
    assert list(zip(part.run_starts, part.run_ends, strict=True)) == expected


@settings(max_examples=100, deadline=None)
@given(st.lists(texts, max_size=5), embedders)
def test_rows_have_length_one_or_zero(items, embedder):
    vectors = embedder.embed(items)
    assert vectors.shape == (len(items), embedder.dims) and vectors.dtype == np.float32
    lengths = np.linalg.norm(vectors.astype(float), axis=1)
    worded = np.array([bool(words_of(each, embedder.words)) for each in items])
    assert np.allclose(lengths, worded, atol=1e-6)


def test_equal_texts_get_equal_bits():
    part = "One river, two 東京 banks and a bridge. "
    text = "Other words lead in here. " + part + "Some more filler of another length! " + part + part
    places = [match.start() for match in re.finditer(re.escape(part), text)]
    spans = [(at, at + len(part)) for at in places] + [(at + 2, at + len(part) - 3) for at in places]
    for embedder in (Hashing(), Hashing(ngrams=3), Hashing(dims=256, words="ascii")):
        scores = embedder.similarities(["two banks", "a river bridge of words"], slices(text, spans))
        assert (scores[:, :3] == scores[:, :1]).all() and (scores[:, 3:] == scores[:, 3:4]).all()
        assert (scores > 0).all()


def test_a_document_is_hashed_once():
    document = Document("d", "The same few words come again, and then again. " * 300)
    queries = ["the same words", "again"]
    for embedder in (Hashing(), Hashing(dims=2048), Hashing(ngrams=1)):
        before = WORK.characters
        for size in (100, 150, 99):
            edges = np.arange(0, len(document.text), size)
            spans = np.stack([edges, np.minimum(edges + size, len(document.text))], axis=1)
            embedder.similarities(queries, Slices(document, spans))
        new = WORK.characters - before
        # The queries are hashed once for each embedder; the document by the first one only.
        assert new <= len("".join(queries)) + (len(document.text) if embedder == Hashing() else 0)
    assert document.fact(("ngrams", "unicode"), lambda: None) is not None


def test_real_chunks_with_and_without_cut_words():
    document = Document("d", "Rivers carry water to the sea. 東京の川は海へ流れる。 " * 40)
    for recipe in ("fixed(size=37)", "fixed(size=90,overlap=20)", "sentence(size=120)"):
        chunks = chunk(document, recipe)
        queries = ["water in the sea", "海へ流れる"]
        directly = cosine(Hashing().counts(queries), Hashing().counts([each.text for each in chunks]))
        assert np.abs(Hashing().similarities(queries, chunks) - directly).max() < 1e-9
        assert directly.max() > 0.3


@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (0, 0)])
def test_no_queries_or_no_chunks(shape):
    queries, spans = ["word"] * shape[0], [(0, 4)] * shape[1]
    assert Hashing().similarities(queries, slices("word", spans)).shape == shape


def test_blank_and_wordless_texts_score_zero():
    scores = Hashing().similarities(["word", "", "!?"], slices("   \n ... word", [(0, 4), (5, 8), (9, 13)]))
    assert scores.tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]


def test_the_hash_is_the_same_in_every_process():
    code = (
        "from chunklab.embedders.hashing import Hashing;"
        "print(Hashing().counts(['straße 東京 a b c'])[0].nonzero()[0].tolist())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1 and runs.pop().startswith("[")


@pytest.mark.parametrize(
    ("name", "value"), [("dims", 255), ("dims", 4097), ("ngrams", 0), ("ngrams", 4), ("words", "latin")]
)
def test_parameters_out_of_bounds(name, value):
    with pytest.raises(ParamError, match=f"hashing: {name} must be"):
        Hashing(**{name: value})


def test_it_is_found_and_described():
    assert components("embedders")["hashing"] is Hashing
    assert (
        str(Hashing()) == "hashing()"
        and str(Hashing(dims=256, words="ascii")) == "hashing(dims=256,words=ascii)"
    )
    assert Hashing.limit is None
    for sentence in (
        Hashing.label,
        Hashing.assumes,
        Hashing.fails,
        *(p.help for _, p in Hashing.params().values()),
    ):
        assert sentence


@dataclass(frozen=True)
class Letters(Embedder):
    """The count of two letters; enough to test what every embedder inherits."""

    def embed(self, texts):
        LETTERS_SEEN.extend(texts)
        counts = np.array([[each.count("a"), each.count("b")] for each in texts], dtype=np.float32).reshape(
            -1, 2
        )
        lengths = np.linalg.norm(counts, axis=1, keepdims=True)
        return counts / np.where(lengths == 0, 1, lengths)


LETTERS_SEEN: list[str] = []


def test_any_embedder_scores_context_and_text_once_for_each_text():
    LETTERS_SEEN.clear()
    chunks = slices("aa aa bb --", [(0, 2), (3, 5), (6, 8), (9, 11)], ["", "", "a", ""])
    scores = Letters().similarities(["a", "b", ""], chunks)
    root = 1 / np.sqrt(5)
    assert np.allclose(scores, [[1, 1, root, 0], [0, 0, 2 * root, 0], [0, 0, 0, 0]])
    assert LETTERS_SEEN.count("aa") == 1 and "abb" in LETTERS_SEEN
    assert Letters().similarities(["a"], slices("", [])).shape == (1, 0)


def test_runs_that_end_inside_an_n_gram_of_a_bucket_that_they_hold_twice():
    # In so few buckets they meet all the time.
    random_ = random.Random(1)
    words = [f"w{random_.randrange(90)}" for _ in range(600)]
    text = " ".join(words)
    edges = np.array([0, *np.cumsum([len(each) + 1 for each in words])])
    spans = [(edges[at], min(edges[at + length], len(text))) for at in range(560) for length in (3, 40)]
    for embedder in (Hashing(dims=256), Hashing(dims=256, ngrams=3)):
        chunks = slices(text, spans)
        direct = cosine(embedder.counts([text, "w1 w2"]), embedder.counts(embedded_texts(chunks)))
        assert np.abs(embedder.similarities([text, "w1 w2"], chunks) - direct).max() < 1e-9
