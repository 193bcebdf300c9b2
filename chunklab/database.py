"""An SQLite file that many processes share and whose failures stop nobody: they are told, in words."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import RLock

PAGE = 8192
PATIENCE = 10.0
"""Seconds to wait for another process that is writing."""
_SETTINGS = (
    f"page_size={PAGE}",
    "auto_vacuum=INCREMENTAL",
    "journal_mode=WAL",
    "synchronous=NORMAL",
    "cache_size=-4096",
    "wal_autocheckpoint=256",
)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)


class Database:
    """One file with the tables of `schema`, opened on first use; any thread may use it, one at a time does.

    A damaged file is set aside and begun anew. Without space or permission what was opened may still be
    read. `notices` has a sentence for each thing that went wrong; `owner` begins it, `remedy` may end it.
    """

    def __init__(self, path: Path, schema: Sequence[str], owner: str, remedy: str = ""):
        self.path, self._schema, self._owner, self._remedy = path, schema, owner, remedy
        self.notices: list[str] = []
        self.reads = self.writes = True
        self._lock = RLock()
        self._open: sqlite3.Connection | None = None
        self._process = 0

    @contextmanager
    def using(self, writes: bool = False) -> Iterator[sqlite3.Connection | None]:
        """The open database, None where it cannot be used; what fails inside is told and goes no further."""
        with self._lock:
            database = None
            try:
                if self.writes if writes else self.reads:
                    database = self._opened()
            except (sqlite3.Error, OSError) as error:
                self._failed(error)
            try:
                yield database
            except (sqlite3.Error, OSError) as error:
                self._failed(error)

    def again(self) -> None:
        """Tries anew what had failed, and removes a file that was set aside."""
        with self._lock:
            self.reads = self.writes = True
            self.notices.clear()
            self.aside.unlink(missing_ok=True)

    @property
    def aside(self) -> Path:
        """Where a damaged file goes."""
        return self.path.with_name(f"{self.path.name}.damaged")

    def bytes(self) -> int:
        """What all its files take on disk."""
        files = (self.path, self.aside, *self._beside())
        return sum(each.stat().st_size for each in files if each.exists())

    def _opened(self) -> sqlite3.Connection:
        # A connection must not cross a fork; the parent's is left to the parent.
        if self._open is None or self._process != os.getpid():
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._open, self._process = self._connected(), os.getpid()
        return self._open

    def _connected(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.path, timeout=PATIENCE, check_same_thread=False)
        try:
            for each in _SETTINGS:
                database.execute(f"PRAGMA {each}").fetchall()
            with database:
                for each in self._schema:
                    database.execute(each)
        except sqlite3.Error:
            database.close()
            raise
        return database

    def _failed(self, error: Exception) -> None:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            self._tell("another process keeps it locked, so not everything was kept")
        elif code in _DAMAGED:
            self._set_aside()
        else:
            why = "the disk is full" if code == sqlite3.SQLITE_FULL else f"it cannot be used ({_line(error)})"
            self.writes, self.reads = False, self._open is not None
            self._tell(f"{why}; the work goes on and nothing new is kept. {self._remedy}")

    def _set_aside(self) -> None:
        """Moves a damaged file out of the way, unless another process has done that already."""
        if self._open is not None:
            self._open.close()
            self._open = None
        with suppress(sqlite3.Error), closing(self._connected()) as database:
            if database.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok":
                return
        try:
            os.replace(self.path, self.aside)
            for each in self._beside():
                each.unlink(missing_ok=True)
            self._tell(f"its file was damaged; it was set aside as {self.aside.name} and begun anew")
        except OSError as stuck:
            self.reads = self.writes = False
            self._tell(
                f"its file is damaged and cannot be set aside ({_line(stuck)}). Remove {self.path.name}"
            )

    def _beside(self) -> list[Path]:
        return [self.path.with_name(self.path.name + end) for end in ("-wal", "-shm")]

    def _tell(self, what: str) -> None:
        if (said := f"{self._owner}: {what.rstrip(' .')}.") not in self.notices:
            self.notices.append(said)


def _line(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
