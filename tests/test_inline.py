"""What is read of one line at once is what the walk finds node by node, in code that cannot be parsed too."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunklab.syntax.inline import Inline
from chunklab.syntax.languages import LANGUAGES
from chunklab.syntax.tree import tree_of
from chunklab.types import Document
from tests.test_code import PIECES, SOURCES

BITS = st.one_of(
    PIECES,
    st.sampled_from(
        ["f(a, b, g(c, 'd e'))\n", "x = [1, (2, 3), {'k': v, **w}]\n", "if (a) type B = C\n", "if a: b = c, d\n", "lambda x, y: (x, y)\n",
         "const f = x => x + 1, g = function () { return a, b }\n", "struct A f(struct B b, int c);\n", "a ? b : c, d\n", "/re, x/g, ",
         "class A : public B, C {};\n", "type T = A, B\n", "for (let i = 0, j = 1; i < j; i++) g(i, j)\n", "let v: Vec<A, B> = f(|a, b| a)\n",
         "(((((a, b)))))\n", "match x { A | B => (c, d), _ => e }\n", "x, y = y, x\n", "func f(a, b int) (c, d int)\n", "function f(a, b)\n"]
    ),
)  # fmt: skip


def _same(text: str, language: str) -> None:
    found = tree_of(Document("source", text), language)
    with mock.patch.object(Inline, "note", lambda *_: False):
        wanted = tree_of(Document("source", text), language)
    assert (
        found.nodes == wanted.nodes
        and found.errors == wanted.errors
        and found.error_line == wanted.error_line
    )
    for one, other in (
        (found.members, wanted.members), (found.strings, wanted.strings), (found.firsts.heads, wanted.firsts.heads),
        (found.firsts.ends, wanted.firsts.ends), *_columns(found.breaks, wanted.breaks),
        *_columns(found.firsts.breaks, wanted.firsts.breaks),
    ):  # fmt: skip
        assert np.array_equal(one, other), (language, text)


def _columns(found, wanted):
    return [(getattr(found, each), getattr(wanted, each)) for each in ("cuts", "depths", "kinds", "at_line")]


@settings(max_examples=1000, deadline=None)
@given(st.lists(BITS, max_size=25).map("".join), st.sampled_from([*LANGUAGES]))
def test_generated_code(text: str, language: str) -> None:
    _same(text, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sources(language: str) -> None:
    for source in SOURCES.values():
        for text in (source, source.replace("\n", " "), source.replace("\n", "\r\n")):
            _same(text, language)


def test_the_standard_library() -> None:
    for name in ("ast", "decimal", "typing", "argparse", "turtle", "_pydecimal"):
        _same((Path(sysconfig.get_path("stdlib")) / f"{name}.py").read_text("utf-8"), "python")


@pytest.mark.parametrize("text", ["(" * 3000 + "a, b" + ")" * 3000, "f(a, " * 900 + ")" * 900])
def test_deep_nesting_is_walked_into(text: str) -> None:
    _same(text, "python")


def test_most_nodes_are_not_walked_into() -> None:
    entered = []
    real = Inline.note
    with mock.patch.object(Inline, "note", lambda *a: entered.append(real(*a)) or entered[-1]):
        tree_of(
            Document("source", "value = compute(first, [1, 2, 3], other.place(4), 'a b')\n" * 200), "python"
        )
    assert len(entered) == 200 and all(entered)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", [";", "int a", "return y", "x = 1", "int a\nreturn y", "type", "func ()"])
def test_what_is_missing_takes_no_room(text: str, language: str) -> None:
    tree = tree_of(Document("source", text), language)
    assert all(each.span.end <= len(text) for each in tree.nodes)
    _same(text, language)
