"""The sweep command: its rows, its order, CSV, and a file from which it goes on."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chunklab.cli import main
from tests.background import hears_ctrl_c

ROOT = Path(__file__).resolve().parents[1]
CORPUS = str(ROOT / "sample_corpora" / "mixed")
GRID = ["-r", "recursive(size=[100,200,400],overlap=[0,20%])", "-r", "markdown()"]


def swept(capfd: pytest.CaptureFixture, *arguments: str) -> dict:
    assert main(["sweep", CORPUS, *arguments, "--json"]) == 0
    return json.loads(capfd.readouterr().out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def test_rows_are_those_of_evaluate_best_first(capfd) -> None:
    result = swept(capfd, *GRID, "--metric", "whole@3", "-k", "3", "--budget", "200")
    assert (result["corpus"], result["questions"], result["metric"]) == ("mixed", 8, "whole@3")
    rows = result["rows"]
    assert len(rows) == result["settings"] == result["done"] == 7
    values = [row["whole@3"] for row in rows]
    assert values == sorted(values, reverse=True) and values[0] > values[-1]
    assert rows[0]["tied"] and all(row["problem"] == "" for row in rows)
    recipes = [part for row in rows for part in ("-r", row["recipe"])]
    assert main(["evaluate", CORPUS, *recipes, "-k", "3", "--budget", "200", "--json"]) == 0
    for row, each in zip(rows, json.loads(capfd.readouterr().out)["results"], strict=True):
        assert each["recipe"] == row["recipe"] and each["chunks"] == row["chunks"]
        for name, mean in each["metrics"].items():
            assert row[name] == pytest.approx(mean["mean"]), name
        interval = each["metrics"]["whole@3"]
        assert (row["whole@3 low"], row["whole@3 high"]) == pytest.approx((interval["low"], interval["high"]))


def test_of_failures_the_fewest_come_first(capfd) -> None:
    result = swept(capfd, *GRID, "--metric", "failure@7", "-k", "3")
    values = [row["failure@7"] for row in result["rows"]]
    assert values == sorted(values) and values[0] < values[-1]
    assert all(row["failure@7"] == pytest.approx(1 - row["recall@7"]) for row in result["rows"])


def test_the_table(capfd) -> None:
    arguments = [*GRID, "-r", "fixed(size=50,overlap=[0,90])", "-r", "fixed() | late()", "--controls"]
    assert main(["sweep", CORPUS, *arguments]) == 0
    out, err = capfd.readouterr()
    lines = out.splitlines()
    assert err == "" and max(map(len, lines)) <= 100
    assert lines[0] == "mixed: 8 settings, 8 questions, hashing(), dense()"
    assert "note: 1 of the grid's combinations was left out" in out
    assert "!  fixed() | late(): late() needs an embedder with token vectors" in out
    assert "chance  ceiling  chunks" in out and sum(line.startswith(("= ", "   0.")) for line in lines) == 8
    assert "distinguishable from it with 8 questions" in " ".join(out.split())


def test_csv_has_the_same_rows(capfd) -> None:
    result = swept(capfd, *GRID, "-k", "5", "--controls")
    assert main(["sweep", CORPUS, *GRID, "-k", "5", "--controls", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capfd.readouterr().out)))
    assert [row["recipe"] for row in rows] == [row["recipe"] for row in result["rows"]]
    for row, expected in zip(rows, result["rows"], strict=True):
        assert row.keys() >= expected.keys()
        assert float(row["recall@5"]) == expected["recall@5"]
        assert float(row["chance of recall@5"]) == expected["chance of recall@5"]
        assert float(row["ceiling of recall@5"]) >= expected["recall@5"]


def test_workers_change_nothing(capfd) -> None:
    assert swept(capfd, *GRID, "--workers", "2") == swept(capfd, *GRID)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-r", "recursive(size=[])"], "at least one value"),
        (["-r", "nope(size=[1,2])"], "among the strategies"),
        (["-r", "fixed()", "--metric", "recall"], "--metric must be at a k, such as recall@5"),
        (["-r", "fixed()", "--metric", "chunks"], "--metric must be about one of hit_rate"),
        (["-r", "fixed()", "--workers", "0"], "--workers must be"),
        (["-r", "fixed()", "--out", "no/such/folder/sweep.jsonl"], "no/such/folder"),
        ([], "--recipe"),
    ],
)
def test_bad_input(arguments: list[str], words: str, capfd, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["sweep", CORPUS, *arguments]) == 2
    out, err = capfd.readouterr()
    assert out == "" and words in err and err.count("\n") == 1


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_and_the_same_command_again(workers: str, tmp_path: Path, capfd) -> None:
    out, whole = tmp_path / "sweep.jsonl", tmp_path / "whole.jsonl"
    grid = ["-r", "recursive(size=50..1000:10,overlap=[0,20%])"]
    arguments = ["sweep", CORPUS, *grid, "--workers", workers, "--csv"]
    process = subprocess.Popen(
        [sys.executable, "-m", "chunklab", *arguments, "--out", str(out)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=hears_ctrl_c,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while not out.exists() or out.read_text("utf-8").count("\n") < 3:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)  # As a terminal does it: the processes at work are told too.
    printed, err = process.communicate(timeout=60)
    assert process.returncode == 130 and printed == ""
    assert err.startswith(f"chunklab: stopped. {out}: ") and err.count("\n") == 1
    assert err.endswith("of 192 settings are done. The same command goes on from there.\n")
    kept = out.read_text("utf-8").splitlines()
    assert 3 <= len(kept) < 192
    assert main([*arguments, "--out", str(out)]) == 0
    again = capfd.readouterr().out
    assert main([*arguments, "--out", str(whole)]) == 0
    assert capfd.readouterr().out == again and out.read_bytes() == whole.read_bytes()
