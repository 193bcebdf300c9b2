"""Cross-encoders from a local folder: a model that reads a question and a passage together and gives one score."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from chunklab.errors import ChunklabError
from chunklab.kept import Kept
from chunklab.tokens.base import plain
from chunklab.vector_cache import key_of
from chunklab.vector_check import checked
from chunklab.weights import identity_of, load, model_files

SCORED = "pairs scored"
_known: dict[Path, Pairs] = {}
_opening = RLock()


class Pairs:
    """One cross-encoder, loaded when a pair is not known from before. Safe to share between threads."""

    def __init__(self, owner: str, folder: Path, files: dict[str, str]):
        self.owner, self.identity, self._folder = owner, identity_of(files), folder
        self._lock = RLock()
        self._kept = Kept()

    @cached_property
    def _model(self) -> Any:
        with self._lock:
            if "_model" in self.__dict__:
                return self.__dict__["_model"]
            model = load(self.owner, self._folder, "CrossEncoder")
            # "[SEP]" in a text is text.
            model.tokenizer.split_special_tokens = True
            return model

    def scores(self, questions: Sequence[str], passages: Sequence[str]) -> np.ndarray:
        """(n,) float64: the model's own number for each question with its passage, before any squashing.

        What is over the model's limit is cut off the passage's end.
        """
        pairs = [(plain(a), plain(b)) for a, b in zip(questions, passages, strict=True)]
        keys = [key_of(self._named, f"{len(a)} {a}{b}") for a, b in pairs]
        lengths = [len(a) + len(b) for a, b in pairs]
        rows = self._kept.rows(keys, lengths, lambda batch: self._read([pairs[at] for at in batch]), SCORED)
        return np.array(rows, dtype=np.float64).reshape(len(pairs))

    @cached_property
    def _named(self) -> str:
        return f"pairs {self.identity} {version('sentence-transformers')} {version('transformers')}"

    def _read(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        with self._lock:
            model = self._model
            from torch.nn import Identity

            found = model.predict(
                pairs, batch_size=len(pairs), show_progress_bar=False, activation_fn=Identity()
            )
        return checked(self.owner, np.asarray(found).reshape(len(pairs), -1), len(pairs), 1)


def cross_encoder(owner: str, folder: Path) -> Pairs:
    """The model of a folder; ChunklabError when there is no safe one, or one that gives no single score."""
    folder = folder.resolve()
    with _opening:
        if folder not in _known:
            files = model_files(owner, folder)
            _require_one_score(owner, folder / "config.json")
            _known[folder] = Pairs(owner, folder, files)
        return _known[folder]


def _require_one_score(owner: str, config: Path) -> None:
    # Any other model would be given a head of random numbers.
    try:
        said = json.loads(config.read_text("utf-8"))
        kinds, labels = said.get("architectures") or [], said.get("id2label", {0: ""})
    except (OSError, ValueError, AttributeError):
        kinds, labels = [], {}
    if not any(str(each).endswith("ForSequenceClassification") for each in kinds) or len(labels) != 1:
        raise ChunklabError(
            f"{owner}: must be a cross-encoder with one score for a pair, got {', '.join(map(str, kinds)) or 'another model'}"
            f"{f' with {len(labels)} labels' if len(labels) > 1 else ''}. Choose one that was trained for reranking."
        )
