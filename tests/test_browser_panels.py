"""The panels under the document: problems with their remedies, the similarity curve, other formats."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chunklab.chunking import chunk
from chunklab.corpus import load_corpus
from chunklab.embedders.hashing import Hashing
from chunklab.lint import lint
from chunklab.why import why
from tests.browser import Inspect, address, chromium, context, open_page  # noqa: F401
from tests.case_app import ROOT

pytestmark = pytest.mark.browser


def test_a_problem_is_shown_and_its_remedy_applied(open_page: Callable[..., Inspect]) -> None:  # noqa: F811
    page = open_page(recipe="recursive(size=150)", sample="markdown")
    corpus = load_corpus(ROOT / "sample_corpora" / "markdown")
    chunks = chunk(corpus.documents[0], "recursive(size=150)")
    found = lint(chunks, corpus.questions, Hashing())[0]
    place = int(chunks.spans[:, 1].searchsorted(found.places[0].start, "right"))
    assert place > 0 and found.fix
    page.page.get_by_role("radio", name="Problems", exact=True).click()
    page.page.get_by_text(f"{found.count} × {found.kind}").wait_for()
    page.page.get_by_role("button", name="Show").first.click()
    page.until(
        lambda: page.view.locator(".counter").inner_text().startswith(f"chunk {place + 1} "), "the place"
    )
    page.page.get_by_role("button", name="Apply").first.click()
    page.until(lambda: page.query["recipe"] == found.fix, "the remedy")


def test_a_click_on_a_chunk_tells_why_it_ends_where_it_does(open_page: Callable[..., Inspect]) -> None:  # noqa: F811
    page = open_page(recipe="recursive(size=300,overlap=0)", sample="prose")
    chunks = chunk(
        load_corpus(ROOT / "sample_corpora" / "prose").documents[0], "recursive(size=300,overlap=0)"
    )
    assert "Click a chunk to read why it ends where it does." in page.said
    page.point_at("Paraffin replaced colza")
    page.page.mouse.down()
    page.page.mouse.up()
    at = int(page.view.locator(".counter").inner_text().split()[1]) - 1
    assert "Paraffin replaced colza" in chunks.texts[at]
    page.until(lambda: f"Chunk {at + 1}. {why(chunks, at).sentence}" in page.said, "the reason")


def test_a_cut_by_meaning_shows_its_curve(open_page: Callable[..., Inspect]) -> None:  # noqa: F811
    page = open_page(recipe="semantic()", sample="prose")
    page.page.get_by_role("radio", name="Similarity", exact=True).click()
    plot = page.page.locator(".js-plotly-plot")
    plot.wait_for()
    page.until(
        lambda: "cut above" in " ".join(plot.locator(".annotation-text").all_text_contents()), "the cut-off"
    )
    points = plot.locator(".scatterlayer .point")
    page.until(lambda: points.count() > 20, "the points")
    points.nth(40).scroll_into_view_if_needed()
    page.page.wait_for_timeout(300)
    box = points.nth(40).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.page.mouse.move(x, y)
    page.page.locator(".hoverlayer .hovertext").first.wait_for()
    page.page.mouse.click(x, y)
    page.until(
        lambda: not page.view.locator(".counter").inner_text().startswith("chunk 1 "),
        "the place of the point",
    )


def test_an_uploaded_page_shows_its_sections(open_page: Callable[..., Inspect]) -> None:  # noqa: F811
    page = open_page(sample="prose")
    source = "<h1>Guide</h1><p>Start here.</p><h2>Install</h2><p>Run it.</p><script>no()</script><h2>Use</h2><p>Enjoy.</p>"
    page.upload("guide.html", source.encode())
    page.until(lambda: "Install" in page.text and "no()" not in page.text, "the extracted text")
    page.until(lambda: page.query["recipe"].startswith("headings("), "the advised recipe")
    page.point_at("Run it.")
    page.until(
        lambda: (
            "Guide" in page.view.locator(".tip").inner_text()
            and "Install" in page.view.locator(".tip").inner_text()
        ),
        "the path",
    )
