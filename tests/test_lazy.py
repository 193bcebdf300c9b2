"""A text is cut the same whether it is looked at only where a cut may fall or scanned as a whole."""

from __future__ import annotations

from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunklab import lazy, packing
from chunklab.chunking import Chunks, chunk
from chunklab.corpus import load_corpus
from chunklab.lazy import cuts_by_search
from chunklab.plain import pack
from chunklab.scan import scan
from chunklab.sentences import paragraphs
from chunklab.strategies import recursive
from chunklab.types import Document
from tests.test_golden import ROOT
from tests.texts import AWKWARD, GENERATED

SEPARATORS = (
    "plain", "python", "notebook", ("\n\n", "\n", " ", ""), ("\n\n", ". "), ("<sentence>",), (" ",), ("。", ""),
    (".", "\n", "# ", "<sentence>"), ("\n\t", " \n", "\t", "aa"), ("\n# ", "x"), ("\n\n\n", "\x0c"),
)  # fmt: skip
SIZES = (1, 2, 5, 9, 20, 41, 60, 150, 300)
OVERLAPS = (0, "10%", "25%", "60%", "95%")
BITS = st.sampled_from(
    ["word", "a", "Aa. ", "x? ", "。", "日本", " ", "  ", "\t", "\n", "\n\n", "\n\n\n", "\n \n", " \n", "\n\t", "\x0c", "\u2003",
     "\u00a0", "# ", "“q.” ", "\ndef f", "\nclass A", "é", "Mr. ", "longer words ", "e\u0301", "\r\n"]
)  # fmt: skip
MIXED = st.lists(BITS, max_size=80).map("".join)


def _recipe(size: int, overlap: int | str, separators: str | tuple[str, ...], keep: str) -> str:
    listed = repr(list(separators)) if isinstance(separators, tuple) else separators
    return f"recursive(size={size},overlap={overlap},separators={listed},keep={keep})"


def _general(text: str, recipe: str) -> Chunks:
    """The cuts by the general way alone: scanned, a step at a time, by `Filling`."""
    never = type("Never", (), {})
    with (
        mock.patch.object(packing, "Chars", never),
        mock.patch.object(recursive, "cuts_by_search", lambda *_: None),
    ):
        return chunk(Document("text", text, "text/markdown"), recipe)


def _same(text: str, recipe: str) -> None:
    """The general way and the searching one agree, and so do runs without searches, each again with tables."""
    wanted, document = _general(text, recipe), Document("text", text, "text/markdown")
    for _ in range(2):
        _equal(chunk(document, recipe), wanted, text)
    with mock.patch.object(recursive, "cuts_by_search", lambda *_: None):
        for _ in range(2):
            _equal(chunk(document, recipe), wanted, text)


def _equal(found: Chunks, wanted: Chunks, text: str) -> None:
    assert found.spans.tolist() == wanted.spans.tolist(), (found.recipe, text)
    assert found.reasons.tolist() == wanted.reasons.tolist() and found.reason_names == wanted.reason_names
    assert found.notices == wanted.notices


RECIPES = st.builds(
    _recipe, st.sampled_from(SIZES), st.sampled_from(OVERLAPS), st.sampled_from(SEPARATORS), st.sampled_from(("end", "start"))
)  # fmt: skip


OTHERS = st.builds(
    str.format,
    st.sampled_from(("sentence(size={0},overlap={1})", "paragraph(max_size={0})", "markdown(max_size={0},overlap={1})")),
    st.sampled_from(SIZES), st.sampled_from(OVERLAPS),
)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(text=MIXED | GENERATED, recipe=RECIPES | OTHERS)
def test_generated_texts(text: str, recipe: str) -> None:
    _same(text, recipe)


@pytest.mark.parametrize("separators", SEPARATORS, ids=repr)
def test_awkward_texts(separators: str | tuple[str, ...]) -> None:
    for text in AWKWARD.values():
        for size, overlap in ((1, 0), (7, "90%"), (40, 0), (40, "20%"), (300, "20%")):
            _same(text, _recipe(size, overlap, separators, "end"))


@pytest.mark.parametrize("name", ["markdown", "mixed", "prose"])
def test_sample_texts(name: str) -> None:
    for document in load_corpus(ROOT / "sample_corpora" / name).documents:
        for size, overlap in ((60, 0), (200, "20%"), (800, 0), (800, "20%")):
            for separators in ("plain", "python", ("\n\n", "\n", " ", "")):
                _same(document.text, _recipe(size, overlap, separators, "end"))


def test_a_run_looks_at_little_of_an_ordinary_text() -> None:
    """No pass over the whole text but for its line ends; sentences are read where a paragraph has to be cut."""
    long = "A sentence of some words. " * 20
    document = Document("text", ("A short paragraph.\n\n" * 50 + long + "\n\n") * 4)
    chunk(document, "recursive(size=300,overlap=0)")
    passes = {"codes", "blank", "words", "visible_before", "visible_end", "next_visible", "joined"}
    assert not passes & vars(scan(document)).keys()
    assert 0 < len(paragraphs(document).read) <= 4 < len(paragraphs(document))


@pytest.mark.parametrize("overlap", [0, 30])
def test_a_slider_step_searches_nothing(overlap: int) -> None:
    """After the first run every cut but the last is looked up: no step looks for a boundary in the text."""
    sentence = "Some words of a sentence that goes on. And {} more in here. Few. "
    text = "".join(sentence.format(at) * (1 + at % 4) + "\n" * (1 + at % 3) for at in range(300))
    document = Document("text", text)
    for size in (100, 110):
        chunk(document, f"recursive(size={size},overlap={overlap})")
    assert document.known("sentence level") is not None
    wanted = chunk(Document("text", text), f"recursive(size=120,overlap={overlap})").spans.tolist()

    def never(*_: int) -> int:
        raise AssertionError("a boundary was searched for")

    def blind(text, low, high, searches, *rest):
        return pack(text, low, high, [("", 0, 0, 0, never, code) for *_, code in searches], *rest)

    with mock.patch.object(lazy, "pack", blind):
        assert chunk(document, f"recursive(size=120,overlap={overlap})").spans.tolist() == wanted
        with pytest.raises(AssertionError, match="searched for"):
            chunk(Document("text", text), f"recursive(size=120,overlap={overlap})")


def test_sentences_are_split_once() -> None:
    document = Document("text", "One sentence here. And another one there.\n\n" * 30)
    for size in (30, 31, 32, 33):
        chunk(document, f"recursive(size={size},overlap=0)")
    read = paragraphs(document).read
    assert len(read) == 30 and all(read[at] is paragraphs(document).starts(at) for at in read)
    assert document.known("sentence level") is not None


@pytest.mark.parametrize("separators", [("<heading>", ""), ("aa", "")])
def test_what_cannot_be_looked_for_backwards_is_scanned(separators: tuple[str, ...]) -> None:
    assert cuts_by_search(Document("text", "aaa aaaa aa"), 4, 0, separators, "end") is None


def test_a_cluster_at_a_cut_takes_a_scan() -> None:
    assert cuts_by_search(Document("text", "e\u0301" * 40), 5, 0, ("",), "end") is None
    assert cuts_by_search(Document("text", "e\u0301 x " * 40), 5, 0, (" ",), "end") is not None
