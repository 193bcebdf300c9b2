"""How each question fared and, where its answer is not whole in the top k, the one reason why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunklab.errors import ChunklabError
from chunklab.held import Held, fewest
from chunklab.metrics import checked_ks
from chunklab.recipe import parse_component
from chunklab.types import Evidence

if TYPE_CHECKING:
    from chunklab.chunking import Chunks
    from chunklab.embedders.base import Embedder
    from chunklab.experiment import Evaluation

REASONS = ("cut", "capped by k", "truncated", "not retrieved")
NEAR = 3
"""Up to so many times k a rank is near: a larger k would find it."""


@dataclass(frozen=True)
class Verdict:
    """How one question fared, in the words of `verdicts`.

    `kind` is the question's own. `rank` is that of the first place with anything of the evidence, None
    where the ranking has none. `sentence` says in plain text what happened.
    """

    question_id: str
    kind: str
    status: str
    rank: int | None
    reason: str
    sentence: str


def verdicts(
    evaluation: Evaluation, chunks: Sequence[Chunks], embedder: Embedder, k: int
) -> tuple[Verdict, ...]:
    """A verdict on each of the evaluation's questions at k; `chunks` are those it was made with.

    The status is "whole" when each part of the evidence, at one of its places, lies whole in one of the
    first k returned places, "split" when these have something of it and "missed" when nothing. What is
    not whole has one reason, the first of these that holds:

    * cut: of some part no returned place holds any of its places whole, so no ranking could.
    * capped by k: it takes more than k returned places to hold all parts; or every part that is not whole
      is ranked within three times k.
    * truncated: most of the part that ranks last lies where the model did not read the chunks that would
      return it. Chunks that are embedded in further parts are read, and so are all by words alone.
    * not retrieved: the part that ranks last, or not at all, was there to be found.

    Raises ParamError for a k below 1.
    """
    (k,) = checked_ks((k,))
    held, model = Held(chunks), embedder if _uses_vectors(evaluation.retriever) else None
    found = []
    for question, row in zip(evaluation.questions, evaluation.ranking.indices.tolist(), strict=True):
        ranks = {chunk: rank for rank, chunk in enumerate(row[: max(evaluation.depth, k)], 1)}
        parts = _parts(question.evidence, held, ranks)
        missing = [part for part in parts if part.rank is None or part.rank > k]
        first = min((part.touched for part in parts if part.touched), default=None)
        status = "whole" if not missing else "split" if first and first <= k else "missed"
        why = _why(parts, missing, held, model, k, len(ranks)) if missing else ("", _whole(parts))
        found.append(Verdict(question.id, question.kind, status, first, *why))
    return tuple(found)


@dataclass(frozen=True)
class _Part:
    """One part of an answer: the chunks that return it whole, the best rank of these, and of any of its pieces."""

    name: str
    evidence: Evidence
    holders: frozenset[int]
    rank: int | None
    touched: int | None


def _parts(evidence: Sequence[Evidence], held: Held, ranks: dict[int, int]) -> list[_Part]:
    def best(chunks: Iterable[int]) -> int | None:
        return min((ranks[each] for each in chunks if each in ranks), default=None)

    parts = []
    for number, each in enumerate(evidence, 1):
        name = "the answer" if len(evidence) == 1 else f"part {number} of the answer"
        holders = held.whole(each)
        parts.append(_Part(name, each, holders, best(holders), best(held.touching(each))))
    return parts


def _why(
    parts: list[_Part], missing: list[_Part], held: Held, embedder: Embedder | None, k: int, depth: int
) -> tuple[str, str]:
    """The reason and its sentence."""
    unit = held.unit
    if cut := next((part for part in missing if not part.holders), None):
        return "cut", _cut(cut, held.edge(cut.evidence), unit)
    if len(parts) > k and (least := fewest([part.holders for part in parts])) > k:
        places = f"{k} {unit}" if k == 1 else f"{k} {unit}s"
        what = "both parts" if len(parts) == 2 else f"all {len(parts)} parts"
        return "capped by k", f"A perfect ranking of {places} cannot hold {what}: that takes {least}."
    last = max(missing, key=lambda part: part.rank or float("inf"))
    stands = "" if last.name == "the answer" else f"{last.name.capitalize()} is "
    if last.rank and last.rank <= NEAR * k:
        return "capped by k", _begun(f"{stands}ranked {_ordinal(last.rank)}: k = {k} stops before it.")
    if embedder and (where := held.unread(last.evidence, embedder)):
        chunk = f"chunk {where[1] + 1}" + (f" of {where[0]}" if len(held.chunks) > 1 else "")
        read = f"the first {embedder.limit:,} tokens of {chunk}"
        return "truncated", _begun(f"{last.name} lies after {read}, which the model did not read.")
    where = f"ranked {_ordinal(last.rank)}" if last.rank else f"not among the first {depth:,}"
    return "not retrieved", _begun(f"{stands}{where} of {held.places:,} {unit}s, far from k = {k}.")


def _uses_vectors(retriever: str) -> bool:
    try:
        return parse_component("retrievers", retriever).uses_vectors
    except ChunklabError:
        return True  # One that is no part of chunklab.


def _cut(part: _Part, edge: int | None, unit: str) -> str:
    if edge is None:
        return f"No {unit} has anything of {part.name}."
    what = "the whole answer" if part.name == "the answer" else f"all of {part.name}"
    how = "cut" if unit == "chunk" else "edge"
    pieces = f"A piece is ranked {_ordinal(part.touched)}." if part.touched else "No piece is ranked."
    return f"No {unit} holds {what}: the {how} at {edge:,} goes through it. {pieces}"


def _whole(parts: list[_Part]) -> str:
    ranks = sorted({part.rank for part in parts if part.rank})
    if len(parts) == 1:
        return f"The whole answer is ranked {_ordinal(ranks[0])}."
    where = " and ".join(map(_ordinal, ranks)) if len(ranks) < 3 else f"down to {_ordinal(ranks[-1])}"
    return (
        f"{'Both' if len(parts) == 2 else f'All {len(parts)}'} parts of the answer are whole, ranked {where}."
    )


def _begun(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def _ordinal(rank: int) -> str:
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank:,}{ending}"
