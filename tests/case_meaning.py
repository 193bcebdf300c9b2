"""Cases of strategies that cut by meaning: their settings, and the vectors that a case gives its sentences."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.case_input import evaluate
from tests.case_model import NotBuilt, NotRun
from tests.case_names import method_in, strategy_key, words_of

_AMOUNTS = {
    "percentile": ("percentile", "breakpoint_percentile_threshold"),
    "threshold": ("distance_threshold", "threshold"),
    "deviations": ("deviations", "standard_deviations", "std"),
    "factor": ("factor", "iqr_factor", "interquartile_factor"),
}
_METHOD_OF = {"deviations": "deviation", "factor": "interquartile"}
_ANY_AMOUNT = ("breakpoint_threshold_amount", "amount")
_PLAIN_END = re.compile(r"[.!?*]+\s+|[。！？]\s*")
_VECTOR = r"\[[^\[\]]*\]"
_EVERY = re.compile(rf"(?:all|each|every)\b[^\[]*({_VECTOR})", re.I)
_EACH = re.compile(r"(?:(?:sentence|vector|row)\s+)?(?P<name>[a-z])\s*(?:->|=>|:|=|→)\s*(?P<rest>\[.+)", re.I)
_TURNS = re.compile(rf"altern\w*\s*:?\s*({_VECTOR}.*)", re.I)
_GROUP = re.compile(
    rf"(?:(?P<rest>the\s+rest|rest|others?|remaining)|sentences?\s+(?P<low>\d+)(?:\s*(?:-|to|\.\.)\s*(?P<high>\d+))?"
    rf"|(?:first|next|then)?\s*(?P<count>\d+)\s*(?:x|×|\*|times|sentences)?)[^\[\],;]*(?P<vector>{_VECTOR})", re.I
)  # fmt: skip
_DEGREES = re.compile(r"(cos|sin)\(([^()]*?)\s*(?:deg|degrees|°)\)")
_NAMES = {"cos": math.cos, "sin": math.sin, "sqrt": math.sqrt, "pi": math.pi, "radians": math.radians}
_NAMES |= {"nan": math.nan, "inf": math.inf, "abs": abs, "min": min, "max": max}


def meaning_settings(name: str, given: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    """The settings under chunklab's names: method, its amount, buffer and embedder."""
    from chunklab.discovery import components
    from chunklab.strategies.semantic import AMOUNTS

    key, left = strategy_key(name), dict(given)
    fields = components("strategies")[key].params()
    said = left.pop("method", left.pop("breakpoint_threshold_type", left.pop("breakpoint_type", None)))
    method = method_in(said or name)
    if said is not None and method is None:
        raise NotBuilt(f"{name} with the method {said}")
    if "similarity_threshold" in left:
        left["threshold"] = round(1 - left.pop("similarity_threshold"), 12)
    for field, names in _AMOUNTS.items():
        for each in names:
            if each in left:
                left[field] = left.pop(each)
                method = method or _METHOD_OF.get(field, field)
    amount = next((left.pop(each) for each in _ANY_AMOUNT if each in left), None)
    if amount is not None:
        left[AMOUNTS[method or "percentile"]] = amount
    if key == "semantic":
        left["method"] = method or "percentile"
    buffer = left.pop("buffer", left.pop("buffer_size", 0 if "embeddings" in settings else None))
    if buffer is not None and "buffer" in fields:
        left["buffer"] = buffer
    elif buffer:
        raise NotBuilt(f"{key} with a buffer")
    if key in ("semantic", "centroid") and not {"size", "max_size", "chunk_size"} & left.keys():
        left["size"] = fields["size"][1].high
    if "embedder" in settings and "embeddings" not in settings:
        left["embedder"] = embedder_key(settings["embedder"])
    return left


def embedder_key(said: Any) -> str:
    """The key of the embedder that a case names, or of one without a model where any will do."""
    from chunklab.discovery import components

    words = words_of(said)
    if words in components("embedders"):
        return words
    if words.split()[:1] == ["any"] or "hash" in words:
        return "hashing"
    raise NotBuilt(f"embedder {said}")


