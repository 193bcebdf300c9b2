"""What a case is, what running it gives, and how a check can end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HELD, FAILED, NOT_RUN = "held", "failed", "not run"
PASSED, INCOMPLETE, NOT_APPLICABLE = "passed", "incomplete", "not applicable yet"
STATUSES = (PASSED, FAILED, INCOMPLETE, NOT_APPLICABLE)


class BadFile(ValueError):
    """The file of cases cannot be used; the message is one line for people."""


class NotBuilt(Exception):
    """The strategy or feature a case needs does not exist yet; the message names it."""


class NotRun(Exception):
    """One check cannot be run here; the message says why."""


class Failed(Exception):
    """A check cannot hold, because what it looks at was never made."""


class OutOfTime(BaseException):
    """A case took too long; not an Exception, so that no case can swallow it."""


class Check(dict):
    """One entry of `right_value`; a missing field makes it a check that cannot be run."""

    def __missing__(self, name: str) -> Any:
        raise NotRun(f"the check has no field {name}")


@dataclass(frozen=True)
class Case:
    """One line of a file of cases."""

    id: str
    area: str
    input_kind: str
    input: Any
    params: dict[str, Any]
    right_value: tuple[Check, ...]
    more_inputs: tuple[Any, ...] = ()

    @classmethod
    def from_json(cls, row: dict[str, Any], where: str) -> Case:
        """Raises BadFile, naming the place, when the row is no case."""
        missing = [name for name in ("id", "input_kind", "input", "right_value") if name not in row]
        if missing:
            raise BadFile(f"{where}: a case needs {', '.join(missing)}.")
        params = row.get("params") or {}
        checks = row["right_value"]
        if not isinstance(params, dict) or not isinstance(checks, list) or not all(map(is_check, checks)):
            raise BadFile(f"{where}: params must be an object and right_value a list of objects with op.")
        further = row.get("also_run_on", params.get("also_run_on", ()))
        return cls(
            id=str(row["id"]),
            area=str(row.get("area") or str(row["id"]).rpartition("-")[0]),
            input_kind=str(row["input_kind"]),
            input=row["input"],
            params=params,
            right_value=tuple(map(Check, checks)),
            more_inputs=tuple(further) if isinstance(further, list) else (further,) if further else (),
        )


def is_check(value: Any) -> bool:
    """True for an object that names an op."""
    return isinstance(value, dict) and isinstance(value.get("op"), str)


def read_cases(path: str | Path) -> list[Case]:
    """The cases of a JSON-lines file, in its order; raises BadFile."""
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(
            f"{path}: cannot be read ({getattr(error, 'strerror', None) or 'not UTF-8'})."
        ) from None
    cases = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadFile(f"{path}: line {number} is not JSON ({error}).") from None
        if not isinstance(row, dict):
            raise BadFile(f"{path}: line {number} must be an object.")
        cases.append(Case.from_json(row, f"{path}: line {number}"))
    if not cases:
        raise BadFile(f"{path}: has no cases.")
    return cases


def all_checks(checks: Any) -> Iterator[Check]:
    """Every check, those inside `any_of` and `also` included."""
    for each in checks:
        if is_check(each):
            yield Check(each)
        nested = each.get("checks", ()) if isinstance(each, dict) else each if isinstance(each, list) else ()
        yield from all_checks(nested)


@dataclass(slots=True)
class Piece:
    """One chunk as the checks see it; `context` is what stands before the text for embedding only."""

    start: int
    end: int
    text: str
    index: int = 0
    context: str = ""
    path: tuple[str, ...] = ()
    returned: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Later:
    """A fact that is made when a check first asks for it."""

    make: Callable[[], Any]


@dataclass
class Result:
    """What one run of a case gave: facts by name, an error if one was raised, seconds.

    `value` is the setting under test when a setting is a list, `siblings` are the runs with its other
    values, `missing` names the strategies of the case that do not exist.
    """

    case: Case
    facts: dict[str, Any] = field(default_factory=dict)
    error: Exception | None = None
    seconds: float = 0.0
    value: Any = None
    settings: dict[str, Any] = field(default_factory=dict)
    siblings: list[Result] = field(default_factory=list)
    missing: str = ""

    def get(self, name: str) -> Any:
        """The fact; Failed when an error kept it from being made, NotRun when the case has no such thing."""
        if name not in self.facts:
            if self.error is not None:
                raise Failed(f"raised {said(self.error)}")
            raise NotRun(f"no {name} in this case")
        fact = self.facts[name]
        if isinstance(fact, Later):
            try:
                fact = fact.make()
            except NotBuilt as error:
                raise NotRun(str(error)) from None
            except (NotRun, Failed):
                raise
            except Exception as error:
                raise Failed(f"{name}: raised {said(error)}") from error
            self.facts[name] = fact
        return fact

    def has(self, name: str) -> bool:
        """True when the fact exists or can be made."""
        return name in self.facts


def said(error: BaseException, limit: int = 300) -> str:
    """An exception in one line."""
    text = f"{type(error).__name__}: {error}".replace("\n", " ")
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
