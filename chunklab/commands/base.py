"""What commands share: reading their files and their numbers."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from chunklab.errors import ChunklabError, IntakeError, ParamError, shown

if TYPE_CHECKING:
    from chunklab.types import Document

WIDTH = 100
"""Lines for people are no longer."""


def add_file(parser: argparse.ArgumentParser) -> None:
    """The positional argument of a command about one document."""
    parser.add_argument(
        "file", metavar="FILE", help="a text, Markdown, HTML, JSON, XML, CSV, notebook or code file"
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """The option for what is drawn at random."""
    parser.add_argument("--seed", type=_seed, default=0, help="of intervals, tests and random rankings")


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"must be a whole number from 0, got {shown(text)}")
    return int(text)


def read_document(name: str) -> Document:
    """The document in a file; raises IntakeError, in one line, for what cannot be read."""
    from chunklab.intake import read_bytes

    return read_bytes(Path(name).name, file_bytes(name))


def file_bytes(name: str) -> bytes:
    """What is in a file that is small enough to be a document; IntakeError otherwise."""
    from chunklab.intake import MAX_BYTES

    path = Path(name)
    try:
        if path.is_file() and path.stat().st_size > MAX_BYTES:
            raise IntakeError(f"{shown(name)}: is too large; at most {MAX_BYTES / 1e6:.0f} MB. Split it.")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, ChunklabError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise IntakeError(
            f"{shown(name)}: cannot be read ({reason}). Give the path of a text file."
        ) from None


def whole_numbers(text: str, owner: str, name: str, high: int, example: str) -> tuple[int, ...]:
    """The numbers of "1,3,5", rising and each once; ParamError unless all are from 1 to `high`."""
    try:
        numbers = sorted({int(each) for each in text.split(",")})
    except ValueError:
        numbers = []
    if not numbers or numbers[0] < 1 or numbers[-1] > high:
        must = f"whole numbers from 1 to {high} separated by commas"
        raise ParamError(owner, name, must, text, f"Use {example}.")
    return tuple(numbers)


def one_line(text: str) -> str:
    """The text character for character on one line, with nothing in it that a terminal would obey."""
    return "".join(char if char.isprintable() else " " if char.isspace() else "?" for char in text)


def counted(count: int, what: str) -> str:
    """The number with its noun: "1 chunk", "1,200 chunks"."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"
