"""The order of a sweep's work: texts are encoded, settings measured, and each is handed out as it is done."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Any

import numpy as np

from chunklab.progress import EMBEDDED, part_of, tell
from chunklab.recipe import Recipe
from chunklab.sweep.result import Swept
from chunklab.sweep.texts import Round, Texts
from chunklab.sweep.work import Plan, embedded, measured

MEASURED = "settings measured"


def flow(plan: Plan, recipes: Sequence[Recipe], executor: Executor | None, total: int) -> Iterator[Swept]:
    """Each of the recipes, measured, as it is done; without an executor in their order, one at a time.

    Texts are encoded in rounds, and a setting waits for all rounds up to its own. The listener hears of
    texts where a model encodes any, and otherwise of settings, of which there are `total`. Raises what the
    embedder raises for texts: without them nothing that follows can be measured.
    """
    texts = Texts(plan, recipes)
    window = 1 if executor is None else 2 * getattr(executor, "_max_workers", os.cpu_count() or 1)
    executor = executor or _Here()
    rounds, ready = deque(texts.rounds), deque[int]()
    coming: deque[tuple[Round, list[str], Future | None]] = deque()
    running: dict[Future, None] = {}
    store: dict[str, np.ndarray] = {}
    held, left = 0, len(recipes)
    try:
        while rounds or coming or ready or running:
            while coming and (coming[0][2] is None or coming[0][2].done()):
                round_, new, future = coming.popleft()
                if future:
                    store.update(zip(new, future.result(), strict=True))
                held += len(new)
                if texts.total:
                    tell(EMBEDDED, held, texts.total)
                ready.extend(round_.settings)
            while ready and len(running) < window:
                at = ready.popleft()
                running[executor.submit(measured, plan, recipes[at], texts.known(at, store))] = None
            if rounds and len(running) + len(coming) < window:
                new = texts.new(rounds[0])
                with part_of(EMBEDDED, texts.total, held, len(new)):
                    future = executor.submit(embedded, plan.embedder, new) if new else None
                coming.append((rounds.popleft(), new, future))
                continue
            waiting = [*running, *(future for _, _, future in coming if future)]
            done = wait(waiting, return_when=FIRST_COMPLETED).done
            for future in [each for each in running if each in done]:
                del running[future]
                left -= 1
                yield future.result()
                # Told when it is kept, so that a listener that raises loses nothing.
                if not texts.total:
                    tell(MEASURED, total - left, total)
    finally:
        for future in (*running, *(each for _, _, each in coming if each)):
            future.cancel()


class _Here(Executor):
    """Does the work at once, in this thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
        future: Future = Future()
        future.set_result(fn(*args, **kwargs))
        return future
