"""The chunks of `langchain` are those of LangChain itself, at the places where they stand in the text.

`python -m tests.test_langchain` writes tests/data/langchain.json anew, in an environment with
langchain-text-splitters 1.1.3: what LangChain made of the awkward and the sample texts.
"""

from __future__ import annotations

import hashlib
import json
import re
from importlib import import_module
from importlib.metadata import version
from itertools import product, takewhile
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import regex
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from chunklab.chunking import chunk
from chunklab.corpus import load_corpus
from chunklab.errors import ParamError
from chunklab.recipe import parse_recipe
from chunklab.scan import scan
from chunklab.strategies import langchain
from chunklab.strategies.langchain import LangChain
from chunklab.types import Document
from pages.ui.state import switched
from tests.case_app import App
from tests.test_contract import check_contract
from tests.test_golden import ROOT
from tests.texts import AWKWARD, GENERATED

VERSION = "1.1.3"
STORED = Path(__file__).parent / "data" / "langchain.json"
DEFAULT = ("\n\n", "\n", " ", "")
SEPARATORS = (
    DEFAULT, ("",), (" ",), ("\n",), ("\n\n",), (" ", "\n"), ("\n\n\n", "\n\n", ""), ("\n\n", ". ", "。", " ", ""),
    ("\n# ", "\n\n", ". ", ""), ("aba", "aa", "--", ""), ("a", "b", "", "x"), ("\r\n\r\n", "\r\n", " "), ("  ", "\u3000"),
    ("\nclass ", "\ndef ", "\n\tdef ", "\n\n", "\n", " ", ""), ("\n \n", "\t", ".", "word"),
)  # fmt: skip
BLANK = tuple(each for each in SEPARATORS if not "".join(each).strip())
SIZES = (1, 2, 3, 5, 9, 20, 41, 60, 150, 300)
SHARES = (0, 1, 10, 25, 50, 90, 99)
BITS = st.sampled_from(
    ["word", "a", "b", "aba", "aa", "aaa", "--", "---", "Aa. ", "x? ", "。", "日本", " ", "  ", "\t", "\n", "\n\n", "\n\n\n",
     "\n \n", " \n", "\r\n", "\r\n\r\n", "\r", "\x0c", "\x1f", "\u2003", "\u2028", "\u00a0", "\u3000", "\n# ", "\ndef f",
     "\nclass A", "é", "\ufeff", "\u200b", "\ud800", "longer words ", "a" * 40, " " * 30, "\n" * 25]
)  # fmt: skip
CLUSTERS = st.sampled_from(
    ["e\u0301", "👩‍👩‍👧‍👦", "🇯🇵", "🇰🇷", "\u1112\u1161\u11ab", "\u0e19\u0e33", "न\u093f", "a" + "\u0301" * 12]
)
MIXED = st.lists(BITS, max_size=70).map("".join)
CLUSTERED = st.lists(BITS | CLUSTERS, max_size=40).map("".join)
Spans = list[tuple[int, int]]


