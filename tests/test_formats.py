"""Readers of every format: what they find, that nothing breaks them, and that they stay linear."""

from __future__ import annotations

import json
import sys
import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunklab.chunking import chunk
from chunklab.intake import from_text, read_bytes
from chunklab.outline import inline_spans, outline_of, readers
from chunklab.outline.base import MAX_NODES
from chunklab.types import PSEUDO, Document
from tests.test_contract import check_contract
from tests.texts import AWKWARD
from tests.texts_formats import SAMPLES, texts_of

STRUCTURAL = (
    "json(size=40)",
    "xml(size=40)",
    "rows(size=30)",
    "headings(max_size=60)",
    "json(size=7,unit=tokens)",
)


def document(text: str, media_type: str) -> Document:
    return from_text(text, "sample", media_type)


def found(text: str, media_type: str) -> list[tuple[str, int, str, str]]:
    """(kind, level, title, text) of every node."""
    made = document(text, media_type)
    nodes = outline_of(made).nodes
    return [(n.kind, n.level, n.title, made.text[n.span.start : n.span.end]) for n in nodes]


def titles(text: str, media_type: str) -> list[tuple[int, str]]:
    return [(level, title) for kind, level, title, _ in found(text, media_type) if kind == "heading"]


def check_outline(made: Document) -> None:
    """Nodes in order of start, outer before inner, nested, inside the text, ending in visible text."""
    open_ends: list[int] = []
    before = 0
    for node in outline_of(made).nodes:
        start, end = node.span.start, node.span.end
        assert before <= start < end <= len(made.text)
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        assert not open_ends or end <= open_ends[-1], f"{node} crosses another"
        assert not made.text[end - 1].isspace() and (node.kind != "heading" or 1 <= node.level <= 6)
        open_ends.append(end)
        before = start
    links = [(each.start, each.end) for each in inline_spans(made)]
    assert links == sorted(links)


@pytest.mark.parametrize("media_type", SAMPLES)
def test_awkward_texts_in_every_format(media_type: str) -> None:
    for text in [*AWKWARD.values(), *SAMPLES.values()]:
        check_outline(document(text, media_type))


@pytest.mark.parametrize("media_type", SAMPLES)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_text_can_be_read_and_cut(media_type: str, data: st.DataObject) -> None:
    made = document(data.draw(texts_of(media_type)), media_type)
    check_outline(made)
    for recipe in STRUCTURAL:
        chunk(made, recipe)


@pytest.mark.parametrize("media_type", SAMPLES)
@pytest.mark.parametrize("recipe", STRUCTURAL)
def test_the_contract_holds_on_samples_of_each_format(media_type: str, recipe: str) -> None:
    check_contract(document(SAMPLES[media_type], media_type).text, recipe, media_type)


def test_endings_reach_a_reader() -> None:
    for name in ("a.html", "a.HTM", "a.rst", "a.json", "a.jsonl", "a.xml", "a.ipynb", "a.csv", "a.tsv"):
        assert read_bytes(name, b"x").media_type in readers()


def test_html_text_is_what_a_reader_would_see() -> None:
    made = document(SAMPLES["text/html"], "text/html")
    assert made.text == (
        "Guide\n\nStart here.\n\na\nb\n\nc\n\nd\n\nTable\n\nCap\nk\tv\n\tx\n\ny\n\n  one\n\n    two\n\nq a link\n\ntail"
    )
    assert [made.text[span.start : span.end] for span in inline_spans(made)] == ["a link"]
    kinds = [kind for kind, *_ in found(SAMPLES["text/html"], "text/html")]
    assert kinds.count("item") == 3 and kinds.count("row") == 2 and kinds.count("code") == 1


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("We <b>serve</b> <i>hot</i>\n soup", "We serve hot soup"),
        ("a<b> b</b><i>c</i> ", "a bc"),
        ("a<br>b<br><br>c", "a\nb\n\nc"),
        ("x&nbsp;y &amp;lt; &eacute;&#128512;&#1;", "x\u00a0y &lt; é😀"),
        ("<p>a<p>b<div>c</div>d", "a\n\nb\n\nc\nd"),
        ("<pre>\n  x\n <b>y</b>  \n</pre>z", "  x\n y\n\nz"),
        ("<table><tr><td>1<td><td>3<tr><td>4</table>", "1\t\t3\n4"),
        (
            "<script>a</script><style>b</style><template>c</template><noscript>d</noscript><title>T</title>e",
            "e",
        ),
        ("<meta charset=latin1>é😀", "é😀"),
        ("<!-- <p>a</p> -->", ""),
    ],
)
def test_html_pieces(source: str, text: str) -> None:
    assert document(source, "text/html").text == text


