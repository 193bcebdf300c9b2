"""Reads `right_value`: finds the check an op names, runs it, and says how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tests.case_model import FAILED, HELD, NOT_RUN, Check, Failed, NotBuilt, NotRun, Result, is_check, said

CHECKS: dict[str, Callable[[Check, Result], Iterable[str]]] = {}


@dataclass(frozen=True)
class Verdict:
    """How one check ended: held, failed or not run, and why."""

    op: str
    status: str
    why: str = ""


def check(*names: str) -> Callable:
    """Registers a generator of failures under the ops it reads; a check that yields nothing held."""

    def register(function: Callable[[Check, Result], Iterable[str]]) -> Callable:
        for name in names:
            CHECKS[name] = function
        return function

    return register


def judge(op: dict[str, Any], result: Result) -> Verdict:
    """How one check ends on one result. An op nobody knows, or cannot run, is never held."""
    op = Check(op)
    name = op["op"]
    if name not in CHECKS:
        return Verdict(name, NOT_RUN, "unknown check")
    try:
        failures = list(CHECKS[name](op, result))
    except (NotRun, NotBuilt) as error:
        return Verdict(name, NOT_RUN, str(error))
    except Failed as error:
        return Verdict(name, FAILED, str(error))
    except Exception as error:
        return Verdict(name, NOT_RUN, f"the check could not be read ({said(error)})")
    return Verdict(name, FAILED, brief("; ".join(failures))) if failures else Verdict(name, HELD)


def judge_all(ops: Iterable[dict[str, Any]], result: Result) -> list[Verdict]:
    """One verdict per check, in order."""
    return [judge(op, result) for op in ops]


def worst(verdicts: Iterable[Verdict]) -> str:
    """The one status of several checks that must all hold."""
    found = {each.status for each in verdicts}
    return FAILED if FAILED in found else NOT_RUN if NOT_RUN in found or not found else HELD


def brief(text: str, limit: int = 400) -> str:
    """The text, cut with an ellipsis where it is long."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


@check("any_of")
def any_of(op: Check, result: Result) -> Iterable[str]:
    """One list holds as a whole; where none does but one could not be run, nothing is known."""
    ends = [judge_all(alternative, result) for alternative in op["checks"]]
    if any(worst(end) == HELD for end in ends):
        return
    unknown = [each for end in ends if worst(end) == NOT_RUN for each in end if each.status == NOT_RUN]
    if unknown:
        raise NotRun(", ".join(f"{each.op}: {each.why}" for each in unknown))
    yield " | ".join("; ".join(f"{e.op}: {e.why}" for e in end if e.status == FAILED) for end in ends)


@check("also")
def also(op: Check, result: Result) -> Iterable[str]:
    """The checks given here, or else the case's other checks, hold for each further input too."""
    further = result.get("further")
    checks = next((op[name] for name in ("checks", "right_value", "value") if name in op), None)
    if checks is None:
        named = [{"op": name, **_fields(op[name])} for name in op if name in CHECKS]
        checks = named or [each for each in result.case.right_value if each["op"] != "also"]
    runs = [one for group in further for one in group]
    if not runs:
        raise NotRun("no further inputs")
    if all(map(is_check, checks)):
        lists = [checks] * len(further)
    elif len(checks) == len(further) and all(
        isinstance(each, list) and all(map(is_check, each)) for each in checks
    ):
        lists = checks
    else:
        raise NotRun("the form of this check is unknown")
    ends = [
        (at, each)
        for at, (group, listed) in enumerate(zip(further, lists, strict=True))
        for one in group
        for each in judge_all(listed, one)
    ]
    stuck = [each for _, each in ends if each.status == NOT_RUN]
    for at, each in ends:
        if each.status == FAILED:
            yield f"input {at + 1}: {each.op}: {each.why}"
    if stuck and not any(each.status == FAILED for _, each in ends):
        raise NotRun(f"{stuck[0].op}: {stuck[0].why}")


def _fields(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    return {"value": value} if not isinstance(value, bool) else {}
