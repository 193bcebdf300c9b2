"""Sweeps: equal to measuring each setting alone, work done once, any executor, and a file that survives a kill."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from chunklab.chunking import chunk
from chunklab.corpus import Corpus, load_corpus
from chunklab.coverage import duplication
from chunklab.embedders import hashing, static
from chunklab.embedders.base import Embedder
from chunklab.embedders.hashing import Hashing
from chunklab.embedders.static import Static
from chunklab.errors import ChunklabError, ParamError, RecipeError
from chunklab.experiment import evaluate
from chunklab.grid import parse_grid
from chunklab.progress import listening
from chunklab.retrievers.bm25 import Bm25
from chunklab.retrievers.dense import Dense
from chunklab.retrievers.hybrid import Hybrid
from chunklab.sweep import sweep
from chunklab.sweep.result import from_json
from chunklab.tokens import sums
from chunklab.tokens.counting import count_spans
from chunklab.tokens.ngrams import WORK
from chunklab.types import Document
from tests.reference import SHARED, expected, fixture

ROOT = Path(__file__).resolve().parents[1]
MIXED = (
    "recursive(size=[80,200,400],overlap=[0,20%]) | [itself(),headings()] | [itself(),parent(size=900)];"
    "fixed(size=[61,150],overlap=[0,31]); fixed(size=[20,60],unit=[words,tokens]); sentence(n=[1,2]); markdown"
)


@lru_cache
def corpus(name: str = "mixed") -> Corpus:
    return load_corpus(ROOT / "sample_corpora" / name)


def fresh(name: str = "mixed") -> Corpus:
    return load_corpus(ROOT / "sample_corpora" / name)


class HashingAnew(Hashing):
    """Embeds each chunk's text by itself."""

    def similarities(self, queries, chunks):
        return Embedder.similarities(self, queries, chunks)


class StaticAnew(Static):
    """Embeds each chunk's text by itself."""

    def similarities(self, queries, chunks):
        return Embedder.similarities(self, queries, chunks)


READ: list[list[str]] = []


@dataclass(frozen=True)
class Letters(Embedder):
    """Counts letters, and keeps what it was given, call by call."""

    def embed(self, texts):
        READ.append(list(texts))
        counts = np.array(
            [[each.count(letter) for letter in "etaoinshr"] for each in texts], dtype=np.float32
        )
        counts = counts.reshape(len(texts), 9)
        lengths = np.linalg.norm(counts, axis=1, keepdims=True)
        return counts / np.where(lengths == 0, 1, lengths)


def assert_equal(one, other) -> None:
    assert one.recipe == other.recipe and one.problem == other.problem
    assert one.to_json() == other.to_json()


# --- Equal to measuring each setting alone ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("embedder", "retriever"),
    [
        (Hashing(), Dense()),
        (Static(), Hybrid()),
        (Letters(), Dense()),
        (Letters(), Hybrid()),
        (Hashing(), Bm25()),
    ],
    ids=["hashing", "static, hybrid", "letters", "letters, hybrid", "words"],
)
def test_a_sweep_gives_what_evaluate_gives(embedder, retriever):
    ks, budgets, measures = (1, 5), (200,), ("recall", "ndcg", "mrr", "document_recall")
    done = sweep(corpus(), MIXED, embedder, retriever, ks, budgets, measures).run()
    assert [each.recipe for each in done.results] == list(map(str, parse_grid(MIXED).recipes))
    for each in done.results:
        alone = evaluate(fresh(), each.recipe, embedder, retriever, ks, None, budgets, measures)
        assert list(each.values) == list(alone.values) and each.costs["chunks"] == alone.chunks
        for name, values in alone.values.items():
            assert np.array_equal(each.values[name], values), (each.recipe, name)


@pytest.mark.parametrize(("embedder", "anew"), [(Hashing(), HashingAnew()), (Hashing(ngrams=3), HashingAnew(ngrams=3)),
                                                (Static(), StaticAnew())], ids=["hashing", "triples", "static"])  # fmt: skip
