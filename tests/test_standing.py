"""Which setting is best, which cannot be told from it, plateaus and fronts, all on values made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from chunklab.errors import ParamError
from chunklab.standing import front, less_is_better, plateaus, standing
from chunklab.stats import corrected, paired
from chunklab.sweep.result import Swept

N = 24


def result(recipe: str, mean: float, spread: float = 0.0, seed: int = 0, characters: int = 1000) -> Swept:
    """Values around the mean, each question's own level kept small."""
    noise = np.random.default_rng(seed).normal(0, spread, N) if spread else np.zeros(N)
    values = np.clip(mean + noise - noise.mean(), 0, 1)
    return Swept(
        recipe,
        {"recall@5": values},
        {"chunks": 10, "characters": characters},
        {"returned_characters@5": np.full(N, characters / 10)},
    )


def test_the_best_and_what_is_not_distinguishable_from_it():
    results = [
        result("recursive(size=300,overlap=50)", 0.80, 0.2, 1),
        result("recursive(size=400,overlap=50)", 0.82, 0.2, 2),
        result("recursive(size=500,overlap=0)", 0.79, 0.2, 3),
        result("fixed(size=100)", 0.20, 0.1, 4),
    ]
    found = standing(results, "recall@5")
    assert found.best is results[1] and found.tied == (results[0], results[2])
    assert found.sentence == (
        "recursive 400/50 is best by recall@5; 300/50 and 500/0 are not distinguishable from it with 24 questions."
    )
    assert [found.is_tied(each.recipe) for each in results] == [True, True, True, False]
    ps = corrected(
        [paired(results[1].values["recall@5"], each.values["recall@5"]).p for each in found.others]
    )
    assert [each.adjusted for each in found.paired] == ps.tolist()


def test_the_words_for_few_and_for_many():
    alone = [result("fixed()", 0.5)]
    assert standing(alone, "recall@5").sentence == "fixed 400/0 is the only setting that was measured."
    apart = [result("fixed()", 0.9, 0.05, 1), result("fixed(size=9)", 0.1, 0.05, 2)]
    assert standing(apart, "recall@5").sentence == (
        "fixed 400/0 is best by recall@5; the other setting is distinguishable from it with 24 questions."
    )
    same = [result(f"fixed(size={size})", 0.5) for size in (10, 20, 30)]
    assert standing(same, "recall@5").sentence == (
        "fixed 10/0 has the best recall@5, but none of the 2 others is distinguishable from it with 24 questions."
    )
    many = [result(f"fixed(size={size})", 0.9, 0.1, size) for size in range(10, 20)]
    many.append(result("sentence()", 0.1, 0.05, 99))
    said = standing(many, "recall@5").sentence
    assert "and 6 others are not distinguishable from it" in said and said.count("/") == 4


def test_of_equal_settings_the_cheaper_is_best_and_nothing_is_nothing():
    first, second = (
        result("fixed(size=10)", 0.5, characters=900),
        result("fixed(size=20)", 0.5, characters=800),
    )
    assert standing([first, second], "recall@5").best is second
    assert standing([], "recall@5") is None
    assert standing([Swept("fixed()", problem="no")], "recall@5") is None
    assert standing([Swept("fixed()", {"recall@5": np.zeros(0)}, {"characters": 1})], "recall@5") is None
    with pytest.raises(ParamError, match="metric must be one of"):
        standing([first], "recall@9")


def test_less_of_a_failure_or_a_cost_is_better():
    results = [result("fixed(size=10)", 0.3, characters=100), result("fixed(size=20)", 0.6, characters=200)]
    assert standing(results, "failure@5").best is results[1]
    assert standing(results, "returned_characters@5").best is results[0]
    assert less_is_better("duplicates@5") and not less_is_better("recall@5")


@pytest.mark.parametrize(
    ("means", "sizes", "words"),
    [
        ((0.2, 0.8, 0.81, 0.8, 0.3), (200, 300, 400), "is on a plateau from 200 to 400 as far as 24 questions can tell."),
        ((0.2, 0.3, 0.9, 0.3, 0.2), (300,), "has no plateau; 300 is best of 5 sizes with 24 questions."),
        ((0.8, 0.2, 0.3, 0.81, 0.8), (400, 500), "from 400 to 500 as far as 24 questions can tell; larger sizes were"),
        ((0.8, 0.8, 0.8, 0.81, 0.8), (100, 200, 300, 400, 500), "no size from 100 to 500 is distinguishable"),
    ],
)  # fmt: skip
def test_a_plateau_is_the_longest_run_of_sizes_like_the_best(means, sizes, words):
    curve = [
        result(f"recursive(size={(at + 1) * 100},overlap=20%)", mean, 0.08, at)
        for at, mean in enumerate(means)
    ]
    (found,) = plateaus([*curve[::-1], result("recursive(size=100,overlap=0)", 0.99)], "recall@5")
    assert tuple(each.axes["size"] for each in found.settings) == sizes
    assert found.curve == tuple(curve) and found.name == "recursive, overlap 20%"
    assert words in found.sentence and found.sentence.startswith("recursive, overlap 20%: ")


def test_curves_are_kept_apart_by_all_that_is_not_the_size():
    results = [
        result(f"{head} | {stage}", 0.5)
        for head in ("fixed(size=100)", "fixed(size=200)", "markdown(max_size=100)", "markdown(max_size=200)")
        for stage in ("itself()", "headings()")
    ]
    found = plateaus(
        [*results, result("document()", 1.0), Swept("fixed(size=300)", problem="no")], "recall@5"
    )
    assert [len(each.curve) for each in found] == [2, 2, 2, 2]
    assert len({each.name for each in found}) == 4


def test_the_front_has_what_nothing_cheaper_reaches():
    results = [
        result("fixed(size=10)", 0.5, characters=300),
        result("fixed(size=20)", 0.4, characters=100),
        result("fixed(size=30)", 0.4, characters=200),
        result("fixed(size=40)", 0.9, characters=400),
        result("fixed(size=50)", 0.9, characters=400),
        Swept("fixed(size=60)", problem="no"),
    ]
    for cost in ("characters", "returned_characters@5"):
        assert front(results, "recall@5", cost) == (results[1], results[0], results[3])
    assert front(results, "failure@5") == front(results, "recall@5")
    assert front([], "recall@5") == ()
