"""What it takes until the first cuts are drawn, in counts: modules loaded, elements sent, runs of the script."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests import browser
from tests.browser import VIEW
from tests.case_app import ROOT

chromium, address, context = browser.chromium, browser.address, browser.context

HEAVY = {
    "pandas", "pyarrow", "scipy", "torch", "transformers", "sentence_transformers", "tokenizers", "lxml", "re2",
    "tree_sitter", "charset_normalizer.api", "streamlit.emojis", "bm25s", "faiss",
}  # fmt: skip
"""Nothing of these is needed to cut the first sample, to rank its chunks and to draw both."""
AFTER_THE_CUTS = {
    "chunklab.lint", "chunklab.advise", "chunklab.meaning", "chunklab.views.figures", "chunklab.controls",
    "pages.ui.below", "pages.ui.controls", "pages.ui.sources", "pages.ui.problems",
}  # fmt: skip
FIRST_RUN = """
import json, sys
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest
sent, loaded, enqueue = [], [], DeltaGenerator._enqueue
def watched(self, delta_type, proto, *args, **kwargs):
    sent.append(getattr(proto, "component_name", "") or delta_type)
    if sent[-1].endswith("document_view"):
        loaded[:] = sys.modules
    return enqueue(self, delta_type, proto, *args, **kwargs)
DeltaGenerator._enqueue = watched
before = set(sys.modules)
app = AppTest.from_file(sys.argv[1], default_timeout=60).run()
assert not app.exception
print(json.dumps({"sent": sent, "loaded": sorted(loaded), "later": sorted(sys.modules)}))
"""


def report(code: str, *arguments: str) -> Any:
    """What a fresh process prints last, as JSON."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def first_run() -> dict[str, list[str]]:
    """What the first run of the app sends, in order, and the modules loaded at its cuts and at its end."""
    return report(FIRST_RUN, str(ROOT / "app.py"))


def test_the_first_cuts_need_no_heavy_module(first_run: dict[str, list[str]]) -> None:
    assert not (HEAVY | AFTER_THE_CUTS) & set(first_run["loaded"])
    assert {"pandas", "scipy.sparse", "pages.ui.below"} <= set(first_run["later"]), "the next run finds them"


def test_the_cuts_are_sent_before_what_stands_around_them(first_run: dict[str, list[str]]) -> None:
    sent = first_run["sent"]
    cuts = sent.index("chunklab.document_view")
    assert sent[0] == "chunklab.view_code", "the browser loads the view while Python imports the rest"
    assert sent.index("chunklab.document_store") < cuts
    around = {"selectbox", "number_input", "button_group", "multiselect", "dataframe", "code"}
    assert not around & set(sent[:cuts])
    assert {"selectbox", "number_input", "dataframe"} <= set(sent[cuts:])
    assert sent.count("chunklab.document_view") == 1


def test_a_plain_cut_loads_only_what_it_uses() -> None:
    code = (
        "import json, sys, numpy, chunklab; chunklab.chunk(chunklab.from_text('a b'), 'recursive()');"
        "print(json.dumps(sorted(sys.modules)))"
    )
    loaded = set(report(code))
    assert not {*HEAVY, "regex", "markdown_it", "tiktoken", "charset_normalizer"} & loaded
    strategies = {name for name in loaded if name.startswith("chunklab.strategies.")}
    assert strategies == {"chunklab.strategies.base", "chunklab.strategies.recursive"}


@pytest.fixture
def page(address: str, context: Any) -> Iterator[Any]:
    """A new page that has not gone anywhere, and what it asks for and sends."""
    opened = context.new_page()
    yield opened
    opened.close()


@pytest.mark.browser
def test_one_run_draws_the_first_cuts_and_all_around_them(page: Any, address: str) -> None:
    sent: list[Any] = []
    asked: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto(address)
    page.locator(f"{VIEW}[data-chunks]:not([data-waiting]) .block span").first.wait_for(timeout=60_000)
    page.get_by_test_id("stDataFrame").locator("canvas").first.wait_for(timeout=60_000)
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    assert len(sent) == 1, "a second run was asked for"
    names = [name.partition(".")[0] for name in asked]
    assert "StreamlitSyntaxHighlighter" not in names, "it is larger than all that the page needs"
    assert names.index("BidiComponent") < names.index("Selectbox") < names.index("DataFrame")
    page.get_by_text("Share this view").click()
    page.get_by_test_id("stSidebar").get_by_test_id("stCode").get_by_text("recipe=recursive").wait_for()
    assert len(sent) == 2
