"""Work that takes its time, in a real browser: how far it is, and a way back out of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import browser

chromium, context, open_page = browser.chromium, browser.context, browser.open_page
pytestmark = pytest.mark.browser
RECIPE = "sentence(n=1)"


@pytest.fixture(scope="module")
def address(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a corpus whose sentences take a while, and a vector cache that knows none of them."""
    folder: Path = tmp_path_factory.mktemp("corpora") / "slow"
    folder.mkdir()
    sentences = [
        f"In year {at} the keeper of lamp {at * 7 % 997} wrote that {at * 31 % 611} ships and {at % 13} barges passed in fog, "
        f"and that the {at * 3 % 89}th bell was heard as far as pier {at * 11 % 401}."
        for at in range(4000)
    ]
    text = "\n".join(sentences)
    (folder / "log.txt").write_text(text, "utf-8")
    asked = {
        "id": "1",
        "text": "Who wrote in year 7?",
        "evidence": [{"quote": sentences[7], "document": "log.txt"}],
    }
    (folder / "questions.jsonl").write_text(json.dumps(asked) + "\n", "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CHUNKLAB_CORPORA", str(folder.parent))
        patch.setenv("CHUNKLAB_CACHE", str(tmp_path_factory.mktemp("cache")))
        with browser.running_app() as started:
            yield started


def test_long_work_can_be_cancelled(open_page: Any) -> None:
    inspect = open_page(sample="slow", recipe=RECIPE, retriever="bm25()")
    assert inspect.number("chunks") == "4,000"
    inspect.choose("Retriever", "both, fused (hybrid)")
    inspect.until(
        lambda: inspect.query["retriever"] == "hybrid()" and "hybrid · hashing" in inspect.view.inner_text(),
        "the ranking by hybrid",
    )
    before = inspect.numbers

    inspect.take(lambda: inspect.field("Search with"), "all-MiniLM-L6-v2")
    bar, cancel = inspect.page.get_by_test_id("stProgress"), inspect.page.get_by_role("button", name="Cancel")
    told = inspect.until(
        lambda: bar.count() and " left" in (said := bar.first.inner_text()) and said, "the time left", 90
    )
    assert "of 4,000 texts embedded · " in told and "/s · " in told
    cancel.click()
    inspect.rest()
    inspect.until(lambda: not bar.count() and not cancel.count(), "the progress to go away")
    assert inspect.numbers == before and "embedder" not in inspect.query
    assert inspect.query["retriever"] == "hybrid()" and inspect.query["recipe"] == RECIPE

    # What was embedded is kept: the same again goes on from there.
    done = int(told.split(" of ")[0].replace(",", ""))
    inspect.take(lambda: inspect.field("Search with"), "all-MiniLM-L6-v2")
    again = inspect.until(lambda: bar.count() and bar.first.inner_text(), "the bar again", 90)
    assert int(again.split(" of ")[0].replace(",", "")) >= done
    cancel.click()
    inspect.rest()
    assert inspect.numbers == before


def test_a_link_to_long_work_can_be_cancelled(open_page: Any, address: str) -> None:
    inspect = open_page(sample="slow", recipe=RECIPE, retriever="bm25()")
    inspect.page.goto(f"{address}/?sample=slow&recipe={RECIPE}&embedder=minilm()")
    inspect.page.get_by_role("button", name="Cancel").click()
    inspect.until(lambda: "embedder" not in inspect.query, "an address without the model")
    inspect.rest()
    assert inspect.number("chunks") == "4,000" and "dense · hashing" in inspect.view.inner_text()
