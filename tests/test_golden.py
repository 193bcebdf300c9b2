"""Golden offsets: the cuts of the sample documents by many recipes, one file a recipe.

After a change that is meant, write them anew with `python -m tests.test_golden` and read the difference.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunklab.chunking import chunk
from chunklab.corpus import load_corpus

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = Path(__file__).parent / "golden"
RECIPES = [
    "document()",
    "fixed()",
    "fixed(size=200,overlap=40)",
    "fixed(size=64,overlap=20%,unit=tokens)",
    "fixed(size=50,unit=words)",
    "sentence()",
    "sentence(n=1)",
    "sentence(size=300,overlap=100)",
    "paragraph()",
    "paragraph(max_size=200)",
    "recursive()",
    "recursive(size=200,overlap=40)",
    "recursive(size=128,unit=tokens,tokenizer=minilm)",
    "recursive(size=500,overlap=0,separators=markdown)",
    "recursive(size=200,overlap=0,separators=notebook)",
    "recursive(size=300,overlap=0,separators=python)",
    "langchain()",
    "langchain(size=200,overlap=40)",
    "langchain(size=300,overlap=0,keep=end)",
    "markdown()",
    "markdown(max_size=300)",
    "markdown(level=2,mode=subtree)",
    "markdown(header_only=keep)",
]


def _cuts(recipe: str) -> dict[str, list[list[int]]]:
    cuts = {}
    for name in ("markdown", "mixed", "prose"):
        for document in load_corpus(ROOT / "sample_corpora" / name).documents:
            cuts[document.id] = chunk(document, recipe).spans.tolist()
    return cuts


@pytest.mark.parametrize("recipe", RECIPES)
def test_cuts_are_as_they_were(recipe: str) -> None:
    wanted = json.loads((GOLDEN / f"{recipe}.json").read_text("utf-8"))
    assert _cuts(recipe) == wanted


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(RECIPES)


def _write() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for recipe in RECIPES:
        lines = [f"{json.dumps(id)}: {json.dumps(spans)}" for id, spans in _cuts(recipe).items()]
        (GOLDEN / f"{recipe}.json").write_text("{" + ",\n".join(lines) + "}\n", "utf-8")


if __name__ == "__main__":
    _write()
