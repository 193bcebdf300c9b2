"""Questions with the places that answer them, read from JSON lines.

    {"id": "p1", "kind": "fact", "text": "How far …?", "evidence": [
        {"document": "prose.txt", "start": 114, "end": 187, "quote": "on a clear night …"}]}

`kind` may be left out, and so may `start` and `end` when the quote stands in the document once, and
`document` when there is only one. All parts of the evidence are needed together; a part may have
"alternatives", a list of such objects for other places that say the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NoReturn

from chunklab.anchor import find_quote
from chunklab.errors import CorpusError, shown
from chunklab.types import Document, Evidence, Question, Span

QUESTIONS = "questions.jsonl"


def parse_questions(
    text: str, documents: Sequence[Document], name: str = QUESTIONS
) -> tuple[tuple[Question, ...], tuple[str, ...]]:
    """The questions written in `text`, one JSON object a line, and notices about what was repaired or noted.

    Raises CorpusError with `name` and the number of the first line that cannot be used.
    """
    known = {each.id: each for each in documents}
    questions: dict[str, Question] = {}
    lines: dict[str, int] = {}
    notices: list[str] = []
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), 1):
        if not line.strip():
            continue
        reader = QuestionReader(f"{name} line {number}", known, notices)
        try:
            question = reader.question(json.loads(line))
        except CorpusError:
            raise
        except RecursionError:
            reader.fail("one JSON object", line.strip(), "It is nested too deeply.")
        except ValueError as error:
            reader.fail("one JSON object", line.strip(), f"Mend it: {getattr(error, 'msg', error)}.")
        if question.id in questions:
            reader.fail("a new id", question.id, f"Line {lines[question.id]} has it already; rename one.")
        questions[question.id], lines[question.id] = question, number
    return tuple(questions.values()), tuple(notices)


def check_questions(questions: Sequence[Question], documents: Sequence[Document]) -> None:
    """Raises CorpusError unless ids differ and all evidence lies inside a document."""
    lengths = {each.id: len(each.text) for each in documents}
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise CorpusError(f"questions: ids must differ, got {shown(question.id)} twice. Rename one.")
        seen.add(question.id)
        for place in (place for part in question.evidence for place in part.places):
            length = lengths.get(place.document_id)
            where = f"question {shown(question.id)}: must have evidence in"
            if length is None:
                raise CorpusError(
                    f"{where} a document of the corpus, got {shown(place.document_id)}. "
                    f"There are {_some(list(lengths))}."
                )
            if place.span.end > length:
                got = f"[{place.span.start}, {place.span.end})"
                raise CorpusError(
                    f"{where} [0, {length}), the length of {place.document_id}, got {got}. Correct it."
                )


class QuestionReader:
    """Reads one question from plain values; `where` begins every message about it."""

    def __init__(self, where: str, documents: dict[str, Document], notices: list[str]):
        self.where, self.documents, self.notices = where, documents, notices

    def fail(self, must: str, got: object, remedy: str) -> NoReturn:
        raise CorpusError(f"{self.where}: must have {must}, got {shown(got)}. {remedy}")

    def question(self, record: Any) -> Question:
        """The question that an object of a JSON line describes."""
        if not isinstance(record, dict):
            self.fail("one JSON object", record, 'Write {"id": …, "text": …, "evidence": […]}.')
        return self.made(record, tuple(self.part(item) for item in self._list(record, "evidence")))

    def made(self, record: dict, evidence: tuple[Evidence, ...]) -> Question:
        """The question with evidence that has been read; what is odd about it is noted."""
        id, text = self._text(record, "id"), self._text(record, "text")
        kind = self._text(record, "kind") if record.get("kind") else ""
        if not evidence:
            self.notices.append(f"{self.where}: {shown(id)} has no evidence and is left out of every mean.")
        places = sorted((each.document_id, each.span) for each in evidence)
        if any(one[0] == other[0] and one[1].overlaps(other[1]) for one, other in pairwise(places)):
            self.notices.append(f"{self.where}: evidence of {shown(id)} overlaps; it is counted once.")
        return Question(id, text, evidence, kind)

    def part(self, item: Any) -> Evidence:
        """One part of the evidence with its alternatives, each place once."""
        own = self.place(item)
        others = [self.place(each) for each in self._list(item, "alternatives")]
        return Evidence(
            own.document_id, own.span, tuple(dict.fromkeys(each for each in others if each != own))
        )

    def place(self, item: Any) -> Evidence:
        """One place in a document, without alternatives."""
        if not isinstance(item, dict):
            self.fail("objects as evidence", item, 'Write {"document": …, "quote": …}.')
        alone = next(iter(self.documents)) if len(self.documents) == 1 else None
        named = item.get("document") or alone is None
        document = self.documents.get(self._text(item, "document") if named else alone)
        if document is None:
            remedy = f"There are {_some(list(self.documents))}."
            self.fail("evidence in a document of this corpus", item.get("document"), remedy)
        quote = self._text(item, "quote") if item.get("quote") else ""
        span = self._given(item, document, required=not quote)
        if quote and not (span and _says(document.text[span.start : span.end], quote)):
            span = self._found(document, quote)
            if item.get("start") is not None:
                found = f"[{span.start}, {span.end}) in {document.id}"
                given = shown([item["start"], item["end"]], 40)
                self.notices.append(
                    f"{self.where}: {shown(quote, 40)} stands at {found}, not at {given}; repaired."
                )
        if not document.text[span.start : span.end].strip():
            self.fail("evidence with a visible character", [span.start, span.end], "Check start and end.")
        return Evidence(document.id, span)

    def _given(self, item: dict, document: Document, required: bool) -> Span | None:
        """The span by its numbers; None when there are none, or unusable ones beside a quote."""
        numbers = start, end = item.get("start"), item.get("end")
        if numbers == (None, None):
            if required:
                self.fail("start and end, or a quote, in evidence", item, "Add the quote.")
            return None
        if any(not isinstance(each, int) or isinstance(each, bool) for each in numbers):
            self.fail("whole numbers as start and end", list(numbers), "Count code points from 0.")
        if 0 <= start < end <= len(document.text):
            return Span(start, end)
        if required:
            must = f"0 <= start < end <= {len(document.text)}, the length of {document.id}"
            self.fail(must, list(numbers), "Correct them, or add the quote.")
        return None

    def _found(self, document: Document, quote: str) -> Span:
        """The only place of the quote."""
        places = find_quote(document.text, quote, whole_words=True)
        if not places:
            self.fail(f"a quote that stands in {document.id}", quote, "Copy it from the document again.")
        if len(places) > 1:
            must = f"start and end, since the quote stands in {document.id} {len(places)} times"
            self.fail(must, quote, "Correct them, or make the quote longer.")
        return places[0]

    def _list(self, record: dict, key: str) -> list:
        items = [] if record.get(key) is None else record[key]
        if not isinstance(items, list):
            self.fail(f"a list as {key}", items, "Put the objects into [ ].")
        return items

    def _text(self, record: dict, key: str) -> str:
        value = record.get(key)
        if not isinstance(value, str) or not value.strip() or not encodable(value):
            self.fail(f"a text as {key}", value, "Write it in double quotes." if key in record else "Add it.")
        return value


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (", …" if len(names) > 5 else "") or "none"


def _says(text: str, quote: str) -> bool:
    return text == quote or find_quote(text, quote) == [Span(0, len(text))]


def encodable(text: str) -> bool:
    """Whether the text can be written as UTF-8: it has no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
