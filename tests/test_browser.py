"""The Inspect page in a real browser: what a person sees, drags, types, uploads and takes away."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from chunklab.chunking import Chunks, chunk
from chunklab.corpus import Corpus, load_corpus
from chunklab.discovery import components
from chunklab.errors import IntakeError
from chunklab.experiment import evaluate
from chunklab.export import record
from chunklab.intake import from_text, read_bytes
from chunklab.recipe import parse_component, parse_recipe
from chunklab.types import Document
from tests import browser
from tests.browser import Inspect, running_app
from tests.case_app import ROOT

chromium, address, context, open_page = browser.chromium, browser.address, browser.context, browser.open_page
pytestmark = pytest.mark.browser

MARKDOWN = "Lead.\n\n# Guide\n\nHow to begin.\n\n## Setup\n\nGet a tent.\n\n### Linux\n\nUnpack it.\n\n## Use\n\nSleep.\n"
HOSTILE = (
    "# <b class=made>Bold</b> ![t](http://tracker.invalid/head.png)\n\n"
    "![t](http://tracker.invalid/p.png) <img class=made src=http://tracker.invalid/i.png onerror=alert(1)>\n\n"
    "<script class=made>window.made = true; alert(2)</script> <iframe class=made srcdoc='<script>alert(3)</script>'></iframe>\n\n"
    "<style class=made>body { display: none }</style> [link](http://tracker.invalid/a) $\\frac{1}{2}$ :red[red] :smile:\n"
)
READ_BACK = {
    "crlf.txt": "One.\r\n\r\nTwo.\r\nThree.\r\n\r\n\r\n",
    "lone-cr.md": "# A\rone\r\r## B\rtwo\r\n\rthree\n\r",
    "tabs.txt": "\ta\tb\n\t\tdeeper\t\n   three blanks   \n \u00a0 \u2009thin\u00a0end\u00a0\n\n\n   ",
    "math.md": "Cost $x$ and $$\\int$$ or 5$ to 6$. <b>bold</b> &amp; &lt; <script>document.title='x'</script> </div>\n",
    "emoji.txt": "Family 👩‍👩‍👧‍👦, flags 🇯🇵🇰🇷, e\u0301n\u0303, 𝒳𝒴. " * 30 + "\n👍🏽 end 🙂",
    "rtl.txt": "שלום עולם! abc 123\nهل وصل القطار؟ نعم، وصل.\n\u202eodd\u202c\u200f\n",
}
GOOD = b"A good file. It goes on.\n\nAnd ends.\n"
BAD = {
    "empty.txt": b"",
    "blank.txt": b" \n\t\r\n \xc2\xa0 ",
    "one.txt": b"x",
    "line.txt": b"word " * 209_715,
    "nul.txt": b"one\0two\0\0 three\x01\x1b[31m four",
    "bom.md": b"\xef\xbb\xbf# Title\n\nText.\n",
    "utf16.txt": "Für Zoë: 雨が止んだ。\n".encode("utf-16"),
    "cp1252.txt": "Café – “quoted” 5 €\n".encode("cp1252"),
    "picture.txt": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89" + bytes(range(256)) * 4,
}  # fmt: skip
DAMAGED = {
    "recipe": {"recipe": "recursive(size=", "sample": "prose"},
    "all": {
        "recipe": "__import__('os').system('x')", "k": "0", "sample": "nowhere", "model": "gpt", "source": "disk",
        "document": "\n", "<img class=made src=x>": "![t](http://tracker.invalid/l.png)",
    },
}  # fmt: skip


@cache
def sample(name: str) -> Corpus:
    return load_corpus(ROOT / "sample_corpora" / name)


def cuts(document: Document, recipe: str) -> Chunks:
    return chunk(document, parse_recipe(recipe))


def spans(document: Document, recipe: str) -> list[tuple[int, int]]:
    return [tuple(each) for each in cuts(document, recipe).spans.tolist()]


def numbers(page: Inspect, name: str, recipe: str, k: int) -> dict[str, str]:
    """What the strip of numbers must say of a sample's first document, searched as the page says it is."""
    corpus = sample(name)
    chunks = cuts(corpus.documents[0], recipe)
    retriever, embedder = page.view.locator(".against").inner_text().split(" · ")[-2:]
    searched = parse_component("embedders", f"{embedder}()"), parse_component("retrievers", f"{retriever}()")
    values = evaluate(corpus, recipe, *searched, (k,)).values
    return {
        "chunks": f"{len(chunks):,}",
        "median": f"{np.median(chunks.lengths):,.0f}",
        "longest": f"{chunks.lengths.max():,}",
        "recall": f"{values[f'recall@{k}'].mean():.2f}",
    }


