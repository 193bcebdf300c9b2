"""From the plain words of a case's settings to a recipe; what chunklab lacks is NotBuilt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.case_meaning import meaning_settings
from tests.case_model import NotBuilt
from tests.case_names import heading_level, language_key, strategy_key, words_of
from tests.case_parts import component, context, parent, window

# Settings that say something else than how to cut.
ELSEWHERE = {
    "strategy", "strategies", "add_start_index", "view", "action", "file", "k", "gold_text", "gold_texts",
    "match", "documents", "note", "notes", "also", "also_run_on", "embedding_model_limit", "make", "raw", "T",
    "export", "allowed", "theme", "query", "embedder", "embeddings", "fake_model",
}  # fmt: skip
_TOKENIZERS = {
    "cl100k": "cl100k", "cl100k_base": "cl100k", "o200k": "o200k", "o200k_base": "o200k", "minilm": "minilm",
    "wordpiece": "minilm", "bert": "minilm", "all-minilm-l6-v2": "minilm", "bert-base-uncased": "minilm",
}  # fmt: skip
_UNITS = {
    "char": "chars", "character": "chars", "code point": "chars", "word": "words", "token": "tokens",
    "sentence": "sentences",
}  # fmt: skip
_OFF = ("strip", "trim", "strip_whitespace", "strip_headers", "ensure_ascii")  # chunklab never does these
_SIZES = ("size", "chunk_size", "max_size", "max_chunk_size")
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
        child = recipe_of(_inner(given, "child", {}))
        larger = recipe_of(_inner(given, "parent", {"strategy": "recursive", "size": 2000})).split
        return Recipe(child.split, child.embed_as, parent(larger))
    if name in ("sentence window", "window"):
        base = recipe_of(_inner(given, "base", {"strategy": "sentence", "size": 1}))
        return Recipe(base.split, base.embed_as, window(given))
    if name.split()[:1] == ["late"]:
        return Recipe(
            _late_base(given), component("contexts", "late", given), component("returns", "itself", {})
        )
    embed_as = context(given)
    if name.startswith(("semantic", "centroid", "cluster", "adaptive")):
        given = meaning_settings(name, given, settings)
    return Recipe(_split(name, given), embed_as, component("returns", "itself", {}))


def _inner(given: dict[str, Any], name: str, otherwise: dict[str, Any]) -> dict[str, Any]:
    """The settings of a part that has a strategy of its own: an object, a name, or a size such as child_size."""
    inner = given.get(name, otherwise)
    inner = {"strategy": inner} if isinstance(inner, str) else dict(inner)
    return inner | ({"size": given[f"{name}_size"]} if f"{name}_size" in given else {})


def _late_base(given: dict[str, Any]) -> Any:
    """The strategy that late chunking pools over; what is left in `given` are the settings of late itself."""
    if "base" not in given:
        raise NotBuilt("late chunking without a strategy")
    inner = _inner(given, "base", {})
    given.pop("base_size", None)
    if isinstance(given.pop("base"), str):
        own = {each: given.pop(each) for each in (*_SIZES, "unit", "tokenizer") if each in given}
        inner |= own
    return recipe_of(inner).split


def _split(name: str, given: dict[str, Any]) -> Any:
    from chunklab.discovery import components

    key = strategy_key(name)
    fields = components("strategies")[key].params()
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
    if "headers" in left and "level" in fields:
        left["levels"] = sorted({heading_level(each) for each in left.pop("headers")})
    if "levels" in left and "level" in fields:
        levels = left.pop("levels")
        if isinstance(levels, list) and sorted(levels) != list(range(1, len(levels) + 1)):
            raise NotBuilt(f"{key} with the levels {levels}")
        values["level"] = len(levels) if isinstance(levels, list) else levels
    language = left.pop("language", None) if key in ("recursive", "sentence", "code", "paragraph") else None
    if key == "recursive" and language:
        values["separators"] = _preset(language)
    if key == "code" and language:
        values["language"] = language_key(str(language))
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
    repeat = left.pop("repeat_table_header", left.pop("repeat_header", None))
    if "header" in fields and repeat is not None:
        values["header"] = repeat
    elif repeat and not repeats_table_headers(key):
        raise NotBuilt("repeated table headers")
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

    if key not in ("headings", "markdown"):
        return False
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
