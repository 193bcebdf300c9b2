"""Separators as regular expressions, run by RE2, which takes time linear in the text whatever the pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chunklab.errors import ParamError
from chunklab.types import Document

if TYPE_CHECKING:
    import re2


def check_pattern(owner: str, pattern: str) -> None:
    """Raises ParamError unless RE2, which cannot run away, takes the pattern."""
    import re2

    try:
        _compiled(pattern)
    except re2.error as error:
        raise ParamError(
            owner,
            "separators",
            "a regex that RE2 can run (no look-around, no back-references)",
            pattern,
            f"RE2 says: {str(error)[:120]}.",
        ) from None


def _compiled(pattern: str) -> re2._Regexp:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = 1 << 24
    return re2.compile(pattern.encode(), options)


def regex_cuts(document: Document, pattern: str, keep: str) -> np.ndarray:
    """Code point offsets of the end (or, with keep = start, the start) of each match that is not empty."""
    data = document.text.encode("utf-8", "surrogatepass")
    at = np.flatnonzero((np.frombuffer(data, np.uint8) & 0xC0) != 0x80)
    edges = [
        found.start() if keep == "start" else found.end()
        for found in _compiled(pattern).finditer(data)
        if found.end() > found.start()
    ]
    return np.searchsorted(at, np.array(edges, dtype=np.int64))
