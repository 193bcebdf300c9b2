"""How much an embedding model reads: what lies past its limit is never embedded, and never silently so.

An embedder's `over` says what happens to a chunk over the limit: `truncate` embeds its beginning and
the flag stays, `refuse` is an error, `resplit` embeds the chunk in parts that fit. Parts only stand
for their chunk: what is found, returned and measured is the chunk, as it was cut.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from chunklab.errors import ChunklabError
from chunklab.params import TOKENIZERS
from chunklab.tokens import tokenizer

if TYPE_CHECKING:
    from chunklab.chunking import Chunks
    from chunklab.embedders.base import Embedder

LIMITS = {
    "all-MiniLM-L6-v2": (256, "minilm"),
    "bge-small-en-v1.5": (512, "minilm"),
    "text-embedding-3-small": (8191, "cl100k"),
}
"""Model -> (longest input in tokens, special tokens included, and whose tokens these are)."""

POLICIES = ("truncate", "refuse", "resplit")


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


def embedding_notices(chunks: Chunks, embedder: Embedder) -> tuple[str, ...]:
    """What a reader must know about these chunks under this embedder, each a sentence."""
    context = chunks.recipe.embed_as
    if context.makes_vectors:
        return context.notices(chunks, embedder)
    if embedder.limit is None:
        return ()
    counts = token_lengths(chunks, embedder)
    over = int((counts > embedder.limit).sum())
    if over and embedder.over == "resplit":
        many = "1 chunk is" if over == 1 else f"{over} of {len(counts)} chunks are"
        return (f"{many} over the model limit of {embedder.limit} tokens and embedded in parts.",)
    said = limit_notice(counts, embedder.limit)
    return (said,) if said else ()


def token_lengths(chunks: Chunks, embedder: Embedder) -> np.ndarray:
    """(n,) int32: each chunk in the embedder's own tokens, with its context, the prefix and special tokens."""
    prefix, contexts = embedder.passage_prefix, chunks.contexts
    if not prefix and not contexts and embedder.tokenizer in TOKENIZERS:
        return chunks.token_counts(embedder.tokenizer) + np.int32(sum(embedder.added))
    texts = [prefix + context + own for context, own in _parts(chunks)]
    if embedder.tokenizer in TOKENIZERS:
        counts = tokenizer(embedder.tokenizer).count_many(texts)
    else:
        counts = np.array([len(_starts(each, embedder)) for each in texts], dtype=np.int32)
    return counts + np.int32(sum(embedder.added))


def unembedded(chunks: Chunks, embedder: Embedder) -> np.ndarray:
    """(n,) int32: the offset in the document from which a chunk is not embedded, -1 where all of it is.

    Says what the model reads of a chunk at once: with over=resplit the rest is embedded in further parts.
    """
    found = np.full(len(chunks), -1, dtype=np.int32)
    if embedder.limit is None or chunks.recipe.embed_as.makes_vectors or not len(chunks):
        return found
    room, prefix = embedder.limit - sum(embedder.added), embedder.passage_prefix
    over = np.flatnonzero(token_lengths(chunks, embedder) > embedder.limit)
    parts = _parts(chunks)
    for row in over.tolist():
        context, own = parts[row]
        first_unread = int(_starts(prefix + context + own, embedder)[max(0, room)])
        found[row] = chunks.spans[row, 0] + max(0, first_unread - len(prefix) - len(context))
    return found


def refuse(chunks: Chunks, embedder: Embedder) -> None:
    """Raises ChunklabError when a chunk is over the embedder's limit."""
    counts = token_lengths(chunks, embedder)
    over = int((counts > embedder.limit).sum())
    if over:
        many = "1 chunk is" if over == 1 else f"{over} of {len(counts)} chunks are"
        raise ChunklabError(
            f"{embedder.key()}: {many} over the model limit of {embedder.limit} tokens, the longest has "
            f"{int(counts.max())} (document {chunks.document.id!r}). Use a smaller size, or over=resplit, or "
            "over=truncate."
        )


def fitting(text: str, embedder: Embedder) -> list[str]:
    """The text in parts, in order, that the embedder reads whole; cut before a word where there is one."""
    room = embedder.limit - sum(embedder.added)
    if embedder.passage_prefix:
        room -= len(_starts(embedder.passage_prefix, embedder))
    room = max(1, room)
    waiting, parts = [text], []
    while waiting:
        each = waiting.pop()
        starts = _starts(each, embedder)
        cuts = _cuts(each, starts, room)
        if cuts:
            # A part cut inside a word may have other tokens than before, so it is looked at again.
            edges = [0, *cuts, len(each)]
            waiting += [each[low:high] for low, high in pairwise(edges)][::-1]
        else:
            parts.append(each)
    return parts


def _cuts(text: str, starts: np.ndarray, room: int) -> list[int]:
    """Rising offsets inside the text that leave at most `room` tokens between them; none when it fits."""
    cuts, at = [], 0
    while len(starts) - at > room:
        word = next(
            (i for i in range(at + room, at + room // 2, -1) if text[starts[i] - 1].isspace()), at + room
        )
        if not (cuts[-1] if cuts else 0) < starts[word]:
            break
        cuts.append(int(starts[word]))
        at = word
    return cuts


def _parts(chunks: Chunks) -> list[tuple[str, str]]:
    own = chunks.texts
    return list(zip(chunks.contexts or ("",) * len(own), own, strict=True))


def _starts(text: str, embedder: Embedder) -> np.ndarray:
    """Where each token begins; a known tokenizer answers without loading the model."""
    if embedder.tokenizer in TOKENIZERS:
        return tokenizer(embedder.tokenizer).offsets(text)[0]
    return embedder.tokens(text)[1]
