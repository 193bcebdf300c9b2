"""Vectors made of context more than of the chunk."""

from __future__ import annotations

from chunklab.embedded import MOST_CONTEXT, context_share
from chunklab.lint.base import Case, Problem, problem
from chunklab.lint.fixes import embedded
from chunklab.tokens import tokenizer
from chunklab.types import Cuts


def detect(case: Case) -> Problem | None:
    """Every chunk that has context, when that is over a quarter of all embedded tokens."""
    if not case.has_context.any():
        return None
    share = context_share(case.chunks, case.recipe.split.tokenizer)
    if share <= MOST_CONTEXT:
        return None
    return problem(
        "much context",
        f"{share:.0%} of the embedded tokens are context, not the chunk's own: chunks begin to look alike.",
        case.spans[case.has_context],
        f"Make the context shorter, or the chunks larger, until it is at most {MOST_CONTEXT:.0%}.",
        _fix(case, share),
    )


def _fix(case: Case, share: float) -> str | None:
    """The context's first number lowered until the share is right, or else no context."""
    context, own = case.recipe.embed_as, int(case.chunks.token_counts(case.recipe.split.tokenizer).sum())
    count = tokenizer(case.recipe.split.tokenizer).count_many
    cuts = Cuts(case.spans, case.chunks.reasons, case.chunks.reason_names)
    number = next((name for name, (_, spec) in context.params().items() if spec.kind == "int"), None)
    wanted = getattr(context, number) * MOST_CONTEXT / share if number else 0
    while wanted >= 1 and wanted >= context.params()[number][1].low:
        less = context.with_(**{number: int(wanted)})
        tokens = int(count(less.contexts(case.document, cuts)).sum())
        if tokens <= MOST_CONTEXT * (tokens + own):
            return embedded(case, context.key(), **{number: int(wanted)})
        wanted /= 2
    return embedded(case, "itself")
