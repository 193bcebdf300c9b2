"""From the plain words of a case's settings to a recipe; what chunklab lacks is NotBuilt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.case_model import NotBuilt
from tests.case_parts import component, context, parent, window, words_of

# Settings that say something else than how to cut.
ELSEWHERE = {
    "strategy", "strategies", "headers", "add_start_index", "view", "action", "file", "k", "gold_text", "gold_texts",
    "match", "documents", "note", "notes", "also", "also_run_on", "embedding_model_limit", "make", "raw", "T",
    "export", "allowed", "theme", "query", "embedder", "embeddings",
}  # fmt: skip
_TOKENIZERS = {
    "cl100k": "cl100k", "cl100k_base": "cl100k", "o200k": "o200k", "o200k_base": "o200k", "minilm": "minilm",
    "wordpiece": "minilm", "bert": "minilm", "all-minilm-l6-v2": "minilm", "bert-base-uncased": "minilm",
}  # fmt: skip
_UNITS = {
    "char": "chars", "character": "chars", "code point": "chars", "word": "words", "token": "tokens",
    "sentence": "sentences",
}  # fmt: skip
_OFF = ("strip", "trim", "strip_whitespace", "strip_headers")  # chunklab never does these
_SIZES = ("size", "chunk_size", "max_size")
_WITHIN_SENTENCES = 20  # a size without a unit up to this counts sentences


def counter(encoding: str) -> Callable[[str], int]:
    """A function from a text to its number of tokens; NotBuilt for an encoding chunklab lacks."""
    from chunklab.tokens import tokenizer

    return tokenizer(_tokenizer(encoding)).count


def recipe_of(settings: dict[str, Any]) -> Any:
    """The recipe that a case's settings mean, built here: a refused value raises chunklab's ParamError."""
    from chunklab.recipe import Recipe

    given = {name: value for name, value in settings.items() if name not in ELSEWHERE}
    name = words_of(settings.get("strategy", "recursive"))
    if name in ("parent document", "parent child", "parent", "small to big"):
        child = recipe_of(given.get("child", {}))
        return Recipe(child.split, child.embed_as, parent(given))
    if name == "sentence window":
        return Recipe(_split("sentence", {"size": 1}), context(None), window(given))
    prefix = given.pop("context_prefix", None)
    return Recipe(_split(name, given), context(prefix), component("returns", "itself", {}))


def strategy_key(name: str) -> str:
    """The key of the strategy that a name in plain words means; NotBuilt when there is none."""
    from chunklab.discovery import components

    known = components("strategies")
    for wanted in _candidates(words_of(name)):
        if wanted in known:
            return wanted
    raise NotBuilt(f"strategy {name}")


def _candidates(name: str) -> list[str]:
    first = name.split()[0] if name else ""
    exact = {
        "markdown": ["markdown", "headings"], "html": ["html", "headings"], "heading": ["headings"],
        "json": ["json"], "code": ["code"],
        "xml": ["xml"], "csv": ["rows", "csv"], "notebook": ["notebook"], "paragraphs": ["paragraph"],
        "sentences": ["sentence"], "characters": ["fixed"], "chars": ["fixed"], "words": ["fixed"],
        "tokens": ["fixed"], "token": ["fixed"], "semantic": ["semantic"],
    }  # fmt: skip
    if first == "fixed" and "sentence" in name:
        return ["sentence"]
    if first == "semantic" and name.endswith(("centroid", "cluster")):
        return [name.split()[-1]]
    return [name.replace(" ", "_"), *exact.get(first, []), first]


def _split(name: str, given: dict[str, Any]) -> Any:
    from chunklab.discovery import components

    key = strategy_key(name)
    fields = components("strategies")[key].params()
    if key in ("semantic", "centroid", "cluster", "late"):
        raise NotBuilt(f"strategy {name} with the vectors of the case")
    left = {each: value for each, value in given.items() if not (each in _OFF and value is False)}
    values: dict[str, Any] = {}
    size_name = "max_size" if "max_size" in fields else "size"
    size = next((left.pop(each) for each in _SIZES if each in left), None)
    overlap = left.pop("overlap", left.pop("chunk_overlap", 0))
    unit = left.pop("unit", None) or _unit(name, key, size)
    if ":" in str(unit):
        unit, _, left["tokenizer"] = unit.partition(":")
    unit = _UNITS.get(str(unit).lower().rstrip("s"), unit)
    if unit == "sentences":
        _count_sentences(values, size, overlap, fields)
    else:
        if size is not None:
            values[size_name] = size
        elif size_name == "max_size":
            values[size_name] = fields[size_name][1].high
        if unit is not None:
            values["unit"] = unit
    if "repeat" in values:
        values["overlap"] = 0
    elif "overlap" in fields:
        values["overlap"] = _overlap(overlap)
    elif overlap:
        raise NotBuilt(f"overlap for {key}")
    if "tokenizer" in left:
        values["tokenizer"] = _tokenizer(left.pop("tokenizer"))
    values.update(_particular(key, left, fields))
    for each in list(left):
        if each in fields:
            values[each] = left.pop(each)
    if left:
        raise NotBuilt(f"{key} with {', '.join(sorted(left))}")
    return component("strategies", key, values)


def _particular(key: str, left: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """Settings that one strategy has under another name; those used are taken out of `left`."""
    values: dict[str, Any] = {}
    if "levels" in left and "level" in fields:
        levels = left.pop("levels")
        if isinstance(levels, list) and sorted(levels) != list(range(1, len(levels) + 1)):
            raise NotBuilt(f"{key} with the levels {levels}")
        values["level"] = len(levels) if isinstance(levels, list) else levels
    language = left.pop("language", None) if key in ("recursive", "sentence", "code", "paragraph") else None
    if key == "recursive" and language:
        values["separators"] = _preset(language)
    if "keep" in fields and "keep_separator" in left:
        keep = left.pop("keep_separator")
        if keep in ("start", "end"):
            values["keep"] = keep
    regex = [
        left.pop(each) for each in ("separators_are_regex", "is_separator_regex", "regex") if each in left
    ]
    if regex and "regex" in fields:
        values["regex"] = regex[0]
    if "separator" in left and "separators" in fields:
        left["separators"] = [left.pop("separator")]
    if isinstance(left.get("separators"), list):
        left["separators"] = tuple(left["separators"])
    if left.get("repeat_table_header"):
        if not repeats_table_headers(key):
            raise NotBuilt("repeated table headers")
        left.pop("repeat_table_header")
    return values


def _preset(language: str) -> str:
    from chunklab.boundaries import PRESETS

    if language.lower() not in PRESETS:
        raise NotBuilt(f"separators for {language}")
    return language.lower()


def repeats_table_headers(key: str) -> bool:
    """True when this strategy gives the rows of a table that it cuts the table's header as context."""
    from chunklab.chunking import chunk
    from chunklab.intake import from_text

    rows = "".join(f"| {row} | value {row} |\n" for row in range(12))
    probe = from_text(f"# T\n\n| a | b |\n|---|---|\n{rows}", id="probe.md", media_type="text/markdown")
    return any(chunk(probe, f"{key}(max_size=60)").contexts)


def _unit(name: str, key: str, size: Any) -> str | None:
    if key == "sentence" and isinstance(size, int) and size <= _WITHIN_SENTENCES:
        return "sentence"
    return next((word for word in name.split() if word.rstrip("s") in _UNITS and word != key), None)


def _count_sentences(values: dict[str, Any], size: Any, overlap: Any, fields: dict[str, Any]) -> None:
    if "n" not in fields:
        raise NotBuilt("sizes in sentences for this strategy")
    if overlap:
        values["repeat"] = overlap
    if isinstance(size, int) and size < 1:
        values["size"] = size  # n = 0 has a meaning of its own; a size of 0 has none
    else:
        values["size"] = fields["size"][1].high
        values["n"] = 1 if size is None else size


def _overlap(value: Any) -> Any:
    if isinstance(value, float) and 0 < value < 1:
        return f"{value * 100:g}%"
    return value


def _tokenizer(name: Any) -> str:
    known = _TOKENIZERS.get(str(name).lower().rpartition("/")[2])
    if known is None:
        raise NotBuilt(f"tokenizer {name}")
    return known
