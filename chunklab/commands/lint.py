"""`chunklab lint`: what goes wrong with the chunks of one file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from chunklab.commands.base import add_file, file_bytes, read_document


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser("lint", help="find what goes wrong with the chunks of one file")
    add_file(parser)
    parser.add_argument("-r", "--recipe", default="recursive()", help="such as 'recursive(size=400)'")
    parser.add_argument("--questions", metavar="FILE", help="a questions.jsonl: is their evidence cut?")
    parser.add_argument("--model", metavar="NAME", help="an embedding model: are chunks over its limit?")
    parser.set_defaults(run=run, show=show)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """What the chunks are, and every problem with its places."""
    from chunklab.chunking import chunk
    from chunklab.lint import lint
    from chunklab.lint.evidence import questions_about
    from chunklab.recipe import parse_recipe

    recipe = parse_recipe(options.recipe)
    document = read_document(options.file)
    questions, notices = (), ()
    if options.questions:
        name = Path(options.questions).name
        questions, notices = questions_about(document, file_bytes(options.questions), name)
    cut = chunk(document, recipe)
    return {
        "document": document.id,
        "recipe": str(recipe),
        "chunks": len(cut),
        "questions": len(questions),
        "notices": [*document.notices, *cut.notices, *notices],
        "problems": [each.to_json() for each in lint(cut, questions, options.model)],
    }


def show(result: dict[str, Any]) -> str:
    """A paragraph for each finding: how often, what, the first place, what to do and the recipe."""
    lines = [
        f"{result['document']}: {result['chunks']} chunks by {result['recipe']}, "
        f"{len(result['problems'])} kinds of problem",
        *(f"note: {each}" for each in result["notices"]),
    ]
    for each in result["problems"]:
        first = f", first at {each['places'][0]['start']}" if each["places"] else ""
        lines += ["", f"{each['kind']}: {each['count']}{first}", f"  {each['what']}", f"  {each['remedy']}"]
        lines += [f"  try: {each['fix']}"] if each["fix"] else []
    return "\n".join(lines)
