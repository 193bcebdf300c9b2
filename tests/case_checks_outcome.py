"""Checks on the outcome of a run: errors, notices, time, memory, and the document that was read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from tests.case_checks import check
from tests.case_model import Check, NotRun, Result, said

FEWEST_SECONDS = 0.02  # below this, a ratio of two times says nothing


@check("error")
def error(op: Check, result: Result) -> Iterable[str]:
    raised = result.error
    if raised is None:
        yield "no error raised"
        return
    if not isinstance(raised, ValueError):
        yield f"{type(raised).__name__} instead of a ValueError"
    lacking = [word for word in op.get("mentions", ()) if word.lower() not in str(raised).lower()]
    if lacking:
        yield f"the message lacks {lacking}: {raised}"
    if result.seconds > op.get("within_s", result.seconds):
        yield f"took {result.seconds:.2f} s, wanted within {op['within_s']} s"


@check("no_exception")
def no_exception(op: Check, result: Result) -> Iterable[str]:
    if result.error is not None:
        yield f"raised {said(result.error)}"


@check("no_exception_of")
def no_exception_of(op: Check, result: Result) -> Iterable[str]:
    if result.error is not None and {each.__name__ for each in type(result.error).__mro__} & set(op["types"]):
        yield f"raised {said(result.error)}"


@check("warned", "shown", "message")
def warned(op: Check, result: Result) -> Iterable[str]:
    notices = result.get("notices")
    if not any(op["about"].lower() in each.lower() for each in notices):
        yield f"no notice about {op['about']!r} among {list(notices)}"


@check("documented")
def documented(op: Check, result: Result) -> Iterable[str]:
    if op["about"].lower() not in result.get("documentation").lower():
        yield f"nothing is written about {op['about']!r}"


@check("no_traceback_shown")
def no_traceback_shown(op: Check, result: Result) -> Iterable[str]:
    yield from (f"the page shows {each!r}" for each in result.get("page_tracebacks"))


@check("time")
def time(op: Check, result: Result) -> Iterable[str]:
    if result.seconds > op["lt_s"]:
        yield f"took {result.seconds:.2f} s, limit {op['lt_s']} s"


@check("ratio")
def ratio(op: Check, result: Result) -> Iterable[str]:
    for small, large, shown in steep(result.get("seconds_at"), op["sizes"], op["lt"]):
        yield f"time({large}n)/time({small}n) is {shown:.2f}, limit {op['lt']}"


def steep(
    seconds_at: Callable[[float], float], sizes: Sequence[float], bound: float, tries: int = 4
) -> list[tuple[float, float, float]]:
    """(small, large, ratio) of neighbouring sizes whose times stay at or over the bound in every try.

    Other work on the machine only ever adds time, so the least time seen for each size is taken.
    """
    pairs = list(pairwise(sizes))
    least: dict[float, float] = {}
    for _ in range(tries):
        for size in sorted({size for pair in pairs for size in pair}):
            least[size] = min(least.get(size, float("inf")), seconds_at(size))
        pairs = [pair for pair in pairs if _growth(least, *pair) >= bound]
        if not pairs:
            break
    return [(*pair, _growth(least, *pair)) for pair in pairs]


def _growth(least: dict[float, float], small: float, large: float) -> float:
    return least[large] / max(least[small], FEWEST_SECONDS)


@check("peak_memory_mb")
def peak_memory_mb(op: Check, result: Result) -> Iterable[str]:
    found = result.get("peak_memory_mb")
    if found > op["le"]:
        yield f"{found:.0f} MB, limit {op['le']} MB"


@check("doc_text")
def doc_text(op: Check, result: Result) -> Iterable[str]:
    if result.get("text") != op["value"]:
        yield f"the document reads {result.get('text')[:200]!r} instead of {op['value'][:200]!r}"


@check("doc_text_contains")
def doc_text_contains(op: Check, result: Result) -> Iterable[str]:
    for each in op["values"] if "values" in op else [op["value"]]:
        if each not in result.get("text"):
            yield f"{each!r} is not in the document"


@check("doc_text_equals_input")
def doc_text_equals_input(op: Check, result: Result) -> Iterable[str]:
    given = result.get("given_text")
    if result.get("text") != given:
        yield f"the document has {len(result.get('text'))} characters, the input {len(given)}, or they differ"


@check("accepted")
def accepted(op: Check, result: Result) -> Iterable[str]:
    takes = result.get("accepts")
    yield from (f"{name} is refused" for name in op["values"] if not takes(name))


@check("type_of")
def type_of(op: Check, result: Result) -> Iterable[str]:
    found = result.get("media_type")
    wanted = next((op[name] for name in ("value", "eq", "is", "type") if name in op), None)
    if wanted is None:
        raise NotRun("the check names no type")
    if str(wanted).lower() not in found.lower():
        yield f"{found} instead of {wanted}"
