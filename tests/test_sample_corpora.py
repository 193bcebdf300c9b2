"""The corpora that come with the project: their texts, their quotes, and that topics can be made anew."""

from __future__ import annotations

import hashlib
import json
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from chunklab.corpus import Corpus, join_corpora, load_corpus

FOLDER = Path(__file__).parent.parent / "sample_corpora"
NAMES = ("formats", "markdown", "mixed", "prose", "topics")
FIXTURE = {
    "prose.txt": "63e296e8e368ac24c775f92b5c7cf6a9fc9cd44d1526e5be063b1dc6da06832f",
    "markdown.md": "335a194316eafdc18de7f2d432ba05940d8b90c2b2daf2ba5c7d6cd6451197aa",
    "mixed.md": "20e42a3b6c0ad05c61656b034269db99ecca856a6cfd17cab96628e3cd07b205",
}  # fmt: skip


@pytest.fixture(params=NAMES)
def corpus(request: pytest.FixtureRequest) -> Corpus:
    return load_corpus(FOLDER / request.param)


def test_every_corpus_is_known_here() -> None:
    assert sorted(each.name for each in FOLDER.iterdir() if each.is_dir()) == sorted(NAMES)


def test_every_corpus_loads_without_a_notice(corpus: Corpus) -> None:
    assert corpus.notices == ()
    # What a page or a notebook leaves out of its text is told.
    assert all(each.notices == () or each.id.endswith((".html", ".ipynb")) for each in corpus.documents)
    assert all(each.evidence for each in corpus.questions)


def test_quotes_are_exactly_the_slices(corpus: Corpus) -> None:
    texts = {each.id: each.text for each in corpus.documents}
    lines = (FOLDER / corpus.name / "questions.jsonl").read_text("utf-8").splitlines()
    for question, line in zip(corpus.questions, map(json.loads, lines), strict=True):
        for evidence, written in zip(question.evidence, line["evidence"], strict=True):
            span = evidence.span
            assert (span.start, span.end) == (written["start"], written["end"])
            assert texts[evidence.document_id][span.start : span.end] == written["quote"]


def test_origin_and_licence_are_told(corpus: Corpus) -> None:
    source = (FOLDER / corpus.name / "SOURCE.md").read_text("utf-8")
    assert "Origin" in source and "MIT" in source


def test_files_are_utf8_with_plain_line_ends(corpus: Corpus) -> None:
    for path in (FOLDER / corpus.name).glob("*.*"):
        data = path.read_bytes()
        data.decode("utf-8")
        assert b"\r" not in data and not data.startswith(b"\xef\xbb\xbf")


def test_the_three_kinds_of_text_and_their_questions() -> None:
    parts = [load_corpus(FOLDER / name) for name in ("prose", "markdown", "mixed")]
    whole = join_corpora("fixture", parts)
    digests = {each.id: hashlib.sha256(each.text.encode()).hexdigest() for each in whole.documents}
    assert digests == FIXTURE
    assert [each.id for each in whole.questions] == [f"{kind}{n}" for kind in "pmx" for n in range(1, 9)]
    assert sum(len(each.evidence) for each in whole.questions) == 28


@pytest.fixture
def make() -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(FOLDER / "make_topics.py")))


def test_topics_are_made_byte_for_byte(make: SimpleNamespace) -> None:
    made = make.files(42)
    for name, text in made.items():
        assert (FOLDER / "topics" / name).read_bytes() == text.encode("utf-8"), name
    documents = {each.name for each in (FOLDER / "topics").glob("doc*")}
    assert documents | {"questions.jsonl"} == set(made)
    assert make.files(43) != made


def test_topics_have_the_shape_they_claim(make: SimpleNamespace) -> None:
    assert len(make.TOPICS) == 10
    assert all(text.count(". ") == 2 and text.endswith(".") for text in make.TOPICS.values())
    corpus = load_corpus(FOLDER / "topics")
    assert len(corpus.documents) == 40
    assert {each.text.count("\n\n") + 1 for each in corpus.documents} == {2, 3}
    relevant = [len(each.evidence) for each in corpus.questions]
    assert relevant == [8, 12, 9, 13, 12, 5, 9, 7, 13, 10, 9, 9]
    for question, (_, topic, _) in zip(corpus.questions, make.QUESTIONS, strict=True):
        holding = [each.id for each in corpus.documents if make.TOPICS[topic] in each.text]
        assert [each.document_id for each in question.evidence] == holding
