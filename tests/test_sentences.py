"""Sentences found at a glance are those found the careful way, paragraph by paragraph or all at once."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunklab import quotation, sentences
from chunklab.corpus import load_corpus
from chunklab.scan import Scan
from chunklab.sentences import Paragraphs, sentence_starts, starts_in_paragraph
from chunklab.types import Document
from tests.test_golden import ROOT
from tests.texts import AWKWARD, GENERATED

BITS = st.sampled_from(
    ["word", "a", "Aa. ", "x? ", "。", "日本", " ", "  ", "\t", "\n", "\n\n", "\n \n", " \n", "\x0c", "\u2003", "\u00a0", "# ", "“q.” ",
     "é", "Mr. ", "longer words ", "e\u0301", "\r\n", "cells. The ", "ff. A", "ff.\nB", '"', "“", "”", "„", "(see Fig. 3)", "e.g. this ",
     "U.S. The ", "... ", "Hello. world", "\u2028", "etc. And ", "\x85", "?! ", "»", "«", "Dr. No", "saw. “But", "ff.” He", '."""\n    B', "\ud800"]
)  # fmt: skip
MIXED = st.lists(BITS, max_size=60).map("".join)


def _same(text: str) -> None:
    reading, together = Paragraphs(Scan(text)), Paragraphs(Scan(text))
    wanted = [starts_in_paragraph(text, *each) for each in zip(reading.lows, reading.highs, strict=True)]
    assert [reading.starts(at) for at in range(len(reading))] == wanted, text
    together.read_all()
    assert [together.starts(at) for at in range(len(together))] == wanted, text
    some = Paragraphs(Scan(text))
    for at in range(0, len(some), 2):
        some.starts(at)
    some.read_all()
    assert [*chain(*map(some.starts, range(len(some))))] == [*chain(*wanted)]


@settings(max_examples=600, deadline=None)
@given(MIXED | GENERATED)
def test_generated_texts(text: str) -> None:
    _same(text)


@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_texts(name: str) -> None:
    _same(AWKWARD[name] * 3)


@pytest.mark.parametrize("name", ["markdown", "mixed", "prose", "topics"])
def test_sample_texts(name: str) -> None:
    for document in load_corpus(ROOT / "sample_corpora" / name).documents:
        _same(document.text)


@settings(max_examples=600, deadline=None)
@given(
    st.lists(
        st.sampled_from([*quotation.MARKS, " ", "a", ".", "_", "é", "x" * 599, "y" * 600]), max_size=12
    ).map("".join)
)
def test_quotation_marks_in_pairs_are_no_strays(text: str) -> None:
    if quotation.PAIRED.fullmatch(text):
        assert quotation.strays(text) == []


def test_few_paragraphs_of_ordinary_text_take_the_careful_way(monkeypatch: pytest.MonkeyPatch) -> None:
    careful = []
    real = sentences.starts_in_paragraph
    monkeypatch.setattr(sentences, "starts_in_paragraph", lambda *a: careful.append(a) or real(*a))
    plain = "“It rained,” she said. Mr. Vale paid 3.50 at 9 a.m. for it! He left.\n\n" * 300
    sentence_starts(Document("text", plain + "It is so on pp. 3 ff. Freka saw it.\n\n"))
    assert len(careful) == 1
