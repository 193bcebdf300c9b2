"""Numbers of an independent program, reproduced through the public functions where it cuts as chunklab does."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from tests.reference import (
    EMBEDDERS,
    EXPECTED,
    Cutter,
    alone,
    bare,
    chunk,
    expected,
    fixture,
    found,
    its_measures,
    its_sentences,
    prose,
    windows,
)

pytestmark = pytest.mark.skipif(
    not EXPECTED.is_file(), reason="the reference results are not beside the repository"
)
ROUNDED = 5.1e-5
"""Its numbers have four decimals."""
LATE = "late(overlap=64)"

CASES: dict[str, tuple[str, Cutter]] = {
    "fixed_200_40": ("fixed(size=200,overlap=40)", windows),
    "fixed_200_0": ("fixed(size=200)", chunk),
    "fixed_400_80": ("fixed(size=400,overlap=80)", chunk),
    "fixed_500_50": ("fixed(size=500,overlap=50)", chunk),
    "fixed_500_0": ("fixed(size=500)", chunk),
    "fixed_1000_150": ("fixed(size=1000,overlap=150)", windows),
    "token_128_0": ("fixed(size=128,unit=tokens,tokenizer=minilm)", bare),
    "token_128_25": ("fixed(size=128,overlap=25,unit=tokens,tokenizer=minilm)", bare),
    "token_64_0": ("fixed(size=64,unit=tokens,tokenizer=minilm)", bare),
    "tokencl100k_128_0": ("fixed(size=128,unit=tokens)", chunk),
    "paragraph": ("paragraph(max_size=1000)", bare),
    "recursive000_500": ("paragraph(max_size=1000)", bare),
    **{
        f"sentwin_{n}": (f"sentence(n=1) | itself() | window(n={n},of=chunks)", its_sentences)
        for n in range(4)
    },
    "latepool_paragraph": (f"paragraph(max_size=1000) | {LATE}", bare),
    "latepool_sentwin_0": (f"sentence(n=1) | {LATE}", its_sentences),
}
"""Its name -> the recipe that means the same, and where the chunks come from.

