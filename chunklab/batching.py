"""An embedder around any function that turns texts into vectors, such as a call of somebody's API."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from chunklab.embedders.base import Embedder
from chunklab.errors import ChunklabError, ParamError
from chunklab.kept import Kept
from chunklab.progress import EMBEDDED, tell
from chunklab.tokens import tokenizer as tokenizer_named
from chunklab.vector_cache import key_of
from chunklab.vector_check import checked

LONGEST_WAIT = 60.0
NUMBERS_KEPT = 200_000_000
Call = Callable[[list[str]], Any]
"""Takes texts and returns a vector for each, in their order, all of one width."""


class Called(Embedder):
    """Asks `call` for vectors in batches of at most `batch` texts and `tokens_per_request` tokens together.

    A text over that is sent alone. A call that raises is tried `retries` times more, after `wait` seconds,
    then twice that, up to a minute. When it still fails, ChunklabError says at which batch; what came
    before is kept in memory, so asking again goes on from there. Rows are scaled to length one; blank
    texts are not sent and get zeros. Equal texts are sent once. `tokenizer` counts; `limit` is the most
    tokens the model reads of one text.
    """

    label = "a function"
    assumes = "The function returns the same vector for the same text."
    fails = "It costs what the service behind it costs."

    def __init__(
        self,
        name: str,
        call: Call,
        dims: int | None = None,
        batch: int = 64,
        tokens_per_request: int | None = None,
        retries: int = 4,
        wait: float = 1.0,
        tokenizer: str = "cl100k",
        limit: int | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ):
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            raise ParamError("called", "name", "a text that names the vectors", name)
        for what, value, least in (
            ("dims", dims, 1), ("batch", batch, 1), ("tokens_per_request", tokens_per_request, 1), ("retries", retries, 0),
        ):  # fmt: skip
            optional = value is None and what in ("dims", "tokens_per_request")
            if not optional and (isinstance(value, bool) or not isinstance(value, int) or value < least):
                raise ParamError(name, what, f"a whole number of at least {least}", value)
        self.name, self.call, self.dims, self.batch = name, call, dims, batch
        self.tokens_per_request, self.retries, self.wait = tokens_per_request, retries, wait
        self.tokenizer, self.limit, self._sleep = tokenizer, limit, sleep
        self._kept = Kept(on_disk=False, numbers=NUMBERS_KEPT)

    # Two are equal only when they are one: the same name may stand before different functions.
    __eq__, __hash__ = object.__eq__, object.__hash__

    def __str__(self) -> str:
        return self.name

    @classmethod
    def key(cls) -> str:
        return "called"

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """(n, d) float32 rows of length one, in the order of the texts."""
        worded = {key_of(self.name, text): text for text in texts if text.strip()}
        if not worded and self.dims is None and len(texts):
            # The width of zeros is not known before the function has said it.
            worded = {key_of(self.name, "word"): "word"}
        found = self._kept.find(list(worded))
        new = {key: text for key, text in worded.items() if key not in found}
        batches = list(self._batches(list(new.values())))
        keys, done = iter(new), 0
        for at, batch in enumerate(batches):
            tell(EMBEDDED, done, len(new))
            rows = self._asked(
                batch, f"batch {at + 1} of {len(batches)}, texts {done + 1} to {done + len(batch)}"
            )
            made = dict(zip([next(keys) for _ in batch], rows, strict=True))
            self._kept.keep(made)
            found |= made
            done += len(batch)
        if batches:
            tell(EMBEDDED, done, done)
        blank = np.zeros(self.dims or 0, dtype=np.float32)
        return np.array(
            [found.get(key_of(self.name, text), blank) for text in texts], dtype=np.float32
        ).reshape(len(texts), self.dims or 0)

    def _batches(self, texts: list[str]) -> Iterator[list[str]]:
        most = self.tokens_per_request
        counts = tokenizer_named(self.tokenizer).count_many(texts).tolist() if most else [0] * len(texts)
        batch: list[str] = []
        tokens = 0
        for text, count in zip(texts, counts, strict=True):
            if batch and (len(batch) == self.batch or (most and tokens + count > most)):
                yield batch
                batch, tokens = [], 0
            batch.append(text)
            tokens += count
        if batch:
            yield batch

    def _asked(self, batch: list[str], which: str) -> np.ndarray:
        """The rows of one batch, scaled to length one."""
        for attempt in range(self.retries + 1):
            try:
                found = self.call(list(batch))
                break
            except Exception as error:
                if attempt == self.retries:
                    raise ChunklabError(self._failed(which, error)) from error
            self._sleep(min(self.wait * 2**attempt, LONGEST_WAIT))
        rows = checked(f"{self.name} ({which})", found, len(batch), self.dims).astype(np.float64)
        self.dims = rows.shape[1]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)

    def _failed(self, which: str, error: BaseException) -> str:
        tries = "once" if not self.retries else f"{self.retries + 1} times"
        said = (str(error).strip().splitlines() or [""])[0][:200].rstrip(".")
        why = f"{type(error).__name__}{f': {said}' if said else ''}"
        what = "it cannot be reached; is there a network?" if _unreachable(error) else "it failed:"
        return (
            f"{self.name}: {which}: tried {tries}, {what} ({why}). "
            "What was embedded before is kept: ask again to go on from there."
        )


def _unreachable(error: BaseException | None) -> bool:
    """True when the network is behind an error, at whatever depth."""
    while error is not None:
        if isinstance(error, OSError):
            return True
        error = error.__cause__ or error.__context__
    return False
