"""Sentence-transformers models from a local folder: checked, loaded when first needed, and asked for vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from chunklab.errors import ChunklabError
from chunklab.kept import BATCH, Kept
from chunklab.progress import EMBEDDED
from chunklab.tokens.base import plain
from chunklab.vector_cache import key_of, vector_cache
from chunklab.vector_check import checked
from chunklab.weights import identity_of, load, model_files, require_hashes

_known: dict[Path, Neural] = {}
_opening = RLock()


class Neural:
    """One model. All methods may be called from any thread; one at a time does the work.

    `files` has the SHA-256 of each file that decides its vectors, `identity` is made of these. The model
    is loaded when something is not known without it: what was embedded before comes from the cache.
    """

    def __init__(self, owner: str, folder: Path, files: dict[str, str]):
        self.owner, self.files, self._folder = owner, files, folder
        self.identity = identity_of(files)
        self._lock = RLock()
        self._kept = Kept()

    @cached_property
    def _model(self) -> Any:
        with self._lock:
            if "_model" in self.__dict__:
                return self.__dict__["_model"]
            model = load(self.owner, self._folder, "SentenceTransformer")
            # "[SEP]" in a text is text.
            model.tokenizer.split_special_tokens = True
            return model

    @property
    def _reader(self) -> Any:
        return self._model.tokenizer

    @cached_property
    def limit(self) -> int:
        """The longest input in tokens, those that the model adds included."""
        return int(self._model.max_seq_length or self._reader.model_max_length)

    @cached_property
    def dims(self) -> int:
        """How many numbers a vector has."""
        return int(self._model.get_embedding_dimension())

    @cached_property
    def around(self) -> tuple[list[int], list[int]]:
        """The special tokens that the model puts before and after every text."""
        around, ids = self._ids("a"), self._ids("a", add_special_tokens=False)
        at = next(at for at in range(len(around)) if around[at : at + len(ids)] == ids)
        return around[:at], around[at + len(ids) :]

    @property
    def added(self) -> tuple[int, int]:
        """How many those are."""
        before, after = self.around
        return len(before), len(after)

    @cached_property
    def _named(self) -> str:
        """What keys of the cache are made with: the files, the longest input among them, and who reads them."""
        try:
            return f"{self.identity} {version('sentence-transformers')} {version('transformers')}"
        except PackageNotFoundError:
            return self.identity

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """(n, d) float32 rows of length one; a text without tokens gets a row of zeros.

        Each different text is embedded once, now and as long as the cache has it; what is over the limit
        is not read.
        """
        texts = [plain(each) for each in texts]
        if not texts:
            return np.zeros((0, self.dims), dtype=np.float32)
        keys = [key_of(self._named, each) for each in texts]
        return np.array(self._kept.rows(
            keys, list(map(len, texts)), lambda batch: self._made([texts[at] for at in batch]), EMBEDDED
        ))  # fmt: skip

    def holds(self, texts: Sequence[str]) -> bool:
        """True when the vectors of all these texts are in memory."""
        return self._kept.holds([key_of(self._named, plain(each)) for each in texts])

    def _made(self, texts: list[str]) -> np.ndarray:
        with self._lock:
            return checked(self.owner, self._encode(texts), len(texts), self.dims)

    def tokens(self, text: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(ids, starts, ends): int32, the model's own tokens of a text, half-open code points, no limit."""
        if not self._reader.is_fast:
            raise ChunklabError(f"{self.owner}: its tokenizer tells no offsets. Choose another model.")
        with self._lock:
            found = self._reader(
                plain(text), add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
            )  # fmt: skip
        ids, pairs = found["input_ids"], found["offset_mapping"]
        flat = np.fromiter(chain.from_iterable(pairs), dtype=np.int32, count=2 * len(pairs))
        return np.array(ids, dtype=np.int32), flat[::2].copy(), flat[1::2].copy()

    def token_vectors(self, windows: Sequence[np.ndarray], prefix: str = "") -> list[np.ndarray]:
        """(before + m + after, d) float32 for each window of m token ids; `prefix` is read before each.

        Before and after are the special tokens `added`. The rows of the prefix are left out.
        ChunklabError unless the model's vectors are means of these.
        """
        windows = [np.asarray(each, dtype="<i4") for each in windows]
        keys = [key_of(f"{self._named} tokens {prefix!r}", each.tobytes()) for each in windows]
        disk = vector_cache()
        found = disk.get(keys) if disk else {}
        new = {key: each for key, each in zip(keys, windows, strict=True) if key not in found}
        if new:
            made = dict(zip(new, self._read(list(new.values()), prefix), strict=True))
            if disk:
                disk.put({key: rows.ravel() for key, rows in made.items()})
            found |= made
        return [
            found[key].reshape(len(w) + sum(self.added), -1) for key, w in zip(keys, windows, strict=True)
        ]

    def _read(self, windows: Sequence[np.ndarray], prefix: str) -> list[np.ndarray]:
        import torch

        kinds = [type(each).__name__ for each in self._model]
        if kinds not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]) or (
            self._model[1].pooling_mode not in ("mean", ("mean",), ["mean"])
        ):
            raise ChunklabError(
                f"{self.owner}: its vectors are not means of token vectors, which late() needs. Choose minilm."
            )
        lead, tail = self.around
        before = [*lead, *(self._ids(prefix, add_special_tokens=False) if prefix else [])]
        rows = [[*before, *window.tolist(), *tail] for window in windows]
        width = max(map(len, rows))
        ids = torch.full((len(rows), width), int(self._reader.pad_token_id or 0))
        mask = torch.zeros((len(rows), width), dtype=torch.long)
        for at, row in enumerate(rows):
            ids[at, : len(row)] = torch.tensor(row)
            mask[at, : len(row)] = 1
        with self._lock, torch.inference_mode():
            vectors = self._model[0]({"input_ids": ids, "attention_mask": mask})["token_embeddings"].numpy()
        keep = [each for each in range(width) if not len(lead) <= each < len(before)]
        return [
            each[keep][: len(lead) + len(w) + len(tail)] for each, w in zip(vectors, windows, strict=True)
        ]

    def _ids(self, text: str, **settings: Any) -> list[int]:
        with self._lock:
            return list(self._reader(plain(text), **settings)["input_ids"])

    def _encode(self, texts: list[str]) -> np.ndarray:
        ids = self._reader(texts, add_special_tokens=False, truncation=True, max_length=8)["input_ids"]
        worded = [at for at, each in enumerate(ids) if each]
        out = np.zeros((len(texts), self.dims), dtype=np.float32)
        if worded:
            out[worded] = self._model.encode(
                [texts[at] for at in worded], batch_size=BATCH, prompt="", normalize_embeddings=True,
                show_progress_bar=False,
            )  # fmt: skip
        return out


def neural(owner: str, folder: Path, hashes: Mapping[str, str] | None = None) -> Neural:
    """The model of a folder, whose files are read on the first call of the process.

    `owner` names the component in errors. Files named in `hashes` must have that SHA-256. ChunklabError
    when there is no safe model; see `weights`.
    """
    folder = folder.resolve()
    with _opening:
        known = _known.get(folder)
        files = known.files if known else model_files(owner, folder)
        require_hashes(owner, files, hashes or {})
        if known is None:
            known = _known[folder] = Neural(owner, folder, files)
        return known
