"""The parts of a text as an embedder sees them: one vector each, and the distances between neighbours."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from chunklab.discovery import component
from chunklab.errors import ChunklabError, shown
from chunklab.params import TOKENIZERS
from chunklab.parts import Parts
from chunklab.tokens.counting import count_spans
from chunklab.types import Document

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    Rows = np.ndarray | csr_matrix

BATCH = 256
DIGITS = 6


class Vectors:
    """(n, d) vectors, one for each part, read as rows of length one; a row of zeros stays one.

    The cosine with a row of zeros is 0, also between two of them, so its distance is 1.
    """

    def __init__(self, rows: Rows):
        self.rows = rows
        self.lengths = np.ones(len(self))
        for low in range(0, len(self), BATCH):
            part = self._dense(low, low + BATCH)
            lengths = np.sqrt(np.einsum("nd,nd->n", part, part))
            self.lengths[low : low + BATCH] = np.where(lengths == 0, 1, lengths)

    def __len__(self) -> int:
        return self.rows.shape[0]

    def unit(self, low: int, high: int) -> np.ndarray:
        """(high - low, d) float64 rows of length one or zero."""
        return self._dense(low, high) / self.lengths[low:high, None]

    def neighbours(self) -> np.ndarray:
        """(n - 1,) distances between each row and the next."""
        found = np.zeros(max(0, len(self) - 1))
        for low in range(0, len(found), BATCH):
            part = self.unit(low, min(low + BATCH + 1, len(self)))
            found[low : low + BATCH] = distance(np.einsum("nd,nd->n", part[:-1], part[1:]))
        return found

    def _dense(self, low: int, high: int) -> np.ndarray:
        part = self.rows[low:high]
        return (part if isinstance(part, np.ndarray) else part.toarray()).astype(np.float64)


def distance(cosines: np.ndarray | float) -> np.ndarray:
    """1 - cosine, held to 0 to 2; rounded to what float32 holds, so that equal pairs are equally far."""
    return np.round(np.clip(1 - cosines, 0, 2), DIGITS)


def vectors(document: Document, parts: Parts, embedder: str, sides: int = 0) -> Vectors:
    """The vectors of the parts' windows by the embedder of that name; made once and kept with the document.

    Raises ChunklabError when the embedder returns another number of vectors than it was given texts, or a
    number that is not finite.
    """
    key = (embedder, parts.key, sides)
    rows = document.fact(("vectors", *key), lambda: _embedded(document, parts, embedder, sides))
    return document.fact(("checked vectors", *key), lambda: _checked(document, parts, embedder, rows))


def distances(document: Document, parts: Parts, embedder: str, sides: int = 0) -> np.ndarray:
    """(n - 1,) cosine distances, 0 to 2, of neighbouring parts' windows; kept with the document."""
    key = ("distances", embedder, parts.key, sides)
    return document.fact(key, lambda: vectors(document, parts, embedder, sides).neighbours())


def given(
    document: Document, rows: Sequence | np.ndarray, parts: Parts, embedder: str, sides: int = 0
) -> None:
    """Takes these (n, d) vectors for the parts in place of the embedder's; once, before the first cut."""
    key = ("vectors", embedder, parts.key, sides)
    document.fact(key, lambda: _rectangular(embedder, rows, np.float64))


def seconds(document: Document, parts: Parts, embedder: str, sides: int = 0) -> float | None:
    """How long the embedder took for these vectors; None when it was not asked for them."""
    return _seconds(document).get((embedder, parts.key, sides))


def truncated(document: Document, parts: Parts, name: str, sides: int = 0) -> str:
    """A notice when the embedder does not read all of every text it is given, "" otherwise."""
    embedder = component("embedders", name)()
    if embedder.limit is None:
        return ""
    windows = parts.windows(sides)
    if embedder.tokenizer in TOKENIZERS:
        counts = count_spans(document.text, windows, embedder.tokenizer)
    else:
        counts = np.array([len(embedder.tokens(document.text[a:b])[0]) for a, b in windows.tolist()])
    over = int(np.count_nonzero(counts + sum(embedder.added) > embedder.limit))
    what = f"{parts.name}s" + (" with those beside them" if sides else "")
    if not over:
        return ""
    return (
        f"{over} of {len(parts)} {what} are over the {embedder.limit} tokens that {name} reads: "
        "only their beginning is compared."
    )


def _seconds(document: Document) -> dict[Hashable, float]:
    return document.fact("embedding seconds", dict)


def _embedded(document: Document, parts: Parts, name: str, sides: int) -> Rows:
    """Kept sparse where most numbers are zeros: a document of 10 MB has 100,000 sentences."""
    from scipy.sparse import csr_matrix, vstack

    began, spans, blocks, dense = perf_counter(), parts.windows(sides), [], None
    embedder, text = component("embedders", name)(), document.text
    by_span = getattr(embedder, "embed_spans", None)
    for low in range(0, len(parts), BATCH):
        part = spans[low : low + BATCH]
        found = by_span(document, part) if by_span else embedder.embed([text[a:b] for a, b in part.tolist()])
        rows = _rectangular(name, found)
        _require_one_each(name, parts.name, len(part), rows)
        if not low and np.count_nonzero(rows) * 8 > rows.size:
            dense = np.empty((len(parts), rows.shape[1]), dtype=rows.dtype)
        if dense is None:
            blocks.append(csr_matrix(rows))
        else:
            dense[low : low + BATCH] = rows
    _seconds(document)[name, parts.key, sides] = perf_counter() - began
    if dense is not None:
        return dense
    return vstack(blocks, format="csr") if blocks else np.zeros((0, 1))


def _checked(document: Document, parts: Parts, name: str, rows: Rows) -> Vectors:
    _require_one_each(name, parts.name, len(parts), rows)
    for low in range(0, len(parts), BATCH):
        if np.isfinite(rows[low : low + BATCH].sum()):
            continue
        for at in range(low, min(low + BATCH, len(parts))):
            if not np.isfinite(rows[[at]].sum()):
                text = document.text[parts.starts[at] : parts.ends[at]]
                raise ChunklabError(
                    f"{name}: the embedding of {parts.name} {at + 1} of {len(parts)}, {shown(text)}, has a "
                    "number that is not finite, and nothing can be compared with it. Choose another embedder."
                )
    return Vectors(rows)


def _rectangular(name: str, rows: Sequence | np.ndarray, dtype: type | None = None) -> np.ndarray:
    try:
        return np.asarray(rows, dtype=dtype)
    except ValueError:
        raise ChunklabError(
            f"{name}: all embeddings must have one length, got several. Choose another embedder."
        ) from None


def _require_one_each(name: str, part: str, wanted: int, rows: Rows) -> None:
    got = rows.shape[0] if rows.ndim == 2 else f"an array of shape {rows.shape}"
    if got != wanted:
        raise ChunklabError(
            f"{name}: {wanted} {part}s need {wanted} embeddings, one each, got {got}. Choose another embedder."
        )
