"""Experiments that tutorials propose, one a module, each measured with intervals and judged by its numbers.

A module holds one `EXERCISE`; adding one is adding one file.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from chunklab.exercises.base import Exercise


@cache
def exercises() -> dict[str, Exercise]:
    """Key -> exercise, in the order in which a newcomer would take them."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__) if info.name != "base")
    found = {name: importlib.import_module(f"{__name__}.{name}").EXERCISE for name in names}
    return dict(sorted(found.items(), key=lambda item: item[1].order))