@st.composite
def _settings(
    draw: st.DrawFn, separators: tuple[tuple[str, ...], ...] = SEPARATORS, keeps: str = "start end"
) -> LangChain:
    size = draw(st.sampled_from(SIZES))
    overlap = min(size - 1, size * draw(st.sampled_from(SHARES)) // 100)
    return LangChain(size, overlap, draw(st.sampled_from(separators)), draw(st.sampled_from(keeps.split())))


def _ours(text: str, split: LangChain) -> Spans:
    return [tuple(each) for each in chunk(Document("text", text), str(split)).spans.tolist()]


@pytest.fixture(scope="module")
def peer() -> ModuleType:
    """LangChain's splitters in the version that is promised."""
    module = pytest.importorskip("langchain_text_splitters")
    if version("langchain-text-splitters") != VERSION:
        pytest.skip(f"langchain-text-splitters is not {VERSION}")
    return module


# LangChain itself. Its list of separators gets the "" that ours always ends with.


def _splitter(split: LangChain, separators: tuple[str, ...], **more: object) -> object:
    module = import_module("langchain_text_splitters")
    keep = {"start": True, "end": "end", "no": False}[split.keep]
    return module.RecursiveCharacterTextSplitter(
        [*separators, ""], keep, chunk_size=split.size, chunk_overlap=split.overlap, **more
    )


def _theirs(text: str, split: LangChain) -> Spans:
    """Where LangChain's chunks stand, those of blanks left out.

    It is run on the text with each visible character replaced by one that occurs once and names its place,
    with separators that match these; and on the text itself, which has to give the same.
    """
    room = 1 << 15
    assert len(text) <= room
    alphabet = sorted({each for each in "".join(split.separators) if not each.isspace()})
    block = {each: 0x20000 + room * at for at, each in enumerate(alphabet, 1)}
    placed = "".join(
        each if each.isspace() else chr(block.get(each, 0x20000) + at) for at, each in enumerate(text)
    )
    patterns = tuple(
        "".join(
            f"[{chr(block[each])}-{chr(block[each] + room - 1)}]" if each in block else re.escape(each)
            for each in separator
        )
        for separator in split.separators
    )
    if alphabet:
        found = _splitter(split, patterns, is_separator_regex=True).split_text(placed)
    else:
        found = _splitter(split, split.separators).split_text(placed)
    spans, texts = [], []
    for each in found:
        lead = len(each) - len(each.lstrip())
        start = (ord(each[lead]) - 0x20000) % room - lead if each.strip() else None
        texts.append(each if start is None else text[start : start + len(each)])
        if start is not None:
            spans.append((start, start + len(each)))
    assert texts == _splitter(split, split.separators).split_text(text)
    return spans


def _without_nested(spans: Spans) -> Spans:
    kept: Spans = []
    for start, end in spans:
        if kept and end <= kept[-1][1]:
            assert start >= kept[-1][0]
            continue
        if kept and kept[-1][0] == start:
            kept.pop()
        kept.append((start, end))
    return kept


def _may_stand(text: str, spans: Spans) -> bool:
    """Whether no grapheme cluster is cut."""
    clusters = {0, len(text)} | {found.start() for found in regex.finditer(r"\X", text)}
    return all(start in clusters and end in clusters for start, end in spans)


@pytest.mark.usefixtures("peer")
@settings(max_examples=600, deadline=None)
@given(text=MIXED | GENERATED | CLUSTERED, split=_settings() | _settings(separators=(DEFAULT,)))
@example(text="\n" * 7 + "a" + "\n" * 4, split=LangChain(3, 2, ("\n\n",)))
@example(text="a\n\n\nb\n\n\n\nc", split=LangChain(4, 2, ("\n\n",), "end"))
@example(text="  a bbbb", split=LangChain(5, 2, (" ",)))
def test_every_chunk_is_langchains(text: str, split: LangChain) -> None:
    wanted = _without_nested(_theirs(text, split))
    if _may_stand(text, wanted):
        assert _ours(text, split) == wanted
    else:
        check_contract(text, str(split))


@pytest.mark.usefixtures("peer")
@settings(max_examples=300, deadline=None)
@given(text=CLUSTERED, split=_settings())
def test_where_it_cuts_clusters_each_counts_as_one_character(text: str, split: LangChain) -> None:
    """LangChain is run on one character a cluster, as long as the cluster: the way without searches gives the same."""
    clusters = regex.findall(r"\r|\X", text)
    assume(not any(len(each) > 1 and re.search(r"\s", each) for each in clusters))
    assume(not any(len(each) > 1 and set(each) & set("".join(split.separators)) for each in clusters))
    letters = "".join(each if len(each) == 1 else chr(0xF0000 + at) for at, each in enumerate(clusters))
    length = {letter: len(each) for letter, each in zip(letters, clusters, strict=True)}
    meant = dict(zip(letters, clusters, strict=True))
    measured = _splitter(split, split.separators, length_function=lambda part: sum(map(length.get, part)))
    wanted = ["".join(map(meant.get, each)) for each in measured.split_text(letters) if each.strip()]
    separators = tuple(takewhile(bool, split.separators))
    known = scan(Document("text", text))
    pieced = langchain._pieced(known, separators, split.size, split.overlap, split.keep)
    found = [text[low:high].strip() for low, high in zip(pieced[::3], pieced[1::3], strict=True)]
    assert [each for each in found if each] == wanted


@pytest.mark.usefixtures("peer")
@settings(max_examples=200, deadline=None)
@given(st.data(), _settings(separators=BLANK, keeps="no"))
def test_without_separators_too_where_no_two_of_them_meet(data: st.DataObject, split: LangChain) -> None:
    words = data.draw(
        st.lists(st.sampled_from(["a", "word", "é", "longer", "x" * 30]), min_size=1, max_size=40)
    )
    between = st.sampled_from([each for each in split.separators if each] or [" "])
    text = words[0] + "".join(data.draw(between) + each for each in words[1:])
    assert _ours(text, split) == _without_nested(_theirs(text, split))


@settings(max_examples=150, deadline=None)
@given(text=CLUSTERED, split=_settings(separators=BLANK, keeps="no"))
def test_without_separators_the_contract_holds(text: str, split: LangChain) -> None:
    check_contract(text, str(split))


# Results of LangChain that were kept, for machines without it


def _texts() -> dict[str, str]:
    samples = {
        document.id: document.text
        for name in ("markdown", "mixed", "prose")
        for document in load_corpus(ROOT / "sample_corpora" / name).documents
    }
    return AWKWARD | samples


KEPT = [
    LangChain(size, overlap, separators, keep)
    for (size, overlap), (separators, keep) in product(
        ((7, 0), (40, 8), (200, 40), (200, 150), (1000, 200)),
        ((DEFAULT, "start"), (DEFAULT, "end"), (SEPARATORS[7], "start"), (SEPARATORS[7], "end"), (SEPARATORS[9], "start")),
    )
]  # fmt: skip


def _digest(spans: Spans) -> str:
    return hashlib.sha256(json.dumps(spans).encode()).hexdigest()[:16]


@pytest.mark.parametrize("split", KEPT, ids=str)
def test_chunks_are_those_that_langchain_made(split: LangChain) -> None:
    stored = json.loads(STORED.read_text("utf-8"))
    assert stored["langchain-text-splitters"] == VERSION
    texts, wanted = _texts(), stored["chunks"][str(split)]
    assert len(wanted) > len(texts) * 2 // 3
    found = {name: _ours(texts[name], split) for name in wanted}
    assert {name: [len(spans), _digest(spans)] for name, spans in found.items()} == wanted


def _write() -> None:
    if version("langchain-text-splitters") != VERSION:
        raise SystemExit(f"langchain-text-splitters {VERSION} is needed")
    chunks: dict[str, dict[str, list]] = {}
    for split in KEPT:
        found = {name: _without_nested(_theirs(text, split)) for name, text in _texts().items()}
        chunks[str(split)] = {
            name: [len(spans), _digest(spans)]
            for name, spans in found.items()
            if _may_stand(_texts()[name], spans)
        }
    lines = [f"{json.dumps(recipe)}: {json.dumps(each)}" for recipe, each in chunks.items()]
    STORED.write_text(
        f'{{"langchain-text-splitters": "{VERSION}", "chunks": {{\n' + ",\n".join(lines) + "\n}}\n", "utf-8"
    )


# Two ways, one result


@settings(max_examples=500, deadline=None)
@given(text=MIXED | GENERATED, split=_settings())
def test_searching_finds_what_all_pieces_give(text: str, split: LangChain) -> None:
    known = scan(Document("text", text))
    separators = tuple(takewhile(bool, split.separators))
    assume(text and all(map(langchain._is_searchable, separators)))
    searched = langchain._searched(text, separators, split.size, split.overlap, split.keep == "end")
    known.joined = np.zeros(0, dtype=np.int32)
    assert searched == langchain._pieced(known, separators, split.size, split.overlap, split.keep)


class Counted(str):
    """A text that counts how many characters its searches pass over."""

    def __init__(self, text: str):
        self.passed = 0

    def find(self, sub: str, low: int, high: int) -> int:
        at = super().find(sub, low, high)
        self.passed += (high if at < 0 else at + len(sub)) - low
        return at

    def rfind(self, sub: str, low: int, high: int) -> int:
        at = super().rfind(sub, low, high)
        self.passed += high - (low if at < 0 else at)
        return at


@pytest.mark.parametrize("overlap", [0, 20, 99])
@pytest.mark.parametrize(
    "text",
    [
        "x" * 500,
        "word " * 100,
        "\n" * 500,
        "a\n\n" + "b" * 497,
        "a\n" * 250,
        "a\n\n\n" + " " * 200 + "\n" * 296,
    ],
)
def test_the_work_grows_with_the_text(text: str, overlap: int) -> None:
    passed = []
    for times in (4, 40):
        counted = Counted(text * times)
        langchain._searched(counted, DEFAULT[:-1], 100, overlap, False)
        passed.append(counted.passed / len(counted))
    assert passed[1] <= passed[0] * 1.1 + 1
    assert passed[1] < (8 if overlap < 99 else 120)


def test_most_of_an_ordinary_text_is_never_looked_at() -> None:
    document = Document("text", ("A short paragraph of a few words.\n\n" * 60 + "Café au lait.\n\n") * 4)
    chunk(document, "langchain(size=400,overlap=0)")
    passes = {"codes", "blank", "words", "visible_before", "visible_end", "next_visible", "joined"}
    assert not passes & vars(scan(document)).keys()


# The recipe


def test_the_defaults_are_langchains(peer: ModuleType) -> None:
    theirs = peer.RecursiveCharacterTextSplitter()
    assert list(LangChain().separators) == theirs._separators
    assert LangChain().keep == "start" and theirs._keep_separator is True and theirs._strip_whitespace is True


def test_what_would_lose_visible_text_is_refused() -> None:
    with pytest.raises(ParamError) as caught:
        parse_recipe("langchain(separators=['\\n','. '],keep=no)")
    assert str(caught.value) == (
        "langchain: keep must be start or end where a separator can be seen, got 'no'. "
        "LangChain loses '. ' wherever it cuts, and no visible character may be lost."
    )
    with pytest.raises(
        ParamError, match="separators must be a list of texts, strongest first, got 'markdown'"
    ):
        parse_recipe("langchain(separators=markdown)")
    with pytest.raises(ParamError, match="overlap must be below the size of 100"):
        parse_recipe("langchain(size=100)")
    assert str(parse_recipe("langchain(keep=no)")) == "langchain(keep=no)"


def test_each_cut_says_what_it_was_made_at() -> None:
    text = "One.\n\nTwo word\nthree\n\n" + "x" * 12
    cuts = [(each.text, each.cut) for each in chunk(Document("text", text), "langchain(size=9,overlap=0)")]
    assert cuts == [
        ("One.", "blank line"), ("Two word", "line"), ("three", "blank line"), ("xxxxxxxx", "character"),
        ("xxxx", "end of document"),
    ]  # fmt: skip


def test_a_cluster_over_the_size_stays_whole_with_a_notice() -> None:
    chunks = chunk(Document("text", "ab e" + "\u0301" * 9 + " cd"), "langchain(size=4,overlap=0)")
    assert chunks.texts == ["ab", "e" + "\u0301" * 9, "cd"]
    assert chunks.notices == (
        "1 character cluster is longer than the size and kept whole: a cluster is never cut.",
    )


def test_the_app_takes_sizes_over_and_separators_as_they_are_typed() -> None:
    assert (
        str(switched(parse_recipe("recursive(size=90)").split, "langchain"))
        == "langchain(size=90,overlap=10%)"
    )
    assert str(switched(LangChain(90, 9, keep="end"), "recursive")) == "recursive(size=90,overlap=9)"
    app = App({"recipe": "langchain(size=300,overlap=0)", "sample": "mixed"})
    box = next(each for each in app.test.multiselect if "separators" in str(each.key))
    assert box.value == ["\\n\\n", "\\n", "(blank)", "(cut anywhere)"]
    box.set_value(["\\n\\n", ";\\t", "(cut anywhere)"]).run()
    assert app.tracebacks() == []
    assert parse_recipe(app.query["recipe"]).split == LangChain(300, 0, ("\n\n", ";\t", ""))


if __name__ == "__main__":
    _write()
