"""No cutting at all: one chunk for each document, and whatever expects a size copes without one."""

from __future__ import annotations

import pytest

from chunklab.advise import advise
from chunklab.chunking import asked_overlap, chunk, size_of
from chunklab.corpus import load_corpus
from chunklab.discovery import components
from chunklab.experiment import evaluate
from chunklab.lint import lint
from chunklab.recipe import parse_component, parse_recipe
from chunklab.report import report
from chunklab.types import Document
from chunklab.views.figures import length_histogram
from pages.ui.state import switched
from tests.case_app import App
from tests.test_retrieval import SAMPLES
from tests.texts import AWKWARD


def test_it_has_no_settings_and_no_size() -> None:
    recipe = parse_recipe("document()")
    assert str(recipe) == "document()" and not components("strategies")["document"].params()
    assert (size_of(recipe), asked_overlap(recipe)) == (0, 0)


@pytest.mark.parametrize("name", AWKWARD)
def test_the_text_is_one_chunk(name: str) -> None:
    text = AWKWARD[name]
    chunks = chunk(Document("a", text), "document()")
    assert [each.text for each in chunks] == ([text] if text.strip() else [])
    assert chunks.lengths.tolist() == [len(each) for each in chunks.texts]


def test_what_is_embedded_and_returned_can_still_be_chosen() -> None:
    (document,) = load_corpus(SAMPLES / "markdown").documents
    for rest in ("headings()", "prefix(chars=20)", "itself() | window()", "itself() | parent(size=100)"):
        chunks = chunk(document, f"document() | {rest}")
        assert chunks.returned.tolist() == [[0, len(document.text)]]


def test_numbers_and_figures_without_a_size() -> None:
    (document,) = load_corpus(SAMPLES / "markdown").documents
    chunks = chunk(document, "document()")
    told = report(chunks)
    assert (told["count"], told["max"], told["coverage"]) == (1, len(document.text), 1)
    assert (told["duplication"], told["overlap_asked"]) == (0, 0)
    assert not [
        each
        for each in length_histogram(chunks.lengths, "chars", 0).layout.annotations
        if "limit" in each.text
    ]


def test_lint_offers_strategies_with_sizes_of_their_own() -> None:
    (document,) = load_corpus(SAMPLES / "markdown").documents
    found = {each.kind: each.fix for each in lint(chunk(document, "document()"), model="all-MiniLM-L6-v2")}
    assert found == {
        "over the model's limit": "recursive(size=254,unit=tokens,tokenizer=minilm)", "drift": "semantic()",
    }  # fmt: skip
    fixed = lint(chunk(document, found["over the model's limit"]), model="all-MiniLM-L6-v2")
    assert "over the model's limit" not in {each.kind for each in fixed}


def test_it_is_never_advised() -> None:
    for name, text in AWKWARD.items():
        assert not advise(Document(name, text)).recipe.startswith("document"), name


def test_other_strategies_begin_with_their_own_size() -> None:
    whole = components("strategies")["document"]()
    assert str(switched(whole, "recursive")) == "recursive()"
    assert str(switched(parse_recipe("recursive(size=90,unit=words)").split, "document")) == "document()"


def test_hit_rate_and_recall_alone_would_rank_it_first() -> None:
    corpus = load_corpus(SAMPLES / "mixed")
    hashing, dense = parse_component("embedders", "hashing()"), parse_component("retrievers", "dense()")
    whole, cut = (
        evaluate(corpus, recipe, hashing, dense, (1,)).means() for recipe in ("document()", "recursive()")
    )
    assert whole["hit_rate@1"] == whole["recall@1"] == 1 > cut["recall@1"]
    assert whole["precision@1"] < cut["precision@1"] and whole["iou@1"] < cut["iou@1"]


def test_the_page_shows_it_without_sliders_of_its_own() -> None:
    app = App({"recipe": "document()", "sample": "markdown", "embedder": "hashing()"})
    assert app.tracebacks() == [] and list(app.sliders) == ["k"]
    assert app.query["recipe"] == "document()" and app.spans == [[0, len(app.text)]]
    head = app._frame()[0]
    assert head["histogram"]["limit"] is None
    assert not [each for each in head["numbers"] if "size limit" in each["help"]]
    (panel,) = [each for each in app.test.segmented_control if each.key == "panel"]
    for name in panel.options:
        app.test.segmented_control(key="panel").set_value(name).run()
        assert app.tracebacks() == [], name
