"""`chunklab diff`: what two recipes do differently to one file, cut by cut."""

from __future__ import annotations

import argparse
from typing import Any

from chunklab.commands.base import add_file, one_line, read_document
from chunklab.errors import ParamError

AROUND = 30
"""How many characters are told on either side of a cut."""


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser("diff", help="which cuts two recipes share on one file, and which not")
    add_file(parser)
    parser.add_argument(
        "-r", "--recipe", action="append", required=True, help="twice: the first and the second"
    )
    parser.set_defaults(run=run, show=show)  # fmt: skip


def run(options: argparse.Namespace) -> dict[str, Any]:
    """The counts, the agreement, and every cut in the order of the text."""
    from chunklab.chunking import chunk
    from chunklab.diff import diff
    from chunklab.recipe import parse_recipe

    if len(options.recipe) != 2:
        raise ParamError("diff", "-r", "given twice, the first recipe and the second", options.recipe)
    recipes = [parse_recipe(text) for text in options.recipe]
    document = read_document(options.file)
    first, second = (chunk(document, recipe) for recipe in recipes)
    found = diff(first, second)

    def cut(change: str, at: int, was: int | None = None) -> dict[str, Any]:
        place = {"change": change, "at": at} | ({} if was is None else {"was": was})
        before, after = document.text[max(0, at - AROUND) : at], document.text[at : at + AROUND]
        return place | {"before": before, "after": after}

    cuts = [cut("kept", at) for at in found.kept.tolist()]
    cuts += [cut("moved", at, was) for was, at in found.moved.tolist()]
    cuts += [cut("added", at) for at in found.added.tolist()]
    cuts += [cut("gone", at) for at in found.gone.tolist()]
    return {
        "document": document.id,
        "recipes": [str(recipe) for recipe in recipes],
        "chunks": [len(first), len(second)],
        "notices": list(dict.fromkeys([*document.notices, *first.notices, *second.notices])),
        "kept": len(found.kept),
        "moved": len(found.moved),
        "added": len(found.added),
        "gone": len(found.gone),
        "agreement": found.agreement,
        "cuts": sorted(cuts, key=lambda each: each["at"]),
    }


def show(result: dict[str, Any]) -> str:
    """The counts, then a line for each cut that is not kept."""
    first, second = result["recipes"]
    lines = [
        f"{result['document']}: from {first} ({result['chunks'][0]} chunks) to {second} "
        f"({result['chunks'][1]} chunks)",
        *(f"note: {each}" for each in result["notices"]),
        f"cuts: {result['kept']} kept, {result['moved']} moved, {result['added']} added, {result['gone']} gone; "
        f"agreement (F1 of the cuts) {result['agreement']:.2f}",
        "",
    ]
    for each in result["cuts"]:
        if each["change"] != "kept":
            by = f"{each['at'] - each['was']:+}" if "was" in each else ""
            sides = f"{one_line(each['before']):>{AROUND}} | {one_line(each['after'])}"
            lines.append(f"{each['change']:<6} {each['at']:>8} {by:>5}  {sides}")
    return "\n".join(lines).rstrip()
