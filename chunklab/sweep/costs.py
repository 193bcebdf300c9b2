"""What a setting costs: what is kept of the documents, and what a reader is given for each question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from chunklab.chunking import Chunks
from chunklab.line import Line
from chunklab.tokens.counting import count_spans

COSTS: Mapping[str, str] = MappingProxyType(
    {
        "chunks": "Chunks over all documents.",
        "characters": "Characters kept in all chunks, those of an overlap each time.",
        "embedded": "Characters that are given to the embedder for them, contexts included.",
        "duplication": "Characters that are kept again, as a share of those kept once; 0 without overlap.",
        "index_bytes": "Bytes of all vectors at 4 a number; 0 where the retriever uses none.",
        "tokens": "Tokens of all chunks, each counted on its own text; where tokens are counted.",
    }
)
"""Name -> one sentence, of what a setting costs whatever is asked."""

SPENT: Mapping[str, str] = MappingProxyType(
    {
        "returned_characters": "Characters that the top k returned places hold together, each of them whole.",
        "returned_tokens": "Tokens of the top k returned places, each counted on its own text, to compare with "
        "the reader's window; where tokens are counted.",
        "duplicates": "Share of the top k returned places that overlap another of them, from 0 to 1.",
    }
)
"""Name -> one sentence, of what each question costs at a k: "returned_characters@5"."""


def stored(chunks: Sequence[Chunks], dims: int, tokenizer: str = "") -> dict[str, float]:
    """COSTS of the chunks of all documents, their vectors having `dims` numbers; tokens with a tokenizer."""
    line = Line(chunks)
    shift = np.repeat(line.begins[:-1], [len(each) for each in chunks])[:, None]
    spans = np.concatenate([np.empty((0, 2), np.int32), *(each.spans for each in chunks)]) + shift
    starts, ends = spans[:, 0], spans[:, 1]
    kept = int((ends - starts).sum())
    # Starts and ends rise, within a document and from one to the next.
    once = int((ends - np.maximum(starts, np.concatenate(([0], ends[:-1])))).sum())
    found = {
        "chunks": len(spans),
        "characters": kept,
        "embedded": kept + sum(len(context) for each in chunks for context in each.contexts),
        "duplication": kept / once - 1 if once else 0.0,
        "index_bytes": len(spans) * dims * 4,
    }
    if tokenizer:
        found["tokens"] = sum(int(each.token_counts(tokenizer).sum()) for each in chunks)
    return found


def spent(
    chunks: Sequence[Chunks], ranked: np.ndarray, ks: Sequence[int], tokenizer: str = ""
) -> dict[str, np.ndarray]:
    """SPENT at each k, (q,) float64, by (q, n) chunks as ranked, no two of a row returning the same place.

    Tokens are counted with a tokenizer only.
    """
    line = Line(chunks)
    ranked = ranked[:, : max(ks)]
    starts, ends = line.starts[ranked], line.ends[ranked]
    counts = {"returned_characters": ends - starts}
    if tokenizer:
        counts["returned_tokens"] = _tokens(chunks, ranked, tokenizer)
    found = {
        f"{name}@{k}": each[:, :k].sum(axis=1, dtype=np.float64) for name, each in counts.items() for k in ks
    }
    return found | {f"duplicates@{k}": _duplicates(starts[:, :k], ends[:, :k]) for k in ks}


def _tokens(chunks: Sequence[Chunks], ranked: np.ndarray, tokenizer: str) -> np.ndarray:
    """(q, m) the tokens of what each ranked chunk returns."""
    begins = np.cumsum([0, *map(len, chunks)])
    counts, asked = np.zeros(begins[-1], dtype=np.int64), np.unique(ranked)
    for each, low, high in zip(chunks, begins[:-1], begins[1:], strict=True):
        some = asked[(asked >= low) & (asked < high)]
        if len(some):
            counts[some] = count_spans(each.document.text, each.returned[some - low], tokenizer)
    return counts[ranked]


def _duplicates(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """(q,) float64: the share of the places that overlap another one of their row."""
    order = np.argsort(starts, axis=1, kind="stable")
    starts, ends = np.take_along_axis(starts, order, axis=1), np.take_along_axis(ends, order, axis=1)
    # By their starts, a place overlaps one before it where that reaches over its start, and the next one
    # where it reaches over that one's start itself.
    before = starts[:, 1:] < np.maximum.accumulate(ends, axis=1)[:, :-1]
    after = ends[:, :-1] > starts[:, 1:]
    met = np.zeros(starts.shape, dtype=bool)
    met[:, 1:] |= before
    met[:, :-1] |= after
    return met.sum(axis=1) / max(1, starts.shape[1])
