"""One question and what was retrieved for it, as plain values: cards, places by rank, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from chunklab.chunking import Chunks
from chunklab.embedders.base import Embedder
from chunklab.intervals import Place
from chunklab.limits import unembedded
from chunklab.metrics import verdict
from chunklab.reasons import Verdict
from chunklab.recipe import parse_component
from chunklab.retrievers.base import Ranking
from chunklab.tokens import tokenizer
from chunklab.types import Question
from pages.ui.scene import VERDICTS, Scene

AROUND = 1200
"""Of a longer place, a card shows so many characters on either side of the chunk that was found."""


@dataclass(frozen=True)
class Hit:
    """One returned place: its rank from 1, its score, whose chunk was found and which, and the place."""

    rank: int
    score: float
    chunks: Chunks
    chunk: int

    @property
    def place(self) -> Place:
        """(document id, start, end) of what the reader gets."""
        return (self.chunks.document.id, *self.chunks.returned[self.chunk].tolist())


def hits(ranking: Ranking, row: int, all_chunks: list[Chunks], k: int) -> list[Hit]:
    """The first k returned places of one row of a ranking."""
    first = np.cumsum([0, *map(len, all_chunks)])
    found = []
    for rank, at in enumerate(ranking.indices[row, :k].tolist(), 1):
        document = int(np.searchsorted(first, at, "right")) - 1
        score = float(ranking.scores[row, rank - 1])
        found.append(Hit(rank, score, all_chunks[document], at - int(first[document])))
    return found


def evidence(question: Question, found: list[Hit]) -> list[tuple[Place, str]]:
    """Every place that answers the question, with its verdict; of a part that was found, only what was found."""
    places = [hit.place for hit in found]
    listed: list[tuple[Place, str]] = []
    for part in question.evidence:
        each = [(each.document_id, each.span.start, each.span.end) for each in part.places]
        how = [(place, verdict(place, places)) for place in each]
        listed += [pair for pair in how if pair[1] != "missed"] or how
    return listed


def cards(question: Question, found: list[Hit], scene: Scene) -> list[dict[str, Any]]:
    """What the cards show, the text in pieces with the marks of each."""
    marked = evidence(question, found)
    many = len(scene.all_chunks) > 1
    return [_card(hit, question, marked, many, scene) for hit in found]


def _card(
    hit: Hit, question: Question, marked: list[tuple[Place, str]], many: bool, scene: Scene
) -> dict[str, Any]:
    chunks, (name, start, end) = hit.chunks, hit.place
    where = f"chunk {hit.chunk + 1:,} of {len(chunks):,}"
    low, high = chunks.spans[hit.chunk].tolist()
    facts = f"{end - start:,} chars · {_tokens(chunks, start, end):,} tokens"
    if (start, end) != (low, high):
        facts += f" · found by a chunk of {high - low:,}"
    holds, words = _holding(question, hit.place)
    return {
        "rank": hit.rank,
        "score": f"{hit.score:.3f}",
        "where": f"{name} · {where}" if many else where,
        "path": " › ".join(chunks.heading_paths[hit.chunk]),
        "facts": facts,
        "pieces": _pieces(hit, [each for each in marked if each[0][0] == name], _unread(hit, scene)),
        "holds": holds,
        "holds_text": words,
    }


def _tokens(chunks: Chunks, start: int, end: int) -> int:
    return tokenizer(chunks.recipe.split.tokenizer).count(chunks.document.text[start:end])


def _unread(hit: Hit, scene: Scene) -> int:
    """From where the model did not read the chunk that was found; its end where it read all of it."""
    end, reader = int(hit.chunks.spans[hit.chunk, 1]), reader_of(scene)
    if reader is None or reader.limit is None:
        return end
    at = int(unread(hit.chunks, reader)[hit.chunk])
    return end if at < 0 else at


def reader_of(scene: Scene) -> Embedder | None:
    """The embedder, where the retriever asks it; None for a search by words alone."""
    asks = parse_component("retrievers", scene.retriever).uses_vectors
    return scene.embedder if asks else None


def unread(chunks: Chunks, embedder: Embedder) -> np.ndarray:
    """(n,) from where the embedder reads no more of each chunk, -1 where it reads all; kept with the document."""
    key = ("unread", str(chunks.recipe), str(embedder))
    return chunks.document.fact(key, lambda: unembedded(chunks, embedder))


def _holding(question: Question, place: Place) -> tuple[str, str]:
    """How much of the answer lies in one place: the sign for it, and in words."""
    parts = [
        max((verdict((each.document_id, each.span.start, each.span.end), [place]) for each in part.places), key=VERDICTS.index)
        for part in question.evidence
    ]  # fmt: skip
    whole = [number for number, each in enumerate(parts, 1) if each == "whole"]
    if parts and len(whole) == len(parts):
        return "whole", "holds the answer"
    if whole:
        return "split", f"holds part {', '.join(map(str, whole))} of {len(parts)}"
    return ("split", "holds some of the answer") if "split" in parts else ("", "")


def _pieces(hit: Hit, marked: list[tuple[Place, str]], unread: int) -> list[list[Any]]:
    """The place's text cut wherever its marks change: [text, marks]."""
    chunks, (_, start, end) = hit.chunks, hit.place
    text = chunks.document.text
    low, high = chunks.spans[hit.chunk].tolist()
    shown = max(start, low - AROUND), min(end, high + AROUND)
    edges = {*shown, low, high, unread, *(edge for (_, *span), _ in marked for edge in span)}
    inside = sorted(each for each in edges if shown[0] <= each <= shown[1])
    pieces: list[list[Any]] = []
    for at, to in pairwise(inside):
        marks = ["found"] if (start, end) != (low, high) and low <= at < high else []
        marks += ["unread"] if unread <= at < high else []
        over = [how for (_, first, last), how in marked if first <= at < last]
        marks += ["evidence", min(over, key=VERDICTS.index)] if over else []
        pieces.append([text[at:to], marks])
    before, after = ["…"] * (shown[0] > start), ["…"] * (shown[1] < end)
    return [*([each, []] for each in before), *pieces, *([each, []] for each in after)]


