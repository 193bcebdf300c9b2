"""Retrievers beyond exact cosine: words, both fused, a graph of neighbours, a second look; and what exact search costs."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chunklab.embedders.base as base_module
import chunklab.retrievers.approximate as approximate_module
from chunklab.chunking import chunk
from chunklab.corpus import load_corpus
from chunklab.discovery import components
from chunklab.embedders.base import Embedder, embedded_texts, over_param
from chunklab.embedders.hashing import Hashing
from chunklab.embedders.static import Static
from chunklab.errors import ChunklabError, ParamError
from chunklab.experiment import evaluate
from chunklab.limits import fitting
from chunklab.progress import listening
from chunklab.recipe import parse_component, parse_recipe
from chunklab.retrievers.approximate import Approximate, recall_against_exact
from chunklab.retrievers.base import best, rounded
from chunklab.retrievers.bm25 import Bm25
from chunklab.retrievers.dense import Dense
from chunklab.retrievers.hybrid import Hybrid
from chunklab.retrievers.rerank import Rerank
from chunklab.tokens.ngrams import WORK
from chunklab.tokens.terms import Asked, read
from chunklab.types import Document
from tests.test_hashing import slices, texts

ROOT = Path(__file__).resolve().parents[1]
QUESTIONS = ["Who keeps the light?", "fog siren and the the bell", "", "zzz", "光 灯台"]
LONG = "\n\n".join(
    f"Paragraph {at} says that keeper {at % 17} of lamp {at % 23} saw {at * 7 % 101} ships and {at % 5} gulls in fog. "
    f"灯台の光は海へ{'遠く' * (at % 3)}届く。"
    for at in range(300)
)


def chunked(recipe: str = "sentence(n=1)", text: str = LONG):
    return [
        chunk(Document("a", text), recipe),
        chunk(Document("b", "The fog siren stood by the bell."), recipe),
    ]


# --- dense in blocks -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counted(Embedder):
    """Vectors of 384 numbers from a text's own hash; remembers how many texts it was given at once."""

    asked: ClassVar[list[int]] = []

    def embed(self, texts):
        self.asked.append(len(texts))
        rows = np.zeros((len(texts), 384), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = np.frombuffer(text.encode().ljust(384, b"x")[:384], dtype=np.uint8)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_blocks_change_nothing(monkeypatch) -> None:
    chunks = chunked("fixed(size=60,overlap=10)")
    whole = Dense().rank(Counted(), QUESTIONS, chunks, 50)
    texts = [text for each in chunks for text in embedded_texts(each)]
    at_once = Counted().embed(QUESTIONS).astype(float) @ Counted().embed(texts).T.astype(float)
    assert np.array_equal(whole.indices, best(at_once, 50, "dense").indices)
    monkeypatch.setattr(base_module, "ROWS", 64)
    Counted.asked.clear()
    blocks = Dense().rank(Counted(), QUESTIONS, chunks, 50)
    assert np.array_equal(blocks.indices, whole.indices) and np.array_equal(blocks.scores, whole.scores)
    assert max(Counted.asked) == 64 and len(Counted.asked) > 5


def test_exact_search_holds_one_block_of_vectors() -> None:
    """What is needed at once is the scores and a block, so 100,000 chunks fit in memory as these do."""
    text = " ".join(f"{at:07d}" for at in range(20_000))
    chunks = chunk(Document("d", text), "fixed(size=1,unit=words)")
    Dense().rank(Counted(), QUESTIONS, chunked(), 5)
    Counted.asked.clear()
    tracemalloc.start()
    try:
        Dense().rank(Counted(), QUESTIONS, [chunks], 5)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(chunks) == 20_000 and max(Counted.asked) == base_module.ROWS
    every, block = 20_000 * 384 * 4, base_module.ROWS * 384 * (4 + 8)
    assert peak < every + block, f"{peak:,} bytes: more than a block is held at once"


def test_progress_counts_all_chunks_of_the_corpus() -> None:
    @dataclass(frozen=True)
    class Slow(Counted):
        def embed(self, texts):
            from chunklab.progress import EMBEDDED, tell

            for at in range(len(texts) + 1):
                tell(EMBEDDED, at, len(texts))
            tell("loading", 0, 1)
            return super().embed(texts)

    told = []
    chunks = chunked()
    with listening(lambda *each: told.append(each)):
        Dense().rank(Slow(), ["a"], chunks, 5)
    total = sum(map(len, chunks))
    counted = [done for what, done, of in told if of == total]
    assert counted == sorted(counted) and counted[-1] == total and ("loading", 0, 1) in told


# --- bm25 ------------------------------------------------------------------------------------------------------


@settings(max_examples=250, deadline=None)
@given(texts, st.data())
def test_terms_of_slices_are_those_of_their_own_text(text, data) -> None:
    offset = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(offset, offset).map(sorted), min_size=1, max_size=6))
    contexts = data.draw(st.one_of(st.just([]), st.lists(texts, min_size=len(spans), max_size=len(spans))))
    chunks = slices(text, spans, contexts)
    own = [read(each).terms for each in embedded_texts(chunks)]
    asked = Asked([text, *embedded_texts(chunks), "another 灯台"])
    counts, lengths = asked.counts(chunks.document, chunks.spans, chunks.contexts)
    expected = np.zeros(counts.shape)
    for row, terms in enumerate(own):
        for term in terms:
            expected[row, asked.columns[term]] += 1
    assert np.array_equal(counts.toarray(), expected) and lengths.tolist() == list(map(len, own))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Straße STRASSE don't", [("strasse",), ("strasse",), ("don",), ("t",)]),
        ("東京都 2024", [("東",), ("京",), ("都",), ("2024",), ("東", "京"), ("京", "都")]),
        ("น้ำ", [("น้",), ("ำ",), ("น้", "ำ")]),
        ("हिन्दी भाषा", [("हिन्दी",), ("भाषा",)]),
        ("?! ", []),
    ],
)
def test_what_a_term_is(text, terms) -> None:
    assert list(read(text).terms) == terms


