"""One fixed vector a word piece, distilled from all-MiniLM-L6-v2: no model to run, and any cut for free."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from chunklab.embedders.base import Embedder
from chunklab.errors import ChunklabError
from chunklab.tokens import tokenizer
from chunklab.tokens.base import plain
from chunklab.tokens.recent import Recent
from chunklab.tokens.sums import STRIDE, RunSums, sparse
from chunklab.types import Document

if TYPE_CHECKING:
    from chunklab.chunking import Chunks

TABLE = "minilm-static-256.npz"
SHA256 = "1ce977f413e96bc2f7f7f76e3bc2afab5455cc6f1b7d63bad668f19c0201d5c9"
DIMS = 256
STEPS = 1 << 24
ROWS = 4096
READ_AT_ONCE = 1 << 19
FEW = 4096
"""Sorting so few numbers is quicker than looking through the whole table."""
Entries = tuple[np.ndarray, np.ndarray]
_sums_of: Recent[RunSums] = Recent(1 << 25)
"""By document, 256 MB of them: a chunk then costs the same, whatever its length."""


@dataclass
class Work:
    """How much was tokenised since the process began; tests read it to see that nothing is done twice.

    `characters` of documents; `fragments`: characters of words cut by a chunk's edge, contexts and texts.
    """

    characters: int = 0
    fragments: int = 0


WORK = Work()


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
            scores[:, part] = asked @ self._rows(chunks.document, chunks.spans[part], chunks.contexts[part]).T
        return scores

    def _rows(self, document: Document, spans: np.ndarray, contexts: Sequence[str]) -> np.ndarray:
        """(n, 256) float64 multiples of 2**-24, as they are in float32 too."""
        pieces = document.fact("word pieces", lambda: _Pieces(document.text))
        weight = len(pieces.ids) * DIMS // STRIDE
        sums = _sums_of.get(document.digest, weight, lambda: RunSums(pieces.ids, _sums, DIMS))
        low, high, of, fragments = pieces.cut(spans, contexts)
        rows, ids, signs = sums.entries(low, high)
        fragment_rows, fragment_ids = _entries(fragments)
        rows = np.concatenate([rows, np.array(of, dtype=np.intp)[fragment_rows]])
        ids = np.concatenate([ids, fragment_ids])
        signs = np.concatenate([signs, np.ones(len(fragment_ids))])
        return _unit(sums.kept(low, high) + _sums(len(spans), rows, ids, signs))


class _Pieces:
    """The word pieces of one text, and where a cut leaves those on both sides as they are."""

    def __init__(self, text: str):
        self.text = text
        self.edges = tokenizer("minilm").edges(text)
        # In blocks that end at an edge: the tokeniser needs many times the memory of its input.
        at, blocks, starts = 0, [], []
        while at < len(text):
            # Without an edge after that, this is the text's end, which is always one.
            end = int(self.edges[min(np.searchsorted(self.edges, at + READ_AT_ONCE), len(self.edges) - 1)])
            ids, found = _read(text[at:end])
            blocks.append(ids)
            starts.append(found + np.int32(at))
            at = end
        WORK.characters += len(text)
        self.ids = np.concatenate(blocks or [np.zeros(0, np.int32)])
        places = np.concatenate(starts or [np.zeros(0, np.int32)])
        self.before = np.searchsorted(places, self.edges).astype(np.int32)

    def cut(
        self, spans: np.ndarray, contexts: Sequence[str] = ()
    ) -> tuple[np.ndarray, np.ndarray, list[int], list[str]]:
        """(low, high, rows, texts): each chunk is the pieces from low to high and the texts of its rows.

        These are the parts of words at its edges, and its context.
        """
        starts, ends = spans[:, 0], spans[:, 1]
        # A context may run on into the chunk's first word, up to an edge that is inside the chunk.
        first = np.searchsorted(self.edges, starts, side="right" if contexts else "left")
        last = np.searchsorted(self.edges, ends, side="right") - 1
        middle = first <= last
        first, last = np.where(middle, first, 0), np.where(middle, last, 0)
        heads = np.where(middle, self.edges[first], ends)
        tails = np.where(middle, self.edges[last], ends)
        text, rows, cut = self.text, [], []
        for lows, highs, put in ((starts, heads, contexts), (tails, ends, ())):
            some = range(len(spans)) if put else np.flatnonzero(lows < highs).tolist()
            a, b = lows.tolist(), highs.tolist()
            rows += some
            cut += [(put[row] if put else "") + text[a[row] : b[row]] for row in some]
        return self.before[first], self.before[last], rows, cut


def _of_texts(texts: Sequence[str]) -> np.ndarray:
    rows, ids = _entries(texts)
    return _sums(len(texts), rows, ids, np.ones(len(ids)))


def _entries(texts: Sequence[str]) -> Entries:
    """(rows, ids): one entry for each word piece of each text; equal texts are tokenised once."""
    number = {text: at for at, text in enumerate(dict.fromkeys(texts))}
    parts = list(number)
    WORK.fragments += sum(map(len, parts))
    # One call for all: a blank between two texts keeps their word pieces apart.
    ids, starts = _read(" ".join(parts))
    ends = np.cumsum([len(part) + 1 for part in parts], dtype=np.int64)
    bounds = np.concatenate(([0], np.searchsorted(starts, ends)))
    of = np.array([number[text] for text in texts], dtype=np.int64)
    counts = (bounds[1:] - bounds[:-1])[of]
    rows = np.repeat(np.arange(len(texts), dtype=np.int32), counts)
    shift = np.repeat(bounds[of] - np.cumsum(counts) + counts, counts)
    return rows, ids[shift + np.arange(len(rows))]


def _read(text: str) -> tuple[np.ndarray, np.ndarray]:
    """(ids, starts): int32, the model's number of each word piece and where it begins."""
    found = tokenizer("minilm")._tokenizer.encode(plain(text), add_special_tokens=False)
    starts = np.fromiter(chain.from_iterable(found.offsets), dtype=np.int32, count=2 * len(found.ids))[::2]
    return np.array(found.ids, dtype=np.int32), starts


def _sums(n: int, rows: np.ndarray, ids: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """(n, 256) float64: the sum of the vectors of each row's word pieces, times their signs, exact."""
    table, scales = _table()
    if len(ids) < FEW:
        used, column = np.unique(ids, return_inverse=True)
    else:
        known = np.zeros(len(table), dtype=bool)
        known[ids] = True
        used, column = np.flatnonzero(known), (np.cumsum(known, dtype=np.int32) - 1)[ids]
    vectors = table[used] * scales[used, None]
    return sparse(n, len(vectors), rows, column, signs) @ vectors


def _unit(sums: np.ndarray) -> np.ndarray:
    """Rows of length one, rounded to steps of 2**-24; zeros stay zeros."""
    lengths = np.sqrt(np.einsum("nd,nd->n", sums, sums))
    return np.rint(sums / np.where(lengths == 0, 1, lengths)[:, None] * STEPS) / STEPS


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
