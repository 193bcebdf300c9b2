"""Marked answers as files, and marked answers after their document was edited."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from chunklab.edits import Edit
from chunklab.errors import CorpusError, shown
from chunklab.export import FORMULA_STARTS
from chunklab.questions import QuestionReader, encodable
from chunklab.types import Document, Evidence, Question

COLUMNS = ("question_id", "kind", "text", "document", "start", "end", "quote", "part")
NEEDED = ("question_id", "text", "quote")


def questions_to_jsonl(questions: Sequence[Question], documents: Sequence[Document]) -> str:
    """The questions as `questions.parse_questions` reads them, one JSON object a line."""
    texts = {each.id: each.text for each in documents}
    lines = []
    for question in questions:
        record: dict[str, Any] = {"id": question.id}
        if question.kind:
            record["kind"] = question.kind
        record |= {"text": question.text, "evidence": [_part(part, texts) for part in question.evidence]}
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(lines)


def questions_to_csv(questions: Sequence[Question], documents: Sequence[Document]) -> str:
    """One row a place: question_id, kind, text, document, start, end, quote, part.

    Rows of one question with the same number as part are alternatives of one another; a question without
    evidence has one row without a place. No cell is a formula to a spreadsheet.
    """
    texts = {each.id: each.text for each in documents}
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for question in questions:
        words = [_cell(each) for each in (question.id, question.kind, question.text)]
        if not question.evidence:
            writer.writerow([*words, *[""] * 5])
        for number, part in enumerate(question.evidence, 1):
            for each in part.places:
                quote = texts[each.document_id][each.span.start : each.span.end]
                place = [_cell(each.document_id), each.span.start, each.span.end, _cell(quote)]
                writer.writerow([*words, *place, number])
    return out.getvalue()


def questions_from_csv(
    text: str, documents: Sequence[Document], name: str = "labels.csv"
) -> tuple[tuple[Question, ...], tuple[str, ...]]:
    """The questions of a table as `questions_to_csv` writes it, and notices about what was repaired or noted.

    Columns are known by their names, in any order, separated by commas, semicolons or tabs; question_id,
    text and quote are needed, and start and end where a quote stands more than once. Without a part each
    row is one. Raises CorpusError with `name` and the number of the first row that cannot be used.
    """
    known = {each.id: each for each in documents}
    notices: list[str] = []
    records: dict[str, dict[str, str]] = {}
    places: dict[str, dict[str, list[Evidence]]] = {}
    readers: dict[str, QuestionReader] = {}
    for number, row in _rows(text, name):
        reader = QuestionReader(f"{name} row {number}", known, notices)
        id = row["question_id"]
        record = records.setdefault(id, {"id": id, "text": row["text"], "kind": row.get("kind", "")})
        if record["text"] != row["text"]:
            reader.fail(
                f"one text for each question_id, here {shown(record['text'])}", row["text"], "Correct one."
            )
        readers.setdefault(id, reader)
        parts = places.setdefault(id, {})
        if row["quote"] or row.get("start"):
            part = parts.setdefault(row.get("part") or f"row {number}", [])
            part.append(reader.place(_item(reader, row)))
    questions = []
    for id, record in records.items():
        evidence = (replace(first, alternatives=tuple(others)) for first, *others in places[id].values())
        questions.append(readers[id].made(record, tuple(evidence)))
    return tuple(questions), tuple(notices)


class Lost(NamedTuple):
    """A place of evidence whose text is no longer there: its question and what it said."""

    question_id: str
    quote: str


@dataclass(frozen=True)
class Reanchored:
    """Questions with their places in the edited document, what was lost, and sentences about what is doubtful."""

    questions: tuple[Question, ...]
    lost: tuple[Lost, ...]
    notices: tuple[str, ...]


def reanchor(questions: Sequence[Question], old: Document, new: Document) -> Reanchored:
    """The questions after `old` became `new`: each place of evidence in it is found again by its text.

    What lies before the first or behind the last change is known to be there. Elsewhere a text that
    stands several times is taken where it is nearest to the old place, with a notice, and one that stands
    no more is lost. A part that loses its own place keeps its alternatives; one that loses all is left
    out of its question.
    """
    edit = Edit(old, new)
    lost: list[Lost] = []
    notices: list[str] = []

    def moved(question: Question, place: Evidence) -> Evidence | None:
        if place.document_id != old.id:
            return Evidence(place.document_id, place.span)
        quote, found = old.text[place.span.start : place.span.end], edit.places(place.span)
        if not found:
            lost.append(Lost(question.id, quote))
            return None
        if len(found) > 1:
            notices.append(
                f"{shown(question.id)}: {shown(quote, 40)} stands in {new.id} {len(found)} times; "
                f"[{found[0].start}, {found[0].end}), the nearest to its old place, was taken."
            )
        return Evidence(new.id, found[0])

    again = []
    for question in questions:
        parts = [
            list(filter(None, (moved(question, each) for each in part.places))) for part in question.evidence
        ]
        evidence = (replace(own, alternatives=tuple(others)) for own, *others in filter(None, parts))
        again.append(replace(question, evidence=tuple(evidence)))
    return Reanchored(tuple(again), tuple(lost), tuple(notices))


def _part(part: Evidence, texts: dict[str, str]) -> dict[str, Any]:
    others = [_place(each, texts) for each in part.alternatives]
    return _place(part, texts) | ({"alternatives": others} if others else {})


def _place(place: Evidence, texts: dict[str, str]) -> dict[str, Any]:
    start, end = place.span.start, place.span.end
    quote = texts[place.document_id][start:end]
    record = {"document": place.document_id, "start": start, "end": end}
    return record | ({"quote": quote} if encodable(quote) else {})


def _rows(text: str, name: str) -> Iterator[tuple[int, dict[str, str]]]:
    """(number, cells by column) of each row that is not blank; the head is row 1."""
    text = text.removeprefix("\ufeff")
    head = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count))
    try:
        columns = [each.strip().lower() for each in next(reader, [])]
        if not set(NEEDED) <= set(columns):
            raise CorpusError(
                f"{name} row 1: must have the columns {', '.join(NEEDED)}, got {shown(columns)}. Name them."
            )
        for number, cells in enumerate(reader, 2):
            if any(each.strip() for each in cells):
                yield number, dict.fromkeys(columns, "") | dict(zip(columns, map(_text, cells), strict=False))
    except csv.Error as error:
        raise CorpusError(
            f"{name}: must be a table of comma-separated values, got {error}. Mend it."
        ) from None


def _item(reader: QuestionReader, row: dict[str, str]) -> dict[str, Any]:
    """The place of a row as an evidence object."""
    numbers = [row.get(each, "").strip() for each in ("start", "end")]
    if not all(each.isdecimal() for each in numbers if each):
        reader.fail("whole numbers as start and end", numbers, "Count code points from 0.")
    start, end = (int(each) if each else None for each in numbers)
    return {"document": row.get("document"), "start": start, "end": end, "quote": row["quote"]}


def _cell(text: str) -> str:
    """The text as a spreadsheet cell that is never a formula (OWASP, CSV injection); `_text` reads it back."""
    return f"'{text}" if text.lstrip("'").startswith(FORMULA_STARTS) else text


def _text(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(FORMULA_STARTS) else cell
