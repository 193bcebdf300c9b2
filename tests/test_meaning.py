"""Cuts by meaning: what is compared, what is cut, and that sizes hold, mostly with vectors that are given."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from chunklab.chunking import Chunks, chunk
from chunklab.embedders.hashing import Hashing
from chunklab.errors import ChunklabError, ParamError
from chunklab.meaning import Curve, cost, curve, embedding_seconds, give_vectors
from chunklab.parts import pieces, sentences
from chunklab.recipe import parse_recipe
from chunklab.strategies.cluster import best_starts
from chunklab.types import Document
from chunklab.vectors import Vectors

SAMPLES = Path(__file__).parent.parent / "sample_corpora"
WIDE = "size=100000"
TOPICS = [[1, 0], [1, 0], [1, 0.1], [0, 1], [0.1, 1], [0, 1]]


def steps(count: int) -> str:
    return " ".join(f"Step {number:02} done." for number in range(count))


def cut(text: str, recipe: str, vectors: object) -> Chunks:
    document, made = Document("text", text), parse_recipe(recipe)
    give_vectors(document, made.split, vectors)
    return chunk(document, made)


def seen(text: str, recipe: str, vectors: object) -> Curve:
    document, made = Document("text", text), parse_recipe(recipe)
    give_vectors(document, made.split, vectors)
    return curve(document, made.split)


def starts(chunks: Chunks) -> list[int]:
    text = chunks.document.text
    return [low + len(text[low:high]) - len(text[low:high].lstrip()) for low, high in chunks.spans.tolist()]


def random_vectors(count: int, seed: int = 0, width: int = 8) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, width)) + 0.5


def test_one_sentence_has_no_gap() -> None:
    for method in ("percentile", "threshold", "deviation", "interquartile", "gradient"):
        chunks = cut("Only one sentence here.", f"semantic(method={method})", [[1, 0]])
        assert chunks.spans.tolist() == [[0, 23]]


def test_two_sentences_are_cut_by_a_threshold_alone() -> None:
    text, vectors = "Cats purr. Taxes rose.", [[1, 0], [0, 1]]
    assert starts(cut(text, "semantic(method=threshold,threshold=0.5,buffer=0)", vectors)) == [0, 11]
    for method in ("percentile", "deviation", "interquartile", "gradient"):
        chunks = cut(text, f"semantic(method={method})", vectors)
        assert len(chunks) == 1
        assert chunks.notices == (
            f"2 sentences have one gap, and a cut-off by {method} never cuts it; a threshold may.",
        )


@pytest.mark.parametrize("amount", [0, 50, 95, 100])
@pytest.mark.parametrize("vector", [[1, 0], [0, 0], [0.1, 0.7], [3, 4]])
def test_equal_gaps_are_never_cut(amount: int, vector: list[float]) -> None:
    text = "Yes. Yes. Yes. Yes. Yes. Yes."
    for method in ("percentile", "gradient"):
        chunks = cut(text, f"semantic(method={method},percentile={amount})", [vector] * 6)
        assert len(chunks) == 1 and not chunks.notices
    for method in ("deviation(0)", "interquartile(0)"):
        name = method.partition("(")[0]
        assert len(cut(text, f"semantic(method={name},deviations=0,factor=0)", [vector] * 6)) == 1


def test_neighbours_that_alternate_are_equally_far_too() -> None:
    vectors = [[0.6, 0.8], [1, 0]] * 10
    for method in ("percentile", "deviation", "interquartile", "gradient"):
        found = seen(steps(20), f"semantic(method={method},percentile=50,deviations=0,factor=0)", vectors)
        assert not found.cut.any() and found.same is None


def test_a_vector_of_zeros_is_like_nothing() -> None:
    vectors = [[1, 0], [0, 0], [0, 0], [1, 0]]
    found = seen(steps(4), "semantic(method=threshold,threshold=0.5)", vectors)
    assert found.distances.tolist() == [1, 1, 1]
    assert starts(cut(steps(4), "centroid(threshold=0.5)", vectors)) == [0, 14, 28, 42]


def test_text_is_never_changed_and_blanks_stay() -> None:
    text = "Cat naps.\n\nCat eats.\n\n\nTax rises.   Tax falls."
    vectors = [[1, 0], [1, 0], [0, 1], [0, 1]]
    chunks = cut(text, "semantic(method=threshold,buffer=0)", vectors)
    assert starts(chunks) == [0, 23] and "".join(chunks.texts) == text
    assert chunks[0].cut == "meaning"


def test_a_topic_that_turns_slowly_is_cut_against_the_mean_only() -> None:
    vectors = [[math.cos(math.radians(10 * i)), math.sin(math.radians(10 * i))] for i in range(10)]
    found = seen(steps(10), "centroid(threshold=0.3)", vectors)
    assert found.cut.tolist() == [False] * 8 + [True]
    assert found.values[-1] == pytest.approx(1 - math.cos(math.radians(50)), abs=1e-6)
    assert found.values[-2] == pytest.approx(1 - math.cos(math.radians(45)), abs=1e-6)
    assert len(cut(steps(10), "semantic(method=threshold,threshold=0.3,buffer=0)", vectors)) == 1


@pytest.mark.parametrize(
    ("vectors", "words"),
    [
        ([[1, 0], [math.nan, math.nan], [0, 1], [1, 1]], ["sentence 2 of 4", "'Step 01 done.'", "finite"]),
        ([[1, 0], [0, 1], [math.inf, 0], [1, 1]], ["sentence 3 of 4"]),
        ([[1, 0], [0, 1]], ["4 sentences need 4", "got 2."]),
        ([[1, 0]] * 5, ["4 sentences need 4", "got 5."]),
        ([1, 0, 1, 0], ["4 sentences need 4", "shape (4,)"]),
    ],
)
@pytest.mark.parametrize("recipe", ["semantic()", "centroid()"])
def test_wrong_vectors_are_refused_with_the_place(recipe: str, vectors: list, words: list[str]) -> None:
    with pytest.raises(ChunklabError, match="embedding") as caught:
        cut(steps(4), recipe, vectors)
    assert all(word in str(caught.value) for word in ["hashing: ", *words])


def test_an_embedder_that_loses_texts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hashing, "embed_spans", lambda self, document, spans: np.ones((len(spans) - 1, 3)))
    for recipe in ("semantic()", "centroid()", "cluster()", "adaptive()"):
        with pytest.raises(ChunklabError, match=r"hashing: .* embedding"):
            chunk(Document("text", steps(300)), recipe)


def test_vectors_of_different_lengths_are_refused() -> None:
    strategy = parse_recipe("semantic(buffer=0)").split
    with pytest.raises(ChunklabError, match="all embeddings must have one length"):
        give_vectors(Document("text", "One is here. Two is there."), strategy, [[1.0, 0.0], [1.0]])


def test_cut_offs_are_what_they_are_called() -> None:
    vectors = random_vectors(60)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    apart = 1 - (unit[:-1] * unit[1:]).sum(axis=1)
    low, high = np.percentile(apart, (25, 75))
    slopes = np.gradient(apart)
    wanted = {
        "percentile=80": (apart, np.percentile(apart, 80)),
        "method=threshold,threshold=0.7": (apart, 0.7),
        "method=deviation,deviations=1.2": (apart, apart.mean() + 1.2 * apart.std()),
        "method=interquartile,factor=0.5": (apart, apart.mean() + 0.5 * (high - low)),
        "method=gradient,percentile=80": (slopes, np.percentile(slopes, 80)),
    }
    for settings_, (values, cutoff) in wanted.items():
        found = seen(steps(60), f"semantic({settings_})", vectors)
        assert found.cutoff == pytest.approx(cutoff, abs=1e-5)
        assert np.allclose(found.values, values, atol=1e-5) and np.allclose(found.distances, apart, atol=1e-5)
        assert found.cut.tolist() == (values > cutoff).tolist() and 0 < found.cut.sum() < 59
        assert found.offsets.tolist() == sentences(Document("text", steps(60))).starts[1:].tolist()


@pytest.mark.parametrize(
    ("method", "name", "top"),
    [("percentile", "percentile", 100), ("gradient", "percentile", 100), ("threshold", "threshold", 2),
     ("deviation", "deviations", 10), ("interquartile", "factor", 10)],
)  # fmt: skip
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_range_without_effect_is_true(method: str, name: str, top: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(4, 12))
    vectors = random_vectors(count, data.draw(st.integers(0, 99)))
    amount = data.draw(st.floats(0, top).map(lambda value: round(value, 3)))
    recipe = f"semantic(method={method},{name}={{}},size=100000)"
    found = seen(steps(count), recipe.format(amount), vectors)
    low, high = found.same
    margin = 1e-3 * top
    for other in (low + margin, (low + high) / 2, high - margin):
        if low < other < high:
            assert (seen(steps(count), recipe.format(other), vectors).cut == found.cut).all()
    for other in (low - margin, high + margin):
        if 0 <= other <= top:
            assert (seen(steps(count), recipe.format(other), vectors).cut != found.cut).any()


def test_what_changes_nothing_and_what_means_little_is_said() -> None:
    text, recipe = steps(6), "semantic(percentile=95,buffer=0)"
    few, same = cut(text, recipe, TOPICS).notices
    assert few == "Only 6 sentences: a cut-off by percentile cuts a text of one topic too."
    assert same == "Any percentile from 25 up to 100 cuts the same gaps."
    assert not cut(text, "semantic(method=threshold,buffer=0)", TOPICS).notices
    ties = cut(steps(9), "semantic(buffer=0)", [[1, 0], [0, 1], [0, 1]] * 3)
    assert len(ties) == 1
    assert ties.notices == (
        "Nothing is over percentile 95: the 5 largest values are equal. Below percentile 42.9 they are cut; "
        "a larger buffer tells them apart.",
    )
    assert len(cut(steps(9), "semantic(buffer=0,percentile=42)", [[1, 0], [0, 1], [0, 1]] * 3)) == 6


def test_chunks_that_the_size_alone_ended_say_so() -> None:
    text = " ".join(f"Item {number} is fine." for number in range(40))
    chunks = cut(text, "semantic(method=threshold,size=200)", [[1, 0]] * 40)
    assert {each.cut for each in chunks} == {"size", "end of document"}
    assert all(each.text.rstrip().endswith(".") and len(each.text) <= 200 for each in chunks)
    chunks = cut("word " * 100 + "end. Next.", "semantic(method=threshold,size=60)", [[1, 0], [0, 1]])
    assert [each.cut for each in chunks][-2:] == ["meaning", "end of document"]


def test_a_short_group_joins_the_nearer_neighbour_where_that_fits() -> None:
    text = "Aaaa aaaa aaaa aaaa. Bb bb. Cccc cccc cccc cccc."
    nearer_next, nearer_before = [[1, 0], [0.6, 0.8], [0.5, 0.8]], [[1, 0], [0.9, 0.1], [0, 1]]
    recipe = "semantic(method=threshold,threshold=0,buffer=0,min_size=10,size=40)"
    assert starts(cut(text, recipe, nearer_next)) == [0, 21]
    assert starts(cut(text, recipe, nearer_before)) == [0, 28]
    assert starts(cut(text, recipe, [[1, 0], [0, 1], [1, 0]])) == [0, 28], "of equal gaps the one before"
    crowded = text.replace("Aaaa aaaa", "Aaaa aaaa aaaa aaaa aaaa")
    assert starts(cut(crowded, recipe, nearer_before)) == [0, 36], "the nearer one has no room"


WORDS = st.lists(st.sampled_from(["a", "bee", "cedar", "dormouse", "elderberry"]), min_size=1, max_size=14)
TEXTS = st.lists(WORDS.map(lambda words: " ".join(words).capitalize() + "."), min_size=1, max_size=25)


@settings(max_examples=100, deadline=None)
@given(
    text=TEXTS.map(" ".join),
    size=st.integers(60, 200),
    share=st.floats(0.05, 0.33),
    seed=st.integers(0, 50),
    unit=st.sampled_from(["chars", "words"]),
)
def test_both_sizes_always_hold(text: str, size: int, share: float, seed: int, unit: str) -> None:
    size = size if unit == "chars" else size // 5
    least = int(size * share)
    count = len(sentences(Document("text", text)))
    recipe = f"semantic(method=threshold,size={size},min_size={least},buffer=0,unit={unit},threshold=0.6)"
    chunks = cut(text, recipe, random_vectors(count, seed))
    assert (chunks.lengths <= size).all() and "".join("".join(chunks.texts).split()) == "".join(text.split())
    whole = len(text) if unit == "chars" else len(text.split())
    assert (chunks.lengths >= min(least, whole)).all(), (chunks.lengths, least)


def test_a_minimum_over_half_the_size_is_refused() -> None:
    with pytest.raises(
        ParamError, match=r"min_size must be at most half the size of 300, got 151\. Use at most 150"
    ):
        parse_recipe("semantic(size=300,min_size=151)")


def test_the_running_mean_is_the_mean() -> None:
    vectors = random_vectors(80, 3)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for threshold, fewest in ((0.4, 1), (0.6, 1), (0.4, 4)):
        found = seen(steps(80), f"centroid(threshold={threshold},min_sentences={fewest})", vectors)
        first = 0
        for at in range(1, 80):
            mean = unit[first:at].mean(axis=0)
            far = 1 - float(mean @ unit[at]) / np.linalg.norm(mean)
            assert found.values[at - 1] == pytest.approx(far, abs=1e-5)
            assert found.cut[at - 1] == (far > threshold and at - first >= fewest)
            first = at if found.cut[at - 1] else first
        assert 1 < found.cut.sum() < 79


def _brute_force(unit: np.ndarray, first: list[int]) -> float:
    """The most that any grouping is worth, by the full matrix and all groupings."""
    count, worth = len(unit), unit @ unit.T
    worth = worth - worth[np.triu_indices(count, 1)].mean() if count > 1 else worth
    np.fill_diagonal(worth, 0)
    best = -math.inf
    for edges in itertools.product((False, True), repeat=count - 1):
        begins = [0, *(at + 1 for at, edge in enumerate(edges) if edge), count]
        groups = list(itertools.pairwise(begins))
        if all(low >= first[high - 1] for low, high in groups):
            best = max(best, sum(worth[low:high, low:high].sum() for low, high in groups))
    return best


@settings(max_examples=60, deadline=None)
@given(count=st.integers(1, 9), width=st.integers(1, 9), seed=st.integers(0, 1000))
def test_no_grouping_is_worth_more_than_the_one_found(count: int, width: int, seed: int) -> None:
    vectors = random_vectors(count, seed, 3)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    first = [max(0, at - width + 1) for at in range(count)]
    begins = best_starts(Vectors(vectors), np.array(first))
    worth = unit @ unit.T
    worth = worth - worth[np.triu_indices(count, 1)].mean() if count > 1 else worth
    np.fill_diagonal(worth, 0)
    groups = list(itertools.pairwise([*begins, count]))
    assert begins[0] == 0 and all(low >= first[high - 1] for low, high in groups)
    assert sum(worth[low:high, low:high].sum() for low, high in groups) == pytest.approx(
        _brute_force(unit, first), abs=1e-6
    )


def test_equal_pieces_are_left_together() -> None:
    first = np.maximum(0, np.arange(10) - 3)
    assert best_starts(Vectors(np.ones((10, 4))), first) == [0, 2, 6]
    assert best_starts(Vectors(np.zeros((10, 4))), first) == [0, 2, 6]


class _Counted(Vectors):
    read = 0
    widest = 0

    def unit(self, low: int, high: int) -> np.ndarray:
        _Counted.read += min(high, len(self)) - low
        _Counted.widest = max(_Counted.widest, min(high, len(self)) - low)
        return super().unit(low, high)


def test_the_best_grouping_needs_a_band_and_not_all_pairs() -> None:
    reads = []
    for count in (2000, 4000):
        _Counted.read = _Counted.widest = 0
        best_starts(_Counted(random_vectors(count)), np.maximum(0, np.arange(count) - 20))
        reads.append(_Counted.read)
        assert _Counted.widest < 300
    assert reads[1] < 2.1 * reads[0]


def test_another_size_compares_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document("text", steps(60))
    recipes = (
        "cluster(size={},piece=10)",
        "centroid(size={})",
        "semantic(size={})",
        "adaptive(size={},piece=10)",
    )
    for recipe in recipes:
        chunk(document, recipe.format(90))
    monkeypatch.setattr(Vectors, "unit", None)
    assert all(len(chunk(document, recipe.format(size))) for recipe in recipes for size in (60, 200, 300))


@pytest.mark.parametrize("name", ["prose/prose.txt", "mixed/mixed.md", "markdown/markdown.md"])
@pytest.mark.parametrize("settings_", ["mean=300", "mean=500,size=800", "mean=100,size=200,unit=tokens", "mean=60,unit=words"])  # fmt: skip
def test_the_mean_size_is_about_what_was_asked(name: str, settings_: str) -> None:
    document = Document(name, (SAMPLES / name).read_text("utf-8"))
    chunks = chunk(document, f"adaptive({settings_},piece=20)")
    asked = chunks.recipe.split.mean
    assert 0.8 * asked < chunks.lengths.mean() < 1.25 * asked


def test_a_mean_over_the_size_is_said() -> None:
    chunks = chunk(Document("text", steps(40)), "adaptive(mean=400,size=100)")
    assert chunks.notices == ("A mean of 400 is over the size of 100, which holds: chunks are shorter.",)
    assert chunks.lengths.max() <= 100


def test_each_window_is_embedded_once_whatever_is_dragged(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    embed_spans = Hashing.embed_spans

    def counted(self: Hashing, document: Document, spans: np.ndarray) -> np.ndarray:
        asked.extend(document.text[low:high].strip() for low, high in spans.tolist())
        return embed_spans(self, document, spans)

    monkeypatch.setattr(Hashing, "embed_spans", counted)
    document = Document("text", steps(30))
    strategy = parse_recipe("semantic(buffer=0)").split
    assert cost(document) == cost(document, strategy) == 30 and embedding_seconds(document, strategy) is None
    for amount in (50, 75, 95):
        chunk(document, f"semantic(buffer=0,percentile={amount},size={amount + 100})")
        chunk(document, f"centroid(threshold={amount / 100},min_size={amount // 5})")
    assert asked == [f"Step {number:02} done." for number in range(30)]
    assert embedding_seconds(document, strategy) > 0
    chunk(document, "semantic(buffer=1)")
    assert len(asked) == 60 and asked[31] == "Step 00 done. Step 01 done. Step 02 done."


def test_the_cost_is_known_for_every_strategy() -> None:
    document = Document("text", "One two three four five six seven eight nine ten. " * 30)
    few, many = (len(pieces(document, longest, "cl100k")) for longest in (50, 10))
    assert cost(document, parse_recipe("cluster()").split) == few
    assert cost(document, parse_recipe("adaptive(piece=10)").split) == many > few
    fixed = parse_recipe("fixed()").split
    assert cost(document, fixed) == 0 and embedding_seconds(document, fixed) is None
    assert curve(document, fixed) is None


def test_an_embedder_that_reads_slices_is_given_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (SAMPLES / "prose/prose.txt").read_text("utf-8")
    wanted = curve(Document("text", text), parse_recipe("semantic()").split).distances

    def embed_spans(self: Hashing, document: Document, spans: np.ndarray) -> np.ndarray:
        return plain(self, [document.text[low:high] for low, high in spans.tolist()])

    plain = Hashing.embed
    monkeypatch.setattr(Hashing, "embed_spans", embed_spans, raising=False)
    monkeypatch.setattr(Hashing, "embed", None)
    assert (
        curve(Document("text", text), parse_recipe("semantic()").split).distances.tolist() == wanted.tolist()
    )


def test_sparse_and_dense_vectors_say_the_same() -> None:
    rows = Hashing().embed([f"words number {number} and {number * 7}" for number in range(600)])
    dense, sparse = Vectors(rows), Vectors(csr_matrix(rows))
    assert dense.neighbours().tolist() == sparse.neighbours().tolist()
    first = np.maximum(0, np.arange(600) - 5)
    assert best_starts(dense, first) == best_starts(sparse, first)


def test_what_an_embedder_does_not_read_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Short one. " + "word " * 40 + "end. Another short one. Last."
    assert not chunk(Document("text", text), "centroid()").notices
    monkeypatch.setattr(Hashing, "limit", 20)
    monkeypatch.setattr(Hashing, "tokenizer", "minilm", raising=False)
    assert chunk(Document("text", text), "centroid()").notices == (
        "1 of 4 sentences are over the 20 tokens that hashing reads: only their beginning is compared.",
    )


REFERENCE = Hashing(dims=256, words="ascii")


def _reference(name: str, recipe: str) -> Curve:
    document, strategy = Document(name, (SAMPLES / name).read_text("utf-8")), parse_recipe(recipe).split
    windows = strategy.parts(document).windows(strategy.sides)
    give_vectors(document, strategy, REFERENCE.embed([document.text[a:b] for a, b in windows.tolist()]))
    return curve(document, strategy)


@pytest.mark.parametrize(
    ("recipe", "chunks"),
    [
        ("semantic(method=threshold,threshold=0.7,buffer=0)", 41),
        ("centroid(threshold=0.4)", 54),
        ("centroid(threshold=0.7)", 35),
    ],
)
def test_agrees_with_the_reference_on_prose(recipe: str, chunks: int) -> None:
    assert int(_reference("prose/prose.txt", recipe).cut.sum()) + 1 == chunks


@pytest.mark.parametrize(("percentile", "chunks"), [(50, 178), (75, 120), (90, 80), (95, 80), (99, 80)])
def test_agrees_with_the_reference_on_topics_but_for_ties(percentile: int, chunks: int) -> None:
    """The reference cuts at the cut-off too; that many chunks follow from the numbers of gaps, 5 and 8."""
    names = [f"topics/{path.name}" for path in sorted((SAMPLES / "topics").glob("doc*.txt"))]
    curves = [_reference(name, f"semantic(percentile={percentile},buffer=0)") for name in names]
    assert sum(int((each.values >= each.cutoff - 1e-8).sum()) + 1 for each in curves) == chunks
    for each in curves:
        assert (each.cut == (each.values > each.cutoff)).all()