@pytest.mark.parametrize(("k1", "b"), [(1.5, 0.75), (0.9, 0.4), (0, 0), (3, 1)])
@pytest.mark.parametrize(
    "recipe", ["sentence(n=1)", "fixed(size=37,overlap=9)", "fixed(size=90) | prefix(chars=20)"]
)
def test_scores_are_those_of_bm25s(k1, b, recipe) -> None:
    import bm25s

    chunks = chunked(recipe)
    judge = bm25s.BM25(method="lucene", k1=k1, b=b)
    judge.index(
        [terms_as_text(text) for each in chunks for text in embedded_texts(each)], show_progress=False
    )
    ours = Bm25(k1=k1, b=b).scores(QUESTIONS, chunks)
    for row, question in enumerate(QUESTIONS):
        known = [term for term in terms_as_text(question) if term in judge.vocab_dict]
        theirs = judge.get_scores(known) if known else np.zeros(ours.shape[1])
        assert np.abs(ours[row] - theirs).max() < 1e-5, question
    assert ours[0].max() > 1 and ours[4].max() > 0 and not ours[2:4].any()


def terms_as_text(text: str) -> list[str]:
    return ["\x1f".join(term) for term in read(text).terms]


def test_words_that_are_nowhere_rank_in_chunk_order() -> None:
    ranking = Bm25().rank(Hashing(), ["zzz", ""], chunked(), 4)
    assert ranking.indices.tolist() == [[0, 1, 2, 3]] * 2 and not ranking.scores.any()
    repeated = [chunk(Document(name, "The same words. " * 4), "sentence(n=1)") for name in "ab"]
    ranking = Bm25().rank(Hashing(), ["same words"], repeated, 8)
    assert ranking.indices.tolist() == [list(range(8))] and len(set(ranking.scores.ravel().tolist())) == 1


def test_a_script_without_blanks_is_more_than_its_characters() -> None:
    document = Document("d", "都は京の東にある。\n東京は都である。\n京都は古い。")
    ranking = Bm25().rank(Hashing(), ["京都"], [chunk(document, "sentence(n=1)")], 3)
    assert ranking.indices[0, 0] == 2 and ranking.scores[0, 0] > 1.5 * ranking.scores[0, 1]


def test_a_document_is_read_once_for_all_its_cuts() -> None:
    document = Document("d", LONG)
    Bm25().scores(QUESTIONS, [chunk(document, "fixed(size=100)")])
    before = WORK.characters
    for size in (101, 150, 99):
        Bm25().scores(QUESTIONS, [chunk(document, f"fixed(size={size})")])
    # Hashing counts the same words.
    Hashing().similarities(QUESTIONS, chunk(document, "fixed(size=80)"))
    assert WORK.characters - before <= 3 * len("".join(QUESTIONS))


