"""The tables of benchmarks/chroma.py as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from chroma_data import PUBLISHED, Row
from results import conditions, table

from chunklab.corpus import Corpus
from chunklab.stats import corrected_together, in_words, paired

if TYPE_CHECKING:
    from chroma import Found

Values = Mapping[str, np.ndarray]
"""Measure -> a value for each question."""

THEIRS = {
    "recall": "recall@5",
    "precision": "chroma_precision@5",
    "omega": "precision_omega",
    "iou": "chroma_iou@5",
}
"""A column of their table -> our name of the same measure."""
OWN = ("recall@5", "whole@5", "all_evidence@5", "precision@5", "iou@5", "ndcg@5", "mrr", "recall@1000tokens")
COMPARED = ("recall@5", "chroma_precision@5")
NEIGHBOURS = (
    ("TokenText 250/0", "TokenText 250/125"),
    ("TokenText 200/0", "TokenText 250/0"),
    ("Recursive 250/0", "Recursive 250/125"),
    ("Recursive 200/0", "Recursive 250/0"),
    ("Cluster 200/0", "Cluster 250/0"),
    ("TokenText 250/0", "Recursive 250/0"),
    ("TokenText 200/0", "Recursive 200/0"),
    ("Recursive 250/0", "Cluster 250/0"),
    ("Recursive 200/0", "Cluster 200/0"),
)
"""What is compared on the same questions: the second against the first, each with as many chunks as theirs."""


def shown(corpus: Corpus, done: list[Found]) -> str:
    """All tables but that of the time."""
    questions = len(corpus.questions)
    return "\n".join(
        [
            f"## The Chroma benchmark: {len(corpus.documents)} texts in one index, {questions} questions",
            "",
            conditions("numpy", "torch", "sentence-transformers", "tiktoken"),
            "Smith and Troynikov 2024, their table for all-MiniLM-L6-v2, five chunks retrieved, percent, mean ±",
            "standard deviation over the questions. Ours by exact search with true offsets; a verbatim copy of the",
            "evidence elsewhere in the texts counts as the evidence, or only its first place does.",
            "",
            "### Ours beside the published values, in their measures",
            "",
            beside(done, questions),
            "",
            "`within`: which of the four means lie within one standard error of the published ones, which is their",
            f"standard deviation / √{questions}; of the others how many standard errors they are away.",
            "",
            "### The same in our own measures, percent, copies counted",
            "",
            own(done),
            "",
            f"### On the same questions: what can be told apart, in percent, corrected for {len(COMPARED) * len(NEIGHBOURS)} comparisons",
            "",
            *(f"- {each}" for each in compared(done)),
        ]
    )


def timed(done: list[Found]) -> str:
    """What a run took in which vectors were made."""
    return "\n".join(
        [
            "## The Chroma benchmark: time",
            "",
            conditions("numpy", "torch", "sentence-transformers"),
            "Texts that a row shares with those above it are encoded once, the pieces that cluster compares among",
            "them. Another run finds all vectors in the cache and takes half a minute.",
            "",
            times(done),
        ]
    )


def beside(done: list[Found], questions: int) -> str:
    """Each published row, its standard error, and ours below it."""
    head = ["row", "what", "chunks", "characters", *THEIRS, "within"]
    lines = []
    for row in PUBLISHED:
        published = [getattr(row, name) for name in THEIRS]
        lines.append(
            [row.name, "published", "", "", *(f"{mean} ± {spread}" for mean, spread in published), ""]
        )
        errors = [spread / np.sqrt(questions) for _, spread in published]
        lines.append(["", "standard error", "", "", *(f"{each:.2f}" for each in errors), ""])
        for each in done:
            if each.configuration.row is row:
                size = [f"{each.chunks:,}", f"{each.characters:.0f}"]
                which = each.configuration.which
                for what, values in (
                    (f"ours, {which}", each.copies.values),
                    ("– first place only", each.first.values),
                    ("– edges without blanks", each.bare),
                ):
                    lines.append(["", what, *size, *cells(values), verdict(row, values)])
                    size = ["", ""]
    return table(head, lines, words=2)


def cells(values: Values) -> list[str]:
    """Mean ± standard deviation in percent of their four measures."""
    found = (100 * values[name] for name in THEIRS.values())
    return [f"{each.mean():.2f} ± {each.std():.1f}" for each in found]


def verdict(row: Row, values: Values) -> str:
    """ "all", or how many standard errors each mean that is farther than one is away."""
    away = []
    for name, ours in THEIRS.items():
        mean, spread = getattr(row, name)
        errors = (100 * values[ours].mean() - mean) / (spread / np.sqrt(len(values[ours])))
        if abs(errors) > 1:
            away.append(f"{name} {errors:+.1f}")
    return "all" if not away else f"not: {', '.join(away)}"


def own(done: list[Found]) -> str:
    """Our measures, unions instead of sums, and what bounds them."""
    head = ["recipe", *OWN, "ceiling@5", "over 256 tokens", "tied at 5/6"]
    lines = [
        [
            f"`{each.configuration.recipe}`",
            *(f"{100 * each.copies.values[name].mean():.1f}" for name in OWN),
            f"{100 * each.ceiling:.1f}",
            f"{100 * each.over:.0f}",
            str(each.copies.ties()[5]),
        ]
        for each in done
    ]
    return table(head, lines)


def compared(done: list[Found]) -> list[str]:
    """What may be said of neighbouring rows on the same questions, in sentences."""
    last = {each.configuration.row.name: each.copies.values for each in done}
    asked = [(metric, a, b) for metric in COMPARED for a, b in NEIGHBOURS]
    pairs = corrected_together(
        [paired(100 * last[a][metric], 100 * last[b][metric]) for metric, a, b in asked]
    )
    return [in_words(a, b, metric, pair) for (metric, a, b), pair in zip(asked, pairs, strict=True)]


def times(done: list[Found]) -> str:
    """Seconds by row and in all."""
    steps = list(done[0].seconds)
    head = ["recipe", "texts encoded", *(f"{step}, CPU s" for step in steps), "all, CPU s", "all, s"]

    def line(name: str, some: list[Found]) -> list[str]:
        spent = [[sum(each.seconds[step][at] for each in some) for step in steps] for at in (0, 1)]
        encoded = sum(each.encoded for each in some)
        each_step = [f"{seconds:.1f}" for seconds in spent[0]]
        return [name, f"{encoded:,}", *each_step, f"{sum(spent[0]):.0f}", f"{sum(spent[1]):.0f}"]

    return table(
        head, [*(line(f"`{each.configuration.recipe}`", [each]) for each in done), line("all", done)]
    )