def shows(page: Inspect, wanted: dict[str, str]) -> bool:
    return wanted.items() <= page.numbers.items()


@pytest.fixture(scope="module")
def shared(address: str, context: Any) -> Iterator[Inspect]:
    page = Inspect(context, address, sample="prose", recipe="recursive()")
    yield page
    page.page.close()


@pytest.fixture
def desk(shared: Inspect) -> Iterator[Inspect]:
    """One session that many tests go on with: each must bring what it needs, and leave no trouble behind."""
    yield shared
    try:
        shared.check()
    finally:
        shared.troubles.clear()


# Dragging


def test_a_drag_moves_cuts_numbers_and_recall_and_its_end_the_rest(open_page: Callable[..., Inspect]):
    page = open_page(recipe="recursive()", sample="prose", k="3")
    document = sample("prose").documents[0]
    page.page.get_by_role("radio", name="Lengths", exact=True).click()
    plotly = page.page.locator(".js-plotly-plot .annotation-text")
    page.until(lambda: "size limit 400" in plotly.all_text_contents(), "the plotly figure")
    before, size = page.query, page.field("size")
    mouse = page.page.mouse
    x, y, at = page.grip("size")
    mouse.move(x, y)
    mouse.down()
    seen = []
    for wanted in (500, 610, 790, 250):
        mouse.move(at(wanted), y, steps=3)
        value = page.slider("size").evaluate("s => s.valueAsNumber")
        assert abs(value - wanted) < 100
        recipe = f"recursive(size={value})"
        expected = numbers(page, "prose", recipe, 3)
        page.until(lambda e=expected: shows(page, e), f"{expected} while the size is dragged to {value}")
        page.until(lambda r=recipe: page.painted == spans(document, r), "the cuts painted")
        assert page.chunks == int(expected["chunks"])
        seen.append((page.chunks, page.bars, expected["recall"]))
        assert page.query == before, "the address changed before the slider was let go"
        assert size.input_value() == "400", "the field changed before the slider was let go"
        assert "size limit 400" in plotly.all_text_contents()
    for part, what in enumerate(("cuts", "bars", "recall")):
        assert len({each[part] for each in seen}) >= 3, f"the {what} did not move"
    mouse.up()
    page.until(lambda: page.query["recipe"] == recipe, "the address to follow")
    page.until(lambda: size.input_value() == str(value), "the sidebar's field to follow")
    page.until(lambda: f"size limit {value}" in plotly.all_text_contents(), "the plotly figure to follow")
    page.rest()
    assert shows(page, expected)
    assert page.painted == spans(document, recipe)
    assert page.slider("size").evaluate("s => s.valueAsNumber") == value
    assert page.view.locator("[data-number=recall] .delta").inner_text(), "no change of recall is told"


def test_keys_move_a_slider_and_back_restores_the_recipe(desk: Inspect):
    page = desk
    _on_prose(page)
    page.type_into("size", "500")
    page.until(lambda: "size=500" in page.query["recipe"], "the size typed")
    page.type_into("overlap", "50")
    page.until(lambda: page.query["recipe"] == "recursive(size=500,overlap=50)", "the overlap typed")
    page.rest()
    document = sample("prose").documents[0]
    page.slider("size").focus()
    for _ in range(3):
        page.page.keyboard.press("ArrowRight")
    page.until(
        lambda: page.query["recipe"] == "recursive(size=503,overlap=50)", "the address to follow the keys"
    )
    page.until(lambda: page.field("size").input_value() == "503", "the field to follow the keys")
    page.slider("overlap").focus()
    page.page.keyboard.press("Home")
    page.until(lambda: page.query["recipe"] == "recursive(size=503,overlap=0)", "the address to follow Home")
    page.until(lambda: page.field("overlap").input_value() == "0", "the field to follow Home")
    page.page.go_back()
    page.until(lambda: page.field("overlap").input_value() == "50", "Back to restore the overlap")
    page.until(lambda: page.painted == spans(document, "recursive(size=503,overlap=50)"), "Back's cuts")
    page.page.go_back()
    page.until(lambda: page.field("size").input_value() == "500", "Back to restore the size")
    page.until(lambda: page.painted == spans(document, "recursive(size=500,overlap=50)"), "Back's cuts")
    assert page.query["recipe"] == "recursive(size=500,overlap=50)"
    assert page.slider("size").evaluate("s => s.valueAsNumber") == 500


