"""The outline of a Markdown text is what markdown-it-py makes of the whole text, whatever is read by line."""

from __future__ import annotations

from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from chunklab.outline import blocks, markdown
from chunklab.outline.layout import Layout
from chunklab.scan import scan
from chunklab.types import Document
from tests.test_golden import ROOT
from tests.texts import AWKWARD, GENERATED

BITS = st.sampled_from(
    ["word", "Word two", "# ", "## x", "#", "```", "```\n", "~~~", "- ", "* ", "1. ", "1) ", "2.5", "> ", "    ", "  ", "\t",
     "\n", "\n", "\n\n", "\n\n", "\n \n", "| a | b |\n", "|---|---|\n", "---\n", "===\n", "***", "**bold**", "`code`", "[x](y)",
     "[x]: http://a", "<div>", "</div>", "<!--", "-->", "<script>", "</script>", "$x$", "é", "日本", "“q”", "\\", "``",
     "#### t ##", "+ ", "...\n", "- item\n", "- item two\n\n", "| h | k |\n|---|--:|\n", "| c | d\n", "```py\ncode\n\nmore\n```\n"]
)  # fmt: skip
MADE = st.tuples(st.sampled_from(["", "", "---\na: b\n---\n", "---\nx\n\ny\n---\n", "---\n---"]), st.lists(BITS, max_size=40)).map(
    lambda parts: parts[0] + "".join(parts[1])
)  # fmt: skip


def _check(text: str) -> None:
    document, whole = (Document("text", text, "text/markdown") for _ in range(2))
    found, inline = markdown.read(document), markdown.read_inline(document)

    whole.fact("markdown layout", lambda: Layout(scan(whole), whole=True))
    assert found == markdown.read(whole) and inline == markdown.read_inline(whole), text


@settings(max_examples=600, deadline=None)
@given(text=MADE | GENERATED)
def test_generated_texts(text: str) -> None:
    _check(text)


def test_awkward_texts() -> None:
    for text in AWKWARD.values():
        _check(text)


def test_real_texts() -> None:
    for path in [*ROOT.glob("*.md"), *ROOT.glob("sample_corpora/*/*.md"), *ROOT.glob("benchmarks/*.md")]:
        _check(path.read_text("utf-8"))


def test_plain_blocks_are_not_parsed() -> None:
    """Only what is not plain goes to the parser: here a list in a quotation, not the nine tenths around it."""
    text = (
        "# Title\n\nA paragraph\nof two lines.\n\n- item\n- item\n\n| a | b |\n|---|---|\n| c | d |\n\n> quoted\n\n<div>\n\n```py\nx\n\ny\n```\n\n"
        * 9
    )
    with mock.patch.object(blocks, "parse", wraps=blocks.parse) as parser:
        markdown.read(Document("text", text, "text/markdown"))
        assert not parser.called
        markdown.read(Document("text", text + "> - quoted\n\n" + text, "text/markdown"))
        assert parser.call_count == 1
