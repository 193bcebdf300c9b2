"""What `evaluate` found as text for people: one table of measures by recipes, and below it what follows."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from chunklab.commands.base import WIDTH, counted, one_line

CELL = 17
"""A mean of three decimals and its interval of two."""
NOTICES = 3
"""So many are told of each recipe."""
MEANT = 5
"""The k that sentences and counts are about, or the nearest that was measured."""


def show(result: dict[str, Any]) -> str:
    """The recipes, the table, reasons, comparisons and checks."""
    scored, asked = next(iter(result["results"][0]["metrics"].values()))["questions"], result["questions"]
    lines = [
        f"{result['corpus']}: {f'{scored} of ' if scored < asked else ''}{counted(asked, 'question')} on "
        f"{counted(result['documents'], 'document')}, "
        f"{result['embedder']}, {result['retriever']}",
        *(f"note: {each}" for each in result["notices"]),
        "",
    ]
    for number, each in enumerate(result["results"], 1):
        seconds = sum(each["seconds"].values())
        lines.append(f"{number}  {each['recipe']}  {counted(each['chunks'], 'chunk')}, {seconds:.1f} s")
        more = len(each["notices"]) - NOTICES
        for notice in [*each["notices"][:NOTICES], *([f"and {more} more, see --json"] if more > 0 else [])]:
            lines += textwrap.wrap(f"   note: {notice}", WIDTH, subsequent_indent="     ")
    lines += ["", *_measures(result["results"])]
    for part in (_reasons, _questions, _comparisons, _checks):
        found = list(part(result))
        lines += ["", *found] if found else []
    return "\n".join(lines)


def _measures(results: list[dict[str, Any]]) -> Iterator[str]:
    """Measures down, recipes and their controls across, with 95 % intervals; as many bands as it takes."""
    columns: list[tuple[str, dict[str, Any]]] = []
    for number, each in enumerate(results, 1):
        columns.append((str(number), each["metrics"] | each.get("controls", {}).get("ceiling", {})))
        if "controls" in each:
            columns.append((f"chance for {number}", each["controls"]["chance"]))
    if "controls" in results[0]:
        columns.append(("whole documents", results[0]["controls"]["whole_document"]))
    names = list(columns[0][1])
    label = max(map(len, names)) + 2
    across = max(1, (WIDTH - label) // (CELL + 2))
    for low in range(0, len(columns), across):
        band = columns[low : low + across]
        if low:
            yield ""
        yield _line(label, [heading for heading, _ in band])
        for name in names:
            yield _line(label, [_cell(found.get(name)) for _, found in band], name)


def _line(label: int, cells: list[str], name: str = "") -> str:
    return f"{name:<{label}}{'  '.join(f'{each:<{CELL}}' for each in cells)}".rstrip()


def _cell(found: dict[str, Any] | None) -> str:
    if found is None:
        return ""
    if found["mean"] is None:
        return "none"
    bounds = f" [{found['low']:.2f} {found['high']:.2f}]" if found.get("low") is not None else ""
    return f"{found['mean']:.3f}{bounds}"


def _reasons(result: dict[str, Any]) -> Iterator[str]:
    """For each recipe how many answers are not whole, by reason."""
    results = [each for each in result["results"] if "reasons" in each]
    if results:
        at = _meant(results[0]["reasons"])
        names = list(results[0]["reasons"][at])
        yield f"answers in the top {at.removeprefix('@')}, by what became of them"
        yield "   " + "  ".join(names)
        for number, each in enumerate(results, 1):
            counts = each["reasons"][at]
            yield f"{number:<3}" + "  ".join(f"{counts[name]:>{len(name)}}" for name in names)


def _questions(result: dict[str, Any]) -> Iterator[str]:
    """For each recipe a line a question: its rank, what was measured at the k meant, and the reason."""
    for number, each in enumerate(result["results"], 1):
        rows = each.get("per_question", [])
        if not rows:
            continue
        at = _meant([f"@{name.partition('@')[2]}" for name in each["metrics"]])
        label = max(len("question"), min(24, max(len(row["id"]) for row in rows)))
        names = _fitting([name for name in each["metrics"] if name.endswith(at)], WIDTH - label - 28)
        yield f"{number}  {'question':<{label}}  rank  {'  '.join(names)}"
        for row in rows:
            values = "  ".join(f"{row[name]:>{len(name)}.2f}" for name in names)
            reason = row.get("reasons", {}).get(at, "")
            id = one_line(row["id"])[:label]
            yield f"   {id:<{label}}  {row['rank'] or 'none':>4}  {values}  {reason}".rstrip()


def _fitting(names: list[str], width: int) -> list[str]:
    """As many of the names as stand side by side."""
    room = accumulate(len(name) + 2 for name in names)
    return [name for name, taken in zip(names, room, strict=True) if taken <= width]


def _comparisons(result: dict[str, Any]) -> Iterator[str]:
    """What may be said of recall, or of the first measure, of each recipe against the first."""
    for each in result["comparisons"]:
        recall = [row for row in each["measures"] if row["metric"].startswith("recall@")]
        for row in recall or each["measures"][:1]:
            yield from textwrap.wrap(row["words"], WIDTH, subsequent_indent="  ")


def _checks(result: dict[str, Any]) -> Iterator[str]:
    """Each check with the recipe's number, whether it holds, and the value."""
    numbers = {each["recipe"]: at for at, each in reversed(list(enumerate(result["results"], 1)))}
    for each in result["checks"]:
        value = "none" if each["value"] is None else f"{each['value']:.3f}"
        told = f"{'pass' if each['holds'] else 'FAIL'}  {each['check']}  {numbers[each['recipe']]}: {value}"
        yield from textwrap.wrap(f"{told}  {each['note']}".rstrip(), WIDTH, subsequent_indent="  ")


def _meant(names: Any) -> str:
    """The name of the k meant among names such as "@5": the largest up to 5, else the smallest."""
    ks = sorted({int(each[1:]) for each in names if each[1:].isdecimal()})
    return f"@{max((k for k in ks if k <= MEANT), default=ks[0])}" if ks else ""
