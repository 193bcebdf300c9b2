"""The Retrieve page in a real browser: why a question is missed, where its hits are, what would be sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from chunklab.chunking import chunk
from chunklab.corpus import Corpus, load_corpus
from chunklab.embedders.hashing import Hashing
from chunklab.embedders.minilm import Minilm
from chunklab.experiment import evaluate
from chunklab.prompt import assemble
from chunklab.reasons import Verdict, verdicts
from chunklab.retrievers.dense import Dense
from tests.browser import address, chromium, context, running_app  # noqa: F401
from tests.browser_pages import Label, Retrieve
from tests.case_app import ROOT

pytestmark = pytest.mark.browser
SMALL = "recursive(size=150)"


@cache
def sample(name: str) -> Corpus:
    return load_corpus(ROOT / "sample_corpora" / name)


@cache
def judged(name: str, recipe: str, k: int = 5) -> dict[str, Verdict]:
    corpus = sample(name)
    chunks = [chunk(each, recipe) for each in corpus.documents]
    evaluation = evaluate(corpus, recipe, Hashing(), Dense(), (k,), chunks)
    return {each.question_id: each for each in verdicts(evaluation, chunks, Hashing(), k)}


@cache
def found(name: str, recipe: str, question: str, k: int = 5) -> list[tuple[str, int, int]]:
    """The first k places of a question, best first."""
    corpus = sample(name)
    chunks = [chunk(each, recipe) for each in corpus.documents]
    evaluation = evaluate(corpus, recipe, Hashing(), Dense(), (k,), chunks)
    places = [(each.document.id, *span) for each in chunks for span in each.returned.tolist()]
    row = evaluation.ranking.indices[evaluation.question_ids.index(question), :k].tolist()
    return [places[at] for at in row]


@pytest.fixture
def open_retrieve(address: str, context: Any) -> Iterator[Callable[..., Retrieve]]:  # noqa: F811
    pages: list[Retrieve] = []

    def opener(at: str = address, within: Any = context, kind: type = Retrieve, **query: str) -> Any:
        pages.append(kind(within, at, **query))
        return pages[-1]

    yield opener
    try:
        for each in pages:
            each.check()
    finally:
        for each in pages:
            each.page.close()


def test_why_one_question_is_missed(open_retrieve: Callable[..., Retrieve]) -> None:
    """Open the page, show what is missed, take a question, read its reason, see it on the source."""
    page = open_retrieve(recipe=SMALL, sample="markdown")
    expected = judged("markdown", SMALL)
    missed = [id for id, each in expected.items() if each.status == "missed"]
    assert missed and len(missed) < len(expected)
    page.table.get_by_role("button", name=f"{len(missed)} missed").click()
    page.until(lambda: len(page.rows) == len(missed), "the missed ones alone")
    assert {each["verdict"] for each in page.rows} == {"missed"}
    page.take_row(missed[0])
    verdict = expected[missed[0]]
    page.until(lambda: verdict.sentence in page.answer, "the sentence")
    assert verdict.reason and verdict.reason in page.answer
    question = next(each for each in sample("markdown").questions if each.id == missed[0])
    span = question.evidence[0].span
    page.until(
        lambda: page.painted_as("evidence missed") == [(span.start, span.end)], "the answer on the source"
    )
    assert page.painted_as("evidence held") == []
    shape = page.view.locator(".block .shape.missed")
    inside = "s => { const b = s.closest('.box').getBoundingClientRect(), r = s.getBoundingClientRect(); return r.top > b.top && r.bottom < b.bottom; }"
    page.until(lambda: shape.evaluate(inside), "the answer to be scrolled to")
    assert page.query["question"] == missed[0]
    held = page.painted_as("held")
    document = sample("markdown").documents[0]
    assert held and all(
        any(start < high and low < end for _, start, end in found("markdown", SMALL, missed[0]))
        for low, high in held
    )
    for rank, (_, start, end) in enumerate(found("markdown", SMALL, missed[0]), 1):
        assert page.card_text(rank) == document.text[start:end]


def test_a_cold_deep_link_shows_its_question_in_its_document(open_retrieve: Callable[..., Retrieve]) -> None:
    question = sample("topics").questions[3]
    with running_app() as cold:
        page = open_retrieve(at=cold, sample="topics", question=question.id, recipe="sentence()", k="3")
        assert page.ranks == [1, 2, 3]
        assert page.query["question"] == question.id
        assert page.view.locator(".title").inner_text() == question.evidence[0].document_id
        assert page.page.get_by_role("combobox", name="Question: type").input_value() == question.text
        assert page.sidebar.get_by_role("link").all_inner_texts()[0] == "Inspect"
        assert page.page.title().startswith("Retrieve")
        page.check()
        page.page.goto("about:blank")


def test_hits_are_gone_to_by_click_and_by_key(open_retrieve: Callable[..., Retrieve]) -> None:
    page = open_retrieve(sample="markdown", recipe=SMALL, question="m1")
    places = found("markdown", SMALL, "m1")
    page.card(4).click()
    page.until(lambda: page.painted_as("taken") == [places[3][1:]], "the fourth hit")
    assert page.view.locator(".counter").inner_text() == "hit 4 / 5"
    page.page.keyboard.press("k")
    page.card(4).get_by_role("button").focus()
    page.page.keyboard.press("ArrowUp")
    page.until(lambda: page.painted_as("taken") == [places[2][1:]], "the third hit")
    page.box.focus()
    page.page.keyboard.press("j")
    page.page.keyboard.press("j")
    page.until(lambda: page.painted_as("taken") == [places[4][1:]], "the fifth hit")
    assert "rank 5 of 5" in page.view.locator(".live").text_content()
    assert page.card(5).get_by_role("button").get_attribute("aria-current") == "true"


def test_a_hit_in_another_document_opens_it(open_retrieve: Callable[..., Retrieve]) -> None:
    page = open_retrieve(sample="topics", recipe="fixed(size=200)", question="t01")
    shown = page.view.locator(".title").inner_text()
    places = found("topics", "fixed(size=200)", "t01")
    rank = next(rank for rank, each in enumerate(places, 1) if each[0] != shown)
    page.card(rank).click()
    page.opened(places[rank - 1][0])
    page.until(
        lambda: page.painted_as("held taken")[:1] == [places[rank - 1][1:]], "the hit on its own document"
    )
    assert page.query["document"] == places[rank - 1][0] and page.query["question"] == "t01"


def test_everything_follows_a_slider(open_retrieve: Callable[..., Retrieve]) -> None:
    page = open_retrieve(sample="prose", recipe="recursive()", question="p1")
    before = page.query
    x, y, at = page.grip("size")
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(at(180), y, steps=4)
    size = page.slider("size").evaluate("s => s.valueAsNumber")
    recipe = f"recursive(size={size})"
    text = sample("prose").documents[0].text
    (_, start, end), *_ = found("prose", recipe, "p1")
    page.until(lambda: page.card_text(1) == text[start:end], "the first card to follow")
    expected = judged("prose", recipe)
    page.until(
        lambda: [each["why"] for each in page.rows] == [each.sentence for each in expected.values()],
        "the table",
    )
    assert page.query == before, "the address changed before the slider was let go"
    page.page.mouse.up()
    page.until(lambda: page.query["recipe"] == recipe, "the address to follow")
    page.until(
        lambda: page.painted_as("held")[0][0] == min(each[1] for each in found("prose", recipe, "p1")),
        "the hits",
    )


def test_a_typed_question_stays_out_of_the_address(open_retrieve: Callable[..., Retrieve]) -> None:
    page = open_retrieve(sample="prose", question="p2")
    page.ask("What did the birds do in the fog?")
    page.until(lambda: "nothing is measured" in page.answer, "the line without a verdict")
    assert page.ranks == [1, 2, 3, 4, 5]
    assert "question" not in page.query and "birds" not in page.page.url
    page.turn("Inspect")
    page.turn("Retrieve")
    page.until(lambda: "nothing is measured" in page.answer, "the question, still there")
    page.ask(sample("prose").questions[0].text)
    page.until(lambda: page.query.get("question") == "p1", "the marked question by its words")
    page.until(lambda: judged("prose", "recursive()")["p1"].sentence in page.answer, "its verdict")


def test_what_is_returned_shows_what_was_found_in_it(open_retrieve: Callable[..., Retrieve]) -> None:
    recipe = "recursive(size=120) | itself() | parent(size=700)"
    page = open_retrieve(sample="prose", recipe=recipe, question="p1")
    assert page.view.locator(".legend .of-around").is_visible()
    _, start, end = found("prose", recipe, "p1")[0]
    text = sample("prose").documents[0].text
    assert page.card_text(1) == text[start:end]
    child = "".join(page.card(1).locator(".text .found").all_text_contents())
    inside = chunk(sample("prose").documents[0], recipe)
    assert len(child) < end - start
    assert any("".join(each.split()) == "".join(child.split()) for each in inside.texts)
    page.card(1).click()
    page.until(lambda: page.painted_as("taken")[0][0] == start, "the whole place")
    assert sum(high - low for low, high in page.painted_as("taken around")) > 0


def test_the_prompt_is_the_text_that_would_be_sent(open_retrieve: Callable[..., Retrieve]) -> None:
    page = open_retrieve(sample="markdown", recipe=SMALL, question="m1")
    corpus, places = sample("markdown"), found("markdown", SMALL, "m1")
    expected = assemble(corpus.questions[0].text, places, corpus.documents, 8192 - 1024)
    code = page.page.get_by_test_id("stMain").get_by_test_id("stCode")
    page.until(
        lambda: code.count() and code.first.inner_text().strip() == expected.text.strip(), "the exact prompt"
    )
    assert f"{expected.tokens:,} tokens are sent and {expected.left:,} are left." in page.said
    window = page.page.get_by_role("spinbutton", name="reader's window, tokens")
    window.fill("1100")
    window.press("Enter")
    cut = assemble(corpus.questions[0].text, places, corpus.documents, 1100 - 1024)
    assert cut.beyond
    page.until(lambda: f"{len(cut.beyond)} of the hits did not fit" in page.said, "what did not fit")
    page.page.get_by_role("radio", name="Held against").click()
    page.until(lambda: "whole documents are always found" in page.said, "what the numbers are held against")


def test_filters_by_kind_and_by_reason(open_retrieve: Callable[..., Retrieve]) -> None:
    page = open_retrieve(sample="mixed", recipe="fixed(size=90)", k="2")
    expected = judged("mixed", "fixed(size=90)", 2)
    reasons = {each.reason for each in expected.values() if each.reason}
    assert len(reasons) > 1
    for reason in sorted(reasons):
        count = sum(each.reason == reason for each in expected.values())
        page.table.locator(f'[data-filter="{reason}"]').click()
        page.until(lambda n=count: len(page.rows) == n, f"those that are {reason}")
        page.table.locator('[data-filter="all"]').click()
        page.until(lambda: len(page.rows) == len(expected), "all of them")
    page.table.get_by_label("Kind of question").select_option("code")
    codes = [each for each in expected.values() if each.kind == "code"]
    page.until(lambda: len(page.rows) == len(codes), "the questions about code")
    assert {each["kind"] for each in page.rows} == {"code"}


def test_hostile_text_stays_text(open_retrieve: Callable[..., Retrieve]) -> None:
    evil = "# <b class=made>Bold</b> ![t](http://tracker.invalid/p.png) <img class=made src=http://tracker.invalid/i.png onerror=alert(1)> $x$ :red[r]\n\n"
    page = open_retrieve(sample="prose")
    page.upload("evil.md", (evil * 5).encode())
    page.opened("evil.md")
    page.ask("<b class=made>Bold</b> ![t](http://tracker.invalid/q.png) <script>alert(2)</script>")
    assert "<img class=made" in page.card_text(1)
    assert "<script>" in page.page.get_by_test_id("stMain").get_by_test_id("stCode").inner_text()
    assert not page.page.locator(".made").count()
    assert "tracker" not in page.page.url


def test_both_pages_fit_a_telephone(chromium: Any, open_retrieve: Callable[..., Retrieve]) -> None:  # noqa: F811
    narrow = chromium.new_context(viewport={"width": 390, "height": 844})
    for kind in (Retrieve, Label):
        page = open_retrieve(within=narrow, kind=kind, sample="markdown")
        wide = page.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 390
        for part in page.page.locator("[data-testid=chunklab-view] .toolbar button, .chips button").all():
            if part.is_visible():
                box = part.bounding_box()
                assert box["x"] >= 0 and box["x"] + box["width"] <= 390


def test_long_work_is_told_and_can_be_cancelled(open_retrieve: Callable[..., Retrieve]) -> None:
    page = open_retrieve(sample="prose", recipe="fixed(size=60)")
    words = sample("prose").documents[0].text.split()
    long = "\n".join(" ".join(words[at % len(words) :][:9]) + f" {at}" for at in range(4000))
    page.upload("long.txt", long.encode())
    page.opened("long.txt")
    page.ask("What does the keeper do?")
    page.take(lambda: page.field("Search with"), Minilm.label)
    bar = page.page.get_by_test_id("stProgress")
    page.until(lambda: bar.count() and "left" in bar.inner_text(), "how far it is and how long it takes")
    page.page.get_by_role("button", name="Cancel").click()
    page.until(lambda: not bar.count(), "the work to end")
    page.rest()
    assert "embedder" not in page.query
    assert page.ranks == [1, 2, 3, 4, 5]
