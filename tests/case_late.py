"""Cases of late chunking: a model made after a case's description, and what it gives for chunks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from tests.case_input import evaluate
from tests.case_meaning import embedder_key
from tests.case_model import NotBuilt

_NUMBER = count()
_NAMES = {"int": int, "float": float, "len": len, "ord": ord}
_SPECIAL = {"before": ("cls", "bos", "start"), "after": ("sep", "eos", "end")}


@dataclass
class Late:
    """What late chunking gave for the chunks of one document; `scaled` are the vectors of length one."""

    means: list[list[float]]
    scaled: list[list[float]]
    notices: list[str]
    tokens: list[int] = field(default_factory=list)


def late_of(chunks: Any, settings: dict[str, Any]) -> Late | None:
    """None for chunks that are not embedded late; NotBuilt where the case's model cannot be made."""
    from chunklab.limits import embedding_notices

    context = chunks.recipe.embed_as
    if not context.makes_vectors:
        return None
    model = model_of(settings)
    means, scaled = context.means(chunks, model), context.vectors(chunks, model)
    starts = model.tokens(chunks.document.text)[1]
    first, last = np.searchsorted(starts, chunks.spans).T
    notices = list(embedding_notices(chunks, model))
    return Late(means.tolist(), scaled.tolist(), notices, (last - first).tolist())


def model_of(settings: dict[str, Any]) -> Any:
    """The model that the case describes or names."""
    if "fake_model" in settings:
        return fake_model(settings["fake_model"])
    if "embedder" in settings:
        from chunklab.discovery import components

        return components("embedders")[embedder_key(settings["embedder"])]()
    raise NotBuilt("late chunking without a model")


def fake_model(said: dict[str, Any]) -> Any:
    """A model whose token vectors are what the case says of each token.

    A token's id stands for its place in one text, so that a word that comes twice is two tokens. Like a
    real model it refuses more tokens than its limit, its special tokens included.
    """
    from chunklab.embedders.base import Embedder

    pattern = _pattern(str(said.get("tokenizer", "whitespace words")))
    value = value_of(said.get("token_vector"))
    special = {
        side: [_numbers(said[each]) for each in names if said.get(each) is not None]
        for side, names in _SPECIAL.items()
    }
    dims, name = len(value("w0", 0, 0)), f"fake {next(_NUMBER)}"
    places: list[tuple[str, int]] = []
    known: dict[str, tuple[np.ndarray, ...]] = {}

    class Fake(Embedder):
        limit = said.get("max_tokens", said.get("limit"))
        added = (len(special["before"]), len(special["after"]))
        fingerprint = name

        def embed(self, texts):
            return np.array(
                [[float(bool(each.strip()))] + [0.0] * (dims - 1) for each in texts], dtype=np.float32
            )

        def tokens(self, text):
            if text not in known:
                found = list(pattern.finditer(text))
                ids = range(len(places), len(places) + len(found))
                places.extend((each[0], at) for at, each in enumerate(found))
                edges = zip(*(each.span() for each in found), strict=True) if found else ((), ())
                known[text] = tuple(np.array(list(each), dtype=np.int32) for each in (ids, *edges))
            return known[text]

        def token_vectors(self, windows):
            return [self._read([int(each) for each in window]) for window in windows]

        def _read(self, ids):
            if self.limit is not None and len(ids) + sum(self.added) > self.limit:
                raise RuntimeError(f"the model was given {len(ids)} tokens and reads {self.limit}")
            rows = [value(places[id][0], at, places[id][1]) for at, id in enumerate(ids)]
            ends = [[(row * dims)[:dims] for row in special[side]] for side in ("before", "after")]
            return np.array([*ends[0], *rows, *ends[1]], dtype=np.float64).reshape(-1, dims)

    return Fake()


def value_of(said: Any) -> Callable[[str, int, int], list[float]]:
    """The vector of a token, from its text, its number in what the model is given, and in the document."""
    if isinstance(said, dict):
        rows = {words: _numbers(row) for words, row in said.items()}
        return lambda word, at, place: rows.get(word, [0.0] * len(next(iter(rows.values()))))
    if not isinstance(said, str):
        raise NotBuilt("a fake model without token vectors in words")
    inner = said.strip()
    inner = inner[1:-1] if inner.startswith("[") and inner.endswith("]") else inner
    parts = [_part(each) for each in re.split(r",(?![^(\[]*[)\]])", inner)]
    return lambda word, at, place: [float(part(word, at, place)) for part in parts]


def _part(words: str) -> Callable[[str, int, int], float]:
    plain = words.strip().lower()
    if re.search(r"\b(index|position|number)\b", plain) and not re.search(r"[()*+]", plain):
        if re.search(r"\b(document|text|source)\b", plain):
            return lambda word, at, place: place
        return lambda word, at, place: at
    if re.fullmatch(r"(?:the )?(?:word|token)?'?s? ?length(?: of the (?:word|token))?", plain):
        return lambda word, at, place: len(word)

    def calculated(word: str, at: int, place: int) -> float:
        names = {"word": word, "token": word, "index": at, "i": at, "position": at}
        return evaluate(words, {**_NAMES, **names})

    try:
        calculated("w0", 0, 0)
    except Exception:
        raise NotBuilt(f"token vectors said as {words!r}") from None
    return calculated


def _pattern(tokenizer: str) -> re.Pattern[str]:
    words = tokenizer.lower()
    if "char" in words:
        return re.compile(r"\S")
    if ("word" in words and "piece" in words) or "punct" in words:
        raise NotBuilt(f"a fake model with the tokenizer {tokenizer}")
    if "word" in words or "whitespace" in words or "blank" in words:
        return re.compile(r"\S+")
    raise NotBuilt(f"a fake model with the tokenizer {tokenizer}")


def _numbers(row: Any) -> list[float]:
    return [float(each) for each in row] if isinstance(row, (list, tuple)) else [float(row)]
