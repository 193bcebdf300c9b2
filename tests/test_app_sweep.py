"""The Sweep page without a browser: a cold link, what it measures and says, and the job that does the work."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from threading import Event
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from chunklab.chunking import chunk
from chunklab.corpus import load_corpus
from chunklab.embedders.hashing import Hashing
from chunklab.grid import parse_grid
from chunklab.recipe import parse_recipe
from chunklab.retrievers.dense import Dense
from chunklab.standing import front, standing
from chunklab.stats import bootstrap_interval
from chunklab.sweep import sweep
from chunklab.views.figures_pareto import Point, pareto
from chunklab.views.figures_sweep import Curve, size_curves
from pages.ui import sweep_scene
from pages.ui.state import MAX_GRID, View, from_params, to_params
from pages.ui.sweep_asked import asked_by, cheap, controls_by, metric_of, with_default
from pages.ui.sweep_grid import DEFAULT, Fields, read
from pages.ui.sweep_job import Job
from pages.ui.sweep_pace import seconds_per_character
from pages.ui.sweep_rows import as_csv, as_json, rows
from pages.ui.sweep_scene import curves, heat, held_against, interval, panels, say
from pages.ui.sweep_setting import beside
from pages.ui.sweep_work import Work
from tests.case_app import ROOT

SMALL = "recursive(size=[100,200,400],overlap=[0,20%])\nsentence()"
VIEW = View(parse_recipe("recursive()"), sample="markdown")


@pytest.fixture(scope="module")
def corpus():
    return load_corpus(ROOT / "sample_corpora" / "markdown")


@pytest.fixture(scope="module")
def swept(corpus):
    return sweep(corpus, SMALL, Hashing(), Dense(), (1, 3, 5, 10), (1000,), tokens=True).run()


def opened(**query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page("pages/3_Sweep.py")
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def finished(app: AppTest) -> AppTest:
    """The page when its job is done; it is waited for by the thread itself, not by the clock."""
    drawn = None
    while (job := app.session_state["sweep_job"]) is not drawn or (job and job.running):
        if job:
            job._thread.join(60)
        drawn = job
        app.run()
    assert not app.exception
    return app


def heat_of(app: AppTest) -> dict[str, Any]:
    sent = [json.loads(each.proto.json) for each in app.get("bidi_component") if each.proto.json]
    return next(each for each in sent if "panels" in each)


def address(app: AppTest) -> dict[str, str]:
    return {name: value[-1] if isinstance(value, list) else value for name, value in app.query_params.items()}


def settings_of(app: AppTest) -> dict[str, Any]:
    """What the session keeps of the settings; the controls are kept apart."""
    return next(kept for key, kept in app.session_state["swept"].items() if not key[-1])


def said(app: AppTest) -> list[str]:
    return [each.value for each in app.text]


# The page


def test_a_cold_link_sweeps_at_once_and_shows_what_a_sweep_finds(corpus, swept) -> None:
    app = finished(opened(sample="markdown", grid=SMALL, metric="whole"))
    stands = standing(swept.measured, "whole@5")
    assert stands.sentence in said(app)
    cells = [
        cell for panel in heat_of(app)["panels"] for row in panel["rows"] for cell in row["cells"] if cell
    ]
    assert {cell["recipe"]: cell["text"] for cell in cells} == {
        each.recipe: f"{each.mean('whole@5'):.2f}" for each in swept.measured
    }
    assert [cell["recipe"] for cell in cells if cell["mark"] == "best"] == [stands.best.recipe]
    assert {cell["recipe"] for cell in cells if cell["mark"] == "tied"} == {
        each.recipe for each in stands.tied
    }
    assert address(app)["grid"] == SMALL and address(app)["metric"] == "whole"


def test_the_default_is_the_seed_sweep_and_stays_out_of_the_address(corpus) -> None:
    grid = parse_grid(DEFAULT.text())
    assert {(each["size"], each["overlap"]) for each in grid.axes if each["strategy"] == "recursive"} == {
        (size, overlap) for size in (80, 120, 160, 200, 280, 400, 600) for overlap in (0, "20%")
    }
    app = finished(opened(sample="markdown"))
    assert heat_of(app)["panels"][0]["sizes"] == [80, 120, 160, 200, 280, 400, 600]
    assert "grid" not in app.query_params


def test_results_stay_and_only_what_is_new_is_measured() -> None:
    app = finished(opened(sample="markdown", grid="recursive(size=[100,200])"))
    known = dict(settings_of(app))
    app.text_input(key="sweep_sizes").set_value("100, 200, 300").run()
    assert len(app.session_state["sweep_job"].sweep) in (1, 2), "a new setting, or the controls by now"
    finished(app)
    again = settings_of(app)
    assert set(again) - set(known) == {"recursive(size=300)"}
    assert all(again[recipe] is each for recipe, each in known.items())
    app.selectbox(key="sweep_measure").set_value("mrr").run()
    finished(app)
    assert settings_of(app) is again and set(again) - set(known) == {"recursive(size=300)"}


def test_what_needs_a_model_waits_for_the_button() -> None:
    app = opened(sample="markdown", grid="recursive(size=[100,200])", embedder="minilm()")
    assert not app.exception and not app.get("progress")
    assert app.button(key="sweep_start").label == "Run 2 settings"
    assert any(each.startswith("Nothing is measured yet: press Run.") for each in said(app))
    cells = heat_of(app)["panels"][0]["rows"][0]["cells"]
    assert [cell["says"] for cell in cells] == ["not measured yet"] * 2
    assert "sweep_job" not in app.session_state and not app.checkbox(key="sweep_controls").value


@pytest.mark.parametrize(
    ("grid", "words"),
    [("recursive(size=[100,", "cannot be read"), ("nonsense(size=[1,2])", "nonsense"), ("recursive(size=[])", "at least one value")],
)  # fmt: skip
def test_a_grid_that_cannot_be_read_says_why(grid: str, words: str) -> None:
    app = opened(sample="markdown", grid=grid)
    assert not app.exception
    assert [each.value for each in app.error] == ["This grid cannot be used."]
    assert any(words in each for each in said(app))
    assert app.text_area(key="sweep_text").value == grid


def test_what_is_dropped_is_told_with_its_reason() -> None:
    app = finished(opened(sample="markdown", grid="recursive(size=[100,300],overlap=[0,150])"))
    assert any("1 of the grid's combinations was left out" in each and "150" in each for each in said(app))


def test_without_answers_it_leads_to_where_they_are_marked() -> None:
    app = opened(source="paste")
    app.text_area(key="paste_box").set_value("One sentence. Another one.").run()
    assert [each.value for each in app.subheader] == ["Nothing to measure yet"]


def test_the_fields_write_the_grid() -> None:
    app = finished(opened(sample="markdown", grid="recursive(size=[100,200])"))
    app.multiselect(key="sweep_swept").set_value(["recursive", "markdown"]).run()
    app.text_input(key="sweep_sizes").set_value("200..600:200").run()
    app.text_input(key="sweep_overlaps").set_value("0, 20 %").run()
    finished(app)
    written = (
        "recursive(size=[200..600:200],overlap=[0,20%])\nmarkdown(max_size=[200..600:200],overlap=[0,20%])"
    )
    assert address(app)["grid"] == written
    assert [each["name"] for each in heat_of(app)["panels"]] == ["recursive", "markdown"]
    app.text_input(key="sweep_sizes").set_value("ten").run()
    assert [each.value for each in app.error] == ["This grid cannot be used."]
    assert app.text_input(key="sweep_sizes").value == "ten", "what was typed stays to be mended"


# Its parts


@pytest.mark.parametrize(
    "fields",
    [DEFAULT, Fields(("fixed", "sentence"), ("100", "200"), ("0",)), Fields(("semantic",), ("500", "900"), (), ("document",))],
    ids=str,
)  # fmt: skip
def test_fields_and_text_say_the_same(fields: Fields) -> None:
    assert read(parse_grid(fields.text())).writes(parse_grid(fields.text()))


@pytest.mark.parametrize(
    "text", ["recursive(size=[1,2],unit=tokens)", "sentence() | headings()", "semantic(percentile=[80,90])"]
)
def test_text_beyond_the_fields_is_known_as_such(text: str) -> None:
    assert read(parse_grid(text)) is None


@pytest.mark.parametrize("grid", ["", SMALL, "recursive(separators=[';','\\n'])"])
@pytest.mark.parametrize("metric", ["recall", "iou@500tokens", "mrr"])
def test_grid_and_metric_survive_the_address(grid: str, metric: str) -> None:
    view = replace(VIEW, grid=grid, metric=metric)
    assert from_params(to_params(view), ["markdown"]) == (view, ())


@pytest.mark.parametrize(
    ("name", "value"),
    [("metric", "mrr@500tokens"), ("metric", "nope"), ("metric", "recall@5"), ("grid", "a\x00"), ("grid", "x" * (MAX_GRID + 1))],
)  # fmt: skip
def test_what_the_address_cannot_mean_is_left_out_and_told(name: str, value: str) -> None:
    view, ignored = from_params({"sample": "markdown", name: value}, ["markdown"])
    assert view == VIEW and len(ignored) == 1


def test_a_grid_too_long_for_a_link_is_not_in_it() -> None:
    assert "grid" not in to_params(replace(VIEW, grid="x" * (MAX_GRID + 1)))


def test_what_begins_by_itself() -> None:
    few = parse_grid(SMALL).recipes
    assert cheap(VIEW, few)
    assert not cheap(replace(VIEW, source="upload"), few)
    assert not cheap(replace(VIEW, embedder="minilm()"), few)
    assert cheap(replace(VIEW, embedder="minilm()", retriever="bm25()"), few)
    assert not cheap(VIEW, parse_grid("recursive(size=1..201:1)").recipes)
    assert not cheap(VIEW, parse_grid("sentence() | late()").recipes)
    assert not cheap(VIEW, parse_grid("semantic(embedder=minilm)").recipes)


def test_an_ended_job_keeps_what_is_done_and_another_does_the_rest(corpus, swept) -> None:
    asked, grid = asked_by(VIEW, corpus), parse_grid(SMALL)
    begun = Event()

    class TwoOnly(dict):
        def __setitem__(self, recipe: str, each: Any) -> None:
            super().__setitem__(recipe, each)
            if len(self) == 2:
                begun.wait(60)
                job.end()

    results: dict[str, Any] = TwoOnly()
    job = Job("first", asked.sweep(grid.recipes), results)
    begun.set()
    job._thread.join(60)
    assert len(results) == 2 and not job.running and not job.fault
    left = [each for each in grid.recipes if str(each) not in results]
    second = Job("second", asked.sweep(left), results)
    second._thread.join(60)
    assert len(second.sweep) == len(grid) - 2 and second.share == 1
    assert set(results) == {each.recipe for each in swept.measured}
    for each in swept.measured:
        assert np.array_equal(results[each.recipe].value("recall@5"), each.value("recall@5"))


def test_a_job_that_nobody_looks_at_ends(corpus, monkeypatch) -> None:
    monkeypatch.setattr("pages.ui.sweep_job.PATIENCE", -1.0)
    job = Job("alone", asked_by(VIEW, corpus).sweep(parse_grid(SMALL).recipes), {})
    job._thread.join(60)
    assert len(job.results) == 1 and not job.fault


def test_a_fault_is_told_in_one_line(corpus) -> None:
    asked = replace(asked_by(VIEW, corpus), embedder="model(name='nowhere')")
    job = Job("fault", asked.sweep(parse_grid("sentence()").recipes), {})
    job._thread.join(60)
    assert "nowhere" in job.fault and "\n" not in job.fault


def test_every_setting_stands_in_the_heatmap_once(swept) -> None:
    grid = parse_grid(
        SMALL + "\nsemantic(percentile=[80,90])\nrecursive(size=[50,100],unit=tokens) | [itself(),headings()]"
    )
    found = [recipe for _, _, lines in panels(grid) for _, cells in lines for recipe in cells if recipe]
    assert sorted(found) == sorted(map(str, grid.recipes))
    assert [name for name, _, _ in panels(grid)] == [
        "recursive", "recursive (unit=tokens)", "recursive (unit=tokens) | headings()", "",
    ]  # fmt: skip


def test_what_is_said_is_worked_out_once(swept, monkeypatch) -> None:
    counted = []
    monkeypatch.setattr(sweep_scene, "standing", lambda *rest: counted.append(rest) or standing(*rest))
    first = say("once", "recall@5", swept.measured, None)
    assert say("once", "recall@5", swept.measured, None) is first and len(counted) == 1
    say("once", "whole@5", swept.measured, None)
    assert len(counted) == 2
    assert first.intervals == {
        each.recipe: bootstrap_interval(each.value("recall@5")) for each in swept.measured
    }


def test_a_filling_heatmap_has_no_marks_and_a_problem_is_a_dash(swept) -> None:
    done = {each.recipe: each for each in swept.measured[:2]}
    broken = replace(swept.measured[2], values={}, problem="too long")
    head = heat(parse_grid(SMALL), {**done, broken.recipe: broken}, "recall@5", None, "")
    cells = [cell for panel in head["panels"] for row in panel["rows"] for cell in row["cells"]]
    shown = {cell["recipe"]: (cell["text"], cell["says"]) for cell in cells}
    assert {cell["mark"] for cell in cells} == {""} and len(shown) == 7
    assert {recipe: shown.pop(recipe)[0] for recipe in done} == {
        recipe: f"{each.mean('recall@5'):.2f}" for recipe, each in done.items()
    }
    assert shown.pop(broken.recipe) == ("–", "too long")
    assert set(shown.values()) == {("", "not measured yet")}


def test_curves_are_over_sizes_and_the_rest_are_levels(swept) -> None:
    found = say("curves", "recall@5", swept.measured, None)
    over, alone, units = curves(swept.measured, "recall@5", found)
    assert [list(each.sizes) for each in over] == [[100, 200, 400]] * 2 and units == {"chars"}
    assert [each.name.partition(" ·")[0] for each in alone] == ["sentence 500/0"]
    others = [replace(each) for each in swept.measured]
    assert curves(others, "recall@5", found)[0][0].name == over[0].name, (
        "another session's results are as good"
    )
    by_name = {each.recipe: each for each in swept.measured}
    assert over[0].means[0] == by_name[found.curve[0].recipe].mean("recall@5")
    figure = size_curves(
        over, alone, "recall@5", "chars", plateau=(100, 200), marks=[("best", "circle", 100, 0.5)]
    )
    assert tuple(figure.layout.yaxis.range) == (0, 1.02)
    assert [each.name for each in figure.data if each.showlegend is not False] == [
        each.name for each in (*over, *alone)
    ]
    assert (figure.layout.shapes[0].x0, figure.layout.shapes[0].x1) == (100, 200)


def test_the_first_curve_has_a_band_and_the_others_whiskers() -> None:
    made = [Curve(name, [0.5, 0.6], [1, 2], [(0.4, 0.7), (0.5, 0.9)]) for name in "ab"]
    held = [Curve("ceiling", [0.9, 1.0], [1, 2])]
    figure = size_curves(made, [], "recall@5", "chars", held=held)
    assert figure.data[0].name == "ceiling", "beneath all else"
    band, first, second = figure.data[1:]
    assert list(band.y) == [0.7, 0.9, 0.5, 0.4] and first.error_y.array is None
    assert second.error_y.array == pytest.approx((0.2, 0.3)) and second.error_y.arrayminus == pytest.approx(
        (0.1, 0.1)
    )
    many = size_curves(made * 3, [], "recall@5", "chars")
    assert not any(each.error_y.array for each in many.data)


def test_small_values_are_not_pressed_onto_the_axis() -> None:
    figure = size_curves(
        [Curve("one", [0.01, 0.02], [1, 2], [(0.0, 0.03), (0.01, 0.05)])], [], "iou@5", "chars"
    )
    assert figure.layout.yaxis.range[1] == pytest.approx(0.06)


def test_names_are_drawn_as_text() -> None:
    point = Point("<b>x</b>", "r", "<i>g</i>", 1, 0.5, "best")
    for figure in (
        pareto([point], [(1, 0.5)], "m", "c", window=5),
        size_curves([Curve("<b>x</b>", [0.5])], [], "m", "u"),
    ):
        assert "<b>" not in figure.to_json() and "<i>" not in figure.to_json()


def test_controls_are_held_against_the_best_curve(corpus) -> None:
    asked = controls_by(replace(VIEW, metric="recall"), asked_by(VIEW, corpus))
    done = {
        each.recipe: each for each in asked.sweep(parse_grid("document();recursive(size=[100,400])").recipes)
    }
    curve = (
        [done["recursive(size=100)"], done["recursive(size=400)"]] if "recursive(size=400)" in done else None
    )
    curve = curve or [done["recursive(size=100)"], done["recursive()"]]
    chance, ceiling, whole = held_against(done, "recall@5", curve)
    assert list(chance.sizes) == list(ceiling.sizes) == [100, 400] and not whole.sizes
    for each, low, mid, high in zip(
        curve, chance.means, (each.mean("recall@5") for each in curve), ceiling.means, strict=True
    ):
        assert low < mid <= high <= 1, each.recipe
    assert whole.means == [done["document()"].mean("recall@5")]
    assert held_against({}, "recall@5", curve) == []


def test_the_rows_are_those_of_the_sweep(corpus, swept, monkeypatch) -> None:
    work = Work(VIEW, asked_by(VIEW, corpus), parse_grid(SMALL), False)
    monkeypatch.setattr(Work, "measured", property(lambda self: list(swept.measured)))
    table = rows(work, say("rows", "recall@5", swept.measured, None))
    assert [row["recall@5"] for row in table] == sorted(
        (each.mean("recall@5") for each in swept.measured), reverse=True
    )
    assert table[0]["standing"] == "best" and {row["standing"] for row in table[1:]} <= {"tied", "below"}
    lines = list(csv.DictReader(io.StringIO(as_csv(swept.measured))))
    assert [line["recipe"] for line in lines] == [each.recipe for each in swept.measured]
    assert [float(line["whole@1000tokens"]) for line in lines] == [
        each.mean("whole@1000tokens") for each in swept.measured
    ]
    data = json.loads(as_json(work, swept.measured))
    assert data["rows"] == [each.row() for each in swept.measured] and data["corpus_digest"] == corpus.digest
    assert data["results"][0]["values"]["mrr"] == swept.measured[0].value("mrr").tolist()


def test_a_setting_goes_beside_the_others_in_compare() -> None:
    added = [
        beside(VIEW, "sentence()"),
        beside(beside(VIEW, "sentence()"), "sentence()"),
        beside(VIEW, "recursive()"),
    ]
    assert [list(map(str, each.others)) for each in added] == [["sentence()"], ["sentence()"], []]
    full = replace(VIEW, others=tuple(map(parse_recipe, ("fixed()", "sentence()", "markdown()"))))
    assert list(map(str, beside(full, "paragraph()").others)) == ["fixed()", "sentence()", "paragraph()"]


def test_names_of_metrics() -> None:
    assert metric_of(replace(VIEW, metric="whole", k=3)) == "whole@3"
    assert metric_of(replace(VIEW, metric="whole@500tokens")) == "whole@500tokens"
    assert metric_of(replace(VIEW, metric="mrr")) == "mrr"
    assert str(with_default(parse_grid("sentence()"))[-1]) == "recursive()"
    assert len(with_default(parse_grid("recursive()"))) == 1


def test_the_legend_tells_the_shapes_apart() -> None:
    points = [
        Point("n", "r", group, 1, 0.5, mark) for group, mark in (("a", "best"), ("a", "tied"), ("b", "below"))
    ]
    figure = pareto(points, [(1, 0.5)], "m", "c")
    assert [each.name for each in figure.data if each.showlegend is not False] == [
        "nothing is cheaper and better", "a", "b", "best", "tied with the best", "below the best",
    ]  # fmt: skip


def test_embedding_time_grows_with_what_is_embedded() -> None:
    assert 0 < seconds_per_character("hashing()") < 0.001
    made = seconds_per_character.cache_info().misses
    seconds_per_character("hashing()")
    assert seconds_per_character.cache_info().misses == made, "measured once"


def test_equal_scores_have_no_interval_to_tell() -> None:
    assert interval((1.0, 1.0)) == "the same on every question"
    assert interval((0.5, 1.0)) == "95 % interval 0.50 to 1.00" and interval(None) == ""


def test_a_k_that_takes_every_chunk_is_told() -> None:
    app = finished(opened(sample="markdown", grid="recursive(size=[100,1200])", k="50"))
    app.selectbox(key="sweep_looked").set_value("recursive(size=1200)").run()
    assert any(each.startswith("k = 50 takes all there is") for each in said(app))
    app.selectbox(key="sweep_looked").set_value("recursive(size=100)").run()
    assert any(each.startswith("50 results bring") for each in said(app))


def test_one_setting_is_one_setting() -> None:
    app = finished(opened(sample="markdown", grid="recursive(size=[100,100])"))
    assert any(each.value.startswith("1 setting. ") for each in app.caption)


def test_the_front_is_what_the_engine_says(swept) -> None:
    best = front(swept.measured, "recall@5", "returned_tokens@5")
    points = [Point(each.name, each.recipe, "r", each.mean("returned_tokens@5"), each.mean("recall@5"), "tied") for each in swept.measured]  # fmt: skip
    line = [(each.mean("returned_tokens@5"), each.mean("recall@5")) for each in best]
    figure = pareto(points, line, "recall@5", "tokens", window=10_000)
    assert list(zip(figure.data[0].x, figure.data[0].y, strict=True)) == line
    assert [tuple(each) for each in figure.data[1].customdata] == [
        (each.name, each.recipe) for each in swept.measured
    ]
    assert figure.layout.shapes[0].x0 == 10_000


def test_a_chosen_setting_says_what_a_model_would_not_read(corpus) -> None:
    app = finished(opened(sample="markdown", grid="recursive(size=[100,3000])", model="all-MiniLM-L6-v2"))
    app.session_state["sweep_chosen"] = "recursive(size=3000)"
    app.run()
    counts = chunk(corpus.documents[0], "recursive(size=3000)").token_counts("minilm")
    assert (counts > 256).any()
    told = (
        f"{(counts > 256).sum()} of {len(counts)} chunks are over the 256 tokens that all-MiniLM-L6-v2 reads."
    )
    assert told in said(app)
    app.session_state["sweep_chosen"] = "recursive(size=100)"
    app.run()
    assert not any("chunks are over" in each for each in said(app))


@pytest.mark.parametrize(
    "cost", ["chunks", "characters", "tokens", "duplication", "index_bytes", "embedded", "duplicates"]
)
def test_every_cost_is_drawn_with_its_front(cost: str) -> None:
    app = finished(
        opened(sample="markdown", grid="recursive(size=[100,400],overlap=[0,20%])", retriever="bm25()")
    )
    app.selectbox(key="sweep_cost").set_value(cost).run()
    assert not app.exception
    assert any(each.startswith("Nothing is cheaper and better than: recursive") for each in said(app))


def test_the_session_can_be_left_and_the_table_be_had() -> None:
    app = finished(opened(sample="markdown", grid="recursive(size=[100,400])"))
    app.segmented_control(key="sweep_panel").set_value("All settings").run()
    table = app.dataframe[0].value
    app.switch_page("pages/2_Retrieve.py").run()
    app.switch_page("pages/3_Sweep.py").run()
    assert not app.exception and app.dataframe[0].value.equals(table)


def test_cancel_keeps_what_is_done_and_nothing_begins_by_itself_again() -> None:
    app = opened(sample="topics", grid="recursive(size=50..1000:10,overlap=[0,20%])")
    app.button(key="sweep_cancel").click().run()
    job = app.session_state["sweep_job"]
    job._thread.join(60)
    app.run()
    assert not app.exception and app.session_state["sweep_job"] is job and not job.running
    done = len(settings_of(app))
    assert 0 < done < 192
    assert f"{done} of 192 settings are measured." in said(app)
    assert str(192 - done) in app.button(key="sweep_start").label
