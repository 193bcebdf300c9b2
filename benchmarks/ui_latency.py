"""How long a drag step takes from the slider's event to the painted answer, over an empty page's floor.

    python benchmarks/ui_latency.py [--strategies recursive,late] [--quick] [--json] [--write]

Exit status 1 when a step takes more times the floor than is allowed, 2 when there is no browser.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from formats import csv_rows, json_items, xml_elements
from playwright.sync_api import sync_playwright
from results import conditions, table, write
from texts import markdown, prose, python, questions
from ui_browser import FLAGS, HERE, ROOT, Place, chromium, cpu_seconds, kilobytes_per_step, open_view, server

SIZES = {"100 KB": 100_000, "1 MB": 1_000_000}
ALLOWED = {"100 KB": 2.5, "1 MB": 3.0}
"""The most a drag step may take, in times of the floor."""
TEXTS: dict[str, tuple[str, Callable[[int], str]]] = {
    "prose": ("txt", prose),
    "markdown": ("md", markdown),
    "code": ("py", python),
    "json": ("json", json_items),
    "csv": ("csv", csv_rows),
    "xml": ("xml", xml_elements),
}
TOPICS = ROOT / "sample_corpora" / "topics"
QUESTIONS, BLOCKS, FRAMES = 40, 3, 4
MANY, FEW = 27, 9
ENCODING = 600
"""So many seconds may pass until a page is drawn for which a model encodes its text."""


@dataclass(frozen=True)
class Case:
    """A recipe on a kind of text, the slider that is dragged, from where to where, and in how many steps.

    With `known` the settings of the steps are encoded before, and their scores are not.
    """

    text: str
    recipe: str
    slider: str = "size"
    low: int = 200
    high: int = 2000
    steps: int = FEW
    embedder: str = "hashing()"
    sizes: tuple[str, ...] = tuple(SIZES)
    known: bool = False

    def values(self, count: int, inset: int = 0) -> list[int]:
        """Values of the slider that rise, none twice."""
        low, high = self.low + inset, self.high - inset
        return [low + (high - low) * at // (count - 1) for at in range(count)]


SMALL = ("100 KB",)
CASES = {
    "recursive": Case("prose", "recursive()", steps=MANY),
    "fixed": Case("prose", "fixed()", steps=MANY),
    "sentence": Case("prose", "sentence()", steps=MANY),
    "markdown": Case("markdown", "markdown()", "max_size", steps=MANY),
    "overlap": Case("prose", "recursive(size=400)", "overlap", 0, 200, sizes=SMALL),
    "k": Case("prose", "recursive()", "k", 1, 20, sizes=SMALL),
    "document": Case("prose", "document()", "k", 1, 20),
    "paragraph": Case("prose", "paragraph()", "max_size"),
    "headings": Case("markdown", "headings() | headings()", "max_size"),
    "code": Case("code", "code()"),
    "json": Case("json", "json()"),
    "rows": Case("csv", "rows()"),
    "xml": Case("xml", "xml()"),
    "semantic": Case("prose", "semantic()"),
    "semantic static": Case("prose", "semantic(embedder=static)", embedder="static()"),
    "centroid": Case("prose", "centroid()"),
    "cluster": Case("prose", "cluster()"),
    "adaptive": Case("prose", "adaptive()"),
    "adaptive mean": Case("prose", "adaptive(size=2000)", "mean", sizes=SMALL),
    "static": Case("prose", "recursive()", embedder="static()"),
    "40 documents": Case("topics", "recursive()", sizes=SMALL),
    "minilm": Case("prose", "recursive()", steps=6, embedder="minilm()", sizes=SMALL, known=True),
    "late": Case("prose", "recursive() | late()", embedder="minilm()", sizes=SMALL),
}


@dataclass
class Result:
    """One case on one document; times in milliseconds. `ranked` says that recall followed the slider."""

    strategy: str
    size: str
    slider: str
    floor: list[float] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    browser: list[float] = field(default_factory=list)
    releases: list[float] = field(default_factory=list)
    chunks: list[int] = field(default_factory=list)
    ranked: bool = False
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


def corpora(folder: Path, cases: Sequence[Case]) -> None:
    """One corpus of one document and its questions for each kind of text and size; the topics as they are."""
    for kind, label in dict.fromkeys((case.text, label) for case in cases for label in case.sizes):
        target = folder / name_of(kind, label)
        if kind == "topics":
            shutil.copytree(TOPICS, target)
            continue
        ending, make = TEXTS[kind]
        target.mkdir()
        text = make(SIZES[label])
        (target / f"document.{ending}").write_text(text, encoding="utf-8", newline="")
        lines = (
            json.dumps(each, ensure_ascii=False) for each in questions(text, f"document.{ending}", QUESTIONS)
        )
        (target / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")


def name_of(kind: str, label: str) -> str:
    """A corpus's name as the address has it."""
    return f"bench-{kind}-{label.replace(' ', '').lower()}"


