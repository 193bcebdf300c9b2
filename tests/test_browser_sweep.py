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
        self.until(lambda: self.heat.locator("a.best").count(), "the best to be marked")
        self.until(lambda: not self.page.get_by_role("button", name="Cancel").count(), "all work to end")

    @property
    def cells(self) -> dict[str, tuple[str, str]]:
        """What each cell shows, its value and its mark, by its recipe."""
        found = self.heat.locator("a").evaluate_all(
            "all => all.map(b => [b.dataset.recipe, b.querySelector('.value').textContent, b.className])"
        )
        return {recipe: (value, mark) for recipe, value, mark in found}

    def cell(self, recipe: str) -> Any:
        """The cell of a recipe."""
        return self.heat.locator(f"a[data-recipe={json.dumps(recipe)}]")

    @property
    def chosen(self) -> str:
        """The recipe of the cell that is looked at."""
        return self.heat.locator("a[aria-current=true]").get_attribute("data-recipe")

    def cuts_of(self, recipe: str) -> None:
        """Waits until Inspect shows the cuts of a recipe."""
        self._wait("[data-testid=chunklab-view][data-chunks]")
        self.rest()
        cuts = chunk(prose().documents[0], recipe)
        self.until(lambda: self.chunks == len(cuts), "its cuts")
        painted = self.painted
        assert painted == [tuple(each) for each in cuts.spans[: len(painted)].tolist()] and painted
        assert self.query["recipe"] == recipe

    def turn_back(self) -> None:
        """The browser's Back, to the heatmap."""
        self.page.go_back()
        self._wait(f"{HEAT}[data-settings]")

    def look(self, recipe: str) -> None:
        """Takes a setting to be looked at, by the list of all."""
        name = self.cell(recipe).get_attribute("aria-label").partition(": recall")[0]
        value, mark = self.cells[recipe]
        words = {"best": " · best", "tied": " · tied with the best", "below": ""}
        self.take(lambda: self.page.get_by_role("combobox", name="setting"), f"{name} · {value}{words[mark]}")
        self.until(lambda: self.chosen == recipe, "the setting to be looked at")

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
    assert page.chosen == stands.best.recipe and f"{stands.best.name}: recall@5" in page.setting
    shared = open_sweep(**page.query)
    shared.done()
    assert shared.cells == page.cells and stands.sentence in shared.said

    page.heat.locator("a.best").click()
    page.cuts_of(stands.best.recipe)
    link, sent = page.query, page.painted
    page.turn_back()
    page.until(lambda: page.cells == shared.cells, "the results to be there still")
    other = open_sweep(**page.query)
    other.page.goto(f"{page.address}/?{urlencode(link)}")
    other.cuts_of(stands.best.recipe)
    assert other.painted == sent


def test_a_cell_is_a_link_that_a_new_tab_can_open(open_sweep: Callable[..., SweepPage]) -> None:
    page = open_sweep(sample="prose", grid=GRID)
    page.done()
    recipe = "recursive(size=200,overlap=20%)"
    link = page.cell(recipe).evaluate("cell => cell.href")
    shared = open_sweep(**page.query)
    shared.page.goto(link)
    shared.cuts_of(recipe)
    assert {**shared.query, "recipe": ""} == {**page.query, "recipe": ""}


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
    focused = page.heat.locator("a:focus")
    assert focused.get_attribute("data-recipe") == "recursive(size=200,overlap=20%)"
    value, mark = page.cells["recursive(size=200,overlap=20%)"]
    label = focused.get_attribute("aria-label")
    assert label.startswith(f"recursive 200/20%: recall@5 {value}, 95 % interval") and (
        "not dist" in label
    ) == (mark == "tied")
    stops = page.heat.locator("a[tabindex='0']")
    assert stops.count() == 1 and stops.get_attribute("data-recipe") == "recursive(size=200,overlap=20%)"
    page.page.keyboard.press("Enter")
    page.cuts_of("recursive(size=200,overlap=20%)")
    page.turn_back()
    page.done()
    assert page.chosen == "recursive(size=200,overlap=20%)", "what was opened is what is looked at"


def test_a_setting_is_looked_at_and_goes_to_compare(open_sweep: Callable[..., SweepPage]) -> None:
    page = open_sweep(sample="prose", grid=GRID)
    page.done()
    page.look("recursive(size=200,overlap=20%)")
    assert "recursive 200/20%: recall@5" in page.setting
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
    page.look(list(page.cells)[-1])
    page.until(lambda: "![t](http://tracker.invalid/q.png)" in page.setting, "the name as it is")


def test_the_page_fits_a_telephone(chromium: Any, open_sweep: Callable[..., SweepPage]) -> None:  # noqa: F811
    narrow = chromium.new_context(viewport={"width": 390, "height": 844})
    page = open_sweep(within=narrow, sample="prose")
    page.done()
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 390
    for cell in page.heat.locator("a").all():
        box = cell.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390


def test_every_cell_is_seen_at_any_width(chromium: Any, open_sweep: Callable[..., SweepPage]) -> None:  # noqa: F811
    apart = chromium.new_context(viewport={"width": 1440, "height": 900})
    page = open_sweep(within=apart, sample="prose")
    page.done()
    for width in (1440, 1280, 820):
        page.page.set_viewport_size({"width": width, "height": 900})
        page.page.wait_for_timeout(400)
        hidden = page.heat.locator(".panel").evaluate_all(
            "all => all.filter(panel => panel.scrollWidth > panel.clientWidth + 1).length"
        )
        assert hidden == 0, width
