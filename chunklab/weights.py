"""Models in a local folder, checked before anything of them is read: safetensors only, and no code of theirs is run.

torch takes seconds to import, so it is imported by the function that loads a model and nowhere else.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chunklab.errors import ChunklabError
from chunklab.progress import tell

_FILES = ("*.safetensors", "*.json", "*.txt", "*.model", "*/*.safetensors", "*/*.json")


def model_files(owner: str, folder: Path) -> dict[str, str]:
    """The SHA-256 of each file that decides what a model says.

    `owner` names the component in errors. ChunklabError when there is no safe model in the folder.
    """
    paths = sorted({path for pattern in _FILES for path in folder.glob(pattern) if path.is_file()})
    if not any(path.name in ("modules.json", "config.json") for path in paths):
        raise ChunklabError(
            f"{owner}: there is no model in this folder. It must hold what sentence-transformers saves: "
            "modules.json, config.json, tokenizer.json and weights as safetensors."
        )
    if not any(path.suffix == ".safetensors" for path in paths):
        raise ChunklabError(
            f"{owner}: the model has no weights as safetensors, and other formats can run code when they are "
            "read. Choose a model that has them."
        )
    return {path.relative_to(folder).as_posix(): _sha256(path) for path in paths}


def require_hashes(owner: str, files: Mapping[str, str], hashes: Mapping[str, str]) -> None:
    """ChunklabError unless the files named in `hashes` have that SHA-256."""
    for name, sha256 in hashes.items():
        if files.get(name) != sha256:
            got = f"has the SHA-256 {files[name][:12]}…" if name in files else "is missing"
            raise ChunklabError(
                f"{owner}: {name} {got}, but must have {sha256[:12]}…: it is damaged or not the model it "
                "says. Install it again."
            )


def identity_of(files: Mapping[str, str]) -> str:
    """12 hexadecimal digits that name a model by its files."""
    return hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:12]


def load(owner: str, folder: Path, kind: str, **settings: Any) -> Any:
    """The model as sentence-transformers' class of that name; ChunklabError when it cannot be loaded."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    tell(f"loading {owner}", 0, 1)
    try:
        import sentence_transformers
        import torch
        from transformers.utils import logging
    except ImportError as error:
        raise ChunklabError(
            f"{owner}: cannot be used, {_line(error)}. Install sentence-transformers, or choose another."
        ) from error
    # Logical processors share a core, and a second thread on a shared core costs more than it brings.
    torch.set_num_threads(max(1, (os.cpu_count() or 2) // 2))
    bars = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        model = getattr(sentence_transformers, kind)(
            str(folder), device="cpu", local_files_only=True, trust_remote_code=False,
            model_kwargs={"use_safetensors": True}, **settings,
        )  # fmt: skip
    except Exception as error:
        raise ChunklabError(
            f"{owner}: the model cannot be loaded ({_line(error)}). Choose another model."
        ) from error
    finally:
        if bars:
            logging.enable_progress_bar()
    tell(f"loading {owner}", 1, 1)
    return model


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")[:200]
