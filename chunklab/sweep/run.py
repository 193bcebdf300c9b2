"""A sweep while it is under way: what is done, what is left, and the file that keeps it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Any

from chunklab.experiment import MRR_DEPTH
from chunklab.grid import Grid
from chunklab.sweep.file import SweepFile
from chunklab.sweep.flow import flow
from chunklab.sweep.result import Swept
from chunklab.sweep.work import Plan
from chunklab.types import Question, Score


class Sweep:
    """Settings of a `grid`, measured while you iterate; each comes as it is done, those in the file first.

    Whatever breaks it off, an exception or a listener that raises, what is done stays in `results` and in
    the file, and iterating again goes on with the rest. A setting that cannot be measured has a `problem`,
    ends nothing and is tried again by the next sweep on the file.
    """

    def __init__(
        self,
        grid: Grid,
        plan: Plan,
        executor: Executor | None = None,
        path: str | os.PathLike[str] | None = None,
    ):
        self.grid, self.plan, self._executor, self._path = grid, plan, executor, path
        self._results: dict[str, Swept] = {}

    def __len__(self) -> int:
        """How many settings there are in all."""
        return len(self.grid)

    @property
    def results(self) -> tuple[Swept, ...]:
        """What is done so far, in the grid's order, settings with a problem among them."""
        return tuple(self._results[each] for each in map(str, self.grid.recipes) if each in self._results)

    @property
    def measured(self) -> tuple[Swept, ...]:
        """The results without a problem."""
        return tuple(each for each in self.results if not each.problem)

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions that are scored, in the order of every array: their kinds group the values."""
        return tuple(each for each in self.plan.corpus.questions if each.evidence)

    @property
    def question_ids(self) -> tuple[str, ...]:
        """Their ids."""
        return tuple(each.id for each in self.questions)

    def run(self) -> Sweep:
        """Itself, when all is done."""
        for _ in self:
            pass
        return self

    def __iter__(self) -> Iterator[Swept]:
        names = list(map(str, self.grid.recipes))
        file = SweepFile(self._path, self.plan.header()) if self._path is not None else None
        try:
            for name in names:
                if file is not None and name in file.results and name not in self._results:
                    self._results[name] = file.results[name]
                    yield file.results[name]
            rest = [each for each in self.grid.recipes if str(each) not in self._results]
            for result in flow(self.plan, rest, self._executor, len(self)):
                self._results[result.recipe] = result
                if file is not None and not result.problem:
                    file.add(result)
                yield result
        finally:
            if file is not None:
                file.close(names if len(self._results) == len(names) else ())

    def scores(self) -> list[Score]:
        """One row for each setting, metric and question; what is taken at no k has the depth it looked at."""
        plan, rows = self.plan, []
        for each in self.measured:
            for name, values in each.values.items():
                metric, _, at = name.partition("@")
                if at.endswith("tokens"):
                    metric, at = f"{metric}@tokens", at.removesuffix("tokens")
                k = int(at or max(*plan.ks, MRR_DEPTH))
                rows += [
                    Score(each.recipe, str(plan.embedder), str(plan.retriever), metric, k, id, value)
                    for id, value in zip(self.question_ids, values.tolist(), strict=True)
                ]
        return rows

    def to_json(self, per_question: bool = False) -> dict[str, Any]:
        """Plain data for JSON: what was measured with what, a flat row for each result, and what was dropped."""
        found = self.plan.header() | {
            "questions": len(self.questions),
            "settings": len(self),
            "done": len(self.results),
            "notices": list(self.grid.notices()),
            "dropped": [{"recipe": each.text, "reason": each.reason} for each in self.grid.dropped],
            "rows": [each.row() for each in self.results],
        }
        if per_question:
            found |= {
                "question_ids": list(self.question_ids),
                "results": [each.to_json() for each in self.results],
            }
        return found