def test_k_is_moved_live(desk: Inspect):
    _on_prose(desk)
    recipe, start = desk.query["recipe"], int(desk.query["k"])
    label = desk.view.locator("[data-number=recall] .label")
    before = desk.query
    x, y, at = desk.grip("k")
    desk.page.mouse.move(x, y)
    desk.page.mouse.down()
    desk.page.mouse.move(at(start + 8), y, steps=3)
    k = desk.slider("k").evaluate("s => s.valueAsNumber")
    assert k > start
    expected = {"recall": numbers(desk, "prose", recipe, k)["recall"]}
    desk.until(
        lambda: label.inner_text() == f"recall@{k}" and shows(desk, expected), f"{expected} at k = {k}"
    )
    assert desk.query == before, "the address changed before the slider was let go"
    desk.page.mouse.up()
    desk.until(lambda: desk.query == {**before, "k": str(k)}, "the address to follow")
    desk.until(lambda: desk.field("k").input_value() == str(k), "the field to follow")
    desk.type_into("k", str(start))
    desk.until(lambda: label.inner_text() == f"recall@{start}", "the strip to follow the field")


def _on_prose(page: Inspect) -> None:
    """Brings the shared session to the prose sample, wherever the test before left it."""
    if "source" in page.query:
        page.source("Sample")
    page.field("Sample corpus").wait_for()
    if page.field("Sample corpus").input_value() != "prose":
        page.choose("Sample corpus", "prose")
    page.opened("prose.txt")


# Links


def test_a_link_opened_on_a_cold_server_shows_the_same_cuts(open_page: Callable[..., Inspect]):
    recipe = "sentence(size=260,overlap=60)"
    corpus = sample("topics")
    document = corpus.documents[7]
    with running_app() as cold:
        page = open_page(at=cold, recipe=recipe, sample="topics", document=document.id, k="2")
        expected = spans(document, recipe)
        assert page.text == document.text
        assert page.painted == expected
        page.box.focus()
        told = []
        for i in range(len(expected)):
            if i:
                page.page.keyboard.press("j")
            else:
                page.page.keyboard.press("k")
            page.until(
                lambda n=i + 1: f"chunk {n} of" in page.view.locator(".live").text_content(), "the chunk told"
            )
            found = re.search(r"\[([\d,]+) – ([\d,]+)\)", page.view.locator(".live").text_content())
            told.append(tuple(int(each.replace(",", "")) for each in found.groups()))
        assert told == expected
        assert page.view.locator(".counter").inner_text() == f"chunk {len(expected)} / {len(expected)}"
        assert page.view.locator("[data-number=recall] .label").inner_text() == "recall@2"
        assert page.field("size").input_value() == "260"
        assert page.query == {"recipe": recipe, "sample": "topics", "document": document.id, "k": "2"}
        page.check()
        page.page.goto("about:blank")


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_link_falls_back_and_says_so_in_one_line(what: str, open_page: Callable[..., Inspect]):
    page = open_page(**DAMAGED[what])
    name = "prose" if what == "recipe" else "markdown"
    assert page.painted == spans(sample(name).documents[0], "recursive()")
    assert page.query == {"recipe": "recursive()", "k": "5", "sample": name}
    main = page.page.get_by_test_id("stMain")
    lines = main.locator("[data-testid=stAlert], [data-testid=stText]").all_inner_texts()
    assert len(lines) == 1 and "\n" not in lines[0].strip(), f"not one line: {lines}"
    assert "link" in lines[0]
    assert not page.page.locator(".made").count()


# The document's own keys, search, questions and table


