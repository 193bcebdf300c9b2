"""The word pieces of texts as all-MiniLM-L6-v2 numbers them, and what a cut leaves of a document's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from chunklab.tokens import tokenizer
from chunklab.tokens.base import plain

READ_AT_ONCE = 1 << 19
Entries = tuple[np.ndarray, np.ndarray]


@dataclass
class Work:
    """How much was tokenised since the process began; tests read it to see that nothing is done twice.

    `characters` of documents; `fragments`: characters of words cut by a chunk's edge, contexts and texts.
    """

    characters: int = 0
    fragments: int = 0


WORK = Work()


class Pieces:
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


def entries(texts: Sequence[str]) -> Entries:
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
