"""What an embedder returns, held to one vector of finite numbers for each text."""

from __future__ import annotations

from typing import Any

import numpy as np

from chunklab.errors import ChunklabError

_OTHERWISE = "The embedder is at fault: choose another one; what was computed before is kept."


def checked(owner: str, found: Any, n: int, dims: int | None = None) -> np.ndarray:
    """The vectors as an (n, d) array, when there are n, all of one width (`dims`, where given) and finite.

    ChunklabError says whose they are, what was got and what to do.
    """
    try:
        rows = np.asarray(found)
    except ValueError:
        raise ChunklabError(f"{owner}: all vectors must have one length, got several. {_OTHERWISE}") from None
    if not n and not rows.size:
        return rows
    numbers = rows.dtype.kind in "fiu" and rows.ndim == 2
    if not numbers or len(rows) != n:
        must = "1 text must give 1 vector" if n == 1 else f"{n} texts must give {n} vectors, one each"
        got = len(rows) if numbers else f"an array of {rows.dtype} and shape {rows.shape}"
        raise ChunklabError(f"{owner}: {must}, got {got}. {_OTHERWISE}")
    if dims is not None and rows.shape[1] != dims:
        raise ChunklabError(
            f"{owner}: its vectors must have {dims} numbers, as the others have, got {rows.shape[1]}. {_OTHERWISE}"
        )
    finite = np.isfinite(rows)
    if not finite.all():
        row = int(np.argmin(finite.all(axis=1)))
        raise ChunklabError(
            f"{owner}: vector {row + 1} of {n} must have finite numbers, got {rows[row][~finite[row]][0]:g} "
            f"among them. {_OTHERWISE}"
        )
    return rows
