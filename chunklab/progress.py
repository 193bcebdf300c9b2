"""How far long work has come, and how fast, told to whoever asked to hear it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic

Listener = Callable[[str, int, int], None]
"""Called with what is done, such as "texts embedded", how many are done and how many there are."""

EMBEDDED = "texts embedded"
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Work inside this block, in this thread, tells the listener how far it is.

    What the listener raises ends the work: that is how it is cancelled. What was finished before stays
    kept, so that asking again goes on from there.
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


@contextmanager
def part_of(what: str, total: int, before: int, size: int) -> Iterator[None]:
    """Work of this kind inside this block is a part, of `size`, of `total`, and told as such.

    `before` are done already; what the part need not do because it is known counts as done as well.
    """
    listener = _listener.get()
    if listener is None:
        yield
        return

    def whole(kind: str, done: int, of: int) -> None:
        inside = before + max(0, size - of) + min(done, size)
        listener(kind, *((inside, total) if kind == what else (done, of)))

    with listening(whole):
        yield


@contextmanager
def told_as(name: str, what: str) -> Iterator[None]:
    """What work inside this block tells as `what` is told under another name."""
    listener = _listener.get()
    if listener is None:
        yield
        return
    with listening(lambda kind, done, total: listener(name if kind == what else kind, done, total)):
        yield


class Pace:
    """Turns what a listener hears into one line: "1,200 of 5,000 texts embedded · 310/s · 12 s left".

    The rate is the mean since the first word of the same work; without one second of it there is none.
    """

    def __init__(self, clock: Callable[[], float] = monotonic):
        self._clock = clock
        self._work: tuple[str, int] | None = None
        self._began = self._at_first = 0.0

    def line(self, what: str, done: int, total: int) -> str:
        """The line for this moment."""
        now = self._clock()
        if (what, total) != self._work or done < self._at_first:
            self._work, self._began, self._at_first = (what, total), now, done
        said = f"{done:,} of {total:,} {what}" if total > 1 else what
        spent, made = now - self._began, done - self._at_first
        if spent < 1 or made <= 0:
            return said
        rate = made / spent
        said += f" · {rate:,.0f}/s" if rate >= 10 else f" · {rate:.1f}/s"
        return f"{said} · {duration((total - done) / rate)} left" if done < total else said


def duration(seconds: float) -> str:
    """A time in words as a person rounds it: "12 s", "4 min", "2 h 10 min"."""
    if seconds < 99.5:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
