"""Samples mixed into one corpus: by the sidebar, in the address, with every question counted."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from pages.ui.state import from_params, to_params
from tests.case_app import ROOT

SAMPLES = ["markdown", "prose", "mixed", "topics"]


def page(**query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    return app.switch_page("pages/1_Compare.py").run()


def test_a_mix_is_part_of_the_address() -> None:
    view, ignored = from_params({"sample": "prose", "mix": "markdown,mixed"}, SAMPLES)
    assert (view.mix, ignored) == (("markdown", "mixed"), ())
    assert to_params(view)["mix"] == "markdown,mixed"
    damaged, ignored = from_params({"sample": "prose", "mix": "markdown,nothing"}, SAMPLES)
    assert damaged.mix == () and ignored == ("mix=markdown,nothing",)


def test_documents_and_questions_of_all_count() -> None:
    app = page(sample="prose", mix="markdown,mixed", recipe="recursive()", recipe2="fixed()")
    assert not app.exception
    (documents,) = [each for each in app.selectbox if each.key == "document"]
    assert documents.options == ["prose.txt", "markdown.md", "mixed.md"]
    (choice,) = [each for each in app.segmented_control if each.key == "compare_panel"]
    choice.set_value("By kind and document").run()
    table = app.dataframe[0].value
    assert table["n"][0] == 24
    assert table["questions"].tolist()[-3:] == [
        "document: markdown.md",
        "document: mixed.md",
        "document: prose.txt",
    ]


def test_it_is_chosen_and_taken_back_in_the_sidebar() -> None:
    app = page(sample="prose")
    app.multiselect(key="mix").set_value(["mixed"]).run()
    assert app.query_params["mix"] == "mixed" and len(app.selectbox(key="document").options) == 2
    app.multiselect(key="mix").set_value([]).run()
    assert "mix" not in app.query_params