def test_j_and_k_step_through_the_chunks(desk: Inspect):
    _on_prose(desk)
    desk.box.focus()
    counter = desk.view.locator(".counter")
    total = desk.chunks
    for _ in range(total):
        desk.page.keyboard.press("k")
    assert counter.inner_text() == f"chunk 1 / {total}"
    for key, place in (("j", 2), ("j", 3), ("ArrowDown", 4), ("k", 3), ("ArrowUp", 2), ("ArrowRight", 3)):
        desk.page.keyboard.press(key)
        desk.until(
            lambda n=place: counter.inner_text() == f"chunk {n} / {total}", f"{key} to reach chunk {place}"
        )
    for _ in range(total):
        desk.page.keyboard.press("j")
    assert counter.inner_text() == f"chunk {total} / {total}"
    last = desk.view.locator(f".number[data-n='{total}']")
    desk.until(lambda: _inside(desk, last), "the last chunk to come into view")
    desk.page.keyboard.press("?")
    assert desk.view.locator("dialog").is_visible()
    desk.page.keyboard.press("Escape")
    desk.until(lambda: not desk.view.locator("dialog").is_visible(), "the help to close")


def _inside(page: Inspect, inner: Any) -> bool:
    """Whether an element lies within the window onto the document."""
    if not inner.count():
        return False
    box, own = page.box.bounding_box(), inner.first.bounding_box()
    return own is not None and box["y"] <= own["y"] <= box["y"] + box["height"]


def test_search_finds_every_place(desk: Inspect):
    _on_prose(desk)
    text = sample("prose").documents[0].text
    desk.box.focus()
    desk.page.keyboard.press("/")
    search = desk.view.locator("input[type=search]")
    desk.until(lambda: search.evaluate("s => s.getRootNode().activeElement === s"), "/ to reach the search")
    desk.page.keyboard.type("LANTERN")
    places = [found.start() for found in re.finditer("lantern", text, re.I)]
    assert len(places) > 1
    count = desk.view.locator(".search output")
    desk.until(lambda: count.inner_text().endswith(f"/ {len(places)}"), "the number of hits")
    desk.until(lambda: _inside(desk, desk.view.locator(".hit.now")), "the hit to come into view")
    first = int(count.inner_text().split(" ")[0])
    desk.page.keyboard.press("Enter")
    desk.until(lambda: count.inner_text().startswith(f"{first % len(places) + 1} /"), "Enter to go on")
    assert desk.view.locator(".hit.now").inner_text().lower() == "lantern"
    search.fill("no such words.*[")
    desk.until(lambda: count.inner_text() == "none", "the search to find nothing")
    search.press("Escape")
    desk.until(lambda: not desk.view.locator(".hit").count(), "the hits to go")
    assert desk.text == text


def test_a_press_on_a_question_goes_to_its_evidence(desk: Inspect):
    _on_prose(desk)
    document, question = sample("prose").documents[0], sample("prose").questions[-1]
    place = question.evidence[0].span
    desk.box.evaluate("b => b.scrollTop = 0")
    row = desk.view.locator(f"button[data-question='{question.id}']")
    assert question.text in row.inner_text()
    row.click()
    desk.until(lambda: _inside(desk, desk.view.locator(".pulse")), "the evidence to come into view")
    words = desk.view.locator(".pulse").text_content()
    assert document.text[place.start : place.end].startswith(words[:40])
    assert "evidence" in desk.view.locator(".pulse").get_attribute("class")
    assert row.get_attribute("aria-current") == "true"


def test_a_question_of_another_document_opens_that_document(desk: Inspect):
    desk.choose("Sample corpus", "topics")
    desk.opened("doc00.txt")
    questions = {each.id: each for each in sample("topics").questions}
    rows = desk.view.locator("button.elsewhere")
    named = rows.evaluate_all(
        "all => all.map(r => [r.dataset.question, r.querySelector('.facts').textContent])"
    )
    named = {identity: facts.split(" in ")[-1] for identity, facts in named}
    unlike = [each for each in named if questions[each].evidence[0].document_id != named[each]]
    identity = (unlike or list(named))[0]
    name, row = named[identity], desk.view.locator(f"button[data-question='{identity}']")
    row.click()
    desk.opened(name)
    desk.until(lambda: desk.query.get("document") == name, "the address to name the document")
    desk.until(lambda: desk.field("40 documents").input_value() == name, "the sidebar to name the document")
    document = next(each for each in sample("topics").documents if each.id == name)
    assert desk.text == document.text
    place = next(each.span for each in questions[identity].evidence if each.document_id == name)
    at = int(re.match(r"chunk (\d+)", desk.view.locator(".counter").inner_text()).group(1)) - 1
    start, end = desk.painted[at]
    assert start < place.end and place.start < end, "the current chunk holds none of the evidence"
    desk.choose("Sample corpus", "prose")
    desk.opened("prose.txt")


