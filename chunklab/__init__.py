"""Cut documents into chunks for retrieval, and measure the cuts.

The names below are loaded when they are first used, so importing the package costs next to nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_HOMES = {
    "Chunks": "chunking", "chunk": "chunking",
    "ChunklabError": "errors", "ContractError": "errors", "CorpusError": "errors",
    "IntakeError": "errors", "ParamError": "errors", "RecipeError": "errors",
    "Comparison": "compare", "compare": "compare",
    "Corpus": "corpus", "join_corpora": "corpus", "load_corpus": "corpus", "with_copies": "corpus",
    "Controls": "controls", "controls": "controls",
    "CutDiff": "diff", "diff": "diff",
    "Evaluation": "experiment", "evaluate": "experiment",
    "Grid": "grid", "parse_grid": "grid",
    "Paired": "stats", "bootstrap_interval": "stats", "corrected": "stats", "in_words": "stats", "paired": "stats",
    "Prompt": "prompt", "assemble": "prompt",
    "Plateau": "standing", "Standing": "standing", "front": "standing", "plateaus": "standing",
    "standing": "standing",
    "Recipe": "recipe", "parse_component": "recipe", "parse_recipe": "recipe",
    "Chunk": "types", "Document": "types", "Evidence": "types", "Question": "types", "Span": "types",
    "Sweep": "sweep.run", "sweep": "sweep",
    "boundary_scores": "segmentation", "pk": "segmentation", "window_diff": "segmentation",
    "ceiling": "ceiling",
    "components": "discovery",
    "eval_recall": "eval_recall",
    "from_text": "intake", "read_bytes": "intake",
    "load_run": "runs", "run_record": "runs", "save_run": "runs",
    "report": "report",
    "Verdict": "reasons", "verdicts": "reasons",
}  # fmt: skip

__version__ = "0.1.0"
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"chunklab.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'chunklab' has no attribute {name!r}")


class _Package(ModuleType):
    """A public name stays what it is when a module of the same name, such as `report`, is imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        own = isinstance(value, ModuleType) and _HOMES.get(name) == name
        super().__setattr__(name, getattr(value, name) if own else value)


sys.modules[__name__].__class__ = _Package
