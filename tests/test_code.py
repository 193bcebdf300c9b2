"""Source code: what its syntax tree says, and chunks that keep to it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunklab.chunking import chunk
from chunklab.intake import from_text, read_bytes
from chunklab.outline import outline_of
from chunklab.sections import headings_above
from chunklab.syntax.guess import guess_language
from chunklab.syntax.languages import BY_ENDING, LANGUAGES, grammar
from chunklab.syntax.tree import MAX_BYTES, tree_of
from chunklab.syntax.walk import Walk
from chunklab.types import Document
from tests.test_contract import check_contract
from tests.texts import AWKWARD

ROOT = Path(__file__).resolve().parents[1]
MIXED = (ROOT / "sample_corpora" / "mixed" / "mixed.md").read_text("utf-8")
STORE = re.search(r"```python\n(.*?)```", MIXED, re.S)[1]

SOURCES = {
    "python": '''import os

# Größe 🧮, then
# more about it.
@cache
@retry(times=3)
def fetch(u):
    """Doc
    string."""
    if u:
        return "日本語 a b"
    return u  # why


class Box:
    """doc"""

    @property
    def size(self):
        def inner():
            return 1

        return inner()

    async def load(self):
        await x()


TABLE = [
    {"a": 1, "b": 2},
    {"a": 3, "b": 4},
]
''',
    "javascript": """// lead
export class Shop extends Base {
  #count = 1;

  /** Sells. */
  async sell(item) { return `${item} sold
    now`; }
}
export const total = (a) => {
  const inner = () => a;
  return inner();
};
foo.prototype.bar = function () { return 1 };
""",
    "typescript": """@Component({})
export class App {
  @Input() name: string;

  @Output()
  changed(): void {}
}
namespace Shop { export function open() {} }
interface Item {
  id: string;
}
abstract class Part { abstract make(): void; }
""",
    "tsx": "export function View({ a }: P) {\n  return <div className='x y'>{a}</div>;\n}\n",
    "java": """package shop;
import java.util.List;

/** A shop. */
@Entity
public class Shop<T> extends Base {
  int count = 1;

  /** Sells. */
  @Override
  public void sell() { int x; x = 1; }

  Shop() {}

  enum Kind { A, B; void turn() {} }
}
""",
    "go": """package shop

// Point is a place.
type Point struct {
\tX int
}

// Norm is its length.
func (p *Point) Norm() float64 {
\tx := 1
\treturn x
}
""",
    "rust": """//! About.

use std::fmt;

/// A point.
#[derive(Debug)]
pub struct Point { x: i32 }

impl fmt::Display for Point {
    /// Writes.
    fn fmt(&self) -> i32 {
        let a = 1;
        a
    }
}
macro_rules! m { () => {} }
""",
    "c": """#ifndef SHOP_H
#define SHOP_H
#include <a.h>

