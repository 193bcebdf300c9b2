"""The README cannot go stale: its tables are written from the code, its commands are run.

`python -m tests.test_readme` writes the tables anew.
"""

from __future__ import annotations

import json
import re
import shlex
from functools import partial
from pathlib import Path

import pytest

from chunklab import commands
from chunklab.cli import main
from chunklab.discovery import components
from chunklab.metrics import METRICS, PLAIN
from chunklab.params import literal

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"


def _family(family: str) -> str:
    lines = ["| name | what | parameters and their defaults | fails when |", "|---|---|---|---|"]
    for key, kind in components(family).items():
        summary = " ".join(kind.__doc__.split("\n\n")[0].split()).rstrip(".").replace("|", "\\|")
        params = ", ".join(f"`{name}={literal(default)}`" for name, (default, _) in kind.params().items())
        lines.append(f"| `{key}` | {summary} | {params} | {kind.fails} |")
    return "\n".join(lines)


def _metrics() -> str:
    lines = ["| name | what |", "|---|---|"]
    lines += [f"| {name if name in PLAIN else f'{name}@k'} | {text} |" for name, text in METRICS.items()]
    return "\n".join(lines)


FAMILIES = ("strategies", "contexts", "returns", "embedders")
TABLES = {**{name: partial(_family, name) for name in FAMILIES}, "metrics": _metrics}


def _with_tables(text: str) -> str:
    for name, make in TABLES.items():
        pattern = re.compile(f"(<!-- table: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        assert len(pattern.findall(text)) == 1
        text = pattern.sub(lambda found, make=make: f"{found[1]}{make()}\n{found[2]}", text)
    return text


def test_tables_are_those_of_the_code() -> None:
    text = README.read_text("utf-8")
    assert _with_tables(text) == text, "run python -m tests.test_readme"


COMMANDS = re.findall(r"^python -m chunklab (.+)$", README.read_text("utf-8"), re.MULTILINE)


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder to write into that has what the examples read, and a cache of its own."""
    for name in ("README.md", "sample_corpora"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CHUNKLAB_CACHE", str(tmp_path / "cache"))


def test_commands_run(capfd, beside) -> None:
    for command in COMMANDS:
        assert main(shlex.split(command)) == 0, command
        out, err = capfd.readouterr()
        assert out and not err, command
        if "--json" in command:
            json.loads(out)


def test_the_printed_example_is_what_is_printed(capfd, beside) -> None:
    (command,) = (each for each in COMMANDS if "--check" in each)
    assert command == COMMANDS[6], "the README calls it the seventh line"
    assert main(shlex.split(command)) == 0
    printed = re.sub(r"\d+\.\d s$", "0.2 s", capfd.readouterr().out, flags=re.MULTILINE)
    assert f"```\n{printed}```\n" in README.read_text("utf-8")


def test_the_commands_are_there() -> None:
    names = {command.__name__.rpartition(".")[2] for command in commands.COMMANDS}
    assert {command.split()[0] for command in COMMANDS} == names
    assert set(re.findall(r"^\| `([a-z]+)[^|]*` \|", _section("On the command line"), re.MULTILINE)) == names


def test_the_example_for_ci_can_be_read(capfd) -> None:
    (example,) = re.findall(r"```yaml\n(.+?)```", README.read_text("utf-8"), re.DOTALL)
    (check,) = re.findall(r"- run: >\n(.+?)\n- ", example, re.DOTALL)
    words = shlex.split(check)
    assert words[:3] == ["python", "-m", "chunklab"]
    assert main([*words[3:4], "no-such-corpus", *words[5:-2]]) == 2
    assert "must be a folder" in capfd.readouterr().err, "only the corpus is not there"


def _section(title: str) -> str:
    return README.read_text("utf-8").partition(f"## {title}\n")[2].partition("\n## ")[0]


def test_python_example_runs(capfd, monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    (example,) = re.findall(r"```python\n(.+?)```", README.read_text("utf-8"), re.DOTALL)
    exec(compile(example, "README.md", "exec"), {})
    assert "Kestrel Object Store: Operator Reference" in capfd.readouterr().out


def test_the_question_example_can_be_used() -> None:
    from chunklab import load_corpus
    from chunklab.questions import parse_questions

    (line,) = re.findall(r'^\{"id".+\}$', README.read_text("utf-8"), re.MULTILINE)
    documents = load_corpus(ROOT / "sample_corpora" / "markdown").documents
    questions, notices = parse_questions(line, documents)
    assert len(questions) == 1 and not notices


def test_its_own_headers_are_its_chunks(capfd, monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["chunk", "README.md", "-r", "markdown()", "--json"]) == 0
    chunks = json.loads(capfd.readouterr().out)["chunks"]
    titles = re.findall(r"^## (.+)$", README.read_text("utf-8"), re.MULTILINE)
    assert [each["headings"] for each in chunks if each["text"].startswith("## ")] == [
        ["chunklab", each] for each in titles
    ]


def test_links_lead_somewhere() -> None:
    for name in ("README.md", "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / name).read_text("utf-8")):
            assert (ROOT / target).exists(), target


def test_the_makefile_has_what_the_readme_says() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in set(re.findall(r"^make (\w+)$", README.read_text("utf-8"), re.MULTILINE)):
        assert re.search(f"^{target}:", makefile, re.MULTILINE)


if __name__ == "__main__":
    README.write_text(_with_tables(README.read_text("utf-8")), "utf-8")
