"""An embedder around a function: what it is sent, what happens when it fails, and what is kept."""

from __future__ import annotations

import socket
import urllib.error
import urllib.request

import numpy as np
import pytest

from chunklab.batching import Called
from chunklab.chunking import chunk
from chunklab.corpus import load_corpus
from chunklab.discovery import components
from chunklab.embedders.hashing import Hashing
from chunklab.errors import ChunklabError, ParamError
from chunklab.experiment import evaluate
from chunklab.progress import listening
from chunklab.retrievers.dense import Dense
from chunklab.tokens import tokenizer
from chunklab.types import Document
from tests.test_retrieval import SAMPLES


class Service:
    """Stands where an API would: counts letters, remembers every request, fails when it is told to."""

    def __init__(self, *faults: Exception | object | None):
        self.requests: list[list[str]] = []
        self.faults = list(faults)
        self.slept: list[float] = []

    def __call__(self, texts: list[str]):
        self.requests.append(texts)
        fault = self.faults.pop(0) if self.faults else None
        if isinstance(fault, Exception):
            raise fault
        found = [[float(text.count(letter)) for letter in "abcde"] for text in texts]
        return fault(found) if callable(fault) else found

    def embedder(self, **settings) -> Called:
        return Called("letters", self, sleep=self.slept.append, **settings)


def texts(n: int) -> list[str]:
    return ["a" * (1 + at % 3) + "b" * (at % 5) + f"c{at}" for at in range(n)]


def unit(texts) -> np.ndarray:
    rows = np.array([[text.count(letter) for letter in "abcde"] for text in texts], dtype=float)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths == 0, 1, lengths)


def test_batches_by_number_in_order() -> None:
    service = Service()
    asked = [*texts(10), "", " \n", texts(10)[3]]
    found = service.embedder(batch=4).embed(asked)
    assert [len(each) for each in service.requests] == [4, 4, 2]
    assert [text for each in service.requests for text in each] == texts(10), "in order, once, none blank"
    assert found.dtype == np.float32 and np.allclose(found, unit(asked), atol=1e-6)
    assert (found[10:12] == 0).all() and np.array_equal(found[12], found[3])


def test_batches_by_tokens() -> None:
    service = Service()
    asked = ["one two three", "four", "five six seven eight nine ten", "eleven", "twelve"]
    counts = tokenizer("cl100k").count_many(asked).tolist()
    service.embedder(tokens_per_request=5, dims=5).embed(asked)
    assert counts == [3, 1, 6, 2, 2]
    assert service.requests == [asked[:2], asked[2:3], asked[3:]]


def test_what_fails_for_a_while_is_tried_again() -> None:
    service = Service(None, TimeoutError("slow"), RuntimeError("429 too many requests"), None)
    found = service.embedder(batch=2, wait=0.5).embed(texts(4))
    assert np.allclose(found, unit(texts(4)), atol=1e-6)
    assert service.slept == [0.5, 1.0]
    assert service.requests == [texts(4)[:2], *[texts(4)[2:]] * 3]
    patient = Service(*[RuntimeError()] * 9)
    patient.embedder(wait=4, retries=9).embed(["a"])
    assert patient.slept == [4, 8, 16, 32, 60, 60, 60, 60, 60]


def test_what_fails_for_good_says_where_and_keeps_the_rest() -> None:
    service = Service(None, *[RuntimeError("quota used up.\nsecond line")] * 3)
    embedder = service.embedder(batch=3, retries=2)
    with pytest.raises(ChunklabError) as failed:
        embedder.embed(texts(8))
    assert str(failed.value) == (
        "letters: batch 2 of 3, texts 4 to 6: tried 3 times, it failed: (RuntimeError: quota used up). "
        "What was embedded before is kept: ask again to go on from there."
    )
    assert len(service.requests) == 4 and service.slept == [1, 2]
    service.requests.clear()
    assert np.allclose(embedder.embed(texts(8)), unit(texts(8)), atol=1e-6)
    assert service.requests == [texts(8)[3:6], texts(8)[6:]]
    embedder.embed(texts(8))
    assert len(service.requests) == 2, "all kept"


