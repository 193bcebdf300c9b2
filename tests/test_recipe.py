"""The text form of recipes: round trips, errors, and texts that want to harm."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunklab.discovery import FAMILIES, components
from chunklab.errors import ChunklabError, ParamError, RecipeError
from chunklab.recipe import MAX_LENGTH, parse_component, parse_recipe

ROUND = [
    "recursive()",
    "recursive(size=256,unit=tokens)",
    "recursive(size=300,overlap=20%)",
    "recursive(overlap=0,separators=['\\n\\n','. ',' ',''])",
    "recursive(separators=[\"it's\",'|','%','20%'],keep=start)",
    "recursive(separators=['\\\\d+'],regex=true)",
    "recursive(separators=['。','\\u2028'])",
    "sentence(n=3,repeat=1)",
    "markdown(max_size=900,level=2,mode=subtree,header_only=keep,bold_headings=true)",
    "fixed(size=1,overlap=0%)",
]


@pytest.mark.parametrize("text", ROUND)
def test_a_recipe_reads_back_equal(text: str) -> None:
    recipe = parse_recipe(text)
    assert parse_recipe(str(recipe)) == recipe
    assert str(parse_recipe(str(recipe))) == str(recipe)
    assert str(recipe).isprintable()


def test_defaults_are_not_printed_and_parts_may_be_left_out() -> None:
    assert (
        str(parse_recipe(" recursive( size = 400 , separators=plain ) | itself() | itself()"))
        == "recursive()"
    )
    assert str(parse_recipe("sentence")) == "sentence()"


@given(st.lists(st.text(max_size=8), min_size=1, max_size=6), st.integers(1, 5000))
def test_any_separators_round_trip(separators: list[str], size: int) -> None:
    from chunklab.recipe import Recipe, build

    split = build("strategies", "recursive", {"separators": tuple(separators), "size": size})
    recipe = Recipe(split, build("contexts", "itself", {}), build("returns", "itself", {}))
    assert parse_recipe(str(recipe)) == recipe


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "must not be empty"),
        ("nope()", "'nope'"),
        ("recursiv()", "Did you mean recursive?"),
        ("recursive(400)", "must be named"),
        ("recursive(size=1,size=2)", "size twice"),
        ("recursive(size=(lambda: 1)())", "size must be a number"),
        ("recursive(size=__import__('os').system('x'))", "size must be a number"),
        ("__import__('os').system('x')", "must look like name(parameter=value)"),
        ("recursive(size=10**9)", "size must be a number"),
        ("recursive(**{'size':1})", "must be named"),
        ("recursive() | itself() | itself() | itself()", "at most 3 parts"),
        ("recursive(size=400", "cannot be read"),
        ("recursive()\nmarkdown()", "one line"),
        ("(" * 900 + ")" * 900, "cannot be read"),
        ("recursive(separators=[[[['a']]]])", "separators must be"),
        ("x" * (MAX_LENGTH + 1), f"at most {MAX_LENGTH}"),
        ("recursive(size=400) | nope()", "among the contexts"),
    ],
)
def test_a_text_that_is_no_recipe_is_told_in_one_line(text: str, words: str) -> None:
    with pytest.raises((RecipeError, ParamError)) as caught:
        parse_recipe(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("recursive(size=0)", "recursive: size must be a whole number from 1 to 100000, got 0. Use 1."),
        ("recursive(size=5,overlap=5)", "recursive: overlap must be below the size of 5, got 5. "),
        ("recursive(size=true)", "recursive: size must be a whole number from 1 to 100000, got True."),
        ("recursive(unit=lines)", "recursive: unit must be one of chars, words, tokens, got 'lines'. "),
        ("recursive(overlap=120%)", "recursive: overlap must be a whole number from 0 to 100000, or a share"),
        ("markdown(overlap=1200)", "markdown: overlap must be below the max_size of 1200, got 1200."),
        ("fixed(colour=red)", "fixed: colour must be one of its parameters (size, overlap, unit, tokenizer)"),
        (
            "recursive(separators=['(?=x)'],regex=true)",
            "recursive: separators must be a regex that RE2 can run",
        ),
    ],
)
def test_a_refused_parameter_is_told_in_the_same_form(text: str, message: str) -> None:
    with pytest.raises(ParamError) as caught:
        parse_recipe(text)
    assert str(caught.value).startswith(message)


@given(st.text(max_size=60))
def test_no_text_does_anything_but_read_or_be_refused(text: str) -> None:
    try:
        parse_recipe(text)
    except ChunklabError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_component_describes_itself(family: str) -> None:
    for key, kind in components(family).items():
        assert kind.key() == key and kind.family == family
        assert kind.label and kind.assumes.endswith(".") and kind.fails.endswith(".")
        assert parse_component(family, key) == kind()
        for name, (default, spec) in kind.params().items():
            assert spec.help, f"{key}.{name} has no help"
            assert spec.allows(default)
