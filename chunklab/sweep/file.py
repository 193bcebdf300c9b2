"""The file of a sweep: a line that says what is measured, then one line for each setting that is done."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any, NoReturn
from weakref import WeakSet

from chunklab.errors import ChunklabError, shown
from chunklab.sweep.result import Swept, from_json

try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be replaced and two sweeps are not kept apart.
    fcntl = None  # type: ignore[assignment]

_open: WeakSet[SweepFile] = WeakSet()


def _let_go() -> None:
    """A worker that was forked holds no file: it would stay locked when this process is killed."""
    for each in _open:
        each.file.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)


class SweepFile:
    """A file that is this sweep's alone while it is open; every line is on the disk when `add` returns.

    `header` is plain data. A file that begins with another header, is no sweep's, or is in use by another
    process raises ChunklabError and is left as it is. What a killed process left of its last line is dropped.
    """

    def __init__(self, path: str | os.PathLike[str], header: dict[str, Any]):
        self.path, self.header = Path(path), _line(header)
        self.file = self._opened()
        _open.add(self)
        try:
            self.results = self._read(header)
        except BaseException:
            self.file.close()
            raise

    def add(self, result: Swept) -> None:
        """Writes one setting."""
        self.results[result.recipe] = result
        self._write(_line(result.to_json()))

    def close(self, order: Iterable[str] = ()) -> None:
        """Lets go of the file. With an order of recipes it then has these first, in this order."""
        try:
            wanted = [*(each for each in order if each in self.results)]
            if wanted and wanted != list(self.results)[: len(wanted)]:
                self._reorder(list(dict.fromkeys([*wanted, *self.results])))
        finally:
            self.file.close()

    def _opened(self) -> IO[bytes]:
        while True:
            try:
                file = self.path.open("a+b")
            except (OSError, ValueError) as error:
                self._refuse(f"cannot be written ({getattr(error, 'strerror', None) or error})")
            if fcntl is None:
                return file
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                self._refuse("is in use by another sweep")
            except OSError:
                return file  # A file system without locks.
            # Whoever had it before may have put another file in its place.
            if self.path.exists() and os.path.samestat(os.fstat(file.fileno()), self.path.stat()):
                return file
            file.close()

    def _read(self, header: dict[str, Any]) -> dict[str, Swept]:
        self.file.seek(0)
        content = self.file.read()
        lines = content.split(b"\n")
        torn = lines.pop()
        if not lines and self.header.startswith(torn):
            self.file.truncate(0)
            self._write(self.header)
            return {}
        self._check(lines[0] if lines else torn, header)
        found = {}
        for number, line in enumerate(lines[1:], 2):
            try:
                result = from_json(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                self._refuse(f"line {number} cannot be read")
            found[result.recipe] = result
        if torn:
            self.file.truncate(len(content) - len(torn))
        return found

    def _check(self, line: bytes, header: dict[str, Any]) -> None:
        try:
            there = json.loads(line)
        except (ValueError, RecursionError):
            there = None
        if not isinstance(there, dict) or "sweep" not in there:
            self._refuse("is not the file of a sweep")
        wanted = json.loads(self.header)
        names = [name for name in dict.fromkeys([*wanted, *there]) if there.get(name) != wanted.get(name)]
        if names:
            what = "; ".join(
                f"{name} is {shown(there.get(name), 40)} there and {shown(wanted.get(name), 40)} here"
                for name in names
            )
            self._refuse(f"holds another sweep: {what}")

    def _reorder(self, recipes: list[str]) -> None:
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            with beside.open("wb") as file:
                file.writelines([self.header, *(_line(self.results[each].to_json()) for each in recipes)])
                file.flush()
                os.fsync(file.fileno())
            if fcntl is None:
                self.file.close()
            os.replace(beside, self.path)
        except OSError as error:
            self._refuse(f"cannot be put in order ({error.strerror})")
        finally:
            beside.unlink(missing_ok=True)

    def _write(self, line: bytes) -> None:
        try:
            self.file.write(line)
            self.file.flush()
            os.fsync(self.file.fileno())
        except OSError as error:
            self._refuse(f"cannot be written ({error.strerror}); what it has is kept")

    def _refuse(self, what: str) -> NoReturn:
        raise ChunklabError(f"sweep: {shown(str(self.path))} {what}. Choose another file.") from None


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode() + b"\n"
