"""Exact token counts and token offsets, offline: cl100k, o200k and minilm."""

from __future__ import annotations

from functools import lru_cache

from chunklab.errors import ParamError
from chunklab.params import TOKENIZERS
from chunklab.tokens.base import Tokenizer
from chunklab.tokens.bpe import BytePairs
from chunklab.tokens.wordpiece import WordPieces

__all__ = ["Tokenizer", "tokenizer"]


@lru_cache
def tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name; its data is read when it is first used. ParamError if unknown."""
    if name not in TOKENIZERS:
        raise ParamError("tokens", "tokenizer", "one of " + ", ".join(TOKENIZERS), name, "Choose cl100k.")
    return WordPieces() if name == "minilm" else BytePairs(name)
