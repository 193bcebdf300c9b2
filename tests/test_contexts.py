"""What is put before a chunk for embedding only."""

from __future__ import annotations

from pathlib import Path

from chunklab.chunking import chunk
from chunklab.corpus import load_corpus
from chunklab.embedders.base import embedded_texts
from chunklab.experiment import evaluate
from chunklab.presets import PRESETS
from chunklab.recipe import parse_component, parse_recipe
from chunklab.types import Document

ROOT = Path(__file__).resolve().parents[1]


def test_headings_are_embedded_and_never_in_the_span() -> None:
    document = Document("a", "# Base\n\n## Desk\nx\n\n### Kit\ny\n", "text/markdown")
    chunks = chunk(document, "markdown() | headings()")
    assert [each.context for each in chunks] == ["Base > Desk\n", "Base > Desk > Kit\n"]
    assert embedded_texts(chunks)[1] == "Base > Desk > Kit\n### Kit\ny\n"
    assert chunks.spans.tolist() == chunk(document, "markdown()").spans.tolist()
    assert all(each.text == document.text[each.span.start : each.span.end] for each in chunks)


def test_a_text_without_headings_gets_no_context() -> None:
    assert (
        chunk(Document("a", "no headings here", "text/markdown"), "recursive() | headings()").contexts == ()
    )


def test_a_cut_table_carries_its_header_after_the_headings() -> None:
    rows = "".join(f"| {i} | item number {i} |\n" for i in range(8))
    text = f"# T\n\n| id | name |\n|----|------|\n{rows}"
    chunks = chunk(Document("a", text, "text/markdown"), "markdown(max_size=70) | headings()")
    assert chunks[1].context == "T\n| id | name |\n|----|------|\n"
    assert chunks[0].text.startswith("# T") and "item number 0" in chunks[0].text
    assert all(each.text.startswith("| ") for each in list(chunks)[1:])


def test_contexts_change_the_ranking_and_not_the_spans_that_are_measured() -> None:
    corpus = load_corpus(ROOT / "sample_corpora" / "markdown")
    parts = [parse_component("embedders", "hashing"), parse_component("retrievers", "dense")]
    plain, headed = (evaluate(corpus, text, *parts) for text in ("markdown()", "markdown() | headings()"))
    assert plain.chunks == headed.chunks
    assert plain.ranking.scores.tolist() != headed.ranking.scores.tolist()


def test_presets_are_canonical_recipes() -> None:
    assert all(str(parse_recipe(text)) == text for text in PRESETS.values())


def test_ids_name_text_span_and_recipe() -> None:
    one, two = (chunk(Document(name, "Same text. " * 80), "recursive()") for name in ("a", "b"))
    assert [each.id for each in one] == [each.id for each in two]
    assert len({each.id for each in one}) == len(one) > 1
    other = chunk(Document("a", "Same text. " * 80), "recursive(size=401)")
    assert not {each.id for each in one} & {each.id for each in other}
