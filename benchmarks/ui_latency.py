"""How long a drag step takes from the slider's event to the painted answer, over an empty page's floor.

    python benchmarks/ui_latency.py [--quick] [--json] [--write]

Exit status 1 when a step takes more times the floor than is allowed, 2 when there is no browser.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import CDPSession, ElementHandle, Page, sync_playwright
from results import conditions, table, write
from texts import markdown, prose, questions

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
STEPS_JS = (HERE / "ui_steps.js").read_text(encoding="utf-8")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
SIZES = {"100 KB": 100_000, "1 MB": 1_000_000}
ALLOWED = {"100 KB": 2.5, "1 MB": 3.0}
"""The most a drag step may take, in times of the floor."""
RECIPES = {
    "recursive": ("prose", "recursive()"),
    "fixed": ("prose", "fixed()"),
    "sentence": ("prose", "sentence()"),
    "markdown": ("markdown", "markdown()"),
}
QUESTIONS, WARM_UP, BLOCKS, RELEASES, FRAMES = 40, 3, 3, 3, 5
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@dataclass
class Place:
    """A page with a slider: its browser page, its root element and which slider is dragged."""

    page: Page
    root: ElementHandle
    selector: str

    def call(self, function: str, *values: Any) -> Any:
        """Runs a function of ui_steps.js on the root."""
        code = f"(root, values) => {{ {STEPS_JS}; return {function}(root, ...values); }}"
        return self.root.evaluate(code, [self.selector, *values])

    def drag(self, values: list[int], gap: int) -> list[dict[str, float]]:
        """Drags through the values with this page in front."""
        self.page.bring_to_front()
        return self.call("drag", values, gap)


@dataclass
class Result:
    """One strategy on one document; times in milliseconds."""

    strategy: str
    size: str
    floor: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    browser: list[float] = field(default_factory=list)
    releases: list[float] = field(default_factory=list)
    chunks: list[int] = field(default_factory=list)
    server_cpu: float | None = None
    frame_kb: float | None = None

    @property
    def ratio(self) -> float:
        """Median step over the median floor of the same minutes."""
        return statistics.median(self.steps) / statistics.median(self.floor)

    @property
    def undisturbed(self) -> float:
        """The same of the fastest tenths: near what a machine with nothing else to do would show."""
        return fastest_tenth(self.steps) / fastest_tenth(self.floor)

    @property
    def missed(self) -> bool:
        """Whether it takes more than is allowed."""
        return self.ratio > ALLOWED[self.size]


def corpora(folder: Path) -> None:
    """One corpus of one document and its questions for each kind of text and size."""
    for kind, make, ending in (("prose", prose, "txt"), ("markdown", markdown, "md")):
        for label, size in SIZES.items():
            target = folder / name_of(kind, label)
            target.mkdir()
            text = make(size)
            (target / f"document.{ending}").write_text(text, encoding="utf-8", newline="")
            lines = (
                json.dumps(each, ensure_ascii=False)
                for each in questions(text, f"document.{ending}", QUESTIONS)
            )
            (target / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")


def name_of(kind: str, label: str) -> str:
    """A corpus's name as the address has it."""
    return f"bench-{kind}-{label.replace(' ', '').lower()}"


@contextmanager
def server(script: Path, **environment: str) -> Iterator[tuple[str, int]]:
    """A Streamlit server on a free port: its address and its process id; stopped at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = {
        "server.headless": "true", "server.port": port, "server.address": "127.0.0.1",
        "browser.gatherUsageStats": "false", "server.fileWatcherType": "none",
    }  # fmt: skip
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    with tempfile.TemporaryFile() as log:
        running = subprocess.Popen(
            [*command, *(f"--{name}={value}" for name, value in options.items())],
            cwd=ROOT, env={**os.environ, **environment}, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(address, running)
            yield address, running.pid
        finally:
            running.terminate()
            try:
                running.wait(10)
            except subprocess.TimeoutExpired:
                running.kill()


def _wait_for(address: str, running: subprocess.Popen, seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and running.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("A Streamlit server did not start.")


def open_view(page: Page, address: str, test_id: str, selector: str) -> Place:
    """The page once its view is drawn and at rest."""
    page.goto(address, timeout=90_000)
    view = page.locator(f"[data-testid={test_id}][data-painted-seq]:not([data-waiting])")
    view.wait_for(timeout=90_000)
    page.wait_for_timeout(1500)
    return Place(page, view.element_handle(), selector)


def cpu_seconds(pid: int) -> float | None:
    """CPU time that a process has taken, where the system tells (Linux)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / TICKS


def kilobytes_per_step(place: Place, values: list[int]) -> float:
    """KB that the server sends for one step."""
    received: list[int] = []
    session: CDPSession = place.page.context.new_cdp_session(place.page)
    session.send("Network.enable")
    session.on("Network.webSocketFrameReceived", lambda event: received.append(_size(event["response"])))
    place.drag(values, 150)
    place.page.wait_for_timeout(300)
    session.detach()
    return sum(received) / len(values) / 1000


def _size(frame: dict[str, Any]) -> int:
    return len(frame["payloadData"]) * 3 // 4 if frame["opcode"] == 2 else len(frame["payloadData"])


