"""Tokens: known counts, offsets in code points, exact counts of slices, awkward texts, no network."""

from __future__ import annotations

import gzip
import subprocess
import sys
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunklab.errors import ChunklabError, ParamError
from chunklab.params import TOKENIZERS
from chunklab.tokens import base, bpe, tokenizer
from chunklab.tokens.counting import count_spans
from chunklab.tokens.recent import Recent

PIECES = [
    "the", "Cat", "HTTPServer", "don't", "I'LL", "'s", "3", "2024", "12345", "½", "²", "Ⅷ", "漢字", "かな", "ー",
    "한국", "ไทย", "नमस्ते", "é", "e\u0301", "\u0301", "\u200d", "👩‍🚀", "🇫🇷", "👍🏽", "𠮷", " ", "  ", "   \t", "\n", "\r\n",
    "\r", "\n\n", "\t", "\xa0", "\u2003", "\u3000", "\u2028", "\x85", "\x1c", "\x0b", "\x00", "\ufffd", "…", "...",
    "!?", "//", "/\n", "->", "--", "'", '"', "_", "a_b", "<|endoftext|>", "[SEP]", "。", "「", "ß", "İ", "ς", "\u1fef",
    "\U000e0100", "\ue000", "\U00011fff", "\u0378", "\u302e",
]  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=30).map("".join)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("cl100k", "hello world", ["hello", " world"]),
        ("cl100k", "tiktoken is great!", ["t", "ik", "token", " is", " great", "!"]),
        ("o200k", "hello world", ["hello", " world"]),
        ("minilm", "Unaffable tokens, café!", ["Una", "ffa", "ble", "token", "s", ",", "café", "!"]),
        ("cl100k", "12345", ["123", "45"]),
    ],
)
def test_known_tokens(name, text, expected):
    starts, ends = tokenizer(name).offsets(text)
    assert [text[a:b] for a, b in zip(starts, ends, strict=True)] == expected


def test_the_patterns_are_those_of_tiktoken(monkeypatch):
    from tiktoken_ext import openai_public

    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: {})
    for name, make in (("cl100k", openai_public.cl100k_base), ("o200k", openai_public.o200k_base)):
        assert bpe._FILES[name][0] == make()["pat_str"]


@settings(max_examples=150, deadline=None)
@given(texts, st.sampled_from(["cl100k", "o200k"]))
def test_byte_pair_offsets_follow_the_bytes(text, name):
    """Decoding token by token says which bytes each token holds; offsets name their characters."""
    text = base.plain(text)
    starts, ends = tokenizer(name).offsets(text)
    encoding = tokenizer(name)._loaded[0]
    owner = np.repeat(np.arange(len(text)), [len(c.encode()) for c in text]) if text else np.zeros(0, int)
    at = 0
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        content = encoding.decode_single_token_bytes(encoding.encode_ordinary(text)[number])
        assert (start, end) == (owner[at], owner[at + len(content) - 1] + 1)
        assert content in text[start:end].encode()
        at += len(content)
    assert at == len(text.encode())


@settings(max_examples=100, deadline=None)
@given(texts, st.sampled_from(TOKENIZERS))
def test_offsets_rise_and_lie_inside(text, name):
    starts, ends = tokenizer(name).offsets(text)
    assert starts.dtype == ends.dtype == np.int32
    assert (starts < ends).all() and (np.diff(starts) >= 0).all() and (np.diff(ends) >= 0).all()
    assert len(starts) == tokenizer(name).count(text) == tokenizer(name).count_many([text, "x"])[0]
    if len(starts):
        assert starts[0] >= 0 and ends[-1] <= len(text)


@settings(max_examples=600, deadline=None)
@given(texts, st.sampled_from(TOKENIZERS), st.data())
def test_slices_are_counted_as_if_they_stood_alone(text, name, data):
    offset = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(offset, offset).map(sorted), max_size=8))
    counted = count_spans(text, np.array(spans, dtype=np.int32).reshape(-1, 2), name)
    # A fresh encoding each, not the code under test.
    assert counted.tolist() == [len(_directly(text[a:b], name)) for a, b in spans]


@settings(max_examples=300, deadline=None)
@given(texts, st.sampled_from(TOKENIZERS))
def test_an_edge_parts_the_tokens(text, name):
    for edge in tokenizer(name).edges(text).tolist():
        assert _directly(text, name) == _directly(text[:edge], name) + _directly(text[edge:], name)


def _directly(text: str, name: str) -> list[int]:
    if name == "minilm":
        return tokenizer(name)._tokenizer.encode(base.plain(text), add_special_tokens=False).ids
    return tokenizer(name)._loaded[0].encode_ordinary(base.plain(text))


