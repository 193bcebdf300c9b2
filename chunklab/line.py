"""Documents behind one another on one line, so that places in any of them are intervals of whole numbers.

A character lies between two documents: intervals of different documents never meet, nor touch.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from chunklab.chunking import Chunks
from chunklab.intervals import Place
from chunklab.tokens import tokenizer as tokenizer_named
from chunklab.types import Question


class Line:
    """Every returned place of a corpus on its line: `starts` and `ends`, (n,) int64 in chunk order."""

    def __init__(self, chunks: Sequence[Chunks]):
        self.texts = [each.document.text for each in chunks]
        self.begins = np.cumsum([0, *(len(text) + 1 for text in self.texts)])
        self.begin_of = {
            each.document.id: begin for each, begin in zip(chunks, self.begins.tolist(), strict=False)
        }
        returned = np.concatenate([np.empty((0, 2), np.int32), *(each.returned for each in chunks)])
        moved = returned + np.repeat(self.begins[:-1], [len(each) for each in chunks])[:, None]
        self.starts, self.ends = moved[:, 0], moved[:, 1]

    @cached_property
    def distinct(self) -> tuple[np.ndarray, np.ndarray]:
        """(starts, ends) of the returned places, each once, by their starts."""
        if (np.diff(self.starts) > 0).all():
            return self.starts, self.ends
        pairs = np.unique(np.stack((self.starts, self.ends), axis=1), axis=0)
        return pairs[:, 0], pairs[:, 1]

    def documents(self, positions: np.ndarray) -> np.ndarray:
        """The index of the document in which each position lies."""
        return np.searchsorted(self.begins, positions, side="right") - 1

    def places(self, starts: np.ndarray, ends: np.ndarray) -> list[Place]:
        """The intervals as places, their documents by index."""
        return list(zip(self.documents(starts).tolist(), starts.tolist(), ends.tolist(), strict=True))

    def tokens(self, tokenizer: str) -> np.ndarray:
        """The starts of all tokens, rising; several of one character share one."""
        offsets = tokenizer_named(tokenizer).offsets
        found = [
            offsets(text)[0] + begin for text, begin in zip(self.texts, self.begins.tolist(), strict=False)
        ]
        return np.concatenate([np.empty(0, np.int64), *found])

    def within(
        self, starts: np.ndarray, ends: np.ndarray, budgets: Sequence[int], tokenizer: str
    ) -> list[np.ndarray]:
        """For each budget the ends of ranked places, (q, m), cut so that they have so many tokens together.

        Tokens are counted as they stand in the document, those of an overlap each time. A place behind
        the one that passes the budget is left with its end at its start.
        """
        if not budgets:
            return []
        tokens = np.append(self.tokens(tokenizer), self.begins[-1])
        first = np.searchsorted(tokens, starts)
        counts = np.searchsorted(tokens, ends) - first
        before = np.cumsum(counts, axis=1) - counts
        cut = []
        for budget in budgets:
            left = np.clip(budget - before, 0, counts)
            kept = np.maximum(np.where(left < counts, tokens[first + left], ends), starts)
            cut.append(np.where(before < budget, kept, starts))
        return cut

    def depth(self, budgets: Sequence[int], tokenizer: str) -> int:
        """How many ranked places fill every budget at the most, however they are ordered."""
        if not budgets:
            return 0
        tokens = self.tokens(tokenizer)
        counts = np.sort(np.searchsorted(tokens, self.ends) - np.searchsorted(tokens, self.starts))
        return int(np.searchsorted(np.cumsum(counts), max(budgets))) + 1


class Gold:
    """The evidence of questions on a line: `starts` and `ends` of all places, (f,), alternatives among them.

    `parts` (p,) are the first place of each part and `questions` (q,) the first part of each question,
    for `ufunc.reduceat`; `part_of` (f,) and `question_of` (f,) lead back. `weights` (p,) are the lengths
    of the parts' own spans as shares of their question.
    """

    def __init__(self, questions: Sequence[Question], line: Line):
        places: list[tuple[int, int]] = []
        parts: list[int] = []
        first: list[int] = []
        for question in questions:
            first.append(len(parts))
            for part in question.evidence:
                parts.append(len(places))
                for each in part.places:
                    begin = line.begin_of[each.document_id]
                    places.append((begin + each.span.start, begin + each.span.end))
        self.line = line
        self.starts, self.ends = np.array(places, dtype=np.int64).reshape(-1, 2).T
        self.lengths = self.ends - self.starts
        self.parts, self.questions = np.array(parts, dtype=np.intp), np.array(first, dtype=np.intp)
        self.part_of = np.repeat(np.arange(len(parts)), np.diff([*parts, len(places)]))
        of = np.repeat(np.arange(len(first)), np.diff([*first, len(parts)]))
        self.question_of = of[self.part_of]
        own = self.lengths[self.parts]
        self.weights = own / np.add.reduceat(own, self.questions)[of]

    @cached_property
    def tangled(self) -> list[int]:
        """The questions of several parts in which any two places overlap."""
        key = self.question_of * (self.ends.max() + 1)
        order = np.argsort(key + self.starts)
        starts, ends = (key + self.starts)[order], (key + self.ends)[order]
        met = starts[1:] < np.maximum.accumulate(ends)[:-1]
        several = np.diff([*self.questions.tolist(), len(self.parts)]) > 1
        found = np.unique(self.question_of[order[1:][met]])
        return found[several[found]].tolist()

    def evidence(self, question: int) -> list[list[Place]]:
        """The parts of one question, each with its own place first."""
        edges = [*self.parts.tolist(), len(self.starts)]
        own = np.flatnonzero(self.question_of[self.parts] == question).tolist()
        return [
            self.line.places(
                self.starts[edges[part] : edges[part + 1]], self.ends[edges[part] : edges[part + 1]]
            )
            for part in own
        ]
