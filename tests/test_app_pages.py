"""The Retrieve and Label pages without a browser: state, address, what is sent to the views, what is kept."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from chunklab.chunking import chunk
from chunklab.corpus import Corpus, load_corpus
from chunklab.experiment import evaluate
from chunklab.recipe import parse_component
from chunklab.types import Document, Evidence, Question, Span
from pages.ui import cache as kept
from pages.ui import label_draft, label_store
from pages.ui.label_draft import Draft
from tests.case_app import ROOT, App


@cache
def sample(name: str) -> Corpus:
    return load_corpus(ROOT / "sample_corpora" / name)


class Page(App):
    """A page beside the first one, of a session of its own."""

    def __init__(self, name: str, query: dict[str, Any] | None = None):
        self.test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        for key, value in (query or {}).items():
            self.test.query_params[key] = value
        self.test.switch_page(f"pages/{name}.py").run()
        assert self.tracebacks() == []

    def turn(self, name: str) -> None:
        """Goes to another page in the same session, as its link in the sidebar does."""
        self.test.query_params.clear()
        self.test.switch_page(name).run()
        assert self.tracebacks() == []

    @property
    def head(self) -> dict[str, Any]:
        """What the view was sent in words."""
        return self._frame()[0]

    def array(self, name: str, width: int) -> np.ndarray:
        """What the view was sent in numbers."""
        return np.array(self._frame()[1][name]).reshape(-1, width)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows that the table of questions was sent."""
        for each in self.test.get("bidi_component"):
            if each.proto.WhichOneof("data") == "json":
                return json.loads(each.proto.json)["rows"]
        raise AssertionError("the page shows no table")

    @property
    def said(self) -> str:
        return "\n".join(self.messages())

    def ask(self, text: str) -> None:
        """Asks a question of one's own; AppTest cannot type into a list what is not in it."""
        self.test.session_state["typed"] = text
        self.test.run()

    def press(self, label: str) -> None:
        """Clicks a button."""
        next(each for each in self.test.button if each.label == label).click().run()
        assert self.tracebacks() == []


def ranked(name: str, recipe: str, question: str, k: int, embedder: str, retriever: str) -> list[Any]:
    """(document id, start, end) of the first k places and their scores, straight from the library."""
    corpus = sample(name)
    chunks = [chunk(each, recipe) for each in corpus.documents]
    parts = parse_component("embedders", embedder), parse_component("retrievers", retriever)
    evaluation = evaluate(corpus, recipe, *parts, (k,), chunks)
    places = [(each.document.id, *span) for each in chunks for span in each.returned.tolist()]
    row = evaluation.question_ids.index(question)
    scores = evaluation.ranking.scores[row, :k].tolist()
    return [
        (places[at], f"{score:.3f}")
        for at, score in zip(evaluation.ranking.indices[row, :k].tolist(), scores, strict=True)
    ]


# Retrieve


@pytest.mark.parametrize(
    ("name", "recipe", "question", "k", "embedder", "retriever"),
    [
        ("markdown", "recursive(size=150)", "m2", 5, "hashing()", "dense()"),
        ("prose", "sentence(n=2) | itself() | window(n=1)", "p4", 3, "static()", "hybrid()"),
        ("topics", "fixed(size=120,overlap=20)", "t05", 7, "hashing()", "bm25()"),
        (
            "mixed",
            "recursive(size=200) | headings() | parent(size=900)",
            "x4",
            4,
            "hashing()",
            "bm25(k1=0.5)",
        ),
    ],
)
def test_the_cards_are_the_ranking(
    name: str, recipe: str, question: str, k: int, embedder: str, retriever: str
):
    query = {
        "sample": name,
        "recipe": recipe,
        "question": question,
        "k": str(k),
        "embedder": embedder,
        "retriever": retriever,
    }
    page = Page("2_Retrieve", query)
    expected = ranked(name, recipe, question, k, embedder, retriever)
    texts = {each.id: each.text for each in sample(name).documents}
    cards = page.head["cards"]
    assert [(each["rank"], each["score"]) for each in cards] == [
        (at, score) for at, (_, score) in enumerate(expected, 1)
    ]
    assert ["".join(piece for piece, _ in each["pieces"]) for each in cards] == [
        texts[d][a:b] for (d, a, b), _ in expected
    ]
    here = page.head["name"]
    drawn = [
        [rank, start, end] for rank, ((document, start, end), _) in enumerate(expected, 1) if document == here
    ]
    assert page.array("ranked", 4)[:, :3].tolist() == drawn


