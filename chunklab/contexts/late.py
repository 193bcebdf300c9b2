"""Late chunking: the model reads the document, and a chunk's vector is the mean of its own tokens'."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from chunklab.contexts.base import Context
from chunklab.errors import ChunklabError, ParamError
from chunklab.params import check_overlap, overlap_of, param
from chunklab.progress import tell
from chunklab.tokens.recent import Recent
from chunklab.types import Cuts, Document

if TYPE_CHECKING:
    from chunklab.chunking import Chunks
    from chunklab.embedders.base import Embedder

WINDOWS_AT_ONCE = 8
NUMBERS_KEPT = 40_000_000
Piece = tuple[int, np.ndarray]
"""The number of the first token, counted in the document, and a row for each token from there."""
_kept: Recent[tuple[Piece, ...]] = Recent(NUMBERS_KEPT)


@dataclass(frozen=True)
class Late(Context):
    """Each token's vector is made in sight of the document around it; a chunk gets their mean, scaled to length one.

    Günther et al. 2024, "Late Chunking". A document over the model's limit is read in windows that
    overlap, and a token in two windows keeps the vector of the first (their algorithm 2). A token
    belongs to the chunks in which it starts; a chunk in which none starts gets the token that covers
    it. Special tokens belong to no chunk, or with special=outer to the first and the last one. A chunk
    with all tokens of a document that fits one window gets its ordinary embedding.
    """

    label = "Late: read with the whole document"
    assumes = "What a chunk speaks of is named elsewhere in the document, within a window of its text."
    fails = (
        "Neighbouring chunks become alike, and it is another embedder: results differ from the plain model's."
    )
    makes_vectors: ClassVar[bool] = True

    window: int = param(0, low=0, high=100_000, step=16, slider=(0, 512), detail=True,
                        help="Tokens read at once; 0 is as many as the model reads.")  # fmt: skip
    overlap: int | str = param("25%", kind="overlap", low=0, high=100_000, step=8, slider=(0, 256), detail=True,
                               help="How many tokens of a window the next one reads again.")  # fmt: skip
    special: str = param("none", choices=("none", "outer"), detail=True,
                         help="The model's start and end tokens count in no chunk, or in the first and last.")  # fmt: skip

    def check(self) -> None:
        if self.window:
            check_overlap(self, "window")

    def contexts(self, document: Document, cuts: Cuts) -> tuple[str, ...]:
        return ()

    def vectors(self, chunks: Chunks, embedder: Embedder) -> np.ndarray:
        """(n, d) float32 rows of length one. ChunklabError for an embedder without token vectors."""
        means = self.means(chunks, embedder)
        lengths = np.sqrt(np.einsum("nd,nd->n", means, means))
        out = (means / np.where(lengths == 0, 1, lengths)[:, None]).astype(np.float32)
        ids, starts, ends = _tokens(chunks.document, embedder)
        if len(self.windows(chunks.document, embedder)) == 1:
            ranges = token_ranges(chunks.spans, starts, ends)
            whole = (ranges[:, 0] == 0) & (ranges[:, 1] == len(ids))
            for row in np.flatnonzero(whole).tolist():
                out[row] = embedder.embed([embedder.passage_prefix + chunks.texts[row]])[0]
        return out

    def means(self, chunks: Chunks, embedder: Embedder) -> np.ndarray:
        """(n, d) float64: the mean of each chunk's token vectors, zeros where it has none."""
        document = chunks.document
        windows = self.windows(document, embedder)
        ids, starts, ends = _tokens(document, embedder)
        ranges = token_ranges(chunks.spans, starts, ends)
        before, after = embedder.added
        if self.special == "outer" and len(ids) and len(ranges):
            ranges[0, 0] -= before
            ranges[-1, 1] += after
        dims = embedder.embed([""]).shape[1]
        pieces = _pieces(embedder, ids, windows)
        if len(ids) * dims <= NUMBERS_KEPT:
            key = self._key(document, embedder)
            pieces = _kept.get(key, len(ids) * dims, lambda made=pieces: tuple(made))
        return _pooled(ranges, pieces, dims)

    def at_hand(self, chunks: Chunks, embedder: Embedder) -> bool:
        return self._key(chunks.document, embedder) in _kept

    def _key(self, document: Document, embedder: Embedder) -> Hashable:
        return document.digest, embedder.fingerprint, tuple(self.windows(document, embedder))

    def windows(self, document: Document, embedder: Embedder) -> list[tuple[int, int]]:
        """The token ranges read together, half-open, each one's start inside the one before."""
        if not hasattr(embedder, "token_vectors"):
            raise ChunklabError(
                f"late() needs an embedder with token vectors, such as minilm, got {embedder}. "
                "Choose minilm, or embed as something else."
            )
        count = len(_tokens(document, embedder)[0])
        room = _room(embedder) or max(count, 1)
        size = min(self.window or room, room)
        overlap = overlap_of(self.overlap, size)
        if overlap >= size:
            raise ParamError(
                "late", "overlap", f"below the window of {size} tokens", overlap, f"Use at most {size - 1}."
            )
        last = max(0, -(-(count - size) // (size - overlap)))
        return [(at, min(count, at + size)) for at in range(0, (last + 1) * (size - overlap), size - overlap)]

    def notices(self, chunks: Chunks, embedder: Embedder) -> tuple[str, ...]:
        windows = self.windows(chunks.document, embedder)
        if len(windows) < 2:
            return ()
        size = windows[0][1]
        over = "the model limit" if size == _room(embedder) else "the window"
        return (
            f"late(): the document has {windows[-1][1]} tokens, more than {over} of {size + sum(embedder.added)} "
            f"with special tokens: it is read in {len(windows)} windows of {size} that overlap by "
            f"{windows[0][1] - windows[1][0]}, and no token sees beyond its own.",
        )


def token_ranges(spans: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """(n, 2) the tokens of each span, half-open, by where they start; the covering one where none does.

    Empty where no token is in the span at all. Spans that share text share tokens.
    """
    first, last = np.searchsorted(starts, spans[:, 0]), np.searchsorted(starts, spans[:, 1])
    bare = first == last
    if len(ends):
        first[bare & (first > 0) & (ends[np.maximum(first, 1) - 1] > spans[:, 0])] -= 1
    return np.stack([first, last], axis=1)


def _tokens(document: Document, embedder: Embedder) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return document.fact(("model tokens", embedder.fingerprint), lambda: embedder.tokens(document.text))


def _room(embedder: Embedder) -> int:
    """How many of a document's tokens the model reads at once, 0 for no limit."""
    if embedder.limit is None:
        return 0
    prefix = len(embedder.tokens(embedder.passage_prefix)[0]) if embedder.passage_prefix else 0
    return max(1, embedder.limit - sum(embedder.added) - prefix)


def _pieces(embedder: Embedder, ids: np.ndarray, windows: list[tuple[int, int]]) -> Iterator[Piece]:
    """The token vectors in order, each token once; special tokens at -before and from len(ids) on."""
    before, _ = embedder.added
    seen = -before
    for low in range(0, len(windows) if len(ids) else 0, WINDOWS_AT_ONCE):
        group = windows[low : low + WINDOWS_AT_ONCE]
        tell("tokens read", group[0][0], len(ids))
        for (start, end), rows in zip(
            group, embedder.token_vectors([ids[a:b] for a, b in group]), strict=True
        ):
            shift = start - before
            last = len(rows) if end == len(ids) else end - shift
            yield seen, np.asarray(rows)[seen - shift : last]
            seen = end
    tell("tokens read", len(ids), len(ids))


def _pooled(ranges: np.ndarray, pieces: Iterable[Piece], dims: int) -> np.ndarray:
    """(n, dims) float64 means; both columns of the ranges must rise."""
    first, last = ranges[:, 0], ranges[:, 1]
    sums = np.zeros((len(ranges), dims))
    for at, rows in pieces:
        low, high = np.searchsorted(last, at, side="right"), np.searchsorted(first, at + len(rows))
        for row in range(int(low), int(high)):
            part = rows[max(0, first[row] - at) : max(0, last[row] - at)]
            sums[row] += part.sum(axis=0, dtype=np.float64)
    return sums / np.maximum(last - first, 1)[:, None]
