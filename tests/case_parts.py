"""The parts of a recipe beside the strategy, found by what their parameters are."""

from __future__ import annotations

from typing import Any

from tests.case_model import NotBuilt
from tests.case_names import words_of


def component(family: str, key: str, values: dict[str, Any]) -> Any:
    """One component by its key; NotBuilt when there is none."""
    from chunklab.discovery import components

    known = components(family)
    if key not in known:
        raise NotBuilt(f"{key} ({family})")
    strange = sorted(values.keys() - known[key].params().keys())
    if strange:
        raise NotBuilt(f"{key} with {', '.join(strange)}")
    return known[key](**values)


def context(given: dict[str, Any]) -> Any:
    """What is put before a chunk for embedding; the settings that say so are taken out of `given`."""
    from chunklab.discovery import components

    prefix = given.pop("context_prefix", None)
    named = given.pop("embed_as", given.pop("context", None))
    if prefix and named:
        raise NotBuilt("a context beside a prefix")
    if prefix:
        return component("contexts", "label", {"text": prefix})
    first = (words_of(named or "itself").split() or [""])[0]
    key = next((key for key in components("contexts") if key.rstrip("s") == first.rstrip("s")), None)
    if key is None or key == "late":
        raise NotBuilt(f"embedding as {named}")
    return component("contexts", key, {})


def window(given: dict[str, Any]) -> Any:
    """A return of as many sentences, or chunks, on either side as the case says."""
    unit = words_of(given.get("unit", given.get("of", "sentences")))
    if not unit.startswith(("sentence", "chunk")):
        raise NotBuilt(f"a window of {unit}")
    count = given.get("window", given.get("window_size", 1))
    return component(
        "returns", "window", {"n": count, "of": "chunks" if unit.startswith("chunk") else "sentences"}
    )


def parent(split: Any) -> Any:
    """A return of the larger piece that this strategy would cut."""
    by = {
        "fixed": "size",
        "recursive": "size",
        "paragraph": "paragraph",
        "headings": "section",
        "markdown": "section",
    }
    key = split.key()
    if key not in by or getattr(split, "overlap", 0):
        raise NotBuilt(f"return as parent by {split}")
    size = split.max_size if hasattr(split, "max_size") else split.size
    values = {"size": size, "unit": split.unit, "tokenizer": split.tokenizer, "by": by[key]}
    return component("returns", "parent", values)