@pytest.mark.parametrize(
    ("name", "grid"),
    [("mixed", MIXED), ("topics", "recursive(size=[90,300],overlap=[0,20%]); fixed(size=61,overlap=31)")],
    ids=["mixed", "topics"],
)
def test_the_short_way_finds_the_hits_of_embedding_every_text(name, grid, embedder, anew):
    known = corpus(name)
    for recipe in parse_grid(grid).recipes:
        chunks = [chunk(each, recipe) for each in known.documents]
        short, direct = (evaluate(known, recipe, each, Dense(), chunks=chunks) for each in (embedder, anew))
        assert np.abs(short.ranking.scores - direct.ranking.scores).max() < 1e-6
        moved = short.ranking.indices != direct.ranking.indices
        # Where the order differs, the chunks are as near as rounding lets one tell.
        for row, column in np.argwhere(moved):
            near = np.abs(direct.ranking.scores[row] - direct.ranking.scores[row, column]) < 2e-6
            assert near.sum() > 1


def test_a_document_is_hashed_once_for_all_settings():
    known = fresh("prose")
    queries = sum(len(each.text) for each in known.questions)
    before = WORK.characters
    sweep(known, "recursive(size=50..400:25,overlap=[0,20%]); fixed(size=[99,100])", Hashing(), Dense()).run()
    assert WORK.characters - before <= len(known.documents[0].text) + queries


def test_a_long_document_keeps_fewer_sums_and_gives_the_same(monkeypatch):
    text = corpus("prose").documents[0].text * 2
    grid = parse_grid("recursive(size=[60,300],overlap=[0,20%]); fixed(size=[47,200])").recipes
    queries = [each.text for each in corpus("prose").questions]
    for embedder in (Hashing(), Hashing(ngrams=3), Static()):
        few, many = Document("few", text + "few."), Document("many", text + "few.")
        with monkeypatch.context() as small:
            small.setattr(sums, "NUMBERS", 2000)
            found = [embedder.similarities(queries, chunk(few, each)) for each in grid]
        # What is kept goes by the text: let another one push it out.
        for kept in (hashing._products, static._sums_of):
            kept._kept.clear()
        assert all(
            np.array_equal(one, embedder.similarities(queries, chunk(many, each)))
            for one, each in zip(found, grid, strict=True)
        )


def test_every_text_is_encoded_once_over_the_whole_sweep():
    grid = (
        "recursive(size=[100,150,5000]) | [itself(),headings()] | [itself(),parent()]; fixed(size=[100,6000])"
    )
    READ.clear()
    sweep(fresh(), grid, Letters(), Dense()).run()
    read = [text for texts in READ for text in texts if text]
    wanted = {each.text for each in corpus().questions}
    for recipe in parse_grid(grid).recipes:
        for each in corpus().documents:
            cut = chunk(each, recipe)
            wanted |= {a + b for a, b in zip(cut.contexts or [""] * len(cut), cut.texts, strict=True)}
    assert len(read) == len(set(read)) and set(read) == wanted
    # The whole document is a chunk of three recipes.
    assert len(wanted) < sum(
        len(chunk(corpus().documents[0], each)) for each in parse_grid(grid).recipes
    ) + len(corpus().questions)


def test_small_settings_share_a_call_and_large_ones_do_not_wait():
    READ.clear()
    made = sweep(fresh(), "fixed(size=[200,210,220,230,240])", Letters(), Dense())
    next(iter(made))
    assert len([texts for texts in READ if any(texts)]) == 1
    READ.clear()
    made = sweep(fresh("topics"), "fixed(size=[30,31,32])", Letters(), Dense())
    next(iter(made))
    assert len({text for texts in READ for text in texts}) < 1200


def test_bm25_embeds_nothing():
    READ.clear()
    done = sweep(corpus(), "fixed(size=[100,200])", Letters(), Bm25()).run()
    assert not READ and len(done.measured) == 2 and done.results[0].costs["index_bytes"] == 0


def test_late_chunking_reads_a_document_once():
    from chunklab.embedders.minilm import Minilm

    heard = []
    with listening(lambda *told: heard.append(told)):
        done = sweep(fresh("prose"), "fixed(size=[150,200,300]) | late()", Minilm(), Dense()).run()
    assert len(done.measured) == 3
    assert sum(what == "tokens read" and reached == total for what, reached, total in heard) <= 1
    for each in done.results:
        alone = evaluate(corpus("prose"), each.recipe, Minilm(), Dense())
        assert all(np.array_equal(each.values[name], alone.values[name]) for name in alone.values)


# --- Executors -------------------------------------------------------------------------------------------------


