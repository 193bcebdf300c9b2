"""The Sweep page in a real browser: it fills, the best cell leads to its cuts, and a link shows the same again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any
from urllib.parse import urlencode

import pytest

from chunklab.chunking import chunk
from chunklab.corpus import Corpus, load_corpus
from chunklab.embedders.hashing import Hashing
from chunklab.retrievers.dense import Dense
from chunklab.standing import standing
from chunklab.sweep import sweep
from chunklab.sweep.run import Sweep
from tests.browser import address, chromium, context, running_app  # noqa: F401
from tests.browser_pages import Page
from tests.case_app import ROOT

pytestmark = pytest.mark.browser
HEAT = "[data-testid=chunklab-heat]"
GRID = "recursive(size=[80,200,400,800],overlap=[0,20%])\nsentence()"


@cache
def prose() -> Corpus:
    return load_corpus(ROOT / "sample_corpora" / "prose")


@cache
def swept(grid: str = GRID) -> Sweep:
    return sweep(prose(), grid, Hashing(), Dense(), (5,)).run()


class SweepPage(Page):
    """The Sweep page of one session."""

    name = "Sweep"

    def go(self, **query: str) -> None:
        self.page.goto(f"{self.address}/{self.name}?{urlencode(query)}")
        self.heat = self.page.locator(HEAT)
        self._wait(f"{HEAT}[data-settings]")

    def done(self) -> None:
        """Waits until every setting is measured and its standing is told."""
        self.until(lambda: self.heat.locator("button.best").count(), "the best to be marked")
        self.until(lambda: not self.page.get_by_role("button", name="Cancel").count(), "all work to end")

    @property
    def cells(self) -> dict[str, tuple[str, str]]:
        """What each cell shows, its value and its mark, by its recipe."""
        found = self.heat.locator("button").evaluate_all(
            "all => all.map(b => [b.dataset.recipe, b.querySelector('.value').textContent, b.className])"
        )
        return {recipe: (value, mark) for recipe, value, mark in found}

    def cell(self, recipe: str) -> Any:
        """The cell of a recipe."""
        return self.heat.locator(f"button[data-recipe={json.dumps(recipe)}]")

    @property
    def chosen(self) -> str:
        """The recipe of the pressed cell."""
        return self.heat.locator("button[aria-pressed=true]").get_attribute("data-recipe")

    @property
    def setting(self) -> str:
        """What is said of the chosen setting."""
        return self.page.locator(".st-key-sweep_setting").inner_text()


@pytest.fixture
def open_sweep(address: str, context: Any) -> Iterator[Callable[..., SweepPage]]:  # noqa: F811
    pages: list[SweepPage] = []

    def opener(at: str = address, within: Any = context, **query: str) -> SweepPage:
        pages.append(SweepPage(within, at, **query))
        return pages[-1]

    yield opener
    try:
        for each in pages:
            each.check()
    finally:
        for each in pages:
            each.page.close()
            if each.page.context is not context:
                each.page.context.close()


def test_the_best_cell_leads_to_its_cuts_and_the_link_shows_the_same(
    open_sweep: Callable[..., SweepPage],
) -> None:
    page = open_sweep(sample="prose", grid=GRID)
    page.done()
    stands = standing(swept().measured, "recall@5")
    assert page.cells == {
        each.recipe: (f"{each.mean('recall@5'):.2f}", "best" if each is stands.best else "tied" if stands.is_tied(each.recipe) else "below")
        for each in swept().measured
    }  # fmt: skip
    assert stands.sentence in page.said
    best = page.heat.locator("button.best")
    best.click()
    page.until(lambda: page.chosen == stands.best.recipe, "the best to be chosen")
    page.until(lambda: page.setting.startswith(f"{stands.best.name}: recall@5"), "its numbers")
    shared = open_sweep(**page.query)
    shared.done()
    assert shared.cells == page.cells and stands.sentence in shared.said

    page.page.get_by_role("link", name="Open in Inspect").click()
    page._wait("[data-testid=chunklab-view][data-chunks]")
    page.rest()
    cuts = chunk(prose().documents[0], stands.best.recipe)
    page.until(lambda: page.chunks == len(cuts), "its cuts")
    painted = page.painted
    assert painted == [tuple(each) for each in cuts.spans[: len(painted)].tolist()] and painted
    assert page.query["recipe"] == stands.best.recipe

    page.sidebar.get_by_role("link", name="Sweep", exact=True).click()
    page._wait(f"{HEAT}[data-settings]")
    page.until(lambda: page.cells == shared.cells, "the results to be there still")


def test_a_cold_deep_link_sweeps_by_its_metric(open_sweep: Callable[..., SweepPage]) -> None:
    with running_app() as cold:
        page = open_sweep(at=cold, sample="prose", grid="recursive(size=[100,300])", metric="mrr")
        page.done()
        found = swept("recursive(size=[100,300])").measured
        assert {recipe: value for recipe, (value, _) in page.cells.items()} == {
            each.recipe: f"{each.mean('mrr'):.2f}" for each in found
        }
        assert page.page.title().startswith("Sweep") and page.query["metric"] == "mrr"
        assert page.sidebar.get_by_role("link").all_inner_texts()[0] == "Inspect"
        page.check()
        page.page.goto("about:blank")


def test_keys_go_from_cell_to_cell_and_a_setting_goes_to_compare(
    open_sweep: Callable[..., SweepPage],
) -> None:
    page = open_sweep(sample="prose", grid=GRID)
    page.done()
    page.cell("recursive(size=80,overlap=0)").focus()
    for key in ("ArrowRight", "ArrowDown"):
        page.page.keyboard.press(key)
    focused = page.heat.locator("button:focus")
    assert focused.get_attribute("data-recipe") == "recursive(size=200,overlap=20%)"
    value, mark = page.cells["recursive(size=200,overlap=20%)"]
    label = focused.get_attribute("aria-label")
    assert label.startswith(f"recursive 200/20%: recall@5 {value}, 95 % interval") and (
        "not dist" in label
    ) == (mark == "tied")
    page.page.keyboard.press("Enter")
    page.until(lambda: page.chosen == "recursive(size=200,overlap=20%)", "the cell to be chosen")
    page.until(lambda: "recursive 200/20%" in page.setting, "its numbers")
    assert page.heat.locator("button:focus").get_attribute("data-recipe") == page.chosen, "the focus stays"
    page.page.get_by_role("link", name="Add to Compare").click()
    page.page.locator("[data-testid=chunklab-compare][data-columns]").wait_for()
    assert (
        page.query["recipe2"] == "recursive(size=200,overlap=20%)" and page.query["recipe"] == "recursive()"
    )


def test_a_row_and_a_dot_are_chosen_like_a_cell(open_sweep: Callable[..., SweepPage]) -> None:
    page = open_sweep(sample="prose", grid="recursive(size=[100,400])")
    page.done()
    other = next(recipe for recipe in page.cells if recipe != page.chosen)
    page.page.get_by_test_id("stMain").get_by_text("All settings", exact=True).click()
    canvas = page.page.locator("[data-testid=stDataFrame] canvas").first
    canvas.scroll_into_view_if_needed()
    page.page.wait_for_timeout(300)
    corner = canvas.bounding_box()
    page.page.mouse.click(corner["x"] + 18, corner["y"] + 87)
    page.until(lambda: page.chosen == other, "the second row's setting to be chosen")
    page.page.get_by_test_id("stMain").get_by_text("Cost against benefit", exact=True).click()
    star = page.page.locator(".st-key-sweep_pareto .scatterlayer .trace:nth-of-type(2) .points path").first
    star.wait_for()
    star.scroll_into_view_if_needed()
    page.page.wait_for_timeout(300)
    box = star.bounding_box()
    page.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    first = swept("recursive(size=[100,400])").measured[0].recipe
    page.until(lambda: page.chosen == first, "the dot's setting to be chosen")


def test_the_grid_is_changed_by_its_fields(open_sweep: Callable[..., SweepPage]) -> None:
    page = open_sweep(sample="prose", grid="recursive(size=[100,400])")
    page.done()
    sizes = page.page.get_by_role("textbox", name="sizes")
    assert sizes.input_value() == "100, 400"
    sizes.fill("100, 400, 900")
    sizes.press("Enter")
    page.until(
        lambda: list(page.cells) == ["recursive(size=100)", "recursive()", "recursive(size=900)"],
        "a third size",
    )
    page.done()
    assert page.query["grid"] == "recursive(size=[100,400,900],overlap=[10%])"


def test_hostile_text_stays_text(open_sweep: Callable[..., SweepPage]) -> None:
    evil = "<img class=made src=http://tracker.invalid/i.png onerror=alert(1)>"
    grid = f"recursive(size=[100,200],separators=['{evil}',''])\nrecursive(size=300,separators=['![t](http://tracker.invalid/q.png)',''])"
    page = open_sweep(sample="prose", grid=grid)
    page.done()
    assert evil in page.heat.inner_text() and not page.page.locator(".made").count()
    page.heat.locator("button").last.click()
    page.until(lambda: "![t](http://tracker.invalid/q.png)" in page.setting, "the name as it is")


def test_the_page_fits_a_telephone(chromium: Any, open_sweep: Callable[..., SweepPage]) -> None:  # noqa: F811
    narrow = chromium.new_context(viewport={"width": 390, "height": 844})
    page = open_sweep(within=narrow, sample="prose")
    page.done()
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 390
    for cell in page.heat.locator("button").all():
        box = cell.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390
