"""What is put before a chunk for embedding only."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunklab.chunking import chunk
from chunklab.corpus import load_corpus
from chunklab.discovery import components
from chunklab.embedded import context_notice, context_share, context_tokens, embedded_tokens
from chunklab.embedders.base import embedded_texts
from chunklab.errors import ParamError
from chunklab.experiment import evaluate
from chunklab.presets import PRESETS
from chunklab.recipe import parse_component, parse_recipe
from chunklab.tokens import tokenizer
from chunklab.types import Document
from tests.texts import AWKWARD

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


TEXT = "Harbour notes. The pier is old.\n\nIt leans. Boats still use it. Nobody minds the pier."


@pytest.mark.parametrize(
    ("recipe", "contexts"),
    [
        ("sentence(n=1) | label(text='From: letters.txt. ')", ["From: letters.txt. "] * 5),
        ("sentence(n=1) | label(text=notes)", ["notes\n"] * 5),
        ("sentence(n=1) | label()", ["a.txt\n"] * 5),
        ("sentence(n=1) | prefix(chars=20)", ["Harbour notes. The\n"] * 5),
        ("paragraph() | neighbours()", ["It leans.\n", "The pier is old.\n"]),
        (
            "paragraph() | neighbours(n=2)",
            ["It leans. Boats still use it.\n", "Harbour notes. The pier is old.\n"],
        ),
        ("sentence(n=1) | summary()", []),
    ],
)
def test_what_each_context_is(recipe: str, contexts: list[str]) -> None:
    document = Document("a.txt", TEXT)
    chunks = chunk(document, recipe)
    assert list(chunks.contexts) == contexts
    assert chunks.spans.tolist() == chunk(document, recipe.split(" | ")[0]).spans.tolist()
    for text, context, own in zip(embedded_texts(chunks), contexts, chunks.texts, strict=False):
        assert text == context + own and context[-1].isspace(), "words would run together"


def test_the_summary_is_the_sentence_most_like_the_others() -> None:
    text = "Gulls cry. Oil for the light costs much. The light needs oil. Sleep is what a keeper needs."
    chunks = chunk(Document("a", text), "recursive(size=200) | summary()")
    assert chunks.contexts == ("The light needs oil.\n",)


def test_neighbours_repeat_nothing_of_a_chunk_that_cuts_a_sentence() -> None:
    chunks = chunk(Document("a", "One two three four. Five six."), "fixed(size=10) | neighbours()")
    assert [each.text for each in chunks] == ["One two th", "ree four. ", "Five six."]
    assert chunks.contexts == ("ree four.\n", "One two th\nFive six.\n", "One two three four.\n")


def test_contexts_on_awkward_texts() -> None:
    for key, kind in components("contexts").items():
        assert kind.label and kind.assumes.endswith(".") and kind.fails.endswith("."), key
        for text in AWKWARD.values():
            chunks = chunk(Document("a", text, "text/markdown"), f"fixed(size=20) | {key}()")
            assert chunks.contexts == () or len(chunks.contexts) == len(chunks)


def test_a_tables_header_stays_next_to_its_rows() -> None:
    rows = "".join(f"| {i} | item number {i} |\n" for i in range(8))
    text = f"# T\n\n| id | name |\n|----|------|\n{rows}"
    chunks = chunk(Document("a", text, "text/markdown"), "markdown(max_size=70) | label(text=x)")
    assert chunks.contexts[1] == "x\n| id | name |\n|----|------|\n"


def test_the_share_of_context_is_counted_and_told() -> None:
    document = Document("a", "One sentence. " * 40)
    assert context_share(chunk(document, "sentence(n=1)")) == 0
    chunks = chunk(document, "sentence(n=1) | label(text='word word word')")
    lengths = [tokenizer("cl100k").count(each) for each in ("word word word\n", "One sentence. ")]
    assert context_share(chunks) == pytest.approx(lengths[0] / sum(lengths), abs=0.02)
    assert (embedded_tokens(chunks) == context_tokens(chunks) + chunks.token_counts()).all()
    assert "more than 25%" in context_notice(context_share(chunks)) and context_notice(0.25) == ""
    assert context_share(chunk(Document("a", " "), "fixed() | label()")) == 0


def test_a_label_too_long_is_refused() -> None:
    with pytest.raises(ParamError, match="label: text must be at most 500 characters"):
        parse_recipe(f"fixed() | label(text='{'x' * 501}')")
