"""Chunks that an embedding model would truncate."""

from __future__ import annotations

from chunklab.chunking import size_of
from chunklab.embedded import context_tokens, embedded_tokens
from chunklab.embedders.base import Embedder
from chunklab.errors import ParamError
from chunklab.limits import LIMITS, token_lengths
from chunklab.lint.base import Case, Problem, problem
from chunklab.lint.fixes import first_of, resplit
from chunklab.params import TOKENIZERS

SPECIAL = {"minilm": 2}
"""How many special tokens a model with this tokenizer puts around every text."""


def checked(model: str | Embedder | None) -> str | Embedder | None:
    """The model when it is known or none; raises ParamError otherwise."""
    if isinstance(model, str) and model and model not in LIMITS:
        raise ParamError("lint", "model", "one of " + ", ".join(LIMITS), model)
    return model or None


def detect(case: Case) -> Problem | None:
    """Each chunk that is, with its context, longer than the model's limit, in the model's own tokens.

    A context that makes the vectors from the whole document has no such limit.
    """
    model = case.model
    if model is None or case.recipe.embed_as.makes_vectors:
        return None
    if isinstance(model, str):
        limit, tokenizer = LIMITS[model]
        added, lengths = SPECIAL.get(tokenizer, 0), embedded_tokens(case.chunks, tokenizer)
    else:
        limit, tokenizer, added = model.limit, model.tokenizer, 0
        if limit is None:
            return None
        lengths = token_lengths(case.chunks, model)
    over = lengths + added > limit
    return problem(
        "over the model's limit",
        f"{model} reads {limit} tokens; what comes after them is never embedded.",
        case.spans[over],
        "Count the size in the model's own tokens and keep it below the limit.",
        _fix(case, limit, tokenizer) if over.any() and tokenizer in TOKENIZERS else None,
    )


def _fix(case: Case, limit: int, tokenizer: str) -> str | None:
    size = limit - SPECIAL.get(tokenizer, 0) - int(context_tokens(case.chunks, tokenizer).max())
    if size < 1:
        return None
    name = "max_size" if "max_size" in case.recipe.split.params() else "size"
    values = {name: size, "unit": "tokens", "tokenizer": tokenizer}
    key = case.recipe.split.key() if size_of(case.recipe) else "recursive"
    return first_of(resplit(case, key, **values), resplit(case, key, overlap="10%", **values))