class Backwards(Executor):
    """Does what was submitted last first, and nothing before it is asked for the result."""

    _max_workers = 50

    def __init__(self):
        self.waiting = []

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        self.waiting.append((future, fn, args, kwargs))
        if len(self.waiting) == 10:
            self.work()
        return future

    def work(self):
        while self.waiting:
            future, fn, args, kwargs = self.waiting.pop()
            future.set_result(fn(*args, **kwargs))


@pytest.mark.parametrize("embedder", [Hashing(), Letters()], ids=lambda each: type(each).__name__)
def test_threads_give_the_same(embedder):
    alone = sweep(corpus(), MIXED, embedder, Dense()).run()
    with ThreadPoolExecutor(3) as pool:
        done = sweep(fresh(), MIXED, embedder, Dense(), executor=pool).run()
        assert len(done.results) == len(done)
    for one, other in zip(alone.results, done.results, strict=True):
        assert_equal(one, other)


def test_processes_give_the_same_and_need_nothing_from_this_one():
    alone = sweep(corpus(), MIXED, Static(), Hybrid(), budgets=(300,)).run()
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        done = sweep(corpus(), MIXED, Static(), Hybrid(), budgets=(300,), executor=pool)
        came = [each.recipe for each in done]
    assert sorted(came) == sorted(each.recipe for each in alone.results)
    for one, other in zip(alone.results, done.results, strict=True):
        assert_equal(one, other)


def test_results_come_as_they_are_done_and_stand_in_the_order_of_the_grid(tmp_path):
    grid, pool = "fixed(size=100..190:10)", Backwards()
    done = sweep(corpus(), grid, Hashing(), Dense(), executor=pool, path=tmp_path / "backwards.jsonl")
    came = [each.recipe for each in done]
    assert came and set(came) == {each.recipe for each in done.results}
    sweep(corpus(), grid, Hashing(), Dense(), path=tmp_path / "in order.jsonl").run()
    assert (tmp_path / "backwards.jsonl").read_bytes() == (tmp_path / "in order.jsonl").read_bytes()


# --- Progress, cancelling, faults ------------------------------------------------------------------------------


def test_progress_is_told_and_what_is_done_when_it_is_cancelled_is_kept():
    heard = []

    def until_three(what, done, total):
        heard.append((what, done, total))
        if done == 3:
            raise KeyboardInterrupt

    made = sweep(corpus(), "fixed(size=100..190:10)", Hashing(), Dense())
    with pytest.raises(KeyboardInterrupt), listening(until_three):
        made.run()
    assert heard == [("settings measured", at, 10) for at in (1, 2, 3)]
    assert len(made.results) == 3
    kept = made.results
    assert [each.recipe for each in made] == [f"fixed(size={size})" for size in range(130, 200, 10)]
    assert made.results[:3] == kept and len(made.results) == 10


def test_a_model_tells_how_many_texts_there_are_in_all():
    heard = []
    with listening(lambda *told: heard.append(told)):
        sweep(fresh("topics"), "fixed(size=[60,70,80])", Letters(), Dense()).run()
    totals = {total for what, _, total in heard if what == "texts embedded"}
    reached = [done for what, done, _ in heard if what == "texts embedded"]
    assert len(totals) == 1 and reached == sorted(reached) and reached[-1] == totals.pop()


def test_a_setting_that_cannot_be_measured_says_why_and_ends_nothing(tmp_path):
    path = tmp_path / "sweep.jsonl"
    done = sweep(corpus(), "fixed(size=[100,200]) | [late(),itself()]", Hashing(), Dense(), path=path).run()
    assert [bool(each.problem) for each in done.results] == [True, False, True, False]
    assert "late() needs an embedder with token vectors" in done.results[0].problem
    assert len(done.measured) == 2 and done.results[0].mean("recall@5") is None
    assert len(path.read_text().splitlines()) == 3


def test_an_embedder_that_fails_ends_the_sweep_with_its_own_words():
    @dataclass(frozen=True)
    class Broken(Embedder):
        def embed(self, texts):
            return np.full((len(texts), 3), np.nan, dtype=np.float32)

    with pytest.raises(ChunklabError, match="must have finite numbers"):
        sweep(corpus(), "fixed(size=[100,200])", Broken(), Dense()).run()