def test_an_address_of_the_page_gives_the_view_and_the_view_its_address():
    query = {
        "recipe": "recursive(size=150)",
        "k": "3",
        "sample": "markdown",
        "question": "m5",
        "retriever": "bm25()",
    }
    page = Page("2_Retrieve", query)
    assert page.query == query
    page.turn("app.py")
    assert page.query == query, "Inspect shows another view"
    page.turn("pages/2_Retrieve.py")
    assert page.query == query
    assert page.head["answer"]["sentence"]


def test_a_question_that_is_not_there_is_told_in_one_line_and_the_first_is_asked():
    page = Page("2_Retrieve", {"sample": "prose", "question": "<b>nobody</b>"})
    assert "question" not in page.query
    assert "left at its default: question=<b>nobody</b>" in page.said
    assert page.head["asked"] == sample("prose").questions[0].text


def test_another_sample_asks_its_own_first_question():
    page = Page("2_Retrieve", {"sample": "prose", "question": "p3"})
    page.test.selectbox(key="sample").set_value("mixed").run()
    assert "question" not in page.query and "link" not in page.said
    assert page.head["asked"] == sample("mixed").questions[0].text


def test_a_typed_question_is_asked_of_every_document():
    page = Page("2_Retrieve", {"sample": "topics", "k": "4"})
    page.ask("How do birds find their way?")
    assert page.head["asked"] == "How do birds find their way?"
    assert len(page.head["cards"]) == 4 and "nothing is measured" in page.head["answer"]["sentence"]
    assert "birds" not in str(page.query)


def test_a_document_without_questions_waits_for_one():
    page = Page("2_Retrieve", {"source": "paste"})
    page.paste("Tea grows on hills. Coffee grows there too.\n\nCocoa grows in the plain.")
    assert page.head["cards"] == [] and "Type a question" in page.head["cards_empty"]
    page.ask("Where does cocoa grow?")
    assert "Cocoa" in "".join(piece for piece, _ in page.head["cards"][0]["pieces"])
    page.paste(" \n ")
    page.ask("Anything?")
    assert page.head["cards"] == [] and "no chunks" in page.head["cards_empty"]
    assert page.tracebacks() == []


def test_what_the_model_did_not_read_is_marked():
    query = {"sample": "prose", "recipe": "fixed(size=2500)", "embedder": "minilm()", "question": "p3"}
    page = Page("2_Retrieve", query)
    marks = {mark for card in page.head["cards"] for _, marks in card["pieces"] for mark in marks}
    assert "unread" in marks
    words = Page("2_Retrieve", {**query, "retriever": "bm25()"})
    marks = {mark for card in words.head["cards"] for _, marks in card["pieces"] for mark in marks}
    assert "unread" not in marks, "a search by words reads everything"


def test_controls_are_computed_only_when_asked_for():
    page = Page("2_Retrieve", {"sample": "mixed", "recipe": "fixed(size=333)"})
    before = len(kept._controls._kept)
    page.test.selectbox(key="asked").set_value(sample("mixed").questions[1].text).run()
    assert len(kept._controls._kept) == before
    page.test.button_group(key="retrieve_panel").set_value("Held against").run()
    assert page.tracebacks() == [] and len(kept._controls._kept) == before + 1
    table = page.test.dataframe[0].value
    assert {"recall@5", "whole@5", "mrr"} <= set(table["measure"])


def test_the_budget_is_never_passed():
    page = Page("2_Retrieve", {"sample": "markdown"})
    assert "tokens are sent" in page.said
    page.test.number_input(key="window").set_value(200).run()
    assert "Nothing is left for the prompt" in page.said
    page.test.number_input(key="kept").set_value(0).run()
    assert "did not fit" in page.said or "ends in" in page.said
    page.test.number_input(key="window").set_value(16).run()
    assert page.tracebacks() == []


# Label


def test_marked_answers_are_used_by_every_page_of_the_session():
    page = Page("4_Label", {"source": "paste"})
    page.paste("Tea grows on hills. Cocoa grows in the plain.")
    page.test.text_input(key="draft text").set_value("Where does cocoa grow?").run()
    page.test.text_area(key="pasted answer").set_value("in the  plain").run()
    assert "Selected, 32–44, 12 characters" in page.said
    page.press("Save")
    assert [each["text"] for each in page.rows] == ["Where does cocoa grow?"]
    page.turn("app.py")
    assert [each["text"] for each in page.head["questions"]] == ["Where does cocoa grow?"]
    page.turn("pages/2_Retrieve.py")
    assert page.rows[0]["verdict"] == "whole"
    page.turn("pages/4_Label.py")
    assert page.head["marks"] == [{"id": "q1", "text": "Where does cocoa grow?", "start": 32, "end": 44}]


