"""Any other sentence-transformers model."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from chunklab.embedders.base import Embedder, embedded_texts, over_param, prefix_param, prefixed
from chunklab.errors import ChunklabError, ParamError, shown
from chunklab.neural import Neural, neural
from chunklab.params import param

if TYPE_CHECKING:
    from chunklab.chunking import Chunks

ALLOWED = "CHUNKLAB_DOWNLOAD"
"""Set to 1 in the environment, models may be fetched from Hugging Face; without it nothing goes out."""
_FILES = ("*.json", "*.safetensors", "*.txt", "*.model")
_PLACES = ("onnx/*", "openvino/*", "*/onnx/*", "*/openvino/*")
_KNOWN = {
    "sentence-transformers/all-MiniLM-L6-v2": {
        "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    },
}


@dataclass(frozen=True)
class Model(Embedder):
    """Sentence vectors of a model by its Hugging Face name or its folder on this machine.

    Only weights stored as safetensors are read, code that comes with a model is never run, and a model
    that is not on this machine is fetched only where the environment says CHUNKLAB_DOWNLOAD=1.
    """

    label: ClassVar[str] = "another model"
    assumes: ClassVar[str] = "The model was trained for search, and the prefixes are those of its training."
    fails: ClassVar[str] = "A wrong or missing prefix costs quality and says nothing."

    name: str = param("sentence-transformers/all-MiniLM-L6-v2", help="A Hugging Face name, or a folder.")
    over: str = over_param()
    query_prefix: str = prefix_param("question")
    passage_prefix: str = prefix_param("chunk")

    def check(self) -> None:
        if not self.name.strip():
            raise ParamError("model", "name", "a Hugging Face name or a folder", self.name)

    @property
    def limit(self) -> int | None:
        """The model's own, which loads it."""
        return self._model().limit

    def at_hand(self, chunks: Chunks) -> bool:
        return self._model().holds(prefixed(self.passage_prefix, embedded_texts(chunks)))

    @property
    def fingerprint(self) -> str:
        return f"{self} {self._model().identity}"

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return self._model().embed(texts)

    def tokens(self, text: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self._model().tokens(text)

    def token_vectors(self, windows: Sequence[np.ndarray]) -> list[np.ndarray]:
        return self._model().token_vectors(windows, self.passage_prefix)

    @property
    def added(self) -> tuple[int, int]:
        return self._model().added

    def _model(self) -> Neural:
        owner = f"model {shown(self.name)}"
        return neural(owner, folder_of(self.name, owner), _KNOWN.get(self.name))


def folder_of(name: str, owner: str) -> Path:
    """Where a model is, by its folder or by its Hugging Face name; ChunklabError when it is not here."""
    local = Path(name).expanduser()
    return local if local.is_dir() else _fetched(name, owner)


def _fetched(name: str, owner: str) -> Path:
    """The folder in Hugging Face's cache, filled first where that is allowed."""
    allowed = os.environ.get(ALLOWED) == "1"
    from huggingface_hub import snapshot_download

    try:
        return Path(
            snapshot_download(
                name, local_files_only=not allowed, allow_patterns=list(_FILES), ignore_patterns=list(_PLACES)
            )
        )
    except Exception as error:
        what = (
            f"cannot be fetched ({(str(error).strip().splitlines() or [''])[0][:160]}). Check the name and the network"
            if allowed
            else f"is not on this machine. Start with {ALLOWED}=1 in the environment to fetch it once"
        )
        raise ChunklabError(f"{owner}: {what}, or give the folder of a model.") from error
