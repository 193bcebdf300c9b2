"""Which chunks return an answer, what they cut off, and what the model read of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from chunklab.chunking import Chunks
from chunklab.embedders.base import Embedder
from chunklab.limits import unembedded
from chunklab.types import Evidence


class Held:
    """The chunks of a corpus, numbered over all its documents, as holders of evidence.

    `unit` is what one thing that is returned is called.
    """

    def __init__(self, chunks: Sequence[Chunks]):
        self.chunks = {each.document.id: each for each in chunks}
        self.first = dict(zip(self.chunks, np.cumsum([0, *map(len, chunks)]).tolist(), strict=False))
        self.unit = "chunk" if all(each.returned is each.spans for each in chunks) else "returned place"
        self._stops: dict[tuple[str, Embedder], np.ndarray] = {}

    @cached_property
    def places(self) -> int:
        """How many different places can be returned."""
        return sum(len(np.unique(each.returned, axis=0)) for each in self.chunks.values())

    def whole(self, part: Evidence) -> frozenset[int]:
        """The chunks that return one of the part's places whole."""
        return self._numbers(part, _holding)

    def touching(self, part: Evidence) -> frozenset[int]:
        """The chunks that return something of one of the part's places."""
        return self._numbers(part, lambda chunks, place: _overlapping(chunks.returned, place))

    def edge(self, part: Evidence) -> int | None:
        """The edge through the part of the returned place that has most of it; None when none has any."""
        most, edge = 0, None
        for each in part.places:
            starts, ends = self.chunks[each.document_id].returned.T
            kept = np.minimum(ends, each.span.end) - np.maximum(starts, each.span.start)
            if kept.max(initial=0) > most:
                at = int(kept.argmax())
                most, edge = int(kept[at]), int(ends[at] if ends[at] < each.span.end else starts[at])
        return edge

    def unread(self, part: Evidence, embedder: Embedder) -> tuple[str, int] | None:
        """(document id, index in it) of a chunk of which the model did not read most of the part.

        Asked of the chunks that have some of a place and return it whole. None as soon as half of one place
        is read in these, and for an embedder that reads all.
        """
        if embedder.limit is None or embedder.over != "truncate":
            return None
        found = []
        for each in part.places:
            chunks, low, high = self.chunks[each.document_id], each.span.start, each.span.end
            own = np.flatnonzero(_holding(chunks, each) & _overlapping(chunks.spans, each)).tolist()
            had, read = np.zeros((2, high - low), dtype=bool)
            for at in own:
                start, end = np.clip(chunks.spans[at] - low, 0, high - low).tolist()
                stop = int(self._read(chunks, embedder)[at])
                had[start:end] = True
                read[start : end if stop < 0 else max(start, stop - low)] = True
            if own and 2 * int((had & ~read).sum()) <= high - low:
                return None
            found += [(each.document_id, own[0])] if own else []
        return found[0] if found else None

    def _read(self, chunks: Chunks, embedder: Embedder) -> np.ndarray:
        """(n,) where the model stops reading each chunk, -1 where it does not; found once a document."""
        key = chunks.document.id, embedder
        if key not in self._stops:
            self._stops[key] = unembedded(chunks, embedder)
        return self._stops[key]

    def _numbers(self, part: Evidence, which: Callable[[Chunks, Evidence], np.ndarray]) -> frozenset[int]:
        found = ((which(self.chunks[each.document_id], each), each.document_id) for each in part.places)
        return frozenset(
            at + self.first[name] for rows, name in found for at in np.flatnonzero(rows).tolist()
        )


def fewest(holders: Sequence[frozenset[int]]) -> int:
    """How few returned places hold every part, given the chunks that return each part whole; each part has some.

    The least set cover, by integer programming (HiGHS, through scipy).
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    held: dict[int, list[int]] = {}
    for part, chunks in enumerate(holders):
        for each in chunks:
            held.setdefault(each, []).append(part)
    columns = sorted(set(map(tuple, held.values())))
    holds = np.zeros((len(holders), len(columns)))
    for at, parts in enumerate(columns):
        holds[list(parts), at] = 1
    cost = np.ones(len(columns))
    found = milp(cost, integrality=cost, bounds=Bounds(0, 1), constraints=LinearConstraint(holds, lb=1))
    return round(found.fun)


def _holding(chunks: Chunks, place: Evidence) -> np.ndarray:
    starts, ends = chunks.returned.T
    return (starts <= place.span.start) & (ends >= place.span.end)


def _overlapping(spans: np.ndarray, place: Evidence) -> np.ndarray:
    return (spans[:, 0] < place.span.end) & (spans[:, 1] > place.span.start)
