"""The evaluate command: controls, checks, budgets, what is kept when it breaks off, and progress."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chunklab import load_run
from chunklab.cli import main
from tests.background import hears_ctrl_c

ROOT = Path(__file__).resolve().parents[1]
CORPUS = str(ROOT / "sample_corpora" / "markdown")
RECIPES = ["-r", "fixed(size=100)", "-r", "markdown()"]


def evaluated(capfd: pytest.CaptureFixture, *arguments: str, status: int = 0) -> dict:
    assert main(["evaluate", CORPUS, *arguments, "--json"]) == status
    return json.loads(capfd.readouterr().out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def test_controls_stand_beside_each_measure(capfd) -> None:
    result = evaluated(capfd, *RECIPES, "-k", "1,5", "--budget", "200", "--controls")
    for each in result["results"]:
        found = each["controls"]
        assert found["chance"].keys() == each["metrics"].keys() == found["whole_document"].keys()
        assert found["ceiling"].keys() == {"ceiling@1", "ceiling@5"}
        assert "recall@200tokens" in each["metrics"]
        for k in (1, 5):
            assert each["metrics"][f"recall@{k}"]["mean"] <= found["ceiling"][f"ceiling@{k}"]["mean"]
            assert sum(each["reasons"][f"@{k}"].values()) == 8
            assert each["reasons"][f"@{k}"]["whole"] == 8 * each["metrics"][f"all_evidence@{k}"]["mean"]
        for name, interval in found["chance"].items():
            assert interval["low"] <= interval["mean"] <= interval["high"], name
        for name, mean in each["metrics"].items():
            assert mean["low"] <= mean["mean"] <= mean["high"], name
    assert found["whole_document"]["recall@1"]["mean"] == 1.0, "there is one document"


def test_the_table(capfd) -> None:
    arguments = [*RECIPES, "-r", "sentence()", "-k", "1,5", "--budget", "200", "--controls", "--per-question"]
    assert (
        main(["evaluate", CORPUS, *arguments, "--check", "recall@5>=0.05", "--measures", "recall,whole"]) == 0
    )
    out, err = capfd.readouterr()
    lines = out.splitlines()
    assert err == "" and max(map(len, lines)) <= 100
    assert lines[0] == "markdown: 8 questions on 1 document, hashing(), dense()"
    for text in (
        "1  fixed(size=100)  ", "chance for 3", "whole documents", "recall@200tokens", "ceiling@5", "capped by k",
        "recall@5: markdown() ", "pass  recall@5>=0.05  1: ", "this check holds for a random ranking too",
    ):  # fmt: skip
        assert text in out, text
    assert sum(line.strip().startswith("m1 ") for line in lines) == 3


def test_recipes_are_compared_with_the_first(capfd) -> None:
    result = evaluated(capfd, *RECIPES, "-r", "sentence()", "--measures", "recall,mrr")
    assert [(each["first"], each["second"]) for each in result["comparisons"]] == [
        ("fixed(size=100)", "markdown()"),
        ("fixed(size=100)", "sentence()"),
    ]
    for each in result["comparisons"]:
        assert [row["metric"] for row in each["measures"]] == list(result["results"][0]["metrics"])
        assert all(row["adjusted"] >= row["p"] and row["words"] for row in each["measures"])
    assert evaluated(capfd, "-r", "markdown()")["comparisons"] == []


def test_checks_decide_the_exit_status(capfd) -> None:
    checks = ["--check", "recall@5>=0.7", "--check", "failure@5<=1", "--check", "mrr>=first"]
    result = evaluated(capfd, *RECIPES, *checks, status=1)
    told = [(each["check"], each["recipe"], each["holds"]) for each in result["checks"]]
    assert told == [
        ("recall@5>=0.7", "fixed(size=100)", False),
        ("recall@5>=0.7", "markdown()", True),
        ("failure@5<=1", "fixed(size=100)", True),
        ("failure@5<=1", "markdown()", True),
        ("mrr>=first", "markdown()", True),
    ]
    assert result["checks"][1]["value"] == result["results"][1]["metrics"]["recall@5"]["mean"]
    assert evaluated(capfd, "-r", "markdown()", *checks[:4])["checks"][0]["holds"]


def test_a_check_adds_what_it_needs(capfd) -> None:
    checks = ["recall@7>=0.1", "ndcg@100tokens>=0", "document_mrr>0"]
    arguments = [part for each in checks for part in ("--check", each)]
    result = evaluated(capfd, "-r", "markdown()", "-k", "1", "--measures", "iou", *arguments)
    assert list(result["results"][0]["metrics"]) == [
        "recall@1", "recall@7", "recall@100tokens", "iou@1", "iou@7", "iou@100tokens", "ndcg@1", "ndcg@7",
        "ndcg@100tokens", "document_mrr",
    ]  # fmt: skip


def test_questions_left_out_and_ties_are_told(tmp_path: Path, capfd) -> None:
    (tmp_path / "a.txt").write_text("Same words here.\n\nSame words here.\n\nOther text.\n")
    questions = [
        {"id": "q", "text": "Same words?", "evidence": [{"start": 0, "end": 9}]},
        {"id": "r", "text": "What?"},
    ]
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, questions)))
    assert main(["evaluate", str(tmp_path), "-r", "paragraph()", "-k", "1,2"]) == 0
    out = capfd.readouterr().out
    assert f"{tmp_path.name}: 1 of 2 questions on 1 document" in out and "'r' has no evidence" in out
    assert "The order of the chunks decided between equal scores: 1 question at k = 1." in " ".join(
        out.split()
    )


def test_an_id_is_never_obeyed_by_a_terminal(tmp_path: Path, capfd) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.txt").write_text("Some words here.")
    question = {"id": "\x1b[31mred\nline", "text": "Some\x1b[2J words?", "evidence": [{"start": 0, "end": 4}]}
    (corpus / "questions.jsonl").write_text(json.dumps(question))
    runs = [str(tmp_path / name) for name in ("a.json", "b.json")]
    for recipe, out in zip(("fixed(size=5)", "fixed()"), runs, strict=True):
        assert main(["evaluate", str(corpus), "-r", recipe, "-k", "1", "--per-question", "--out", out]) == 0
    assert main(["compare", *runs, "--metric", "precision@1"]) == 0
    out = capfd.readouterr().out
    assert "\x1b" not in out and out.count("?[31mred line") == 3 and "Some?[2J words?" in out


def test_the_seed_draws_other_intervals_and_the_same_ones_again(capfd) -> None:
    once, again, other = (
        evaluated(capfd, "-r", "fixed(size=100)", "--controls", "--seed", seed)["results"][0]
        for seed in ("1", "1", "2")
    )
    for each in (once, again, other):
        del each["seconds"]
    assert once == again and once["controls"]["chance"] != other["controls"]["chance"]
    assert once["metrics"]["precision@5"]["low"] != other["metrics"]["precision@5"]["low"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--check", "recal@5>=0.8"], "Use recall."),
        (["--check", "recall@5>=first"], "-r must be given twice"),
        (["--budget", "0"], "--budget must be whole numbers from 1"),
        (["--measures", "recall,nope"], "measures must be some of hit_rate"),
        (["--seed", "-1"], "--seed: must be a whole number from 0"),
        (["--seed", "x"], "--seed: must be a whole number from 0"),
        (["--out", f"{CORPUS}/../markdown/run.json"], "--out must be outside the corpus"),
        (["--retriever", "nope()"], "among the retrievers; there are"),
        (["-r", "fixed() | late()"], "late"),
    ],
)
def test_bad_input(arguments: list[str], words: str, capfd) -> None:
    assert (
        main(["evaluate", CORPUS, *(["-r", "markdown()"] if "-r" not in arguments else []), *arguments]) == 2
    )
    out, err = capfd.readouterr()
    assert out == "" and words in err and err.count("\n") == 1


def test_what_is_done_before_a_fault_is_not_lost(tmp_path: Path, capfd) -> None:
    out = tmp_path / "run.json"
    arguments = ["evaluate", CORPUS, "-r", "fixed(size=100)", "-r", "fixed() | late()", "--out", str(out)]
    assert main([*arguments, "--json"]) == 2
    printed, err = capfd.readouterr()
    result = json.loads(printed)
    assert [each["recipe"] for each in result["results"]] == ["fixed(size=100)"]
    assert err.count("\n") == 1 and result["fault"] in err and "1 of 2 recipes are done." in err
    assert [each["recipe"] for each in load_run(out)["results"]] == ["fixed(size=100)"]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus that keeps a process busy for a while."""
    folder = tmp_path_factory.mktemp("large")
    text = Path(CORPUS, "markdown.md").read_text("utf-8")
    (folder / "text.md").write_text("\n\n".join(f"# Part {at}\n\n{text}" for at in range(60)), "utf-8")
    quote = "# Part {0}\n"
    lines = [
        {"id": f"q{at}", "text": f"Where is part {at}?", "evidence": [{"quote": quote.format(at)}]}
        for at in range(10, 40)
    ]
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return folder