def test_html_counts_what_is_left_out_and_fetches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("something was fetched"))
    source = "<title>T</title><script src=http://e.org/x.js></script><script>1</script><style>a</style><img src=http://e.org>"
    told = " ".join(document(source + "<p>x", "text/html").notices)
    assert "2 script, 1 style" in told and "'T'" in told


def test_html_headings_end_at_the_first_block_inside_them() -> None:
    source = "<h1>Top<p>aa</p>bb</h1><h2><div>Wrapped</div></h2>c<h3></h3><td><h4>In <b>cell</b><br>two</h4>"
    assert titles(source, "text/html") == [(1, "Top"), (2, "Wrapped"), (4, "In cell two")]
    made = document(source, "text/html")
    paths = {each.text.split()[-1]: each.headings for each in chunk(made, "headings(header_only=keep)")}
    assert paths["bb"] == ("Top",) and paths["c"] == ("Top", "Wrapped")


def test_html_bold_paragraphs_are_pseudo_headings() -> None:
    made = document(
        "<h1>A</h1><p><b>Bold</b> <strong>line</strong></p><p>x <b>y</b></p><li><p><b>z</b>", "text/html"
    )
    pseudo = [node.title for node in outline_of(made).nodes if node.kind == PSEUDO]
    assert pseudo == ["Bold line"] and "1 line looks like a heading" in outline_of(made).notices[0]


def test_html_pre_lists_and_tables_stay_whole_where_they_fit() -> None:
    pre = "<pre>one\n\ntwo\n\nthree</pre>"
    items = "<ul><li><p>first</p><p>of it</p><li><p>second</p><p>of it</p></ul>"
    made = document(f"<h1>T</h1><p>{'word ' * 12}</p>{pre}<p>{'text ' * 12}</p>{items}", "text/html")
    texts = [each.text for each in chunk(made, "headings(max_size=70)")]
    for whole in ("one\n\ntwo\n\nthree", "first\n\nof it", "second\n\nof it"):
        assert any(whole in text for text in texts)


def test_declared_encodings_are_used_where_bytes_are_not_utf8() -> None:
    made = read_bytes("a.html", "<meta charset=shift_jis><p>日本".encode("shift_jis"))
    assert made.text == "日本" and "shift_jis" in made.notices[0]
    source = '<?xml version="1.0" encoding="iso-8859-2"?><a>ł</a>'
    assert "ł" in read_bytes("a.xml", source.encode("iso-8859-2")).text
    for wrong in ("nope", "hex", "utf-16", "rot13", "idna", "undefined"):
        assert read_bytes("a.html", f"<meta charset={wrong}><p>é".encode("latin-1")).text == "é"


def test_a_document_made_by_hand_says_that_its_structure_is_not_known() -> None:
    outline = outline_of(Document("x", "<h1>a</h1>", "text/html"))
    assert not outline.nodes and "structure" in outline.notices[0]


def test_rst_sections_take_their_level_from_the_order_of_appearance() -> None:
    text = SAMPLES["text/x-rst"]
    assert titles(text, "text/x-rst") == [(1, "Title"), (2, "Sub"), (2, "Second")]
    kinds = [(kind, title) for kind, _, title, _ in found(text, "text/x-rst")]
    assert ("directive", "note") in kinds and ("code", "code-block") in kinds
    assert sum(kind == "table" for kind, _ in kinds) == 2 and sum(kind == "row" for kind, _ in kinds) == 5
    code = [body for kind, _, _, body in found(text, "text/x-rst") if kind == "code"]
    assert code[0] == "literal\n\n  more"


RST = [
    SAMPLES["text/x-rst"],
    "A\n=\n\nB\n-\n\nC\n~\n\nD\n-\n\nE\n=\n\ntext\n",
    "Para\nnot title\n=========\n\nReal\n====\n\nx\n\n----\n\ny\n",
    "=======\n Inset\n=======\n\nSub\n===\n\n- item\n  ----\n\n1. Numbered\n===========\n\ntext\n",
    "T\n=\nText right below.\n\nLong title here\n====\n\n.. comment\n   Hidden\n   ======\n\nU\n-\n",
    "Intro::\n\n   Literal\n   =======\n\nSec\n===\n\n>>> x\n=====\n\nCode::\n\n   a\n\n   b\n\nLast\n====\n",
    "== ==\nA  B\n== ==\n1  2\n== ==\n\nAfter\n=====\n\n.. note::\n\n   Inside\n\nMore\n====\n",
]


