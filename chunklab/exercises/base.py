"""What an exercise is, how it is run, and how a claim is held against its numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chunklab.ceiling import ceiling
from chunklab.chance import chance_recall
from chunklab.chunking import Chunks, chunk
from chunklab.corpus import Corpus, join_corpora
from chunklab.errors import ChunklabError
from chunklab.experiment import Evaluation, evaluate
from chunklab.progress import tell
from chunklab.recipe import parse_component, parse_recipe
from chunklab.stats import Paired, bootstrap_interval, corrected_together, in_words, paired

Samples = Mapping[str, Corpus]
"""Name -> corpus; the exercises ask for prose, markdown, mixed and topics."""


@dataclass(frozen=True)
class Variant:
    """One row of an exercise: what is measured, and under which name."""

    name: str
    corpus: Corpus
    recipe: str
    embedder: str
    retriever: str = "dense()"


@dataclass(frozen=True)
class Claim:
    """That the variant `name` has a higher (`sign` 1) or lower (-1) `measure` than the one `than`."""

    text: str
    name: str
    than: str
    measure: str
    sign: int = 1


@dataclass(frozen=True)
class Judged:
    """A claim beside what was measured: `holds` is True, False, or None where the questions cannot tell."""

    claim: Claim
    paired: Paired
    holds: bool | None
    sentence: str


@dataclass(frozen=True)
class Result:
    """What one variant reached."""

    variant: Variant
    evaluation: Evaluation
    chunks: Sequence[Chunks] = field(repr=False)


@dataclass(frozen=True)
class Exercise:
    """One experiment: `variants` makes its rows from the samples and an embedder's text form.

    `notes` are further sentences drawn from the results. `embedder` is False where the exercise decides
    about the embedders itself.
    """

    order: int
    title: str
    asks: str
    measures: tuple[str, ...]
    variants: Callable[[Samples, str], list[Variant]]
    claims: tuple[Claim, ...] = ()
    notes: Callable[[Sequence[Result]], list[str]] = lambda results: []
    embedder: bool = True


@dataclass(frozen=True)
class Outcome:
    """The results of one run, in the order of the variants, with the claims judged."""

    exercise: Exercise
    results: tuple[Result, ...]
    judged: tuple[Judged, ...]
    notes: tuple[str, ...]

    def rows(self) -> list[dict[str, Any]]:
        """One tidy row a variant: its settings, then each measure's mean and 95 % interval.

        Beside recall stand what a random ranking would reach and the ceiling of any ranking.
        """
        rows = []
        for each in self.results:
            row: dict[str, Any] = {
                "variant": each.variant.name,
                "recipe": each.evaluation.recipe,
                "embedder": each.evaluation.embedder,
                "corpus": each.variant.corpus.name,
                "chunks": each.evaluation.chunks,
                "questions": len(each.evaluation.questions),
            }
            for name in self.exercise.measures:
                values = each.evaluation.value(name)
                low, high = bootstrap_interval(values) or (None, None)
                row |= {name: float(values.mean()), f"{name} low": low, f"{name} high": high}
                metric, _, k = name.partition("@")
                if metric == "recall":
                    questions = each.evaluation.questions
                    row[f"chance {name}"] = chance_recall(questions, each.chunks, int(k))
                    row[f"ceiling {name}"] = float(ceiling(questions, each.chunks, int(k)).mean())
            rows.append(row)
        return rows


def run(exercise: Exercise, samples: Samples, embedder: str = "static()", seed: int = 0) -> Outcome:
    """The exercise's outcome on the samples; what the listener of progress raises ends it.

    Raises ChunklabError when a sample is missing, and what a variant's recipe or embedder raises.
    """
    try:
        variants = exercise.variants(samples, embedder)
    except KeyError as error:
        raise ChunklabError(
            f"exercise {exercise.title}: needs the sample {error}, got {', '.join(samples) or 'none'}. "
            "Put it into sample_corpora."
        ) from None
    results = []
    for at, each in enumerate(variants):
        tell("settings measured", at, len(variants))
        results.append(_measured(each, exercise.measures))
    tell("settings measured", len(variants), len(variants))
    found = {each.variant.name: each.evaluation for each in results}
    pairs = [
        paired(found[claim.than].value(claim.measure), found[claim.name].value(claim.measure), seed)
        for claim in exercise.claims
    ]
    together = zip(exercise.claims, corrected_together(pairs), strict=True)
    judged = tuple(_judged(claim, each) for claim, each in together)
    return Outcome(exercise, tuple(results), judged, tuple(exercise.notes(results)))


def joined(samples: Samples, *names: str) -> Corpus:
    """The samples of these names as one corpus."""
    return join_corpora(" + ".join(names), [samples[name] for name in names])


def crossed(corpus: Corpus, recipes: Mapping[str, str], embedders: Mapping[str, str]) -> list[Variant]:
    """Every recipe with every embedder, named "recipe with embedder"."""
    return [
        Variant(f"{recipe} with {embedder}", corpus, recipes[recipe], embedders[embedder])
        for embedder in embedders
        for recipe in recipes
    ]


def _measured(variant: Variant, measures: Sequence[str]) -> Result:
    recipe = parse_recipe(variant.recipe)
    chunks = [chunk(document, recipe) for document in variant.corpus.documents]
    ks = sorted({int(k) for name in measures if (k := name.partition("@")[2])})
    evaluation = evaluate(
        variant.corpus,
        recipe,
        parse_component("embedders", variant.embedder),
        parse_component("retrievers", variant.retriever),
        ks or (1,),
        chunks,
        measures={name.partition("@")[0] for name in measures},
    )
    return Result(variant, evaluation, chunks)


def _judged(claim: Claim, found: Paired) -> Judged:
    holds = found.difference * claim.sign > 0 if found.distinguishable else None
    sentence = in_words(claim.than, claim.name, claim.measure, found)
    return Judged(claim, found, holds, sentence)
