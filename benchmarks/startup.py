"""How long it takes from `streamlit run` to the first cuts drawn, over an empty page with pandas and plotly.

    python benchmarks/startup.py [--rounds N] [--write]

Exit status 1 when the app takes more times the empty page than is allowed, 2 when there is no browser.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from results import conditions, table, write
from ui_latency import BROWSERS, FLAGS, HERE, ROOT, server

ALLOWED = 1.5
"""The most that first cuts may take, in times of the empty page."""
PAGES = {
    "empty page": (HERE / "empty_page.py", "[data-testid=stHeading]"),
    "Inspect": (ROOT / "app.py", "[data-testid=chunklab-view][data-chunks]:not([data-waiting]) .block span"),
}


def seconds(browser: Browser, script: Path, shown: str) -> float:
    """From starting the server to the element being drawn in a browser that is open already."""
    began = time.perf_counter()
    with server(script) as (address, _):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.goto(address)
        page.locator(shown).first.wait_for(timeout=120_000)
        took = time.perf_counter() - began
        context.close()
    return took


def import_ms(code: str) -> float:
    """CPU milliseconds that a fresh interpreter spends on the imports, by its own clock."""
    timed = f"import time; began = time.process_time(); {code}; print((time.process_time() - began) * 1000)"
    found = subprocess.run(
        [sys.executable, "-c", timed], cwd=ROOT, capture_output=True, text=True, check=True
    )
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
        taken = [import_ms(f"import numpy; began = time.process_time(); {code}") for _ in range(rounds)]
        rows.append([name, f"{statistics.median(taken):.1f}"])
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
    taken: dict[str, list[float]] = {name: [] for name in PAGES}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for round in range(options.rounds + 1):
            for name, (script, shown) in PAGES.items():
                found = seconds(browser, script, shown)
                if round:  # the first warms the disk
                    taken[name].append(found)
        browser.close()
    floor = statistics.median(taken["empty page"])
    ratio = statistics.median(taken["Inspect"]) / floor
    rows = [
        [name, f"{statistics.median(each):.2f}", f"{statistics.median(each) / floor:.2f}"]
        for name, each in taken.items()
    ]
    verdict = "within" if ratio <= ALLOWED else "over"
    text = "\n\n".join(
        [
            "## Start",
            conditions("streamlit", "pandas", "plotly"),
            f"From `streamlit run` to what is drawn, seconds, median of {options.rounds} rounds on a warm disk; "
            f"{verdict} the {ALLOWED} times allowed.",
            table(["page", "seconds", "times the empty page"], rows),
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
