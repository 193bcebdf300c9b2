"""How much an embedding model reads: what lies past its limit is never embedded."""

from __future__ import annotations

import numpy as np

LIMITS = {
    "all-MiniLM-L6-v2": (256, "minilm"),
    "bge-small-en-v1.5": (512, "minilm"),
    "text-embedding-3-small": (8191, "cl100k"),
}
"""Model -> (longest input in tokens, special tokens included, and whose tokens these are)."""


def limit_notice(counts: np.ndarray, limit: int) -> str:
    """One sentence when chunks are over the model limit, "" when none is; `counts` are (n,) tokens."""
    over = counts > limit
    if not over.any():
        return ""
    lost = int((counts[over] - limit).sum()) / int(counts.sum())
    many = "1 chunk is" if over.sum() == 1 else f"{int(over.sum())} of {len(counts)} chunks are"
    return (
        f"{many} over the model limit of {limit} tokens: only the first {limit} tokens of each count, "
        f"{lost:.0%} of all tokens would never be embedded."
    )