@pytest.mark.parametrize("text", RST)
def test_rst_sections_agree_with_docutils(text: str) -> None:
    core = pytest.importorskip("docutils.core")
    nodes = pytest.importorskip("docutils.nodes")
    quiet = {"report_level": 5, "halt_level": 6, "doctitle_xform": False, "file_insertion_enabled": False}
    tree = core.publish_doctree(text, settings_overrides=quiet)
    wanted = []
    for section in tree.findall(nodes.section):
        level, above = 1, section.parent
        while isinstance(above, nodes.section):
            level, above = level + 1, above.parent
        wanted.append((level, section[0].astext()))
    assert titles(text, "text/x-rst") == wanted


def test_rst_odd_styles_are_told() -> None:
    assert (
        "new but not deepest"
        in outline_of(document("A\n=\n\nB\n-\n\nC\n=\n\nD\n~\n", "text/x-rst")).notices[0]
    )


RFC = (
    "Table of Contents\n\n   1.  Introduction . . . . . . . . 2\n     1.1.  Terms . . . . . . . . . 2\n   2.  Model . . . . . . 3\n\n"
    "1.  Introduction\n\n   Text, and a list:\n\n   1.  First item\n\n   2.  Second item\n\n1.1.  Terms\n\n   Text.\n\n2.  Model\n\n"
    "   Text.\n\nAppendix A.  Thanks\n\n   Text.\n\nA.1.  More\n\n   Text.\n"
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (RFC, [(1, "1.  Introduction"), (2, "1.1.  Terms"), (1, "2.  Model"), (1, "Appendix A.  Thanks"), (2, "A.1.  More")]),
        ("1. Milk\n2. Bread\n3. Salt\n", []),
        ("1. Milk\n\n2. Bread\n\n3. Salt\n\n4. Tea\n", []),
        ("1. One\n\nBody.\n\n2. Two\n\nBody.\n", []),
        ("3.5 percent\n\n1999 Was a year\n\n2 Dogs\n", []),
        ("Part of it\n\nSection is closed\n\nArticle of faith\n\nsection 4 says no\n", []),
        ("1. One\n\nB.\n\n2. Two\n\nDo:\n\n1. a\n\n2. B\n\n3. C\n\nE.\n\n3. Three\n\nB.\n", [(1, "1. One"), (1, "2. Two"), (1, "3. Three")]),
        ("Article I\n\nSection 1.\n\nAll.\n\nSection 2. The House shall sit.\n\nArticle II\n\nSection 1. Power.\n",
         [(1, "Article I"), (2, "Section 1."), (2, "Section 2."), (1, "Article II"), (2, "Section 1.")]),
        ("CHAPTER 1\n\nx\n\n§ 1 Scope\n\n(1) t\n\n§ 3a Other\n\nx\n\nCHAPTER 2\n\n§ 4 More\n",
         [(1, "CHAPTER 1"), (2, "§ 1 Scope"), (2, "§ 3a Other"), (1, "CHAPTER 2"), (2, "§ 4 More")]),
    ],
)  # fmt: skip
def test_numbered_headings_in_plain_text(text: str, wanted: list[tuple[int, str]]) -> None:
    assert titles(text, "text/plain") == wanted


def test_numbered_text_needs_fewer_signs_when_the_type_says_so() -> None:
    text = "1 Scope\ntext follows\n\n1.1 Terms\ntext\n"
    assert (
        titles(text, "text/x-numbered") == [(1, "1 Scope"), (2, "1.1 Terms")]
        and titles(text, "text/plain") == []
    )


def test_json_pointers_and_spans() -> None:
    assert [(title, text) for _, _, title, text in found('{"a": [1, {"~/": "x"}], "b": {}}', "application/json")] == [
        ("/a", '"a": [1, {"~/": "x"}]'), ("/a/0", "1"), ("/a/1", '{"~/": "x"}'), ("/a/1/~0~1", '"~/": "x"'), ("/b", '"b": {}')
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says", "column"),
    [
        ('{"a": NaN}', "NaN where a value", 7), ("[Infinity]", "Infinity", 2), ("[1,]", "a comma before ]", 4),
        ('{"a":1,}', "a comma before }", 8), ("[01]", "1 where a comma", 3), ("{'a':1}", "' where a name", 2),
        ("[1 // x", "/ where a comma", 4), ('["a\nb"]', "a string", 2), ('["\\x"]', "a string", 2), ("[1]]", "] where the end", 4),
        ("[1", "it ends where", 3), ("", "", 0), ("tru", "tru where a value", 1), ("[1.]", ". where", 3), ("[}", "} where", 2),
    ],
)  # fmt: skip
def test_json_says_what_is_wrong_and_where(text: str, says: str, column: int) -> None:
    notices = outline_of(document(text, "application/json")).notices
    if not says:
        assert not notices
        return
    assert "not valid JSON" in notices[0] and says in notices[0] and f"line 1, column {column}." in notices[0]
    assert "not valid JSON" in chunk(document(text, "application/json"), "json()").notices[0]


