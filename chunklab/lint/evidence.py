"""The questions of a file that are about one document."""

from __future__ import annotations

import json
import re

from chunklab.errors import CorpusError, shown
from chunklab.questions import parse_questions
from chunklab.types import Document, Question


def questions_about(
    document: Document, data: bytes, name: str
) -> tuple[tuple[Question, ...], tuple[str, ...]]:
    """The questions with evidence in this document, that evidence alone, and notices about it.

    `data` is a questions.jsonl whose evidence names the document by its file name, with folders or not.
    Raises CorpusError with `name` and the line of what cannot be used.
    """
    try:
        lines = re.split(r"\r\n|\r|\n", data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        got = shown(data[error.start : error.start + 1])
        raise CorpusError(f"{name}: must be UTF-8, got byte {got}. Save it as UTF-8.") from None
    # A line that is left out stays as an empty one, so that messages count the lines of the file.
    return parse_questions("\n".join(_about(line, document.id) for line in lines), [document], name)


def _about(line: str, id: str) -> str:
    try:
        record = json.loads(line) if line.strip() else None
    except (ValueError, RecursionError):
        return line
    if record is None:
        return ""
    items = record.get("evidence") if isinstance(record, dict) else None
    if not isinstance(items, list) or not all(isinstance(each, dict) for each in items):
        return line
    own = [each | {"document": id} for each in items if _same(each.get("document"), id)]
    named = [each for each in items if isinstance(each.get("document"), str)]
    if len(named) < len(items):
        return line
    return json.dumps(record | {"evidence": own}) if own else ""


def _same(name: object, id: str) -> bool:
    return isinstance(name, str) and name.rpartition("/")[2] == id.rpartition("/")[2]
