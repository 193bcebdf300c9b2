"""The Label page in a real browser: text is selected, asked about, measured at once, and never lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from chunklab.labels import questions_from_csv
from chunklab.questions import parse_questions
from chunklab.types import Document
from tests.browser import address, chromium, context  # noqa: F401
from tests.browser_pages import Label

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser
TEXT = (
    "# Ferry \U0001f6a2\n\nThe ferry leaves at six \U0001f468\u200d\U0001f469\u200d\U0001f467 and at noon.\r\n\r\n"
    "Bicycles travel free \U0001d4b3.  A ticket costs nine crowns.\n\nDogs need a lead. Dogs need a lead.\n"
)
NEW = TEXT.replace("# Ferry", "# The new ferry").replace(
    "A ticket costs nine crowns", "A ticket costs ten crowns"
)


@pytest.fixture
def desk(address: str, context: Any) -> Iterator[Label]:  # noqa: F811
    page = Label(context, address, sample="prose")
    page.upload("ferry.md", TEXT.encode())
    page.opened("ferry.md")
    yield page
    page.check()
    page.page.close()


def write(page: Label, question: str) -> None:
    box = page.page.get_by_role("textbox", name="New question")
    box.fill(question)
    box.press("Enter")
    page.rest()


def press(page: Label, name: str) -> None:
    button = page.page.get_by_test_id("stMain").get_by_role("button", name=name, exact=True)
    # While a run replaces the form, its old button and the new one can stand side by side.
    for _ in range(5):
        page.until(lambda: button.count() == 1, f"one button {name}")
        try:
            button.click()
            break
        except playwright.Error as error:
            if "strict mode" not in str(error):
                raise
    else:
        raise AssertionError(f"two buttons {name} all the time")
    page.rest()


def select(page: Label, text: str, source: str = TEXT) -> tuple[int, int]:
    """Selects a text and waits until its offsets, in code points, are told; returns them."""
    page.select(text)
    start = source.index(text)
    told = f"Selected, {start:,}–{start + len(text):,}, {len(text):,} characters"
    page.until(lambda: told in page.said, told)
    return start, start + len(text)


def saved(page: Label) -> list[dict[str, Any]]:
    """The questions, as the page gives them out."""
    return [json.loads(line) for line in page.download("Save as JSONL")[1].decode().splitlines()]


def test_text_is_selected_asked_about_and_measured_at_once(desk: Label) -> None:
    write(desk, "When does the ferry leave?")
    start, end = select(desk, "leaves at six \U0001f468\u200d\U0001f469\u200d\U0001f467 and")
    press(desk, "Save")
    desk.until(
        lambda: [each["text"] for each in desk.rows] == ["When does the ferry leave?"], "the question listed"
    )
    assert desk.rows[0]["facts"] == f"{start}–{end}"
    write(desk, "What is free and what does a ticket cost?")
    select(desk, "travel free \U0001d4b3.")
    press(desk, "Save")
    desk.until(lambda: len(desk.rows) == 2, "the second question")
    evidence = [each["evidence"][0] for each in saved(desk)]
    assert [TEXT[each["start"] : each["end"]] for each in evidence] == [each["quote"] for each in evidence]
    desk.turn("Inspect")
    desk.until(lambda: "recall" in desk.numbers, "the measure on Inspect")
    assert desk.view.locator(".questions li").count() == 2
    desk.turn("Retrieve")
    desk.until(lambda: len(desk.rows) == 2, "the verdicts on Retrieve")
    desk.turn("Label")
    desk.until(lambda: len(desk.rows) == 2, "the questions, still there")


def test_parts_alternatives_edits_and_undo(desk: Label) -> None:
    write(desk, "What are the rules?")
    select(desk, "Bicycles travel free")
    press(desk, "Save")
    desk.until(lambda: len(desk.rows) == 1, "the question listed")
    (question,) = saved(desk)
    desk.take_row(question["id"])
    select(desk, "A ticket costs nine crowns.")
    press(desk, "Add as a further part")
    desk.page.get_by_role("textbox", name="Select the answer").fill("Dogs need a lead.")
    desk.page.get_by_role("textbox", name="Select the answer").press("Control+Enter")
    desk.until(lambda: desk.page.get_by_text("It stands there 2 times").count(), "the choice of the place")
    press(desk, "Any of them")
    press(desk, "Save")
    desk.until(lambda: "3 parts" in desk.rows[0]["facts"], "the parts")
    (question,) = saved(desk)
    quotes = [each["quote"] for each in question["evidence"]]
    assert quotes == ["Bicycles travel free", "A ticket costs nine crowns.", "Dogs need a lead."]
    first, second = TEXT.index("Dogs"), TEXT.rindex("Dogs")
    assert question["evidence"][2]["start"] == first
    assert [each["start"] for each in question["evidence"][2]["alternatives"]] == [second]
    desk.take_row(question["id"])
    press(desk, "Delete")
    desk.until(lambda: not desk.rows, "the question to be gone")
    press(desk, "Undo deleting a question")
    desk.until(lambda: len(desk.rows) == 1, "the question to be back")
    assert saved(desk) == [question]
    press(desk, "Undo changing a question")
    desk.until(lambda: "3 parts" not in desk.rows[0]["facts"], "the change to be undone")


def test_what_is_missing_is_told(desk: Label) -> None:
    press(desk, "Save")
    desk.until(lambda: "Write the question first." in desk.said, "that the question is missing")
    write(desk, "Where to?")
    press(desk, "Save")
    desk.until(lambda: "Mark the answer first" in desk.said, "that the answer is missing")
    box = desk.page.get_by_role("textbox", name="Select the answer")
    box.fill("To the <b>moon</b>.")
    box.press("Control+Enter")
    desk.until(lambda: "does not stand in ferry.md" in desk.said, "that the quote is not there")
    box.fill("at\nnoon")
    box.press("Control+Enter")
    start = TEXT.index("at noon")
    desk.until(lambda: f"Selected, {start}–{start + 7}, 7 characters" in desk.said, "the quote found")
    assert not desk.rows
    desk.turn("Inspect")
    desk.turn("Label")
    desk.until(lambda: f"Selected, {start}–{start + 7}" in desk.said, "what was not saved, still there")
    assert desk.page.get_by_role("textbox", name="New question").input_value() == "Where to?"


def test_files_go_out_and_come_in(desk: Label) -> None:
    write(desk, "=cmd|' /C calc'!A0")
    select(desk, "Bicycles travel free")
    press(desk, "Save")
    desk.until(lambda: len(desk.rows) == 1, "the question listed")
    document = Document("ferry.md", TEXT, "text/markdown")
    name, table = desk.download("Save as CSV")
    assert name == "questions.csv" and "\n=" not in table.decode() and ",=" not in table.decode()
    (from_csv,), _ = questions_from_csv(table.decode(), (document,))
    lines = desk.download("Save as JSONL")[1]
    (from_jsonl,), _ = parse_questions(lines.decode(), (document,))
    assert from_csv == from_jsonl and from_csv.text.startswith("=cmd")
    chooser = desk.page.get_by_test_id("stMain").locator("input[type=file]")
    more = {"id": "z", "text": "How much?", "evidence": [{"quote": "nine crowns"}]}
    chooser.set_input_files(
        {"name": "more.jsonl", "mimeType": "text/plain", "buffer": json.dumps(more).encode()}
    )
    desk.until(lambda: "1 of 1 questions added." in desk.said, "the question taken in")
    desk.until(lambda: len(desk.rows) == 2, "the question listed")
    bad = json.dumps({**more, "id": "y", "evidence": [{"quote": "eleven crowns"}]}).encode()
    chooser.set_input_files({"name": "bad.jsonl", "mimeType": "text/plain", "buffer": bad})
    desk.until(
        lambda: "bad.jsonl line 1: must have a quote that stands in ferry.md" in desk.said, "what is wrong"
    )
    assert len(desk.rows) == 2


def test_an_edited_document_keeps_its_answers(desk: Label) -> None:
    for question, quote in (("When?", "at noon"), ("How much?", "nine crowns")):
        write(desk, question)
        select(desk, quote)
        press(desk, "Save")
        desk.until(lambda q=question: q in [each["text"] for each in desk.rows], "the question listed")
    desk.upload("ferry.md", NEW.encode())
    desk.until(lambda: "1 moved with the text, 1 lost" in desk.said, "what became of the answers")
    assert "nine crowns" in desk.said
    rows = {each["text"]: each["facts"] for each in desk.rows}
    start = NEW.index("at noon")
    assert rows == {"When?": f"{start}–{start + 7}", "How much?": "no answer"}
    assert desk.painted_marks == ["at noon"]
    press(desk, "Done")
    desk.until(lambda: "moved with the text" not in desk.said, "the report to be gone")
