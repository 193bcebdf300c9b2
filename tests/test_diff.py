"""diff: which cuts two recipes share, by hand and on generated cuts."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunklab import chunk, diff
from chunklab.chunking import Chunks
from chunklab.cli import main
from chunklab.diff import TOLERANCE
from chunklab.errors import ChunklabError
from chunklab.recipe import parse_recipe
from chunklab.types import Cuts, Document

TEXT = "abcdefghij" * 100
FIXED = parse_recipe("fixed(size=100)")


def cut_at(text: str, *ends: int) -> Chunks:
    """Chunks that tile the text, cut at these places."""
    edges = [0, *ends, len(text)]
    spans = np.array([edges[:-1], edges[1:]], dtype=np.int32).T
    return Chunks(Document("d", text), FIXED, Cuts(spans, np.zeros(len(spans), np.int32), ("size",)))


def test_kept_moved_added_and_gone() -> None:
    found = diff(cut_at(TEXT, 100, 200, 300, 500), cut_at(TEXT, 100, 210, 700, 500 + 51))
    assert found.kept.tolist() == [100]
    assert found.moved.tolist() == [[200, 210]]
    assert found.gone.tolist() == [300, 500]
    assert found.added.tolist() == [700, 551]
    assert found.agreement == pytest.approx(2 / 8)
    for each in (found.kept, found.moved, found.added, found.gone):
        assert each.dtype == np.int32


def test_the_tolerance_is_reached_and_not_passed() -> None:
    one = cut_at(TEXT, 500)
    assert diff(one, cut_at(TEXT, 500 + TOLERANCE)).moved.tolist() == [[500, 500 + TOLERANCE]]
    assert diff(one, cut_at(TEXT, 501 + TOLERANCE)).added.tolist() == [501 + TOLERANCE]
    assert diff(one, cut_at(TEXT, 501), tolerance=0).gone.tolist() == [500]


def test_a_pair_is_each_others_nearest() -> None:
    found = diff(cut_at(TEXT, 100, 110), cut_at(TEXT, 112))
    assert (found.moved.tolist(), found.gone.tolist(), found.added.tolist()) == ([[110, 112]], [100], [])
    # Of two at the same distance the earlier one.
    assert diff(cut_at(TEXT, 100, 120), cut_at(TEXT, 110)).moved.tolist() == [[100, 110]]


def test_cuts_with_only_blanks_between_them_are_the_same() -> None:
    text = "first part   second part"
    found = diff(cut_at(text, 10), cut_at(text, 13))
    assert (found.kept.tolist(), found.agreement) == ([13], 1.0)
    assert len(found.moved) == len(found.added) == len(found.gone) == 0


def test_no_cuts_at_all() -> None:
    assert diff(cut_at(TEXT), cut_at(TEXT)).agreement == 1.0
    found = diff(cut_at(TEXT), cut_at(TEXT, 10, 20))
    assert (found.agreement, found.added.tolist(), found.moved.shape) == (0.0, [10, 20], (0, 2))
    empty = chunk(Document("d", ""), "fixed()")
    assert diff(empty, empty).agreement == 1.0


def test_another_document_is_refused() -> None:
    with pytest.raises(ChunklabError, match="of one document, got a and b"):
        diff(chunk(Document("a", "one"), "fixed()"), chunk(Document("b", "two"), "fixed()"))


PLACES = st.lists(st.integers(1, len(TEXT) - 1), max_size=30, unique=True).map(sorted)


@given(PLACES, PLACES)
def test_every_cut_is_told_once_and_both_ways_agree(one: list[int], other: list[int]) -> None:
    there, back = (
        diff(cut_at(TEXT, *one), cut_at(TEXT, *other)),
        diff(cut_at(TEXT, *other), cut_at(TEXT, *one)),
    )
    assert sorted([*there.kept, *there.moved[:, 0], *there.gone]) == one
    assert sorted([*there.kept, *there.moved[:, 1], *there.added]) == other
    assert set(there.kept.tolist()) == set(one) & set(other)
    assert there.agreement == back.agreement and (there.agreement == 1) == (one == other)
    assert (np.abs(there.moved[:, 0] - there.moved[:, 1]) <= TOLERANCE).all()
    assert (np.diff(there.moved, axis=0) > 0).all(), "moved cuts do not cross"


def test_the_command(tmp_path, capfd) -> None:
    file = tmp_path / "text.md"
    file.write_text("# One\n\nAlpha beta gamma.\n\n# Two\n\nDelta.\n\n# Three\n\nEpsilon zeta.\n")
    arguments = ["diff", str(file), "-r", "markdown()", "-r", "fixed(size=30)"]
    assert main([*arguments, "--json"]) == 0
    result = json.loads(capfd.readouterr().out)
    text = file.read_text()
    assert result["recipes"] == ["markdown()", "fixed(size=30)"] and result["chunks"] == [3, 3]
    assert [each["at"] for each in result["cuts"]] == sorted(each["at"] for each in result["cuts"])
    assert len(result["cuts"]) == sum(result[each] for each in ("kept", "moved", "added", "gone")) == 3
    for each in result["cuts"]:
        assert text[: each["at"]].endswith(each["before"]) and text[each["at"] :].startswith(each["after"])
    assert main(arguments) == 0
    out = capfd.readouterr().out
    assert "0 kept, 1 moved, 1 added, 1 gone" in out and "agreement (F1 of the cuts) 0.00" in out
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize("recipes", [["fixed()"], ["fixed()", "sentence()", "markdown()"]])
def test_two_recipes_are_needed(recipes: list[str], capfd) -> None:
    assert main(["diff", "x.md", *(part for each in recipes for part in ("-r", each))]) == 2
    assert "-r must be given twice" in capfd.readouterr().err