def ranked(found: list[Hit], document_id: str) -> np.ndarray:
    """(r, 4) int32 for the view: rank, start and end of the place and the number of the chunk, in one document."""
    here = [hit for hit in found if hit.chunks.document.id == document_id]
    return np.array([[hit.rank, *hit.place[1:], hit.chunk] for hit in here], np.int32).reshape(-1, 4)


def answer(question: Question, verdict: Verdict | None) -> dict[str, str] | None:
    """The line above the hits: what became of the question, and why."""
    if verdict is None:
        what = "No answer is marked for this question, so nothing is measured."
        return {"verdict": "", "title": "", "sentence": what, "question": ""}
    title = verdict.status.capitalize() + (f": {REASONS[verdict.reason]}" if verdict.reason else "")
    return {
        "verdict": verdict.status,
        "title": title,
        "sentence": verdict.sentence,
        "question": question.id,
    }


REASONS = {
    "cut": "cut by chunking",
    "capped by k": "capped by k",
    "truncated": "truncated by the model",
    "not retrieved": "not retrieved",
}
"""What each reason is called on the page."""


def rows(questions: tuple[Question, ...], found: tuple[Verdict, ...]) -> list[dict[str, Any]]:
    """The table of verdicts: a row for each verdict, with its question's text."""
    texts = {each.id: each.text for each in questions}
    return [
        {
            "id": each.question_id, "text": texts[each.question_id], "kind": each.kind, "verdict": each.status,
            "rank": str(each.rank or ""), "reason": each.reason, "why": each.sentence,
        }
        for each in found
    ]  # fmt: skip
