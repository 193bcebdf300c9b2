"""Checks: how they are written, what they need measured, when they hold, what is said of chance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunklab.checks import RELATIONS, Check, Metric, parse_check, parse_metric
from chunklab.errors import ParamError
from chunklab.metrics import BUDGETED, METRICS, PLAIN


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("recall@5>=0.8", Check(Metric("recall", k=5), ">=", 0.8)),
        (" mrr > .5 ", Check(Metric("mrr"), ">", 0.5)),
        ("failure@1000tokens<0.2", Check(Metric("failure", budget=1000), "<", 0.2)),
        ("whole@3>=first - 0.1", Check(Metric("whole", k=3), ">=", -0.1, True)),
        ("whole@3 >= first+.1", Check(Metric("whole", k=3), ">=", 0.1, True)),
        ("iou@10==first", Check(Metric("iou", k=10), "==", 0, True)),
        ("document_recall@5<=1", Check(Metric("document_recall", k=5), "<=", 1)),
    ],
)
def test_how_a_check_is_written(text: str, check: Check) -> None:
    assert parse_check(text) == check
    assert parse_check(str(check)) == check


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("recal@5>=0.8", "failure, got 'recal'. Use recall."),
        ("speed@5>=0.8", "about one of hit_rate"),
        ("recall>=0.8", "at a k, such as recall@5"),
        ("mrr@5>=0.8", "without a number behind @"),
        ("document_recall@500tokens>=0.8", "not taken at a budget"),
        ("recall@5>=80", "from 0 to 1, got '80'. Use 0.8."),
        ("recall@0>=0.8", "written like recall@5>=0.8"),
        ("recall@5=0.8", "written like"),
        ("recall@5>=0.8 or mrr>0", "written like"),
        ("recall@5>=second", "written like"),
        ("recall@٥>=0.8", "written like"),
        ("", "written like"),
        ("recall@5" + ">" * 10_000, "written like"),
    ],
)
def test_what_cannot_be_checked(text: str, words: str) -> None:
    with pytest.raises(ParamError, match="--check must be") as caught:
        parse_check(text)
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_every_measure_can_be_named() -> None:
    for name in METRICS:
        at_k = parse_metric(name if name in PLAIN else f"{name}@7")
        assert (at_k.measure, at_k.k, at_k.budget) == (name, None if name in PLAIN else 7, None)
    for name in (*BUDGETED, "failure"):
        at_budget = parse_metric(f"{name}@400tokens")
        assert (at_budget.k, at_budget.budget, str(at_budget)) == (None, 400, f"{name}@400tokens")
    with pytest.raises(ParamError, match="--metric must be a name like recall@5"):
        parse_metric("recall@5>=1")


MEANS = {"recall@5": 0.75, "mrr": 0.5, "recall@500tokens": 0.9}


@pytest.mark.parametrize(
    ("text", "holds", "value", "bound"),
    [
        ("recall@5>=0.75", True, 0.75, 0.75),
        ("recall@5>0.75", False, 0.75, 0.75),
        ("recall@5<=0.75", True, 0.75, 0.75),
        ("recall@5<0.75", False, 0.75, 0.75),
        ("recall@5==0.75", True, 0.75, 0.75),
        ("mrr==0.51", False, 0.5, 0.51),
        ("failure@5<=0.25", True, 0.25, 0.25),
        ("failure@500tokens>0.2", False, 0.1, 0.2),
        ("recall@5>=first-0.1", True, 0.75, 0.7),
        ("recall@5>=first", False, 0.75, 0.8),
        ("failure@5<=first", False, 0.25, 0.2),
    ],
)
def test_when_it_holds(text: str, holds: bool, value: float, bound: float) -> None:
    found = parse_check(text).judge(MEANS, {**MEANS, "recall@5": 0.8})
    assert (found.check, found.holds, found.note) == (text, holds, "")
    assert (found.value, found.bound) == pytest.approx((value, bound))


def test_rounding_does_not_decide() -> None:
    mean = sum([0.8] * 24) / 24
    assert mean != 0.8
    for relation in (">=", "<=", "=="):
        assert parse_check(f"recall@5{relation}0.8").judge({"recall@5": mean}, {}).holds


def test_a_floor_that_chance_reaches_is_told() -> None:
    chance = {"recall@5": 0.734}
    note = "this check holds for a random ranking too: 0.73"
    assert parse_check("recall@5>=0.7").judge(MEANS, MEANS, chance).note == note
    assert parse_check("failure@5<=0.3").judge(MEANS, MEANS, chance).note == note.replace("0.73", "0.27")
    assert parse_check("recall@5>=0.74").judge(MEANS, MEANS, chance).note == ""
    assert parse_check("recall@5>=0.9").judge(MEANS, MEANS, {"recall@5": 0.95}).note == "", "it fails anyway"


def test_nothing_to_judge_does_not_pass() -> None:
    for text in ("recall@5>=0", "failure@5<=1", "recall@5>=first-1"):
        found = parse_check(text).judge({"recall@5": None}, {"recall@5": None}, {})
        assert (found.holds, found.value, found.note) == (False, None, "no question has evidence")


@given(st.floats(0, 1), st.sampled_from(sorted(RELATIONS)), st.integers(0, 100))
def test_exactly_one_of_a_relation_and_its_opposite_holds(value: float, relation: str, bound: int) -> None:
    opposite = {">=": "<", "<": ">=", ">": "<=", "<=": ">"}
    check = parse_check(f"recall@5{relation}{bound / 100}")
    if relation in opposite:
        other = parse_check(f"recall@5{opposite[relation]}{bound / 100}")
        means = {"recall@5": value}
        assert check.judge(means, means).holds != other.judge(means, means).holds