def test_nothing_to_rank() -> None:
    for retriever in (Bm25(), Hybrid(), Approximate()):
        for chunks in ([], [chunk(Document("d", " \n"), "fixed()")]):
            assert retriever.rank(Hashing(), ["a", "b"], chunks, 5).indices.shape == (2, 0), retriever
        assert retriever.rank(Hashing(), [], chunked(), 5).indices.shape == (0, 5), retriever
        with pytest.raises(ParamError, match="k must be a whole number of at least 1"):
            retriever.rank(Hashing(), ["a"], chunked(), 0)


# --- hybrid ----------------------------------------------------------------------------------------------------


def test_ranks_are_fused() -> None:
    chunks = chunked()
    count = sum(map(len, chunks))
    dense, words = Dense().rank(Static(), QUESTIONS, chunks, count), Bm25().scores(QUESTIONS, chunks)
    for weight, k in ((0.5, 60), (0.8, 1)):
        expected = np.zeros(words.shape)
        for row in range(len(QUESTIONS)):
            for rank, at in enumerate(dense.indices[row].tolist(), 1):
                expected[row, at] += weight / (k + rank)
            having = [
                at for at in np.argsort(-rounded(words[row]), kind="stable").tolist() if words[row, at] > 0
            ]
            for rank, at in enumerate(having, 1):
                expected[row, at] += (1 - weight) / (k + rank)
        found = Hybrid(weight=weight, k=k).rank(Static(), QUESTIONS, chunks, 20)
        truth = best(expected, 20, "hybrid")
        assert np.array_equal(found.indices, truth.indices) and np.allclose(found.scores, truth.scores)


def test_the_weights_lead_from_one_to_the_other() -> None:
    chunks = chunked()
    dense, words = (each.rank(Static(), QUESTIONS, chunks, 10).indices for each in (Dense(), Bm25()))
    assert np.array_equal(Hybrid(weight=1).rank(Static(), QUESTIONS, chunks, 10).indices, dense)
    assert np.array_equal(Hybrid(weight=0).rank(Static(), QUESTIONS, chunks, 10).indices, words)
    assert not np.array_equal(dense, words)


# --- approximate -----------------------------------------------------------------------------------------------


@pytest.fixture
def graph() -> None:
    pytest.importorskip("faiss")


def test_a_graph_finds_nearly_all_and_scores_exactly(graph) -> None:
    chunks, retriever = chunked("fixed(size=60,overlap=20)"), Approximate(m=8, ef=8)
    count = sum(map(len, chunks))
    assert count > 500 and not retriever.exact_because(Static(), chunks, 5)
    found = retriever.rank(Static(), QUESTIONS, chunks, 5)
    scores = Dense().scores(Static(), QUESTIONS, chunks)
    assert np.allclose(np.take_along_axis(scores, found.indices.astype(int), 1), found.scores, atol=1e-6)
    assert (np.diff(found.scores, axis=1) <= 0).all() and (
        np.diff(np.sort(found.indices, axis=1), axis=1) > 0
    ).all()
    share = recall_against_exact(retriever, Static(), QUESTIONS, chunks, 5)
    assert 0.5 < share <= 1 == recall_against_exact(Approximate(ef=400), Static(), QUESTIONS, chunks, 5)
    (said,) = retriever.notices(Static(), QUESTIONS, chunks, 5)
    assert said == f"approximate(): {share:.1%} of what exact search has among its 5 best is found."


def test_the_graph_is_the_same_in_every_process_and_built_once(graph, monkeypatch) -> None:
    code = (
        "from tests.test_retrievers import *\n"
        "print(Approximate(m=4, ef=8).rank(Static(), QUESTIONS, chunked('fixed(size=60)'), 8).indices.tolist())"
    )
    outs = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    }
    assert len(outs) == 1
    chunks = chunked("fixed(size=60)")
    first = Approximate(m=4, ef=8).rank(Static(), QUESTIONS, chunks, 8)
    assert outs.pop().strip() == str(first.indices.tolist())
    monkeypatch.setattr(Approximate, "_built", None)
    again = Approximate(m=4, ef=30).rank(Static(), ["another question"], chunked("fixed(size=60)"), 8)
    assert again.indices.shape == (1, 8)


