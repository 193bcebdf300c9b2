"""Corpus folders and questions: what is read, what is repaired, and each mistake's one-line message."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from chunklab import corpus as module
from chunklab.corpus import Corpus, join_corpora, load_corpus, parse_questions, with_copies
from chunklab.errors import CorpusError, IntakeError
from chunklab.questions import check_questions
from chunklab.types import Document, Evidence, Question, Span

TEXT = "One hen laid two eggs.\nOne cock laid none, said the  hen."
DOCUMENT = Document("farm.txt", TEXT)


def line(**changes: object) -> str:
    """A right line with some keys changed; None leaves a key out."""
    record = {"id": "q1", "text": "How many eggs?", "evidence": [piece()]} | changes
    return json.dumps({key: value for key, value in record.items() if value is not None})


def piece(**changes: object) -> dict:
    record = {"document": "farm.txt", "start": 4, "end": 21, "quote": "hen laid two eggs"} | changes
    return {key: value for key, value in record.items() if value is not None}


def span_of(text: str) -> tuple[Span, tuple[str, ...]]:
    (question,), notices = parse_questions(text, [DOCUMENT])
    return question.evidence[0].span, notices


def write(folder: Path, **files: str | bytes) -> Path:
    for name, content in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def test_a_right_line() -> None:
    questions, notices = parse_questions(line(kind="fact"), [DOCUMENT])
    assert questions == (
        Question("q1", "How many eggs?", (Evidence("farm.txt", Span(4, 21)),), "fact"),
    )  # fmt: skip
    assert notices == ()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_bom_line_ends_and_blank_lines(end: str) -> None:
    text = "\ufeff" + end + line() + end + end + line(id="q2", text="a\u2028b") + end
    questions, _ = parse_questions(text, [DOCUMENT])
    assert [each.id for each in questions] == ["q1", "q2"]
    assert questions[1].text == "a\u2028b"


def test_start_and_end_may_be_missing() -> None:
    assert span_of(line(evidence=[piece(start=None, end=None)])) == (Span(4, 21), ())


def test_the_quote_may_be_missing() -> None:
    assert span_of(line(evidence=[piece(quote=None)])) == (Span(4, 21), ())


def test_a_quote_with_other_blanks_is_no_mismatch() -> None:
    start = TEXT.index("the  hen")
    assert span_of(line(evidence=[piece(start=start, end=start + 8, quote="the hen")])) == (
        Span(start, start + 8),
        (),
    )


def test_given_offsets_decide_between_equal_quotes() -> None:
    at = TEXT.index("One cock")
    assert span_of(line(evidence=[piece(start=at, end=at + 3, quote="One")])) == (Span(at, at + 3), ())


@pytest.mark.parametrize(("start", "end"), [(5, 22), (0, 3), (4, 400), (-1, 3), (9, 9), (10**30, 10**31)])
def test_a_mismatch_is_repaired_and_noted(start: int, end: int) -> None:
    span, notices = span_of(line(evidence=[piece(start=start, end=end)]))
    assert span == Span(4, 21)
    assert len(notices) == 1
    assert notices[0].startswith("questions.jsonl line 1: ")
    assert "[4, 21) in farm.txt" in notices[0] and f"[{start}, " in notices[0]


def test_a_question_without_evidence_is_kept_and_noted() -> None:
    for text in (line(evidence=None), line(evidence=[])):
        (question,), (notice,) = parse_questions(text, [DOCUMENT])
        assert question.evidence == ()
        assert "'q1' has no evidence and is left out of every mean" in notice


def test_overlapping_evidence_is_kept_and_noted() -> None:
    pieces = [piece(), piece(start=21, end=22, quote="."), piece(start=8, end=12, quote="laid")]
    (question,), (notice,) = parse_questions(line(evidence=pieces), [DOCUMENT])
    assert len(question.evidence) == 3
    assert "overlaps; it is counted once" in notice


MISTAKES = {
    "bad json": ('{"id": "q1"', "one JSON object", "delimiter"),
    "trailing text": (line() + " x", "one JSON object", "Extra data"),
    "a list": ("[1]", "one JSON object", "[1]"),
    "deep nesting": ("[" * 100_000, "one JSON object", "nested too deeply"),
    "huge number": ('{"id": ' + "9" * 5000 + "}", "one JSON object", "limit"),
    "no id": (line(id=None), "text as id", "got None. Add it."),
    "id is a number": (line(id=7), "text as id", "got 7. Write it in double quotes."),
    "blank id": (line(id=" "), "text as id", "got ' '"),
    "no text": (line(text=None), "text as text", "Add it."),
    "half a character": (line(text="\ud800"), "text as text", "got '\\ud800'"),
    "kind is a list": (line(kind=["a"]), "text as kind", "got ['a']"),
    "duplicate id": (line() + "\n" + line(), "line 2: must have a new id, got 'q1'", "Line 1 has it already"),
    "evidence is an object": (line(evidence=piece()), "a list as evidence", "Put the objects into [ ]."),
    "evidence is a text": (line(evidence=["hen"]), "objects as evidence", "got 'hen'"),
    "unknown document": (line(evidence=[piece(document="x.txt")]), "got 'x.txt'", "There are farm.txt."),
    "start is a text": (line(evidence=[piece(start="4")]), "whole numbers as start and end", "['4', 21]"),
    "start is a fraction": (line(evidence=[piece(start=4.0)]), "whole numbers as start and end", "[4.0, 21]"),
    "start is true": (line(evidence=[piece(start=True)]), "whole numbers as start and end", "[True, 21]"),
    "start is NaN": (line(evidence=[piece(start=float("nan"))]), "whole numbers as start", "[nan, 21]"),
    "start alone": (line(evidence=[piece(end=None)]), "whole numbers as start and end", "[4, None]"),
    "outside": (line(evidence=[piece(end=999, quote=None)]), "0 <= start < end <= 57", "[4, 999]"),
    "empty": (line(evidence=[piece(end=4, quote=None)]), "0 <= start < end", "[4, 4]"),
    "blank": (line(evidence=[piece(start=22, end=23, quote=None)]), "a visible character", "[22, 23]"),
    "nothing to go by": (line(evidence=[{"document": "farm.txt"}]), "start and end, or a quote", "Add"),
    "quote is a number": (line(evidence=[piece(quote=12)]), "text as quote", "got 12"),
    "quote is not there": (line(evidence=[piece(quote="ten eggs")]), "stands in farm.txt", "got 'ten eggs'"),
    "quote is inside a word": (line(evidence=[piece(quote="ock laid")]), "stands in farm.txt", "'ock laid'"),
    "document is a list": (line(evidence=[piece(document=["farm.txt"])]), "a text as document", "double quotes"),
    "alternatives is an object": (line(evidence=[piece(alternatives={})]), "a list as alternatives", "[ ]"),
    "alternative is a text": (line(evidence=[piece(alternatives=["hen"])]), "objects as evidence", "got 'hen'"),
    "alternative is not there": (
        line(evidence=[piece(alternatives=[piece(start=None, end=None, quote="duck")])]),
        "a quote that stands in farm.txt",
        "got 'duck'",
    ),
    "quote is there twice": (line(evidence=[piece(quote="One")]), "farm.txt 2 times", "quote longer"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_has_its_line(name: str) -> None:
    text, *parts = MISTAKES[name]
    with pytest.raises(CorpusError) as caught:
        parse_questions(text, [DOCUMENT], "mine.jsonl")
    message = str(caught.value)
    assert message.startswith("mine.jsonl line ")
    assert all(part in message for part in parts), message
    assert "\n" not in message and len(message) < 300


def test_alternatives_are_read_each_place_once() -> None:
    hen, last = piece(start=4, end=7, quote="hen"), piece(start=53, end=56, quote="hen")
    (question,), notices = parse_questions(
        line(evidence=[hen | {"alternatives": [last, hen, last]}]), [DOCUMENT]
    )
    other = Evidence("farm.txt", Span(53, 56))
    assert question.evidence == (Evidence("farm.txt", Span(4, 7), (other,)),)
    assert [each.span.start for each in question.evidence[0].places] == [4, 53]
    assert notices == ()


def test_an_alternative_is_repaired_like_any_evidence() -> None:
    moved = piece(start=0, end=3, quote="One cock")
    (question,), (notice,) = parse_questions(line(evidence=[piece(alternatives=[moved])]), [DOCUMENT])
    assert question.evidence[0].alternatives == (Evidence("farm.txt", Span(23, 31)),)
    assert "'One cock' stands at [23, 31) in farm.txt" in notice


def test_copies_are_alternatives() -> None:
    documents = (
        Document("a", "The rate is 4 %. Thereafter it rose. The rate is 4 %."),
        Document("b", "In May the rate fell. The rate is 4 %. The rate is 4 %.x"),
    )
    first, second = Evidence("a", Span(0, 16)), Evidence("a", Span(37, 53))
    in_b = Evidence("b", Span(22, 38)), Evidence("b", Span(39, 55))
    rose = Evidence("a", Span(17, 36))
    corpus = Corpus(
        "rates",
        documents,
        (
            Question("copies", "?", (first, rose)),
            Question("parts", "?", (first, second)),
            Question("none", "?", ()),
            Question("given", "?", (Evidence("a", Span(0, 16), (in_b[0],)),)),
        ),
        ("kept",),
    )
    found = with_copies(corpus)
    alternatives = [[part.alternatives for part in each.evidence] for each in found.questions]
    assert alternatives == [[(second, *in_b), ()], [in_b, in_b], [], [(in_b[0], second, in_b[1])]]
    kept, notice = found.notices
    assert kept == "kept"
    assert (
        notice == "4 of 5 evidence texts stand elsewhere too, word for word: any of 9 copies counts as well."
    )
    assert with_copies(found).questions == found.questions and with_copies(found).notices == found.notices


def test_a_copy_inside_a_word_is_none() -> None:
    documents = (Document("a", "May came. Mayors came. It may."),)
    corpus = Corpus("may", documents, (Question("q", "?", (Evidence("a", Span(0, 3)),)),))
    assert with_copies(corpus) is corpus


@pytest.mark.parametrize(
    ("questions", "says"),
    [
        ((Question("q", "?", ()), Question("q", "!", ())), "questions: ids must differ, got 'q' twice"),
        (
            (Question("q", "?", (Evidence("x", Span(0, 1)),)),),
            "a document of the corpus, got 'x'. There are farm",
        ),
        (
            (Question("q", "?", (Evidence("farm.txt", Span(50, 58)),)),),
            "[0, 57), the length of farm.txt, got [50",
        ),
        (
            (Question("q", "?", (Evidence("farm.txt", Span(0, 1), (Evidence("y", Span(0, 1)),)),)),),
            "question 'q': must have evidence in a document of the corpus, got 'y'",
        ),
    ],
)
def test_questions_made_in_code_are_checked(questions: tuple, says: str) -> None:
    with pytest.raises(CorpusError) as caught:
        check_questions(questions, [DOCUMENT])
    assert says in str(caught.value) and "\n" not in str(caught.value)
    check_questions((Question("q", "?", (Evidence("farm.txt", Span(56, 57)),)),), [DOCUMENT])


@pytest.mark.parametrize("depth", range(900, 1000, 7))
def test_nesting_near_the_limit_is_a_mistake_like_any_other(depth: int) -> None:
    with pytest.raises(CorpusError):
        parse_questions("[" * depth + "]" * depth, [DOCUMENT])


def test_a_folder(tmp_path: Path) -> None:
    write(
        tmp_path,
        **{
            "b.txt": TEXT, "a.MD": "# A", "sub__c.markdown": "C", "sub__README.md": "R", "README.md": "no",
            "SOURCE.md": "no", "d.bin": "no", "e.log": "no", ".hidden.txt": "no", ".git__e.txt": "no",
            "questions.jsonl": line(evidence=[piece(document="b.txt")]).encode("utf-8-sig"),
        },
    )  # fmt: skip
    corpus = load_corpus(tmp_path)
    assert corpus.name == tmp_path.name
    assert [each.id for each in corpus.documents] == ["a.MD", "b.txt", "sub/README.md", "sub/c.markdown"]
    assert corpus.documents[1].text == TEXT
    assert corpus.questions[0].evidence == (Evidence("b.txt", Span(4, 21)),)
    assert load_corpus(str(tmp_path) + "/.") == corpus


def test_questions_may_be_missing(tmp_path: Path) -> None:
    assert load_corpus(write(tmp_path, **{"a.txt": "A"})).questions == ()


def test_links(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", **{"secret.txt": "secret"})
    folder = write(tmp_path / "folder", **{"a.txt": "A"})
    (folder / "out.txt").symlink_to(outside / "secret.txt")
    (folder / "in.txt").symlink_to("a.txt")
    (folder / "dir").symlink_to(outside)
    (folder / "questions.jsonl").symlink_to(outside / "secret.txt")
    corpus = load_corpus(folder)
    assert [each.id for each in corpus.documents] == ["a.txt", "in.txt"]
    assert len(corpus.notices) == 3
    assert all("link" in notice for notice in corpus.notices)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(write(tmp_path, **{"a.txt": "A"}) / "b.txt")
    assert len(load_corpus(tmp_path).documents) == 1


@pytest.mark.parametrize(
    ("folder", "says"),
    [("missing", "does not exist"), ("a.txt", "is a file"), ("\0", "no usable path"), ("x" * 5000, "path")],
)
def test_what_is_no_folder(tmp_path: Path, folder: str, says: str) -> None:
    write(tmp_path, **{"a.txt": "A"})
    with pytest.raises(CorpusError, match=rf"^corpus: must be a folder, got .*{says}") as caught:
        load_corpus(f"{tmp_path}/{folder}")
    assert "\n" not in str(caught.value)


def test_a_folder_without_documents(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"at least one file of a known ending"):
        load_corpus(write(tmp_path, **{"README.md": "R", "questions.jsonl": ""}))


def test_a_link_to_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.txt").symlink_to("gone.txt")
    with pytest.raises(CorpusError, match=r"^a.txt: must be readable, got 'No such file"):
        load_corpus(tmp_path)


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    write(tmp_path, **{"a.txt": "A"})
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(CorpusError, match=r"^a.txt: must be readable, got 'Permission denied'"):
        load_corpus(tmp_path)


def test_a_document_that_intake_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, data: bytes) -> Document:
        raise IntakeError(f"{name}: must be text, got bytes.")

    monkeypatch.setattr(module, "read_bytes", refuse)
    with pytest.raises(CorpusError, match=r"^a.txt: must be text"):
        load_corpus(write(tmp_path, **{"a.txt": "A"}))


@pytest.mark.parametrize("data", [b"{}\n\xff\xfe", line().encode("utf-16")])
def test_questions_that_are_not_utf8(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(CorpusError, match=r"^questions.jsonl line [12]: must be UTF-8, got byte b'\\xff'"):
        load_corpus(write(tmp_path, **{"a.txt": "A", "questions.jsonl": data}))


def test_file_names_that_cannot_be_printed(tmp_path: Path) -> None:
    (tmp_path / "a\nb.txt").write_text("A")
    (tmp_path / os.fsdecode(b"c\xff.txt")).write_text("C")
    assert [each.id for each in load_corpus(tmp_path).documents] == ["a\ufffdb.txt", "c\ufffd.txt"]


def test_joining() -> None:
    one, other = Corpus("one", (DOCUMENT,), (), ("n",)), Corpus("other", (Document("b.txt", "B"),))
    both = join_corpora("both", [one, other])
    assert (both.name, [each.id for each in both.documents], both.notices) == (
        "both",
        ["farm.txt", "b.txt"],
        ("n",),
    )
    with pytest.raises(CorpusError, match=r"'farm.txt' twice"):
        join_corpora("both", [one, one])


def test_the_document_may_be_left_out_where_there_is_only_one() -> None:
    text = line(evidence=[piece(document=None)])
    (question,), _ = parse_questions(text, [DOCUMENT])
    assert question.evidence[0].document_id == "farm.txt"
    with pytest.raises(CorpusError, match=r"text as document.*Add it"):
        parse_questions(text, [DOCUMENT, Document("other.txt", "x")])