@pytest.mark.parametrize(
    ("change", "kind"),
    [({"ks": (0,)}, ParamError), ({"budgets": (0,)}, ParamError), ({"measures": ("recal",)}, ParamError),
     ({"grids": "fixed(size=[])"}, RecipeError), ({"ks": ()}, ParamError)],
)  # fmt: skip
def test_what_cannot_be_read_is_told_before_anything_is_measured(change, kind):
    settings = {"grids": "fixed(size=[100])", "ks": (5,), "budgets": (), "measures": ("recall",)} | change
    with pytest.raises(kind):
        sweep(corpus(), settings.pop("grids"), Hashing(), Dense(), **settings)


def test_no_questions_and_no_documents():
    for empty in (Corpus("none", ()), Corpus("no questions", corpus().documents)):
        done = sweep(empty, "fixed(size=[100,200])", Hashing(), Dense(), tokens=True, controls=True).run()
        assert len(done.measured) == 2
        assert all(
            each.mean("recall@5") is None and each.mean("duplicates@5") is None for each in done.results
        )
        json.dumps(done.to_json(per_question=True), allow_nan=False)


# --- Costs -----------------------------------------------------------------------------------------------------


def test_costs_are_those_of_the_chunks_and_of_what_is_returned():
    done = sweep(corpus("topics"), "recursive(size=[90,200],overlap=20%) | itself() | [itself(),parent(size=300)]",
                 Hashing(), Dense(), (1, 5), tokens=True).run()  # fmt: skip
    for each in done.results:
        chunks = [chunk(document, each.recipe) for document in corpus("topics").documents]
        alone = evaluate(corpus("topics"), each.recipe, Hashing(), Dense(), (1, 5), chunks)
        kept = sum(len(text) for cut in chunks for text in cut.texts)
        once = sum(len(text) for cut in chunks for text in cut.texts) / (1 + each.costs["duplication"])
        assert (
            each.costs["characters"] == each.costs["embedded"] == kept
            and each.costs["index_bytes"] == alone.chunks * 1024 * 4
        )
        assert once == pytest.approx(
            sum(len("".join(cut.texts)) / (1 + duplication(cut.spans)) for cut in chunks)
        )
        counts = np.concatenate([count_spans(cut.document.text, cut.returned, "cl100k") for cut in chunks])
        assert np.array_equal(
            each.spent["returned_tokens@5"], counts[alone.ranking.indices[:, :5]].sum(axis=1)
        )
        places = [(at, *span) for at, cut in enumerate(chunks) for span in cut.returned.tolist()]
        for row, ranked in enumerate(alone.ranking.indices[:, :5].tolist()):
            top = [places[at] for at in ranked]
            assert each.spent["returned_characters@5"][row] == sum(end - start for _, start, end in top)
            met = [any(a is not b and a[0] == b[0] and a[1] < b[2] and b[1] < a[2] for b in top) for a in top]
            assert each.spent["duplicates@5"][row] == pytest.approx(sum(met) / len(top))
        assert (
            each.most("returned_tokens@5") >= each.mean("returned_tokens@5") >= each.mean("returned_tokens@1")
        )
        assert each.costs["tokens"] == pytest.approx(
            sum(cut.token_counts().sum() for cut in chunks), rel=0.02
        )


def test_tokens_are_counted_only_when_they_are_asked_for():
    plain, asked, budget = (
        sweep(corpus(), "fixed()", Hashing(), Dense(), **settings).run().results[0]
        for settings in ({}, {"tokens": True}, {"budgets": (100,)})
    )
    assert "tokens" not in plain.costs and "returned_tokens@5" not in plain.spent
    assert asked.costs == budget.costs and asked.costs["tokens"] > 0 and "recall@100tokens" in budget.values


@pytest.mark.skipif(not SHARED.exists(), reason="the reference results are not here")
def test_duplicates_and_inflation_are_those_of_the_reference():
    theirs = dict(expected()["fixture_sweep"]["hash"])
    done = sweep(
        fixture(), "fixed(size=[120,160,280,400],overlap=[0,20%])", Hashing(dims=256, words="ascii"), Dense()
    )
    for each in done:
        row = theirs[f"{each.axes['size']}/{20 if each.axes['overlap'] else 0}"]
        assert each.costs["chunks"] == row["n_chunks"]
        assert 1 + each.costs["duplication"] == pytest.approx(row["inflation"], abs=1e-4)
        assert each.mean("duplicates@5") == pytest.approx(row["dup_in_top5"], abs=1e-4)


