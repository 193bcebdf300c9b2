"""The public benchmark of Smith and Troynikov (2024) with our strategies, beside what they published.

python benchmarks/chroma.py --data DIR [--quick] [--json] [--write]
DIR holds questions_df.csv and corpora/; README.md says where to get them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import torch
from chroma_data import CONFIGURATIONS, Configuration, load, shortened
from chroma_tables import shown, timed
from results import write

from chunklab.ceiling import ceiling
from chunklab.chunking import Chunks, chunk
from chunklab.corpus import Corpus, with_copies
from chunklab.embedders.base import embedded_texts
from chunklab.embedders.minilm import Minilm
from chunklab.experiment import Evaluation, evaluate
from chunklab.metrics import CORE
from chunklab.progress import EMBEDDED, listening
from chunklab.retrievers.dense import Dense
from chunklab.scan import scan
from chunklab.scoring import score_rankings
from chunklab.types import Cuts

K, BUDGET = 5, 1000
MEASURES = (*CORE, "chroma_precision", "chroma_iou", "precision_omega")


@dataclass
class Found:
    """What one configuration gave. `copies` counts every verbatim copy of the evidence, `first` does not.

    `bare` are the scores of `copies` with the blanks at the edges of chunks left out, as theirs have none.
    `seconds` are (CPU, wall) of cutting, embedding, and of search with both scores; `encoded` texts had no
    vector yet, those that the strategy itself compares among them.
    """

    configuration: Configuration
    chunks: int
    characters: float
    over: float
    copies: Evaluation
    first: Evaluation
    bare: dict[str, np.ndarray]
    ceiling: float
    encoded: int = 0
    seconds: dict[str, tuple[float, float]] = field(default_factory=dict)


class Clock:
    """Seconds of CPU and of the wall by what was done, and how many texts were encoded meanwhile."""

    def __init__(self) -> None:
        self.seconds: dict[str, tuple[float, float]] = {}
        self.encoded = 0

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Times the block and counts its texts."""
        cpu, wall = time.process_time(), time.perf_counter()
        with listening(self._hear):
            yield
        self.seconds[what] = (time.process_time() - cpu, time.perf_counter() - wall)

    def _hear(self, what: str, done: int, total: int) -> None:
        if what == EMBEDDED and done == total:
            self.encoded += total


def measure(configuration: Configuration, corpus: Corpus, copied: Corpus, embedder: Minilm) -> Found:
    """Cuts, embeds, searches one index over all texts, and scores."""
    clock = Clock()
    with clock.timed("cutting"):
        chunks = [chunk(each, configuration.recipe) for each in corpus.documents]
    with clock.timed("embedding"):
        embedder.embed([text for each in chunks for text in dict.fromkeys(embedded_texts(each))])
    with clock.timed("search and scores"):
        first, copies = (
            evaluate(each, chunks[0].recipe, embedder, Dense(), (K, 10), chunks, (BUDGET,), MEASURES)
            for each in (corpus, copied)
        )
    return Found(
        configuration,
        copies.chunks,
        float(np.concatenate([each.spans[:, 1] - each.spans[:, 0] for each in chunks]).mean()),
        over_limit(chunks, embedder),
        copies,
        first,
        score_rankings(copies.questions, bared(chunks), copies.ranking.indices, (K,), measures=MEASURES),
        float(ceiling(copied.questions, chunks, K).mean()),
        clock.encoded,
        clock.seconds,
    )


def bared(chunks: list[Chunks]) -> list[Chunks]:
    """The chunks without the blanks at their edges."""
    made = []
    for each in chunks:
        known = scan(each.document)
        spans = np.stack((known.next_visible[each.spans[:, 0]], known.visible_end[each.spans[:, 1]]), axis=1)
        made.append(Chunks(each.document, each.recipe, Cuts(spans, each.reasons, each.reason_names)))
    return made


def over_limit(chunks: list[Chunks], embedder: Minilm) -> float:
    """Share of the chunks that the model does not read to their end."""
    tokens = np.concatenate([each.token_counts(embedder.tokenizer) for each in chunks])
    return float((tokens + sum(embedder.added) > embedder.limit).mean())


def run(corpus: Corpus, report: Callable[[str], None]) -> list[Found]:
    """Every configuration, one after the other."""
    copied, embedder, done = with_copies(corpus), Minilm(), []
    for each in copied.notices:
        report(each)
    # The questions are known before the clock starts, and the model is loaded if it is needed for them.
    embedder.embed([each.text for each in corpus.questions])
    torch.set_num_threads(os.cpu_count() or 1)
    for configuration in CONFIGURATIONS:
        done.append(measure(configuration, corpus, copied, embedder))
        spent = ", ".join(f"{what} {cpu:.0f} s" for what, (cpu, _) in done[-1].seconds.items())
        recall = 100 * done[-1].copies.values["recall@5"].mean()
        report(f"{configuration.recipe}: {done[-1].chunks} chunks, recall@5 {recall:.1f}, CPU: {spent}")
    return done


def plain(done: list[Found]) -> list[dict]:
    """Everything measured, for --json: means, and each question's values."""
    return [
        {
            "published": each.configuration.row.name,
            "recipe": each.configuration.recipe,
            "chunks": each.chunks,
            "seconds": each.seconds,
            "encoded": each.encoded,
            "copies": lists(each.copies.values),
            "first": lists(each.first.values),
            "bare": lists(each.bare),
        }
        for each in done
    ]


def lists(values: dict[str, np.ndarray]) -> dict[str, list[float]]:
    """Each question's values for JSON."""
    return {name: each.tolist() for name, each in values.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--data", type=Path, required=True, metavar="DIR", help="questions_df.csv and corpora/"
    )
    parser.add_argument(
        "--quick", action="store_true", help="the three short texts only: shows that all is well"
    )
    parser.add_argument(
        "--json", action="store_true", help="print every question's values instead of the tables"
    )
    parser.add_argument("--write", action="store_true", help="put the tables into RESULTS.md")
    asked = parser.parse_args()
    corpus = load(asked.data)
    if asked.quick:
        corpus = shortened(corpus)
    done = run(corpus, lambda line: print(line, file=sys.stderr, flush=True))
    text, encoded = shown(corpus, done), sum(each.encoded for each in done)
    print(json.dumps(plain(done)) if asked.json else f"{text}\n\n{timed(done)}")
    if asked.write:
        write("chroma", text)
        if encoded:
            write("chroma time", timed(done))
    return 0


if __name__ == "__main__":
    sys.exit(main())
