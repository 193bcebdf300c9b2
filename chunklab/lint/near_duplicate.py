"""Chunks with nearly the same words as one before."""

from __future__ import annotations

import numpy as np

from chunklab.lint.base import Case, Problem, problem
from chunklab.lint.duplicate import first_of_its_text
from chunklab.lint.fixes import changed

ALIKE, FEWEST = 0.8, 8
BANDS, ROWS = 8, 3
_BLOCK = 1 << 19
MOST_TRIPLES = 10_000_000
_FACTORS = np.random.default_rng(7).integers(1, 2**63, BANDS * ROWS, dtype=np.uint64) * np.uint64(
    2
) + np.uint64(1)


def detect(case: Case) -> Problem | None:
    """Each chunk that shares four fifths of its word triples (Jaccard) with one before it.

    Pairs are found by MinHash (Broder 1997) in 8 bands of 3: a pair that alike is missed in 1 of 300
    cases. Each chunk is compared with at most 8 others, so the cost grows with the text of the chunks.
    Chunks under 8 words, those that are equal, and what follows the first ten million triples are left out.
    """
    first = np.searchsorted(case.words.starts, case.starts)
    last = np.searchsorted(case.words.ends, case.ends, "right") - 2
    whole = (last - first >= FEWEST - 2) & (first_of_its_text(case) == np.arange(len(case.spans)))
    lengths = np.where(whole, last - first, 0)
    rows = np.flatnonzero(whole & (np.cumsum(lengths, dtype=np.int64) <= MOST_TRIPLES))
    if len(rows) < 2:
        return None
    triples, low, high = _triples(case.words.hashes[1]), first[rows], last[rows]
    pairs = _alike(triples, low, high, _signatures(triples, low, high))
    later = rows[[one for one, _ in pairs]] if pairs else rows[:0]
    earlier = rows[[other for _, other in pairs]] if pairs else rows[:0]
    overlapping = (case.ends[earlier] > case.starts[later]).mean() > 0.5 if pairs else False
    return problem(
        "near-duplicate",
        "A chunk has nearly the same words as one before; together they fill the top results.",
        np.column_stack((case.first, case.last))[later],
        "Lower the overlap, or take text that stands in the document twice out of it.",
        changed(case, overlap="10%") if overlapping else None,
    )


def _triples(words: np.ndarray) -> np.ndarray:
    """(m - 2,) uint64: three words in their order as one number."""
    return words[:-2] * _FACTORS[0] + words[1:-1] * _FACTORS[1] + words[2:] * _FACTORS[2]


def _signatures(triples: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """(n, 24) uint64: for each of the hash functions the least value in each chunk."""
    lengths = high - low
    out = np.empty((len(low), BANDS * ROWS), dtype=np.uint64)
    at = 0
    while at < len(low):
        end = at + max(1, int(np.searchsorted(np.cumsum(lengths[at:]), _BLOCK)))
        sizes = lengths[at:end]
        heads = np.cumsum(sizes) - sizes
        values = triples[np.repeat(low[at:end] - heads, sizes) + np.arange(int(sizes.sum()))]
        for number, factor in enumerate(_FACTORS):
            out[at:end, number] = np.minimum.reduceat(values * factor, heads)
        at = end
    return out


def _alike(
    triples: np.ndarray, low: np.ndarray, high: np.ndarray, signatures: np.ndarray
) -> list[tuple[int, int]]:
    """(later, earlier) rows that are alike, each later row once."""
    found: dict[int, int] = {}
    for band in range(BANDS):
        part = signatures[:, band * ROWS : (band + 1) * ROWS]
        key = part @ np.array([1, 3, 9], dtype=np.uint64)
        _, head, group = np.unique(key, return_index=True, return_inverse=True)
        for row in np.flatnonzero(head[group] != np.arange(len(low))).tolist():
            other = int(head[group[row]])
            if row not in found:
                one, two = (np.unique(triples[low[each] : high[each]]) for each in (row, other))
                shared = len(np.intersect1d(one, two, assume_unique=True))
                if shared >= ALIKE * (len(one) + len(two) - shared):
                    found[row] = other
    return sorted(found.items())
