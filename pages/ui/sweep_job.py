"""A sweep at work in a thread of its own: the page can be used while it fills."""

from __future__ import annotations

from threading import Thread
from time import monotonic

from chunklab.errors import ChunklabError
from chunklab.progress import Pace, listening
from chunklab.sweep.result import Swept
from chunklab.sweep.run import Sweep

PATIENCE = 150.0
"""Seconds after which a sweep ends that no page asks about any more; browsers wake hidden pages once a minute."""


class Job:
    """Measures what a sweep still lacks and puts it into `results`, recipe -> Swept, as it comes.

    `line` says how far it is, `share` is that from 0 to 1, and `fault` why it broke off, if it did.
    """

    def __init__(self, key: object, sweep: Sweep, results: dict[str, Swept]):
        self.key, self.sweep, self.results = key, sweep, results
        self.line, self.share, self.fault = "starting", 0.0, ""
        self._pace, self._ended, self._seen = Pace(), False, monotonic()
        self._thread = Thread(target=self._work, name="sweep", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it is at work; what it makes of a setting that is under way is kept even after `end`."""
        return self._thread.is_alive() and not self._ended

    def seen(self) -> None:
        """Tells it that somebody looks."""
        self._seen = monotonic()

    def end(self) -> None:
        """Ends it at the next word of progress; everything done is kept."""
        self._ended = True

    def _work(self) -> None:
        fault = "The sweep broke off by a fault in chunklab; the server's log has more."
        try:
            with listening(self._hear):
                for each in self.sweep:
                    self.results[each.recipe] = each
            fault = ""
        except _EndedError:
            fault = ""
        except ChunklabError as error:
            fault = str(error)
        finally:
            self.fault = fault

    def _hear(self, what: str, done: int, total: int) -> None:
        self.line, self.share = self._pace.line(what, done, total), min(1.0, done / max(total, 1))
        if self._ended or monotonic() - self._seen > PATIENCE:
            raise _EndedError


class _EndedError(Exception):
    """Somebody ended the sweep, or nobody looks at it."""
