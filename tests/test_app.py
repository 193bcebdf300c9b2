"""The app's state without a browser: sidebar, address, links, and what a slider may do to a recipe."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from chunklab.chunking import chunk
from chunklab.corpus import Corpus, load_corpus
from chunklab.discovery import components
from chunklab.recipe import Recipe, parse_recipe
from pages.ui.dragging import moved
from pages.ui.state import MAX_K, View, from_params, switched, to_params
from tests.case_app import ROOT, App

SAMPLES = ("markdown", "mixed", "prose", "formats", "topics")
STRATEGIES = sorted(components("strategies"))
WITH_UNITS = [each for each in STRATEGIES if "unit" in components("strategies")[each].params()]
DEFAULTS = View(parse_recipe("recursive()"), sample="markdown")


@cache
def sample(name: str) -> Corpus:
    return load_corpus(ROOT / "sample_corpora" / name)


def spans(name: str, recipe: str) -> list[list[int]]:
    return chunk(sample(name).documents[0], parse_recipe(recipe)).spans.tolist()


def calm(app: App) -> App:
    """The app, which shows no stack trace."""
    assert app.tracebacks() == []
    return app


def said(app: App) -> str:
    return "\n".join(app.messages())


def pick(app: App, label: str, value: Any) -> None:
    """Takes an option of the select box with this label."""
    next(each for each in app.test.selectbox if each.label == label).set_value(value).run()


# The page


@pytest.mark.parametrize("name", SAMPLES)
def test_every_strategy_is_drawn_on_every_sample(name: str):
    app = calm(App({"sample": name}))
    for strategy in STRATEGIES:
        pick(app, "Split", strategy)
        calm(app)
        assert parse_recipe(app.query["recipe"]).split.key() == strategy
        assert app.query["sample"] == name
        assert app.spans == spans(name, app.query["recipe"])
        assert app.text == sample(name).documents[0].text


def test_a_change_of_one_setting_keeps_the_others():
    app = App({"recipe": "recursive(size=300,overlap=30,unit=words)", "sample": "prose", "k": "3"})
    for strategy in ("fixed", "sentence", "recursive", "markdown", "fixed"):
        pick(app, "Split", strategy)
        split = parse_recipe(calm(app).query["recipe"]).split
        size = getattr(split, "size", None) or split.max_size
        assert (size, split.overlap, split.unit) == (300, 30, "words")
    app.set("size", 250)
    assert app.query["recipe"] == "fixed(size=250,overlap=30,unit=words)"
    app.set("overlap", "10%")
    assert app.query["recipe"] == "fixed(size=250,overlap=10%,unit=words)"
    app.set("unit", "tokens")
    assert app.query["recipe"] == "fixed(size=250,overlap=10%,unit=tokens)"
    app.set("tokenizer", "minilm")
    assert app.query["recipe"] == "fixed(size=250,overlap=10%,unit=tokens,tokenizer=minilm)"
    app.test.number_input(key="k").set_value(7).run()
    pick(app, "Sample corpus", "mixed")
    assert calm(app).query == {
        "recipe": "fixed(size=250,overlap=10%,unit=tokens,tokenizer=minilm)", "k": "7", "sample": "mixed",
    }  # fmt: skip
    assert app.spans == spans("mixed", app.query["recipe"])


@pytest.mark.parametrize(
    "query",
    [
        {"recipe": "fixed(size=123,overlap=7)", "k": "9", "sample": "prose"},
        {"recipe": "markdown(level=2,mode=subtree)", "k": "1", "sample": "mixed"},
        {"recipe": "recursive(separators=['\\n\\n','§ ',''],keep=start)", "k": "5", "sample": "markdown"},
        {"recipe": "sentence(size=40,unit=tokens,tokenizer=o200k)", "k": "2", "sample": "topics", "document": "doc03.txt"},
        {"recipe": "paragraph()", "k": "5", "source": "paste"},
        {"recipe": "recursive()", "k": "5", "source": "upload"},
    ],
)  # fmt: skip
def test_a_link_gives_its_view_and_its_view_the_link(query: dict[str, str]):
    app = calm(App(query))
    assert app.query == query
    if "source" in query:
        assert "Its chunks appear here" in said(app)
        return
    documents = {each.id: each for each in sample(query["sample"]).documents}
    document = documents.get(query.get("document", ""), sample(query["sample"]).documents[0])
    assert app.text == document.text
    assert app.spans == chunk(document, parse_recipe(query["recipe"])).spans.tolist()
    assert "link" not in said(app).lower()


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ({"recipe": "recursive(size=", "k": "3"}, {"recipe": "recursive()", "k": "3", "sample": "markdown"}),
        ({"recipe": "fixed(size=0)"}, {"recipe": "recursive()", "k": "5", "sample": "markdown"}),
        ({"recipe": "fixed(size=9)", "k": "-1"}, {"recipe": "fixed(size=9)", "k": "5", "sample": "markdown"}),
        ({"sample": "../../etc", "k": "9"}, {"recipe": "recursive()", "k": "9", "sample": "markdown"}),
        ({"k": "³"}, {"recipe": "recursive()", "k": "5", "sample": "markdown"}),
        ({"source": "disk", "model": "<b>"}, {"recipe": "recursive()", "k": "5", "sample": "markdown"}),
        ({"x" * 300: "y" * 3000}, {"recipe": "recursive()", "k": "5", "sample": "markdown"}),
        ({"document": "nowhere.txt"}, {"recipe": "recursive()", "k": "5", "sample": "markdown"}),
        ({"recipe": "recursive(overlap=400)"}, {"recipe": "recursive()", "k": "5", "sample": "markdown"}),
    ],
)
def test_a_damaged_link_keeps_what_is_right_and_says_so(query: dict[str, str], left: dict[str, str]):
    app = calm(App(query))
    assert app.query == left
    assert app.spans == spans(left["sample"], left["recipe"])
    lines = [each for each in said(app).split("\n") if "link" in each.lower()]
    assert len(lines) == 1
    assert len(lines[0]) < 500
    app.set("unit", "words")
    assert "link" not in said(calm(app)).lower(), "the notice stays after the first change"


@pytest.mark.parametrize(
    "recipe",
    [
        "__import__('os').system('true')",
        "recursive(size=(lambda: 400)())",
        "recursive(separators=['(a+)+$'],regex=true) | open('/etc/passwd')",
        "fixed(size=9e999)", "fixed(size=1e3)", "fixed(size=-1)", "fixed(size=True)", "fixed(size=10**9)",
        "recursive(" * 2000,
        "recursive(separators=[" + "'a'," * 5000 + "])",
        "<img src=x onerror=alert(1)>", "![t](http://tracker.invalid/p.png)",
        "fixed(size=\u0664\u0660\u0660)", "fixed\x00()", "\U0001f600" * 500, " ", "",
    ],
)  # fmt: skip
def test_a_hostile_recipe_in_a_link_does_nothing(recipe: str):
    app = calm(App({"recipe": recipe}))
    assert app.query["recipe"] == "recursive()"
    assert app.spans == spans("markdown", "recursive()")
    interpreted = [
        str(each.value)
        for kind in ("markdown", "warning", "error", "info", "caption")
        for each in getattr(app.test, kind)
    ]
    assert not [each for each in interpreted if "tracker" in each or "<img" in each]
    assert "Traceback" not in said(app)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("overlap", "500", "below the size of 420"),
        ("overlap", "100%", "overlap must be"),
        ("overlap", "many", "overlap must be"),
        ("overlap", "-1", "overlap must be"),
        ("overlap", "<b>![t](http://tracker.invalid/o.png)</b>", "overlap must be"),
        ("size", 30, "overlap must be below the size of 30"),
    ],
)
def test_an_impossible_combination_is_told_and_changes_nothing(name: str, value: Any, words: str):
    app = App({"recipe": "recursive(size=420,overlap=40)", "sample": "prose"})
    app.set(name, value)
    assert words in said(calm(app))
    assert app.query["recipe"] == "recursive(size=420,overlap=40)"
    assert app.form()[name] == {"size": 420, "overlap": 40}[name], "the field does not show what is used"
    assert app.spans == spans("prose", "recursive(size=420,overlap=40)")
    assert not [each for each in app.test.error if "tracker" in str(each.value)]
    app.set("overlap", "20")
    assert app.query["recipe"] == "recursive(size=420,overlap=20)"
    assert words not in said(calm(app)), "the message stays after it was heeded"


def separator_list(app: App) -> Any:
    return next(each for each in app.test.multiselect if "separators" in str(each.key))


def test_own_separators_are_taken_and_kept():
    app = App({"recipe": "recursive()", "sample": "mixed"})
    pick(app, "separators", "python")
    assert app.query["recipe"] == "recursive(separators=python)"
    separator_list(app).set_value(["\\n\\n", "(blank)", "(cut anywhere)"]).run()
    assert parse_recipe(calm(app).query["recipe"]).split.separators == ("\n\n", " ", "")
    assert app.spans == spans("mixed", app.query["recipe"])
    separator_list(app).set_value([]).run()
    assert parse_recipe(calm(app).query["recipe"]).split.separators == ("\n\n", " ", "")


@pytest.mark.parametrize(
    "kept", ["§ ", "é\n", "\u2028", "\\n", "␣", " ", "\t| ", "\r\n", "\u00a0", "(blank)", "<b>", "a\\"]
)
def test_taking_one_separator_away_leaves_the_others_as_they_were(kept: str):
    recipe = parse_recipe("recursive()")
    recipe = replace(recipe, split=recipe.split.with_(separators=("\n\n", kept, ";", "")))
    app = calm(App({"recipe": str(recipe)}))
    shown = separator_list(app).value
    assert len(shown) == 4
    separator_list(app).set_value([shown[0], shown[1], shown[3]]).run()
    assert parse_recipe(calm(app).query["recipe"]).split.separators == ("\n\n", kept, "")


def test_a_model_limit_is_told_and_goes_into_the_link():
    app = App({"recipe": "fixed(size=900,unit=tokens,tokenizer=minilm)", "sample": "prose"})
    box = next(each for each in app.test.selectbox if each.key == "model")
    names = [each for each in box.options if each != "not checked"]
    assert names
    box.select_index(1).run()
    assert calm(app).query["model"]
    assert app.query["model"] in said(app) or "limit" in said(app)
    assert App(app.query).query == app.query


@pytest.mark.parametrize("text", ["", " \n ", "x", "a\0b", "# T\n\n$x$ <b>b</b>\n", "١٢٣ שלום 👩‍👩‍👧‍👦"])
def test_a_pasted_text_is_shown_as_it_is(text: str):
    app = App({"source": "paste"})
    app.paste(text)
    calm(app)
    if not text:
        assert "Its chunks appear here" in said(app)
        return
    assert app.text == text.replace("\0", "")
    pick(app, "Split", "fixed")
    assert calm(app).text == text.replace("\0", "")
    assert app.query["source"] == "paste"
    assert len(text.strip()) < 2 or not any(text.strip() in value for value in app.query.values())


def test_an_upload_survives_other_sources_and_a_refused_file():
    app = App()
    app.upload("mine.md", b"# Mine\n\nText.\n")
    assert calm(app).text == "# Mine\n\nText.\n"
    app.test.file_uploader[0].set_value(("picture.txt", b"\x89PNG\r\n\x1a\n\0\0\0" * 30, "text/plain")).run()
    assert "picture.txt" in said(calm(app))
    assert app.text == "# Mine\n\nText.\n"
    source = app.test.button_group(key="source")
    source.set_value("sample").run()
    assert calm(app).text == sample("markdown").documents[0].text
    app.test.button_group(key="source").set_value("upload").run()
    assert calm(app).text == "# Mine\n\nText.\n"


# The address, without Streamlit


VIEWS = [
    DEFAULTS,
    View(parse_recipe("fixed(size=123,overlap=20%)"), sample="prose", k=1),
    View(parse_recipe("markdown(level=2)"), sample="topics", document="doc01.txt", k=MAX_K),
    View(parse_recipe("sentence()"), source="paste", sample="markdown", k=3),
    View(parse_recipe("paragraph(unit=words)"), source="upload", sample="markdown"),
]


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_a_view_survives_its_address(view: View):
    again, ignored = from_params(to_params(view), SAMPLES)
    assert ignored == ()
    assert (again.recipe, again.source, again.k, again.model) == (
        view.recipe,
        view.source,
        view.k,
        view.model,
    )
    if view.source == "sample":
        assert again == view
    assert to_params(again) == to_params(view)


def test_an_address_never_holds_what_is_a_persons_own():
    view = View(parse_recipe("fixed()"), source="upload", sample="prose", document="my secret diary.txt")
    assert "diary" not in str(to_params(view))


def test_nothing_asked_is_the_default():
    view, ignored = from_params({}, SAMPLES)
    assert (view, ignored) == (DEFAULTS, ())
    assert from_params({}, ())[0].sample == ""


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"k": "0"}, "k"), ({"k": str(MAX_K + 1)}, "k"), ({"k": "5.0"}, "k"), ({"k": ""}, "k"), ({"k": " 5"}, "k"),
        ({"k": "9" * 5000}, "k"), ({"k": "²"}, "k"), ({"recipe": "fixed("}, "recipe"), ({"recipe": ""}, "recipe"),
        ({"sample": "nope"}, "sample"), ({"source": "disk"}, "source"), ({"model": "nope"}, "model"),
        ({"document": "a\nb"}, "document"), ({"document": "x" * 201}, "document"), ({"text": "hello"}, None),
    ],
)  # fmt: skip
def test_a_damaged_part_falls_back_alone(params: dict[str, str], field: str | None):
    beside = {"recipe": "fixed(size=77)", "k": "4", "sample": "prose", **params}
    view, ignored = from_params(beside, SAMPLES)
    assert len(ignored) == 1
    assert len(ignored[0]) < 300 and "\n" not in ignored[0]
    expected = {"recipe": parse_recipe("fixed(size=77)"), "k": 4, "sample": "prose"}
    for name, value in expected.items():
        assert getattr(view, name) == (getattr(DEFAULTS, name) if name == field else value)


@pytest.mark.parametrize("old", WITH_UNITS)
@pytest.mark.parametrize("new", WITH_UNITS)
def test_a_switch_carries_what_both_strategies_have(old: str, new: str):
    before = parse_recipe(f"{old}(unit=words)").split
    name = "size" if "size" in before.params() else "max_size" if "max_size" in before.params() else None
    before = before.with_(**({name: 210} if name else {}))
    after = switched(before, new)
    assert after.key() == new
    assert after.unit == "words"
    size = getattr(after, "size", getattr(after, "max_size", None))
    assert name is None or size is None or size == 210


# What a slider may do


def slid(text: str, values: Any, sent: int | None = None) -> str:
    result = moved(parse_recipe(text), values, sent)
    assert isinstance(result, Recipe)
    return str(result)


def test_a_slider_sets_its_parameter():
    assert slid("fixed()", {"size": 250}) == "fixed(size=250)"
    assert slid("fixed()", {"size": 250.0, "overlap": 20}) == "fixed(size=250,overlap=20)"
    assert slid("markdown()", {"max_size": 700}) == "markdown(max_size=700)"
    assert (
        slid("recursive(keep=start)", {"size": 90, "overlap": 0}) == "recursive(size=90,overlap=0,keep=start)"
    )


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, -math.inf, "300", "", None, True, [300], {"size": 1}, b"9"]
)
def test_what_is_no_number_changes_nothing(value: Any):
    assert slid("fixed(size=300,overlap=30)", {"size": value, "overlap": 30}) == "fixed(size=300,overlap=30)"
    assert slid("fixed(size=300,overlap=30)", {"size": 300, "overlap": value}) == "fixed(size=300,overlap=30)"


@pytest.mark.parametrize(
    "values", [None, [], "size", 5, {}, {"siez": 4}, {"unit": "words"}, {"unit": 3}, {"__class__": 1}]
)
def test_values_of_another_kind_change_nothing(values: Any):
    assert slid("fixed(size=300,overlap=30)", values) == "fixed(size=300,overlap=30)"


@pytest.mark.parametrize("value", [-1e308, -5, 0, 1, 1e6, 1e308, pytest.param(10**400, id="10**400")])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_values_out_of_range_are_clamped(strategy: str, value: float):
    recipe = parse_recipe(f"{strategy}()")
    names = [name for name, (_, spec) in recipe.split.params().items() if spec.slider]
    for each in ({name: value for name in names}, *({name: value} for name in names)):
        after = moved(recipe, each, None).split
        for name in names:
            spec = after.params()[name][1]
            got = getattr(after, name)
            assert isinstance(got, str) or spec.low <= got <= spec.high


def test_a_share_of_overlap_stays_one_until_its_own_slider_moves():
    assert (
        slid("fixed(size=400,overlap=20%)", {"size": 200, "overlap": 80}, sent=80)
        == "fixed(size=200,overlap=20%)"
    )
    assert slid("fixed(size=400,overlap=20%)", {"size": 400, "overlap": 81}, sent=80) == "fixed(overlap=81)"
    assert slid("fixed(size=400,overlap=20%)", {"size": 400, "overlap": 80}, sent=40) == "fixed(overlap=80)"
    assert (
        slid("fixed(size=400,overlap=80)", {"size": 300, "overlap": 80}, sent=80)
        == "fixed(size=300,overlap=80)"
    )


def test_an_overlap_never_reaches_the_size():
    for size in (1, 2, 3, 50, 100):
        split = moved(parse_recipe("fixed(size=400,overlap=200)"), {"size": size, "overlap": 200}, 200).split
        assert split.size == size and split.overlap < size
