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
def components(family: str) -> dict[str, type[Component]]:
    """Key -> class for one family, keys in alphabetical order.

    A module `base` holds what a family shares. Every other module must define exactly one
    component; a module that cannot be imported or breaks this raises ChunklabError with its name.
    """
    package = importlib.import_module(f"chunklab.{family}")
    found: dict[str, type[Component]] = {}
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda each: each.name):
        if info.name == "base":
            continue
        name = f"{package.__name__}.{info.name}"
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
        found[info.name] = own[0]
    return found
