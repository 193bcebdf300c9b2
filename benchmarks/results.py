"""Tables for the terminal and for RESULTS.md, and what they were measured on."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

RESULTS = Path(__file__).with_name("RESULTS.md")


def table(header: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """A Markdown table whose source is aligned too; all columns but the first `words` are numbers."""
    widths = [max(3, *(len(row[at]) for row in [header, *rows])) for at in range(len(header))]

    def line(row: Sequence[str]) -> str:
        cells = (
            each.ljust(width) if at < words else each.rjust(width)
            for at, (each, width) in enumerate(zip(row, widths, strict=True))
        )
        return f"| {' | '.join(cells)} |"

    rule = ("-" * width if at < words else "-" * (width - 1) + ":" for at, width in enumerate(widths))
    return "\n".join([line(header), f"| {' | '.join(rule)} |", *map(line, rows)])


def conditions(*packages: str) -> str:
    """One line: when, on what, with which versions, and how busy the machine was."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    versions = ", ".join(f"{each} {version(each)}" for each in packages)
    return (
        f"{time.strftime('%Y-%m-%d')}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores with a "
        f"load of {load:.1f} at the end, Python {platform.python_version()}, {versions}."
    )


def write(section: str, text: str) -> None:
    """Puts the text between the section's marks in RESULTS.md, making them at the end when missing."""
    begin, end = f"<!-- {section} -->", f"<!-- end of {section} -->"
    old = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else "# Results\n"
    if begin not in old:
        old = f"{old.rstrip()}\n\n{begin}\n{end}\n"
    before, rest = old.split(begin, 1)
    RESULTS.write_text(f"{before}{begin}\n{text.strip()}\n{end}{rest.split(end, 1)[1]}", encoding="utf-8")
