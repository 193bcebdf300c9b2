"""The vectors on disk: kept whole, bounded, shared, and never in anybody's way."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import chunklab.vector_cache as cache_module
from chunklab.database import PAGE
from chunklab.embedders.minilm import Minilm
from chunklab.errors import ParamError
from chunklab.kept import Kept
from chunklab.vector_cache import FILE, VectorCache, cache_notices, key_of, vector_cache

ROOT = Path(__file__).resolve().parents[1]


def row(number: int, dims: int = 384) -> np.ndarray:
    """A vector that says its number in every place."""
    return np.full(dims, number, dtype=np.float32) + np.arange(dims, dtype=np.float32) / 1024


def rows(*numbers: int) -> dict[bytes, np.ndarray]:
    return {key_of("test", str(each)): row(each) for each in numbers}


def holds(cache: VectorCache, numbers) -> list[int]:
    """Which of the numbers are stored; each must be stored right."""
    keys = {key_of("test", str(each)): each for each in numbers}
    found = cache.get(list(keys))
    assert all(np.array_equal(vector, row(keys[key])) for key, vector in found.items())
    return sorted(keys[key] for key in found)


@pytest.fixture
def cache(tmp_path: Path) -> VectorCache:
    return VectorCache(tmp_path / "folder" / FILE, 64 << 20)


def process(code: str, folder: Path, **env: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-u", "-c", code], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "CHUNKLAB_CACHE": str(folder), "PYTHONWARNINGS": "ignore", **env},
    )  # fmt: skip


def output(running: subprocess.Popen) -> str:
    out, errors = running.communicate(timeout=300)
    assert running.returncode == 0, errors
    return out


# --- Kept ------------------------------------------------------------------------------------------------------


def test_what_is_put_is_got_bit_by_bit(cache: VectorCache) -> None:
    assert cache.get([key_of("test", "1")]) == {} and cache.size().vectors == 0
    cache.put(rows(*range(1200)))
    assert holds(cache, range(1300)) == list(range(1200))
    assert holds(VectorCache(cache.path, cache.limit), range(1200)) == list(range(1200))
    assert cache.size().vectors == 1200 and cache.size().bytes > 1200 * 384 * 4 and cache.notices == ()
    cache.put({key_of("test", "0"): row(5)})
    assert np.array_equal(cache.get([key_of("test", "0")])[key_of("test", "0")], row(5))
    assert cache.size().vectors == 1200


def test_keys_tell_models_and_texts_apart() -> None:
    keys = {
        key_of(*each)
        for each in (("a", "b"), ("ab", ""), ("", "ab"), ("a", "c"), ("a", "\ud800"), ("a", b"x"))
    }
    assert len(keys) == 6 and all(len(each) == 20 for each in keys) and key_of("a", "x") == key_of("a", b"x")


def test_no_text_is_stored(cache: VectorCache, monkeypatch) -> None:
    monkeypatch.setenv("CHUNKLAB_CACHE", str(cache.path.parent))
    Minilm().embed(["the confidential crown jewels"])
    assert cache.size().vectors == 1
    assert not any(b"confidential" in each.read_bytes() for each in cache.path.parent.iterdir())
    assert cache.path.parent.stat().st_mode & 0o077 == 0


def test_clearing_gives_the_space_back(cache: VectorCache) -> None:
    cache.put(rows(*range(3000)))
    before = cache.size().bytes
    cache.clear()
    assert holds(cache, range(3000)) == [] and cache.size().vectors == 0 and cache.size().bytes < before / 20
    cache.put(rows(1))
    assert holds(cache, [1]) == [1]


def test_what_was_used_longest_ago_goes_first(tmp_path: Path, monkeypatch) -> None:
    cache = VectorCache(tmp_path / FILE, 2 << 20)
    monkeypatch.setattr(cache_module, "SECONDS_APART", 0)
    now = 1_000_000
    monkeypatch.setattr(cache_module.time, "time", lambda: now)
    for step in range(40):
        now += 10
        cache.put(rows(*range(step * 50, step * 50 + 50)))
        now += 10
        assert holds(cache, [0, 1]) == [0, 1]
        # Beside the file there is SQLite's log of what is not in it yet.
        assert cache.size().bytes < cache.limit + (4 << 20)
    left = holds(cache, range(2000))
    assert left[:2] == [0, 1] and left[2] > 500 and left[2:] == list(range(left[2], 2000))
    with sqlite3.connect(cache.path) as database:
        assert database.execute("PRAGMA page_count").fetchone()[0] * PAGE <= cache.limit


# --- Faults ----------------------------------------------------------------------------------------------------


def test_a_full_disk_costs_nothing_but_the_cache(cache: VectorCache, monkeypatch) -> None:
    """The error is SQLite's own for a full disk, brought about by the most pages that it may use."""
    monkeypatch.setenv("CHUNKLAB_CACHE", str(cache.path.parent))
    monkeypatch.setenv("CHUNKLAB_CACHE_MB", "64")
    cache = vector_cache()
    cache.put(rows(1, 2, 3))
    with cache._file.using() as database:
        pages = database.execute("PRAGMA page_count").fetchone()[0]
        database.execute(f"PRAGMA max_page_count = {pages + 2}")
    kept = Kept()
    keys = [key_of("test", str(each)) for each in range(100, 400)]
    made = kept.rows(keys, [1] * 300, lambda batch: np.stack([row(at + 100) for at in batch]), "vectors made")
    assert [int(each[0]) for each in made] == list(range(100, 400))
    assert holds(cache, [1, 2, 3]) == [1, 2, 3]
    (said,) = cache_notices()
    assert said == (
        "vector cache: the disk is full; the work goes on and nothing new is kept. "
        "Free some space, or name a folder in CHUNKLAB_CACHE."
    )
    assert len(kept.find(keys)) == 300, "in memory"
    # With space again it works again.
    with cache._file.using() as database:
        database.execute("PRAGMA max_page_count = 1000000")
    cache.clear()
    cache.put(rows(7))
    assert holds(cache, [7]) == [7] and cache_notices() == ()


