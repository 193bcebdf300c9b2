"""`chunklab compare`: whether two run records can be told apart, and which questions flipped."""

from __future__ import annotations

import argparse
import textwrap
from typing import Any

from chunklab.commands.base import WIDTH, add_seed, counted, one_line


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser("compare", help="two run records of evaluate --out on the same questions")
    parser.add_argument("run_a", metavar="RUN_A", help="a run record; run.json#2 is its second recipe")
    parser.add_argument("run_b", metavar="RUN_B", help="the one to compare with it")
    parser.add_argument("--metric", default="", help="the measure by which questions flip, else whole@5")
    add_seed(parser)
    parser.set_defaults(run=run, show=show)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """The comparison as plain values."""
    from chunklab.compare import compare
    from chunklab.runs import load_run

    return compare(load_run(options.run_a), load_run(options.run_b), options.metric, options.seed).to_json()


def show(result: dict[str, Any]) -> str:
    """A line for each measure, what may be said of recall, and the questions that flipped."""
    lines = [f"A  {result['first']}", f"B  {result['second']}", counted(result["questions"], "question")]
    for each in result["notices"]:
        lines += textwrap.wrap(f"note: {each}", WIDTH, subsequent_indent="  ")
    label = max(len(each["metric"]) for each in result["measures"]) + 2
    lines += ["", f"{'':<{label}}    A      B   B - A    95 % interval      p  failures"]
    lines += [_line(each, label) for each in result["measures"]]
    if any(each["distinguishable"] for each in result["measures"]):
        lines.append("* can be told apart: p is at most 0.05")
    if (chance := len(result["measures"]) / 20) >= 1:
        lines.append(
            f"p is of each measure alone: of {len(result['measures'])} measures of equal recipes about "
            f"{chance:.0f} would have a star by chance."
        )
    lines.append("")
    for each in result["measures"]:
        if each["metric"].startswith("recall@") or each["metric"] == result["flipped_by"]:
            lines += textwrap.wrap(each["words"], WIDTH, subsequent_indent="  ")
    return "\n".join([*lines, "", *_flips(result)])


def _line(each: dict[str, Any], label: int) -> str:
    means = "  ".join("none" if mean is None else f"{mean:.3f}" for mean in (each["first"], each["second"]))
    bounds = "" if each["low"] is None else f"[{each['low']:+.3f} {each['high']:+.3f}]"
    fewer = "" if each["failure_reduction"] is None else f"{0 - each['failure_reduction']:+.0%}"
    mark = " *" if each["distinguishable"] else ""
    return f"{each['metric']:<{label}}{means}  {each['difference']:+.3f}  {bounds:<15}  {each['p']:.3f}  {fewer:>8}{mark}".rstrip()


def _flips(result: dict[str, Any]) -> list[str]:
    """The questions that flipped, with both values and the ranks of their first hits."""
    flips, by = result["flips"], result["flipped_by"]
    if not flips:
        return [f"No question flipped by {by}."]
    gained = sum(each["after"] > each["before"] for each in flips)
    label = min(24, max(len(each["id"]) for each in flips))
    lines = [f"flipped by {by}: {gained} gained, {len(flips) - gained} lost (value and rank, A to B)"]
    for each in flips:
        ranks = f"{each['rank_before'] or '-'} to {each['rank_after'] or '-'}"
        values = f"{each['before']:.2f} to {each['after']:.2f}"
        line = f"  {each['id'][:label]:<{label}}  {values}  {ranks:<10}  {each['text']}"
        lines.append(one_line(line)[:WIDTH].rstrip())
    return lines
