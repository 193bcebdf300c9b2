"""How long what is embedded is, and how much of it is context."""

from __future__ import annotations

import numpy as np

from chunklab.chunking import Chunks
from chunklab.tokens import tokenizer as tokenizer_named

MOST_CONTEXT = 0.25
"""A share of context above this is worth a warning."""


def context_tokens(chunks: Chunks, tokenizer: str = "cl100k") -> np.ndarray:
    """(n,) int32 tokens of what is put before each chunk; a context's own, each different text counted once."""
    if not chunks.contexts:
        return np.zeros(len(chunks), dtype=np.int32)
    texts = list(dict.fromkeys(chunks.contexts))
    counts = dict(zip(texts, tokenizer_named(tokenizer).count_many(texts), strict=True))
    return np.array([counts[each] for each in chunks.contexts], dtype=np.int32)


def embedded_tokens(chunks: Chunks, tokenizer: str = "cl100k") -> np.ndarray:
    """(n,) int32 tokens of what each vector is made from: the context, then the chunk."""
    return context_tokens(chunks, tokenizer) + chunks.token_counts(tokenizer)


def context_share(chunks: Chunks, tokenizer: str = "cl100k") -> float:
    """The share of all embedded tokens that is context, from 0 to 1; 0 without chunks."""
    total = int(embedded_tokens(chunks, tokenizer).sum())
    return int(context_tokens(chunks, tokenizer).sum()) / total if total else 0.0


def context_notice(share: float) -> str:
    """One sentence when the share of context is above a quarter, "" otherwise."""
    if share <= MOST_CONTEXT:
        return ""
    return (
        f"{share:.0%} of the embedded tokens are context, more than {MOST_CONTEXT:.0%}: chunks begin to look "
        "alike. Make the context shorter or the chunks larger."
    )
