"""What every embedder offers: unit vectors of texts, and the cosine between queries and chunks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from chunklab.limits import POLICIES, fitting, refuse
from chunklab.one_thread import product
from chunklab.params import Component, param
from chunklab.progress import EMBEDDED, part_of, told_as
from chunklab.vector_check import checked

if TYPE_CHECKING:
    from chunklab.chunking import Chunks

ROWS = 4096
"""So many vectors are held as float64 at once."""
Similarities = Callable[..., np.ndarray]


def _context_first(own: Similarities) -> Similarities:
    """The same method, but a context that makes the vectors itself is asked before it."""

    @wraps(own)
    def similarities(self: Embedder, queries: Sequence[str], chunks: Chunks) -> np.ndarray:
        made = own_vectors(chunks, self)
        if made is None:
            return own(self, queries, chunks)
        scores = np.zeros((len(queries), len(made)))
        asked = self.embed_queries(queries) if scores.size else None
        for low in range(0, len(made) if scores.size else 0, ROWS):
            scores[:, low : low + ROWS] = _cosines(self, asked, made[low : low + ROWS])
        return scores

    return similarities


def _vectors_checked(own: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    """The same method, held to one vector of finite numbers for each text."""

    @wraps(own)
    def embed(self: Embedder, texts: Sequence[str]) -> np.ndarray:
        return checked(str(self), own(self, texts), len(texts))

    return embed


class Embedder(Component):
    """Turns texts into vectors.

    An `additive` one sums what it knows of a document, so that new cuts of it cost next to nothing.
    `limit` is the most tokens it reads of one text, special tokens included, None for no limit;
    `tokenizer` names whose tokens these are. `over` is what happens to a longer chunk (see `limits`).
    The prefixes are put before a question or a chunk, as some models were trained. An embedder with
    `token_vectors` serves late().
    """

    family: ClassVar[str] = "embedders"
    additive: ClassVar[bool] = False
    limit: ClassVar[int | None] = None
    tokenizer: ClassVar[str] = ""
    over: ClassVar[str] = "truncate"
    query_prefix: ClassVar[str] = ""
    passage_prefix: ClassVar[str] = ""

    def __init_subclass__(cls, **settings: Any) -> None:
        """Holds all embedders to one check, and their short cuts to the contexts that make vectors themselves."""
        super().__init_subclass__(**settings)
        if "embed" in vars(cls):
            cls.embed = _vectors_checked(cls.embed)
        if "similarities" in vars(cls):
            cls.similarities = _context_first(cls.similarities)

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """(n, d) float32 rows of length one; a text without words gets a row of zeros."""

    @property
    def fingerprint(self) -> str:
        """Names the vectors: equal fingerprints give equal vectors, whatever machine made them."""
        return str(self)

    def at_hand(self, chunks: Chunks) -> bool:
        """True when no model has to run for the vectors of the chunks' texts."""
        return self.additive

    @property
    def added(self) -> tuple[int, int]:
        """How many special tokens the model puts before and after every text."""
        return 0, 0

    def tokens(self, text: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(ids, starts, ends) int32: the model's own tokens of a text, half-open code points, no limit.

        Asked for only where there are `token_vectors`, or a limit and no `tokenizer`.
        """
        raise NotImplementedError

    def embed_queries(self, queries: Sequence[str]) -> np.ndarray:
        """(q, d) float64 vectors of questions, kept for the questions asked last."""
        with told_as("questions embedded", EMBEDDED):
            return _vectors(self, tuple(prefixed(self.query_prefix, queries)))

    @_context_first
    def similarities(self, queries: Sequence[str], chunks: Chunks) -> np.ndarray:
        """(q, n) float64 cosine of each query with each chunk as it is embedded: its context, then its text.

        0 where either has no words, never NaN. Equal texts get equal numbers, bit by bit: each
        different text is embedded once. With over=resplit a chunk over the limit is as near as the
        nearest of its parts; with over=refuse it raises ChunklabError.
        """
        texts = embedded_texts(chunks)
        place = {text: at for at, text in enumerate(dict.fromkeys(texts))}
        if not place or not queries:
            return np.zeros((len(queries), len(texts)))
        if self.limit is not None and self.over == "refuse":
            refuse(chunks, self)
        asked, different = self.embed_queries(queries), list(place)
        scores = np.empty((len(queries), len(different)))
        for low in range(0, len(different), ROWS):
            block = different[low : low + ROWS]
            with part_of(EMBEDDED, len(different), low, len(block)):
                scores[:, low : low + ROWS] = self._nearest_part(asked, block)
        return scores if len(different) == len(texts) else scores[:, [place[text] for text in texts]]

    def _nearest_part(self, asked: np.ndarray, texts: Sequence[str]) -> np.ndarray:
        """(q, n) float64: the largest cosine of each query with a part of each text; there is one if it fits."""
        parts = [[text] for text in texts]
        if self.limit is not None and self.over == "resplit":
            parts = [fitting(text, self) for text in texts]
        passages = prefixed(self.passage_prefix, [part for each in parts for part in each])
        found = _cosines(self, asked, self.embed(passages))
        if len(passages) > len(parts):
            found = np.maximum.reduceat(found, np.cumsum([0, *map(len, parts[:-1])]), axis=1)
        return found

    def chunk_vectors(self, chunks: Chunks) -> Iterator[np.ndarray]:
        """Blocks of (m, d) float32, one row a chunk, in order: what `similarities` compares a question with.

        A chunk over the limit is read up to it, or refused, whatever `over` says of parts.
        """
        made = own_vectors(chunks, self)
        if made is not None:
            yield made
            return
        if self.limit is not None and self.over == "refuse":
            refuse(chunks, self)
        texts = prefixed(self.passage_prefix, embedded_texts(chunks))
        for low in range(0, len(texts), ROWS):
            block = texts[low : low + ROWS]
            with part_of(EMBEDDED, len(texts), low, len(block)):
                yield self.embed(block)


def over_param() -> Any:
    """The field for what happens to a chunk over the limit."""
    return param("truncate", choices=POLICIES, detail=True,
                 help="A chunk over the limit: embed its beginning, refuse it, or embed it in parts.")  # fmt: skip


def prefix_param(what: str) -> Any:
    """The field for a text put before every question or every chunk."""
    return param("", detail=True, help=f"Put before every {what}, for models that were trained so.")


def prefixed(prefix: str, texts: Sequence[str]) -> list[str]:
    """The texts with the prefix before each; a blank text stays as it is."""
    return [prefix + text if text.strip() else text for text in texts] if prefix else list(texts)


def embedded_texts(chunks: Chunks) -> list[str]:
    """What the vector of each chunk is made from, the model's prefix aside."""
    text = chunks.document.text
    own = [text[start:end] for start, end in chunks.spans.tolist()]
    contexts = chunks.contexts
    return [context + each for context, each in zip(contexts, own, strict=True)] if contexts else own


def own_vectors(chunks: Chunks, embedder: Embedder) -> np.ndarray | None:
    """(n, d) float32 where the recipe's context makes the vectors, as late() does; None for all others."""
    recipe = getattr(chunks, "recipe", None)
    made = recipe.embed_as.vectors(chunks, embedder) if recipe is not None else None
    return None if made is None else checked(str(embedder), made, len(chunks))


def _cosines(embedder: Embedder, asked: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(q, n) float64 products of the questions' vectors with these; ChunklabError when the widths differ."""
    return product(asked, checked(str(embedder), rows, len(rows), asked.shape[1]).astype(np.float64))


@lru_cache(maxsize=8)
def _vectors(embedder: Embedder, queries: tuple[str, ...]) -> np.ndarray:
    return embedder.embed(queries).astype(np.float64)
