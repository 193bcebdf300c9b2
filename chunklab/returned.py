"""Hits as what the reader gets: each returned place once, in rank order, and one text for the prompt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from chunklab.intervals import Place
from chunklab.retrievers.base import Ranking, Retriever

if TYPE_CHECKING:
    from chunklab.chunking import Chunks
    from chunklab.embedders.base import Embedder


def rank_returned(
    retriever: Retriever,
    embedder: Embedder,
    queries: Sequence[str],
    chunks_of_documents: Sequence[Chunks],
    k: int,
) -> Ranking:
    """The k best returned places of each query, each named by the best chunk that returns it.

    Where every chunk returns another place this is the retriever's own ranking. Otherwise so many
    chunks are ranked that there are k places whichever they are, all of them where there are fewer.
    """
    places = place_numbers(chunks_of_documents)
    if places is None:
        return retriever.rank(embedder, queries, chunks_of_documents, k)
    return distinct(
        retriever.rank(embedder, queries, chunks_of_documents, chunks_needed(places, k)), places, k
    )


def place_numbers(chunks_of_documents: Sequence[Chunks]) -> np.ndarray | None:
    """(n,) the number of the place that each chunk of the corpus returns; None when all are different."""
    if all(each.returned is each.spans for each in chunks_of_documents):
        return None
    rows, shift = [], 0
    for each in chunks_of_documents:
        if len(each):
            keys = each.returned[:, 0].astype(np.int64) << 32 | each.returned[:, 1]
            found = np.unique(keys, return_inverse=True)[1]
            rows.append(found + shift)
            shift += int(found.max()) + 1
    places = np.concatenate(rows) if rows else np.zeros(0, dtype=np.int64)
    return None if shift == len(places) else places


def chunks_needed(places: np.ndarray, k: int) -> int:
    """How many chunks hold k different places at the worst: those of the k - 1 places that most share."""
    sizes = np.sort(np.bincount(places))[::-1]
    return int(min(len(places), sizes[: k - 1].sum() + 1))


def distinct(ranking: Ranking, places: np.ndarray, k: int) -> Ranking:
    """The first k chunks of each row whose place no chunk before them has."""
    kept = [np.sort(np.unique(places[row], return_index=True)[1])[:k] for row in ranking.indices]
    width = min(map(len, kept), default=0)
    columns = np.array([each[:width] for each in kept], dtype=np.intp).reshape(len(kept), width)
    return Ranking(
        np.take_along_axis(ranking.indices, columns, axis=1),
        np.take_along_axis(ranking.scores, columns, axis=1),
    )


def ranked_places(ranking: Ranking, chunks_of_documents: Sequence[Chunks], k: int) -> list[list[Place]]:
    """For each row of a ranking its first k places: (document id, start, end) of what the reader gets."""
    owners = [each.document.id for each in chunks_of_documents for _ in range(len(each))]
    returned = np.concatenate([np.zeros((0, 2), np.int32), *(each.returned for each in chunks_of_documents)])
    return [[(owners[at], *returned[at].tolist()) for at in row] for row in ranking.indices[:, :k].tolist()]


def merged(places: Iterable[Place], touching: bool = False) -> list[Place]:
    """The places as a prompt holds them: those that overlap are one, at the best rank of its parts.

    Places that only touch are one with `touching` and stay apart without. `places` come in rank order.
    """
    ranked = list(places)
    order = sorted(range(len(ranked)), key=lambda at: (str(ranked[at][0]), *ranked[at][1:]))
    runs: list[list] = []
    for at in order:
        document, start, end = ranked[at]
        if runs and runs[-1][1] == document and start < runs[-1][3] + touching:
            runs[-1][0], runs[-1][3] = min(runs[-1][0], at), max(runs[-1][3], end)
        else:
            runs.append([at, document, start, end])
    return [(document, start, end) for _, document, start, end in sorted(runs, key=lambda run: run[0])]
