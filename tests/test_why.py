"""Why a cut is where it is."""

from __future__ import annotations

import pytest

from chunklab.chunking import chunk
from chunklab.intake import from_text
from chunklab.why import why

TEXT = "One two three. Four five six.\nSeven eight nine ten.\n\nEleven twelve thirteen. Fourteen."


def chunks(recipe: str, text: str = TEXT):
    return chunk(from_text(text), recipe)


def test_the_rule_and_the_lengths_on_both_sides() -> None:
    found = why(chunks("recursive(size=40,overlap=0)"), 0)
    assert (found.cut.at, found.cut.kind) == (30, "line")
    assert (found.cut.left, found.cut.right, found.cut.over) == (30, 23, 0)


def test_what_is_stronger_is_told_with_how_far_it_is_beyond_the_size() -> None:
    found = why(chunks("recursive(size=40,overlap=0)"), 0)
    assert found.stronger is not None
    assert (found.stronger.kind, found.stronger.at) == ("blank line", TEXT.index("Eleven"))
    # The blanks before it need not fit: the visible text ends at 51.
    assert found.stronger.over == TEXT.index("\n\n") - 40
    assert "would have been stronger" in found.sentence


def test_the_next_best_is_the_strongest_other_boundary_within_reach() -> None:
    found = why(chunks("recursive(size=40,overlap=0)"), 0)
    assert (found.next_best.kind, found.next_best.at) == ("sentence", TEXT.index("Four five"))
    words = why(chunks("recursive(size=13,overlap=0,separators=[' ',''])"), 0)
    assert words.next_best is not None and words.next_best.kind == "word"
    assert words.next_best.at < words.cut.at


def test_only_boundaries_that_the_recipe_looks_for_are_called_stronger() -> None:
    text = "Intro words here.\n\n# Title\n\nBody text of the section follows here."
    plain = why(chunks("recursive(size=20,overlap=0)", text), 0)
    assert plain.cut.kind == "blank line" and plain.stronger is None


def test_lengths_are_in_the_unit_of_the_recipe() -> None:
    found = why(chunks("recursive(size=7,unit=words,overlap=0)"), 0)
    assert (found.unit, found.cut.left) == ("words", 6)


def test_the_last_chunk_ends_with_the_document_and_there_is_none_after_it() -> None:
    every = chunks("recursive(size=40,overlap=0)")
    found = why(every, len(every) - 1)
    assert found.sentence == "The document ends here." and found.next_best is None
    with pytest.raises(IndexError):
        why(every, len(every))


@pytest.mark.parametrize(
    "recipe", ["fixed(size=9)", "sentence(size=30)", "markdown(max_size=30)", "semantic()"]
)
def test_every_cut_of_any_strategy_has_an_answer(recipe: str) -> None:
    every = chunks(recipe)
    for index in range(len(every)):
        found = why(every, index)
        assert found.cut.kind == every[index].cut and found.sentence
        if found.next_best:
            assert every[index].span.start < found.next_best.at and found.next_best.at != found.cut.at
