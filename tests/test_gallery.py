"""The gallery of failures: each is really there, and its remedy takes it away or makes it rarer."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from chunklab.chunking import chunk
from chunklab.corpus import load_corpus
from chunklab.embedders.minilm import Minilm
from chunklab.lint import lint
from pages.ui.gallery import GALLERY, Failure
from tests.case_app import ROOT


@pytest.mark.parametrize("failure", GALLERY, ids=lambda each: each.kind)
def test_it_is_there_and_its_remedy_helps(failure: Failure) -> None:
    corpus = load_corpus(ROOT / "sample_corpora" / failure.sample)
    document = next(each for each in corpus.documents if each.id == failure.document)

    def problem(recipe: str):
        problems = lint(chunk(document, recipe), corpus.questions, Minilm())
        return next((each for each in problems if each.kind == failure.kind), None)

    before = problem(failure.recipe)
    assert before is not None and before.what and before.remedy
    if before.fix:
        after = problem(before.fix)
        assert after is None or after.count < before.count


def test_every_kind_is_shown_once() -> None:
    assert len({each.kind for each in GALLERY}) == len(GALLERY) == 14


def test_one_click_opens_it_with_its_problems() -> None:
    page = (
        AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        .switch_page("pages/5_Experiments.py")
        .run()
    )
    page.segmented_control[0].set_value("Failures").run()
    assert not page.exception
    page.button(key="see 5").click().run()
    assert not page.exception
    assert page.session_state["view"].document in ("", "markdown.md")
    assert str(page.session_state["view"].recipe) == GALLERY[5].recipe
    assert page.session_state["panel"] == "Problems"
