"""The text form of grids: what it stands for, in which order, what is left out, and texts that want to harm."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunklab.axes import axes_of, curve_name, short_name
from chunklab.discovery import components
from chunklab.errors import ChunklabError, ParamError, RecipeError
from chunklab.grid import MAX_SETTINGS, OVERLAPS, SIZES, default_grid, parse_grid
from chunklab.recipe import MAX_LENGTH, parse_recipe


def recipes(*texts: str) -> list[str]:
    return list(map(str, parse_grid(texts).recipes))


def test_a_list_stands_for_each_of_its_values_the_last_one_first():
    found = recipes("recursive(size=[100,200],overlap=[0,20%])")
    assert found == [
        "recursive(size=100,overlap=0)",
        "recursive(size=100,overlap=20%)",
        "recursive(size=200,overlap=0)",
        "recursive(size=200,overlap=20%)",
    ]


def test_stages_and_lists_inside_them():
    text = "[fixed(size=[50,60]), sentence] | [itself(),headings()] | [itself(),parent(size=[900,1000])]"
    splits = ["fixed(size=50)", "fixed(size=60)", "sentence()"]
    embeds, returns = ["itself()", "headings()"], ["itself()", "parent(size=900)", "parent(size=1000)"]
    expected = [str(parse_recipe(" | ".join(each))) for each in product(splits, embeds, returns)]
    assert recipes(text) == expected and len(expected) == 18


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("recursive", ["recursive()"]),
        ("fixed(size=10..30:10)", ["fixed(size=10)", "fixed(size=20)", "fixed(size=30)"]),
        ("fixed(size=[5,10..19:5])", ["fixed(size=5)", "fixed(size=10)", "fixed(size=15)"]),
        ("fixed(size=10); sentence(n=2)\n\nparagraph;", ["fixed(size=10)", "sentence(n=2)", "paragraph()"]),
        ("fixed(unit=[chars,'words'])", ["fixed()", "fixed(unit=words)"]),
        ("recursive(overlap=5%)", ["recursive(overlap=5%)"]),
        ("recursive(regex=[true,false])", ["recursive(regex=true)", "recursive()"]),
        ("recursive(separators=[';','1..9:2','\\n'])", ["recursive(separators=[';','1..9:2','\\n'])"]),
        ("recursive(separators=[plain,['. ','']])", ["recursive()", "recursive(separators=['. ',''])"]),
        ("recursive(separators=[[' '],['']])", ["recursive(separators=[' '])", "recursive(separators=[''])"]),
        ("fixed|label(text='a;b|c')", ["fixed() | label(text='a;b|c')"]),
    ],
)
def test_what_a_grid_stands_for(text, expected):
    assert recipes(text) == expected


def test_several_texts_are_one_grid_and_duplicates_are_counted():
    grid = parse_grid(["fixed(size=[10,20])", "fixed(size=20); fixed(size=[30,30])"])
    assert list(map(str, grid.recipes)) == ["fixed(size=10)", "fixed(size=20)", "fixed(size=30)"]
    assert grid.duplicates == 2 and len(grid) == 3
    assert grid.notices() == ("2 of the grid's recipes came twice and are measured once.",)


def test_combinations_that_a_rule_forbids_are_dropped_with_the_reason():
    grid = parse_grid("recursive(size=[50,100,200],overlap=[0,100]) | [itself(),headings()]")
    assert len(grid) == 8 and len(grid.dropped) == 4
    assert grid.dropped[1].text == "recursive(size=50,overlap=100) | headings()"
    assert grid.dropped[0].reason.startswith("recursive: overlap must be below the size of 50, got 100.")
    first, second = grid.notices()
    assert first.startswith("2 of the grid's combinations were left out: recursive: overlap must be below")
    assert "size of 100" in second


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "grid: must not be empty"),
        (" ;\n; ", "grid: must not be empty"),
        ("fixed(size=[])", "size of fixed must have at least one value"),
        ("[] | itself()", "a list must not be empty"),
        ("fixed(size=[10,0])", "fixed: size must be a whole number from 1 to 100000, got 0."),
        ("fixed(sice=[10,20])", "fixed: sice must be one of its parameters"),
        ("fixt(size=[10,20])", "Did you mean fixed?"),
        ("fixed | [itself(), hedings()]", "among the contexts"),
        ("fixed(size=10,overlap=[10,20])", "at least one valid recipe. fixed: overlap must be below"),
        ("fixed(size=1..99999:1)", "a range must rise to at most 1000 values"),
        ("fixed(size=9..1:1)", "a range must rise"),
        ("fixed(size=1..9:0)", "a range must rise"),
        ("fixed(size=1..999999999999:1)", "a range must rise"),
        ("fixed(size=[1,2],size=3)", "size twice"),
        ("fixed(size=[__import__('os')])", "size must be a number"),
        ("fixed(size=[x for x in y])", "size must be a number"),
        ("fixed(size=[*[1,2]])", "size must be a number"),
        ("fixed([10,20])", "must be named"),
        ("fixed() | itself() | itself() | itself()", "at most 3 parts"),
        ("fixed(size=[10,20]", "cannot be read"),
        ("[[fixed()]]", "must look like name(parameter=value)"),
        (f"fixed(size=1..{MAX_SETTINGS}:1,overlap=[0%,1%])", "at most 1000 settings, got 2000"),
        ("fixed(size=1..900:1) ; sentence(size=1..900:1)", "at most 1000 settings, got 1800"),
        ("x" * (MAX_LENGTH + 1), f"at most {MAX_LENGTH}"),
        ("fixed();" * 3 * MAX_LENGTH, f"at most {10 * MAX_LENGTH}"),
    ],
)
def test_a_text_that_is_no_grid_is_told_in_one_line(text, words):
    with pytest.raises((RecipeError, ParamError)) as caught:
        parse_grid(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 500


@given(st.one_of(st.text(max_size=60), st.text(alphabet="fixed(size=[1,2],o.:%'\"\\;|)\n", max_size=60)))
def test_no_text_does_anything_but_read_or_be_refused(text):
    try:
        assert parse_grid(text).recipes
    except ChunklabError as error:
        assert "\n" not in str(error)


@given(
    st.lists(st.integers(1, 3000), min_size=1, max_size=5),
    st.lists(st.integers(0, 99), min_size=1, max_size=3),
)
def test_every_combination_is_there_or_dropped_or_a_duplicate(sizes, shares):
    inside = f"size=[{','.join(map(str, sizes))}],overlap=[{','.join(f'{each}%' for each in shares)}]"
    grid = parse_grid(f"recursive({inside})")
    assert len(grid) + len(grid.dropped) + grid.duplicates == len(sizes) * len(shares)
    assert all(parse_recipe(str(each)) == each for each in grid.recipes)


@pytest.mark.parametrize("strategy", components("strategies"))
def test_every_strategy_has_a_default_grid(strategy):
    grid = parse_grid(default_grid(f"{strategy}() | label(text='size=1')"))
    params = components("strategies")[strategy].params()
    sized = "size" in params or "max_size" in params
    assert len(grid) == (len(SIZES) if sized else 1) * (len(OVERLAPS) if "overlap" in params else 1)
    assert {each.split.key() for each in grid.recipes} == {strategy}
    assert {str(each.embed_as) for each in grid.recipes} == {"label(text='size=1')"}


def test_the_default_grid_is_that_of_the_sizes_and_a_fifth():
    grid = parse_grid(default_grid())
    assert [each["size"] for each in grid.axes[::2]] == [80, 120, 160, 200, 280, 400, 600]
    assert {each["overlap"] for each in grid.axes} == {0, "20%"}
    assert grid.varied == ("size", "overlap")
    assert default_grid("fixed(size=9,overlap=3,unit=words)").endswith("overlap=[0,20%],unit=words)")


def test_axes_say_which_field_has_which_value():
    at = axes_of("markdown(max_size=900,level=2) | headings()")
    assert at["strategy"] == "markdown" and at["size"] == 900 and at["level"] == 2
    assert at["embed_as"] == "headings()" and at["return_as"] == "itself()" and "max_size" not in at
    grid = parse_grid("recursive(size=[100,200]); fixed(size=100) | itself() | [itself(),parent()]")
    assert grid.varied == ("strategy", "size", "overlap", "return_as")


@pytest.mark.parametrize(
    ("recipe", "name", "curve"),
    [
        ("recursive(size=400,overlap=50)", "recursive 400/50", "recursive, overlap 50"),
        ("fixed(size=256,overlap=20%,unit=tokens)", "fixed 256/20% (unit=tokens)", "fixed, overlap 20% (unit=tokens)"),
        ("sentence(n=2) | headings()", "sentence 500/0 (n=2) | headings()", "sentence, overlap 0 (n=2) | headings()"),
        ("document()", "document", "document"),
    ],
)  # fmt: skip
def test_short_names(recipe, name, curve):
    assert short_name(recipe) == name
    assert curve_name(recipe) == curve
