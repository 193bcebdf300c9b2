"""The Compare page's panels: flips, paired measures, controls and slices agree with the core."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from chunklab.chunking import chunk
from chunklab.corpus import load_corpus
from chunklab.embedders.hashing import Hashing
from chunklab.experiment import evaluate
from chunklab.reasons import verdicts
from chunklab.retrievers.dense import Dense
from tests.case_app import ROOT

RECIPES = ("sentence(n=1)", "recursive(size=800,overlap=0)")


@pytest.fixture(scope="module")
def page() -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in {"recipe": RECIPES[0], "recipe2": RECIPES[1], "sample": "prose", "k": "3"}.items():
        app.query_params[name] = value
    return app.switch_page("pages/1_Compare.py").run()


def shown(page: AppTest, panel: str) -> list:
    (choice,) = [each for each in page.segmented_control if each.key == "compare_panel"]
    choice.set_value(panel).run()
    assert not page.exception
    return [each.value for each in page.dataframe]


def test_the_questions_that_flip_are_those_of_the_core(page) -> None:
    corpus = load_corpus(ROOT / "sample_corpora" / "prose")
    found = []
    for recipe in RECIPES:
        chunks = [chunk(each, recipe) for each in corpus.documents]
        evaluation = evaluate(corpus, recipe, Hashing(), Dense(), (3,), chunks)
        found.append([each.status for each in verdicts(evaluation, chunks, Hashing(), 3)])
    flipped = [each.text for each, a, b in zip(corpus.questions, *found, strict=True) if a != b]
    assert shown(page, "Questions that flipped") == []
    sent = [json.loads(each.proto.json) for each in page.get("bidi_component") if each.proto.json]
    table = next(each for each in sent if "rows" in each)
    assert flipped and [row["text"] for row in table["rows"]] == flipped
    known = {each.text: (a, b) for each, a, b in zip(corpus.questions, *found, strict=True)}
    for row in table["rows"]:
        assert (row["side0"]["verdict"], row["side1"]["verdict"]) == known[row["text"]]
        assert row["side0"]["said"].startswith(row["side0"]["verdict"])


def test_measures_stand_beside_chance_whole_documents_and_ceiling(page) -> None:
    measures, by_k, held = shown(page, "Measures")
    assert list(by_k.columns)[3:7] == ["recall@1", "recall@3", "recall@5", "recall@10"] and len(by_k) == 2
    assert (by_k["recall@1"] <= by_k["recall@3"]).all() and (by_k["chunks"] > 1).all()
    assert measures["what it says"].str.startswith("Share of").any() and measures["what it says"].all()
    assert measures["measure"].tolist()[:3] == ["hit_rate@3", "document_hit_rate@3", "recall@3"]
    assert {"A", "B", "B − A", "p B"} <= set(measures.columns)
    assert held["recall@3, one chunk per document"].tolist() == ["1.00", "1.00"]
    ceiling, chance = (
        held["ceiling of recall@3"].astype(float),
        held["recall@3 by chance"].str[:4].astype(float),
    )
    assert (chance < held["recall@3"].astype(float)).all() and (
        held["recall@3"].astype(float) <= ceiling
    ).all()
    assert any("A" in each.value and "B" in each.value for each in page.text)


def test_slices_by_kind_and_document_add_up(page) -> None:
    (table,) = shown(page, "By kind and document")
    kinds = table[table["questions"].str.startswith("kind: ")]
    assert table["n"][0] == kinds["n"].sum() == 8
    mean = (kinds["recall@3 B"] * kinds["n"]).sum() / 8
    assert mean == pytest.approx(table["recall@3 B"][0], abs=0.002)


def test_lengths_are_overlaid(page) -> None:
    shown(page, "Lengths")
    assert len(page.get("plotly_chart")) == 1


def test_a_recipe_is_still_in_its_box_after_a_look_at_another_page() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in {"recipe": RECIPES[0], "recipe2": RECIPES[1], "sample": "prose"}.items():
        app.query_params[name] = value
    app.switch_page("pages/1_Compare.py").run()
    assert app.text_input(key="compare_0").value == RECIPES[1]
    app.switch_page("pages/4_Label.py").run()
    app.switch_page("pages/1_Compare.py").run()
    assert app.text_input(key="compare_0").value == RECIPES[1]


def test_a_text_without_visible_characters_says_so() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["source"] = "paste"
    app.switch_page("pages/1_Compare.py").run()
    app.text_area(key="paste_box").set_value(" \n\n \t ").run()
    assert not app.exception and [each.value for each in app.subheader] == ["Nothing to compare"]
