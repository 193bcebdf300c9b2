"""find_quote: exact places, tolerant places, whole words, and time on texts made to be slow."""

from __future__ import annotations

import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from chunklab.anchor import find_quote
from chunklab.types import Span

NFC, NFD = "caf\u00e9", "cafe\u0301"


def places(text: str, quote: str, **options: bool) -> list[tuple[int, int]]:
    return [(each.start, each.end) for each in find_quote(text, quote, **options)]


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("one two one", "one", [(0, 3), (8, 11)]),
        ("aaaa", "aa", [(0, 2), (1, 3), (2, 4)]),
        ("abaababaab", "aba", [(0, 3), (3, 6), (5, 8)]),
        ("one two", "three", []),
        ("", "one", []),
        ("one", "", []),
        ("one two", " ", []),
        ("one", "one and more", []),
    ],
)
def test_exact_places_in_order(text: str, quote: str, found: list[tuple[int, int]]) -> None:
    assert places(text, quote) == found


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        (
            "Net profit\n   rose 4 % in\u00a0May. The net profit fell later.",
            "profit rose 4 % in May.",
            [(4, 30)],
        ),
        ("a b", "a\r\n\u2003b", [(0, 3)]),
        ("a\r\nb", "a b", [(0, 4)]),
        ("x one two", "\n  one   two\t", [(2, 9)]),
        ("ab", "a b", []),
        ("a b", "ab", []),
        ("a\u2028b a  b", "a b", [(0, 3), (4, 8)]),
    ],
)
def test_runs_of_blanks_count_as_one(text: str, quote: str, found: list[tuple[int, int]]) -> None:
    assert places(text, quote) == found


def test_exact_places_exclude_tolerant_ones() -> None:
    assert places("a  b and a b", "a b") == [(9, 12)]


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        (f"Cafe\u0301 opens. The {NFD} closes late.", f"{NFC} closes", [(17, 29)]),
        (f"the {NFC}s", f"{NFD}s", [(4, 9)]),
        ("q\u0323\u0307 q\u0307\u0323", "q\u0307\u0323", [(4, 7)]),
        ("q\u0323\u0307", "q\u0307\u0323", [(0, 3)]),
        ("\ud55c\uad6d", unicodedata.normalize("NFD", "\ud55c\uad6d"), [(0, 2)]),
        ("\u212b", "\u00c5", [(0, 1)]),
        (f"{NFD}\n \u1e69", f"{NFC} s\u0307\u0323", [(0, 8)]),
        ("\ufb01ne", "fine", []),
        ("SS", "\u00df", []),
    ],
)
def test_composition_is_canonical_and_offsets_are_original(
    text: str, quote: str, found: list[tuple[int, int]]
) -> None:
    assert places(text, quote) == found


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (NFD, "cafe"),
        (NFC, "cafe"),
        ("  \u0300", "\u0300"),
        ("\uac01", "\u1100\u1161"),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468"),
        ("\U0001f1e9\U0001f1ea", "\U0001f1e9"),
    ],
)
def test_grapheme_clusters_stay_whole(text: str, quote: str) -> None:
    assert places(text, quote) == []


@pytest.mark.parametrize("quote", ["arch", "82", "south", "482", "5"])
def test_whole_words_are_not_found_inside_longer_ones(quote: str) -> None:
    assert places("In spring 48215 ants march there.", quote, whole_words=True) == []


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("march arch", "arch", [(6, 10)]),
        ("arch_a arch-a", "arch", [(7, 11)]),
        ("4 %off", "4 %", [(0, 3)]),
        (f"{NFD}s {NFD}.", NFC, [(7, 12)]),
        ("p\u00e9p  e\u0301p", "\u00e9p", [(5, 8)]),
        ("\u65e5\u672c\u6771\u4eac\u90fd", "\u6771\u4eac", [(2, 4)]),
        ("march\narch bow, an arch  bow", "arch bow", [(6, 14)]),
        ("marcharch  bow", "arch bow", []),
    ],
)
def test_whole_words(text: str, quote: str, found: list[tuple[int, int]]) -> None:
    assert places(text, quote, whole_words=True) == found


def test_whole_words_fall_back_to_tolerant_places() -> None:
    assert places("xa b, a  b", "a b", whole_words=True) == [(6, 10)]


def test_lone_surrogates_and_controls_are_plain_characters() -> None:
    assert places("a\ud800  b\x00", "\ud800 b\x00") == [(1, 6)]


LETTERS = st.text(alphabet="ab \n\u00a0\r\u00e9e\u0301\u0323s\u1e69\uac00\u1100\u1161", max_size=24)


def canonical(text: str) -> str:
    blanks = "".join(" " if letter.isspace() else letter for letter in text)
    while "  " in blanks:
        blanks = blanks.replace("  ", " ")
    return unicodedata.normalize("NFD", blanks)


def by_trying_all(text: str, quote: str) -> list[tuple[int, int]]:
    """Every pair of cluster boundaries, compared on canonical forms; visible at both ends."""
    if not quote.strip():
        return []
    cuts = [0] + [match.end() for match in regex.finditer(r"\X", text)]
    pairs = [(start, end) for start in cuts for end in cuts if start < end]
    exact = [(start, end) for start, end in pairs if text[start:end] == quote]
    wanted = canonical(quote.strip())
    return exact or [
        (start, end)
        for start, end in pairs
        if canonical(text[start:end]) == wanted
        and not text[start:end][0].isspace()
        and not text[start:end][-1].isspace()
    ]


@given(LETTERS, LETTERS.filter(str.strip).map(lambda text: text[:5]))
def test_against_trying_every_place(text: str, quote: str) -> None:
    assert places(text, quote) == by_trying_all(text, quote)


@given(LETTERS, st.integers(0, 23), st.integers(1, 24), st.sampled_from(["NFC", "NFD"]))
def test_a_slice_in_another_form_is_found_where_it_was(text: str, start: int, size: int, form: str) -> None:
    cuts = [0] + [match.end() for match in regex.finditer(r"\X", text)]
    low = max(each for each in cuts if each <= start)
    high = min([each for each in cuts if each >= low + size] or [len(text)])
    piece = text[low:high]
    if not piece.strip() or piece[0].isspace() or piece[-1].isspace():
        return
    quote = unicodedata.normalize(form, piece)
    found = find_quote(text, quote)
    assert found
    if quote == piece or quote not in text:
        assert Span(low, high) in found


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("a" * 400_000, "a" * 200_000),
        ("a" * 400_000, "a" * 200_000 + "b"),
        ("ab" * 200_000, "ab" * 100_000 + "c"),
        (" " * 400_000 + "x", "y" + " " * 200_000 + "x"),
        ("e\u0301" * 200_000, "\u00e9" * 100_000),
        ("e" + "\u0301\u0323" * 200_000, "\u00e9\u0323"),
        (("a" * 999 + "b") * 400, "a" * 999 + "c"),
    ],
    ids=["run", "run-miss", "periodic-miss", "blanks", "composed", "marks", "near-misses"],
)
def test_hostile_texts_are_searched(text: str, quote: str) -> None:
    found = find_quote(text, quote, whole_words=True)
    assert all(each.end <= len(text) for each in found)
