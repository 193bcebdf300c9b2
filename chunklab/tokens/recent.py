"""A small cache that forgets what was used longest ago, bounded by total weight, not by number."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """Keeps the newest results up to `limit` in weight; the newest is kept even when it is heavier.

    Safe to share between threads: two threads that ask at once for a new key may both make it, and
    both get an equal result.
    """

    def __init__(self, limit: int):
        self.limit = limit
        self._kept: OrderedDict[Hashable, tuple[int, T]] = OrderedDict()
        self._weight = 0
        self._lock = Lock()

    def get(self, key: Hashable, weight: int, make: Callable[[], T]) -> T:
        """The result kept under the key, or else what `make` returns, which is kept from then on."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][1]
        value = make()
        with self._lock:
            if key not in self._kept:
                self._kept[key] = (weight, value)
                self._weight += weight
                while self._weight > self.limit and len(self._kept) > 1:
                    self._weight -= self._kept.popitem(last=False)[1][0]
        return value

    def __contains__(self, key: Hashable) -> bool:
        with self._lock:
            return key in self._kept

    def __len__(self) -> int:
        return len(self._kept)
