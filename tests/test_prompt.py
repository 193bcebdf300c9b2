"""The prompt: no character twice, citations that lead back, tokens counted on the text itself, the budget held."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunklab.chunking import chunk
from chunklab.corpus import load_corpus
from chunklab.errors import ParamError
from chunklab.experiment import evaluate
from chunklab.intervals import union
from chunklab.prompt import assemble
from chunklab.recipe import parse_component
from chunklab.returned import ranked_places
from chunklab.tokens import tokenizer
from chunklab.types import Document
from tests.test_retrieval import SAMPLES

GUIDE = Document(
    "guide.md",
    "# Guide\n\nRead me.\n\n## Install\n\nRun the *installer* `<b>` $x$.\n\n## Use\n\nPress the button twice.\n",
    "text/markdown",
)
NOTES = Document("notes.txt", "One two three four five six seven eight nine ten. Eleven twelve thirteen.")


def place(document: Document, text: str) -> tuple[str, int, int]:
    start = document.text.index(text)
    return document.id, start, start + len(text)


def test_it_holds_the_text_as_it_is_with_a_citation_each_and_the_question_last() -> None:
    install, first = place(GUIDE, "Run the *installer* `<b>` $x$.\n"), place(NOTES, "One two three")
    prompt = assemble("What is **run**?", [install, first], [NOTES, GUIDE])
    assert prompt.text == (
        "[1] guide.md, characters 31–62, Guide › Install\nRun the *installer* `<b>` $x$.\n\n\n"
        "[2] notes.txt, characters 0–13\nOne two three\n\n"
        "Question: What is **run**?"
    )
    assert prompt.tokens == tokenizer("cl100k").count(prompt.text) and prompt.left is None
    assert [part.number for part in prompt.parts] == [1, 2] and prompt.parts[0].headings == (
        "Guide",
        "Install",
    )
    plain = json.loads(json.dumps(prompt.to_json()))
    assert plain["parts"][1]["citation"] == "[2] notes.txt, characters 0–13" and plain["left"] is None


def test_overlapping_and_touching_places_are_one_at_their_best_rank() -> None:
    ranked = [
        place(NOTES, "seven eight"),
        place(GUIDE, "Read me."),
        place(NOTES, "eight nine"),
        place(NOTES, " ten."),
    ]
    parts = assemble("?", ranked, [NOTES, GUIDE]).parts
    assert [(part.document_id, part.start, part.end) for part in parts] == [
        place(NOTES, "seven eight nine ten."), place(GUIDE, "Read me."),
    ]  # fmt: skip


def test_nothing_found_leaves_the_question() -> None:
    prompt = assemble("Why?", [], [NOTES], budget=10)
    assert (prompt.text, prompt.parts) == ("Question: Why?", ()) and prompt.left == 10 - prompt.tokens


@pytest.mark.parametrize("name", ["cl100k", "o200k", "minilm"])
def test_the_place_that_passes_the_budget_is_cut_to_the_last_token_that_fits(name: str) -> None:
    ranked = [
        place(NOTES, "Eleven twelve"),
        place(GUIDE, "Read me.\n\n## Install\n\nRun the"),
        place(NOTES, "One two"),
    ]
    whole = assemble("Why?", ranked, [NOTES, GUIDE], tokenizer=name)
    counts = set()
    least = tokenizer(name).count("Question: Why?")
    for budget in range(least, whole.tokens + 1):
        prompt = assemble("Why?", ranked, [NOTES, GUIDE], budget, name)
        assert prompt.tokens == tokenizer(name).count(prompt.text) == budget - prompt.left <= budget
        kept = len(ranked) - len(prompt.beyond)
        assert list(prompt.beyond) == ranked[kept:]
        assert [(part.document_id, part.start) for part in prompt.parts] == [
            each[:2] for each in ranked[:kept]
        ]
        ends = [part.end for part in prompt.parts]
        assert ends[:-1] == [end for *_, end in ranked[: kept - 1]] if kept else not ends
        cut = [part.cut for part in prompt.parts]
        assert cut == [part.end < end for part, (*_, end) in zip(prompt.parts, ranked, strict=False)]
        assert not any(cut[:-1])
        counts.add(prompt.tokens)
    assert prompt == whole.__class__(whole.text, whole.parts, whole.tokens, 0)
    assert len(counts) > 10, "the budget is used to within a few tokens"


def test_a_part_before_a_better_place_is_not_what_the_budget_keeps() -> None:
    best, before = place(NOTES, "nine ten"), place(NOTES, "One two three four five six seven eight ")
    room = assemble("?", [best], [NOTES]).tokens + 3
    (part,) = [each for each in assemble("?", [best, before], [NOTES], room).parts if each.end == best[2]]
    assert (part.start, part.end) == best[1:]


def test_a_budget_below_the_question() -> None:
    with pytest.raises(
        ParamError, match="prompt: budget must be at least 5, the tokens of the question, got 4"
    ):
        assemble("Why not?", [place(NOTES, "One")], [NOTES], 4)


def test_a_cluster_is_never_cut() -> None:
    family = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}"
    document = Document("a", family * 6)
    for budget in range(30, 120):
        for part in assemble("?", [("a", 0, len(document.text))], [document], budget).parts:
            assert (part.end - part.start) % len(family) == 0 and part.start < part.end


def test_the_same_words_stand_once_when_asked() -> None:
    text = "The gate opens at seven in the morning and closes at nine in the evening on every working day."
    one, copy = Document("one", text), Document("two", f"Note: {text.replace('gate', 'GATE')}")
    other, signs = (
        Document("three", text.replace("opens", "never opens").replace("nine", "ten")),
        Document("s", "*** !!!"),
    )
    documents = [one, copy, other, signs]
    ranked = [(each.id, 0, len(each.text)) for each in documents] + [("s", 0, 3), ("s", 4, 7)]
    assert len(assemble("?", ranked, documents).parts) == 4
    prompt = assemble("?", ranked, documents, once=True)
    assert prompt.repeats == (("two", 0, len(copy.text)),)
    assert [part.document_id for part in prompt.parts] == ["one", "three", "s"]
    half = len(text) // 2
    overlapping = [("one", 0, half + 4), ("one", 0, half + 5)]
    assert assemble("?", overlapping, documents, once=True).repeats == (), "overlaps are merged, not repeats"


TEXTS = [Document("a", GUIDE.text * 2), Document("b", NOTES.text), Document("c", "日本語の文章です。" * 9)]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_every_character_that_was_found_stands_once(data: st.DataObject) -> None:
    ranked = []
    for _ in range(data.draw(st.integers(0, 8))):
        document = data.draw(st.sampled_from(TEXTS))
        start = data.draw(st.integers(0, len(document.text) - 1))
        ranked.append((document.id, start, data.draw(st.integers(start + 1, len(document.text)))))
    texts = {each.id: each.text for each in TEXTS}
    prompt = assemble("Which?", ranked, TEXTS)
    parts = [(part.document_id, part.start, part.end) for part in prompt.parts]
    assert union(parts) == union(ranked) and len(parts) == sum(map(len, union(ranked).values()))
    assert parts[:1] == [part for part in parts if ranked and part[0] == ranked[0][0]
                         and part[1] <= ranked[0][1] and ranked[0][2] <= part[2]]  # fmt: skip
    rest = prompt.text
    for part in prompt.parts:
        shown = f"{part.citation}\n{texts[part.document_id][part.start : part.end]}\n\n"
        assert rest.startswith(shown)
        rest = rest[len(shown) :]
    assert rest == "Question: Which?"
    budget = data.draw(st.integers(8, 300))
    within = assemble("Which?", ranked, TEXTS, budget)
    assert within.tokens == tokenizer("cl100k").count(within.text) <= budget
    if prompt.tokens <= budget:
        assert within.text == prompt.text and within.left == budget - prompt.tokens


def test_what_a_search_returned_makes_a_prompt() -> None:
    corpus = load_corpus(SAMPLES / "markdown")
    recipe = "recursive(size=200,overlap=40) | headings() | window()"
    chunks = [chunk(each, recipe) for each in corpus.documents]
    evaluation = evaluate(
        corpus,
        recipe,
        parse_component("embedders", "hashing"),
        parse_component("retrievers", "dense"),
        (5,),
        chunks,
    )
    for question, places in zip(
        evaluation.questions, ranked_places(evaluation.ranking, chunks, 5), strict=True
    ):
        assert len(places) == 5
        prompt = assemble(question.text, places, corpus.documents, 300)
        assert 100 < prompt.tokens <= 300 and prompt.text.endswith(question.text)
        assert prompt.parts[0].headings