def test_controls_are_chance_and_the_ceiling_where_asked_for():
    done = sweep(corpus(), "fixed(size=[100,300])", Hashing(), Dense(), (1, 5), controls=True, seed=3).run()
    for each in done.results:
        mean, low, high = each.chance["recall@5"]
        assert 0 <= low <= mean <= high <= 1
        assert (each.ceiling["recall@5"] >= each.values["recall@5"] - 1e-9).all()
        assert_equal(from_json(json.loads(json.dumps(each.to_json()))), each)
    assert sweep(corpus(), "fixed()", Hashing(), Dense()).run().results[0].chance == {}


def test_values_rows_and_scores():
    done = sweep(corpus(), "recursive(size=[100,200],overlap=[0,10%])", Hashing(), Dense(), (1, 5)).run()
    first = done.results[0]
    assert np.array_equal(first.value("failure@5"), 1 - first.value("recall@5"))
    assert first.mean("chunks") == first.costs["chunks"] and first.seconds > 0
    with pytest.raises(ParamError, match="metric must be one of"):
        first.value("recall@7")
    row = done.to_json()["rows"][3]
    assert (row["strategy"], row["size"], row["overlap"]) == ("recursive", 200, "10%")
    assert row["recall@5"] == done.results[3].mean("recall@5") and row["problem"] == ""
    alone = evaluate(corpus(), first.recipe, Hashing(), Dense(), (1, 5))
    assert done.scores()[: len(alone.rows())] == alone.rows()


# --- The file --------------------------------------------------------------------------------------------------

GRID = "recursive(size=60..600:20,overlap=[0,10%,20%])"


def to_file(path, grid=GRID, embedder=None, **settings):
    return sweep(corpus(), grid, embedder or Hashing(), Dense(), path=path, **settings)


CHILD = """
import multiprocessing, sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from chunklab.corpus import load_corpus
from chunklab.embedders.hashing import Hashing
from chunklab.retrievers.dense import Dense
from chunklab.sweep import sweep
pool = ProcessPoolExecutor(2, multiprocessing.get_context("fork")) if len(sys.argv) > 5 else None
for each in sweep(load_corpus(sys.argv[1]), sys.argv[2], Hashing(), Dense(), executor=pool, path=sys.argv[3]):
    print(each.recipe, flush=True)
    if len(sys.argv) > 4:
        sys.stdin.readline()
"""


def child(path: Path, *more: str) -> subprocess.Popen:
    arguments = [sys.executable, "-c", CHILD, str(ROOT / "sample_corpora" / "mixed"), GRID, str(path), *more]
    return subprocess.Popen(
        arguments, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )


def test_a_killed_sweep_goes_on_and_its_file_is_that_of_an_undisturbed_one(tmp_path):
    undisturbed, killed = tmp_path / "undisturbed.jsonl", tmp_path / "killed.jsonl"
    whole = to_file(undisturbed).run()
    for lines in (1, 7):
        with child(killed) as process:
            for _ in range(lines):
                assert process.stdout.readline()
            os.kill(process.pid, signal.SIGKILL)
    held = killed.read_bytes()
    assert len(held) < len(undisturbed.read_bytes())
    assert undisturbed.read_bytes().startswith(held[: held.rindex(b"\n") + 1]) and held.count(b"\n") > 7
    again = to_file(killed)
    came = list(again)
    assert killed.read_bytes() == undisturbed.read_bytes()
    assert sum(each.seconds is None for each in came) == held.count(b"\n") - 1
    for one, other in zip(whole.results, again.results, strict=True):
        assert_equal(one, other)


def test_what_is_done_is_on_the_disk_when_it_is_handed_out(tmp_path):
    path = tmp_path / "sweep.jsonl"
    for at, each in enumerate(to_file(path, "fixed(size=[100,200,300])"), 1):
        last = path.read_bytes().splitlines()[at]
        assert json.loads(last)["recipe"] == each.recipe


def test_a_torn_last_line_is_dropped_wherever_it_is_torn(tmp_path):
    path, grid = tmp_path / "sweep.jsonl", "fixed(size=[100,200])"
    to_file(path, grid).run()
    whole = path.read_bytes()
    for end in {
        *range(0, len(whole), 997),
        *(at + 1 for at, each in enumerate(whole) if each == 10),
        len(whole) - 1,
    }:
        path.write_bytes(whole[:end])
        assert len(to_file(path, grid).run().measured) == 2
        assert path.read_bytes() == whole


