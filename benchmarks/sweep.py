"""A sweep of 100 recursive settings beside cutting and embedding each setting anew, in one run.

python benchmarks/sweep.py [--quick] [--json] [--write]
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

# More threads for products of this size cost more than they bring, and are charged to both sides.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from results import conditions, table, write
from texts import prose, questions

from chunklab.chunking import chunk
from chunklab.corpus import Corpus
from chunklab.embedders.base import Embedder
from chunklab.embedders.hashing import Hashing
from chunklab.embedders.static import Static
from chunklab.experiment import MRR_DEPTH, Evaluation, evaluate
from chunklab.grid import Grid, parse_grid
from chunklab.questions import parse_questions
from chunklab.recipe import Recipe
from chunklab.retrievers.base import best
from chunklab.retrievers.dense import Dense
from chunklab.scoring import score_rankings
from chunklab.sweep import sweep
from chunklab.sweep.costs import spent, stored
from chunklab.types import Document, Question

BYTES, QUESTIONS, KS = 200_000, 50, (1, 3, 5, 10)
GRID = "recursive(size=100..1080:20,overlap=[0,20%])"
QUICK = "recursive(size=[200,400,800],overlap=[0,20%])"
ROUNDING = 1e-6
"""Cosines of float32 vectors differ by less from exact ones."""
_fresh = iter(range(10_000))


class HashingAnew(Hashing):
    """Embeds the chunks' texts, as an embedder that knows nothing of their document."""

    def similarities(self, queries, chunks):
        return Embedder.similarities(self, queries, chunks)


class StaticAnew(Static):
    """Embeds the chunks' texts, as an embedder that knows nothing of their document."""

    def similarities(self, queries, chunks):
        return Embedder.similarities(self, queries, chunks)


PAIRS: list[tuple[str, Embedder, Embedder]] = [
    ("hashing", Hashing(), HashingAnew()),
    ("static", Static(), StaticAnew()),
]


@cache
def base() -> tuple[str, tuple[Question, ...]]:
    """The text that all others begin with, and the questions on it."""
    text = prose(BYTES - 8)
    lines = "\n".join(json.dumps(each) for each in questions(text, "prose", QUESTIONS))
    return text, parse_questions(lines, (Document("prose", text),))[0]


def new_corpus() -> Corpus:
    """A document that nothing is known about, its last characters being new, and the questions."""
    text, asked = base()
    return Corpus("prose", (Document("prose", f"{text} {next(_fresh):>7}"),), asked)


def forgotten(known: Corpus) -> Corpus:
    """The same corpus with nothing known about its document."""
    return replace(known, documents=tuple(map(replace, known.documents)))


def anew(known: Corpus, embedder: Embedder, recipe: Recipe) -> tuple[float, Evaluation]:
    """Seconds of CPU for a setting of which nothing is shared with others: a new document, every text embedded."""
    fresh = forgotten(known)
    return timed(lambda: evaluate(fresh, recipe, embedder, Dense(), KS))


def swept(fresh: Corpus, embedder: Embedder, grid: Grid) -> tuple[float, dict[str, dict[str, np.ndarray]]]:
    """Seconds of CPU for a whole sweep of a document that is new, and recipe -> scores."""
    seconds, done = timed(lambda: sweep(fresh, grid, embedder, Dense(), KS).run())
    return seconds, {each.recipe: each.values for each in done.measured}


def steps(embedder: Embedder, grid: Grid) -> dict[str, float]:
    """Milliseconds of CPU that each part of one more setting takes, on a document that is known."""
    known, spend = new_corpus(), dict.fromkeys(("cut", "similarities", "best", "scores", "costs"), 0.0)
    (document,), asked = known.documents, known.questions
    queries = [each.text for each in asked]

    def step(name: str, work: Callable[[], object]) -> object:
        seconds, made = timed(work)
        spend[name] += seconds * 1000 / len(grid)
        return made

    evaluate(known, grid.recipes[0], embedder, Dense(), KS)
    for recipe in grid.recipes:
        chunks = step("cut", lambda recipe=recipe: chunk(document, recipe))
        scores = step("similarities", lambda chunks=chunks: embedder.similarities(queries, chunks))
        ranks = step("best", lambda scores=scores: best(scores, MRR_DEPTH, "dense")).indices
        step("scores", lambda c=chunks, ranks=ranks: score_rankings(asked, [c], ranks, KS, depth=MRR_DEPTH))
        step("costs", lambda c=chunks, ranks=ranks: (stored([c], 1), spent([c], ranks, KS)))
    return spend


