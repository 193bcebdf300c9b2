"""One line on a terminal that says how far the work is, for what takes more than a moment."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from chunklab.progress import Pace, listening

FIRST, AGAIN = 1.0, 0.2
"""Seconds until the line appears, and between two of its changes."""
WIDTH = 79
_CLEAR = "\r\x1b[K"


@contextmanager
def metered(terminal: TextIO) -> Iterator[None]:
    """Work inside this block is shown on the terminal while it lasts; nothing is written to what is none."""
    if not terminal.isatty():
        yield
        return
    pace, due, shown = Pace(), time.monotonic() + FIRST, False

    def told(what: str, done: int, total: int) -> None:
        nonlocal due, shown
        line, now = pace.line(what, done, total), time.monotonic()
        if now >= due:
            terminal.write(_CLEAR + line[:WIDTH])
            terminal.flush()
            due, shown = now + AGAIN, True

    try:
        with listening(told):
            yield
    finally:
        if shown:
            terminal.write(_CLEAR)
            terminal.flush()
