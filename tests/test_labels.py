"""Marked answers written and read again, and found again after an edit."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunklab.corpus import load_corpus, with_copies
from chunklab.errors import CorpusError
from chunklab.export import FORMULA_STARTS
from chunklab.labels import (
    COLUMNS,
    Lost,
    questions_from_csv,
    questions_to_csv,
    questions_to_jsonl,
    reanchor,
)
from chunklab.questions import parse_questions
from chunklab.types import Document, Evidence, Question, Span

SAMPLES = Path(__file__).parent.parent / "sample_corpora"
TEXT = 'One hen, "Ada", laid two eggs.\r\n=1+1 is not a formula.\tOne cock laid none; \u2014 said the hen.\n'
DOCUMENTS = (Document("farm.txt", TEXT), Document("=b.txt", "@sum\rOne hen."))


def span(text: str, document: Document = DOCUMENTS[0]) -> Evidence:
    at = document.text.index(text)
    return Evidence(document.id, Span(at, at + len(text)))


QUESTIONS = (
    Question("q1", "How many?\nTwo?", (span('"Ada", laid'), span("=1+1 is not a formula.\tOne")), "fact"),
    Question(
        "-q2", "=cmd|' /C calc'!A0", (Evidence("farm.txt", Span(0, 7), (span("One hen", DOCUMENTS[1]),)),)
    ),
    Question("'=q3", "'quoted'", ()),
    Question("q4", "+1?", (span("@sum\rOne", DOCUMENTS[1]),), "@kind"),
)


def test_jsonl_is_read_back() -> None:
    text = questions_to_jsonl(QUESTIONS, DOCUMENTS)
    assert parse_questions(text, DOCUMENTS)[0] == QUESTIONS
    assert text.count("\n") == len(QUESTIONS)
    first = json.loads(text.partition("\n")[0])
    assert first["evidence"][0] == {"document": "farm.txt", "start": 9, "end": 20, "quote": '"Ada", laid'}
    assert questions_to_jsonl((), DOCUMENTS) == ""


def test_half_a_character_has_no_quote_and_is_read_back() -> None:
    documents = (Document("a", "x \ud800 y"),)
    questions = (Question("q", "?", (Evidence("a", Span(0, 5)),)),)
    text = questions_to_jsonl(questions, documents)
    assert "quote" not in text and text.encode()
    assert parse_questions(text, documents)[0] == questions


def test_csv_is_read_back_and_has_a_row_for_each_place() -> None:
    text = questions_to_csv(QUESTIONS, DOCUMENTS)
    assert questions_from_csv(text, DOCUMENTS)[0] == QUESTIONS
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert tuple(rows[0]) == COLUMNS
    assert [row["question_id"].lstrip("'") for row in rows] == ["q1", "q1", "-q2", "-q2", "=q3", "q4"]
    assert [row["part"] for row in rows] == ["1", "2", "1", "1", "", "1"]


@pytest.mark.parametrize("corpus", ["prose", "mixed", "topics", "formats"])
def test_samples_are_read_back(corpus: str) -> None:
    found = with_copies(load_corpus(SAMPLES / corpus))
    for write, read in ((questions_to_jsonl, parse_questions), (questions_to_csv, questions_from_csv)):
        questions, notices = read(write(found.questions, found.documents), found.documents)
        assert questions == found.questions
        assert not [each for each in notices if "repaired" in each]


@given(st.text(alphabet="'=+-@ab\t\r\n\",; ", min_size=1).filter(str.strip))
def test_no_cell_is_a_formula_and_every_text_comes_back(text: str) -> None:
    documents = (Document(text, text + "!"),)
    questions = (Question(text, text, (Evidence(text, Span(0, len(text))),), text),)
    written = questions_to_csv(questions, documents)
    assert questions_from_csv(written, documents)[0] == questions
    cells = [cell for row in csv.reader(io.StringIO(written, newline="")) for cell in row]
    assert not [cell for cell in cells if cell.startswith(FORMULA_STARTS)]


def table(*rows: str, head: str = "question_id,text,document,start,end,quote") -> str:
    return "\n".join((head, *rows)) + "\n"


@pytest.mark.parametrize("comma", [",", ";", "\t"])
def test_a_table_made_by_hand(comma: str) -> None:
    text = table(
        "q1,How many?,farm.txt,,,two eggs", "", "q1,How many?,farm.txt,,,One cock", "q2,Who?,farm.txt,4,7,"
    )
    questions, notices = questions_from_csv("\ufeff" + text.replace(",", comma), DOCUMENTS)
    assert questions == (
        Question("q1", "How many?", (span("two eggs"), span("One cock"))),
        Question("q2", "Who?", (Evidence("farm.txt", Span(4, 7)),)),
    )
    assert notices == ()


def test_a_moved_row_is_repaired_and_noted() -> None:
    questions, (notice,) = questions_from_csv(table("q,?,farm.txt,0,8,two eggs"), DOCUMENTS, "mine.csv")
    assert questions[0].evidence == (span("two eggs"),)
    assert notice.startswith("mine.csv row 2: 'two eggs' stands at [") and "repaired" in notice


MISTAKES = {
    "nothing": ("", "row 1: must have the columns question_id, text, quote, got []"),
    "no quote column": (table(head="question_id,text"), "row 1: must have the columns"),
    "two texts": (table("q,one,farm.txt,4,7,", "q,other,farm.txt,4,7,"), "row 3: must have one text for each"),
    "no id": (table(",?,farm.txt,4,7,"), "row 2: must have a text as id"),
    "unknown document": (table("q,?,x.txt,4,7,"), "row 2: must have evidence in a document"),
    "no number": (table("q,?,farm.txt,four,7,hen"), "row 2: must have whole numbers as start and end"),
    "outside": (table("q,?,farm.txt,4,700,"), "row 2: must have 0 <= start < end"),
    "not there": (table("q,?,farm.txt,,,duck"), "row 2: must have a quote that stands in farm.txt"),
    "there twice": (table("q,?,farm.txt,,,One"), "farm.txt 2 times"),
    "a huge cell": (table(f"q,?,farm.txt,,,{'x' * 200_000}"), "must be a table of comma-separated values"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_has_its_line(name: str) -> None:
    text, says = MISTAKES[name]
    with pytest.raises(CorpusError) as caught:
        questions_from_csv(text, DOCUMENTS, "mine.csv")
    message = str(caught.value)
    assert message.startswith("mine.csv") and says in message, message
    assert "\n" not in message and len(message) < 300


def one(start: int, end: int, *others: Evidence) -> tuple[Question, ...]:
    return (Question("q", "?", (Evidence("d", Span(start, end), others),)),)


OLD = Document("d", "A hen laid an egg. A cock crowed. A hen slept.")


@pytest.mark.parametrize(
    ("new", "start"),
    [
        (OLD.text, 19),
        ("New line. " + OLD.text, 29),
        (OLD.text + " The end.", 19),
        (OLD.text.replace("laid an egg", "rested"), 14),
        ("A cock crowed.", 0),
        ("So! " + OLD.text[:19] + "a  cock\ncrowed. A cock crowed.", 39),
    ],
)
def test_evidence_moves_with_its_text(new: str, start: int) -> None:
    found = reanchor(one(19, 33), OLD, Document("d", new))
    (evidence,) = found.questions[0].evidence
    assert new[evidence.span.start : evidence.span.end] == "A cock crowed."
    assert (evidence.span.start, found.lost, found.notices) == (start, (), ())


def test_of_several_the_nearest_is_taken_and_told() -> None:
    new = Document("e", "Once. A cock crowed. Twice. A cock crowed. Then. A cock crowed. End.")
    found = reanchor(one(19, 33), OLD, new)
    assert found.questions[0].evidence == (Evidence("e", Span(28, 42)),)
    (notice,) = found.notices
    assert "'q': 'A cock crowed.' stands in e 3 times; [28, 42), the nearest" in notice


def test_what_is_gone_is_lost_and_told() -> None:
    new = Document("d", "A hen laid an egg. A hen slept.")
    other, elsewhere = Evidence("d", Span(0, 18)), Evidence("x", Span(3, 9))
    gone = reanchor(one(19, 33), OLD, new)
    assert gone.questions == (Question("q", "?", ()),)
    assert gone.lost == (Lost("q", "A cock crowed."),)
    kept = reanchor(one(19, 33, other, elsewhere), OLD, new)
    assert kept.questions == one(0, 18, elsewhere) and kept.lost == gone.lost
    parts = (Question("q", "?", (Evidence("d", Span(19, 33)), other)),)
    assert reanchor(parts, OLD, new).questions[0].evidence == (other,)
    untouched = (Question("q", "?", (elsewhere,)),)
    assert reanchor(untouched, OLD, Document("d", "")).questions == untouched


@given(st.text("ab .", max_size=12), st.text("ab .", max_size=12), st.integers(0, 30), st.integers(0, 5))
def test_whatever_is_edited_the_text_stays_the_same(before: str, put: str, at: int, cut: int) -> None:
    old = Document("d", before + "the old mill" + before)
    at = min(at, len(old.text))
    new = Document("d", old.text[:at] + put + old.text[at + cut :])
    start = len(before)
    found = reanchor(one(start, start + 12), old, new)
    if "the old mill" in new.text:
        (evidence,) = found.questions[0].evidence
        assert new.text[evidence.span.start : evidence.span.end] == "the old mill"
        assert not found.lost
    else:
        assert found.lost or found.questions[0].evidence
