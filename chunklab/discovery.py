"""Finds every component by looking into its family's folder: adding one is adding one file."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache

from chunklab.errors import ChunklabError
from chunklab.params import Component

FAMILIES = ("strategies", "contexts", "returns", "embedders", "retrievers")


@cache
def keys(family: str) -> tuple[str, ...]:
    """The keys of one family in alphabetical order; nothing is imported but the family's package.

    A module `base` holds what a family shares, every other one is a component.
    """
    package = importlib.import_module(f"chunklab.{family}")
    return tuple(sorted(each.name for each in pkgutil.iter_modules(package.__path__) if each.name != "base"))


@cache
def component(family: str, key: str) -> type[Component]:
    """The class of one component, for one of `keys(family)`.

    Its module must define exactly one; where it cannot be imported or breaks this, ChunklabError has its name.
    """
    name = f"chunklab.{family}.{key}"
    try:
        module = importlib.import_module(name)
    except Exception as error:
        raise ChunklabError(f"{name}: cannot be imported ({error}).") from error
    own = [
        each
        for each in vars(module).values()
        if inspect.isclass(each) and issubclass(each, Component) and each.__module__ == name
    ]
    if len(own) != 1:
        raise ChunklabError(f"{name}: must define exactly one component, got {len(own)}.")
    return own[0]


@cache
def components(family: str) -> dict[str, type[Component]]:
    """Key -> class for one family, keys in alphabetical order; raises ChunklabError as `component` does."""
    return {key: component(family, key) for key in keys(family)}