@settings(max_examples=300, deadline=None)
@given(text=texts_of("application/json"))
def test_json_is_valid_exactly_when_the_library_says_so(text: str) -> None:
    def refused(name: str) -> None:
        raise ValueError(name)

    made = document(text, "application/json")
    try:
        json.loads(made.text, parse_constant=refused)
        valid = True
    except ValueError:
        valid = not made.text.strip()
    assert (not outline_of(made).notices) == valid or not made.text.strip()


def test_json_lines_are_items_and_a_broken_line_does_not_end_the_reading() -> None:
    made = document('{"a": 1}\n{"b": [1,}\n\n[3]\n', "application/x-ndjson")
    outline = outline_of(made)
    assert [node.title for node in outline.nodes] == ["/0", "/0/a", "/1", "/1/b", "/1/b/0", "/2", "/2/0"]
    assert "line 2, column 10" in outline.notices[0]


def test_json_cuts_between_siblings_and_never_inside_what_fits() -> None:
    rows = [{"id": n, "text": "x" * 20} for n in range(9)]
    made = document(json.dumps({"items": rows, "tail": 'a, b] } \\" c'}), "application/json")
    for size in (43, 45, 60, 90, 140):
        texts = [each.text for each in chunk(made, f"json(size={size})")]
        for row in rows:
            assert any(json.dumps(row) in text for text in texts), size
        assert any(json.dumps('a, b] } \\" c') in text for text in texts)


def test_xml_paths_and_places() -> None:
    nodes = [(title, text) for _, _, title, text in found(SAMPLES["application/xml"], "application/xml")]
    assert [title for title, _ in nodes] == [
        "/cat",
        "/cat/book",
        "/cat/book/t",
        "/cat/book/d",
        "/cat/book/d/b",
        "/cat/book[2]",
    ]
    assert nodes[2][1] == "<t>One é</t>" and nodes[5][1] == "<book/>"
    broken = outline_of(document("<a>\n <b></a>", "application/xml"))
    assert (
        "not well-formed" in broken.notices[0]
        and "line 2, column" in broken.notices[0]
        and len(broken.nodes) == 2
    )
    assert "column 6" in outline_of(document("<a>AT&T</a>", "application/xml")).notices[0]


def test_xml_entities_are_neither_expanded_nor_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.open", lambda *_, **__: pytest.fail("a file was opened"))
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("something was fetched"))
    names = "abcdefghijkl"
    bomb = '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">'
    bomb += "".join(f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in pairwise(names))
    bomb += ']><l x="&l;">&l;</l>'
    outside = '<!DOCTYPE a SYSTEM "file:///x" [<!ENTITY e SYSTEM "file:///x"><!ENTITY % p SYSTEM "http://x/"> %p; ]><a>&e;</a>'
    for source in (bomb, outside):
        made = document(source, "application/xml")
        tracemalloc.start()
        outline = outline_of(made)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert len(outline.nodes) == 1 and "not expanded" in outline.notices[0] and made.text == source
        assert peak < 3_000_000


def test_xml_elements_amid_text_are_no_places_to_cut() -> None:
    text = "<p>One sentence <b>with bold</b> in it. Another <i>one</i> here. A third one follows.</p>"
    ends = [each.text.strip()[-1] for each in chunk(document(text, "application/xml"), "xml(size=45)")]
    assert len(ends) > 1 and set(ends[:-1]) == {"."}


def test_csv_rows_keep_quoted_line_ends_and_give_the_header_as_context() -> None:
    text = SAMPLES["text/csv"]
    rows = [body for kind, _, _, body in found(text, "text/csv") if kind == "row"]
    assert rows == ["id,name,note", '1,Ann,"two\nlines"', '2,Bob,"a ""b"", c"', '3,Cy,5" pipe']
    chunks = chunk(document(text, "text/csv"), "rows(size=20)")
    assert [each.context for each in chunks] == ["", *["id,name,note\n"] * 3]
    assert all("id,name,note" not in each.text for each in list(chunks)[1:])
    assert not any(each.context for each in chunk(document(text, "text/csv"), "rows(size=20,header=false)"))


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_delimiters_are_found(delimiter: str) -> None:
    text = "".join(delimiter.join((str(n), '"a, b; c"', "x")) + "\r\n" for n in range(5))
    assert len(chunk(document(text, "text/plain"), "rows(size=16)")) == 5