def timed(work: Callable[[], object]) -> tuple[float, object]:
    """Seconds of CPU of the whole process, and what was made."""
    gc.collect()
    start = time.process_time()
    made = work()
    return time.process_time() - start, made


def other_hits(one: Evaluation, other: Evaluation) -> tuple[int, float]:
    """How many of the first ten hits differ, and the largest difference of scores at which they do."""
    depth = min(10, one.ranking.indices.shape[1])
    moved = one.ranking.indices[:, :depth] != other.ranking.indices[:, :depth]
    gaps = np.abs(one.ranking.scores[:, :depth] - other.ranking.scores[:, :depth])[moved]
    return int(moved.sum()), float(gaps.max(initial=0.0))


def measure(name: str, embedder: Embedder, directly: Embedder, text: str, rounds: int) -> dict[str, object]:
    """The settings of a grid's text swept in every round, and between the rounds a share of them anew."""
    grid = parse_grid(text)
    first = Grid(grid.recipes[:1])
    # Tables and tokenisers are loaded before either side is measured.
    evaluate(new_corpus(), first.recipes[0], directly, Dense(), KS)
    swept(new_corpus(), embedder, first)
    gc.collect()
    gc.freeze()
    alone, together, direct, moved, gap = [], [], 0.0, 0, 0.0
    for round_ in range(rounds):
        alone.append(swept(new_corpus(), embedder, first)[0])
        known = new_corpus()
        seconds, values = swept(known, embedder, grid)
        together.append(seconds)
        for recipe in grid.recipes[round_::rounds]:
            took, found = anew(known, directly, recipe)
            direct += took
            shared = evaluate(known, recipe, embedder, Dense(), KS)
            same = all(
                np.array_equal(shared.values[each], values[str(recipe)][each]) for each in shared.values
            )
            count, at = other_hits(found, shared)
            moved, gap = moved + count, max(gap, at)
            if not same or at > ROUNDING:
                raise SystemExit(f"{name}: {recipe} gives other hits than when it is measured anew.")
    one, all_ = statistics.median(alone), statistics.median(together)
    added = (all_ - one) / (len(grid) - 1)
    return {
        "embedder": name,
        "grid": text,
        "settings": len(grid),
        "seconds": all_,
        "anew": direct,
        "ratio": direct / all_,
        "added": added * 1000,
        "anew_each": direct / len(grid) * 1000,
        "ratio_added": direct / len(grid) / added,
        "first": one * 1000,
        "hits": len(grid) * QUESTIONS * 10,
        "other_hits": moved,
        "largest_gap": gap,
        "steps": steps(embedder, grid),
    }


def report(found: Sequence[dict]) -> str:
    """The tables for RESULTS.md."""
    rows = [
        [
            each["embedder"], f"{each['seconds']:.2f}", f"{each['anew']:.1f}", f"{each['ratio']:.0f}",
            f"{each['added']:.1f}", f"{each['anew_each']:.0f}", f"{each['ratio_added']:.0f}",
        ]
        for each in found
    ]  # fmt: skip
    names = list(found[0]["steps"])
    parts = [[each["embedder"], *(f"{each['steps'][name]:.2f}" for name in names)] for each in found]
    hits = ", ".join(f"{each['other_hits']} of {each['hits']:,} ({each['embedder']})" for each in found)
    return "\n\n".join(
        [
            "## Sweep",
            f"{found[0]['settings']} settings, `{found[0]['grid']}`, {BYTES // 1000} KB of prose, {QUESTIONS} questions. Anew: a new "
            "document for each setting, cut, every chunk's text embedded by the same embedder, ranked and scored.",
            table(
                ["embedder", "sweep, s", "anew, s", "times", "added setting, ms", "anew, ms", "times "], rows
            ),
            "Where the milliseconds of one more setting go:",
            table(["embedder", *names], parts),
            f"All scores of the sweep equal those of `evaluate`. Hits among the first ten that differ from those "
            f"anew, all by less than {ROUNDING:g} in their cosine: {hits}.",
            conditions("numpy", "scipy"),
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="six settings, to see that all is well")
    parser.add_argument("--json", action="store_true", help="print every figure")
    parser.add_argument("--write", action="store_true", help="put the tables into RESULTS.md")
    options = parser.parse_args()
    found = [measure(*each, QUICK if options.quick else GRID, 1 if options.quick else 3) for each in PAIRS]
    print(json.dumps(found, indent=1) if options.json else report(found))
    if options.write:
        write("sweep", report(found))


if __name__ == "__main__":
    main()
