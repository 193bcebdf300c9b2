"""`chunklab advise`: a recipe to start from for one file, and why."""

from __future__ import annotations

import argparse
from typing import Any

from chunklab.commands.base import add_file, read_document


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser("advise", help="a recipe to start from for one file, and why")
    add_file(parser)
    parser.set_defaults(run=run, show=show)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """The recipe, the three properties it follows from, and the reasons."""
    from chunklab.advise import advise

    document = read_document(options.file)
    return {"document": document.id, **advise(document).to_json()}


def show(result: dict[str, Any]) -> str:
    """The recipe, the three properties and the reasons."""
    structure = ", ".join(f"{count} {name}" for name, count in result["structure"].items()) or "none found"
    return "\n".join(
        [
            f"{result['document']}: {result['recipe']}",
            "",
            f"kind: {result['kind']}",
            f"mean paragraph: {result['mean_paragraph']:,.0f} characters",
            f"structure: {structure}",
            *(f"- {each}" for each in result["reasons"]),
        ]
    )