def test_few_chunks_are_searched_exactly(graph) -> None:
    chunks = [chunk(Document("d", LONG[:3000]), "fixed(size=60)")]
    (said,) = Approximate().notices(Static(), QUESTIONS, chunks, 5)
    assert said == f"approximate(): {len(chunks[0])} chunks are so few that the search is exact."
    exact = Dense().rank(Static(), QUESTIONS, chunks, 5)
    assert np.array_equal(Approximate().rank(Static(), QUESTIONS, chunks, 5).indices, exact.indices)


@dataclass(frozen=True)
class Short(Static):
    """Reads six tokens, and a longer chunk in parts, or as late() says."""

    limit = 6
    added = (0, 0)

    over: str = over_param()

    def similarities(self, queries, chunks):
        return Embedder.similarities(self, queries, chunks)

    def tokens(self, text):
        starts = np.array(
            [at for at in range(len(text)) if text[at] != " " and (not at or text[at - 1] == " ")]
        )
        return np.arange(len(starts)), starts, np.append(starts[1:], len(text))

    def token_vectors(self, windows):
        return [np.random.default_rng(each).normal(size=(len(each), 4)) for each in windows]


def test_parts_and_late_chunks_are_not_found_wrongly(graph) -> None:
    text = " ".join(f"w{at % 89} x{at % 7} y{at}" for at in range(1200))
    parts = [chunk(Document("d", text), "fixed(size=60)")]
    assert any(len(fitting(each, Short())) > 1 for each in parts[0].texts)
    split = Approximate(m=8, ef=8)
    assert "embedded in parts" in split.exact_because(Short(over="resplit"), parts, 5)
    ours, exact = (each.rank(Short(over="resplit"), QUESTIONS, parts, 5) for each in (split, Dense()))
    assert np.array_equal(ours.indices, exact.indices)
    with pytest.raises(ChunklabError, match="over the model limit"):
        split.rank(Short(over="refuse"), QUESTIONS, parts, 5)
    late = [chunk(Document("d", text), "fixed(size=20) | late()")]

    @dataclass(frozen=True)
    class Late(Short):
        def embed(self, texts):
            rows = np.random.default_rng(len(texts)).normal(size=(len(texts), 4))
            return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    for over in ("truncate", "resplit"):
        assert not split.exact_because(Late(over=over), late, 5)
        found = split.rank(Late(over=over), QUESTIONS, late, 5)
        scores = Dense().scores(Late(over=over), QUESTIONS, late)
        assert np.allclose(np.take_along_axis(scores, found.indices.astype(int), 1), found.scores, atol=1e-6)


