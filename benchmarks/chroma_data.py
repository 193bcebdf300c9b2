"""The public benchmark of Smith and Troynikov (2024): its texts and questions as a corpus, its published table."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chunklab.corpus import Corpus
from chunklab.types import Document, Evidence, Question, Span

QUESTIONS, SHORT = "questions_df.csv", 150_000


@dataclass(frozen=True)
class Row:
    """A row of their all-MiniLM-L6-v2 table: five chunks retrieved, means and standard deviations in percent."""

    name: str
    recall: tuple[float, float]
    precision: tuple[float, float]
    omega: tuple[float, float]
    iou: tuple[float, float]


PUBLISHED = (
    Row("Recursive 250/125", (78.7, 39.2), (4.9, 4.5), (21.9, 14.9), (4.9, 4.4)),
    Row("TokenText 250/125", (82.4, 36.2), (3.6, 3.1), (11.4, 6.6), (3.5, 3.1)),
    Row("Recursive 250/0", (78.5, 39.5), (5.4, 4.9), (26.7, 18.3), (5.4, 4.9)),
    Row("TokenText 250/0", (77.1, 39.3), (3.3, 3.0), (16.4, 10.3), (3.3, 3.0)),
    Row("Recursive 200/0", (75.7, 40.7), (6.5, 6.2), (31.2, 18.4), (6.5, 6.1)),
    Row("TokenText 200/0", (76.6, 38.8), (4.1, 3.7), (19.1, 11.0), (4.1, 3.6)),
    Row("Cluster 250/0", (77.3, 38.6), (6.1, 5.1), (28.6, 16.7), (6.0, 5.1)),
    Row("Cluster 200/0", (75.2, 39.9), (7.2, 6.1), (33.6, 20.0), (7.2, 6.0)),
)

THEIRS = "['\\n\\n','\\n','.','?','!',' ','']"
"""Their separators; a separator begins a piece."""


@dataclass(frozen=True)
class Configuration:
    """One of our recipes beside a row of theirs; `which` says how its size was chosen."""

    row: Row
    which: str
    recipe: str


def _wordpieces(size: int, overlap: int) -> str:
    sizes = f"size={size},overlap={overlap},unit=tokens,tokenizer=minilm"
    return f"recursive({sizes},separators={THEIRS},keep=start)"


def _configurations() -> Iterator[Configuration]:
    """Each of their rows at its own size, and where that makes other chunks, at the size that makes as many.

    Their recursive sizes are word pieces with [CLS] and [SEP] counted on every piece that is merged: a
    chunk of one piece holds two less. Their windows of 250 and 200 are cl100k windows of 278 and 222. As
    many chunks as theirs, which are then as long on average, come from the second sizes.
    """
    rows = {each.name: each for each in PUBLISHED}
    as_named, as_many = "their size", "their number of chunks"
    for name, size, overlap in (("250/125", 278, 139), ("250/0", 278, 0), ("200/0", 222, 0)):
        recipe = f"fixed(size={size},overlap={overlap},unit=tokens)"
        yield Configuration(rows[f"TokenText {name}"], as_named, recipe)
    for name, sizes, other in (
        ("250/125", (248, 125), (220, 55)),
        ("250/0", (248, 0), (213, 0)),
        ("200/0", (198, 0), (167, 0)),
    ):
        yield Configuration(rows[f"Recursive {name}"], as_named, _wordpieces(*sizes))
        yield Configuration(rows[f"Recursive {name}"], as_many, _wordpieces(*other))
    for name, size, other in (("250/0", 250, 164), ("200/0", 200, 138)):
        for which, at in ((as_named, size), (as_many, other)):
            recipe = f"cluster(size={at},unit=tokens,embedder=minilm)"
            yield Configuration(rows[f"Cluster {name}"], which, recipe)


CONFIGURATIONS = tuple(_configurations())


def load(folder: Path) -> Corpus:
    """All five texts, in the order in which the questions first name them, and the 472 questions.

    A question's id is its number in the file and its kind the text that it was made for.
    """
    with (folder / QUESTIONS).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = list(dict.fromkeys(row["corpus_id"] for row in rows))
    documents = tuple(
        Document(name, (folder / "corpora" / f"{name}.md").read_text(encoding="utf-8"), "text/markdown")
        for name in names
    )
    texts = {each.id: each.text for each in documents}
    questions = []
    for number, row in enumerate(rows):
        name, references = row["corpus_id"], json.loads(row["references"])
        for each in references:
            start, end = each["start_index"], each["end_index"]
            if texts[name][start:end] != each["content"]:
                raise SystemExit(f"Question {number}: its reference is not at [{start}, {end}) of {name}.")
        evidence = tuple(Evidence(name, Span(each["start_index"], each["end_index"])) for each in references)
        questions.append(Question(str(number), row["question"], evidence, name))
    return Corpus("chroma", documents, tuple(questions))


def shortened(corpus: Corpus) -> Corpus:
    """The short texts and their questions, to try things out."""
    kept = tuple(each for each in corpus.documents if len(each.text) < SHORT)
    names = {each.id for each in kept}
    asked = tuple(each for each in corpus.questions if each.kind in names)
    return Corpus("chroma, short texts", kept, asked)
