"""Compare in a real browser: cuts side by side, differences stepped through, recipes added and swapped, one link."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.browser import address, chromium, context  # noqa: F401
from tests.browser_pages import Page

pytestmark = pytest.mark.browser
COMPARE = "[data-testid=chunklab-compare]"


class Compare(Page):
    """The Compare page of one session."""

    name = "Compare"

    def go(self, **query: str) -> None:
        self.page.goto(f"{self.address}/{self.name}?{urlencode(query)}")
        self._wait(f"{COMPARE}[data-columns]")
        self.view = self.page.locator(COMPARE)

    @property
    def recipes(self) -> list[str]:
        """The recipes as the columns' heads name them."""
        return self.view.locator(".heads code").all_inner_texts()

    @property
    def scrolled(self) -> float:
        """How far the columns are scrolled, in pixels."""
        return self.view.locator(".columns").evaluate("box => box.scrollTop")


@pytest.fixture
def open_compare(address: str, context: Any) -> Iterator[Callable[..., Compare]]:  # noqa: F811
    pages: list[Compare] = []

    def opener(**query: str) -> Compare:
        pages.append(Compare(context, address, **query))
        return pages[-1]

    yield opener
    try:
        for each in pages:
            each.check()
    finally:
        for each in pages:
            each.page.close()


def test_cuts_side_by_side_stepped_through_swapped_and_shared(open_compare: Callable[..., Compare]) -> None:
    page = open_compare(recipe="recursive(size=300,overlap=0)", recipe2="fixed(size=300)", sample="prose")
    assert page.recipes == ["recursive(size=300,overlap=0)", "fixed(size=300)"]
    columns = page.view.locator(".row").first.evaluate(
        "row => [...row.children].map(cell => cell.textContent)"
    )
    assert len(columns) == 2 and columns[0] == columns[1] != ""
    heights = page.view.locator(".row").first.evaluate(
        "row => [...row.children].map(cell => cell.offsetHeight)"
    )
    assert heights[0] == heights[1], "lines stand beside themselves"
    counted = int(page.view.get_attribute("data-differences"))
    signs = page.view.locator(".columns .seam.gone, .columns .seam.moved, .columns .seam.added")
    assert counted > 3 and signs.count() == counted

    page.view.locator(".columns").focus()
    for _ in range(6):
        page.page.keyboard.press("j")
    page.until(
        lambda: page.view.locator(".counter").inner_text() == f"6 of {counted} differences",
        "the sixth difference",
    )
    page.until(lambda: page.scrolled > 0, "the step to scroll")
    assert "in B at" in page.view.locator(".live").inner_text()

    page.page.get_by_role("button", name="⇄ A").click()
    page.until(lambda: page.recipes == ["fixed(size=300)", "recursive(size=300,overlap=0)"], "the swap")
    page.until(lambda: page.query["recipe"] == "fixed(size=300)", "the swap in the address")

    page.take(lambda: page.page.get_by_role("combobox", name="Add a recipe"), "paragraph()")
    page.until(lambda: len(page.recipes) == 3, "a third column")
    page.until(lambda: page.query.get("recipe3") == "paragraph()", "it in the address")
    shared = open_compare(**page.query)
    assert shared.recipes == page.recipes


def test_a_recipe_that_cannot_be_used_is_told_and_the_one_before_stays(
    open_compare: Callable[..., Compare],
) -> None:
    page = open_compare(recipe="recursive()", recipe2="sentence()", sample="prose")
    box = page.page.get_by_role("textbox", name="Recipe B")
    box.fill("nonsense(")
    box.press("Enter")
    page.page.get_by_text("This recipe cannot be used").wait_for()
    assert page.recipes == ["recursive()", "sentence()"]


def test_a_flipped_question_is_a_click_from_its_place(open_compare: Callable[..., Compare]) -> None:
    page = open_compare(recipe="sentence(n=1)", recipe2="recursive(size=800)", sample="prose", k="3")
    page.table.locator("tbody tr").last.click()
    page.until(lambda: page.scrolled > 0, "the text to go to the answer")
    page.until(
        lambda: page.view.evaluate(
            """view => { const box = view.querySelector('.columns').getBoundingClientRect();
            return box.top > -1 && box.bottom < innerHeight + 1 && [...view.querySelectorAll('.cell .evidence')].some(each => {
              const at = each.getBoundingClientRect(); return at.top >= box.top && at.bottom <= box.bottom; }); }"""
        ),
        "an answer to be seen",
    )


def test_signs_cover_no_letter(open_compare: Callable[..., Compare]) -> None:
    page = open_compare(recipe="recursive()", recipe2="fixed(size=300)", sample="prose")
    covered = page.view.locator(".columns .seam").evaluate_all(
        """all => all.filter(sign => { const own = sign.getBoundingClientRect(), range = document.createRange();
        const text = sign.nextSibling; if (!own.width || !text?.length) return false;
        range.setStart(text, 0); range.setEnd(text, 1);
        const letter = range.getClientRects()[0];
        return letter && letter.top < own.bottom && letter.bottom > own.top && letter.left < own.right - 0.5 && letter.right > own.left + 0.5;
        }).length"""
    )
    assert page.view.locator(".columns .seam.gone").count() and covered == 0
