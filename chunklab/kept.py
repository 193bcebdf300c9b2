"""Rows of numbers that are made once: the newest in memory, and all that fit on disk."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from threading import Lock

import numpy as np

from chunklab.progress import tell
from chunklab.vector_cache import vector_cache

BATCH = 32
NUMBERS_KEPT = 20_000_000
Make = Callable[[list[int]], np.ndarray]
"""Takes the places of what a batch is made from and returns a row for each."""


class Kept:
    """Float32 rows by key, the newest `numbers` of their numbers in memory, and in the vector cache `on_disk`."""

    def __init__(self, on_disk: bool = True, numbers: int = NUMBERS_KEPT):
        self._on_disk, self._most = on_disk, numbers
        self._rows: OrderedDict[bytes, np.ndarray] = OrderedDict()
        self._numbers = 0
        self._lock = Lock()

    def rows(self, keys: Sequence[bytes], lengths: Sequence[int], make: Make, what: str) -> list[np.ndarray]:
        """The row of each key, kept or made now; equal keys are made once.

        What must be made goes in batches of like length, the longest first. Each batch is kept before
        the next one begins, and told as `what`.
        """
        found = self.find(keys)
        waiting = {key: at for at, key in enumerate(keys) if key not in found}
        order = sorted(waiting.values(), key=lambda at: -lengths[at])
        for low in range(0, len(order), BATCH):
            tell(what, low, len(order))
            batch = order[low : low + BATCH]
            made = dict(zip([keys[at] for at in batch], make(batch), strict=True))
            self.keep(made)
            found |= made
        if order:
            tell(what, len(order), len(order))
        return [found[key] for key in keys]

    def find(self, keys: Sequence[bytes]) -> dict[bytes, np.ndarray]:
        """Those of the rows that are known."""
        with self._lock:
            found = {key: self._rows[key] for key in keys if key in self._rows}
            for key in found:
                self._rows.move_to_end(key)
        disk = vector_cache() if self._on_disk else None
        missing = [key for key in dict.fromkeys(keys) if key not in found] if disk else []
        if missing and (stored := disk.get(missing)):
            self._remember(stored)
            found |= stored
        return found

    def holds(self, keys: Iterable[bytes]) -> bool:
        """True when all of the rows are in memory."""
        with self._lock:
            return all(key in self._rows for key in keys)

    def keep(self, rows: dict[bytes, np.ndarray]) -> None:
        """Keeps these from now on."""
        self._remember(rows)
        if self._on_disk and (disk := vector_cache()):
            disk.put(rows)

    def _remember(self, rows: dict[bytes, np.ndarray]) -> None:
        with self._lock:
            for key, row in rows.items():
                before = self._rows.pop(key, None)
                self._numbers += row.size - (0 if before is None else before.size)
                self._rows[key] = row
            while self._numbers > self._most:
                self._numbers -= self._rows.popitem(last=False)[1].size
