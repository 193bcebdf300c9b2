"""Corpora made harder: evidence keeps its words, the same seed gives the same corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunklab.corpus import Corpus, load_corpus
from chunklab.errors import CorpusError, ParamError
from chunklab.intake import from_text
from chunklab.transforms import inject_code, misspelt, shortened, with_distractors
from chunklab.types import Evidence, Question, Span

SAMPLES = Path(__file__).resolve().parents[1] / "sample_corpora"


@pytest.fixture(scope="module", params=["prose", "mixed", "topics"])
def corpus(request) -> Corpus:
    return load_corpus(SAMPLES / request.param)


def words(corpus: Corpus) -> list[str]:
    texts = {each.id: each.text for each in corpus.documents}
    return [
        texts[place.document_id][place.span.start : place.span.end]
        for question in corpus.questions
        for part in question.evidence
        for place in part.places
    ]


def test_evidence_keeps_its_words_and_the_text_gets_its_share_of_code(corpus) -> None:
    made = inject_code(corpus, 0.3, seed=4)
    assert words(made) == words(corpus)
    for before, after in zip(corpus.documents, made.documents, strict=True):
        added = len(after.text) - len(before.text)
        assert 0.3 <= added / len(after.text) < 0.75
        assert after.media_type == "text/markdown" and "```python" in after.text
        without = after.text
        while "```python" in without:
            start = without.index("```python")
            without = without[:start] + without[without.index("\n```\n\n", start) + 6 :]
        if corpus.name != "mixed":
            assert without.rstrip("\n") == before.text.rstrip("\n")


def test_alternatives_move_too_and_code_never_goes_into_evidence() -> None:
    text = "First part.\n\nSecond part, the same.\n\nThird part.\n\nFourth."
    whole = Span(0, text.index("Third"))
    other = Evidence("a.txt", Span(text.index("Fourth"), len(text)))
    corpus = Corpus(
        "c", (from_text(text, "a.txt"),), (Question("q", "?", (Evidence("a.txt", whole, (other,)),)),)
    )
    for seed in range(20):
        assert words(inject_code(corpus, 0.6, seed)) == words(corpus)


def test_the_same_seed_gives_the_same_corpus(corpus) -> None:
    for make in (inject_code, misspelt, shortened):
        assert make(corpus, 0.3, 1).digest == make(corpus, 0.3, 1).digest
        assert make(corpus, 0.3, 1).digest != make(corpus, 0.3, 2).digest


def test_nothing_asked_changes_nothing(corpus) -> None:
    assert (
        inject_code(corpus, 0).digest
        == misspelt(corpus, 0).digest
        == shortened(corpus, 0).digest
        == corpus.digest
    )


def test_questions_are_misspelt_and_shortened_but_never_empty(corpus) -> None:
    for before, after in zip(corpus.questions, misspelt(corpus, 0.5).questions, strict=True):
        assert sorted(before.text.replace(" ", "")) == sorted(after.text.replace(" ", ""))
        assert after.text != before.text and after.evidence == before.evidence
    for before, after in zip(corpus.questions, shortened(corpus, 0.9).questions, strict=True):
        assert 1 <= len(after.text.split()) < len(before.text.split())


def test_distractors_bring_documents_and_no_questions() -> None:
    prose, mixed = load_corpus(SAMPLES / "prose"), load_corpus(SAMPLES / "mixed")
    made = with_distractors(prose, [prose, mixed])
    assert made.questions == prose.questions
    assert [each.id for each in made.documents] == ["prose.txt", "mixed/mixed.md"]
    with pytest.raises(CorpusError):
        with_distractors(prose, [mixed, mixed])


@pytest.mark.parametrize("fraction", [-0.1, 1, 1.5, float("nan"), "30%", True])
def test_a_fraction_that_cannot_be_is_refused(corpus, fraction) -> None:
    for make in (inject_code, misspelt, shortened):
        with pytest.raises(ParamError, match="a number from 0 up to"):
            make(corpus, fraction)