def measure(result: Result, case: Case, floor: Place, app: Place, pid: int, steps: int, gap: int) -> None:
    """Blocks of floor and app in turn, so that both meet the same minutes of a busy machine."""
    values = case.values(steps)
    if not case.known:
        app.drag(case.values(2, 1), gap)
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
    result.ranked = "…" not in (app.root.query_selector("[data-number=recall] .value").text_content() or "…")
    result.server_cpu = 1000 * cpu / steps if cpu == cpu else None
    result.frame_kb = kilobytes_per_step(app, case.values(FRAMES, 2))
    for value in [] if case.known else case.values(3 if case.steps == MANY else 2, 1):
        result.releases.append(app.call("release", case.slider, value)["ms"])
        app.page.wait_for_timeout(1000)


def run(cases: dict[str, Case], quick: bool, gap: int) -> list[Result]:
    """Every case on its documents; one browser and both servers for all."""
    program = chromium("ui_latency")
    results = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cache = stack.enter_context(tempfile.TemporaryDirectory())
        corpora(folder, list(cases.values()))
        floor_address, _ = stack.enter_context(server(HERE / "floor_page.py"))
        address, pid = stack.enter_context(
            server(ROOT / "app.py", CHUNKLAB_CORPORA=str(folder), CHUNKLAB_CACHE=cache)
        )
        driver = stack.enter_context(sync_playwright())
        browser = driver.chromium.launch(executable_path=program, args=FLAGS)
        stack.callback(browser.close)
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        floor = open_view(context.new_page(), floor_address, "floor-view", "input")
        floor.drag(list(range(1, 12)), gap)

        def opened(case: Case, size: str, recipe: str, k: int = 5) -> Place:
            query = {"sample": name_of(case.text, size), "recipe": recipe, "embedder": case.embedder, "k": k}
            page = context.new_page()
            place = open_view(
                page, f"{address}/?{urlencode(query)}", "chunklab-view", f"input[data-slider={case.slider}]", ENCODING
            )  # fmt: skip
            page.locator("[data-number=recall]").wait_for(timeout=ENCODING * 1000)
            return place

        for size in SIZES:
            for name, case in cases.items():
                if size not in case.sizes:
                    continue
                steps = case.steps // 3 if quick else case.steps
                for value in case.values(steps) if case.known else ():
                    recipe = case.recipe.replace("()", f"({case.slider}={value})", 1)
                    # At another k: the vectors are known then, and no step's scores.
                    opened(case, size, recipe, k=6).page.close()
                app = opened(case, size, case.recipe)
                result = Result(name, size, case.slider)
                measure(result, case, floor, app, pid, steps, gap)
                app.page.close()
                results.append(result)
                print(
                    f"{size} {name}: {statistics.median(result.steps):.0f} ms, {result.ratio:.2f}x",
                    file=sys.stderr, flush=True,
                )  # fmt: skip
    return results


def percentile_95(values: list[float]) -> float:
    """The 95th percentile, interpolated; the only value when there is one."""
    return statistics.quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def fastest_tenth(values: list[float]) -> float:
    """The 10th percentile, interpolated; the only value when there is one."""
    return statistics.quantiles(values, n=10, method="inclusive")[0] if len(values) > 1 else values[0]


def shown(results: list[Result]) -> str:
    """The table as Markdown, and what missed its limit."""
    rows = [
        [
            each.size,
            each.strategy + ("" if each.ranked else " (no recall)"),
            each.slider,
            f"{len(each.steps)}",
            f"{statistics.median(each.floor):.0f}",
            f"{statistics.median(each.steps):.0f}",
            f"{percentile_95(each.steps):.0f}",
            f"{each.ratio:.2f}",
            f"{ALLOWED[each.size]:.1f}",
            f"{each.undisturbed:.2f}",
            f"{each.server_cpu:.0f}" if each.server_cpu is not None else "",
            f"{statistics.median(each.browser):.1f}",
            f"{each.frame_kb:.0f}",
            f"{statistics.median(each.releases):.0f}" if each.releases else "",
            f"{min(each.chunks):,} to {max(each.chunks):,}",
        ]
        for each in results
    ]
    head = ["document", "row", "slider", "steps", "floor ms", "step ms", "p95 ms", "times floor", "allowed", "fastest tenth",
            "server CPU ms", "drawing ms", "KB a step", "release ms", "chunks"]  # fmt: skip
    missed = [f"{each.strategy} at {each.size} ({each.ratio:.2f})" for each in results if each.missed]
    return "\n".join(
        [
            "## A drag step in the browser",
            "",
            conditions("streamlit", "playwright"),
            f"{QUESTIONS} questions for each row; medians, and the 95th percentile of the steps.",
            "",
            table(head, rows, words=3),
            "",
            f"Over the limit: {', '.join(missed)}." if missed else "Every row keeps its limit.",
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a third of the steps")
    parser.add_argument("--json", action="store_true", help="print every step as JSON instead of the table")
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    parser.add_argument("--gap", type=int, default=0, help="milliseconds between an answer and the next step")
    parser.add_argument(
        "--strategies", default=",".join(CASES), help=f"which rows, by commas: {', '.join(CASES)}"
    )
    asked = parser.parse_args()
    wanted = [each.strip() for each in re.split(r",", asked.strategies)]
    if unknown := [each for each in wanted if each not in CASES]:
        parser.error(f"no such row: {', '.join(unknown)}; there are {', '.join(CASES)}")
    results = run({each: CASES[each] for each in wanted}, asked.quick, asked.gap)
    text = shown(results)
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