def test_without_a_network_the_message_says_so() -> None:
    """A real refusal: nobody listens on a port that was just given back."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    def call(texts: list[str]) -> list[list[float]]:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5)
        except urllib.error.URLError as error:
            raise RuntimeError("the client's own error") from error
        return [[1.0]]

    with pytest.raises(ChunklabError, match="tried once, it cannot be reached; is there a network"):
        Called("far away", call, retries=0).embed(["a"])


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (lambda rows: rows[:-1], "3 texts must give 3 vectors, one each, got 2"),
        (lambda rows: [*rows, rows[0]], "3 texts must give 3 vectors, one each, got 4"),
        (lambda rows: [rows[0], rows[1][:3], rows[2]], "all vectors must have one length, got several"),
        (lambda rows: [row[:3] for row in rows], "its vectors must have 5 numbers, as the others have, got 3"),
        (lambda rows: [rows[0], [float("nan")] * 5, rows[2]], "vector 2 of 3 must have finite numbers, got nan"),
        (lambda rows: [rows[0], rows[1], [1, float("-inf"), 0, 0, 0]], "vector 3 of 3 must have finite numbers, got -inf"),
        (lambda rows: None, "got an array of object and shape"),
        (lambda rows: {"error": 1}, "got an array of object and shape"),
    ],
)  # fmt: skip
def test_a_wrong_answer_names_the_batch_and_is_not_kept(fault, says: str) -> None:
    service = Service(None, fault)
    embedder = service.embedder(batch=3)
    with pytest.raises(ChunklabError) as refused:
        embedder.embed(texts(6))
    assert str(refused.value).startswith("letters (batch 2 of 2, texts 4 to 6): ") and says in str(
        refused.value
    )
    assert np.allclose(embedder.embed(texts(6)), unit(texts(6)), atol=1e-6)
    assert service.requests == [texts(6)[:3], texts(6)[3:], texts(6)[3:]]


def test_progress_is_told_and_can_end_the_work() -> None:
    service = Service()
    embedder = service.embedder(batch=2)
    told: list[tuple] = []

    def stop(*each) -> None:
        told.append(each)
        if each[1] == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), listening(stop):
        embedder.embed(texts(8))
    assert told == [("texts embedded", done, 8) for done in (0, 2, 4)]
    embedder.embed(texts(8))
    assert len(service.requests) == 4


def test_it_searches_like_any_embedder() -> None:
    corpus = load_corpus(SAMPLES / "prose")
    embedder = Called("hashed", lambda texts: Hashing().embed(texts) * 3, batch=7)
    ours = evaluate(corpus, "recursive(size=300)", embedder, Dense(), ks=(5,))
    theirs = evaluate(corpus, "recursive(size=300)", Hashing(), Dense(), ks=(5,))
    assert ours.means() == theirs.means() and (ours.embedder, ours.fingerprint) == ("hashed", "hashed")
    cut = chunk(Document("d", "one. two. three."), "sentence(n=1)")
    assert Called("wordless", Service()).similarities(["", "ab"], cut).shape == (2, 3)


def test_two_functions_of_one_name_are_two() -> None:
    first, second = Service().embedder(), Called("letters", lambda texts: [[1, 0, 0, 0, 0]] * len(texts))
    assert first != second and len({first, second}) == 2
    assert not np.array_equal(first.embed_queries(["bb"]), second.embed_queries(["bb"]))


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"batch": 0}, "letters: batch must be a whole number of at least 1, got 0"),
        ({"retries": -1}, "letters: retries must be"),
        ({"tokens_per_request": 0}, "letters: tokens_per_request must be"),
        ({"dims": True}, "letters: dims must be"),
    ],
)
def test_settings_are_checked(settings, says: str) -> None:
    with pytest.raises(ParamError, match=says):
        Service().embedder(**settings)
    with pytest.raises(ParamError, match="called: name must be"):
        Called(" ", Service())


def test_it_is_for_python_only() -> None:
    assert "called" not in components("embedders") and "batching" not in components("embedders")
