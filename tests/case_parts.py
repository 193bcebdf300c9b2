"""The parts of a recipe beside the strategy, found by what their parameters are."""

from __future__ import annotations

from typing import Any

from tests.case_model import NotBuilt


def words_of(name: Any) -> str:
    """A name in lower case with blanks between its words."""
    return str(name).lower().replace("_", " ").replace("-", " ").strip()


def component(family: str, key: str, values: dict[str, Any]) -> Any:
    """One component by its key; NotBuilt when there is none."""
    from chunklab.discovery import components

    known = components(family)
    if key not in known:
        raise NotBuilt(f"{key} ({family})")
    return known[key](**values)


def context(prefix: str | None) -> Any:
    """What is put before a chunk for embedding: nothing, or a text of the case's own."""
    from chunklab.discovery import components

    if prefix is None:
        return component("contexts", "itself", {})
    for key, kind in components("contexts").items():
        name = next(
            (n for n, (_, spec) in kind.params().items() if spec.kind == "str" and not spec.choices), None
        )
        if name:
            return component("contexts", key, {name: prefix})
    raise NotBuilt("a context with a text of one's own")


def window(given: dict[str, Any]) -> Any:
    """A return of as many sentences on either side as the case says."""
    from chunklab.discovery import components

    kind = components("returns").get("window")
    if kind is None:
        raise NotBuilt("return as window")
    fields = kind.params()
    number = next(name for name, (_, spec) in fields.items() if spec.kind == "int")
    values = {number: given.get("window", given.get("window_size", 1))}
    values.update({n: c for n, (_, spec) in fields.items() for c in spec.choices if c.startswith("sentence")})
    return component("returns", "window", values)


def parent(given: dict[str, Any]) -> Any:
    """A return that gives the reader the parent a case describes."""
    from chunklab.discovery import components

    kind = components("returns").get("parent")
    if kind is None:
        raise NotBuilt("return as parent")
    fields, wanted = kind.params(), given.get("parent", {})
    stem = words_of(wanted.get("strategy", "fixed")).split()[0].rstrip("s")
    values = {"size": wanted["size"]} if "size" in wanted and "size" in fields else {}
    chosen = {n: c for n, (_, spec) in fields.items() for c in spec.choices if c.startswith(stem)}
    if not chosen and stem not in ("fixed", "recursive"):
        raise NotBuilt(f"return as parent by {stem}")
    return component("returns", "parent", values | chosen)
