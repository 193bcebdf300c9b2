"""One fixed vector a word piece, distilled from all-MiniLM-L6-v2: no model to run, and any cut for free."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from chunklab.embedders.base import Embedder
from chunklab.errors import ChunklabError
from chunklab.one_thread import product
from chunklab.tokens.pieces import Pieces, entries
from chunklab.tokens.recent import Recent
from chunklab.tokens.sums import STRIDE, RunSums, totals
from chunklab.types import Document

if TYPE_CHECKING:
    from chunklab.chunking import Chunks

TABLE = "minilm-static-256.npz"
SHA256 = "1ce977f413e96bc2f7f7f76e3bc2afab5455cc6f1b7d63bad668f19c0201d5c9"
DIMS = 256
STEPS = 1 << 24
ROWS = 4096
_sums_of: Recent[RunSums] = Recent(1 << 25)
"""By document, 256 MB of them: a chunk then costs the same, whatever its length."""


@dataclass(frozen=True)
class Static(Embedder):
    """The weighted mean of one vector a word piece, scaled to length one: 256 numbers, no neural network.

    The vectors were made once by sending each word piece through all-MiniLM-L6-v2 alone (model2vec, Tulkens
    and van Dongen 2024). They are whole numbers, so every sum is exact in any order, and a chunk's vector is
    the same whether it is summed from the document's word pieces or from the chunk's own text.
    """

    additive: ClassVar[bool] = True
    label: ClassVar[str] = "static words"
    assumes: ClassVar[str] = "English text, in which the words themselves say what it is about."
    fails: ClassVar[str] = (
        "Word order and negation count for nothing, and a word with two senses has the mean of both."
    )
    tokenizer: ClassVar[str] = "minilm"

    @property
    def fingerprint(self) -> str:
        return f"{self} {SHA256[:12]}"

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """(n, 256) float32 rows of length one, each number a multiple of 2**-24."""
        parts = [_unit(_of_texts(texts[low : low + ROWS])) for low in range(0, len(texts), ROWS)]
        return np.concatenate([np.zeros((0, DIMS)), *parts]).astype(np.float32)

    def embed_spans(self, document: Document, spans: np.ndarray, contexts: Sequence[str] = ()) -> np.ndarray:
        """(n, 256) float32: as `embed` of each span's text, the document's tokens found once."""
        return self._rows(document, spans, contexts).astype(np.float32)

    def similarities(self, queries: Sequence[str], chunks: Chunks) -> np.ndarray:
        """See `Embedder`; the document is tokenised on the first call and only sliced after that.

        Products of multiples of 2**-24 and their sums are exact, so equal texts get equal bits.
        """
        scores = np.zeros((len(queries), len(chunks)))
        if not scores.size:
            return scores
        asked = self.embed_queries(queries)
        for low in range(0, len(chunks), ROWS):
            part = slice(low, low + ROWS)
            rows = self._rows(chunks.document, chunks.spans[part], chunks.contexts[part])
            scores[:, part] = product(asked, rows)
        return scores

    def _rows(self, document: Document, spans: np.ndarray, contexts: Sequence[str]) -> np.ndarray:
        """(n, 256) float64 multiples of 2**-24, as they are in float32 too."""
        pieces = document.fact("word pieces", lambda: Pieces(document.text))
        weight = len(pieces.ids) * DIMS // STRIDE
        sums = _sums_of.get(document.digest, weight, lambda: RunSums(pieces.ids, _sums, DIMS))
        low, high, of, fragments = pieces.cut(spans, contexts)
        rows, ids, signs = sums.entries(low, high)
        fragment_rows, fragment_ids = entries(fragments)
        rows = np.concatenate([rows, np.array(of, dtype=np.intp)[fragment_rows]])
        ids = np.concatenate([ids, fragment_ids])
        signs = np.concatenate([signs, np.ones(len(fragment_ids))])
        found = sums.kept(low, high)
        found += _sums(len(spans), rows, ids, signs)
        return _unit(found)


def _of_texts(texts: Sequence[str]) -> np.ndarray:
    rows, ids = entries(texts)
    return _sums(len(texts), rows, ids, np.ones(len(ids)))


def _sums(n: int, rows: np.ndarray, ids: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """(n, 256) float64: the sum of the vectors of each row's word pieces, times their signs, exact."""
    return totals(n, rows, ids, signs, _vectors(ids))


def _vectors(ids: np.ndarray) -> np.ndarray:
    """(m, 256) float64, one row for each of the model's ids: those of `ids` are right, others may still be zeros."""
    (table, scales), (vectors, unpacked) = _table(), _unpacked()
    if not unpacked[ids].all():
        new = np.unique(ids[~unpacked[ids]])
        vectors[new] = table[new] * scales[new, None]
        unpacked[new] = True
    return vectors


@lru_cache(maxsize=1)
def _unpacked() -> tuple[np.ndarray, np.ndarray]:
    """Room for all vectors, of which memory is used as far as it is written, and which rows have been."""
    count = len(_table()[0])
    return np.zeros((count, DIMS)), np.zeros(count, dtype=bool)


def _unit(sums: np.ndarray) -> np.ndarray:
    """The rows, made of length one in place and rounded to steps of 2**-24; zeros stay zeros."""
    lengths = np.sqrt(np.einsum("nd,nd->n", sums, sums))
    # In place, as new memory for so many numbers costs more than the arithmetic; STEPS is a power of two and rounds nothing.
    sums /= np.where(lengths == 0, 1, lengths / STEPS)[:, None]
    np.rint(sums, out=sums)
    sums *= 1 / STEPS
    return sums


@lru_cache(maxsize=1)
def _table() -> tuple[np.ndarray, np.ndarray]:
    """(int8 rows, float64 scales), one row for each of the model's ids; a piece without a vector has zeros."""
    content = files("chunklab.embedders").joinpath("data", TABLE).read_bytes()
    if hashlib.sha256(content).hexdigest() != SHA256:
        raise ChunklabError(
            f"static: the checksum of {TABLE} is wrong, the file is damaged. Get chunklab again."
        )
    with np.load(io.BytesIO(content), allow_pickle=False) as stored:
        ids, rows, scales = stored["ids"].astype(np.intp), stored["rows"], stored["scales"]
    size = int(ids[-1]) + 1
    table, weights = np.zeros((size, DIMS), dtype=np.int8), np.zeros(size)
    table[ids], weights[ids] = rows, scales
    return table, weights
