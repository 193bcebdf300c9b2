"""Checks on the chunks' texts and spans."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from tests.case_checks import brief, check
from tests.case_model import Check, NotRun, Result

_BLANK = re.compile(r"\s|\x00|[\u200b\ufeff]")


def length(text: str, unit: str) -> int:
    """The text's length in a unit of the cases: char, word or token:ENCODING."""
    kind, _, name = unit.partition(":")
    kind = kind.rstrip("s").removesuffix("acter")
    if kind == "char":
        return len(text)
    if kind == "word":
        return len(text.split())
    if kind == "token":
        from tests.case_recipes import counter

        return counter(name or "cl100k_base")(text)
    raise NotRun(f"unit {unit} is unknown")


def limit(op: Check, result: Result) -> float:
    """The bound of a length check; a name such as "size" means that setting's value under test."""
    bound = op["le"]
    if not isinstance(bound, str):
        return bound
    if bound in result.settings:
        return result.settings[bound]
    if bound == "size" and result.value is not None:
        return result.value
    raise NotRun(f"no setting {bound} in this case")


def texts(result: Result) -> list[str]:
    """The chunks' texts in order."""
    return [each.text for each in result.get("pieces")]


@check("slice")
def is_slice(op: Check, result: Result) -> Iterable[str]:
    for text, pieces in result.get("documents"):
        for at, each in enumerate(pieces):
            if text[each.start : each.end] != each.text or not 0 <= each.start <= each.end <= len(text):
                yield f"chunk {at} is not source[{each.start}:{each.end}]"


@check("cover")
def cover(op: Check, result: Result) -> Iterable[str]:
    for text, pieces in result.get("documents"):
        seen = bytearray(len(text))
        for each in pieces:
            seen[each.start : each.end] = b"\1" * (each.end - each.start)
        blanks_may_miss = op.get("ignore", "none") in ("ws", "whitespace", "blanks")
        lost = [
            i for i, hit in enumerate(seen) if not hit and not (blanks_may_miss and _BLANK.match(text[i]))
        ]
        if lost:
            yield f"{len(lost)} characters in no chunk, first at {lost[0]}: {text[lost[0] : lost[0] + 20]!r}"


@check("monotonic")
def monotonic(op: Check, result: Result) -> Iterable[str]:
    for _, pieces in result.get("documents"):
        for before, after in pairwise(pieces):
            if after.start <= before.start:
                yield f"start {after.start} follows {before.start}"


@check("no_empty")
def no_empty(op: Check, result: Result) -> Iterable[str]:
    yield from (f"chunk {at} is blank" for at, text in enumerate(texts(result)) if not text.strip())


@check("index_contiguous")
def index_contiguous(op: Check, result: Result) -> Iterable[str]:
    for _, pieces in result.get("documents"):
        found = [each.index for each in pieces]
        if found != list(range(len(pieces))):
            yield f"indices are {found}"


@check("spans")
def spans(op: Check, result: Result) -> Iterable[str]:
    yield from _equal([[each.start, each.end] for each in result.get("pieces")], op["value"])


@check("texts")
def exact_texts(op: Check, result: Result) -> Iterable[str]:
    yield from _equal(texts(result), op["value"])


@check("texts_stripped")
def texts_stripped(op: Check, result: Result) -> Iterable[str]:
    yield from _equal([text.strip() for text in texts(result)], op["value"])


@check("starts_stripped")
def starts_stripped(op: Check, result: Result) -> Iterable[str]:
    yield from _equal([visible_start(each) for each in result.get("pieces")], op["value"])


@check("starts_in")
def starts_in(op: Check, result: Result) -> Iterable[str]:
    found = [each.start for each in result.get("pieces")]
    if not set(found) <= set(op["allowed"]):
        yield f"starts {found} are not all among {op['allowed']}"


@check("max_len", "max_len_with_prefix")
def max_len(op: Check, result: Result) -> Iterable[str]:
    bound = limit(op, result)
    prefixed = op["op"] == "max_len_with_prefix"
    for at, each in enumerate(result.get("pieces")):
        found = length(each.context + each.text if prefixed else each.text, op["unit"])
        if found > bound:
            yield f"chunk {at} has {found} {op['unit']}, limit {bound}"


@check("boundary_at")
def boundary_at(op: Check, result: Result) -> Iterable[str]:
    lacking = sorted(set(op["offsets"]) - {each.start for each in result.get("pieces")})
    if lacking:
        yield f"no chunk starts at {lacking}, starts are {[each.start for each in result.get('pieces')]}"


@check("boundary_not_in")
def boundary_not_in(op: Check, result: Result) -> Iterable[str]:
    found = {offset for each in result.get("pieces") for offset in (each.start, each.end)} & set(
        op["offsets"]
    )
    if found:
        yield f"cut at {sorted(found)}"


@check("boundaries_at_line_starts")
def boundaries_at_line_starts(op: Check, result: Result) -> Iterable[str]:
    for text, pieces in result.get("documents"):
        inside = [each.start for each in pieces if each.start and text[each.start - 1] not in "\n\r"]
        if inside:
            yield f"chunks start inside a line at {inside}"


@check("not_split", "not_split_any")
def not_split(op: Check, result: Result) -> Iterable[str]:
    for string in op["strings"] if "strings" in op else [op["string"]]:
        if not any(string in text for text in texts(result)):
            yield f"{string!r} is whole in no chunk"


@check("no_interior")
def no_interior(op: Check, result: Result) -> Iterable[str]:
    yield from (f"inside {text!r}" for text in texts(result) if op["string"] in text.strip())


@check("present")
def present(op: Check, result: Result) -> Iterable[str]:
    if not any(op["string"] in text for text in texts(result)):
        yield f"{op['string']!r} is in no chunk"


@check("absent")
def absent(op: Check, result: Result) -> Iterable[str]:
    if any(op["string"] in text for text in texts(result)):
        yield f"{op['string']!r} is in a chunk"


@check("order")
def order(op: Check, result: Result) -> Iterable[str]:
    joined, at = "\n".join(texts(result)), 0
    for string in op["strings"]:
        found = joined.find(string, at)
        if found < 0:
            yield f"{string!r} is missing or comes too early"
            return
        at = found + len(string)


@check("each_once")
def each_once(op: Check, result: Result) -> Iterable[str]:
    joined = "\n".join(texts(result))
    for string in op["strings"]:
        if joined.count(string) != 1:
            yield f"{string!r} occurs {joined.count(string)} times"


@check("no_chunk_startswith")
def no_chunk_startswith(op: Check, result: Result) -> Iterable[str]:
    bad = [text for text in texts(result) if text.startswith(tuple(op["any"]))]
    yield from (f"a chunk starts {text[:12]!r}" for text in bad)


@check("no_chunk_contains_all")
def no_chunk_contains_all(op: Check, result: Result) -> Iterable[str]:
    if any(all(string in text for string in op["strings"]) for text in texts(result)):
        yield f"{op['strings']} stand in one chunk"


@check("trim_consistent")
def trim_consistent(op: Check, result: Result) -> Iterable[str]:
    for text, pieces in result.get("documents"):
        trimmed = {each.text == each.text.strip() for each in pieces}
        if len(trimmed) > 1 and "".join(each.text for each in pieces) != text:
            yield f"some chunks are trimmed, some are not: {[each.text for each in pieces]}"


def visible_start(piece) -> int:
    """The offset of the chunk's first visible character."""
    return piece.start + len(piece.text) - len(piece.text.lstrip())


def _equal(found: list, wanted: list) -> Iterable[str]:
    if found != wanted:
        yield brief(f"{found} instead of {wanted}")