def test_a_row_of_the_table_goes_to_its_chunk(desk: Inspect):
    _on_prose(desk)
    desk.page.get_by_role("radio", name="Chunks", exact=True).click()
    table = desk.page.get_by_test_id("stDataFrame")
    table.scroll_into_view_if_needed()
    grid = table.locator("canvas").first
    rows = grid.locator("tbody tr")
    desk.until(lambda: rows.count() > 5, "the table's rows")
    cells = rows.nth(4).locator("td").all_text_contents()
    box = grid.bounding_box()
    desk.box.evaluate("b => b.scrollTop = b.scrollHeight")
    counter = desk.view.locator(".counter")
    desk.until(lambda: not counter.inner_text().startswith("chunk 5 "), "another chunk to be the current one")
    desk.page.mouse.click(box["x"] + 16, box["y"] + 33 * 5.5)
    desk.until(lambda: counter.inner_text().startswith("chunk 5 "), "row 5 to lead to chunk 5")
    start, end = desk.painted[4]
    assert {"5", str(start), str(end)} <= set(cells)
    desk.until(lambda: _inside(desk, desk.view.locator(".number[data-n='5']")), "chunk 5 to come into view")


# A person's own text


def test_a_markdown_file_shows_its_sections_with_heading_paths(desk: Inspect):
    document = read_bytes("guide.md", MARKDOWN.encode())
    desk.upload("guide.md", MARKDOWN.encode())
    desk.opened("guide.md")
    desk.choose("Split", "Markdown sections")
    desk.until(lambda: desk.query["recipe"].startswith("markdown("), "the address to name the strategy")
    chunks = cuts(document, desk.query["recipe"])
    paths = [" › ".join(each) for each in chunks.heading_paths]
    assert paths == ["", "Guide", "Guide › Setup", "Guide › Setup › Linux", "Guide › Use"]
    desk.until(lambda: desk.painted == [tuple(each) for each in chunks.spans.tolist()], "the header chunks")
    desk.point_at("Unpack it.")
    tip = desk.view.locator(".tip")
    tip.wait_for()
    desk.until(lambda: tip.locator(".path").inner_text() == paths[3], "the hover card's heading path")
    start, end = chunks.spans[3].tolist()
    tokens = int(chunks.token_counts()[3])
    assert tip.locator(".facts").inner_text() == (
        f"chunk 4 of 5 · [{start} – {end}) · {end - start} chars · {tokens} tokens"
    )
    assert "heading" in tip.locator(".cut").inner_text()
    desk.page.get_by_role("radio", name="Chunks", exact=True).click()
    table = desk.page.get_by_test_id("stDataFrame")
    table.scroll_into_view_if_needed()
    rows = table.locator("canvas").first.locator("tbody tr")
    desk.until(
        lambda: rows.count() == 5 and all(path in rows.nth(i).text_content() for i, path in enumerate(paths)),
        "the heading paths in the table",
    )
    desk.choose("Split", "Recursive")
    desk.until(lambda: desk.query["recipe"].startswith("recursive("), "the address to name the strategy")


@pytest.mark.parametrize("name", READ_BACK)
def test_the_text_read_back_from_the_page_is_the_source(name: str, desk: Inspect):
    source = READ_BACK[name]
    desk.upload(name, source.encode())
    desk.opened(name)
    document = read_bytes(name, source.encode())
    desk.until(lambda: desk.text == source, f"{source!r} instead of {desk.text!r}")
    desk.until(lambda: desk.painted == spans(document, desk.query["recipe"]), "the cuts of the text")
    desk.view.locator("[data-act=marks]").click()
    assert desk.text == source, "the marks of white space change the text"
    signs = desk.view.locator(".block .mark").evaluate_all("all => all.map(m => m.textContent)")
    assert set("\t\n") & set(source) <= set("".join(signs))
    desk.view.locator("[data-act=marks]").click()
    assert desk.text == source
    assert not desk.view.locator(".block").locator("b, script, a, img, .katex").count()


