"""A default for each kind of document, and the three properties it comes from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunklab import advise as module
from chunklab.advise import advise, mean_paragraph, structural
from chunklab.chunking import chunk
from chunklab.cli import main
from chunklab.recipe import parse_recipe
from chunklab.types import Document
from tests.texts import AWKWARD

SAMPLES = Path(__file__).parent.parent / "sample_corpora"
LINE = "Rain fell on the quiet harbour town while boats came home. "
PYTHON = (
    "import os\n\n\ndef first(x):\n    return x\n\n\nclass Second:\n    def third(self):\n        return 3\n"
)

# name -> (text, media type, recipe, kind, words of a reason); a row for each line of the table
TABLE = {
    "prose": ((LINE * 7 + "\n\n") * 4, "text/plain", "recursive(size=800)", "prose", "412 characters"),
    "long paragraphs": ((LINE * 20 + "\n\n") * 4, "text/plain", "sentence()", "prose", "long"),
    "short paragraphs": ("\n\n".join(f"Point {i} is about thing {i}." for i in range(12)), "text/plain", "semantic()",
                         "prose", "short"),
    "a few short lines": ("One thing.\n\nAnother thing.", "text/plain", "recursive(size=800)", "prose", "characters"),
    "short lines that are no sentences": ("\n\n".join(f"key {i} = {i}" for i in range(30)), "text/plain",
                                          "recursive(size=800)", "prose", "characters"),
    "markdown": (f"# One\n\n{LINE}\n\n## Two\n\n{LINE}", "text/markdown", "markdown()", "Markdown", "2 heading"),
    "markdown without headings": ((LINE * 7 + "\n\n") * 4, "text/markdown", "recursive(size=800)", "prose", "No headings"),
    "code": (PYTHON, "text/x-python", "code()", "source code", "units"),
    "code as plain text": (PYTHON, "text/plain", "code()", "source code", "units"),
    "data": ('{"a": [1, 2], "b": {"c": 3}}', "application/json", "json()", "JSON", "units"),
    "rows": ("id,name\n1,one\n2,two\n3,three\n", "text/csv", "rows()", "a table", "units"),
    "nothing": (" \n", "text/plain", "recursive(size=800)", "empty", "No headings"),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_a_default_for_each_kind_of_document(name: str) -> None:
    text, media, recipe, kind, words = TABLE[name]
    advice = advise(Document("a", text, media))
    assert (advice.recipe, advice.kind) == (recipe, kind)
    assert any(words in each for each in advice.reasons)
    assert all(each.endswith(".") for each in advice.reasons)
    assert str(parse_recipe(advice.recipe)) == advice.recipe


def test_the_properties_are_measured() -> None:
    document = Document("a", "# A\n\nfour\n\n\n  sixsix  \n\n# B\n\nfour\n", "text/markdown")
    assert mean_paragraph(document) == (3 + 4 + 6 + 3 + 4) / 5
    assert advise(document).structure == {"heading": 2, "paragraph": 3}
    assert mean_paragraph(Document("a", "")) == 0


def test_the_samples() -> None:
    advised = {
        path.name: advise(Document(path.name, path.read_text("utf-8"), media)).recipe
        for path, media in (
            (SAMPLES / "prose" / "prose.txt", "text/plain"),
            (SAMPLES / "markdown" / "markdown.md", "text/markdown"),
            (SAMPLES / "mixed" / "mixed.md", "text/markdown"),
        )
    }
    assert advised == {
        "prose.txt": "recursive(size=800)",
        "markdown.md": "markdown()",
        "mixed.md": "markdown()",
    }


def test_recursive_stands_in_for_what_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    from chunklab.discovery import components

    few = {"recursive": components("strategies")["recursive"]}
    monkeypatch.setattr(module, "components", lambda family: few)
    monkeypatch.setattr("chunklab.recipe.keys", lambda family: few)
    for name, (text, media, *_) in TABLE.items():
        advice = advise(Document("a", text, media))
        assert advice.recipe == "recursive(size=800)", name


def test_awkward_texts_get_a_recipe_that_runs() -> None:
    for name, text in AWKWARD.items():
        for media in ("text/plain", "text/markdown"):
            document = Document(name, text, media)
            chunk(document, advise(document).recipe)
            assert structural(document) is None or text.strip()


def test_the_command_line(capfd: pytest.CaptureFixture) -> None:
    file = str(SAMPLES / "prose" / "prose.txt")
    assert main(["advise", file, "--json"]) == 0
    result = json.loads(capfd.readouterr().out)
    assert result.keys() == {"document", "recipe", "kind", "mean_paragraph", "structure", "reasons"}
    assert main(["advise", file]) == 0
    assert "mean paragraph: 580 characters" in capfd.readouterr().out