def test_an_edited_paste_keeps_its_answers():
    page = Page("4_Label", {"source": "paste"})
    page.paste("Tea grows on hills. Cocoa grows in the plain.")
    for question, quote in (("Tea?", "on hills"), ("Cocoa?", "in the plain")):
        page.test.text_input(key="draft text").set_value(question).run()
        page.test.text_area(key="pasted answer").set_value(quote).run()
        page.press("Save")
    page.paste("Green tea grows on hills. Cocoa grows in the tropics.")
    assert "1 moved with the text, 1 lost" in page.said and "in the plain" in page.said
    assert [each["facts"] for each in page.rows] == ["16–24", "no answer"]
    page.turn("app.py")
    assert "1 marked answer was not found again" in page.said
    assert len(page.head["questions"]) == 1


def test_a_sample_can_be_marked_too_and_its_own_questions_come_back_by_undo():
    page = Page("4_Label", {"sample": "prose"})
    own = [each.text for each in sample("prose").questions]
    assert [each["text"] for each in page.rows] == own
    page.test.text_input(key="draft text").set_value("Who?").run()
    page.test.text_area(key="pasted answer").set_value("The mate of the Elena Moss").run()
    page.press("Save")
    assert [each["text"] for each in page.rows] == [*own, "Who?"]
    page.press("Undo adding a question")
    assert [each["text"] for each in page.rows] == own
    assert [each.text for each in sample("prose").questions] == own


# A draft, without Streamlit

DOCUMENT = Document("d.txt", "  One \U0001f468\u200d\U0001f469 two.  Three two.\r\n")


def draft(*evidence: Evidence) -> Draft:
    return Draft(Question("", "Which?", evidence))


def place(start: int, end: int) -> Evidence:
    return Evidence("d.txt", Span(start, end))


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 5, (2, 5)), (5, 0, (2, 5)), (6, 8, (6, 9)), (7, 9, (6, 9)), (10, 16, (10, 14)), (-9, 10**9, (2, 26)),
        (0, 2, None), (26, 28, None), (5, 5, None),
    ],
)  # fmt: skip
def test_a_selection_is_held_to_what_can_be_marked(start: int, end: int, expected: tuple[int, int] | None):
    selected = label_draft.select(draft(), DOCUMENT, start, end).selected
    assert (selected and (selected.span.start, selected.span.end)) == expected


def test_a_quote_that_stands_twice_must_be_chosen():
    found = label_draft.look_up(draft(), DOCUMENT, "two.")
    assert found.selected is None and [each.span.start for each in found.found] == [10, 22]
    assert label_draft.look_up(draft(), DOCUMENT, "Three").selected == place(16, 21)
    assert "does not stand in d.txt" in label_draft.look_up(draft(), DOCUMENT, "four").problem
    assert label_draft.look_up(found, DOCUMENT, " ") == draft()


def test_parts_and_alternatives_are_added_once_and_taken_away():
    first = label_draft.add_part(Draft(draft().question, place(2, 5)))
    again = label_draft.add_part(Draft(first.question, place(2, 5)))
    assert again.question.evidence == (place(2, 5),)
    wider = label_draft.add_alternative(Draft(first.question, place(10, 14)), 0)
    assert wider.question.evidence == (Evidence("d.txt", Span(2, 5), (place(10, 14),)),)
    assert label_draft.add_alternative(Draft(wider.question, place(10, 14)), 0).question == wider.question
    assert label_draft.without(wider, 0, 0).question.evidence == (place(10, 14),)
    assert label_draft.without(wider, 0, 1).question.evidence == (place(2, 5),)
    assert label_draft.without(first, 0, 0).question.evidence == ()


def test_joined_questions_keep_every_id_apart():
    one, other = Question("q1", "A?", (place(2, 5),)), Question("q1", "B?", (place(2, 5),))
    joined = label_store.join((one,), (one, other))
    assert [each.id for each in joined] == ["q1", "q1-1"] and [each.text for each in joined] == ["A?", "B?"]
    assert label_store.free_id({"q1", "q3"}) == "q2"
