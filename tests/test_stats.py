"""Intervals, the paired test, its correction and its words: against scipy, by hand, and by simulation."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from scipy.stats import permutation_test

from chunklab import resampling
from chunklab.agreement import top1_agreement
from chunklab.chunking import chunk
from chunklab.corpus import Corpus, load_corpus
from chunklab.errors import ChunklabError, ParamError
from chunklab.experiment import evaluate
from chunklab.recipe import parse_component
from chunklab.stats import (
    EXACT,
    FEWEST,
    bootstrap_interval,
    corrected,
    corrected_together,
    in_words,
    needed,
    paired,
    spread,
)
from tests.test_retrieval import SAMPLES


def differing(*differences: float, ties: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """a and b with these differences and so many questions on which they agree."""
    b = np.concatenate((np.array(differences, dtype=float), np.zeros(ties)))
    return np.zeros(len(b)), b


def test_the_interval_is_that_of_drawing_each_question_by_hand() -> None:
    values = np.random.default_rng(5).random(30)
    drawn = np.random.default_rng(3).integers(0, 30, (2000, 30))
    low, high = np.quantile(values[drawn].mean(axis=1), [0.025, 0.975])
    assert bootstrap_interval(values, seed=3) == pytest.approx((low, high), abs=1e-12)
    hits = np.repeat([1.0, 0.0], [18, 6])
    assert np.round(bootstrap_interval(hits), 3).tolist() == [0.583, 0.917], "18 of 24, another program's"


def test_draws_are_made_once_for_all_that_have_as_many_values() -> None:
    resampling._weights.cache_clear()
    random = np.random.default_rng(0)
    for _ in range(20):
        a, b = random.random((2, 40))
        bootstrap_interval(a)
        paired(a, b)
    assert resampling._weights.cache_info().misses == 2, "the bootstrap's and the flips'"


def test_large_draws_are_made_in_blocks_with_the_same_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(0).random(50)
    whole = [
        resampling.sums(draw, values, 999, 4) for draw in (resampling.signs, resampling.with_replacement)
    ]
    monkeypatch.setattr(resampling, "KEPT", 500)
    sizes = []

    def seen(random: np.random.Generator, rows: int, n: int) -> np.ndarray:
        sizes.append(rows * n)
        return resampling.with_replacement(random, rows, n)

    assert resampling.sums(resampling.signs, values, 999, 4).shape == whole[0].shape
    assert resampling.sums(seen, values, 999, 4) == pytest.approx(whole[1])
    assert len(sizes) == 100 and max(sizes) == 500


@pytest.mark.parametrize("make", ["random", "halves"])
def test_intervals_cover_the_mean_and_the_test_errs_as_often_as_it_says(make: str) -> None:
    """Seeded: 95 % intervals hold the true mean in 91 to 97 of 100 samples, p <= 0.05 in at most 7."""
    random = np.random.default_rng(11)
    draw = random.random if make == "random" else lambda n: random.integers(0, 2, n).astype(float)
    inside = sum(low <= 0.5 <= high for low, high in (bootstrap_interval(draw(24)) for _ in range(1000)))
    assert 910 <= inside <= 970
    errors = sum(paired(draw(14), draw(14)).distinguishable for _ in range(1000))
    assert (30 if make == "random" else 1) <= errors <= 70, "ties make the test careful, never bold"


def test_so_many_questions_as_are_needed_find_the_difference_four_times_in_five() -> None:
    random = np.random.default_rng(2)
    sample = random.normal(0.2, 0.4, 5000)
    n = needed(sample)
    assert n == pytest.approx(((1.959964 + 0.841621) * 0.4 / 0.2) ** 2, rel=0.1)
    found = sum(paired(np.zeros(n), random.normal(0.2, 0.4, n)).distinguishable for _ in range(300))
    assert 0.72 <= found / 300 <= 0.88


@pytest.mark.parametrize("n", [2, 5, 9, 12])
@pytest.mark.parametrize("levels", [2, 3, 1000])
def test_the_exact_test_is_scipys(n: int, levels: int) -> None:
    a, b = np.random.default_rng(n * levels).integers(0, levels, (2, n)) / (levels - 1)
    theirs = permutation_test(
        (a, b), lambda x, y, axis: np.mean(y - x, axis=axis), permutation_type="samples", n_resamples=np.inf
    )
    assert paired(a, b).p == pytest.approx(theirs.pvalue)
    assert paired(b, a).p == paired(a, b).p


def test_the_seeded_test_is_near_the_exact_one() -> None:
    a, b = np.random.default_rng(4).integers(0, 4, (2, 40)) / 3
    moved = (b - a)[b != a]
    assert len(moved) > EXACT
    sums = {0: 1}
    for each in np.round(moved * 3).astype(int).tolist():
        flips = ((total + sign * each, ways) for total, ways in sums.items() for sign in (1, -1))
        sums = {}
        for total, ways in flips:
            sums[total] = sums.get(total, 0) + ways
    seen = abs(round(moved.sum() * 3))
    exact = sum(ways for total, ways in sums.items() if abs(total) >= seen) / 2 ** len(moved)
    assert 0.02 < exact < 0.5 and paired(a, b).p == pytest.approx(exact, abs=0.015)
    assert paired(a, b) == paired(a, b) and paired(a, b).p != paired(a, b, seed=1).p


def test_what_a_comparison_says() -> None:
    a, b = differing(1, 1, 0.5, -0.5, ties=4)
    found = paired(a, b)
    assert (found.difference, found.questions, found.better, found.worse) == (0.25, 8, 3, 1)
    flips = [abs(np.dot(signs, (1, 1, 0.5, 0.5))) >= 2 for signs in product((1, -1), repeat=4)]
    assert found.p == np.mean(flips) and not found.distinguishable
    assert (found.low, found.high) == bootstrap_interval(b - a)
    assert json.loads(json.dumps(found.to_json(), allow_nan=False))["distinguishable"] is False


def test_differences_that_are_only_rounding_are_none() -> None:
    a, b = np.full(24, 0.1 + 0.2), np.full(24, 0.3)
    assert paired(a, b).p == 1 and paired(a, b).better == 0 and paired(a, b).needed is None
    thirds = paired(*differing(1 / 3, 1 / 3, -2 / 3))
    assert thirds.difference == 0 and thirds.needed is None


def test_too_few_to_compare() -> None:
    none, one = paired(np.zeros(0), np.zeros(0)), paired(np.zeros(1), np.ones(1))
    assert (none.p, none.low, none.needed, none.questions) == (1, None, None, 0)
    assert (one.p, one.low, one.needed, one.difference) == (1, None, None, 1)
    assert needed(np.ones(5)) == FEWEST, "a constant difference still needs six to be seen"
    assert paired(*differing(1, 1, 1, 1, 1)).p == 2 / 32 and paired(*differing(*[1] * 6)).distinguishable
    with pytest.raises(ParamError, match="stats: b must be 3 values, one for each question of a, got 2"):
        paired(np.zeros(3), np.zeros(2))


def test_holms_correction() -> None:
    assert corrected([0.01, 0.04, 0.03, 0.005]).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert corrected([0.5, 0.9]).tolist() == [1, 1] and corrected([]).tolist() == []
    assert corrected([0.03]).tolist() == [0.03]


def test_among_many_comparisons_none_is_false_more_often_than_it_says() -> None:
    random = np.random.default_rng(4)
    any_false = bare = 0
    for _ in range(200):
        first = random.random(12)
        pairs = [paired(first, random.random(12)) for _ in range(10)]
        bare += any(each.distinguishable for each in pairs)
        any_false += any(each.distinguishable for each in corrected_together(pairs))
    assert any_false <= 18 < 40 < bare


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (differing(*[1] * 8, ties=16), "recall@5: B is 0.33 higher than A (95 % interval +0.17 to +0.54, p = 0.008, 24 questions)."),
        (differing(*[-0.5] * 24), "recall@5: B is 0.50 lower than A (95 % interval -0.50 to -0.50, p < 0.001, 24 questions)."),
        (differing(0.5, 0.5, -0.25, ties=21), "recall@5: B and A are not distinguishable with 24 questions; about 190 would be needed to tell +0.03 apart."),
        (differing(0.004, ties=23), "recall@5: B and A are not distinguishable with 24 questions; about 190 would be needed to tell +0.0002 apart."),
        (differing(ties=24), "recall@5: B and A are identical on all 24 questions."),
        (differing(1, -1, ties=22), "recall@5: B and A are not distinguishable with 24 questions: their means are equal, though 2 differ."),
        (differing(), "recall@5: no question has evidence, so B and A cannot be compared."),
        (differing(ties=1), "recall@5: B and A are identical on the one question."),
        (differing(0.4), "recall@5: B and A are not distinguishable with 1 question: only 1 differs, and at least 6 must."),
        (differing(1, 1, 1, 1, 1), "recall@5: B and A are not distinguishable with 5 questions; about 6 would be needed to tell +1.00 apart."),
    ],
)  # fmt: skip
def test_in_words(values: tuple[np.ndarray, np.ndarray], said: str) -> None:
    assert in_words("A", "B", "recall@5", paired(*values)) == said


def test_in_words_after_a_correction() -> None:
    first = paired(*differing(*[1] * 8, ties=16))
    alone, *_ = corrected_together([first])
    among, *_ = corrected_together([first, *[paired(*differing(ties=24))] * 9])
    assert alone.distinguishable and not among.distinguishable
    assert in_words("A", "B", "whole@5", among) == (
        "whole@5: B and A are not distinguishable with 24 questions after the correction for many "
        "comparisons (p = 0.008, corrected = 0.078)."
    )
    assert "p = 0.008, corrected = 0.008" in in_words("A", "B", "whole@5", alone)


def test_spread() -> None:
    assert spread([0.25, 0.5, 0.375]) == 0.25 and spread([]) == 0


def test_agreement_on_the_first_place() -> None:
    corpus = load_corpus(SAMPLES / "markdown")
    dense = parse_component("retrievers", "dense()")
    recipes = ["recursive(size=300)", "recursive(size=300)", "recursive(size=600)"]
    embedders = ["hashing()", "hashing(dims=256,ngrams=1)", "hashing()"]
    made = []
    for recipe, embedder in zip(recipes, embedders, strict=True):
        chunks = [chunk(each, recipe) for each in corpus.documents]
        made.append(
            (evaluate(corpus, recipe, parse_component("embedders", embedder), dense, (1,), chunks), chunks)
        )
    (one, cut), (narrow, _), (large, larger) = made
    assert top1_agreement(one, cut, one, cut, same=True).tolist() == [1] * len(one.questions)
    models = top1_agreement(one, cut, narrow, cut, same=True)
    first = one.ranking.indices[:, 0] == narrow.ranking.indices[:, 0]
    assert models.tolist() == first.tolist() and 0 < models.mean() < 1
    sizes = top1_agreement(one, cut, large, larger)
    assert top1_agreement(one, cut, large, larger, same=True).sum() < sizes.sum() < len(sizes)
    fewer = Corpus(corpus.name, corpus.documents, corpus.questions[1:])
    other = evaluate(fewer, recipes[0], parse_component("embedders", "hashing()"), dense, (1,), cut)
    with pytest.raises(ChunklabError, match="agreement: must be over the same questions"):
        top1_agreement(one, cut, other, cut)
