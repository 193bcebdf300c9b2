"""The results of an independent program on the three fixture documents, and ours in its measures."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from chunklab import chroma
from chunklab.chunking import Chunks, chunk
from chunklab.corpus import Corpus, load_corpus
from chunklab.coverage import uncovered
from chunklab.embedders.base import Embedder
from chunklab.embedders.hashing import Hashing
from chunklab.embedders.minilm import Minilm
from chunklab.experiment import Evaluation, evaluate
from chunklab.intervals import Place
from chunklab.recipe import parse_recipe
from chunklab.retrievers.dense import Dense
from chunklab.scan import scan
from chunklab.types import Cuts, Document, Question

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
EXPECTED, DATA = SHARED / "reference" / "expected.json", SHARED / "data" / "fixture"
KS, BUDGETS = (1, 3, 5), (1000, 2000)
EMBEDDERS: dict[str, Embedder] = {"hash": Hashing(dims=256, words="ascii"), "minilm": Minilm()}
MEASURES = ("hit_rate", "all_evidence", "mrr")


@lru_cache(maxsize=1)
def expected() -> dict:
    """Everything that the other program found."""
    return json.loads(EXPECTED.read_text("utf-8"))


@lru_cache(maxsize=1)
def fixture() -> Corpus:
    """Three documents and 24 questions with 28 places of evidence."""
    return load_corpus(DATA)


def alone(document: Document) -> Corpus:
    """One document with its questions: what it calls an index per document."""
    of = tuple(each for each in fixture().questions if each.evidence[0].document_id == document.id)
    return Corpus(document.id, (document,), of)


def prose() -> Document:
    """The one of the three that is plain text."""
    return next(each for each in fixture().documents if each.id == "prose.txt")


def given(document: Document, recipe: str, spans: Sequence[tuple[int, int]]) -> Chunks:
    """Chunks that somebody else cut, embedded and returned as the recipe says."""
    array = np.array(spans, dtype=np.int32).reshape(-1, 2)
    return Chunks(document, parse_recipe(recipe), Cuts(array, np.zeros(len(array), np.uint8), ("given",)))


def bare(document: Document, recipe: str) -> Chunks:
    """Our chunks without the blanks at their edges, which it leaves out."""
    known, spans = scan(document), chunk(document, recipe).spans
    return given(
        document,
        recipe,
        list(zip(known.next_visible[spans[:, 0]], known.visible_end[spans[:, 1]], strict=True)),
    )


def windows(document: Document, recipe: str) -> Chunks:
    """Windows as it makes them: a last one that lies wholly inside the one before is kept."""
    split, length = parse_recipe(recipe).split, len(document.text)
    starts = range(0, length, split.size - int(split.overlap))
    return given(document, recipe, [(at, min(at + split.size, length)) for at in starts])


def its_sentences(document: Document, recipe: str) -> Chunks:
    """Sentences by its expression, blanks between them left out; tables and code are no sentences to it."""
    gaps = [each.span() for each in re.finditer(r"(?<=[.!?])\s+(?=[A-Z])", document.text)]
    starts, ends = [0, *(end for _, end in gaps)], [*(start for start, _ in gaps), len(document.text)]
    return given(document, recipe, list(zip(starts, ends, strict=True)))


Cutter = Callable[[Document, str], Chunks]


def found(corpus: Corpus, recipe: str, cut: Cutter, embedder: str) -> tuple[list[Chunks], Evaluation]:
    """The chunks and their evaluation through the public functions."""
    chunks = [cut(each, recipe) for each in corpus.documents]
    asked = EMBEDDERS[embedder]
    return chunks, evaluate(corpus, chunks[0].recipe, asked, Dense(), KS, chunks, measures=MEASURES)


def its_measures(chunks: Sequence[Chunks], evaluation: Evaluation) -> dict[str, np.ndarray]:
    """Its measures by its names: one value a question, counts and lengths as one number."""
    owners = np.repeat([each.document.id for each in chunks], [len(each) for each in chunks])
    returned = np.concatenate([each.returned for each in chunks])
    rows = []
    for question, row in zip(evaluation.questions, evaluation.ranking.indices, strict=True):
        gold = evidence_of(question)
        places = [(owners[at], *returned[at].tolist()) for at in row]
        scores = {}
        for k in KS:
            names = (f"span_recall@{k}", f"precision@{k}", f"iou@{k}")
            scores |= dict(zip(names, chroma.scores(gold, places, k), strict=True))
            scores[f"contain@{k}"] = np.mean([_held(each, places[:k]) for each in gold])
            scores[f"ret_chars@{k}"] = sum(end - start for _, start, end in places[:k])
        for budget in BUDGETS:
            scores[f"span_recall@{budget}c"] = chroma.scores(gold, _within(places, budget))[0]
        rows.append(scores)
    values = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    for k in KS:
        values[f"hit@{k}"] = evaluation.values[f"hit_rate@{k}"]
        values[f"all_contain@{k}"] = evaluation.values[f"all_evidence@{k}"]
    return values | {"mrr": evaluation.values["mrr"]} | _of_chunks(chunks, evaluation)


def evidence_of(question: Question) -> list[Place]:
    """The places of its evidence."""
    return [(each.document_id, each.span.start, each.span.end) for each in question.evidence]


def _overlap(piece: Place, gold: Sequence[Place]) -> bool:
    return any(piece[0] == each[0] and piece[1] < each[2] and each[1] < piece[2] for each in gold)


def _held(part: Place, places: Sequence[Place]) -> bool:
    return any(place[0] == part[0] and place[1] <= part[1] and part[2] <= place[2] for place in places)


def _within(places: Sequence[Place], budget: int) -> list[Place]:
    """The first `budget` characters returned."""
    kept = []
    for document, start, end in places:
        end = min(end, start + budget)
        if start < end:
            kept.append((document, start, end))
        budget -= end - start
    return kept


def _of_chunks(chunks: Sequence[Chunks], evaluation: Evaluation) -> dict[str, float]:
    """What needs no ranking."""
    lengths = np.concatenate([each.spans[:, 1] - each.spans[:, 0] for each in chunks])
    pieces = [(each.document.id, *span) for each in chunks for span in each.spans.tolist()]
    gold = [evidence_of(each) for each in evaluation.questions]
    # "Precision if exactly all chunks that overlap the evidence are returned", and those only.
    perfect = [chroma.scores(each, [piece for piece in pieces if _overlap(piece, each)])[1] for each in gold]
    tokens = np.concatenate([each.token_counts("minilm") for each in chunks]) + 2
    parts = [part for each in gold for part in each]
    return {
        "n_chunks": len(lengths),
        "mean_chars": lengths.mean(),
        "median_chars": float(np.median(lengths)),
        "max_chars": int(lengths.max()),
        "min_chars": int(lengths.min()),
        "inflation": lengths.sum() / sum(len(each.document.text) for each in chunks),
        "n_spans": len(parts),
        "straddled_spans": sum(not _held(part, pieces) for part in parts),
        "precision_omega": np.array(perfect),
        "max_wordpieces": int(tokens.max()),
        "truncated_at_256": int((tokens > 256).sum()),
        "uncovered_nonspace_chars": sum(
            sum(map(len, uncovered(each.document.text, each.spans))) for each in chunks
        ),
    }
