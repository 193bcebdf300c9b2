"""`chunklab cache`: how much the vector cache holds, and how to empty it."""

from __future__ import annotations

import argparse
from typing import Any

from chunklab.commands.base import counted


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser("cache", help="what the cache of vectors holds, and emptying it")
    parser.add_argument(
        "--clear", action="store_true", help="forget all vectors; they are made again when needed"
    )
    parser.set_defaults(run=run, show=show)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Where the cache is, how many vectors and bytes it holds, of how many, before and after clearing."""
    from chunklab.vector_cache import vector_cache

    cache = vector_cache()
    if cache is None:
        return {"file": None, "vectors": 0, "bytes": 0, "limit": 0, "cleared": False, "notices": []}
    found = {"file": str(cache.path), **cache.size()._asdict(), "cleared": options.clear}
    if options.clear:
        cache.clear()
        found["left"] = cache.size()._asdict()
    return found | {"notices": list(cache.notices)}


def show(result: dict[str, Any]) -> str:
    """The file, and how full it is."""
    if result["file"] is None:
        return "The cache of vectors is turned off: CHUNKLAB_CACHE is off."
    held = f"{counted(result['vectors'], 'vector')}, {result['bytes'] / 2**20:.1f} of {result['limit'] / 2**20:,.0f} MB"
    done = f"cleared; {counted(result['left']['vectors'], 'vector')} left" if result["cleared"] else ""
    return "\n".join([f"{result['file']}: {held}", *filter(None, [done, *result["notices"]])])
