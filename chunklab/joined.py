"""Short documents behind one another as one text: what costs the same for each is paid once for all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chunklab.tokens.recent import Recent
from chunklab.types import Document

if TYPE_CHECKING:
    from chunklab.chunking import Chunks

LONGEST = 1 << 18
"""Documents are put together up to so many characters; in longer ones what is paid for each is little."""
CHARACTERS_KEPT = 1 << 24
_documents: Recent[Document] = Recent(CHARACTERS_KEPT)


@dataclass(frozen=True, eq=False)
class Joined:
    """The chunks of several documents as those of one, in their order: `spans` and `contexts` as in Chunks.

    A line end lies between two documents, and no word, pair of words or token runs over it.
    """

    document: Document
    spans: np.ndarray
    contexts: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.spans)


def joined(chunks_of_documents: Sequence[Chunks]) -> Iterator[Chunks | Joined]:
    """The chunks of all documents in their order, those of neighbouring short documents together."""
    run: list[Chunks] = []
    length = 0
    for each in chunks_of_documents:
        length += len(each.document.text) + 1
        if run and length > LONGEST:
            yield _one(run)
            run, length = [], len(each.document.text) + 1
        run.append(each)
    if run:
        yield _one(run)


def _one(run: Sequence[Chunks]) -> Chunks | Joined:
    if len(run) == 1:
        return run[0]
    texts = [each.document.text for each in run]
    key = tuple(each.document.digest for each in run)
    document = _documents.get(key, sum(map(len, texts)), lambda: Document("", "\n".join(texts)))
    begins = np.cumsum([0, *(len(text) + 1 for text in texts[:-1])], dtype=np.int32)
    spans = np.concatenate([each.spans for each in run]) + np.repeat(begins, list(map(len, run)))[:, None]
    contexts: tuple[str, ...] = ()
    if any(each.contexts for each in run):
        contexts = tuple(text for each in run for text in each.contexts or ("",) * len(each))
    return Joined(document, spans, contexts)
