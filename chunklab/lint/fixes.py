"""Recipes with one thing changed, as text; None where a change is not to be had or changes nothing."""

from __future__ import annotations

from typing import Any

from chunklab.advise import structural
from chunklab.chunking import size_of
from chunklab.discovery import components
from chunklab.errors import ParamError
from chunklab.lint.base import Case
from chunklab.params import Component
from chunklab.recipe import Recipe


def first_of(*texts: str | None) -> str | None:
    """The first change that can be made."""
    return next((each for each in texts if each), None)


def changed(case: Case, **values: Any) -> str | None:
    """The same strategy with these of its parameters changed; None when it lacks one."""
    split = case.recipe.split
    if not set(values) <= set(split.params()):
        return None
    return _with(case, lambda: split.with_(**values), "split")


def resized(case: Case, size: int) -> str | None:
    """The same strategy with another size."""
    name = "max_size" if "max_size" in case.recipe.split.params() else "size"
    return changed(case, **{name: size})


def resplit(case: Case, key: str | None, at_least: int = 0, **values: Any) -> str | None:
    """Another strategy with the same size, at least `at_least`, and the same overlap, unit and tokenizer."""
    kind, old = components("strategies").get(key or ""), case.recipe.split
    if kind is None:
        return None
    size = max(size_of(case.recipe), at_least)
    kept = {name: size for name in ("size", "max_size") if size}
    kept |= {name: getattr(old, name) for name in ("overlap", "unit", "tokenizer") if hasattr(old, name)}
    if key == old.key():
        kept = {name: getattr(old, name) for name in old.params()} | kept
    fields = kind.params()
    wanted = {name: value for name, value in (kept | values).items() if name in fields}
    return _with(case, lambda: kind(**wanted), "split")


def along_structure(case: Case, at_least: int = 0) -> str | None:
    """The strategy that follows the document's own structure, with room for a unit of `at_least`."""
    return resplit(case, structural(case.document, 1), -(-at_least // 100) * 100)


def embedded(case: Case, key: str, **values: Any) -> str | None:
    """Another context."""
    kind = components("contexts").get(key)
    return _with(case, lambda: kind(**values), "embed_as") if kind else None


def returning(case: Case, key: str, **values: Any) -> str | None:
    """Another return."""
    kind = components("returns").get(key)
    return _with(case, lambda: kind(**values), "return_as") if kind else None


def _with(case: Case, make: Any, part: str) -> str | None:
    parts: dict[str, Component] = {
        name: getattr(case.recipe, name) for name in ("split", "embed_as", "return_as")
    }
    try:
        text = str(Recipe(**parts | {part: make()}))
    except ParamError:
        return None
    return text if text != str(case.recipe) else None
