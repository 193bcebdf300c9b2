"""For every check on outcomes, numbers and the app: a result that holds and a result that fails."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any

from tests.case_examples import cut, result
from tests.case_model import Result


@dataclass
class Shown:
    """Stands for the page of a document."""

    text: str = "a <b> c"
    dialogs: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    overlap_texts: list[str] = field(default_factory=list)
    white_space: str = "pre-wrap"
    marks: bool = True
    elements: tuple[str, ...] = ()

    def count(self, selector: str) -> int:
        return self.elements.count(selector)

    def count_on_page(self, selector: str) -> int:
        return sum(each in selector for each in self.elements)

    def marks_blanks(self) -> bool:
        return self.marks


def shown(text: str = "a <b> c", overlap: tuple[str, ...] = (), **fields: Any) -> Result:
    """The page of a document with this text."""
    return result({"view": Shown(**{"text": text, **fields}), "text": text, "overlap_texts": list(overlap)})


def page(**facts: Any) -> Result:
    """A result with these facts."""
    return result(facts)


def table(text: str) -> Result:
    """An export with this text in its one row."""
    return page(csv=f'start,end,text\n0,5,"{text}"\n', exported_texts=["=1+1"])


MORE: list[tuple[str, dict[str, Any], Result, Result]] = [
    ("error", {"mentions": ["Size"]}, result(error=ValueError("size must be …")),
     result(error=ValueError("no"))),
    ("error", {"mentions": []}, result(error=ValueError("x")), result()),
    ("error", {"mentions": []}, result(error=UnicodeError("x")), result(error=KeyError("x"))),
    ("error", {"mentions": [], "within_s": 1}, result(error=ValueError("x")),
     result(error=ValueError("x"), seconds=2.0)),
    ("no_exception", {}, result(), result(error=ValueError("x"))),
    ("no_exception_of", {"types": ["RecursionError"]}, result(error=ValueError("x")),
     result(error=RecursionError())),
    ("warned", {"about": "Model limit"}, page(notices=["the model limit of 256"]), page(notices=["other"])),
    ("shown", {"about": "encoding"}, page(notices=["Encoding: UTF-16"]), page(notices=[])),
    ("message", {"about": "empty"}, page(notices=["is empty"]), page(notices=[])),
    ("documented", {"about": "overlap"}, page(documentation="the overlap is"), page(documentation="")),
    ("no_traceback_shown", {}, page(page_tracebacks=[]), page(page_tracebacks=["KeyError"])),
    ("time", {"lt_s": 1}, result(seconds=0.5), result(seconds=1.5)),
    ("ratio", {"sizes": [1, 2, 4], "lt": 3}, page(seconds_at=lambda n: n), page(seconds_at=lambda n: n * n)),
    ("peak_memory_mb", {"le": 200}, page(peak_memory_mb=150.0), page(peak_memory_mb=250.0)),
    ("doc_text", {"value": "ab"}, page(text="ab"), page(text="ab\n")),
    ("doc_text_contains", {"values": ["b"]}, page(text="ab"), page(text="a")),
    ("doc_text_equals_input", {}, page(text="é", given_text="é"), page(text="\u00e9", given_text="e\u0301")),
    ("accepted", {"values": ["A.TXT"]}, page(accepts=lambda name: True), page(accepts=lambda name: False)),
    ("type_of", {"value": "markdown"}, page(media_type="text/markdown"), page(media_type="text/plain")),
    ("metric", {"name": "r@1", "eq": 0.5}, page(metrics={"r@1": 0.5}), page(metrics={"r@1": 0.6})),
    ("metric", {"name": "r@1", "eq": None}, page(metrics={"r@1": None}), page(metrics={"r@1": 0.0})),
    ("metric", {"name": "r@1", "eq": 1.0}, page(metrics={"r@1": 1.0}), page(metrics={"r@1": None})),
    ("finite_or_none", {}, page(metrics={"a": None, "b": 1.0}), page(metrics={"a": float("nan")})),
    ("skipped", {"ids": ["b"]}, page(skipped=["b"]), page(skipped=[])),
    ("excluded_from_mean", {}, page(counted_without_gold=[]), page(counted_without_gold=["q"])),
    ("stable_under_shuffle", {"times": 3}, page(metrics={"a": 1}, shuffled=lambda seed: {"a": 1}),
     page(metrics={"a": 1}, shuffled=lambda seed: {"a": seed})),
    ("gold_span", {"value": [4, 9]}, page(gold={"q": [(4, 9)]}), page(gold={"q": [(4, 8)]})),
    ("gold_span", {"value": [4, 9]}, page(gold={"q": [(4, 9)]}), page(gold={"q": []})),
    ("gold_spans", {"value": [[0, 1], [4, 5]]}, page(gold={"q": [(0, 1), (4, 5)]}),
     page(gold={"q": [(0, 1)]})),
    ("gold_not_found", {"values": ["q"]}, page(gold={"q": []}), page(gold={"q": [(0, 1)]})),
    ("vectors", {"count_eq_chunks": True}, cut("ab", (0, 2), vectors=[[1.0]]), cut("ab", (0, 2), vectors=[])),
    ("vectors", {"finite": True}, cut("ab", (0, 2), vectors=[[1.0]]), cut("ab", (0, 2), vectors=[[0.0]])),
    ("vector_values", {"value": [[1.0]]}, page(vectors=[[1.0]]), page(vectors=[[1.1]])),
    ("tokens_partition", {"total": 3}, page(tokens_per_chunk=[1, 2]), page(tokens_per_chunk=[2, 2])),
    ("finite", {}, page(numbers=[1.0]), page(numbers=[float("inf")])),
    ("displayed_text_equals_source", {}, shown(), page(view=Shown("a b"), text="a <b> c")),
    ("html_escaped", {}, shown(), shown(elements=("b",))),
    ("html_escaped", {}, shown(), shown(dialogs=["1"])),
    ("no_element", {"selectors": ["img"]}, shown(), shown(elements=("img",))),
    ("no_latex", {}, shown(), shown(elements=("math",))),
    ("no_link_rendered", {}, shown("http://e.org/x", links=["http://localhost/"]),
     shown("http://e.org/x", links=["http://e.org/x"])),
    ("no_network", {}, shown(), shown(foreign=["http://tracker.invalid/p.png"])),
    ("page_alive", {}, page(alive=True), page(alive=False)),
    ("whitespace_visible", {}, shown(), shown(white_space="normal")),
    ("whitespace_visible", {}, shown(), shown(marks=False)),
    ("overlap_marked", {}, shown(overlap=("b",), overlap_texts=["b"]),
     shown(overlap=("b",), overlap_texts=[])),
    ("state_after", {"value": {"size": 9}}, page(state={"size": 9}), page(state={"size": 8})),
    ("state_after", {"value": {"size": 9}}, page(state={"max_size": 9}), page(state={})),
    ("form_equals_used_params", {}, page(form={"size": 9}, used={"size": 9}),
     page(form={"size": 8}, used={"size": 9})),
    ("defaults_used", {}, page(used={"size": 4}, default_settings={"size": 4}),
     page(used={}, default_settings={"size": 4})),
    ("same_after_rerun", {}, page(texts_seen=("a", "a")), page(texts_seen=("a", ""))),
    ("same_spans", {}, page(same_spans=([[0, 1]], [[0, 1]])), page(same_spans=([[0, 1]], [[0, 2]]))),
    ("roundtrip_equal", {}, page(roundtrip_equal=({"a": "1"}, {"a": "1"})),
     page(roundtrip_equal=({"a": "1"}, {}))),
    ("chunks_recomputed", {}, page(spans_shown=[[0, 2]], spans_fresh=[[0, 2]]),
     page(spans_shown=[[0, 2]], spans_fresh=[[0, 3]])),
    ("url_len", {"le": 9}, page(url="?size=9"), page(url="?size=99999")),
    ("url_contains", {"values": ["a b"]}, page(url="?x=a%20b"), page(url="?x=a")),
    ("url_not_contains", {"values": ["a b"]}, page(url="?x=ab"), page(url="?x=a+b")),
    ("no_base64_of", {"values": ["TOP SECRET"]}, page(url="?recipe=fixed"),
     page(url="?x=" + base64.b64encode(b"xTOP SECRET").decode())),
    ("cells", {"value": ["'=1+1"]}, table("'=1+1"), table("=1+1")),
    ("cells_safe", {}, table("'=1+1"), table("=1+1")),
    ("numbers_untouched", {"columns": ["start"]}, table("x"), page(csv="start,text\n'0,x\n")),
    ("csv_reparse_equal_except_prefix", {}, table("'=1+1"), table("'=1+2")),
    ("export_name_matches", {"regex": r"^[^/\\]+$"}, page(export_name="a.csv"), page(export_name="../a.csv")),
    ("no_file_outside", {}, page(files_outside=[]), page(files_outside=["/etc/a"])),
]  # fmt: skip