/* Sells. */
static int *sell(int a) {
  int b;
  switch (a) { case 1: b = 2; break; default: b = 3; }
  return b;
}
struct Item { int id; };
typedef struct { int a; } Pair;
#endif
""",
    "cpp": """namespace shop {
// A part.
template <class T>
class Part : Base {
public:
  Part();
  int size() const { return 1; }
};
int Part::cost() { return 1; }
}
""",
}
NAMES = {
    "python": ["fetch", "Box", "Box.size", "Box.size.inner", "Box.load"],
    "javascript": ["Shop", "Shop.sell", "total", "total.inner", "foo.prototype.bar"],
    "typescript": ["App", "App.changed", "Shop", "Shop.open", "Item", "Part"],
    "tsx": ["View"],
    "java": ["Shop", "Shop.sell", "Shop.Shop", "Shop.Kind", "Shop.Kind.turn"],
    "go": ["Point", "Point.Norm"],
    "rust": ["Point", "fmt::Display for Point", "fmt::Display for Point.fmt", "m"],
    "c": ["sell", "Item", "Pair"],
    "cpp": ["shop", "shop.Part", "shop.Part.size", "shop.Part::cost"],
}


def _document(language: str, text: str | None = None) -> Document:
    return Document("source", SOURCES[language] if text is None else text, LANGUAGES[language].media[0])


def _texts(document: Document, recipe: str) -> list[str]:
    return [each.text for each in chunk(document, recipe)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_definitions_have_their_qualified_names(language: str) -> None:
    outline = outline_of(_document(language))
    assert outline.notices == ()
    assert [".".join(path) for path in outline.paths] == NAMES[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nodes_are_nested_or_disjoint_and_visible_at_both_ends(language: str) -> None:
    document = _document(language)
    ends: list[int] = []
    before = -1
    for node in outline_of(document).nodes:
        assert node.span.start >= before
        before = node.span.start
        while ends and ends[-1] <= node.span.start:
            ends.pop()
        assert not ends or node.span.end <= ends[-1]
        ends.append(node.span.end)
        own = document.text[node.span.start : node.span.end]
        assert own == own.strip()


@pytest.mark.parametrize(
    ("language", "name", "begin"),
    [
        ("python", "fetch", "# Größe"), ("python", "size", "@property"), ("javascript", "Shop", "// lead"),
        ("javascript", "sell", "/** Sells"), ("typescript", "App", "@Component"), ("typescript", "changed", "@Output"),
        ("java", "Shop", "/** A shop"), ("java", "sell", "/** Sells"), ("go", "Point", "// Point"),
        ("rust", "Point", "/// A point"), ("rust", "fmt", "/// Writes"), ("c", "sell", "/* Sells"),
        ("cpp", "Part", "// A part"),
    ],
)  # fmt: skip
def test_what_stands_directly_above_a_definition_belongs_to_it(language: str, name: str, begin: str) -> None:
    document = _document(language)
    node = next(each for each in outline_of(document).headings if each.title == name)
    assert document.text.startswith(begin, node.span.start)


def test_a_comment_with_a_blank_line_below_it_stands_alone() -> None:
    document = _document("python", "x = 1\n# one\n# two\n\n# three\ndef f():\n    pass\n")
    found = [
        (each.kind, document.text[each.span.start : each.span.end]) for each in outline_of(document).nodes
    ]
    assert ("comment", "# one\n# two") in found
    assert ("definition", "# three\ndef f():\n    pass") in found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [1, 7, 30, 60, 200])
def test_the_contract_holds_on_code(language: str, size: int) -> None:
    media = LANGUAGES[language].media[0]
    for text in (SOURCES[language], SOURCES[language].replace("\n", "\r\n"), SOURCES[language][5:-9]):
        for rest in ("", ",pack=true", ",unit=words", ",unit=tokens"):
            check_contract(text, f"code(size={size}{rest})", media)


@pytest.mark.parametrize("language", LANGUAGES)
def test_any_text_can_be_read_as_code(language: str) -> None:
    media = LANGUAGES[language].media[0]
    for text in (*AWKWARD.values(), "\0\ud800 x", "(" * 3000, "{[" * 3000, "'\"" * 500):
        check_contract(text, "code(size=40)", media)


PIECES = st.sampled_from(
    ["def f():\n", "    ", "\n", "\n\n", "class A {", "}", "{", "(", ")", '"', "'", "`", "# c\n", "// c\n", "/* ", "*/", ";",
     "x = 1", "return y", "日", "👩‍👧", "\r\n", "\t", "@d\n", "fn g()", "#if X\n", "#endif\n", "=> ", "[1, 2]", "case 1:", "\\"]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    text=st.lists(PIECES, max_size=40).map("".join),
    language=st.sampled_from([*LANGUAGES]),
    pack=st.booleans(),
)
def test_the_contract_holds_on_broken_code(text: str, language: str, pack: bool) -> None:
    media = LANGUAGES[language].media[0]
    check_contract(text, f"code(size=20{',pack=true' if pack else ''})", media)
    test_nodes = outline_of(Document("source", text, media)).nodes
    assert all(each.span.end <= len(text) for each in test_nodes)


def test_sizes_of_the_reference_hold() -> None:
    """The published values count a definition with the end of its last line."""
    document = Document("store.py", STORE, "text/x-python")
    top = [each for each in outline_of(document).headings if each.level == 1]
    assert [(each.title, len(each.span) + 1) for each in top] == [
        ("IdempotencyStore", 908), ("ConflictError", 85), ("retry_delay", 191),
    ]  # fmt: skip
    chunks = chunk(document, "code()")
    assert [each.headings for each in chunks] == [
        (),
        ("IdempotencyStore",),
        ("ConflictError",),
        ("retry_delay",),
    ]
    assert [len(each.text.rstrip()) + 1 for each in chunks] == [59, 908, 85, 191]
    assert len(chunks[0].text) == 61
    assert len(chunk(document, "code(pack=true)")) == 2


def test_a_class_over_the_size_becomes_its_methods() -> None:
    document = Document("store.py", STORE, "text/x-python")
    chunks = chunk(document, "code(size=420)")
    paths = [each.headings for each in chunks]
    assert paths[1:6] == [
        ("IdempotencyStore",),
        *[("IdempotencyStore", name) for name in ("__init__", "fingerprint", "lookup", "remember")],
    ]
    assert all(each.text[:4].isspace() for each in list(chunks)[2:6]), "indentation stays with its line"
    contexts = chunk(document, "code(size=420) | headings()").contexts
    assert contexts[4] == "IdempotencyStore > lookup\n"


FIRST = {
    "decorator": ("python", 55, """class LongEnough:
    @property
    def f(self):
        return 1

    def g(self):
        return 2
