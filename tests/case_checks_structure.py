"""Checks on structure: headings, sentences, windows, parents, contexts, overlap, documents, vectors."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from tests.case_checks import brief, check
from tests.case_checks_text import visible_start
from tests.case_model import Check, NotRun, Result


@check("headings")
def headings(op: Check, result: Result) -> Iterable[str]:
    found = [list(each) for each in result.get("headings")]
    if found != op["value"]:
        yield brief(f"{found} instead of {op['value']}")


@check("heading_path")
def heading_path(op: Check, result: Result) -> Iterable[str]:
    found = [list(each.path) for each in result.get("pieces") if op["at"] in each.text]
    if not found or any(each != op["value"] for each in found):
        yield f"at {op['at']!r}: {found or 'no chunk'} instead of {op['value']}"


@check("front_matter")
def front_matter(op: Check, result: Result) -> Iterable[str]:
    found, text = result.get("front_matter"), result.get("text")
    wanted = op["span"]
    shown = [found[0], found[0] + len(text[found[0] : found[1]].rstrip())] if found else None
    if shown != [wanted[0], wanted[0] + len(text[wanted[0] : wanted[1]].rstrip())]:
        yield f"{shown or 'none found'} instead of {wanted}"


@check("sentences")
def sentences(op: Check, result: Result) -> Iterable[str]:
    found = [each.strip() for each in result.get("sentences")]
    if found != op["value"]:
        yield brief(f"{found} instead of {op['value']}")


@check("sentence_count")
def sentence_count(op: Check, result: Result) -> Iterable[str]:
    found = len(result.get("sentence_spans"))
    if found != op["eq"]:
        yield f"{found} sentences instead of {op['eq']}"


@check("ends_at_sentence_end")
def ends_at_sentence_end(op: Check, result: Result) -> Iterable[str]:
    ends = {start + len(text.rstrip()) for start, text in result.get("sentence_spans")}
    for at, each in enumerate(result.get("pieces")):
        if each.start + len(each.text.rstrip()) not in ends:
            yield f"chunk {at} ends inside a sentence: {each.text[-20:]!r}"


@check("boundary_sentence")
def boundary_sentence(op: Check, result: Result) -> Iterable[str]:
    spans = result.get("sentence_spans")
    if op["index"] >= len(spans):
        yield f"there are {len(spans)} sentences only"
        return
    start, text = spans[op["index"]]
    start += len(text) - len(text.lstrip())
    found = [visible_start(each) for each in result.get("pieces")]
    if start not in found:
        yield f"no chunk starts at sentence {op['index']}, offset {start}; starts are {found}"


@check("windows")
def windows(op: Check, result: Result) -> Iterable[str]:
    text = result.get("text")
    found, wanted = _trimmed(text, result.get("windows")), _trimmed(text, op["value"])
    if found != wanted:
        yield f"{found} instead of {wanted}"


@check("window_is_slice")
def window_is_slice(op: Check, result: Result) -> Iterable[str]:
    text, shown = result.get("text"), result.get("returned_texts")
    for at, ((start, end), piece) in enumerate(zip(result.get("windows"), result.get("pieces"), strict=True)):
        if text[start:end] != shown[at] or not start <= piece.start < piece.end <= end:
            yield f"window {at} is not source[{start}:{end}] around its chunk"


@check("children_in_parent")
def children_in_parent(op: Check, result: Result) -> Iterable[str]:
    parents = result.get("windows")
    number = {parent: at for at, parent in enumerate(dict.fromkeys(map(tuple, parents)))}
    for at, (piece, parent) in enumerate(zip(result.get("pieces"), parents, strict=True)):
        if not parent[0] <= piece.start < piece.end <= parent[1]:
            yield f"child {at} lies outside its parent {list(parent)}"
    found = [number[tuple(parent)] for parent in parents]
    if found != op["map"]:
        yield f"{found} instead of {op['map']}"


@check("topk_parents_unique")
def topk_parents_unique(op: Check, result: Result) -> Iterable[str]:
    found = [tuple(each) for each in result.get("returned_top")]
    if len(set(found)) != len(found):
        yield f"a parent comes back twice: {found}"


@check("count")
def count(op: Check, result: Result) -> Iterable[str]:
    pieces = result.get("pieces")
    if {"parents", "children"} & set(op):
        parents = len(set(map(tuple, result.get("windows"))))
        if op.get("parents", parents) != parents or op.get("children", len(pieces)) != len(pieces):
            yield f"{parents} parents and {len(pieces)} children instead of {dict(op)}"
        return
    yield from within(len(pieces), op, "chunks")


def within(found: float, op: dict[str, Any], what: str) -> Iterable[str]:
    """The failure, if any, of a number that must meet eq, ge and le."""
    if not {"eq", "ge", "le"} & set(op):
        raise NotRun("the check has no eq, ge or le")
    if found != op.get("eq", found) or found < op.get("ge", -math.inf) or found > op.get("le", math.inf):
        yield f"{found} {what}, wanted {', '.join(f'{n} {op[n]}' for n in ('eq', 'ge', 'le') if n in op)}"


@check("per_document")
def per_document(op: Check, result: Result) -> Iterable[str]:
    found = [[[each.start, each.end] for each in pieces] for _, pieces in result.get("documents")]
    if found != op["value"]:
        yield f"{found} instead of {op['value']}"


@check("reported_overlap_is_actual")
def reported_overlap_is_actual(op: Check, result: Result) -> Iterable[str]:
    pieces, reported = result.get("pieces"), result.get("reported_overlaps")
    actual = [max(0, a.end - b.start) for a, b in pairwise(pieces)]
    if list(reported) != actual:
        yield f"reported {list(reported)}, really {actual}"


@check("oversize_flagged")
def oversize_flagged(op: Check, result: Result) -> Iterable[str]:
    flagged = result.get("oversize")
    for at, long in enumerate(flagged["long"]):
        if long and at not in flagged["marked"]:
            yield f"chunk {at} is over the size and not marked"


@check("context_not_in_span")
def context_not_in_span(op: Check, result: Result) -> Iterable[str]:
    source = result.get("text")
    for at, each in enumerate(result.get("pieces")):
        context = each.context.strip()
        if source[each.start : each.end] != each.text:
            yield f"chunk {at} is not a slice of the source"
        elif context and each.text.lstrip().startswith(context):
            yield f"chunk {at} has its context in its text"


@check("each_chunk_with")
def each_chunk_with(op: Check, result: Result) -> Iterable[str]:
    wanted = op["also_has_context"]
    for at, each in enumerate(result.get("pieces")):
        if op["string"] in each.text and wanted not in each.text and wanted not in each.context:
            yield f"chunk {at} lacks the context {wanted!r}"


@check("embedded_text_startswith")
def embedded_text_startswith(op: Check, result: Result) -> Iterable[str]:
    for at, each in enumerate(result.get("pieces")):
        if not (each.context + each.text).startswith(op["value"]):
            yield f"what is embedded of chunk {at} starts {(each.context + each.text)[:30]!r}"


@check("non_increasing")
def non_increasing(op: Check, result: Result) -> Iterable[str]:
    runs = sorted(result.siblings, key=lambda each: each.value)
    counts = [len(each.get("pieces")) for each in runs]
    if len(counts) < 2:
        raise NotRun("one value of the setting only")
    if any(after > before for before, after in pairwise(counts)):
        yield f"counts {counts} for {[each.value for each in runs]} rise"


@check("count_at")
def count_at(op: Check, result: Result) -> Iterable[str]:
    values = {each.value: each for each in result.siblings}
    known = {"op", "eq", "ge", "le"}
    at = next((op[name] for name in op if name not in known and op[name] in values), None)
    if at is None:
        raise NotRun(f"none of the values {list(values)} is meant")
    yield from within(len(values[at].get("pieces")), op, f"chunks at {at}")


@check("compare")
def compare(op: Check, result: Result) -> Iterable[str]:
    changes = {name: op[name] for name in op if name not in ("op", "count", "eq", "ge", "le")}
    other = result.get("with_changes")(changes)
    bound = {"eq": op["count"]} if "count" in op else op
    yield from within(len(other.get("pieces")), bound, "chunks")


def _trimmed(text: str, spans: Iterable) -> list[list[int]]:
    return [[start, start + len(text[start:end].rstrip())] for start, end in spans]
