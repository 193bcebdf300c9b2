"""Runs a file of cases: `python -m tests.cases FILE [--area A] [--json]`.

One line per case: passed, failed with why, incomplete (some checks could not be run), or not applicable
yet (its strategy or feature is not built); then totals. A case passes only when all of its checks ran
and held. Exit status 1 when a case failed, 2 when the file or an option is wrong, 0 otherwise.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, NoReturn

import tests.case_checks_app
import tests.case_checks_numbers
import tests.case_checks_outcome
import tests.case_checks_structure
import tests.case_checks_text  # noqa: F401  (each of these five registers its checks)
from tests.case_checks import Verdict, brief, judge, worst
from tests.case_model import (
    FAILED,
    HELD,
    INCOMPLETE,
    NOT_APPLICABLE,
    NOT_RUN,
    PASSED,
    STATUSES,
    BadFile,
    Case,
    NotBuilt,
    NotRun,
    OutOfTime,
    all_checks,
    read_cases,
    said,
)

LONGEST = 120  # seconds for one case
LONGEST_IN_BROWSER = 300


@dataclass(frozen=True)
class Outcome:
    """How a case ended, why, and one verdict for each of its checks."""

    id: str
    area: str
    status: str
    why: str = ""
    checks: tuple[Verdict, ...] = ()

    def line(self) -> str:
        """The outcome as one line of the report."""
        return f"{self.id}: {self.status}" + (f": {self.why}" if self.why else "")


def run_case(case: Case) -> Outcome:
    """Runs one case and reads its right value; nothing a case does ends the run."""
    from tests.case_run import runs_of

    longest = LONGEST_IN_BROWSER if "view" in case.params else LONGEST
    try:
        with time_limit(longest):
            results = runs_of(case)
            verdicts = [
                _merged(op, [judge(op, each) for each in results], results) for op in case.right_value
            ]
            verdicts += _unforeseen(case, results)
    except NotBuilt as error:
        return Outcome(case.id, case.area, NOT_APPLICABLE, str(error))
    except NotRun as error:
        return Outcome(case.id, case.area, INCOMPLETE, f"nothing was run: {error}")
    except OutOfTime:
        return Outcome(case.id, case.area, FAILED, f"not done after {longest} s")
    except Exception as error:
        return Outcome(case.id, case.area, FAILED, f"the case could not be run: {said(error)}")
    missing = next((each.missing for each in results if each.missing), "")
    return _outcome(case, verdicts, missing)


def _outcome(case: Case, verdicts: list[Verdict], missing: str) -> Outcome:
    failed = [each for each in verdicts if each.status == FAILED]
    not_run = [each for each in verdicts if each.status == NOT_RUN]
    checks = tuple(verdicts)
    if failed:
        return Outcome(
            case.id, case.area, FAILED, "; ".join(f"{each.op}: {each.why}" for each in failed), checks
        )
    if not_run or missing or not verdicts:
        reasons = [f"not run: {each.op} ({each.why})" for each in not_run]
        reasons += [f"not built: {missing}"] if missing else []
        held = sum(each.status == HELD for each in verdicts)
        why = f"{held} of {len(verdicts)} checks held; {'; '.join(reasons)}" if verdicts else "no checks"
        return Outcome(case.id, case.area, INCOMPLETE, why, checks)
    return Outcome(case.id, case.area, PASSED, checks=checks)


def _merged(op: dict[str, Any], verdicts: list[Verdict], results: Sequence[Any]) -> Verdict:
    """One verdict for a check over all runs of its case, with the settings of those that failed."""
    status = worst(verdicts)
    reasons = []
    for verdict, result in zip(verdicts, results, strict=True):
        if verdict.status == status and verdict.why:
            shown = f"at {result.value}: " if len(results) > 1 and result.value is not None else ""
            reasons.append(f"{shown}{verdict.why}")
    return Verdict(op["op"], status, brief("; ".join(dict.fromkeys(reasons))))


def _unforeseen(case: Case, results: Sequence[Any]) -> list[Verdict]:
    """A failure for an error that no check of the case speaks about, or that is no message for people."""
    spoken = {each["op"] for each in all_checks(case.right_value)} & {"error", "no_exception"}
    raised = [each.error for each in results if each.error is not None]
    bad = [each for each in raised if not spoken or not isinstance(each, ValueError)]
    return [Verdict("no_exception", FAILED, f"raised {said(bad[0])}")] if bad else []


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raises OutOfTime after so many seconds; without effect outside the main thread."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(*_: object) -> NoReturn:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def totals(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Counts of cases by status, of checks by verdict, and of cases by area."""
    by_area: dict[str, Counter] = {}
    for each in outcomes:
        by_area.setdefault(each.area, Counter())[each.status] += 1
    checks = Counter(verdict.status for each in outcomes for verdict in each.checks)
    return {
        "cases": {"all": len(outcomes)}
        | {status: sum(c[status] for c in by_area.values()) for status in STATUSES},
        "checks": {status: checks[status] for status in (HELD, FAILED, NOT_RUN)},
        "areas": {
            area: {status: counted[status] for status in STATUSES} for area, counted in by_area.items()
        },
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status; prints the report."""
    try:
        options = _options(arguments)
        cases = read_cases(options.file)
        areas = list(dict.fromkeys(each.area for each in cases))
        if options.area and options.area not in areas:
            raise BadFile(f"--area: must be one of {', '.join(areas)}, got {options.area}.")
    except BadFile as error:
        print(f"tests.cases: {error}", file=sys.stderr)
        return 2
    chosen = [each for each in cases if options.area in (None, each.area)]
    outcomes = []
    for case in chosen:
        outcomes.append(run_case(case))
        if not options.json:
            print(outcomes[-1].line(), flush=True)
    counts = totals(outcomes)
    if options.json:
        print(
            json.dumps(
                {"file": options.file, "cases": [asdict(o) for o in outcomes], "totals": counts}, indent=1
            )
        )
    else:
        _print_totals(counts)
    return 1 if counts["cases"][FAILED] else 0


def _print_totals(counts: dict[str, Any]) -> None:
    for area, by_status in counts["areas"].items():
        shown = ", ".join(f"{number} {status}" for status, number in by_status.items() if number)
        print(f"{area}: {shown}")
    cases, checks = counts["cases"], counts["checks"]
    print(f"cases: {cases['all']}, of these " + ", ".join(f"{cases[status]} {status}" for status in STATUSES))
    print("checks: " + ", ".join(f"{number} {status}" for status, number in checks.items()))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadFile(f"{message}; use: python -m tests.cases FILE [--area A] [--json]")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = _Parser(prog="tests.cases", description="Runs a file of cases.")
    parser.add_argument("file", help="a file of cases, one JSON object per line")
    parser.add_argument("--area", help="only the cases of one area")
    parser.add_argument("--json", action="store_true", help="the report as JSON")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
