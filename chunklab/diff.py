"""The difference between two ways to cut one document: cuts kept, moved, added and gone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunklab.chunking import Chunks
from chunklab.errors import ChunklabError
from chunklab.scan import scan

TOLERANCE = 50
"""How many characters a cut may have moved to be told as the same one."""


@dataclass(frozen=True, eq=False)
class CutDiff:
    """Cuts as code points, rising; a cut is where a chunk ends and another follows.

    `kept`, `added` (only the second has it) and `gone` (only the first) are (n,) int32; `moved` is
    (n, 2) int32, from and to. `agreement` is the F1 of the second's cuts against the first's, moved
    ones not counted as found: 1.0 for the same cuts, 0.0 when no cut is shared.
    """

    kept: np.ndarray
    moved: np.ndarray
    added: np.ndarray
    gone: np.ndarray
    agreement: float


def diff(first: Chunks, second: Chunks, tolerance: int = TOLERANCE) -> CutDiff:
    """How the cuts of `second` differ from those of `first`, both of one document.

    Cuts with nothing but blanks between them are the same cut, kept where `second` has it. Of the
    others a pair has moved when each is the other's nearest, the earlier one of two at the same
    distance, and they are at most `tolerance` characters apart. ChunklabError when the documents differ.
    """
    if first.document.digest != second.document.digest:
        raise ChunklabError(
            f"diff: the chunks must be of one document, got {first.document.id} and {second.document.id}. "
            "Cut the same text twice."
        )
    old, new = first.spans[:-1, 1], second.spans[:-1, 1]
    visible = scan(first.document).visible_before
    in_both = np.isin(visible[new], visible[old])
    gone, added = old[~np.isin(visible[old], visible[new])], new[~in_both]
    moved = _moved(gone, added, tolerance)
    kept = int(in_both.sum())
    return CutDiff(
        kept=new[in_both],
        moved=moved,
        added=added[~np.isin(added, moved[:, 1])],
        gone=gone[~np.isin(gone, moved[:, 0])],
        agreement=2 * kept / (len(old) + len(new)) if len(old) + len(new) else 1.0,
    )


def _moved(gone: np.ndarray, added: np.ndarray, tolerance: int) -> np.ndarray:
    """(n, 2) pairs of cuts that are each other's nearest and near enough."""
    if not len(gone) or not len(added):
        return np.empty((0, 2), dtype=np.int32)
    to, back = _nearest(gone, added), _nearest(added, gone)
    mutual = back[to] == np.arange(len(gone))
    near = np.abs(added[to] - gone) <= tolerance
    return np.stack((gone, added[to]), axis=1)[mutual & near]


def _nearest(points: np.ndarray, others: np.ndarray) -> np.ndarray:
    """For each point the index of the nearest of the others, the earlier one of two at the same distance."""
    after = np.searchsorted(others, points).clip(1, max(1, len(others) - 1)).clip(0, len(others) - 1)
    before = np.maximum(after - 1, 0)
    return np.where(points - others[before] <= others[after] - points, before, after)
