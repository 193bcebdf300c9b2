"""Tokens found the fast ways are those of the encoder, and windows by arithmetic are those measured one by one."""

from __future__ import annotations

from itertools import pairwise
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunklab.chunking import chunk
from chunklab.corpus import load_corpus
from chunklab.params import TOKENIZERS
from chunklab.strategies import fixed
from chunklab.tokens import base, bpe, counting, joints, tokenizer
from chunklab.tokens.distinct import distinct
from chunklab.types import Document
from tests.test_golden import ROOT
from tests.test_tokens import PIECES, _directly
from tests.texts import AWKWARD, GENERATED

ENCODERS = ("cl100k", "o200k")
RUNS = st.sampled_from(
    ["a", "z" * 40, "ab" * 30, "漢字仮名" * 12, "Zz" * 20, "word", "ABC", "漢", "'ll", "'", "e\u0301", "é" * 30, "internationally",
     " ", "1", ".", "\n", "\x00"]
)  # fmt: skip
MIXED = st.lists(st.one_of(st.sampled_from(PIECES), RUNS, st.text(max_size=3)), max_size=40).map("".join)


def _sizes(text: str, name: str) -> list[int]:
    lengths = tokenizer(name)._loaded[1]
    return lengths[_directly(text, name)].tolist()


@settings(max_examples=400, deadline=None)
@given(MIXED.map(lambda text: text * 3), st.sampled_from(ENCODERS))
def test_stretches_that_occur_again_are_encoded_once_to_the_same_tokens(text, name):
    with mock.patch.multiple(bpe, _SHORT_TEXT=1, _WORTH=1):
        assert tokenizer(name)._encode(base.plain(text)).tolist() == _sizes(text, name)


@settings(max_examples=400, deadline=None)
@given(st.lists(RUNS, max_size=20).map("".join), st.sampled_from(ENCODERS), st.sampled_from([8, 20, 50]))
def test_long_runs_in_parts_have_the_same_tokens(text, name, part):
    with (
        mock.patch.multiple(bpe, _SHORT_TEXT=1, LONG=4 * part),
        mock.patch.multiple(joints, PART=part, LONG=4 * part),
    ):
        assert tokenizer(name)._encode(text).tolist() == _sizes(text, name)


@pytest.mark.parametrize("name", ENCODERS)
def test_a_line_without_blanks_is_encoded_in_parts(name):
    text = "".join(chr(ord("a") + at * at * 7919 % 26) for at in range(20_000))
    reader, parts = tokenizer(name), []
    wanted = _sizes(text, name)
    with mock.patch.object(
        bpe, "bounds_in_parts", lambda *a: parts.append(joints.bounds_in_parts(*a)) or parts[-1]
    ):
        assert reader._encode(text).tolist() == wanted
    assert np.diff(parts[0]).tolist() == wanted


@settings(max_examples=300, deadline=None)
@given(st.lists(st.binary(max_size=30), max_size=60), st.integers(1, 3))
def test_equal_stretches_are_found(parts, times):
    parts = [part for part in parts if part] * times
    bounds = np.cumsum([0, *map(len, parts)]).astype(np.int32)
    found = distinct(np.frombuffer(b"".join(parts), dtype=np.uint8), bounds).tolist()
    assert [parts[at] for at in found] == parts and [found[at] for at in found] == found
    if times > 1 and any(len(part) <= 23 for part in parts):
        assert len(set(found)) < len(parts)


def test_words_are_encoded_once(monkeypatch):
    text = "Tokenise these words, and these again; nothing of it is new the second time.\n" * 2000
    reader, seen = tokenizer("cl100k"), []
    real = reader._sizes
    monkeypatch.setattr(
        reader, "_sizes", lambda texts: real([seen.append(len(each)) or each for each in texts])
    )
    assert reader._encode(text).tolist() == _sizes(text, "cl100k")
    assert sum(seen) < 200


@settings(max_examples=400, deadline=None)
@given(MIXED | st.lists(RUNS, max_size=12).map("".join), st.sampled_from(TOKENIZERS))
def test_firm_places_part_the_tokens(text, name):
    found = counting.Layout(text, name)
    firm = found.starts[found.firm].tolist()
    for low, high in [*pairwise(firm), *zip(firm, firm[3:], strict=False), (0, len(text))]:
        wanted = len(_directly(text[low:high], name))
        assert found.count(low, high) == wanted == found.counts(np.array([[low, high]]))[0], text[low:high]


def test_most_tokens_of_ordinary_text_are_firm():
    for text in ("The quick brown fox, aged 7, jumps. " * 50, "abcxyzq" * 300, "雨が止んだ。空は青い" * 50):
        for name in ENCODERS:
            assert counting.Layout(text, name).firm.mean() > 0.7


def _same(text: str, recipe: str) -> None:
    plainly = mock.patch.object(fixed._Windows, "_token", lambda *_: -1)
    with plainly:
        wanted = chunk(Document("text", text), recipe)
    found = chunk(Document("text", text), recipe)
    assert found.spans.tolist() == wanted.spans.tolist(), (recipe, text)
    assert found.reasons.tolist() == wanted.reasons.tolist() and found.notices == wanted.notices


@settings(max_examples=400, deadline=None)
@given(
    GENERATED | MIXED, st.sampled_from((1, 2, 3, 5, 8, 20)), st.sampled_from((0, "20%", "50%", "90%")),
    st.sampled_from(TOKENIZERS),
)  # fmt: skip
def test_windows_by_arithmetic_are_those_measured_one_by_one(text, size, overlap, name):
    _same(text, f"fixed(size={size},overlap={overlap},unit=tokens,tokenizer={name})")


@pytest.mark.parametrize("name", TOKENIZERS)
def test_windows_of_awkward_and_sample_texts(name):
    samples = [each.text for each in load_corpus(ROOT / "sample_corpora" / "mixed").documents]
    for text in (*AWKWARD.values(), *samples):
        for size, overlap in ((4, 0), (16, "20%"), (100, "20%")):
            _same(text, f"fixed(size={size},overlap={overlap},unit=tokens,tokenizer={name})")


def test_a_step_with_tokens_known_encodes_nothing(monkeypatch):
    document = Document("text", "Plain words with no surprise in them at all. " * 300)
    chunk(document, "fixed(size=50,unit=tokens)")
    monkeypatch.setattr(tokenizer("cl100k"), "count_many", lambda texts: pytest.fail(f"encoded {texts}"))
    for size in (33, 64, 120):
        chunk(document, f"fixed(size={size},overlap=20%,unit=tokens)")
