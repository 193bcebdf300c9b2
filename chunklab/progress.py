"""How far long work has come, told to whoever asked to hear it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str, int, int], None]
"""Called with what is done, such as "texts embedded", how many are done and how many there are."""

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Work inside this block, in this thread, tells the listener how far it is.

    What the listener raises ends the work: that is how it is cancelled.
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def tell(what: str, done: int, total: int) -> None:
    """Tells the listener, if there is one; cheap enough for every batch."""
    listener = _listener.get()
    if listener is not None:
        listener(what, done, total)