def test_a_larger_grid_uses_what_a_smaller_one_measured(tmp_path):
    path, other = tmp_path / "sweep.jsonl", tmp_path / "other.jsonl"
    to_file(path, "fixed(size=[300,100])").run()
    done = to_file(path, "fixed(size=[100,200,300])").run()
    assert [each.seconds is None for each in done.results] == [True, False, True]
    to_file(other, "fixed(size=[100,200,300])").run()
    assert path.read_bytes() == other.read_bytes()
    # What a smaller grid does not ask for stays in the file.
    to_file(path, "fixed(size=200)").run()
    assert sorted(path.read_bytes().splitlines()) == sorted(other.read_bytes().splitlines())


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"embedder": Static()}, "embedder is 'hashing()' there and 'static()' here"),
        ({"ks": (1, 2)}, "ks is [1, 3, 5, 10] there and [1, 2] here"),
        ({"budgets": (100,)}, "budgets is"),
        ({"measures": ("recall",)}, "measures is"),
        ({"seed": 1}, "seed is 0 there and 1 here"),
        ({"controls": True}, "controls is"),
    ],
)
def test_the_file_of_another_sweep_is_refused_and_left_alone(tmp_path, settings, words):
    path = tmp_path / "sweep.jsonl"
    to_file(path, "fixed(size=100)").run()
    before = path.read_bytes()
    with pytest.raises(ChunklabError, match="holds another sweep") as caught:
        to_file(path, "fixed(size=[100,200])", **settings).run()
    assert words in str(caught.value) and "\n" not in str(caught.value)
    assert path.read_bytes() == before


def test_another_corpus_is_refused(tmp_path):
    path = tmp_path / "sweep.jsonl"
    to_file(path, "fixed(size=100)").run()
    with pytest.raises(ChunklabError, match="holds another sweep: corpus_digest is"):
        sweep(corpus("prose"), "fixed(size=100)", Hashing(), Dense(), path=path).run()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"my notes", "is not the file of a sweep"),
        (b"my notes\n", "is not the file of a sweep"),
        (b"{}\n", "is not the file of a sweep"),
        (b"[" * 100_000 + b"\n", "is not the file of a sweep"),
        (b"\x00\xff\n", "is not the file of a sweep"),
        ("broken line", "line 2 cannot be read"),
        ("other line", "line 2 cannot be read"),
    ],
)
def test_a_file_that_is_no_sweeps_is_refused_and_left_alone(tmp_path, content, words):
    path = tmp_path / "sweep.jsonl"
    if isinstance(content, str):
        to_file(path, "fixed(size=100)").run()
        header, line = path.read_bytes().splitlines(keepends=True)
        content = header + (b"{\n" if content == "broken line" else b'{"recipe":"fixed()"}\n') + line
    path.write_bytes(content)
    with pytest.raises(ChunklabError, match=words):
        to_file(path, "fixed(size=100)").run()
    assert path.read_bytes() == content


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    for path in (tmp_path, tmp_path / "no" / "folder.jsonl", "a\0b"):
        with pytest.raises(ChunklabError, match="cannot be written"):
            to_file(path, "fixed(size=100)").run()


def test_two_sweeps_do_not_share_a_file(tmp_path):
    path = tmp_path / "sweep.jsonl"
    with child(path, "wait") as process:
        assert process.stdout.readline()
        with pytest.raises(ChunklabError, match="is in use by another sweep"):
            to_file(path).run()
        os.kill(process.pid, signal.SIGKILL)
    assert len(to_file(path).run().measured) == len(parse_grid(GRID))


def test_workers_that_outlive_a_killed_sweep_do_not_hold_its_file(tmp_path):
    path = tmp_path / "sweep.jsonl"
    with child(path, "wait", "workers") as process:
        assert process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        try:
            os.killpg(process.pid, 0)  # There are workers left.
            assert len(to_file(path).run().measured) == len(parse_grid(GRID))
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def test_the_file_is_let_go_when_iterating_ends_early(tmp_path):
    path = tmp_path / "sweep.jsonl"
    made = to_file(path, "fixed(size=[100,200,300])")
    for _ in made:
        break
    assert len(made.run().results) == 3
    assert [each.seconds is None for each in to_file(path, "fixed(size=[100,200,300])").run().results] == [
        True
    ] * 3
