"""Run records: what is in them, reading them back, writing under faults, and comparing two."""

from __future__ import annotations

import copy
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import chunklab
from chunklab.cli import main
from chunklab.compare import against_first, compare, failure_reduction
from chunklab.corpus import load_corpus
from chunklab.errors import ChunklabError
from chunklab.runs import load_run, run_record, save_run, versions
from chunklab.stats import paired

ROOT = Path(__file__).resolve().parents[1]
MARKDOWN = str(ROOT / "sample_corpora" / "markdown")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of three recipes, written by the command line."""
    path = tmp_path_factory.mktemp("runs") / "run.json"
    recipes = [part for each in ("fixed(size=100)", "markdown()", "sentence()") for part in ("-r", each)]
    assert main(["evaluate", MARKDOWN, *recipes, "-k", "1,3,5", "--out", str(path), "--controls"]) == 0
    return path


def test_what_is_in_a_record(made: Path) -> None:
    run = load_run(made)
    corpus = load_corpus(MARKDOWN)
    assert run["schema"] == 1 and run["chunklab"] == chunklab.__version__
    assert run["versions"]["numpy"] == np.__version__ and run["versions"].keys() >= {"python", *versions()}
    assert run["corpus"]["digest"] == corpus.digest
    assert list(run["corpus"]["documents"]) == [each.id for each in corpus.documents]
    assert [each["text"] for each in run["corpus"]["questions"]] == [each.text for each in corpus.questions]
    assert run["settings"]["recipes"] == [each["recipe"] for each in run["results"]]
    assert run["settings"] | {"measures": [], "recipes": []} == {
        "recipes": [], "embedder": "hashing()", "fingerprint": "hashing()", "retriever": "dense()", "ks": [1, 3, 5],
        "budgets": [], "measures": [], "controls": True, "seed": 0,
    }  # fmt: skip
    evaluation = chunklab.evaluate(
        corpus, "markdown()", chunklab.parse_component("embedders", "hashing()"),
        chunklab.parse_component("retrievers", "dense()"), (1, 3, 5),
    )  # fmt: skip
    rows = run["results"][1]["per_question"]
    for name, values in evaluation.values.items():
        assert [row[name] for row in rows] == values.tolist()
    assert [row["rank"] for row in rows] == evaluation.ranks()
    assert run["results"][1]["seconds"].keys() == {"chunking", "retrieval"}
    assert sum(run["results"][1]["reasons"]["@5"].values()) == len(rows)


def test_reading_gives_what_was_written(made: Path, tmp_path: Path) -> None:
    run = load_run(made)
    save_run(run, tmp_path / "again.json")
    assert load_run(tmp_path / "again.json") == run
    record = run_record(load_corpus(MARKDOWN), run["settings"], run["results"])
    save_run(record, tmp_path / "again.json")
    assert load_run(tmp_path / "again.json") == record
    assert os.listdir(tmp_path) == ["again.json"], "nothing is left beside it"


def test_one_result_of_several(made: Path, tmp_path: Path) -> None:
    run = load_run(made)
    for number in (1, 2, 3):
        one = load_run(f"{made}#{number}")
        assert one["results"] == [run["results"][number - 1]]
        assert one["settings"]["recipes"] == [one["results"][0]["recipe"]]
    for number in (0, 4):
        with pytest.raises(ChunklabError, match=f"has 3 results, got #{number}"):
            load_run(f"{made}#{number}")
    odd = tmp_path / "run#2"
    save_run(run, odd)
    assert load_run(odd) == run, "a file of that name comes first"


def test_a_question_that_is_not_text_can_be_kept(made: Path, tmp_path: Path) -> None:
    run = load_run(made)
    run["corpus"]["questions"][0]["text"] = "lone \ud800 surrogate"
    save_run(run, tmp_path / "run.json")
    assert load_run(tmp_path / "run.json") == run


def _broken(run: dict, change: str) -> object:
    run = copy.deepcopy(run)
    match change:
        case "list":
            return [run]
        case "schema":
            del run["schema"]
        case "newer":
            run["schema"] = 2
        case "results":
            run["results"] = []
        case "questions":
            run["results"][0]["per_question"].pop()
        case "value":
            run["results"][0]["per_question"][0]["recall@5"] = 7
        case "nan":
            run["results"][0]["per_question"][0]["recall@5"] = float("nan")
        case "missing":
            del run["results"][0]["per_question"][0]["recall@5"]
        case "text":
            run["results"][0]["per_question"][0]["recall@5"] = "1"
        case "versions":
            run["versions"] = ["numpy"]
        case "recipe":
            run["results"][0]["recipe"] = None
        case "asked":
            run["settings"]["recipes"] = 3
        case "rank":
            del run["results"][0]["per_question"][0]["rank"]
    return run


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("list", "it has no schema"),
        ("schema", "it has no schema"),
        ("newer", "its schema is 2, and this chunklab reads 1"),
        ("results", "it has no results"),
        ("questions", "not of its questions"),
        ("value", "not from 0 to 1"),
        ("nan", "not from 0 to 1"),
        ("missing", "missing or not of its kind"),
        ("text", "missing or not of its kind"),
        ("versions", "not of its kind"),
        ("recipe", "not of its kind"),
        ("rank", "missing or not of its kind"),
        ("asked", "not of its kind"),
    ],
)
def test_what_is_no_record_is_told(made: Path, tmp_path: Path, change: str, words: str, capfd) -> None:
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(_broken(load_run(made), change)))
    assert main(["compare", str(path), str(made)]) == 2
    out, err = capfd.readouterr()
    assert out == "" and words in err and err.count("\n") == 1 and "Traceback" not in err


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"{", b"[" * 100_000, b"12"])
def test_what_is_no_json_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(ChunklabError, match="is no run record"):
        load_run(tmp_path / "x.json")


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(ChunklabError, match="cannot be read"):
        load_run(tmp_path / "none.json")
    with pytest.raises(ChunklabError, match="cannot be read"):
        load_run(tmp_path)


@pytest.mark.parametrize("path", ["no/such/folder/run.json", ".", "\0"])
def test_a_place_that_cannot_be_written_is_told_before_the_work(
    path: str, tmp_path, monkeypatch, capfd
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("chunklab.experiment.evaluate", lambda *_: pytest.fail("it was measured"))
    assert main(["evaluate", MARKDOWN, "-r", "fixed()", "--out", path]) == 2
    assert "the run cannot be written" in capfd.readouterr().err


FULL = """
import resource, signal, sys
from chunklab.runs import load_run, save_run
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
run = load_run(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    save_run(run, sys.argv[1])
except ValueError as error:
    print(type(error).__name__, error)
"""


def test_no_space_leaves_the_old_record_whole(made: Path, tmp_path: Path) -> None:
    assert hasattr(resource, "RLIMIT_FSIZE")
    path = tmp_path / "run.json"
    path.write_bytes(made.read_bytes())
    done = subprocess.run([sys.executable, "-c", FULL, path], cwd=ROOT, capture_output=True, text=True)
    assert (
        done.stdout.startswith("ChunklabError")
        and "the run cannot be written (File too large)" in done.stdout
    )
    assert path.read_bytes() == made.read_bytes()
    assert os.listdir(tmp_path) == ["run.json"]


def test_compare_agrees_with_the_statistics(made: Path) -> None:
    a, b = load_run(f"{made}#1"), load_run(f"{made}#2")
    found = compare(a, b)
    assert (found.first, found.second, found.questions, found.notices) == (
        "fixed(size=100)",
        "markdown()",
        8,
        (),
    )
    for each in found.measures:
        columns = [
            np.array([row[each.metric] for row in run["results"][0]["per_question"]]) for run in (a, b)
        ]
        assert each.paired == paired(*columns)
        assert (each.first, each.second) == tuple(float(column.mean()) for column in columns)
        assert each.words.startswith(f"{each.metric}: markdown()")
    assert [each.metric for each in found.measures] == list(a["results"][0]["metrics"])


def test_failures() -> None:
    assert failure_reduction(0.943, 0.963) == pytest.approx(0.35, abs=0.005)
    assert failure_reduction(0.5, 0.25) == -0.5
    assert failure_reduction(1, 0.5) is None and failure_reduction(0.5, 1) == 1


def test_the_questions_that_flipped(made: Path) -> None:
    a, b = load_run(f"{made}#1"), load_run(f"{made}#2")
    found = compare(a, b)
    assert found.flipped_by == "whole@5"
    before = {row["id"]: row for row in a["results"][0]["per_question"]}
    after = {row["id"]: row for row in b["results"][0]["per_question"]}
    changed = {id for id in before if before[id]["whole@5"] != after[id]["whole@5"]}
    assert changed and {each.id for each in found.flips} == changed
    for each in found.flips:
        assert (each.before, each.after) == (before[each.id]["whole@5"], after[each.id]["whole@5"])
        assert (each.rank_before, each.rank_after) == (before[each.id]["rank"], after[each.id]["rank"])
    changes = [each.after - each.before for each in found.flips]
    assert changes == sorted(changes, key=lambda by: (by < 0, -abs(by)))
    assert compare(a, a).flips == ()
    assert {each.id for each in compare(a, b, "recall@1").flips} == {
        id for id in before if before[id]["recall@1"] != after[id]["recall@1"]
    }
    for name, other in (("whole@5", "whole@3"), ("whole@3", "whole@1"), ("whole@1", "recall@5")):
        del a["results"][0]["metrics"][name]
        assert compare(a, b).flipped_by == other
    a["results"][0]["metrics"] = {"mrr": {}}
    assert compare(a, b).flipped_by == "mrr"
    with pytest.raises(ChunklabError, match="the metric must be in both"):
        compare(a, b, "recall@7")


def test_other_corpora_are_refused(made: Path, tmp_path: Path, capfd) -> None:
    corpus = tmp_path / "markdown"
    corpus.mkdir()
    (corpus / "markdown.md").write_text(
        Path(MARKDOWN, "markdown.md").read_text("utf-8") + "\n\nMore.\n", "utf-8"
    )
    lines = Path(MARKDOWN, "questions.jsonl").read_text("utf-8").splitlines()
    (corpus / "questions.jsonl").write_text("\n".join(lines[1:]) + "\n", "utf-8")
    (corpus / "new.md").write_text("New.\n", "utf-8")
    other = tmp_path / "other.json"
    assert main(["evaluate", str(corpus), "-r", "fixed(size=100)", "--out", str(other)]) == 0
    capfd.readouterr()
    assert main(["compare", str(made), str(other)]) == 2
    err = capfd.readouterr().err
    assert "the corpora differ" in err and err.count("\n") == 1
    assert "documents only in B: new.md" in err and "documents that were changed: markdown.md" in err
    assert "questions only in A: m1" in err
    a = load_run(made)
    b = copy.deepcopy(a)
    b["corpus"]["digest"] = "0"
    with pytest.raises(ChunklabError, match="a question's text or its evidence was changed"):
        compare(a, b)


def test_what_else_differs_is_told(made: Path) -> None:
    a = load_run(f"{made}#1")
    b = copy.deepcopy(a)
    b["chunklab"] = "0.0.9"
    b["versions"]["numpy"] = "1.0"
    b["results"][0] |= {"embedder": "minilm()", "fingerprint": "abc", "retriever": "bm25()"}
    b["settings"]["recipes"] = ["fixed(size=100)", "sentence()"]
    del b["results"][0]["metrics"]["mrr"]
    told = " ".join(compare(a, b).notices)
    for words in (
        f"B was made by chunklab 0.0.9 and this is {chunklab.__version__}. Evaluate it again",
        f"numpy {np.__version__} in A and 1.0 in B",
        "the embedder differs, hashing() in A and minilm() in B",
        "the fingerprint differs",
        "the retriever differs, dense() in A and bm25() in B",
        "B was stopped: 1 of 2 recipes are done",
        "measures that only one has are left out: mrr",
    ):
        assert words in told
    assert any(
        "A has 3 results; the first is compared" in each for each in compare(load_run(made), a).notices
    )
    b["results"][0]["metrics"] = {"mrr": {}}
    a["results"][0]["metrics"].pop("mrr")
    with pytest.raises(ChunklabError, match="no measure in common"):
        compare(a, b)


def test_many_recipes_are_corrected_together() -> None:
    random = np.random.default_rng(3)
    base = random.random(30)
    values = [{"recall@5": base}, *({"recall@5": np.clip(base + by, 0, 1)} for by in (0.3, 0.02, 0.0))]
    (one,), (two,), (three,) = against_first(["a", "b", "c", "d"], values)
    assert one.paired.adjusted == pytest.approx(3 * one.paired.p) and one.paired.distinguishable
    assert three.paired.adjusted == 1 and "identical" in three.words
    assert two.words.startswith("recall@5: c ") and two.failure_reduction > 0
    assert against_first(["a"], values[:1]) == []


def test_no_questions_at_all(tmp_path: Path, capfd) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "text.txt").write_text("Some text.")
    out = tmp_path / "run.json"
    check = ["--check", "recall@5>=0", "--controls"]
    assert (
        main(["evaluate", str(corpus), "-r", "fixed()", "-r", "sentence()", "--out", str(out), *check]) == 1
    )
    assert "no question has evidence" in capfd.readouterr().out
    assert main(["compare", str(out), f"{out}#2"]) == 0
    assert "0 questions" in capfd.readouterr().out


def test_the_comparison_as_text_and_json(made: Path, capfd) -> None:
    assert main(["compare", f"{made}#1", f"{made}#2"]) == 0
    out = capfd.readouterr().out
    assert max(map(len, out.splitlines())) <= 100
    assert "A  fixed(size=100)" in out and "recall@5: markdown()" in out and "flipped by whole@5" in out
    assert main(["compare", f"{made}#1", f"{made}#2", "--json"]) == 0
    result = json.loads(capfd.readouterr().out)
    assert result == json.loads(json.dumps(compare(load_run(f"{made}#1"), load_run(f"{made}#2")).to_json()))
