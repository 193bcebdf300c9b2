"""`chunklab evaluate`: what recipes reach on a corpus with questions, and whether that is enough."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from chunklab.commands.asked import Asked, add_asked
from chunklab.commands.measured import measured
from chunklab.commands.results import show
from chunklab.errors import ChunklabError, ParamError
from chunklab.progress import tell

if TYPE_CHECKING:
    from chunklab.checks import Check

Result = dict[str, Any]


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser("evaluate", help="measure recipes on a corpus with questions")
    argument = parser.add_argument
    argument("-r", "--recipe", action="append", required=True, help="repeat to compare with the first")
    add_asked(parser)
    argument("--check", action="append", default=[], metavar="TEXT",
             help="such as 'recall@5>=0.8' or 'mrr>=first-0.05'; repeatable; exit status 1 when one fails")  # fmt: skip
    argument("--per-question", action="store_true", help="each question's values too")
    argument("--out", metavar="FILE", help="keep a run record, as each recipe is done, for compare")
    parser.set_defaults(run=run, show=show, status=status)


def status(result: dict[str, Any]) -> int:
    """1 when a check does not hold."""
    return int(any(not each["holds"] for each in result["checks"]))


def run(options: argparse.Namespace) -> dict[str, Any]:
    """The measures of each recipe, of each but the first against the first, and the checks.

    When a recipe fails, those before it are given, with the `fault`.
    """
    from chunklab.checks import parse_check
    from chunklab.recipe import parse_recipe
    from chunklab.runs import run_record, save_run, writable

    checks = [parse_check(text) for text in options.check]
    recipes = [parse_recipe(text) for text in options.recipe]
    if len(recipes) < 2 and any(each.relative for each in checks):
        raise ParamError("evaluate", "-r", "given twice for a check against the first", options.recipe)
    if options.out:
        writable(options.out)
    asked = Asked(options, [each.metric for each in checks])
    settings = {"recipes": [str(each) for each in recipes], **asked.settings}
    results: list[Result] = []
    fault = ""

    def keep() -> None:
        if options.out:
            save_run(run_record(asked.corpus, settings, results), options.out)

    try:
        for recipe in recipes:
            tell("recipes measured", len(results), len(recipes))
            results.append(measured(asked, recipe))
            keep()
    except KeyboardInterrupt as stop:
        if results and options.out:
            keep()
            stop.add_note(f"{options.out}: {len(results)} of {len(recipes)} recipes are done.")
        raise
    except ChunklabError as stop:
        if not results:
            raise
        fault = f"{stop} {len(results)} of {len(recipes)} recipes are done."
    told = [
        {name: part for name, part in each.items() if options.per_question or name != "per_question"}
        for each in results
    ]
    return {
        **asked.about(),
        "results": told,
        "comparisons": _comparisons(results, asked.seed),
        "checks": list(_judged(checks, results)),
    } | ({"fault": fault} if fault else {})


def _comparisons(results: Sequence[Result], seed: int) -> list[dict[str, Any]]:
    from chunklab.compare import against_first, values_of

    names = [each["recipe"] for each in results]
    found = against_first(names, [values_of(each) for each in results], seed)
    return [
        {"first": names[0], "second": name, "measures": [each.to_json() for each in measures]}
        for name, measures in zip(names[1:], found, strict=True)
    ]


def _judged(checks: Sequence[Check], results: Sequence[Result]) -> Iterator[dict[str, Any]]:
    """Each check on each recipe, those against the first recipe on the others."""
    means = [_means(each["metrics"]) for each in results]
    for check in checks:
        for own, each in list(zip(means, results, strict=True))[int(check.relative) :]:
            chance = _means(each["controls"]["chance"]) if "controls" in each else None
            yield {"recipe": each["recipe"], **dataclasses.asdict(check.judge(own, means[0], chance))}


def _means(found: dict[str, Any]) -> dict[str, float | None]:
    return {name: each["mean"] for name, each in found.items()}
