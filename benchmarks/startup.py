"""How long it takes from `streamlit run` to the first cuts drawn, over an empty page with pandas and plotly.

    python benchmarks/startup.py [--rounds N] [--write]

Exit status 1 when the app takes more times the empty page than is allowed, 2 when there is no browser.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from results import conditions, table, write
from ui_browser import BROWSERS, FLAGS, HERE, ROOT, cpu_seconds, server

ALLOWED = 1.5
"""The most that first cuts may take, in times of the empty page."""
INSTALLED = {"PYTHONDONTWRITEBYTECODE": ""}
"""Both pages find their modules compiled, as on a second start: the first round is not counted."""
PAGES = {
    "empty page": (HERE / "empty_page.py", "[data-testid=stHeading]"),
    "Inspect": (ROOT / "app.py", "[data-testid=chunklab-view][data-chunks]:not([data-waiting]) .block span"),
}


def seconds(browser: Browser, script: Path, shown: str) -> tuple[float, float]:
    """From starting the server to the element being drawn in a browser that is open already.

    And the server's CPU seconds until then, NaN where the system does not tell.
    """
    began = time.perf_counter()
    with server(script, **INSTALLED) as (address, pid):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.goto(address)
        page.locator(shown).first.wait_for(timeout=120_000)
        took, cpu = time.perf_counter() - began, cpu_seconds(pid)
        context.close()
    return took, float("nan") if cpu is None else cpu


def import_ms(code: str) -> float:
    """CPU milliseconds that a fresh interpreter spends on the imports, by its own clock."""
    timed = f"import time; began = time.process_time(); {code}; print((time.process_time() - began) * 1000)"
    found = subprocess.run(
        [sys.executable, "-c", timed],
        cwd=ROOT, env={**os.environ, **INSTALLED}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return float(found.stdout)


def imports(rounds: int) -> list[list[str]]:
    """Rows: what is imported after numpy, and the median milliseconds it takes."""
    codes = {
        "import chunklab": "import chunklab",
        "import chunklab, and chunk() used": "import chunklab; chunklab.chunk(chunklab.from_text('a b'), 'recursive()')",
        "import chunklab.cli": "import chunklab.cli",
    }
    rows = []
    for name, code in codes.items():
        taken = [import_ms(f"import numpy; began = time.process_time(); {code}") for _ in range(rounds + 1)]
        rows.append([name, f"{statistics.median(taken[1:]):.1f}"])
    return rows


def main() -> int:
    """Prints the tables; the exit status tells whether the start is within what is allowed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="put the tables into RESULTS.md")
    options = parser.parse_args()
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not chromium:
        print("No Chromium was found.", file=sys.stderr)
        return 2
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in PAGES}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for round in range(options.rounds + 1):
            for name, (script, shown) in PAGES.items():
                found = seconds(browser, script, shown)
                if round:  # the first warms the disk
                    taken[name].append(found)
        browser.close()
    medians = {
        name: [statistics.median(each) for each in zip(*found, strict=True)] for name, found in taken.items()
    }
    floor = medians["empty page"][0]
    ratio = medians["Inspect"][0] / floor
    rows = [
        [name, f"{took:.2f}", f"{took / floor:.2f}", f"{cpu * 1000:.0f}"]
        for name, (took, cpu) in medians.items()
    ]
    verdict = "within" if ratio <= ALLOWED else "over"
    text = "\n\n".join(
        [
            "## Start",
            conditions("streamlit", "pandas", "plotly"),
            f"From `streamlit run` to what is drawn, seconds, median of {options.rounds} rounds in turns on a warm disk; "
            f"{verdict} the {ALLOWED} times allowed.",
            table(["page", "seconds", "times the empty page", "server CPU ms"], rows),
            "CPU milliseconds of imports beyond numpy's own:",
            table(["what", "ms"], imports(options.rounds)),
        ]
    )
    print(text)
    if options.write:
        write("start", text)
    return int(ratio > ALLOWED)


if __name__ == "__main__":
    sys.exit(main())
