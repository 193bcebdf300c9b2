"""Cut documents into chunks for retrieval, and measure the cuts.

The names below are loaded when they are first used, so importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "Chunks": "chunking", "chunk": "chunking",
    "ChunklabError": "errors", "ContractError": "errors", "CorpusError": "errors",
    "IntakeError": "errors", "ParamError": "errors", "RecipeError": "errors",
    "Corpus": "corpus", "load_corpus": "corpus",
    "Evaluation": "experiment", "evaluate": "experiment",
    "Recipe": "recipe", "parse_component": "recipe", "parse_recipe": "recipe",
    "Chunk": "types", "Document": "types", "Evidence": "types", "Question": "types", "Span": "types",
    "components": "discovery",
    "from_text": "intake", "read_bytes": "intake",
    "report": "report",
}  # fmt: skip

__version__ = "0.1.0"
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"chunklab.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'chunklab' has no attribute {name!r}")