def give(document: Any, split: Any, said: Any) -> None:
    """Lets a strategy cut by the vectors of a case, one a sentence, as the case counts its sentences.

    Where chunklab finds another number of sentences and the plain rule (a stop, then blanks) finds as many
    as there are vectors, the document gets the sentences of the plain rule.
    """
    from chunklab.meaning import ByMeaning, give_vectors
    from chunklab.parts import sentences
    from chunklab.types import Document

    if not isinstance(split, ByMeaning):
        return
    text = document.text
    found = sentences(Document(document.id, text, document.media_type))
    starts = found.starts.tolist()
    rows = rows_of(said, [text[a:b] for a, b in zip(starts, found.ends.tolist(), strict=True)])
    plain = [
        len(text) - len(text.lstrip()),
        *(end for each in _PLAIN_END.finditer(text) if (end := each.end()) < len(text.rstrip())),
    ]
    if len(starts) != len(rows) == len(plain):
        document.fact("sentences", lambda: np.array(plain, dtype=np.int32))
    if split.parts(document).name != "sentence":
        raise NotBuilt(f"{split.key()} with one vector a sentence")
    give_vectors(document, split, rows or np.zeros((0, 1)))


def rows_of(said: Any, sentences: Sequence[str]) -> list[list[float]]:
    """The vectors, in the order of the sentences; NotBuilt for words nobody knows."""
    if isinstance(said, str):
        said = _in_words(said.strip(), len(sentences))
    if isinstance(said, dict):
        by_text = {words.strip(): row for words, row in said.items()}
        lacking = [each for each in sentences if each.strip() not in by_text]
        if lacking:
            raise NotBuilt(f"embeddings without one for {lacking[0]!r}")
        said = [by_text[each.strip()] for each in sentences]
    if not isinstance(said, (list, tuple)):
        raise NotRun(f"embeddings of type {type(said).__name__}")
    return [[math.nan if each is None else float(each) for each in row] for row in said]


def _in_words(words: str, count: int) -> list[Any]:
    if match := _EVERY.fullmatch(words):
        return [_row(match[1])] * count
    if match := _EACH.fullmatch(words):
        return [_row(match["rest"], {match["name"]: at, "n": count}) for at in range(count)]
    if match := _TURNS.fullmatch(words):
        turns = [_row(each) for each in re.findall(_VECTOR, match[1])]
        return [turns[at % len(turns)] for at in range(count)]
    groups = list(_GROUP.finditer(words))
    if groups and not re.search(r"[\[\]]", _GROUP.sub("", words)):
        return _grouped(groups, count)
    try:
        return list(evaluate(words, {**_NAMES, "n": count}))
    except Exception:
        raise NotBuilt(f"embeddings said as {words!r}") from None


def _grouped(groups: Sequence[re.Match], count: int) -> list[Any]:
    """Vectors of runs of sentences: so many, a range of numbers from 0, or all that are left."""
    rows: dict[int, Any] = {}
    for each in groups:
        row, free = _row(each["vector"]), (at for at in range(count) if at not in rows)
        if each["count"]:
            rows |= dict.fromkeys(range(len(rows), len(rows) + int(each["count"])), row)
        elif each["low"]:
            rows |= dict.fromkeys(range(int(each["low"]), int(each["high"] or each["low"]) + 1), row)
        else:
            rows |= dict.fromkeys(list(free), row)
    if sorted(rows) != list(range(len(rows))):
        raise NotBuilt("embeddings for some sentences only")
    return [rows[at] for at in range(len(rows))]


def _row(words: str, names: dict[str, Any] | None = None) -> Any:
    try:
        row = evaluate(_DEGREES.sub(r"\1(radians(\2))", words), {**_NAMES, **(names or {})})
    except Exception:
        raise NotBuilt(f"a vector said as {words!r}") from None
    if not isinstance(row, (list, tuple)):
        raise NotBuilt(f"a vector said as {words!r}")
    return list(row)


def numbers_of(made: Sequence[tuple[Any, Any]]) -> list[float]:
    """All that strategies by meaning compared, and where they cut."""
    from chunklab.meaning import curve

    found: list[float] = []
    for document, chunks in made:
        seen = curve(document, chunks.recipe.split)
        if seen is None:
            raise NotRun("this strategy compares no numbers")
        found += [*seen.distances.tolist(), *seen.values.tolist()]
        found += [] if seen.cutoff is None else [seen.cutoff]
    return found