""", ["class LongEnough:", "@property … return 1", "def g(self): … return 2"]),
    "comment": ("python", 55, """class LongEnough:
    # Größe
    @property
    def f(self): return 1

    def g(self):
        return 2
""", ["class LongEnough:", "# Größe … return 1", "def g(self): … return 2"]),
    "in a class": ("python", 62, """class Outer:
    class LongEnough:
        @property
        def f(self):
            return 1

    def g(self):
        return 2
""", ["class Outer:", "class LongEnough:", "@property … return 1", "def g(self): … return 2"]),
    "in a function": ("python", 66, """def deco(fn):
    @wraps(fn)
    def wrapper(*a):
        return fn(*a)

    return wrapper
""", ["def deco(fn):", "@wraps(fn) … fn(*a)", "return wrapper"]),
    "annotation": ("java", 60, """public class A {
  /** doc */
  @Override
  public int f() { return 1; }

  int g() { return 2; }
}
""", ["public class A {", "/** doc */ … return 1; }", "int g() … }"]),
    "field": ("java", 50, """public class Holder {
  @Inject
  private Store store;

  int g() { return 2; }
}
""", ["public class Holder {", "@Inject … store;", "int g() … }"]),
    "JSDoc": ("javascript", 66, """export class Shop extends Base {
  /**
   * Sells.
   */
  async sell(item) {
    return item;
  }

  buy() { return 2; }
}
""", ["export class Shop extends Base {", "/** … return item;\n  }", "buy() … }"]),
    "JSDoc in an object": ("javascript", 60, """const shopOfThings = {
  /**
   * Sells.
   */
  sell(item) {
    return item;
  },
  buy: 2,
};
""", ["const shopOfThings = {", "/** … },", "buy: 2,\n};"]),
    "attribute": ("rust", 62, """impl Display for LongEnough {
    /// Writes.
    #[inline]
    fn fmt() -> i32 { 1 }

    fn g() -> i32 { 2 }
}
""", ["impl Display for LongEnough {", "/// Writes. … { 1 }", "fn g() … }"]),
}  # fmt: skip


@pytest.mark.parametrize("key", FIRST)
def test_the_first_member_is_whole_where_it_does_not_fit_with_the_head(key: str) -> None:
    language, size, text, wanted = FIRST[key]
    document = _document(language, text)
    texts = [each.strip() for each in _texts(document, f"code(size={size})")]
    assert len(texts) == len(wanted)
    for got, (begin, _, end) in zip(texts, (each.partition(" … ") for each in wanted), strict=True):
        assert got.startswith(begin) and got.endswith(end or begin), texts
    member = texts[-2]
    assert any(each.lstrip().startswith(member) for each in _texts(document, f"code(size={size},pack=true)"))


@pytest.mark.parametrize("key", FIRST)
def test_the_first_member_stays_with_the_head_where_both_fit(key: str) -> None:
    language, _, text, wanted = FIRST[key]
    first, _, end = wanted[-2].partition(" … ")
    both = text.index(end, text.index(first)) + len(end)
    texts = _texts(_document(language, text), f"code(size={both})")
    assert texts[0].rstrip() == text[:both]


def test_a_function_over_the_size_is_cut_between_outer_statements() -> None:
    body = "".join(f"    if a{i}:\n        one({i})\n        two({i})\n" for i in range(9))
    document = _document("python", f"def f():\n{body}\n\ndef g():\n    pass\n")
    texts = _texts(document, "code(size=100)")
    assert all(each.startswith(("def", "    if")) for each in texts)
    assert texts[-1] == "def g():\n    pass\n"


def test_definitions_of_one_line_share_a_chunk() -> None:
    text = "const f = (a) => a;\nconst g = (a) => a;\nfunction h() {\n  return 1;\n}\nconst k = (a) => a;\n"
    assert [each.count("\n") for each in _texts(_document("javascript", text), "code()")] == [2, 3, 1]


def test_functions_in_a_function_are_its_statements() -> None:
    inner = "".join(f"  const f{i} = (a) => {{\n    return a;\n  }};\n" for i in range(8))
    texts = _texts(_document("javascript", f"function outer() {{\n{inner}}}\n"), "code(size=150)")
    assert len(texts) == 3 and all(each.startswith(("function", "  const")) for each in texts)


def test_a_chunk_begins_where_a_line_begins() -> None:
    for language, text in SOURCES.items():
        starts = {found.end() for found in re.finditer(r"^|\n", text)}
        for size in (70, 90, 120):
            document = _document(language)
            assert {each.span.start for each in chunk(document, f"code(size={size})")} <= starts, language


def test_strings_and_comments_that_fit_are_not_cut() -> None:
    held = '"""\ndef fake():\n    pass\n\n\nclass Fake:\n    pass\n"""'
    text = f"A = 1\nB = 2\nS = {held}\nC = 3\n"
    for size in range(len(held) + 1, len(text)):
        assert any(held in each for each in _texts(_document("python", text), f"code(size={size})"))
    text = 'f(aaaa,"one two three","four five six");'
    for size in range(16, 40):
        texts = _texts(_document("javascript", text), f"code(size={size})")
        assert all(any(each in part for part in texts) for each in ('"one two three"', '"four five six"'))


def test_minified_code_is_cut_between_statements() -> None:
    unit = '!function(e,t){var a=1;for(var i=0;i<9;i++){b(c,d[i]),e.f={x:1,y:"a b"}}return t?a:function(){return a+1}}(this,2);'
    texts = _texts(_document("javascript", unit * 300), "code(size=500)")
    assert {len(each) for each in texts[:-1]} == {len(unit) * (500 // len(unit))}
    texts = _texts(_document("javascript", "x=" + "b(c,d[1])," * 300 + "1"), "code(size=101)")
    assert all(each.endswith("),") for each in texts[:-1])


def test_the_walk_is_linear() -> None:
    """Each node is met once, however long the line and however deep the nesting."""
    for unit, close in (("b(c,d);", ""), ("x={a:[", "]}"), ("function f(){", "}")):
        steps = []
        for many in (500, 1000):
            text = unit * many + close * many
            walk = _Counted(text.encode(), bytes(len(text) + 1), "javascript")
            steps.append(walk.entered)
        assert steps[1] <= 2.1 * steps[0]


class _Counted(Walk):
    entered = 0

    def _enter(self, *given):
        self.entered += 1
        return super()._enter(*given)


def test_what_cannot_be_parsed_is_told_with_its_place() -> None:
    text = "x = 1\n\ndef broken(:\n    return 1\n\nprint('still here'\n\ndef fine():\n    return 2\n"
    chunks = chunk(_document("python", text), "code(size=40)")
    assert len(chunks.notices) == 1
    assert chunks.notices[0].startswith("Python: the text cannot be parsed at line 3 ")
    assert "".join(each.text for each in chunks) == text
    assert chunk(_document("python"), "code()").notices == ()


def test_a_text_too_large_to_be_parsed_is_cut_at_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_BYTES >= 5_000_000
    monkeypatch.setattr("chunklab.syntax.tree.MAX_BYTES", 1000)
    chunks = chunk(_document("python", "x = 1\n" * 500), "code(size=100)")
    assert "not parsed" in chunks.notices[0] and {len(each.text) % 6 for each in chunks} == {0}


def test_a_missing_grammar_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(key: str) -> None:
        raise ImportError(f"No module named {key}")

    monkeypatch.setattr("chunklab.syntax.tree.grammar", missing)
    chunks = chunk(_document("go"), "code(size=60)")
    assert "No module named go" in chunks.notices[0] and len(chunks) > 1


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "tsx"])
def test_pasted_code_is_recognised(language: str) -> None:
    assert guess_language(SOURCES[language]) == language
    chunks = chunk(Document("pasted.txt", SOURCES[language]), "code(size=120)")
    assert chunks.spans.tolist() == chunk(_document(language), "code(size=120)").spans.tolist()


def test_prose_is_not_taken_for_code() -> None:
    for name in ("prose/prose.txt", "topics/doc00.txt", "markdown/markdown.md", "mixed/mixed.md"):
        text = (ROOT / "sample_corpora" / name).read_text("utf-8")
        assert guess_language(text) is None, name
    chunks = chunk(Document("a", "Nothing here. " * 90), "code()")
    assert "No programming language" in chunks.notices[0] and len(chunks) == 2


def test_the_ending_names_the_language() -> None:
    for ending, media in BY_ENDING.items():
        assert read_bytes(f"a{ending.upper()}", b"x").media_type == media
        assert from_text("x", f"a{ending}").media_type == media


def test_a_heading_of_code_is_what_holds_the_chunk() -> None:
    document = _document("python")
    text = document.text
    spans = [[text.index(a), text.index(b) + len(b)] for a, b in (("import", "os"), ("@cache", "# why"), ("@prop", "()\n"),
             ("class", "doc"), ("def inner", "1"), ("@prop", "await x()"), ("TABLE", "]"))]  # fmt: skip
    found = headings_above(document, np.array(spans, dtype=np.int32))
    paths = [outline_of(document).paths[at] if at >= 0 else () for at in found.tolist()]
    assert paths == [(), ("fetch",), ("Box", "size"), ("Box",), ("Box", "size", "inner"), ("Box",), ()]


def test_other_strategies_do_not_take_definitions_for_headings() -> None:
    for recipe in ("paragraph()", "recursive(size=80,separators=markdown)"):
        plain = chunk(Document("plain", SOURCES["python"]), recipe)
        assert chunk(_document("python"), recipe).spans.tolist() == plain.spans.tolist()
    assert "No headings" in chunk(_document("python"), "headings(max_size=80)").notices[0]


def test_grammars_are_loaded_when_they_are_used() -> None:
    code = (
        "import sys, json; import chunklab.cli; from chunklab.discovery import components; components('strategies');"
        "from chunklab.outline import readers; readers(); from chunklab.syntax.languages import grammar; first = [m for m in"
        " sys.modules if m.startswith('tree_sitter')]; grammar('go'); print(json.dumps([first, sorted(m for m in sys.modules"
        " if m.startswith('tree_sitter_') and '.' not in m)]))"
    )
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(out.stdout) == [[], ["tree_sitter_go"]]


def test_every_grammar_can_be_loaded() -> None:
    assert all(grammar(key).node_kind_count > 100 for key in LANGUAGES)


def test_positions_are_code_points() -> None:
    document = _document(
        "python", '# Größe 🧮\ndef a():\n    s = "日本語 𠮷"\n    return s\n\n\ndef b():\n    return 2\n'
    )
    spans = [each.span for each in outline_of(document).headings]
    assert [document.text[each.start : each.end].split("\n")[-1] for each in spans] == [
        "    return s",
        "    return 2",
    ]
    assert tree_of(document, "python").strings.shape == (2, 2)
