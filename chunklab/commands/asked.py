"""What `evaluate` and `sweep` share: on which corpus, with what, and which measures."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunklab.commands.base import add_seed, whole_numbers
from chunklab.errors import ParamError

if TYPE_CHECKING:
    from chunklab.checks import Metric
    from chunklab.corpus import Corpus
    from chunklab.embedders.base import Embedder
    from chunklab.retrievers.base import Retriever

MOST = 1_000_000
"""The largest k and the largest budget."""


def add_asked(parser: argparse.ArgumentParser) -> None:
    """The arguments that `Asked` reads."""
    argument = parser.add_argument
    argument("corpus", metavar="CORPUS", help="a folder of documents with a questions.jsonl")
    argument("--embedder", default="hashing", help="such as minilm or 'hashing(dims=512)'")
    argument("--retriever", default="dense", help="how chunks are ranked, such as bm25 or hybrid")
    argument("-k", default="1,3,5,10", help="numbers of chunks looked at, separated by commas")
    argument("--budget", metavar="TOKENS", help="also measure what fits so many tokens, such as 500,1000")
    argument("--measures", metavar="NAMES", help="what to measure, such as recall,whole,mrr")
    argument("--controls", action="store_true", help="also what chance and the best ranking would reach")
    add_seed(parser)


class Asked:
    """The options, read and checked before anything is computed.

    `ks`, `budgets` and `measures` hold what the options name and what `metrics` need besides.
    """

    corpus: Corpus
    embedder: Embedder
    retriever: Retriever

    def __init__(self, options: argparse.Namespace, metrics: Iterable[Metric]):
        from chunklab.corpus import load_corpus
        from chunklab.metrics import CORE, score_names
        from chunklab.recipe import parse_component

        owner, metrics = options.command, list(metrics)
        ks = whole_numbers(options.k, owner, "-k", MOST, "1,3,5,10")
        budgets = whole_numbers(options.budget, owner, "--budget", MOST, "500,1000") if options.budget else ()
        measures = [each.strip() for each in options.measures.split(",")] if options.measures else CORE
        self.ks = tuple(sorted({*ks, *(each.k for each in metrics if each.k)}))
        self.budgets = tuple(sorted({*budgets, *(each.budget for each in metrics if each.budget)}))
        self.measures = tuple(dict.fromkeys([*measures, *(each.measure for each in metrics)]))
        score_names(self.ks, self.budgets, self.measures)
        self.seed, self.controls = options.seed, options.controls
        self.embedder = parse_component("embedders", options.embedder)
        self.retriever = parse_component("retrievers", options.retriever)
        self.corpus = load_corpus(options.corpus)
        if options.out and Path(options.out).resolve().is_relative_to(Path(options.corpus).resolve()):
            must = "outside the corpus, where it would be read as a document"
            raise ParamError(owner, "--out", must, options.out, "Choose another folder.")

    @property
    def settings(self) -> dict[str, Any]:
        """The same as plain values for JSON."""
        return {
            "embedder": str(self.embedder), "fingerprint": self.embedder.fingerprint,
            "retriever": str(self.retriever), "ks": list(self.ks), "budgets": list(self.budgets),
            "measures": list(self.measures), "controls": self.controls, "seed": self.seed,
        }  # fmt: skip

    def about(self) -> dict[str, Any]:
        """The corpus, and what happened when it was read and when vectors were kept, as plain values for JSON."""
        from chunklab.vector_cache import cache_notices

        documents = self.corpus.documents
        read = [
            f"{each.id}: {notice}" if len(documents) > 1 else notice
            for each in documents
            for notice in each.notices
        ]
        return {
            "corpus": self.corpus.name,
            "documents": len(documents),
            "questions": len(self.corpus.questions),
            "embedder": str(self.embedder),
            "retriever": str(self.retriever),
            "notices": [*self.corpus.notices, *read, *cache_notices()],
        }
