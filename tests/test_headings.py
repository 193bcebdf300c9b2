"""Sections are cut the same whether a text is read by line and looked at where a chunk may end, or parsed and scanned."""

from __future__ import annotations

from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from chunklab import depths, packing
from chunklab.chunking import Chunks, chunk
from chunklab.outline import inline_spans, outline_of, parts_of
from chunklab.outline.layout import Layout
from chunklab.outline.parts import parts_in
from chunklab.scan import scan
from chunklab.sentences import Paragraphs
from chunklab.strategies import headings
from chunklab.types import Document
from tests.test_golden import ROOT
from tests.test_markdown_blocks import MADE
from tests.texts import AWKWARD, GENERATED

SAID = st.sampled_from(
    ["Word. ", "Is it? ", "`a b` ", "[a b](http://e.org/x) ", "“q.” ", "日本。", "longer words ", "Mr. Oke ", "``c`d`` ", "`",
     "\n", "\n\n", "\r\n", "# Head\n", "## Sub\n", "- item one. Two\n", "| a b | c. D |\n|---|---|\n", "| e f | g |\n", "    code it\n",
     "```\nx y\n\nz. A\n```\n", "**Bold line**\n", "ALL CAPS\n", "> quoted. So\n", "  ", "\t", "\u2003", "e\u0301", "👩‍👧", "word"]
)  # fmt: skip
TEXTS = st.lists(SAID, max_size=60).map("".join) | MADE | GENERATED
RECIPES = st.builds(
    "markdown(max_size={},overlap={},header_only={},bold_headings={},level={},mode={})".format,
    st.sampled_from((1, 3, 7, 20, 41, 90, 200)), st.sampled_from((0, "20%", "60%")), st.sampled_from(("attach", "keep")),
    st.sampled_from(("true", "false")), st.sampled_from((2, 6)), st.sampled_from(("flat", "subtree")),
)  # fmt: skip


def _general(text: str, recipe: str) -> Chunks:
    """The text parsed as a whole by markdown-it-py and cut a step at a time at boundaries that are all found first."""
    document = Document("text", text, "text/markdown")
    document.fact("markdown layout", lambda: Layout(scan(document), whole=True))
    with (
        mock.patch.object(packing, "Chars", type("Never", (), {})),
        mock.patch.object(headings, "cuts_by_search", lambda *_: None),
        mock.patch.object(depths.Depths, "levels", lambda self: self.known),
    ):
        return chunk(document, recipe)


def _cut(chunks: Chunks) -> tuple:
    reasons = [chunks.reason_names[each] for each in chunks.reasons.tolist()]
    return chunks.spans.tolist(), reasons, chunks.contexts, chunks.notices


@settings(max_examples=400, deadline=None)
@given(text=TEXTS, recipe=RECIPES)
def test_generated_texts(text: str, recipe: str) -> None:
    wanted, document = _cut(_general(text, recipe)), Document("text", text, "text/markdown")
    for _ in range(3):
        assert _cut(chunk(document, recipe)) == wanted, text


def test_awkward_and_real_texts() -> None:
    texts = [path.read_text("utf-8")[:9000] for path in sorted(ROOT.glob("*.md"))]
    for text in [*AWKWARD.values(), *texts]:
        for recipe in ("markdown(max_size=90,overlap=20)", "markdown(max_size=400)"):
            assert _cut(chunk(Document("text", text, "text/markdown"), recipe)) == _cut(
                _general(text, recipe)
            ), text


@settings(max_examples=300, deadline=None)
@given(text=TEXTS)
def test_parts_are_those_of_the_outline(text: str) -> None:
    document = Document("text", text, "text/markdown")
    found, links = parts_of(document), inline_spans(document)
    wanted = parts_in(document, outline_of(document), links)
    for name in ("headings", "levels", "pseudo", "tables"):
        assert getattr(found, name).tolist() == getattr(wanted, name).tolist(), (name, text)
    assert sorted(found.atoms.tolist()) == sorted(wanted.atoms.tolist()) and found.notices == wanted.notices
    known = {tuple(each) for each in found.links.tolist()}
    rest = {found.around(at) for each in links for at in range(each.start + 1, each.end)} - {None}
    assert known | rest == {(each.start, each.end) for each in links}


def test_sentences_are_looked_for_only_where_a_section_has_to_be_cut() -> None:
    short, long = (
        "# Title\n\nA sentence. Another one.\n\n",
        "# Long\n\n" + "One more sentence here. " * 40 + "\n\n",
    )
    with mock.patch.object(Paragraphs, "starts", autospec=True, side_effect=Paragraphs.starts) as starts:
        chunk(Document("text", short * 50, "text/markdown"), "markdown(max_size=100)")
        assert not starts.called
        chunk(Document("text", short * 50 + long + short * 50, "text/markdown"), "markdown(max_size=100)")
        assert len({each.args[1] for each in starts.call_args_list}) == 1


def test_no_outline_is_made_for_cutting() -> None:
    document = Document("text", "# Title\n\nText.\n\n- item\n\n" * 9, "text/markdown")
    with mock.patch.object(Layout, "blocks", property(lambda self: 1 / 0)):
        assert len(chunk(document, "markdown(max_size=10)")) > 9