def _started(large: Path, out: Path, stderr: int) -> subprocess.Popen:
    recipes = [part for size in range(100, 4000, 10) for part in ("-r", f"fixed(size={size})")]
    return subprocess.Popen(
        [sys.executable, "-m", "chunklab", "evaluate", str(large), *recipes, "--out", str(out)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=stderr, start_new_session=True, preexec_fn=hears_ctrl_c,
    )  # fmt: skip


def _kept(out: Path, at_least: int, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + 120
    while not out.exists() or len(load_run(out)["results"]) < at_least:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)


def test_ctrl_c_keeps_what_is_done(large: Path, tmp_path: Path) -> None:
    out = tmp_path / "run.json"
    process = _started(large, out, subprocess.PIPE)
    _kept(out, 2, process)
    process.send_signal(signal.SIGINT)
    printed, err = process.communicate(timeout=60)
    kept = len(load_run(out)["results"])
    assert process.returncode == 130 and printed == b"" and 2 <= kept < 390
    assert err.decode() == f"chunklab: stopped. {out}: {kept} of 390 recipes are done.\n", (
        "one line, no progress"
    )
    assert os.listdir(tmp_path) == ["run.json"]


def test_a_kill_leaves_a_whole_record(large: Path, tmp_path: Path) -> None:
    out = tmp_path / "run.json"
    process = _started(large, out, subprocess.DEVNULL)
    _kept(out, 3, process)
    process.kill()
    process.communicate(timeout=60)
    assert 3 <= len(load_run(out)["results"]) < 390


def test_progress_on_a_terminal(large: Path, tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    process = _started(large, tmp_path / "run.json", theirs)
    os.close(theirs)
    heard = b""
    while b" left" not in heard:
        heard += os.read(ours, 10_000)
    assert b"of 390 recipes measured" in heard and b"/s" in heard
    process.send_signal(signal.SIGINT)
    while b"recipes are done" not in heard:
        heard += os.read(ours, 10_000)
    process.communicate(timeout=60)
    os.close(ours)
    assert b"\r\x1b[Kchunklab: stopped." in heard, "the line is taken away before the message"


def test_the_fast_ways_stay_fast() -> None:
    code = (
        "import sys; import chunklab.cli; from contextlib import suppress\n"
        "with suppress(SystemExit): chunklab.cli.main(['evaluate', '--help'])\n"
        "print([each for each in ('numpy', 'scipy', 'torch', 'pandas') if each in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