def test_ordinary_prose_has_an_edge_at_nearly_every_word():
    text = "The quick brown fox, aged 7, doesn't jump. " * 50
    for name in TOKENIZERS:
        assert len(tokenizer(name).edges(text)) > 0.9 * len(text.split())


@pytest.mark.parametrize("name", TOKENIZERS)
def test_special_token_text_is_ordinary(name):
    for text in ("<|endoftext|>", "<|fim_prefix|>", "<|im_start|>", "[SEP]", "[CLS] [MASK]"):
        assert tokenizer(name).count(text) >= 3


@pytest.mark.parametrize("name", TOKENIZERS)
def test_lone_surrogates_keep_the_offsets(name):
    text = "a \ud83d b \ud83d\ude00 c"
    starts, ends = tokenizer(name).offsets(text)
    assert text[starts[-1] : ends[-1]].strip() == "c"
    assert tokenizer(name).count(text) == len(starts)
    assert count_spans(text, np.array([[0, len(text)], [2, 7]]), name)[0] == len(starts)


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("text", ["", " ", "\n", "\x00", "\ufeff", "a"])
def test_tiny_texts(name, text):
    starts, ends = tokenizer(name).offsets(text)
    assert len(starts) == len(ends) == tokenizer(name).count(text) == len(_directly(text, name))
    assert count_spans(text, np.zeros((0, 2)), name).shape == (0,)


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize(
    "text", ["z" * 180_000, " " * 1_200_000 + "x", "\n " * 300_000, "漢" * 180_000, "." * 180_000]
)
def test_long_runs_are_taken(name, text):
    tokenizer(name).count("warm")
    starts, ends = tokenizer(name).offsets(text)
    count_spans(text, np.array([[0, len(text)], [5, 70_000], [70_000, len(text)]]), name)
    assert (np.diff(starts) >= 0).all() and (len(ends) == 0 or ends[-1] <= len(text))


def test_a_run_that_tiktoken_refuses_spoils_nothing_around_it():
    text = "some words first, 2024" + " " * 1_200_000 + "some words after."
    starts, ends = tokenizer("cl100k").offsets(text)
    around = tokenizer("cl100k").offsets("some words first, 2024   some words after.")
    found = [text[a:b].strip() for a, b in zip(starts, ends, strict=True)]
    wanted = ["some words first, 2024   some words after."[a:b].strip() for a, b in zip(*around, strict=True)]
    assert [word for word in found if word] == [word for word in wanted if word]
    assert (starts[1:] == ends[:-1]).all() and ends[-1] == len(text)


def test_a_text_is_tokenised_once(monkeypatch):
    calls = []
    reader = tokenizer("cl100k")
    monkeypatch.setattr(reader, "_encode", lambda text, real=reader._encode: calls.append(1) or real(text))
    text = "Tokenise this once and never again. " * 400
    for size in (50, 80, 200):
        spans = np.array([[at, min(at + size, len(text))] for at in range(0, len(text), size)])
        count_spans(text, spans, "cl100k")
        reader.offsets(text)
    assert len(calls) == 1
    with pytest.raises(ValueError, match="read-only"):
        reader.offsets(text)[0][0] = 7


def test_unknown_tokenizer():
    with pytest.raises(ParamError, match="tokenizer must be one of cl100k, o200k, minilm, got 'gpt2'"):
        tokenizer("gpt2")


def test_a_damaged_file_is_named():
    with pytest.raises(ChunklabError, match=r"cl100k_base\.tiktoken: its checksum is wrong"):
        base.data_file("cl100k_base.tiktoken", "0" * 64)


def test_the_notice_names_every_file_and_checksum():
    folder = files("chunklab.tokens")
    notice = folder.joinpath("NOTICE.md").read_text(encoding="utf-8")
    for each in folder.joinpath("data").iterdir():
        assert f"`{each.name}`" in notice
        assert base.hashlib.sha256(gzip.decompress(each.read_bytes())).hexdigest() in notice


def test_nothing_is_read_before_it_is_used():
    code = (
        "import sys; from chunklab.tokens import tokenizer; tokenizer('cl100k'); tokenizer('minilm');"
        "print(sorted({'tiktoken', 'tokenizers', 'requests'} & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_recent_is_bounded_by_weight():
    kept: Recent[int] = Recent(10)
    made = []
    for key, weight in (("a", 4), ("b", 4), ("a", 4), ("c", 4), ("a", 4), ("b", 4)):
        kept.get(key, weight, lambda key=key: made.append(key))
    assert made == ["a", "b", "c", "b"]
    kept.get("big", 1000, lambda: made.append("big"))
    assert len(kept) == 1