`bare`: blanks at the edges of our chunks are left out, since it counts returned characters without them.
`windows`: ours leave out a last window that lies wholly inside the one before. `its_sentences`: see the
last test for the text on which its sentences are ours.
"""
BOTH = [
    pytest.param(key, embedder, id=f"{key}-{embedder}")
    for key in CASES
    for embedder in EMBEDDERS
    if embedder == "minilm" or LATE not in CASES[key][0]
]
SIZES = (80, 120, 160, 200, 280, 400, 600, 1000, 2000)


def agree(ours: Mapping[str, np.ndarray | float], theirs: Mapping, embedder: str) -> None:
    """Asserts that all its numbers are ours, with MiniLM within one question."""
    for name in theirs:
        values, room = np.atleast_1d(ours[name]), ROUNDED
        if name in ("mean_chars", "median_chars"):
            room = 0.051
        if len(values) > 1 and embedder == "minilm":
            # Another processor may rank one question otherwise: its value can then be any that occurs.
            room += (values.max() - values.min()) / len(values)
        assert values.mean() == pytest.approx(theirs[name], abs=room), name


@pytest.mark.parametrize(("key", "embedder"), BOTH)
def test_a_configuration_gives_its_numbers(key: str, embedder: str) -> None:
    recipe, cut = CASES[key]
    ours = its_measures(*found(fixture(), recipe, cut, embedder))
    theirs = dict(expected()["fixture"]["results"][key][embedder])
    by_document = {name: theirs.pop(name) for name in list(theirs) if name.startswith(("doc_", "perdoc_"))}
    agree(ours, theirs, embedder)
    values: dict[str, list[np.ndarray]] = {}
    for document in fixture().documents:
        of = its_measures(*found(alone(document), recipe, cut, embedder))
        agree(of, by_document[f"doc_{document.id.partition('.')[0]}"], embedder)
        for name in by_document["perdoc_index"]:
            values.setdefault(name, []).append(of[name])
    together = {name: np.concatenate(each) for name, each in values.items()}
    agree(together, by_document["perdoc_index"], embedder)


@pytest.mark.parametrize("embedder", EMBEDDERS)
@pytest.mark.parametrize("share", [0, 20])
@pytest.mark.parametrize("size", SIZES)
def test_a_sweep_of_windows_gives_its_numbers(size: int, share: int, embedder: str) -> None:
    recipe = f"fixed(size={size},overlap={size * share // 100})"
    chunks, evaluation = found(fixture(), recipe, windows, embedder)
    ours = its_measures(chunks, evaluation)
    theirs = dict(expected()["fixture_sweep"][embedder][f"{size}/{share}"])
    if evaluation.chunks > evaluation.depth:
        # It looks for the first hit at any rank.
        assert -ROUNDED <= theirs.pop("mrr") - ours["mrr"].mean() < 1 / evaluation.depth
    hops = np.array([each.kind == "multihop" for each in evaluation.questions])
    named = {"span_recall@3": "span_recall@3", "recall@1000c": "span_recall@1000c"}
    named |= {f"all_contain@{k}": f"all_contain@{k}" for k in (3, 5)}
    ours |= {f"multihop_{name}": ours[of][hops] for name, of in named.items()}
    del theirs["dup_in_top5"]
    agree(ours, theirs, embedder)


@pytest.mark.parametrize("key", [key for key in CASES if LATE not in CASES[key][0]])
def test_hits_by_kind_of_question_are_its_own(key: str) -> None:
    _, evaluation = found(fixture(), *CASES[key], "minilm")
    kinds = np.array([each.kind for each in evaluation.questions])
    theirs = expected()["extra"]["by_kind_minilm_hit@1"][key]
    assert set(kinds) == set(theirs)
    apart = {
        kind: round((evaluation.values["hit_rate@1"][kinds == kind].mean() - share) * (kinds == kind).sum())
        for kind, share in theirs.items()
    }
    assert sum(map(abs, apart.values())) <= 1, apart


def test_three_questions_in_a_row() -> None:
    """Its exercise on prose: which chunk comes first, and which facts are cut."""
    theirs = expected()["ex003"]["fixed_500_50"]
    (chunks,), evaluation = found(alone(prose()), "fixed(size=500,overlap=50)", chunk, "minilm")
    ids = list(evaluation.question_ids)
    rows = [ids.index(each) for each in expected()["ex003"]["queries"]]
    first = [chunks.spans[evaluation.ranking.indices[row, 0]].tolist() for row in rows]
    assert first == [each["span"] for each in theirs["top"]]
    ours = its_measures([chunks], evaluation)
    for name, key in (("hit@1", "top1_consistency(hit)"), ("contain@1", "top1_contains"), ("mrr", "mrr")):
        assert ours[name][rows].mean() == pytest.approx(theirs[key], abs=ROUNDED)
    cut = [
        each.id
        for each in evaluation.questions
        if not any(
            low <= part.span.start and part.span.end <= high
            for part in each.evidence
            for low, high in chunks.spans.tolist()
        )
    ]
    assert cut == theirs["facts_split(all 8 prose queries)"]


@pytest.mark.parametrize("embedder", EMBEDDERS)
@pytest.mark.parametrize("n", range(4))
def test_sentence_windows_of_prose_are_its_own(n: int, embedder: str) -> None:
    """On prose our own sentences are its sentences."""
    recipe = f"sentence(size=2000,n=1) | itself() | window(n={n},of=chunks)"
    ours = its_measures(*found(alone(prose()), recipe, bare, embedder))
    agree(ours, expected()["fixture"]["results"][f"sentwin_{n}"][embedder]["doc_prose"], embedder)


@pytest.mark.parametrize("embedder", EMBEDDERS)
def test_a_whole_document_is_always_hit(embedder: str) -> None:
    """What its table of whole documents shows: the hit rate alone is blind."""
    theirs = expected()["lesson_fixture"]["table"]["whole_doc"]["all"]
    for document in fixture().documents:
        ours = its_measures(*found(alone(document), "document()", chunk, embedder))
        assert {k: ours[f"hit@{k}"].mean() for k in (1, 3, 5)} == {
            int(k): share for k, share in theirs.items()
        }
        assert ours["contain@1"].min() == 1 and ours["precision@1"].max() < 0.2