def test_a_write_that_the_system_refuses(tmp_path: Path) -> None:
    code = (
        "import resource\n"
        "from tests.test_vector_cache import *\n"
        "cache = vector_cache()\n"
        "cache.put(rows(1, 2))\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))\n"
        "cache.put(rows(*range(1000)))\n"
        "print(holds(cache, range(1000)), *cache.notices)"
    )
    out = output(process(code, tmp_path))
    assert out.startswith("[1, 2] vector cache: ") and "the work goes on and nothing new is kept" in out


@pytest.mark.parametrize("damage", ["garbage", "beginning", "middle", "empty table"])
def test_a_damaged_file_is_set_aside_and_begun_anew(cache: VectorCache, damage: str) -> None:
    cache.put(rows(*range(500)))
    del cache._file._open
    with sqlite3.connect(cache.path) as database:
        if damage == "empty table":
            database.execute("ALTER TABLE vectors RENAME TO other")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    database.close()
    content = bytearray(cache.path.read_bytes())
    if damage == "garbage":
        content = bytearray(b"no database at all " * 5000)
    elif damage == "beginning":
        content[16:4000] = os.urandom(3984)
    elif damage == "middle":
        content[PAGE:] = os.urandom(len(content) - PAGE)
    cache.path.write_bytes(content)
    again = VectorCache(cache.path, cache.limit)
    assert holds(again, range(500)) == []
    again.put(rows(1))
    assert holds(again, [1]) == [1], again.notices
    if damage != "empty table":
        (said,) = again.notices
        assert (
            said == f"vector cache: its file was damaged; it was set aside as {FILE}.damaged and begun anew."
        )
        assert bytes(content) == again.path.with_name(f"{FILE}.damaged").read_bytes()
        again.clear()
        assert not again.path.with_name(f"{FILE}.damaged").exists() and again.notices == ()


def test_a_vector_with_a_wrong_checksum_is_made_anew(cache: VectorCache) -> None:
    cache.put(rows(1, 2))
    with sqlite3.connect(cache.path) as database:
        (content,) = database.execute(
            "SELECT content FROM vectors WHERE key = ?", (key_of("test", "1"),)
        ).fetchone()
        broken = bytes([content[0], *content[1:400], content[400] ^ 1, *content[401:]])
        database.execute("UPDATE vectors SET content = ? WHERE key = ?", (broken, key_of("test", "1")))
    database.close()
    assert holds(cache, [1, 2]) == [2]