def test_without_faiss_the_command_that_installs_it_is_told(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(ChunklabError) as refused:
        Approximate().rank(Static(), QUESTIONS, chunked(), 5)
    assert str(refused.value).endswith(approximate_module.INSTALL)
    (extra,) = [
        line for line in (ROOT / "pyproject.toml").read_text().splitlines() if line.startswith("approximate")
    ]
    assert approximate_module.INSTALL.removeprefix("pip install ") in extra


# --- rerank ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory) -> Path:
    """A real cross-encoder, tiny and untrained: two layers of 32 numbers, its weights from a fixed seed."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    from chunklab.embedders.minilm import folder

    at = tmp_path_factory.mktemp("cross-encoder")
    reader = PreTrainedTokenizerFast.from_pretrained(folder(), local_files_only=True)
    config = BertConfig(
        vocab_size=len(reader), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=128, num_labels=1, initializer_range=0.6,
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(7)
        BertForSequenceClassification(config).save_pretrained(at, safe_serialization=True)
    reader.model_max_length = 128
    reader.save_pretrained(at)
    return at


def test_the_cross_encoder_decides_within_the_depth(cross_encoder) -> None:
    from sentence_transformers import CrossEncoder
    from torch.nn import Identity

    chunks = chunked()
    asked = QUESTIONS[:3]
    retriever = Rerank(first="bm25", depth=6, model=str(cross_encoder))
    found = retriever.rank(Hashing(), asked, chunks, 10)
    first = Bm25().rank(Hashing(), asked, chunks, 10)
    texts = [text for each in chunks for text in embedded_texts(each)]
    judge = CrossEncoder(str(cross_encoder), device="cpu", local_files_only=True)
    for row, question in enumerate(asked):
        top = sorted(first.indices[row, :6].tolist())
        scores = judge.predict([(question, texts[at]) for at in top], activation_fn=Identity())
        order = np.argsort(-scores, kind="stable")
        assert found.indices[row].tolist() == [
            *np.array(top)[order].tolist(),
            *first.indices[row, 6:].tolist(),
        ]
        assert np.allclose(found.scores[row, :6], scores[order], atol=1e-4)
        assert (np.diff(found.scores[row]) <= 0).all()
    assert not np.array_equal(found.indices, first.indices)
    assert parse_component("retrievers", str(retriever)) == retriever and not retriever.keeps_up(Hashing())
    shallow = retriever.rank(Hashing(), asked, chunks, 2)
    assert np.array_equal(shallow.indices, found.indices[:, :2])


def test_pairs_are_read_once_in_any_process(cross_encoder) -> None:
    code = (
        "from tests.test_retrievers import *\n"
        "import chunklab.pairs as pairs\n"
        "read, seen = pairs.Pairs._read, []\n"
        "pairs.Pairs._read = lambda self, given: seen.extend(given) or read(self, given)\n"
        f"found = Rerank(depth=5, model={str(cross_encoder)!r}).rank(Hashing(), QUESTIONS[:2], chunked(), 5)\n"
        "print(len(seen), found.indices.tolist(), 'torch' in sys.modules)"
    )
    outs = [
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    (first, ranking), (second, again) = (out.split(" ", 1) for out in outs)
    assert int(first) > 5 and int(second) == 0 and again == ranking.replace("True", "False")


def test_what_is_no_cross_encoder_is_refused(cross_encoder, tmp_path) -> None:
    from chunklab.embedders.minilm import folder

    def refusal(model: object) -> str:
        with pytest.raises(ChunklabError) as refused:
            Rerank(model=str(model)).rank(Hashing(), ["a"], chunked(), 3)
        return str(refused.value)

    assert "must be a cross-encoder with one score for a pair, got BertModel" in refusal(folder())
    assert "there is no model in this folder" in refusal(tmp_path)
    assert "is not on this machine. Start with CHUNKLAB_DOWNLOAD=1" in refusal("some/cross-encoder")
    (tmp_path / "config.json").write_text((cross_encoder / "config.json").read_text())
    (tmp_path / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    assert "no weights as safetensors" in refusal(tmp_path)
    with pytest.raises(ParamError, match="rerank: model must be the folder of a cross-encoder, got ' '"):
        Rerank(model=" ")


# --- all of them -----------------------------------------------------------------------------------------------


def test_they_are_found_and_described() -> None:
    assert list(components("retrievers")) == ["approximate", "bm25", "dense", "hybrid", "rerank"]
    for kind in components("retrievers").values():
        assert all((kind.label, kind.assumes, kind.fails)) and all(
            spec.help for _, spec in kind.params().values()
        )
    assert Bm25().keeps_up(Counted()) and Dense().keeps_up(Static()) and not Hybrid().keeps_up(Counted())


def test_they_work_in_an_evaluation() -> None:
    corpus = load_corpus(ROOT / "sample_corpora" / "markdown")
    for retriever in (Bm25(), Hybrid()):
        found = evaluate(corpus, "markdown() | headings()", Static(), retriever, ks=(5,))
        assert found.means()["hit_rate@5"] > 0.7 and found.retriever == str(retriever)


def test_importing_them_loads_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from chunklab.discovery import components\n"
        "components('retrievers')\n"
        "print(sorted({'faiss', 'bm25s', 'torch', 'sentence_transformers', 'transformers'} & set(sys.modules)))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert out.strip() == "[]"


@pytest.mark.parametrize(
    ("embedder", "retriever", "ranked"),
    [
        ("static()", "hybrid()", True),
        ("minilm()", "bm25()", True),
        ("minilm()", "dense()", False),
        ("static()", "approximate()", False),
        ("static()", "rerank(model=any)", False),
    ],
)
def test_what_takes_long_waits_for_the_end_of_a_drag(embedder: str, retriever: str, ranked: bool) -> None:
    from pages.ui import scene as scenes
    from pages.ui.inspect import make_scene
    from pages.ui.state import View

    corpus = load_corpus(ROOT / "sample_corpora" / "markdown")
    view = View(parse_recipe("recursive()"), sample="markdown", embedder=embedder, retriever=retriever)
    scene = make_scene(view, corpus, corpus.documents[0], live=True)
    assert (scene.evaluation is not None) == ranked
    cells = {each["key"]: each for each in scenes.numbers(scene, {})[0]}
    assert (cells["recall"]["value"] != "…") == ranked
    assert ranked or f"by {retriever.partition('(')[0]} with" in cells["recall"]["help"]
