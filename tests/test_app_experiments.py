"""The Experiments page: a cold deep link, one run, and results that stay."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from chunklab.exercises import exercises
from tests.case_app import ROOT


@pytest.fixture
def page() -> AppTest:
    return (
        AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        .switch_page("pages/5_Experiments.py")
        .run()
    )


def test_a_cold_link_shows_every_experiment_and_nothing_run_yet(page) -> None:
    assert not page.exception
    assert page.radio(key="exercise").options == [each.title for each in exercises().values()]
    assert "not run yet" in page.markdown[-1].value and not page.dataframe


def test_one_click_runs_it_and_its_numbers_stay(page) -> None:
    page.selectbox(key="experiment_embedder").select("hashing()")
    page.button(key="run_overlap").click().run()
    assert not page.exception
    table = page.dataframe[0].value
    assert len(table) == 4 and list(table.columns)[:3] == ["variant", "hit_rate@10", "recall@5"]
    claims = [each.value for each in page.markdown if "Overlap raises recall" in each.value]
    assert claims and any(sign in claims[0] for sign in ("holds", "other way", "cannot be told"))
    assert any("24 questions" in each.value for each in page.caption)
    page.radio(key="exercise").set_value("larger").run()
    assert not page.dataframe
    page.radio(key="exercise").set_value("overlap").run()
    assert page.dataframe[0].value.equals(table)
    assert page.button(key="run_overlap").label == "Run again"
