"""The scores of the Chroma report's own code, reproduced from its chunks and vectors without a model."""

from __future__ import annotations

import csv
import json
import runpy
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha1
from pathlib import Path

import numpy as np
import pytest

from chunklab import chroma
from chunklab.chunking import Chunks, chunk
from chunklab.corpus import Corpus, with_copies
from chunklab.embedders.base import Embedder
from chunklab.experiment import evaluate
from chunklab.recipe import parse_recipe
from chunklab.retrievers.dense import Dense
from chunklab.types import Cuts

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
REFERENCE, DATA = SHARED / "reference" / "chroma", SHARED / "data" / "chroma"
NAMES = ("recursive-cl100k_200_0", "recursive-wordpiece_250_0", "token-cl100k_200_0")
CLOSE = 1e-9

pytestmark = pytest.mark.skipif(
    not (REFERENCE.is_dir() and DATA.is_dir()), reason="the reference results are not beside the repository"
)


@dataclass(frozen=True, eq=False)
class Given(Embedder):
    """Vectors that somebody else made, by their text."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "known", {})

    def embed(self, texts: list[str]) -> np.ndarray:
        return np.array([self.known[each] for each in texts])


@dataclass(frozen=True, eq=False)
class Run:
    """One configuration as their code ran it; spans are (n, 2), in the order of its one index."""

    expected: dict
    corpus: Corpus
    names: list[str]
    found: np.ndarray
    true: np.ndarray
    hashes: list[str]
    vectors: np.ndarray
    retrieved: list[dict]

    @property
    def texts(self) -> list[str]:
        by_name = {each.id: each.text for each in self.corpus.documents}
        return [by_name[name][a:b] for name, (a, b) in zip(self.names, self.true.tolist(), strict=True)]

    @property
    def chunks(self) -> list[Chunks]:
        """Their chunks at their true places, as chunklab holds chunks."""
        recipe, names = parse_recipe("fixed()"), np.array(self.names)
        return [
            Chunks(document, recipe, Cuts(spans, np.zeros(len(spans), np.uint8), ("theirs",)))
            for document in self.corpus.documents
            for spans in [self.true[names == document.id].astype(np.int32)]
        ]

    @property
    def embedder(self) -> Given:
        given = Given()
        given.known.update(zip(self.texts, self.vectors, strict=True))
        questions = np.load(REFERENCE / "question_embeddings_f32.npy")
        given.known.update(zip([each.text for each in self.corpus.questions], questions, strict=True))
        return given

    @property
    def gold(self) -> list[list[chroma.Place]]:
        return [
            [(each.document_id, each.span.start, each.span.end) for each in question.evidence]
            for question in self.corpus.questions
        ]


@lru_cache(maxsize=1)
def corpus() -> Corpus:
    load = runpy.run_path(str(ROOT / "benchmarks" / "chroma_data.py"))["load"]
    return load(DATA)


@pytest.fixture(scope="module", params=NAMES)
def run(request: pytest.FixtureRequest) -> Run:
    folder = REFERENCE / request.param
    with (folder / "chunks.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    def spans(*ends: str) -> np.ndarray:
        return np.array([[int(row[end]) for end in ends] for row in rows])

    return Run(
        expected=json.loads((REFERENCE / "expected.json").read_text("utf-8"))["configs"][request.param],
        corpus=corpus(),
        names=[row["corpus_id"] for row in rows],
        found=spans("start_found", "end_found"),
        true=spans("true_start", "true_end"),
        hashes=[row["sha1_of_text"] for row in rows],
        vectors=np.load(folder / "chunk_embeddings_f32.npy"),
        retrieved=[json.loads(line) for line in (folder / "retrieved.jsonl").read_text("utf-8").splitlines()],
    )


@pytest.fixture(scope="module")
def ranking(run: Run) -> np.ndarray:
    """(472, 20): their vectors ranked by our exact search."""
    queries = [each.text for each in run.corpus.questions]
    return Dense().rank(run.embedder, queries, run.chunks, 20).indices


def test_their_chunks_are_slices_of_their_texts(run: Run) -> None:
    assert len(run.names) == run.expected["n_chunks"]
    made = [sha1(each.encode()).hexdigest() for each in run.texts]
    assert made == run.hashes


def test_exact_search_agrees_but_for_the_order_of_equal_texts(run: Run, ranking: np.ndarray) -> None:
    hashes, given = np.array(run.hashes), run.embedder
    questions = given.embed([each.text for each in run.corpus.questions]).astype(np.float64)
    apart = []
    for question, ours, theirs in zip(questions, ranking, run.retrieved, strict=True):
        theirs = theirs["exact_top20"]
        for at in np.flatnonzero(hashes[ours] != hashes[theirs]):
            one, other = run.vectors[[ours[at], theirs[at]]].astype(np.float64) @ question
            apart.append(abs(one - other))
    # They rank in single precision, which holds two of these scores for equal.
    assert len(apart) <= 2 and max(apart, default=0) < 1e-7
    # Of equal texts the one that stands first comes first.
    for row in ranking.tolist():
        for text in set(hashes[row]):
            equal = [at for at in row if hashes[at] == text]
            assert equal == sorted(equal)


def test_precision_omega_is_theirs(run: Run) -> None:
    names, wanted = np.array(run.names), [each["precision_omega"] for each in run.retrieved]
    of = {name: run.found[names == name] for name in set(run.names)}
    got = []
    for gold in run.gold:
        got.append(chroma.precision_omega(np.array([span for _, *span in gold]), of[gold[0][0]]))
    assert got == pytest.approx(wanted, abs=CLOSE)
    assert np.mean(got) == pytest.approx(run.expected["precision_omega"]["all"]["mean"], abs=CLOSE)


def test_scores_of_each_question_are_theirs(run: Run) -> None:
    for gold, theirs in zip(run.gold, run.retrieved, strict=True):
        places = [(run.names[at], *run.found[at].tolist()) for at in theirs["exact_top20"]]
        wanted = [theirs["exact_k5"][name] for name in ("recall", "precision", "iou")]
        assert chroma.scores(gold, places, 5) == pytest.approx(wanted, abs=CLOSE)


@pytest.mark.parametrize("k", ["5", "10", "Min"])
def test_means_of_our_ranking_are_theirs(run: Run, ranking: np.ndarray, k: str) -> None:
    scores = []
    for gold, row, theirs in zip(run.gold, ranking.tolist(), run.retrieved, strict=True):
        places = [(run.names[at], *run.found[at].tolist()) for at in row]
        scores.append(chroma.scores(gold, places, theirs["min_k"] if k == "Min" else int(k)))
    kinds = np.array([each.kind for each in run.corpus.questions])
    for kind, wanted in run.expected["exact_knn"][k].items():
        of_kind = np.array(scores)[(kinds == kind) | (kind == "all")]
        for at, name in enumerate(("recall", "precision", "iou")):
            assert of_kind[:, at].mean() == pytest.approx(wanted[name]["mean"], abs=CLOSE), (kind, name)
            assert of_kind[:, at].std() == pytest.approx(wanted[name]["std"], abs=CLOSE), (kind, name)


@pytest.mark.parametrize(
    ("copies", "key"),
    [(False, "true_offsets_gold_first_occurrence"), (True, "true_offsets_gold_all_occurrences")],
)
def test_an_evaluation_at_true_places_is_theirs(run: Run, copies: bool, key: str) -> None:
    """Where a chunk really stands; a verbatim copy of the evidence counts, or does not."""
    counted = with_copies(run.corpus) if copies else run.corpus
    names = {"recall": "recall@5", "precision": "chroma_precision@5", "iou": "chroma_iou@5"}
    measures = ("recall", "chroma_precision", "chroma_iou", "precision_omega")
    found = evaluate(counted, "fixed()", run.embedder, Dense(), (5,), run.chunks, measures=measures)
    wanted = run.expected[key]["5"]["all"]
    for theirs, ours in names.items():
        assert found.values[ours].mean() == pytest.approx(wanted[theirs]["mean"], abs=CLOSE), ours
    if not copies:
        omega = run.expected["true_offsets_precision_omega"]["mean"]
        assert found.values["precision_omega"].mean() == pytest.approx(omega, abs=CLOSE)


def test_windows_of_tokens_are_cut_at_the_same_places(run: Run) -> None:
    if not run.expected["name"].startswith("token-"):
        pytest.skip("their recursive splitter cuts otherwise; benchmarks/README.md says how")
    made = [chunk(each, "fixed(size=200,unit=tokens)").spans for each in run.corpus.documents]
    assert np.concatenate(made).tolist() == run.true.tolist()
