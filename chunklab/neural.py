"""Sentence-transformers models from a local folder: checked, loaded once, and asked for vectors.

torch takes seconds to import, so it is imported by the function that loads a model and nowhere else.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from chunklab.errors import ChunklabError
from chunklab.progress import tell
from chunklab.tokens.base import plain

BATCH = 32
VECTORS_KEPT = 50_000
_FILES = ("*.safetensors", "*.json", "*.txt", "*.model", "*/*.safetensors", "*/*.json")
_loaded: dict[Path, Neural] = {}
_loading = RLock()


class Neural:
    """One model in memory. All methods may be called from any thread; one at a time does the work.

    `limit` is the longest input in tokens, of which `lead` and `tail` are added by the model around
    every text; `files` has the SHA-256 of each file that decides its vectors, `identity` is made of these.
    """

    def __init__(self, owner: str, model: Any, files: dict[str, str]):
        self.owner, self.files = owner, files
        self.identity = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:12]
        self._model, self._reader = model, model.tokenizer
        self._lock = RLock()
        self._kept: OrderedDict[bytes, np.ndarray] = OrderedDict()
        # "[SEP]" in a text is text.
        self._reader.split_special_tokens = True
        around, ids = self._ids("a"), self._ids("a", add_special_tokens=False)
        at = next(at for at in range(len(around)) if around[at : at + len(ids)] == ids)
        self._before, self._after = around[:at], around[at + len(ids) :]
        self.lead, self.tail = len(self._before), len(self._after)
        self.limit = int(model.max_seq_length or self._reader.model_max_length)
        self.dims = int(model.get_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """(n, d) float32 rows of length one; a text without tokens gets a row of zeros.

        Equal texts are embedded once, now and as long as they are among the newest 50,000. Texts of
        like length share a batch; what is over the limit is not read.
        """
        keys = [hashlib.blake2b(plain(each).encode(), digest_size=16).digest() for each in texts]
        with self._lock:
            found = {key: self._kept[key] for key in keys if key in self._kept}
            new = {key: plain(text) for key, text in zip(keys, texts, strict=True) if key not in found}
            waiting = sorted(new, key=lambda key: -len(new[key]))
            for low in range(0, len(waiting), BATCH):
                tell("texts embedded", low, len(waiting))
                batch = waiting[low : low + BATCH]
                made = dict(zip(batch, self._encode([new[key] for key in batch]), strict=True))
                found |= made
                self._kept |= made
            if waiting:
                tell("texts embedded", len(waiting), len(waiting))
            while len(self._kept) > VECTORS_KEPT:
                self._kept.popitem(last=False)
        return np.array([found[key] for key in keys], dtype=np.float32).reshape(len(texts), self.dims)

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
        """(lead + m + tail, d) float32 for each window of m token ids; `prefix` is read before each.

        The rows of the prefix are left out. ChunklabError unless the model's vectors are means of these.
        """
        import torch

        kinds = [type(each).__name__ for each in self._model]
        if kinds not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]) or (
            self._model[1].pooling_mode not in ("mean", ("mean",), ["mean"])
        ):
            raise ChunklabError(
                f"{self.owner}: its vectors are not means of token vectors, which late() needs. Choose minilm."
            )
        before = [*self._before, *(self._ids(prefix, add_special_tokens=False) if prefix else [])]
        rows = [[*before, *window.tolist(), *self._after] for window in windows]
        width = max(map(len, rows))
        ids = torch.full((len(rows), width), int(self._reader.pad_token_id or 0))
        mask = torch.zeros((len(rows), width), dtype=torch.long)
        for at, row in enumerate(rows):
            ids[at, : len(row)] = torch.tensor(row)
            mask[at, : len(row)] = 1
        with self._lock, torch.inference_mode():
            vectors = self._model[0]({"input_ids": ids, "attention_mask": mask})["token_embeddings"].numpy()
        keep = [each for each in range(width) if not self.lead <= each < len(before)]
        return [
            each[keep][: self.lead + len(w) + self.tail] for each, w in zip(vectors, windows, strict=True)
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
    """The model of a folder, loaded on the first call of the process.

    `owner` names the component in errors. Files named in `hashes` must have that SHA-256. Weights are
    read from safetensors only and no code of a model is run. ChunklabError when it cannot be loaded.
    """
    folder = folder.resolve()
    with _loading:
        known = _loaded.get(folder)
        files = known.files if known else _files(owner, folder)
        for name, sha256 in (hashes or {}).items():
            if files.get(name) != sha256:
                got = f"has the SHA-256 {files[name][:12]}…" if name in files else "is missing"
                raise ChunklabError(
                    f"{owner}: {name} {got}, but must have {sha256[:12]}…: it is damaged or not the model it "
                    "says. Install it again."
                )
        if known is None:
            tell(f"loading {owner}", 0, 1)
            known = _loaded[folder] = Neural(owner, _load(owner, folder), files)
            tell(f"loading {owner}", 1, 1)
        return known


def _files(owner: str, folder: Path) -> dict[str, str]:
    """The SHA-256 of each file that decides a model's vectors; ChunklabError when there is no safe model."""
    files = sorted({path for pattern in _FILES for path in folder.glob(pattern) if path.is_file()})
    if not any(path.name in ("modules.json", "config.json") for path in files):
        raise ChunklabError(
            f"{owner}: there is no model in this folder. It must hold what sentence-transformers saves: "
            "modules.json, config.json, tokenizer.json and weights as safetensors."
        )
    if not any(path.suffix == ".safetensors" for path in files):
        raise ChunklabError(
            f"{owner}: the model has no weights as safetensors, and other formats can run code when they are "
            "read. Choose a model that has them."
        )
    return {path.relative_to(folder).as_posix(): _sha256(path) for path in files}


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _load(owner: str, folder: Path) -> Any:
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    try:
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging
    except ImportError as error:
        raise ChunklabError(
            f"{owner}: cannot be used, {_line(error)}. Install sentence-transformers, or choose static or hashing."
        ) from error
    # Logical processors share a core, and a second thread on a shared core costs more than it brings.
    torch.set_num_threads(max(1, (os.cpu_count() or 2) // 2))
    bars = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        return SentenceTransformer(
            str(folder), device="cpu", local_files_only=True, trust_remote_code=False,
            model_kwargs={"use_safetensors": True},
        )  # fmt: skip
    except Exception as error:
        raise ChunklabError(
            f"{owner}: the model cannot be loaded ({_line(error)}). Choose another model, or static or hashing."
        ) from error
    finally:
        if bars:
            logging.enable_progress_bar()


def _line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")[:200]
