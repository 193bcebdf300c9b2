"""Checks on numbers: metrics, gold texts, vectors."""

from __future__ import annotations

import math
from collections.abc import Iterable

from tests.case_checks import check
from tests.case_model import Check, NotRun, Result

_NUMBER = (int, float)


@check("metric")
def metric(op: Check, result: Result) -> Iterable[str]:
    metrics, name, wanted = result.get("metrics"), op["name"].lower(), op["eq"]
    if name not in metrics:
        raise NotRun(f"the metric {name} is not built")
    found = metrics[name]
    same = found is None
    if wanted is not None:
        same = _is_number(found) and abs(found - wanted) <= op.get("tol", 1e-9)
    if not same:
        yield f"{name} is {found}, wanted {wanted}"


@check("finite_or_none")
def finite_or_none(op: Check, result: Result) -> Iterable[str]:
    for name, found in result.get("metrics").items():
        if found is not None and not (_is_number(found) and math.isfinite(found)):
            yield f"{name} is {found}"


@check("skipped")
def skipped(op: Check, result: Result) -> Iterable[str]:
    found = list(result.get("skipped"))
    if sorted(found) != sorted(op["ids"]):
        yield f"left out are {found} instead of {op['ids']}"


@check("excluded_from_mean")
def excluded_from_mean(op: Check, result: Result) -> Iterable[str]:
    counted = result.get("counted_without_gold")
    if counted:
        yield f"counted in the mean: {counted}"


@check("stable_under_shuffle")
def stable_under_shuffle(op: Check, result: Result) -> Iterable[str]:
    first = result.get("metrics")
    for seed in range(op.get("times", 10)):
        other = result.get("shuffled")(seed)
        if other != first:
            yield f"{other} instead of {first} with the input shuffled"
            return


@check("gold_span", "gold_spans")
def gold_span(op: Check, result: Result) -> Iterable[str]:
    found = [[list(span) for span in places] for places in result.get("gold").values()]
    wanted = op["value"] if "value" in op else op["values"]
    if wanted and isinstance(wanted[0], int):
        readings = [found[0][0] if found and found[0] else None]
    elif len(found) == 1:
        readings = [found[0]]
    else:
        readings = [found, [places[0] if places else None for places in found]]
    if wanted not in readings:
        yield f"{readings[0]} instead of {wanted}"


@check("gold_not_found")
def gold_not_found(op: Check, result: Result) -> Iterable[str]:
    gold = result.get("gold")
    for text in op["values"] if "values" in op else [op["value"]]:
        if text not in gold:
            raise NotRun(f"{text!r} is no gold text of this case")
        if gold[text]:
            yield f"{text!r} found at {list(gold[text])}"


@check("vectors")
def vectors(op: Check, result: Result) -> Iterable[str]:
    found = result.get("vectors")
    if op.get("count_eq_chunks", True) and len(found) != len(result.get("pieces")):
        yield f"{len(found)} vectors for {len(result.get('pieces'))} chunks"
    for at, vector in enumerate(found):
        if not all(map(math.isfinite, vector)):
            yield f"vector {at} is not finite"
        elif not any(vector):
            yield f"vector {at} is zero"
    for at, vector in enumerate(result.get("scaled_vectors") if result.has("scaled_vectors") else ()):
        if not all(map(math.isfinite, vector)):
            yield f"vector {at}, scaled to length one, is not finite"


@check("vector_values")
def vector_values(op: Check, result: Result) -> Iterable[str]:
    found, tolerance = [list(map(float, each)) for each in result.get("vectors")], op.get("tol", 1e-6)
    same = len(found) == len(op["value"]) and all(
        len(a) == len(b) and all(abs(x - y) <= tolerance for x, y in zip(a, b, strict=True))
        for a, b in zip(found, op["value"], strict=True)
    )
    if not same:
        yield f"{found} instead of {op['value']}"


@check("tokens_partition")
def tokens_partition(op: Check, result: Result) -> Iterable[str]:
    counts = list(result.get("tokens_per_chunk"))
    if sum(counts) != op["total"]:
        yield f"{counts} tokens per chunk add up to {sum(counts)} instead of {op['total']}"


@check("finite")
def finite(op: Check, result: Result) -> Iterable[str]:
    bad = [value for value in result.get("numbers") if not math.isfinite(value)]
    if bad:
        yield f"{len(bad)} numbers are not finite"


def _is_number(value: object) -> bool:
    return isinstance(value, _NUMBER) and not isinstance(value, bool)
