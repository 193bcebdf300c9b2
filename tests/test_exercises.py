"""The exercises: each runs on the samples, shows its numbers, and judges its claims by them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from chunklab.corpus import load_corpus
from chunklab.errors import ChunklabError
from chunklab.exercises import exercises
from chunklab.exercises.base import Claim, Exercise, Variant, run
from chunklab.exercises.model_or_cut import shares
from chunklab.progress import listening

SAMPLES = Path(__file__).resolve().parents[1] / "sample_corpora"
FAST = [key for key, each in exercises().items() if each.embedder]


@pytest.fixture(scope="module")
def samples() -> dict:
    return {name: load_corpus(SAMPLES / name) for name in ("prose", "markdown", "mixed", "topics", "formats")}


def test_there_are_twelve_in_an_order_of_their_own() -> None:
    assert [each.order for each in exercises().values()] == list(range(1, 13))
    assert all(each.asks.endswith(("?", ".")) and each.title for each in exercises().values())


@pytest.mark.parametrize("key", FAST)
def test_each_shows_its_numbers_with_intervals_and_judges_its_claims(key, samples) -> None:
    exercise = exercises()[key]
    outcome = run(exercise, samples, "static()")
    rows = outcome.rows()
    assert len(rows) >= 3 and len({row["variant"] for row in rows}) == len(rows)
    for row in rows:
        assert row["questions"] > 0 and row["chunks"] > 0
        for name in exercise.measures:
            assert 0 <= row[f"{name} low"] <= row[name] <= row[f"{name} high"] <= 1
    assert len(outcome.judged) == len(exercise.claims)
    for each in outcome.judged:
        assert each.holds is None or each.paired.distinguishable
        assert str(each.paired.questions) in each.sentence
    assert outcome.judged or outcome.notes


def test_a_real_model_against_hashed_words(samples) -> None:
    outcome = run(exercises()["spread"], samples)
    means = {row["variant"]: row["mrr"] for row in outcome.rows()}
    assert means["recursive with minilm"] > means["recursive with hashing"]
    assert all(each.holds for each in outcome.judged)
    assert len(outcome.notes) == 3


def made(sign: int, better: str, worse: str) -> Exercise:
    def variants(samples, embedder):
        corpus = samples["markdown"]
        return [
            Variant("large", corpus, "fixed(size=2000)", embedder),
            Variant("small", corpus, "fixed(size=100)", embedder),
        ]

    claim = Claim("A claim.", better, worse, "iou@10", sign)
    return Exercise(1, "t", "a?", ("iou@10",), variants, (claim,))


def test_a_claim_holds_is_turned_round_or_cannot_be_told(samples) -> None:
    held = run(made(1, "small", "large"), samples, "hashing()").judged[0]
    assert held.holds is True and "higher than large" in held.sentence
    turned = run(made(-1, "small", "large"), samples, "hashing()").judged[0]
    assert turned.holds is False
    same = run(made(1, "small", "small"), samples, "hashing()").judged[0]
    assert same.holds is None and "identical" in same.sentence


def test_a_missing_sample_is_told(samples) -> None:
    with pytest.raises(ChunklabError, match="needs the sample 'prose', got topics"):
        run(exercises()["code"], {"topics": samples["topics"]})


def test_progress_is_told_and_cancels(samples) -> None:
    seen = []

    def listener(what, done, total):
        if what == "settings measured":
            seen.append((done, total))
            if done == 2:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), listening(listener):
        run(exercises()["overlap"], samples, "hashing()")
    assert seen == [(0, 4), (1, 4), (2, 4)]


def test_shares_of_variance_are_those_of_a_two_way_table() -> None:
    rows, columns = np.array([[0.0], [1.0]]), np.array([[0.0, 0.2, 0.7]])
    cuts, model, rest = shares(rows + columns)
    assert rest == pytest.approx(0) and cuts + model == pytest.approx(1) and model > cuts
    assert shares(np.zeros((2, 3))) == (0, 0, 0)
    assert shares(np.array([[0.0, 1.0], [1.0, 0.0]])) == (0, 0, 1)
