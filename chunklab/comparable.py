"""Whether two run records may be compared, and what differs between them besides the recipe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chunklab import __version__
from chunklab.errors import ChunklabError

NAMED = 5
"""How many ids a message names before it ends with an ellipsis."""


def require_same_corpus(a: Mapping[str, Any], b: Mapping[str, Any]) -> None:
    """Raises ChunklabError, with the reason, unless both `corpus` parts are of the same documents and questions."""
    ids = [{question["id"] for question in each["questions"]} for each in (a, b)]
    if a["digest"] == b["digest"] and ids[0] == ids[1]:
        return
    changed = [id for id, digest in a["documents"].items() if b["documents"].get(id, digest) != digest]
    facts = [
        ("documents only in A", [id for id in a["documents"] if id not in b["documents"]]),
        ("documents only in B", [id for id in b["documents"] if id not in a["documents"]]),
        ("documents that were changed", changed),
        ("questions only in A", sorted(ids[0] - ids[1])),
        ("questions only in B", sorted(ids[1] - ids[0])),
    ]
    told = [f"{what}: {_list(names)}" for what, names in facts if names]
    reason = "; ".join(told) or "a question's text or its evidence was changed"
    raise ChunklabError(f"compare: the corpora differ: {reason}. Evaluate both recipes on the same corpus.")


def differences(a: Mapping[str, Any], b: Mapping[str, Any], shared: Sequence[str]) -> Iterable[str]:
    """What a reader of the comparison must know, each a sentence; `shared` are the measures that both have."""
    for name, run in (("A", a), ("B", b)):
        asked, done = len(run["settings"].get("recipes", [])), len(run["results"])
        if done > 1:
            yield f"{name} has {done} results; the first is compared. Choose another by its number, as run.json#2."
        if done < asked:
            yield f"{name} was stopped: {done} of {asked} recipes are done."
        if run["chunklab"] != __version__:
            yield (
                f"{name} was made by chunklab {run['chunklab']} and this is {__version__}. Evaluate it again: cuts "
                "or measures may have changed."
            )
    for what in ("embedder", "fingerprint", "retriever"):
        one, other = (str(run["results"][0].get(what, "")) for run in (a, b))
        if one != other:
            yield f"the {what} differs, {one} in A and {other} in B: a difference is not of the recipe alone."
    if a["chunklab"] != b["chunklab"]:
        yield f"the versions differ: chunklab {a['chunklab']} in A and {b['chunklab']} in B."
    others = [
        f"{name} {a['versions'].get(name, 'none')} in A and {b['versions'].get(name, 'none')} in B"
        for name in dict.fromkeys([*a["versions"], *b["versions"]])
        if a["versions"].get(name) != b["versions"].get(name)
    ]
    if others:
        yield f"the versions differ: {'; '.join(others)}."
    alone = [name for run in (a, b) for name in run["results"][0]["metrics"] if name not in shared]
    if alone:
        yield f"measures that only one has are left out: {_list(alone)}."


def _list(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED]) + (f", … ({len(names)})" if len(names) > NAMED else "")
