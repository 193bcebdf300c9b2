"""How much memory a case takes at its peak, measured in a process of its own."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

from tests.case_model import Case, NotRun


def peak_of(case: Case) -> float:
    """Megabytes by which a fresh process grows, above what a small case of the same kind takes."""
    row = {"id": case.id, "area": case.area, "input_kind": case.input_kind, "input": case.input}
    row |= {"params": case.params, "right_value": []}
    done = subprocess.run(
        [sys.executable, "-m", "tests.case_memory"], input=json.dumps(row), capture_output=True, text=True,
        cwd=Path(__file__).parent.parent, check=False, timeout=300,
    )  # fmt: skip
    if done.returncode:
        raise NotRun(f"the process that measures memory ended with {done.stderr.strip()[-200:]}")
    return float(done.stdout)


def main() -> None:
    """Reads a case from standard input, runs it, and prints the growth in megabytes."""
    from tests.case_run import one_run, runs_of

    case = Case.from_json(json.load(sys.stdin), "case")
    one_run(case, "Some text, so that all imports are done. " * 20, dict(case.params))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    runs_of(case)
    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)


if __name__ == "__main__":
    main()
