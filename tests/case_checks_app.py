"""Checks on the app: what the page shows, its state, its links, its exports."""

from __future__ import annotations

import base64
import csv
import io
import re
from collections.abc import Iterable
from urllib.parse import quote, quote_plus, unquote_plus

from tests.case_checks import brief, check
from tests.case_model import Check, NotRun, Result

_LINK = re.compile(r"https?://[^\s\"'<>)]+")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@check("displayed_text_equals_source")
def displayed_text_equals_source(op: Check, result: Result) -> Iterable[str]:
    shown, source = result.get("view").text, result.get("text")
    if shown != source:
        at = next((i for i, (a, b) in enumerate(zip(shown, source, strict=False)) if a != b), len(shown))
        yield f"differs at {at}: {shown[at : at + 30]!r} instead of {source[at : at + 30]!r}"


@check("html_escaped")
def html_escaped(op: Check, result: Result) -> Iterable[str]:
    view, source = result.get("view"), result.get("text")
    if view.dialogs:
        yield f"a script of the document ran: {view.dialogs}"
    for tag in sorted(set(re.findall(r"<([a-z][a-z0-9]*)", source.lower()))):
        if tag not in ("div", "span") and view.count(tag):
            yield f"the document's <{tag}> is an element of the page"
    if not all(markup in view.text for markup in re.findall(r"<[^<>\n]*>", source)):
        yield "markup of the document is not shown as text"


@check("no_element")
def no_element(op: Check, result: Result) -> Iterable[str]:
    for selector in op["selectors"]:
        if result.get("view").count(selector):
            yield f"the view has {selector}"


@check("no_latex")
def no_latex(op: Check, result: Result) -> Iterable[str]:
    found = result.get("view").count_on_page(".katex, .katex-html, math, mjx-container")
    if found:
        yield f"{found} formulas on the page"


@check("no_link_rendered")
def no_link_rendered(op: Check, result: Result) -> Iterable[str]:
    source = result.get("text")
    links = [
        link
        for link in result.get("view").links
        if link.rstrip("/") in source or link in _LINK.findall(source)
    ]
    if links:
        yield f"the document's links can be clicked: {links}"


@check("no_network")
def no_network(op: Check, result: Result) -> Iterable[str]:
    if result.get("view").foreign:
        yield f"requests left the page: {result.get('view').foreign}"


@check("page_alive")
def page_alive(op: Check, result: Result) -> Iterable[str]:
    if not result.get("alive"):
        yield "the page does not answer any more"


@check("whitespace_visible")
def whitespace_visible(op: Check, result: Result) -> Iterable[str]:
    view = result.get("view")
    if not view.white_space.startswith(("pre", "break-spaces")):
        yield f"blanks collapse: white-space is {view.white_space!r}"
    if not view.marks_blanks():
        yield "blanks at line ends, tabs and line ends cannot be made visible"


@check("overlap_marked")
def overlap_marked(op: Check, result: Result) -> Iterable[str]:
    shown, wanted = result.get("view").overlap_texts, result.get("overlap_texts")
    if not wanted:
        raise NotRun("no overlap in this case")
    if "".join(shown) != "".join(wanted):
        yield f"marked as overlap is {shown}, really it is {wanted}"


@check("state_after")
def state_after(op: Check, result: Result) -> Iterable[str]:
    state = result.get("state")
    for name, wanted in op["value"].items():
        found = state.get(name, state.get("max_size") if name == "size" else None)
        if isinstance(wanted, list):
            found = list(found) if isinstance(found, (list, tuple)) else found
        if found != wanted:
            yield f"{name} is {found!r}, wanted {wanted!r}"


@check("form_equals_used_params")
def form_equals_used_params(op: Check, result: Result) -> Iterable[str]:
    form, used = result.get("form"), result.get("used")
    for name in form.keys() & used.keys():
        if form[name] != used[name]:
            yield f"the form has {name} {form[name]!r}, the chunks were made with {used[name]!r}"
    if not form.keys() & used.keys():
        yield "the form shows none of the settings in use"


