"""The span contract, for every strategy that the folder holds, over awkward and generated texts."""

from __future__ import annotations

import itertools
from dataclasses import fields

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from chunklab.chunking import asked_overlap, chunk, size_of
from chunklab.discovery import components
from chunklab.errors import ParamError
from chunklab.params import overlap_of
from chunklab.recipe import parse_recipe
from chunklab.tokens import tokenizer
from chunklab.types import Document
from tests.texts import AWKWARD, GENERATED

SIZES = (1, 7, 40, 300)
OVERLAPS = (0, "20%", "90%")


def _grid(kind: type) -> list[str]:
    """Recipes over the values that each parameter declares: sizes, overlaps, units and every choice."""
    axes: list[list[tuple[str, object]]] = []
    for each in fields(kind):
        spec = each.metadata["param"]
        if each.name in ("size", "max_size"):
            axes.append([(each.name, value) for value in SIZES])
        elif spec.kind == "overlap":
            axes.append([(each.name, value) for value in OVERLAPS])
        elif each.name == "separators":
            presets = ("plain", "markdown", "python", "notebook", ("\n\n", ". ", ""), (",", "\n# ", "\\d"))
            axes.append([(each.name, value) for value in presets if _valid(kind, {each.name: value})])
        elif each.name == "embedder":
            axes.append([(each.name, "hashing")])  # models are tested in test_models
        elif each.name == "tokenizer":
            axes.append([(each.name, "cl100k"), (each.name, "minilm")])
        elif spec.choices:
            axes.append([(each.name, value) for value in spec.choices])
        elif spec.kind == "bool":
            axes.append([(each.name, False), (each.name, True)])
        else:
            axes.append([(each.name, each.default), (each.name, int(spec.low) or 2)])
    first = [axis[0] for axis in axes]
    recipes = {str(kind(**dict(values))) for values in itertools.product(*(axis for axis in axes if axis[0][0] in
               ("size", "max_size", "overlap", "unit")))}  # fmt: skip
    small = {"size": 40} if "size" in dict(first) else {"max_size": 40}
    counts = {
        name: 3 for name, (default, spec) in kind.params().items() if spec.kind == "int" and default == 0
    }
    for axis in axes:
        for value in axis:
            changed = {**dict(first), **small, value[0]: value[1]}
            recipes.update(
                _valid(kind, changed) or _valid(kind, {**counts, **changed, **counts, value[0]: value[1]})
            )
    return sorted(recipes)


def _valid(kind: type, values: dict[str, object]) -> set[str]:
    try:
        return {str(kind(**values))}
    except ParamError:
        return set()


STRATEGIES = components("strategies")
RECIPES = [recipe for kind in STRATEGIES.values() for recipe in _grid(kind)]


def _length(text: str, unit: str, name: str) -> int:
    if unit == "chars":
        return len(text)
    return len(text.split()) if unit == "words" else tokenizer(name).count(text)


def check_contract(text: str, recipe_text: str, media_type: str = "text/markdown") -> None:
    """Every rule of the contract, by brute force on the chunks' own texts."""
    document = Document("text", text, media_type)
    recipe = parse_recipe(recipe_text)
    chunks = chunk(document, recipe)
    clusters = {0, len(text)} | {found.start() for found in regex.finditer(r"\X", text)}
    held = bytearray(len(text))
    size, before = size_of(recipe), None
    for each in chunks:
        low, high = each.span.start, each.span.end
        assert 0 <= low < high <= len(text)
        assert each.text == text[low:high] and each.text.strip()
        assert low in clusters and high in clusters, "a grapheme cluster is cut"
        length = _length(each.text, recipe.split.unit, recipe.split.tokenizer)
        assert not size or length <= size or len(regex.findall(r"\X", each.text.strip())) == 1, (
            length,
            size,
            each.text,
        )
        assert each.cut and each.returned.start <= low and each.returned.end >= high
        if before is not None:
            assert low > before[0] and high > before[1], "starts rise, and no chunk lies in the one before"
            shared = "" if getattr(recipe.split, "repeat", 0) else text[low : before[1]]
            assert (
                _length(shared, recipe.split.unit, recipe.split.tokenizer) <= max(asked_overlap(recipe), 0)
                or not shared
            )
        before = (low, high)
        held[low:high] = b"\1" * (high - low)
    lost = [at for at, seen in enumerate(held) if not seen and not text[at].isspace()]
    assert not lost, f"characters in no chunk: {lost[:5]}"
    again = chunk(Document("text", text, media_type), parse_recipe(str(recipe)))
    assert again.spans.tolist() == chunks.spans.tolist()


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_keeps_the_contract_on_awkward_texts(recipe: str) -> None:
    for name, text in AWKWARD.items():
        try:
            check_contract(text, recipe)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error


@pytest.mark.parametrize("key", STRATEGIES)
@settings(max_examples=120, deadline=None)
@given(text=GENERATED, data=st.data())
def test_every_strategy_keeps_the_contract_on_generated_texts(
    key: str, text: str, data: st.DataObject
) -> None:
    recipe = data.draw(st.sampled_from(_grid(STRATEGIES[key])))
    check_contract(text, recipe)


@pytest.mark.parametrize("recipe", ["fixed(size={},overlap={})", "recursive(size={},overlap={})"])
@pytest.mark.parametrize("size", [100, 300, 800])
@pytest.mark.parametrize("overlap", [0, 40, "20%"])
def test_overlap_is_what_was_asked_on_ordinary_prose(recipe: str, size: int, overlap: int | str) -> None:
    """Every joint has the overlap asked for, less at most one word."""
    text = "The quick brown fox jumps over the lazy dog again. " * 60
    chunks = chunk(Document("text", text), recipe.format(size, overlap))
    asked = overlap_of(overlap, size)
    assert len(chunks) > 3
    assert (chunks.overlaps >= asked - 8 * (asked > 0)).all() and (chunks.overlaps <= asked).all()


@pytest.mark.parametrize("key", STRATEGIES)
def test_every_parameter_refuses_what_its_declaration_excludes(key: str) -> None:
    kind = STRATEGIES[key]
    for name, (_, spec) in kind.params().items():
        wrong = [None, object(), float("nan")]
        wrong += [spec.low - 1, spec.high + 1] if spec.low is not None else []
        wrong += ["no such choice"] if spec.choices else []
        wrong += ["100%", "-5%", "x%"] if spec.kind == "overlap" else []
        for value in wrong:
            with pytest.raises(ParamError) as caught:
                kind(**{name: value})
            assert str(caught.value).startswith(f"{key}: {name} must be ")
            assert "\n" not in str(caught.value)
