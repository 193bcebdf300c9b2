"""Boundary measures: published and hand-worked values, and the definitions spelled out."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunklab.errors import ParamError
from chunklab.segmentation import boundary_scores, pk, window_diff

LENGTH = 20
CUTS = st.lists(st.integers(1, LENGTH - 1), max_size=6, unique=True)


def marks(text: str) -> tuple[list[int], int]:
    """Boundaries and length from a string with a 1 for each boundary between two units."""
    return [at + 1 for at, mark in enumerate(text) if mark == "1"], len(text) + 1


@pytest.mark.parametrize(
    ("true", "found", "k", "expected"),
    [
        ("000100000010", "000100000010", 3, 0.0),
        ("000100000010", "000010000100", 3, 0.3),
        ("000010000100", "100000010000", 3, 0.8),
    ],
)
def test_window_diff_has_the_values_of_nltk(true: str, found: str, k: int, expected: float) -> None:
    (wanted, length), (got, _) = marks(true), marks(found)
    assert window_diff(wanted, got, length, k) == pytest.approx(expected)


@pytest.mark.parametrize("found", ["1" * 400, "0" * 400])
def test_pk_of_all_and_of_nothing_is_a_half(found: str) -> None:
    (wanted, length), (got, _) = marks("0100" * 100), marks(found)
    assert pk(wanted, got, length, 2) == pytest.approx(0.5, abs=0.003)
    assert pk(wanted, wanted, length, 2) == 0


def test_by_hand() -> None:
    # ten characters in two halves, k = 2 or 3: pairs (i, i + k) of which the cut at 5 parts i = 3, 4 (and 2)
    assert pk([5], [], 10, 2) == pytest.approx(2 / 8)
    assert pk([5], [6], 10, 2) == pytest.approx(2 / 8)
    assert pk([5], [5, 6], 10, 3) == pytest.approx(1 / 7)
    assert window_diff([5], [5, 6], 10, 3) == pytest.approx(3 / 7)
    assert pk([5], [6], 10) == pk([5], [6], 10, 2), "half of the mean of 5, rounded to even"
    assert (pk([], [], 1), window_diff([], [], 1), pk([], [], 0)) == (0, 0, 0)


@given(CUTS, CUTS, st.integers(1, LENGTH - 1))
def test_against_the_definitions(true: list[int], found: list[int], k: int) -> None:
    def between(cuts: list[int], low: int) -> int:
        return sum(low < cut <= low + k for cut in cuts)

    pairs = [(between(true, low), between(found, low)) for low in range(LENGTH - k)]
    apart = [bool(one) != bool(other) for one, other in pairs]
    assert pk(true, found, LENGTH, k) == pytest.approx(sum(apart) / len(pairs))
    assert window_diff(true, found, LENGTH, k) == pytest.approx(
        sum(one != other for one, other in pairs) / len(pairs)
    )


def most_pairs(true: list[int], found: list[int], tolerance: int) -> int:
    """The largest one-to-one matching, by trying every set of pairs."""
    near = [(one, other) for one in true for other in found if abs(one - other) <= tolerance]
    for count in range(min(len(true), len(found)), 0, -1):
        for some in combinations(near, count):
            if all(len({pair[side] for pair in some}) == count for side in (0, 1)):
                return count
    return 0


@given(
    st.lists(st.integers(1, LENGTH - 1), max_size=4, unique=True),
    st.lists(st.integers(1, LENGTH - 1), max_size=4, unique=True),
    st.integers(0, 4),
)
def test_matching_is_one_to_one_and_the_largest(true: list[int], found: list[int], tolerance: int) -> None:
    scores = boundary_scores(true, found, LENGTH, tolerance)
    matched = most_pairs(true, found, tolerance)
    assert scores.precision == (matched / len(found) if found else 1)
    assert scores.recall == (matched / len(true) if true else 1)
    both = len(true) + len(found)
    assert scores.f1 == pytest.approx(2 * matched / both if both else 1)


def test_boundary_scores_by_hand() -> None:
    assert boundary_scores([10, 20, 30], [10, 22], 40) == (1 / 2, 1 / 3, 2 / 5)
    assert boundary_scores([10, 20, 30], [10, 22], 40, 2) == (1, 2 / 3, 4 / 5)
    assert boundary_scores([10], [9, 11], 40, 1) == (1 / 2, 1, 2 / 3), "two cannot both be one"
    assert boundary_scores(np.array([10]), np.array([10, 10]), 40) == (1, 1, 1)
    assert boundary_scores([10], [], 40) == (1, 0, 0)
    assert boundary_scores([], [10], 40) == (0, 1, 0)
    assert boundary_scores([], [], 40) == (1, 1, 1)


@pytest.mark.parametrize("wrong", [[0], [40], [-1, 5], [1.5]])
def test_what_is_no_boundary(wrong: list) -> None:
    for measure in (boundary_scores, pk, window_diff):
        for given_ in ((wrong, [5]), ([5], wrong)):
            with pytest.raises(ParamError, match="offsets above 0 and below the length of 40"):
                measure(*given_, 40)


def test_settings_that_are_not_allowed() -> None:
    for k in (0, 40, 2.0, True):
        with pytest.raises(ParamError, match="k must be a whole number from 1 to 39"):
            pk([5], [5], 40, k)
    for tolerance in (-1, 1.0, True):
        with pytest.raises(ParamError, match="tolerance must be"):
            boundary_scores([5], [5], 40, tolerance)
