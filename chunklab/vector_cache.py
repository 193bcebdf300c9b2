"""Vectors on disk, so that nothing is encoded twice, whatever process asks. Only hashes and numbers are stored.

The folder is CHUNKLAB_CACHE, or chunklab's own in the platform's cache folder; CHUNKLAB_CACHE=off turns
it off. CHUNKLAB_CACHE_MB (1024) bounds it: what was used longest ago goes first. Any number of processes
share it, one that is killed leaves it whole, and what is wrong with it costs no more than its use.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import sys
import time
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from chunklab.database import PAGE, Database
from chunklab.errors import ParamError

FOLDER, MEGABYTES = "CHUNKLAB_CACHE", "CHUNKLAB_CACHE_MB"
FILE = "vectors-1.sqlite"
SECONDS_APART = 3600
"""A use is written down when the one before is this long ago, so that looking up is mostly reading."""
AT_ONCE = 500
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, used INTEGER NOT NULL, content BLOB NOT NULL)",
    "CREATE INDEX IF NOT EXISTS by_use ON vectors (used)",
)


class Size(NamedTuple):
    """How many vectors are stored, the bytes they take on disk, and the bytes allowed."""

    vectors: int
    bytes: int
    limit: int


class VectorCache:
    """Float32 vectors by key in one file. Any thread may call, and no call raises.

    What goes wrong (no space, no permission, a damaged file) is told in `notices`, a sentence each, and
    the work goes on without what cannot be kept. `limit` is in bytes.
    """

    def __init__(self, path: Path, limit: int):
        self.path, self.limit = path, limit
        self._file = Database(path, _SCHEMA, "vector cache", f"Free some space, or name a folder in {FOLDER}")

    @property
    def notices(self) -> tuple[str, ...]:
        """What went wrong since the process began or the cache was cleared."""
        return tuple(self._file.notices)

    def get(self, keys: Sequence[bytes]) -> dict[bytes, np.ndarray]:
        """Key -> (d,) float32 of those that are stored whole."""
        found: dict[bytes, np.ndarray] = {}
        now, old = int(time.time()), []
        with self._file.using() as database:
            for low in range(0, len(keys) if database else 0, AT_ONCE):
                part = list(keys[low : low + AT_ONCE])
                asked = f"SELECT key, used, content FROM vectors WHERE key IN ({','.join('?' * len(part))})"
                for key, used, content in database.execute(asked, part):
                    if (vector := _unpacked(content)) is not None:
                        found[key] = vector
                        if used < now - SECONDS_APART:
                            old.append((now, key))
            if old and self._file.writes:
                with suppress(sqlite3.OperationalError), database:
                    database.executemany("UPDATE vectors SET used = ? WHERE key = ?", old)
        return found

    def put(self, vectors: Mapping[bytes, np.ndarray]) -> None:
        """Stores all of these or none, and forgets what is over the limit."""
        with self._file.using(writes=True) as database:
            if not database or not vectors:
                return
            now = int(time.time())
            rows = [(key, now, _packed(vector)) for key, vector in vectors.items()]
            with database:
                database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
            if _used(database) > self.limit:
                _trim(database, self.limit * 9 // 10)

    def clear(self) -> None:
        """Forgets everything and gives the space back; what had failed is tried again."""
        self._file.again()
        with self._file.using(writes=True) as database:
            if database:
                _trim(database, 0)
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def size(self) -> Size:
        """What is stored now; a damaged file that was set aside counts until it is cleared."""
        count = 0
        with self._file.using() as database:
            if database:
                count = database.execute("SELECT count(*) FROM vectors").fetchone()[0]
        return Size(count, self._file.bytes(), self.limit)


def vector_cache() -> VectorCache | None:
    """The cache that the environment names, None where it is turned off. ParamError for a wrong size."""
    folder, size = os.environ.get(FOLDER, ""), os.environ.get(MEGABYTES, "1024")
    if folder == "off":
        return None
    if not (size.isascii() and size.isdecimal() and len(size) < 10 and int(size)):
        raise ParamError("vector cache", MEGABYTES, "a whole number of megabytes, at least 1", size)
    place = Path(folder).expanduser() if folder else _platform_folder()
    # Without a home directory there is no place for it.
    return _cache(place, int(size) << 20) if folder or place.is_absolute() else None


def cache_notices() -> tuple[str, ...]:
    """What a reader must know about the cache in use, each a sentence."""
    try:
        cache = vector_cache()
    except ParamError as error:
        return (str(error),)
    return cache.notices if cache else ()


def key_of(identity: str, content: str | bytes) -> bytes:
    """20 bytes that name what a model, itself named by its identity, makes of this content."""
    content = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return hashlib.blake2b(content, digest_size=20, key=hashlib.sha256(identity.encode()).digest()).digest()


@lru_cache(maxsize=8)
def _cache(folder: Path, limit: int) -> VectorCache:
    return VectorCache(folder / FILE, limit)


def _platform_folder() -> Path:
    home = os.path.expanduser("~")
    if sys.platform == "darwin":
        return Path(home, "Library", "Caches", "chunklab")
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path(home, "AppData", "Local"), "chunklab", "Cache")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path(home, ".cache"), "chunklab")


def _used(database: sqlite3.Connection) -> int:
    """The bytes of the pages in use."""
    pages, free = (
        database.execute(f"PRAGMA {each}").fetchone()[0] for each in ("page_count", "freelist_count")
    )
    return (pages - free) * PAGE


def _trim(database: sqlite3.Connection, left: int) -> None:
    """Drops what was used longest ago until so many bytes are left, and shrinks the file."""
    oldest = "DELETE FROM vectors WHERE rowid IN (SELECT rowid FROM vectors ORDER BY used, rowid LIMIT 200)"
    with database:
        while _used(database) > left and database.execute(oldest).rowcount > 0:
            pass
    database.executescript("PRAGMA incremental_vacuum")


def _packed(vector: np.ndarray) -> bytes:
    content = np.ascontiguousarray(vector, dtype="<f4").tobytes()
    return zlib.crc32(content).to_bytes(4, "little") + content


def _unpacked(content: bytes) -> np.ndarray | None:
    """The vector, None where its checksum is wrong."""
    if len(content) < 8 or zlib.crc32(content[4:]).to_bytes(4, "little") != content[:4]:
        return None
    return np.frombuffer(content, dtype="<f4", offset=4)
