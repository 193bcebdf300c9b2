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
    ({"strategy": "html", "headers": ["h1", "h2"]}, "headings(max_size=100000,overlap=0,level=2)"),
    ({"strategy": "code_ast", "language": "js", "size": 60, "overlap": 0}, "code(size=60,language=javascript)"),
    ({"strategy": "json", "size": 60, "overlap": 0}, "json(size=60)"),
    ({"strategy": "csv_rows", "repeat_header": False}, "rows(header=false)"),
    ({"strategy": "xml", "size": 9, "unit": "word"}, "xml(size=9,unit=words)"),
    ({"strategy": "semantic_percentile", "percentile": 90, "max_size": 50}, "semantic(percentile=90,size=50)"),
    ({"strategy": "semantic", "distance_threshold": 0.5, "embeddings": []},
     "semantic(method=threshold,threshold=0.5,size=100000,buffer=0)"),
    ({"strategy": "semantic_similarity", "similarity_threshold": 0.8, "buffer": 2},
     "semantic(method=threshold,threshold=0.2,size=100000,buffer=2)"),
    ({"strategy": "semantic_standard_deviation", "deviations": 2}, "semantic(method=deviation,deviations=2,size=100000)"),
    ({"strategy": "semantic_centroid", "distance_threshold": 0.3, "min_size": 9, "embeddings": [], "buffer": 0},
     "centroid(threshold=0.3,min_size=9,size=100000)"),
    ({"strategy": "late", "base": {"strategy": "fixed_words", "size": 2}, "window": 9, "fake_model": {}},
     "fixed(size=2,overlap=0,unit=words) | late(window=9)"),
    ({"strategy": "late", "base": "fixed_words", "size": 2}, "fixed(size=2,overlap=0,unit=words) | late()"),
    ({"strategy": "parent_document", "parent": {"strategy": "markdown"}, "child": {"strategy": "sentence", "size": 1}},
     "sentence(n=1,overlap=0,size=100000) | itself() | parent(by=section,size=100000)"),
    ({"strategy": "parent_document", "parent_size": 900, "child_size": 90},
     "recursive(size=90,overlap=0) | itself() | parent(size=900)"),
    ({"strategy": "sentence_window", "window": 2},
     "sentence(n=1,overlap=0,size=100000) | itself() | window(n=2)"),
    ({"strategy": "paragraph", "context_prefix": "From a: "},
     "paragraph(max_size=100000) | label(text='From a: ')"),
    ({"strategy": "paragraph", "embed_as": "headings"}, "paragraph(max_size=100000) | headings()"),
]  # fmt: skip

# a case's settings, and the ending of the file its text would come from
FILES: list[tuple[dict[str, Any], str]] = [
    ({"strategy": "html"}, "html"), ({"strategy": "html_headers"}, "html"), ({"strategy": "csv_rows"}, "csv"),
    ({"strategy": "code_ast", "language": "typescript"}, "ts"), ({"strategy": "code_ast", "language": "py"}, "py"),
    ({"strategy": "code_ast"}, "txt"), ({"strategy": "recursive"}, "txt"), ({"strategy": "jsonl"}, "jsonl"),
    ({"strategy": "late", "base": {"strategy": "markdown_headers"}}, "md"),
    ({"strategy": "parent_document", "child": {"strategy": "sentence"}, "parent": {"strategy": "html"}}, "html"),
    ({"strategy": "sentence", "embed_as": "headings"}, "md"),
]  # fmt: skip

_NAN, _ON, _OFF = float("nan"), [1.0, 0.0], [0.0, 1.0]
# the vectors of a case, and what they are for four sentences
EMBEDDINGS: list[tuple[Any, list[list[float]]]] = [
    ([[1, 0], ["nan", None]], [_ON, [_NAN, _NAN]]),
    ("all [1,0]", [_ON] * 4),
    ("every sentence is [1, 0]", [_ON] * 4),
    ("sentence i -> [cos(90*i deg), sin(90*i deg)]", [_ON, _OFF, [-1.0, 0.0], [0.0, -1.0]]),
    ("i -> [1, 0] if i < 3 else [0, 1]", [_ON, _ON, _ON, _OFF]),
    ("alternating [1,0] and [0,1]", [_ON, _OFF, _ON, _OFF]),
    ("first 3 [1,0], rest [0,1]", [_ON, _ON, _ON, _OFF]),
    ("2 x [1,0], then 2 x [0,1]", [_ON, _ON, _OFF, _OFF]),
    ("sentences 0-2: [1,0]; sentence 3: [0,1]", [_ON, _ON, _ON, _OFF]),
    ("[[1,0]]*3+[[0,1]]", [_ON, _ON, _ON, _OFF]),
    ({"A dog.": [0, 1], "A cat.": [1, 0], "A tax.": [1, 0], "A fee.": [0, 1]}, [_ON, _OFF, _ON, _OFF]),
]

# a case's token vectors, and what they are for "w07", token 3 of the window and 9 of the document
TOKEN_VECTORS: list[tuple[Any, list[float]]] = [
    ("[int(word[1:])+1]", [8]), ("[word index in the input given to the model]", [3]),
    ("[word index in the document, 1]", [9, 1]), ("[len(word), i*2]", [3, 6]), ({"w07": [4, 5], "w08": [6, 7]}, [4, 5]),
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
    ([{"op": "slice"}], {"strategy": "code_ast", "language": "ruby"}, NOT_APPLICABLE),
    ([{"op": "error", "mentions": ["klingon"]}], {"strategy": "code_ast", "language": "klingon"}, PASSED),
    ([{"op": "slice"}], {"strategy": "semantic_double_pass", "embeddings": [[1]]}, NOT_APPLICABLE),
    ([{"op": "slice"}], {"strategy": "semantic_centroid", "embeddings": "any"}, NOT_APPLICABLE),
    ([{"op": "slice"}], {"strategy": "cluster", "embeddings": [[1]]}, NOT_APPLICABLE),
    ([{"op": "slice"}], {"strategy": "late", "base": "fixed_words"}, NOT_APPLICABLE),
    ([{"op": "vectors"}], {"strategy": "fixed_words"}, INCOMPLETE),
    ([{"op": "finite"}], {"strategy": "fixed_words"}, INCOMPLETE),
    ([{"op": "finite"}], {"strategy": "semantic", "embeddings": [[1]]}, PASSED),
    ([{"op": "slice"}], {"strategies": ["fixed_chars", "crystal ball"]}, INCOMPLETE),
    ([{"op": "max_len", "unit": "char", "le": "size"}], {"strategy": "fixed_chars", "size": [2, 3]}, PASSED),
    ([{"op": "count", "eq": 5}], {"strategy": "fixed_chars", "size": [2, 3]}, FAILED),
    ([{"op": "also", "checks": [{"op": "count", "eq": 2}]}], {"size": 9, "also_run_on": ["aa bbbb ccc"]},
     PASSED),
    ([{"op": "time", "lt_s": 5}], {"strategy": "fixed_chars", "size": 0}, FAILED),
    ([{"op": "error", "mentions": ["size"]}], {"strategy": "fixed_chars", "size": 0}, PASSED),
]  # fmt: skip