@check("defaults_used")
def defaults_used(op: Check, result: Result) -> Iterable[str]:
    found, wanted = result.get("used"), result.get("default_settings")
    if found != wanted:
        yield f"{found} instead of the defaults {wanted}"


@check("same_after_rerun", "same_spans", "roundtrip_equal")
def same(op: Check, result: Result) -> Iterable[str]:
    before, after = result.get({"same_after_rerun": "texts_seen"}.get(op["op"], op["op"]))
    if before != after:
        yield brief(f"{after} instead of {before}")


@check("chunks_recomputed")
def chunks_recomputed(op: Check, result: Result) -> Iterable[str]:
    used, fresh = result.get("spans_shown"), result.get("spans_fresh")
    if used != fresh:
        yield f"the page shows the cuts {used}, the new text has {fresh}"


@check("url_len")
def url_len(op: Check, result: Result) -> Iterable[str]:
    found = len(result.get("url"))
    if found > op["le"]:
        yield f"the link has {found} characters, limit {op['le']}"


@check("url_contains", "url_not_contains")
def url_contains(op: Check, result: Result) -> Iterable[str]:
    url, wanted = result.get("url"), op["op"] == "url_contains"
    for value in op["values"] if "values" in op else [op["value"]]:
        forms = {value, quote(value), quote_plus(value)}
        held = any(form in url for form in forms) or value in unquote_plus(url)
        if held != wanted:
            yield f"{value!r} is {'not ' if wanted else ''}in {brief(url)}"


@check("no_base64_of")
def no_base64_of(op: Check, result: Result) -> Iterable[str]:
    url = unquote_plus(result.get("url"))
    for value in op["values"] if "values" in op else [op["value"]]:
        for form in base64_forms(value):
            if form in url:
                yield f"{value!r} is in the link as base64"


def base64_forms(value: str) -> set[str]:
    """What base64 makes of the text's whole groups of three bytes, at each of the three alignments."""
    data = value.encode()
    whole = [data[shift : shift + (len(data) - shift) // 3 * 3] for shift in range(3)]
    coded = {
        encode(each).decode() for each in whole for encode in (base64.b64encode, base64.urlsafe_b64encode)
    }
    return {form for form in coded if form}


@check("cells")
def cells(op: Check, result: Result) -> Iterable[str]:
    found = [row["text"] for row in _rows(result)]
    if found != op["value"]:
        yield f"{found} instead of {op['value']}"


@check("cells_safe")
def cells_safe(op: Check, result: Result) -> Iterable[str]:
    for row in _rows(result):
        for name, value in row.items():
            if value and value.startswith(_FORMULA) and not _is_number(value):
                yield f"a cell of {name} starts {value[:12]!r}"


@check("numbers_untouched")
def numbers_untouched(op: Check, result: Result) -> Iterable[str]:
    for name in op["columns"]:
        for row in _rows(result):
            if not _is_number(row.get(name) or ""):
                yield f"{name} has {row.get(name)!r}"


@check("csv_reparse_equal_except_prefix")
def csv_reparse_equal(op: Check, result: Result) -> Iterable[str]:
    found, wanted = [row["text"] for row in _rows(result)], result.get("exported_texts")
    bare = [text[1:] if text[:1] == "'" and text[1:].startswith(_FORMULA) else text for text in found]
    if bare != wanted:
        yield brief(f"{bare} instead of {wanted}")


@check("export_name_matches")
def export_name_matches(op: Check, result: Result) -> Iterable[str]:
    if not re.search(op["regex"], result.get("export_name")):
        yield f"the file would be called {result.get('export_name')!r}"


@check("no_file_outside")
def no_file_outside(op: Check, result: Result) -> Iterable[str]:
    yield from (f"a file was written at {each}" for each in result.get("files_outside"))


def _rows(result: Result) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(result.get("csv"), newline="")))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