@pytest.mark.parametrize("name", BAD)
def test_a_bad_upload_gives_a_result_or_one_line(name: str, desk: Inspect):
    try:
        document, problem = read_bytes(name, BAD[name]), ""
    except IntakeError as error:
        document, problem = None, str(error)
    if document:
        desk.upload(name, BAD[name])
        desk.opened(name)
        desk.until(lambda: desk.chunks == len(cuts(document, desk.query["recipe"])), "the number of chunks")
        assert desk.text == document.text
        assert set(document.notices) <= set(desk.notices)
    else:
        desk.upload(name, BAD[name])
        desk.until(lambda: problem in desk.said, problem)
        assert "\n" not in problem
    if name in ("utf16.txt", "cp1252.txt"):
        assert {"utf16.txt": "UTF-16", "cp1252.txt": "Windows-1252"}[name].lower() in desk.said.lower()
    if name in ("empty.txt", "blank.txt"):
        assert re.search("empty|blank|no visible", desk.said)
    desk.check()
    desk.upload("good.txt", GOOD)
    desk.opened("good.txt")
    assert desk.text == GOOD.decode()
    desk.until(lambda: "cannot be used" not in desk.said, "the old message to go")
    unit = "chars" if "unit=words" in desk.query["recipe"] else "words"
    desk.choose("unit", unit)
    desk.until(lambda: ("unit=words" in desk.query["recipe"]) == (unit == "words"), "the app to go on")


def test_no_text_of_a_person_is_interpreted(desk: Inspect):
    name = "<b class=made>![t](http:x).md"
    desk.upload(name, HOSTILE.encode())
    desk.view.locator(".title", has_text="![t]").wait_for()
    desk.choose("Split", "Markdown sections")
    question = {
        "id": "<img class=made src=http://tracker.invalid/id.png>",
        "text": "![t](http://tracker.invalid/q.png) <img class=made src=x onerror=alert(4)> **b**",
        "kind": "<b class=made>kind</b>",
        "evidence": [{"quote": "[link](http://tracker.invalid/a)"}],
    }
    answers = desk.page.locator("input[type=file]").nth(1)
    for line in (
        json.dumps(question),
        json.dumps({**question, "evidence": [{"document": HOSTILE, "quote": HOSTILE}]}),
        HOSTILE,
    ):
        answers.set_input_files(
            {"name": "![t](http:x)<b>.jsonl", "mimeType": "text/plain", "buffer": line.encode()}
        )
        what = "tracker.invalid/q.png" if line == json.dumps(question) else "cannot be used"
        desk.until(lambda w=what: w in desk.view.inner_text() or w in desk.said, what)
        _nothing_made(desk)
    for tab in ("Problems", "Lengths", "Recipe and export", "Chunks"):
        desk.page.get_by_role("radio", name=tab, exact=True).click()
        _nothing_made(desk)
    desk.point_at("onerror=alert(1)")
    desk.view.locator(".tip").wait_for()
    _nothing_made(desk)
    desk.upload("![t](http:x) <b class=made>.txt", BAD["picture.txt"])
    desk.until(lambda: "cannot be used" in desk.said, "the message on the file")
    _nothing_made(desk)
    desk.choose("Split", "Recursive")
    desk.source("Paste")
    _paste(desk, HOSTILE)
    _nothing_made(desk)


def _nothing_made(page: Inspect) -> None:
    assert not page.page.locator(".made, [src*=tracker], [href*=tracker]").count()
    assert not page.page.locator(".katex, [data-testid=stMarkdownContainer] img").count()
    assert not page.page.evaluate("window.made")
    page.check()


def _paste(page: Inspect, text: str) -> None:
    another = page.page.get_by_role("button", name="Paste another text")
    box = page.page.get_by_label("Paste a text", exact=True)
    another.or_(box).first.wait_for()
    if another.count():
        another.click()
        box.wait_for()
    page.rest()
    box.fill(text)
    page.page.get_by_role("button", name="Cut it").click()
    page.until(lambda: page.view.count() and page.text == text, "the pasted text")
    page.rest()


def test_what_a_person_brought_survives_a_change_of_source(desk: Inspect):
    _on_prose(desk)
    desk.upload("mine.txt", GOOD)
    desk.opened("mine.txt")
    desk.source("Paste")
    text = "# Mine\n\nPasted $x$ <b>text</b>.\n\n## Next\n\nMore of it.\n"
    _paste(desk, text)
    assert desk.view.locator(".title").inner_text() == "pasted.md"
    pasted = from_text(text, "pasted.md")
    desk.until(lambda: desk.painted == spans(pasted, desk.query["recipe"]), "the cuts of the pasted text")
    assert desk.query["source"] == "paste" and "Mine" not in desk.page.url
    desk.source("Sample")
    desk.opened("prose.txt")
    desk.source("Upload")
    desk.opened("mine.txt")
    assert desk.text == GOOD.decode()
    desk.source("Paste")
    desk.opened("pasted.md")
    assert desk.text == text
    desk.source("Sample")
    desk.opened("prose.txt")