def test_a_place_that_is_no_folder(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("CHUNKLAB_CACHE", str(tmp_path / "file"))
    assert Minilm().embed(["a text in a place that is no folder"]).shape == (1, 384)
    assert len(cache_notices()) == 1 and "cannot be used" in cache_notices()[0]
    assert str(tmp_path) not in cache_notices()[0]


# --- Which cache -----------------------------------------------------------------------------------------------


def test_the_environment_decides(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("CHUNKLAB_CACHE", "off")
    assert vector_cache() is None and cache_notices() == ()
    monkeypatch.setenv("CHUNKLAB_CACHE", str(tmp_path))
    assert vector_cache().path == tmp_path / FILE and vector_cache().limit == 1024 << 20
    monkeypatch.setenv("CHUNKLAB_CACHE_MB", "7")
    assert vector_cache().limit == 7 << 20 and vector_cache() is vector_cache()
    for wrong in ("0", "-1", "1.5", "much", "²", ""):
        monkeypatch.setenv("CHUNKLAB_CACHE_MB", wrong)
        with pytest.raises(ParamError, match="CHUNKLAB_CACHE_MB must be a whole number of megabytes"):
            vector_cache()
        assert len(cache_notices()) == 1
    monkeypatch.delenv("CHUNKLAB_CACHE_MB")
    monkeypatch.delenv("CHUNKLAB_CACHE")
    monkeypatch.setattr(cache_module.sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert vector_cache().path == tmp_path / "xdg" / "chunklab" / FILE
    assert not (tmp_path / "xdg").exists(), "nothing is made before it is used"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(cache_module.os.path, "expanduser", lambda path: path)
    assert vector_cache() is None, "no home, no cache"


# --- Processes -------------------------------------------------------------------------------------------------

EVALUATION = (
    "import sys\n"
    "import chunklab.neural as neural\n"
    "from chunklab.corpus import load_corpus\n"
    "from chunklab.experiment import evaluate\n"
    "from chunklab.recipe import parse_component\n"
    "encode, read, seen = neural.Neural._encode, neural.Neural._read, []\n"
    "neural.Neural._encode = lambda self, texts: seen.extend(texts) or encode(self, texts)\n"
    "neural.Neural._read = lambda self, windows, prefix: seen.extend(windows) or read(self, windows, prefix)\n"
    "found = evaluate(load_corpus('sample_corpora/prose'), {recipe!r}, parse_component('embedders', 'minilm'),\n"
    "                 parse_component('retrievers', 'dense'), ks=(1, 5))\n"
    "print(len(seen), 'torch' in sys.modules, found.ranking.indices.tolist(), found.ranking.scores.tolist())"
)


@pytest.mark.parametrize("recipe", ["recursive(size=400)", "recursive(size=400) | late()"])
def test_a_second_run_in_another_process_encodes_nothing(tmp_path: Path, recipe: str) -> None:
    first, second = (
        output(process(EVALUATION.format(recipe=recipe), tmp_path)).split(" ", 2) for _ in range(2)
    )
    assert int(first[0]) > 10 and second[0] == "0"
    assert second[2] == first[2], "the same ranking, bit by bit"
    # Without late(), which needs the tokens of the document, not even the model is loaded.
    assert second[1] == str("late" in recipe)
    assert VectorCache(tmp_path / FILE, 1 << 30).size().vectors == int(first[0])


def test_what_was_encoded_before_a_kill_is_not_encoded_again(tmp_path: Path) -> None:
    code = (
        "from tests.test_vector_cache import *\n"
        "cache = vector_cache()\n"
        "for step in range(10**6):\n"
        "    cache.put(rows(*range(step * 20, step * 20 + 20)))\n"
        "    print(step)"
    )
    for killed in range(3):
        running = process(code, tmp_path)
        for _ in range(30 + 7 * killed):
            assert running.stdout.readline(), running.stderr.read()
        running.send_signal(signal.SIGKILL)
        said = [int(each) for each in running.stdout.read().split()]
        running.wait()
        assert running.returncode == -signal.SIGKILL
        done = (said[-1] if said else 29 + 7 * killed) * 20 + 20
        cache = VectorCache(tmp_path / FILE, 1 << 30)
        left = holds(cache, range(done + 40))
        assert left[:done] == list(range(done)) and len(left) % 20 == 0 and cache.notices == ()
        with sqlite3.connect(cache.path) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        database.close()
        cache.clear()


def _write(path: str, low: int) -> tuple[str, ...]:
    cache = VectorCache(Path(path), 64 << 20)
    for at in range(low, low + 1000, 10):
        cache.put(rows(*range(at, at + 10)))
        assert holds(cache, range(low, at + 10)) == list(range(low, at + 10))
    return cache.notices


def test_processes_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "new" / FILE
    with ProcessPoolExecutor(3, mp_context=get_context("spawn")) as pool:
        told = list(pool.map(_write, [str(path)] * 3, [0, 500, 3000]))
    assert told == [()] * 3
    assert holds(VectorCache(path, 64 << 20), range(5000)) == [*range(1500), *range(3000, 4000)]


def test_a_forked_process_opens_its_own(cache: VectorCache) -> None:
    cache.put(rows(1))
    child = os.fork()
    if not child:
        try:
            cache.put(rows(2))
            os._exit(0 if holds(cache, [1, 2]) == [1, 2] else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    cache.put(rows(3))
    assert holds(cache, [1, 2, 3]) == [1, 2, 3]


def test_a_lock_held_by_another_process_is_waited_for(cache: VectorCache, monkeypatch) -> None:
    cache.put(rows(1))
    code = (
        "import sqlite3, sys, time\n"
        "database = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "database.execute('BEGIN IMMEDIATE'); print('held'); time.sleep(1); database.execute('COMMIT')"
    )
    holder = subprocess.Popen(
        [sys.executable, "-uc", code, str(cache.path)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "held\n"
    cache.put(rows(2))
    assert holder.wait() == 0 and holds(cache, [1, 2]) == [1, 2] and cache.notices == ()


# --- Memory before disk ----------------------------------------------------------------------------------------


def test_memory_is_bounded_and_asked_first(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("CHUNKLAB_CACHE", str(tmp_path))
    kept, made = Kept(numbers=384 * 10), []

    def make(batch: list[int]) -> np.ndarray:
        made.extend(batch)
        return np.stack([row(at) for at in batch])

    keys = [key_of("test", str(each)) for each in range(40)]
    lengths = [at % 7 for at in range(40)]
    kept.rows([*keys, *keys[:5]], [*lengths, *lengths[:5]], make, "vectors made")
    assert sorted(at % 40 for at in made) == list(range(40))
    assert [lengths[at % 40] for at in made] == sorted(lengths, reverse=True), "the longest first"
    assert len(kept._rows) == 10
    monkeypatch.setattr(VectorCache, "get", lambda self, asked: pytest.fail(f"asked for {len(asked)}"))
    newest = [keys[at % 40] for at in made[-5:]]
    assert kept.rows(newest, [1] * 5, make, "vectors made")[0].shape == (384,) and len(made) == 40


def test_a_batch_is_kept_before_the_next_one_begins(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("CHUNKLAB_CACHE", str(tmp_path))
    keys = [key_of("test", str(each)) for each in range(100)]

    def make(batch: list[int]) -> np.ndarray:
        if 99 in batch:
            raise KeyboardInterrupt
        return np.stack([row(at) for at in batch])

    with pytest.raises(KeyboardInterrupt):
        Kept().rows(keys, [1] * 100, make, "vectors made")
    assert holds(vector_cache(), range(100)) == list(range(96))
    assert (
        len(Kept().rows(keys[:96], [1] * 96, lambda batch: pytest.fail("made again"), "vectors made")) == 96
    )


def test_time_is_not_spent_on_looking_up(cache: VectorCache) -> None:
    """A lookup writes nothing as long as the last use is near."""
    cache.put(rows(1))
    changes = cache._file._open.total_changes
    assert holds(cache, [1]) == [1] and cache._file._open.total_changes == changes
    with sqlite3.connect(cache.path) as database:
        database.execute("UPDATE vectors SET used = ?", (int(time.time()) - 7200,))
    database.close()
    assert holds(cache, [1]) == [1] and cache._file._open.total_changes == changes + 1
