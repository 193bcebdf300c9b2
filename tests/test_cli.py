"""The command line: shapes of the JSON, messages, exit statuses."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from chunklab.cli import main
from chunklab.commands import COMMANDS
from chunklab.discovery import FAMILIES, components
from chunklab.vector_cache import vector_cache

ROOT = Path(__file__).resolve().parents[1]
CORPUS = str(ROOT / "sample_corpora" / "markdown")
FILE = str(ROOT / "sample_corpora" / "markdown" / "markdown.md")


def _json(capfd: pytest.CaptureFixture, *arguments: str) -> dict:
    assert main([*arguments, "--json"]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def test_strategies_lists_every_component_with_its_parameters(capfd) -> None:
    listed = _json(capfd, "strategies")
    assert list(listed) == list(FAMILIES)
    for family in FAMILIES:
        assert [each["name"] for each in listed[family]] == list(components(family))
    size = next(each for each in listed["strategies"] if each["name"] == "fixed")["params"][0]
    assert size | {"help": ""} == {
        "name": "size",
        "kind": "int",
        "default": 400,
        "low": 1,
        "high": 100000,
        "help": "",
    }


def test_chunk_gives_spans_that_slice_the_file(capfd) -> None:
    result = _json(capfd, "chunk", FILE, "-r", "markdown()")
    text = Path(FILE).read_text("utf-8")
    assert result["document"].keys() == {"id", "media_type", "characters", "digest", "notices"}
    assert (
        result["document"]["characters"] == len(text) and result["document"]["media_type"] == "text/markdown"
    )
    for at, each in enumerate(result["chunks"]):
        assert each.keys() == {
            "index", "id", "start", "end", "text", "characters", "tokens", "headings", "context", "returned", "cut",
        }  # fmt: skip
        assert each["index"] == at and each["text"] == text[each["start"] : each["end"]]
        assert each["returned"] == {"start": each["start"], "end": each["end"]}
    assert result["chunks"][1]["headings"][-2:] == ["Limits", "Request size"]
    assert result["report"].keys() == {
        "count", "min", "median", "mean", "p95", "max", "unit", "coverage", "duplication",
        "overlap_asked", "overlap_mean", "overlap_zero", "notices",
    }  # fmt: skip
    assert result["report"]["coverage"] == 1.0 and result["recipe"] == "markdown()"


def test_chunk_on_an_empty_file_is_a_result(capfd, tmp_path) -> None:
    (tmp_path / "empty.txt").write_bytes(b"")
    result = _json(capfd, "chunk", str(tmp_path / "empty.txt"))
    assert result["chunks"] == [] and result["report"]["count"] == 0 and result["report"]["median"] is None
    assert "empty" in result["document"]["notices"][0]


def test_evaluate_gives_means_and_questions(capfd) -> None:
    result = _json(
        capfd, "evaluate", CORPUS, "-r", "fixed(size=300)", "-r", "markdown()", "-k", "1,5", "--per-question"
    )
    assert result["corpus"] == "markdown" and result["questions"] == 8
    assert [each["recipe"] for each in result["results"]] == ["fixed(size=300)", "markdown()"]
    for each in result["results"]:
        rows = each["per_question"]
        assert each["retriever"] == "dense()" and each["embedder"] == "hashing()" and len(rows) == 8
        mean = sum(row["recall@5"] for row in rows) / 8
        assert each["metrics"]["recall@5"]["mean"] == pytest.approx(mean)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chunk", "no-such-file.txt"], "cannot be read"),
        (["chunk", str(ROOT)], "cannot be read"),
        (["chunk", FILE, "-r", "recursive(size=0)"], "size must be a whole number from 1"),
        (["chunk", FILE, "-r", "nope()"], "among the strategies; there are"),
        (["chunk", FILE, "--model-limit", "0"], "at least 1"),
        (["evaluate", CORPUS, "-r", "fixed()", "-k", "0"], "-k must be"),
        (["evaluate", CORPUS, "-r", "fixed()", "-k", "five"], "-k must be"),
        (["evaluate", CORPUS, "-r", "fixed()", "--embedder", "nope"], "there are hashing"),
        (["evaluate", "no-such-folder", "-r", "fixed()"], "must be a folder"),
        (["evaluate", CORPUS], "--recipe"),
        (["frobnicate"], "frobnicate"),
        ([], "COMMAND"),
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments: list[str], words: str, capfd) -> None:
    assert main(arguments) == 2
    out, err = capfd.readouterr()
    assert out == "" and words in err and err.count("\n") == 1 and "Traceback" not in err


def test_the_module_runs_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chunklab", "chunk", FILE, "-r", "nope()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and done.stderr.startswith("recipe: unknown name 'nope'")


def test_tables_for_people_show_what_json_has(capfd) -> None:
    assert main(["chunk", FILE, "-r", "markdown()"]) == 0
    assert "14 chunks by markdown()" in capfd.readouterr().out
    assert main(["evaluate", CORPUS, "-r", "fixed()", "-k", "5"]) == 0
    assert "recall@5" in capfd.readouterr().out
    assert main(["strategies"]) == 0
    assert "overlap = 10%" in capfd.readouterr().out


def test_every_command_has_help(capfd) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = capfd.readouterr().out
    for command in COMMANDS:
        name = command.__name__.rpartition(".")[2]
        with pytest.raises(SystemExit) as ended:
            main([name, "--help"])
        out = capfd.readouterr().out
        assert ended.value.code == 0 and f"chunklab {name}" in out and "--json" in out
        assert re.search(rf"^    {name}\s+\w", listed, re.MULTILINE)


def test_the_cache_is_told_and_cleared(capfd, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("CHUNKLAB_CACHE", str(tmp_path))
    vector_cache().put({b"key": np.ones(3, dtype=np.float32)})
    found = _json(capfd, "cache")
    assert found == {
        "file": str(vector_cache().path), "vectors": 1, "bytes": found["bytes"], "limit": 2**30, "cleared": False,
        "notices": [],
    }  # fmt: skip
    assert found["bytes"] > 0
    assert main(["cache"]) == 0
    assert ": 1 vector, 0." in capfd.readouterr().out
    cleared = _json(capfd, "cache", "--clear")
    assert cleared["vectors"] == 1 and cleared["left"]["vectors"] == 0
    assert _json(capfd, "cache")["vectors"] == 0 and vector_cache().get([b"key"]) == {}
    monkeypatch.setenv("CHUNKLAB_CACHE", "off")
    assert main(["cache", "--clear"]) == 0
    assert "turned off" in capfd.readouterr().out


def test_a_reader_that_goes_away_is_no_fault() -> None:
    command = f"{sys.executable} -m chunklab strategies | head -n 1"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "strategies\n" and done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_full_disk_is_told_in_one_line() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "chunklab", "strategies"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True
        )  # fmt: skip
    assert done.returncode == 2 and "No space left" in done.stderr and done.stderr.count("\n") == 1