def spread(low: int, high: int, count: int) -> list[int]:
    """Sizes that rise from low to high, none twice."""
    return [low + (high - low) * at // (count - 1) for at in range(count)]


def measure(result: Result, floor: Place, app: Place, pid: int, steps: int, gap: int) -> None:
    """Blocks of floor and app in turn, so that both meet the same minutes of a busy machine."""
    app.drag(spread(300, 1900, WARM_UP), gap)
    values = spread(200, 2000, steps)
    cpu = 0.0
    next_floor = int(floor.root.get_attribute("data-painted-seq")) + 1
    for block in range(BLOCKS):
        mine = values[block * steps // BLOCKS : (block + 1) * steps // BLOCKS]
        numbers = list(range(next_floor, next_floor + len(mine)))
        next_floor += len(mine)
        result.floor += [each["ms"] for each in floor.drag(numbers, gap)]
        before = cpu_seconds(pid)
        done = app.drag(mine, gap)
        after = cpu_seconds(pid)
        cpu += after - before if before is not None and after is not None else float("nan")
        result.steps += [each["ms"] for each in done]
        result.browser += [each["browser"] for each in done]
        result.chunks += [int(each["chunks"]) for each in done]
    result.server_cpu = 1000 * cpu / steps if cpu == cpu else None
    result.frame_kb = kilobytes_per_step(app, spread(205, 1705, FRAMES))
    for value in spread(333, 1555, RELEASES):
        result.releases.append(app.call("release", value)["ms"])
        app.page.wait_for_timeout(1500)


def run(steps: int, gap: int, wanted: list[str]) -> list[Result]:
    """Every strategy on every document; one browser and both servers for all."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        print("ui_latency: needs Chromium, found none. Install it, for example by apt.", file=sys.stderr)
        raise SystemExit(2)
    results = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        corpora(folder)
        floor_address, _ = stack.enter_context(server(HERE / "floor_page.py"))
        address, pid = stack.enter_context(server(ROOT / "app.py", CHUNKLAB_CORPORA=str(folder)))
        driver = stack.enter_context(sync_playwright())
        browser = driver.chromium.launch(executable_path=program, args=FLAGS)
        stack.callback(browser.close)
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        floor = open_view(context.new_page(), floor_address, "floor-view", "input")
        floor.drag(list(range(1, 12)), gap)
        for size in SIZES:
            for strategy in wanted:
                kind, recipe = RECIPES[strategy]
                query = urlencode({"sample": name_of(kind, size), "recipe": recipe})
                slider = "input[data-slider=max_size]" if "markdown" in recipe else "input[data-slider=size]"
                page = context.new_page()
                app = open_view(page, f"{address}/?{query}", "chunklab-view", slider)
                result = Result(strategy, size)
                measure(result, floor, app, pid, steps, gap)
                page.close()
                results.append(result)
                print(
                    f"{size} {strategy}: {statistics.median(result.steps):.0f} ms, {result.ratio:.2f}x",
                    file=sys.stderr, flush=True,
                )  # fmt: skip
    return results


def percentile_95(values: list[float]) -> float:
    """The 95th percentile, interpolated; the only value when there is one."""
    return statistics.quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def fastest_tenth(values: list[float]) -> float:
    """The 10th percentile, interpolated; the only value when there is one."""
    return statistics.quantiles(values, n=10, method="inclusive")[0] if len(values) > 1 else values[0]


def shown(results: list[Result], steps: int) -> str:
    """The table as Markdown, and what missed its limit."""
    rows = [
        [
            each.size,
            each.strategy,
            f"{statistics.median(each.floor):.0f}",
            f"{statistics.median(each.steps):.0f}",
            f"{percentile_95(each.steps):.0f}",
            f"{each.ratio:.2f}",
            f"{ALLOWED[each.size]:.1f}",
            f"{each.undisturbed:.2f}",
            f"{each.server_cpu:.0f}" if each.server_cpu is not None else "",
            f"{statistics.median(each.browser):.1f}",
            f"{each.frame_kb:.0f}",
            f"{statistics.median(each.releases):.0f}",
            f"{min(each.chunks):,} to {max(each.chunks):,}",
        ]
        for each in results
    ]
    head = ["document", "strategy", "floor ms", "step ms", "p95 ms", "times floor", "allowed", "fastest tenth", "server CPU ms",
            "drawing ms", "KB a step", "release ms", "chunks"]  # fmt: skip
    missed = [f"{each.strategy} at {each.size} ({each.ratio:.2f})" for each in results if each.missed]
    return "\n".join(
        [
            "## A drag step in the browser",
            "",
            conditions("streamlit", "playwright"),
            f"{steps} steps of size from 200 to 2,000 and {QUESTIONS} questions for each row; medians, and the 95th",
            "percentile of the steps.",
            "",
            table(head, rows, words=2),
            "",
            f"Over the limit: {', '.join(missed)}." if missed else "Every row keeps its limit.",
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="9 steps a case instead of 27")
    parser.add_argument("--json", action="store_true", help="print every step as JSON instead of the table")
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    parser.add_argument("--gap", type=int, default=0, help="milliseconds between an answer and the next step")
    parser.add_argument("--strategies", default=",".join(RECIPES), help="which of them, by commas")
    asked = parser.parse_args()
    wanted = [each for each in re.split(r"[,\s]+", asked.strategies) if each in RECIPES]
    steps = 9 if asked.quick else 27
    results = run(steps, asked.gap, wanted)
    text = shown(results, steps)
    print(
        json.dumps(
            [vars(each) | {"ratio": each.ratio, "fastest_tenth": each.undisturbed} for each in results]
        )
        if asked.json
        else text
    )
    if asked.write:
        write("ui latency", text)
    return int(any(each.missed for each in results))


if __name__ == "__main__":
    sys.exit(main())
