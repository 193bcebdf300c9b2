"""Settings, definitions, steps and endings of cases, each with what it must be read as."""

from __future__ import annotations

from typing import Any

from tests.case_model import FAILED, INCOMPLETE, NOT_APPLICABLE, PASSED
from tests.case_steps import SOME_TEXT, Step

# a case's settings, and the recipe they mean
MEANINGS: list[tuple[dict[str, Any], str]] = [
    ({"strategy": "fixed_chars", "size": 5, "overlap": 2}, "fixed(size=5,overlap=2)"),
    ({"strategy": "fixed_words", "size": 5}, "fixed(size=5,overlap=0,unit=words)"),
    ({"strategy": "fixed_tokens", "size": 5, "tokenizer": "o200k_base"},
     "fixed(size=5,overlap=0,unit=tokens,tokenizer=o200k)"),
    ({"strategy": "fixed_tokens", "size": 5, "tokenizer": "wordpiece"},
     "fixed(size=5,overlap=0,unit=tokens,tokenizer=minilm)"),
    ({"strategy": "fixed_sentences", "size": 2}, "sentence(size=100000,overlap=0,n=2)"),
    ({"strategy": "recursive", "size": 9, "overlap": 0.25}, "recursive(size=9,overlap=25%)"),
    ({"strategy": "recursive", "size": 9, "unit": "token:o200k_base"},
     "recursive(size=9,overlap=0,unit=tokens,tokenizer=o200k)"),
    ({"strategy": "recursive", "separators": ["x"], "separators_are_regex": True, "keep_separator": "start"},
     "recursive(overlap=0,separators=['x'],keep=start,regex=true)"),
    ({"strategy": "recursive", "separator": "|", "keep_separator": False},
     "recursive(overlap=0,separators=['|'])"),
    ({"strategy": "markdown_headers", "levels": [1, 2], "size": 70},
     "markdown(max_size=70,overlap=0,level=2)"),
    ({"strategy": "markdown_headers"}, "markdown(max_size=100000,overlap=0)"),
    ({"strategy": "sentence", "size": 1, "unit": "sentence"}, "sentence(size=100000,overlap=0,n=1)"),
    ({"strategy": "sentence", "size": 2}, "sentence(size=100000,overlap=0,n=2)"),
    ({"strategy": "sentence", "size": 90, "overlap": 7, "unit": "char"}, "sentence(size=90,overlap=7)"),
    ({"strategy": "paragraph"}, "paragraph(max_size=100000)"),
]  # fmt: skip

DEFINITION = (
    "char_recall@k = |gold chars inside the union of the top-k chunk spans| / |gold chars| (gold spans "
    "united first); hit@k = 1 if one single top-k chunk contains a whole gold span; mean over queries"
)

# a case's steps, its settings, and the actions they mean
STEPS: list[tuple[str, dict[str, str], list[Step]]] = [
    ("steps: upload a.txt ('hello'); move the size slider; then overlap=50; read again; copy link", {},
     [Step("upload", "a.txt", "hello"), Step("move", "size"), Step("set", settings={"overlap": 50}),
      Step("again"), Step("copy")]),
    ("steps: open a share link with size=9, separator='|'", {},
     [Step("open with", settings={"size": 9, "separator": "|"})]),
    ("steps: text T, recursive size=7 overlap=1; open in a new session; paste T", {"T": "x y"},
     [Step("paste", text="x y"), Step("set", settings={"strategy": "recursive", "size": 7, "overlap": 1}),
      Step("open copied"), Step("paste", text="x y")]),
    ("upload 'my plan.txt' (text 'A; B'); replace by a.txt", {},
     [Step("upload", "my plan.txt", "A; B"), Step("upload", "a.txt", SOME_TEXT)]),
    ("drag the overlap slider to 30; change strategy to sentence", {},
     [Step("move", "overlap", settings={"overlap": 30}), Step("set", settings={"strategy": "sentence"})]),
]  # fmt: skip

# a case's checks on "some words", its settings, and how it ends
ENDINGS: list[tuple[list[dict[str, Any]], dict[str, Any], str]] = [
    ([{"op": "slice"}, {"op": "new"}], {"strategy": "fixed_chars", "size": 4}, INCOMPLETE),
    ([], {"strategy": "fixed_chars", "size": 4}, INCOMPLETE),
    ([{"op": "slice"}], {"strategy": "crystal ball"}, NOT_APPLICABLE),
    ([{"op": "slice"}], {"strategy": "fixed_tokens", "tokenizer": "gpt2"}, NOT_APPLICABLE),
    ([{"op": "slice"}], {"strategy": "fixed_chars", "shine": 3}, NOT_APPLICABLE),
    ([{"op": "slice"}], {"strategies": ["fixed_chars", "crystal ball"]}, INCOMPLETE),
    ([{"op": "max_len", "unit": "char", "le": "size"}], {"strategy": "fixed_chars", "size": [2, 3]}, PASSED),
    ([{"op": "count", "eq": 5}], {"strategy": "fixed_chars", "size": [2, 3]}, FAILED),
    ([{"op": "also", "checks": [{"op": "count", "eq": 2}]}], {"size": 9, "also_run_on": ["aa bbbb ccc"]},
     PASSED),
    ([{"op": "time", "lt_s": 5}], {"strategy": "fixed_chars", "size": 0}, FAILED),
    ([{"op": "error", "mentions": ["size"]}], {"strategy": "fixed_chars", "size": 0}, PASSED),
]  # fmt: skip