def test_csv_that_is_broken_or_none_at_all_is_told() -> None:
    assert "line 2, column 3" in chunk(document('a;b\n1;"x\n2;z\n', "text/csv"), "rows()").notices[0]
    assert "No columns" in chunk(document("plain text\nwithout any", "text/plain"), "rows()").notices[0]
    assert chunk(document("name\nAnn\nBob\n", "text/csv"), "rows(size=5)")[1].context == "name\n"


def test_notebooks_join_the_sources_of_their_cells() -> None:
    made = read_bytes("a.ipynb", SAMPLES["application/x-ipynb+json"].encode())
    assert made.text == "# Top\ntext [l](u)\n\nx = 1\n\ny = 2"
    assert [(n.kind, n.title) for n in made.outline.nodes] == [
        ("heading", "Top"), ("paragraph", ""), ("link", ""), ("code", "code")
    ]  # fmt: skip
    assert "outputs of 1 cell" in made.notices[0]
    for wrong in ("{", "[]", "[" * 50_000, '{"cells": 3}', "9" * 9000):
        assert "no notebook" in read_bytes("a.ipynb", wrong.encode()).notices[0]
    old = {
        "worksheets": [
            {
                "cells": [
                    {"cell_type": "heading", "level": 2, "source": "H"},
                    {"cell_type": "code", "input": "z"},
                ]
            }
        ]
    }
    assert read_bytes("a.ipynb", json.dumps(old).encode()).text == "H\n\nz"


def _steps(work) -> int:
    """How many lines of Python are run."""
    count = 0

    def trace(frame, event, _):
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


HOSTILE = {
    "text/html": ["<div>", "<h2>H</h2><p>t</p>", "<table><tr><td>x", "<ul><li>x", "<b><p>x", '<a href="', "<h1>x<p>", "<pre>\n", "&"],
    "text/x-rst": ["A\n=\n\n", "== ==\nx y\n\n", "- a\n", "::\n\n x\n", "+--+\n", ".. x::\n\n", "=\n\n", '"'],
    "text/plain": ["1. A\n\nb\n\n", "1 A\n\n", "§ 1\n\n", "Section 1. A\n\n", '"'],
    "application/json": ["[", '{"k":', "[1,2],", '"', '"a",'],
    "application/x-ndjson": ["[\n", '{"a":1}\n'],
    "application/xml": ["<a>", "<a/>", "<a><b>x</b>", "<", "&", '<a x="'],
    "text/csv": ['"', 'a,"', "a,b\n", '"a\n"\n'],
}  # fmt: skip


@pytest.mark.parametrize("media_type", HOSTILE)
def test_work_grows_no_faster_than_the_text(media_type: str) -> None:
    for piece in HOSTILE[media_type]:
        small, large = (
            _steps(lambda many=many, piece=piece: outline_of(document(piece * many, media_type)))
            for many in (300, 1200)
        )
        assert large < 4.6 * small + 2000, (piece, small, large)


@pytest.mark.parametrize(
    ("text", "media_type", "recipe"),
    [
        ("<h1>X</h1>" + "<div>" * 3000 + "core" + "</div>" * 3000, "text/html", "headings()"),
        ("".join(f"<h2>H{n}</h2><p>t</p>" for n in range(20_000)), "text/html", "headings(max_size=400)"),
        ("[" * 10_000 + "]" * 10_000, "application/json", "json(size=500)"),
        ('{"k":' * 10_000 + "1" + "}" * 10_000, "application/json", "json(size=500)"),
        ('"' * 30_000, "application/json", "json()"),
        ("<a>" * 10_000 + "x" + "</a>" * 10_000, "application/xml", "xml(size=500)"),
        ("Head\n====\n\n" * 20_000, "text/x-rst", "headings(max_size=400)"),
        ('a,"' * 30_000, "text/csv", "rows()"),
    ],
)
def test_deep_and_long_texts_neither_recurse_nor_stop(text: str, media_type: str, recipe: str) -> None:
    made = document(text, media_type)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(300)
    try:
        nodes = outline_of(made).nodes
    finally:
        sys.setrecursionlimit(limit)
    assert all(len(node.title) <= 220 for node in nodes[::500])
    assert len(chunk(made, recipe)) > 0


def test_an_outline_is_bounded_and_says_so() -> None:
    many = MAX_NODES + 5
    for text, media_type in (("[" + "1," * many + "1]", "application/json"), ("a,b\n" * many, "text/csv")):
        outline = outline_of(document(text, media_type))
        assert len(outline.nodes) <= MAX_NODES and "holds the first" in outline.notices[-1]