def test_downloads_hold_the_chunks_and_no_formula(desk: Inspect):
    starts = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "plain")
    text = "\n\n".join(f'# {start} heading\n\n{start} text, with "quotes"; and a comma' for start in starts)
    name = "=cmd|' C0 (draft) $&.md"
    desk.upload(name, text.encode())
    desk.view.locator(".title", has_text="=cmd").wait_for()
    desk.until(lambda: desk.text == text, "the document")
    desk.choose("Split", components("strategies")["paragraph"].label)
    desk.until(lambda: desk.query["recipe"].startswith("paragraph("), "the strategy")
    desk.page.get_by_role("radio", name="Recipe and export", exact=True).click()
    document = read_bytes(name, text.encode())
    recipe = desk.query["recipe"]
    chunks = cuts(document, recipe)
    given, data = desk.download("Chunks as JSON")
    assert re.fullmatch(r"\w[\w -]*\.chunks\.json", given), given
    assert json.loads(data) == json.loads(json.dumps(record(chunks)))
    given, data = desk.download("Chunks as CSV")
    assert re.fullmatch(r"\w[\w -]*\.chunks\.csv", given), given
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert [(int(row["start"]), int(row["end"])) for row in rows] == spans(document, recipe)
    assert [row["text"].removeprefix("'") for row in rows] == list(chunks.texts)
    _free_of_formulas(rows)
    desk.page.get_by_role("radio", name="Chunks", exact=True).click()
    table = desk.page.get_by_test_id("stDataFrame")
    table.scroll_into_view_if_needed()
    table.hover()
    if table.get_by_label("Download as CSV").is_visible():
        desk.page.evaluate("window.showSaveFilePicker = undefined")
        with desk.page.expect_download() as waiting:
            table.get_by_label("Download as CSV").click()
        data = waiting.value.path().read_bytes().decode("utf-8-sig")
        _free_of_formulas(list(csv.DictReader(io.StringIO(data, newline=""))))
    desk.choose("Split", "Recursive")
    desk.until(lambda: desk.query["recipe"].startswith("recursive("), "the strategy")


def _free_of_formulas(rows: list[dict[str, str]]) -> None:
    assert rows
    cells = [value for row in rows for value in row.values() if not re.fullmatch(r"-?[\d.]+", value)]
    assert not [value for value in cells if value.startswith(("=", "+", "-", "@", "\t", "\r"))]


# Themes and widths


def test_a_first_visit_in_the_dark_and_in_a_narrow_window(chromium: Any, open_page: Callable[..., Inspect]):
    dark = chromium.new_context(viewport={"width": 1280, "height": 800}, color_scheme="dark")
    page = open_page(within=dark)
    assert page.page.title() == "Inspect · chunklab"
    assert page.painted == spans(sample("markdown").documents[0], "recursive()")
    assert page.view.get_attribute("data-theme") == "dark"
    for part in (".block .even", ".block .odd", ".block .over", ".counter", ".numbers .label", ".legend"):
        assert _contrast(page, part) >= 4.5, part
    page.page.set_viewport_size({"width": 390, "height": 844})
    page.until(
        lambda: page.page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
        "no sideways scrolling",
    )
    wide = page.view.locator("*").evaluate_all(
        "all => all.filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1"
        " && e.getBoundingClientRect().width > 2 && !e.closest('.unseen')).map(e => e.className || e.tagName)"
    )
    assert not wide
    order = [
        page.view.locator(part).bounding_box()["y"] for part in (".numbers", ".sliders", ".frame", ".side")
    ]
    assert order == sorted(order)


def _contrast(page: Inspect, part: str) -> float:
    """The contrast of an element's ink with what is painted behind it (WCAG 2.2)."""
    return page.view.locator(part).first.evaluate(
        """element => {
          const parse = colour => { const c = document.createElement('canvas').getContext('2d');
            c.fillStyle = colour; c.fillRect(0, 0, 1, 1); return [...c.getImageData(0, 0, 1, 1).data]; };
          let behind = null;
          for (let e = element; e && !behind; e = e.parentElement ?? e.getRootNode().host) {
            const found = parse(getComputedStyle(e).backgroundColor);
            if (found[3] > 200) behind = found;
          }
          const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
          const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind ?? [255, 255, 255])];
          return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); }"""
    )
