"""`chunklab chunk`: one file's chunks with their places, their headings and a report."""

from __future__ import annotations

import argparse
from typing import Any

from chunklab.commands.base import add_file, one_line, read_document
from chunklab.errors import ParamError


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser("chunk", help="cut one file")
    add_file(parser)
    parser.add_argument(
        "-r", "--recipe", default="recursive()", help="such as 'recursive(size=400,overlap=50)'"
    )
    parser.add_argument(
        "--model-limit", type=int, metavar="TOKENS", help="tell which chunks an embedding model truncates"
    )
    parser.set_defaults(run=run, show=show)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """The record of `export`: the document, the recipe, every chunk and the report."""
    from chunklab.chunking import chunk
    from chunklab.export import record
    from chunklab.limits import limit_notice
    from chunklab.recipe import parse_recipe

    if options.model_limit is not None and options.model_limit < 1:
        raise ParamError("chunk", "--model-limit", "a whole number of at least 1", options.model_limit)
    recipe = parse_recipe(options.recipe)
    cut = chunk(read_document(options.file), recipe)
    result = record(cut)
    if options.model_limit:
        notice = limit_notice(cut.token_counts(recipe.split.tokenizer), options.model_limit)
        result["report"]["notices"] += [notice] if notice else []
    return result


def show(result: dict[str, Any]) -> str:
    """One line a chunk under a line of totals."""
    report = result["report"]
    lines = [
        f"{result['document']['id']}: {report['count']} chunks by {result['recipe']}",
        *(f"note: {each}" for each in report["notices"]),
    ]
    if not report["count"]:
        return "\n".join(lines)
    lines += [
        f"{report['unit']}: median {report['median']:g}, longest {report['max']}; overlap asked "
        f"{report['overlap_asked']}, got {report['overlap_mean']:.1f} characters; +{report['duplication']:.1%} text",
        "",
        f"{'#':>5} {'start':>8} {'end':>8} {'chars':>6} {'tokens':>6}  {'cut':<16} text",
    ]
    for each in result["chunks"]:
        path = " > ".join(each["headings"])
        words = " ".join(each["text"].split())
        shown = one_line((f"[{path}] " if path else "") + words)
        lines.append(
            f"{each['index'] + 1:>5} {each['start']:>8} {each['end']:>8} {each['characters']:>6} "
            f"{each['tokens']:>6}  {each['cut'][:16]:<16} {shown[:60]}"
        )
    return "\n".join(lines)
