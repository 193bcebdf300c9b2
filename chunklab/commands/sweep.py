"""`chunklab sweep`: every setting of a grid measured on a corpus, best first, ties told."""

from __future__ import annotations

import argparse
import csv
import io
import signal
import textwrap
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from chunklab.commands.asked import Asked, add_asked
from chunklab.commands.base import WIDTH, counted, whole_numbers
from chunklab.commands.measured import summary
from chunklab.errors import ChunklabError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from chunklab.sweep.run import Sweep


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser("sweep", help="measure every setting of a grid, best first")
    argument = parser.add_argument
    argument("-r", "--recipe", action="append", required=True, metavar="GRID",
             help="such as 'recursive(size=[100,200,400],overlap=[0,20%%])'; repeatable")  # fmt: skip
    add_asked(parser)
    argument(
        "--metric", default="recall@5", help="what decides which setting is best, such as whole@500tokens"
    )
    argument("--workers", default="1", metavar="N", help="so many processes at work")
    argument(
        "--out", metavar="FILE", help="keep each setting as it is done; the same command goes on from there"
    )
    argument("--csv", dest="show", action="store_const", const=as_csv, default=show, help="print CSV")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """What `Sweep.to_json` gives, its rows best first and with the metric's interval and what is tied.

    When the sweep breaks off, what is done is given, with the `fault`.
    """
    from chunklab.checks import parse_metric
    from chunklab.grid import parse_grid
    from chunklab.standing import plateaus, standing
    from chunklab.sweep import sweep

    metric, grid = parse_metric(options.metric), parse_grid(options.recipe)
    workers = whole_numbers(options.workers, "sweep", "--workers", 64, "2")[-1]
    asked = Asked(options, [metric])
    name, fault = str(metric), ""
    with _pool(workers) as pool:
        made = sweep(
            asked.corpus, grid, asked.embedder, asked.retriever, asked.ks, asked.budgets, asked.measures,
            controls=asked.controls, seed=asked.seed, executor=pool, path=options.out,
        )  # fmt: skip
        try:
            made.run()
        except (ChunklabError, KeyboardInterrupt) as stop:
            done = f"{len(made.results)} of {len(made)} settings are done."
            if isinstance(stop, KeyboardInterrupt) and options.out:
                stop.add_note(f"{options.out}: {done} The same command goes on from there.")
            if isinstance(stop, KeyboardInterrupt) or not made.measured:
                raise
            fault = f"{stop} {done}"
    stands, flat = standing(made.results, name, asked.seed), plateaus(made.results, name, asked.seed)
    tied = {each.recipe for each in (stands.best, *stands.tied)} if stands else set()
    about, found = asked.about(), made.to_json()
    return {
        **found,
        **about,
        "notices": [*about["notices"], *found["notices"]],
        "metric": name,
        "sentences": [each.sentence for each in (*filter(None, [stands]), *flat)],
        "rows": _ranked(made, name, tied),
    } | ({"fault": fault} if fault else {})


def _pool(workers: int) -> AbstractContextManager[Executor | None]:
    """Processes that leave Ctrl-C to this one; None for a single one."""
    if workers == 1:
        return nullcontext()
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(workers, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))


def _ranked(made: Sweep, name: str, tied: set[str]) -> list[dict[str, Any]]:
    """The rows, best first and of equal ones the cheaper, those with a problem last."""
    import numpy as np

    from chunklab.standing import less_is_better

    rows = []
    for each in made.results:
        found = summary(np.zeros(0) if each.problem else each.value(name), made.plan.seed)
        row = each.row() | {name: found["mean"], f"{name} low": found["low"], f"{name} high": found["high"]}
        row |= {f"chance of {metric}": mean for metric, (mean, _, _) in each.chance.items()}
        row |= {f"ceiling of {metric}": summary(values, 0)["mean"] for metric, values in each.ceiling.items()}
        rows.append(row | {"tied": each.recipe in tied})
    sign = 1 if less_is_better(name) else -1
    return sorted(
        rows, key=lambda row: (row["problem"] != "", sign * (row[name] or 0), row.get("characters", 0))
    )


def show(result: dict[str, Any]) -> str:
    """A line for each setting, best first; = marks the best and what is not distinguishable from it."""
    name, rows = result["metric"], [row for row in result["rows"] if not row["problem"]]
    lines = [
        f"{result['corpus']}: {counted(len(rows), 'setting')}, {counted(result['questions'], 'question')}, "
        f"{result['embedder']}, {result['retriever']}"
    ]
    for text in [*(f"note: {each}" for each in result["notices"]), *result["sentences"]]:
        lines += textwrap.wrap(text, WIDTH, subsequent_indent="  ")
    extra = [each for each in (f"chance of {name}", f"ceiling of {name}") if rows and each in rows[0]]
    heads = "".join(f"  {each.partition(' ')[0]:>7}" for each in extra)
    lines += ["", f"   {name:<17}{heads}  chunks  repeated  setting (= is tied with the best)"]
    for row in rows:
        bounds = "" if row[f"{name} low"] is None else f"[{row[f'{name} low']:.2f} {row[f'{name} high']:.2f}]"
        value = "none" if row[name] is None else f"{row[name]:.3f} {bounds}"
        more = "".join(f"  {row[each]:>7.3f}" for each in extra)
        lines.append(
            f"{'=' if row['tied'] else ' '}  {value:<17}{more}  {row['chunks']:>6,}  {row['duplication']:>8.1%}  {row['recipe']}"
        )
    for row in result["rows"]:
        if row["problem"]:
            lines += textwrap.wrap(f"!  {row['recipe']}: {row['problem']}", WIDTH, subsequent_indent="   ")
    return "\n".join(lines)


def as_csv(result: dict[str, Any]) -> str:
    """One line a setting; a cell that a spreadsheet would run as a formula is given a leading apostrophe."""
    from chunklab.export import cell

    out = io.StringIO()
    names = dict.fromkeys(name for row in result["rows"] for name in row)
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    for row in result["rows"]:
        writer.writerow(
            {name: cell(value) if isinstance(value, str) else value for name, value in row.items()}
        )
    return out.getvalue().rstrip("\n")
