"""One small text for each failure mode: what is found, where, and that the offered recipe mends it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from chunklab.chunking import chunk
from chunklab.cli import main
from chunklab.corpus import load_corpus
from chunklab.errors import ChunklabError, ParamError
from chunklab.lint import DETECTORS, lint, near_duplicate
from chunklab.lint.base import PLACES_KEPT, Problem
from chunklab.lint.evidence import questions_about
from chunklab.recipe import parse_recipe
from chunklab.types import Document, Evidence, Question, Span
from tests.texts import AWKWARD

SAMPLES = Path(__file__).parent.parent / "sample_corpora"
MODEL = "all-MiniLM-L6-v2"
LONG = " ".join(f"word{at}" for at in range(60))
WORDS = "Rain fell on the quiet harbour town while boats came home. "
TABLE = "| id | name |\n|----|------|\n" + "".join(f"| {i} | item number {i} |\n" for i in range(9))
CODE = "# T\n\nIntro words here.\n\n```py\nfirst = 1\n\nsecond = 2\n\nthird = 3\n```\n\nMore words follow here.\n"
TOPICS = (
    "The otter swims in the cold river. An otter hunts fish in the river. Fish hide from the otter. "
    "River fish feed otter pups. Otter pups swim early. The river otter sleeps. "
)
OTHER = (
    "Loans carry monthly interest. Banks lend money against interest. Interest makes loans costly. "
    "Banks sell loans. Monthly interest pays banks. Money lent earns interest. "
)

# name -> (text, media type, recipe, kind, count, text of the first place)
CASES = {
    "orphan by pronoun": ("The pump broke. It fixes the issue.", "text/plain", "sentence(n=1)", "orphan sentence", 1,
                          "It fixes the issue."),
    "orphan by connective": (WORDS * 2 + "\n\nHowever, the pier held on well.", "text/plain", "paragraph()",
                             "orphan sentence", 1, "However, the pier held on well."),
    "orphan by place": ("Pumps can break. Ask Ann for help.", "text/plain", "sentence(n=1)", "orphan sentence", 1,
                        "Ask Ann for help."),
    "word": ("alpha beta gamma delta", "text/plain", "fixed(size=8)", "cut inside a word", 1, "beta"),
    "identifier": ("call retry_delay_seconds now", "text/plain", "fixed(size=14)", "cut inside a word", 1,
                   "retry_delay_seconds"),
    "fence": (CODE, "text/markdown", "recursive(size=40,overlap=0)", "cut inside code", 1,
              CODE[CODE.index("```py") : CODE.rindex("```") + 3]),
    "definition": ("import os\n\n\ndef first():\n    one = 1\n\n    two = 2\n    return one + two\n\n\ndef second():\n    return 2\n",
                   "text/x-python", "recursive(size=60,overlap=0)", "cut inside code", None, None),
    "table": (f"# T\n\n{TABLE}", "text/markdown", "recursive(size=80,overlap=0)", "cut inside a table", 1,
              TABLE.rstrip()),
    "row": (f"# T\n\n{TABLE}", "text/markdown", "fixed(size=40)", "cut inside a table", None, None),
    "link": ("# T\n\nRead [the long guide](http://e.org/a_(b)#c) first of all.", "text/markdown", "recursive(size=20,overlap=0)",
             "cut inside a link", 1, "[the long guide](http://e.org/a_(b)#c)"),
    "header": ("# One\n\n## Two\n\ntext that is long enough\n", "text/markdown", "paragraph()", "header only", 2,
               "# One\n\n"),
    "kept header": ("# One\n\n## Two\n\ntext that is long enough\n", "text/markdown", "markdown(header_only=keep)",
                    "header only", 1, "# One\n\n"),
    "heading": (WORDS + "\n\n## Two\n\n" + WORDS, "text/markdown", "recursive(size=70,overlap=0)", "lost heading", 1,
                "## Two"),
    "tiny": (WORDS + "\n\nOk.\n\n" + WORDS, "text/plain", "paragraph()", "tiny", 1, "Ok."),
    "tiny sentences": ("Yes. No. Perhaps. " + WORDS, "text/plain", "sentence(n=1)", "tiny", 3, "Yes."),
    "too long": (WORDS * 60, "text/plain", "recursive(size=3000)", "over the model's limit", 1, None),
    "drift": (TOPICS * 3 + OTHER * 3, "text/plain", "fixed(size=2000)", "drift", 1,
              "The river otter sleeps. Loans carry monthly interest."),
    "duplicate": ("\n\n".join([WORDS, "Something else stands here.", WORDS]), "text/plain", "paragraph()",
                  "duplicate", 1, WORDS.strip()),
    "near": ("\n\n".join([LONG + " one.", LONG + " two."]), "text/plain",
             "paragraph()", "near-duplicate", 1, LONG + " two."),
    "overlap": (" ".join(f"word{i}" for i in range(300)), "text/plain", "fixed(size=400,overlap=360)",
                "near-duplicate", None, None),
    "sentence": (WORDS * 3, "text/plain", "fixed(size=70)", "mid-sentence start", 2, None),
    "cjk": ("雨が止んだ。空は青い！今日は天気がいいので散歩に行きましょう。", "text/plain",
            "recursive(size=20,overlap=0,separators=[' ',''])", "CJK stop ignored", 1, "今日は天気がいいの"),
    "no headings": (WORDS * 3, "text/plain", "markdown()", "lost structure", 1, None),
    "bold": ("# T\n\n**Bold line**\n\n" + WORDS, "text/markdown", "markdown()", "lost structure", 1, "**Bold line**"),
    "context": (WORDS * 4, "text/plain", "sentence(n=1) | prefix()", "much context", 4, None),
    "few": (WORDS + "Two. Three.", "text/plain", "semantic()", "few sentences", 1, None),
}  # fmt: skip


def found(text: str, media: str, recipe: str, kind: str) -> Problem | None:
    chunks = chunk(Document("a", text, media), recipe)
    return next((each for each in lint(chunks, model=MODEL) if each.kind == kind), None)


@pytest.mark.parametrize("name", CASES)
def test_each_failure_is_found_where_it_is_and_its_fix_mends_it(name: str) -> None:
    text, media, recipe, kind, count, place = CASES[name]
    problem = found(text, media, recipe, kind)
    assert problem is not None
    assert problem.what.endswith(".") and problem.remedy.endswith(".") and "\n" not in problem.remedy
    assert problem.count == (count or problem.count) == len(problem.places)
    if place is not None:
        assert text[problem.places[0].start : problem.places[0].end] == place
    if kind == "duplicate" or name == "near":
        assert problem.fix is None
        return
    assert str(parse_recipe(problem.fix)) == problem.fix != recipe
    after = found(text, media, problem.fix, kind)
    assert after is None or after.count < problem.count


@pytest.mark.parametrize(
    ("text", "media", "recipe", "kind"),
    [
        ("# This one\n\nIt is said under its heading.\n", "text/markdown", "markdown()", "orphan sentence"),
        ("It begins the document. The pump broke.", "text/plain", "fixed(size=500)", "orphan sentence"),
        ("The pump broke. It is fixed.", "text/plain", "sentence(n=1) | itself() | window()", "orphan sentence"),
        ("The pump broke. It is fixed.", "text/plain", "sentence(n=1) | neighbours()", "orphan sentence"),
        ("雨が止んだ。空は青い！" * 4, "text/plain", "fixed(size=7)", "cut inside a word"),
        (f"# T\n\n{TABLE}", "text/markdown", "markdown(max_size=80)", "cut inside a table"),
        (CODE, "text/markdown", "markdown(max_size=60)", "cut inside code"),
        (WORDS + "\n\n## Two\n\n" + WORDS, "text/markdown", "recursive(size=70,overlap=0) | headings()", "lost heading"),
        ("Yes. No. Perhaps. " + WORDS, "text/plain", "sentence(n=1) | itself() | parent()", "tiny"),
        ("Ok.", "text/plain", "recursive()", "tiny"),
        ("雨が止んだ。空は青い！" * 4, "text/plain", "recursive(size=12,overlap=0)", "CJK stop ignored"),
        (TOPICS * 6, "text/plain", "fixed(size=3000)", "drift"),
        (WORDS * 3, "text/plain", "recursive(size=70,overlap=0)", "mid-sentence start"),
        ("\n\n".join([WORDS * 2, "Entirely other words are written in this second part of it."]), "text/plain",
         "paragraph()", "near-duplicate"),
        (WORDS * 20, "text/plain", "recursive(size=1000) | label(text=x)", "much context"),
        ("# T\n\n**Bold line**\n\n" + WORDS, "text/markdown", "markdown(bold_headings=true)", "lost structure"),
        ("x = 1\n\n\ndef f():\n    return it\n", "text/x-python", "fixed(size=9)", "mid-sentence start"),
    ],
)  # fmt: skip
def test_what_is_in_order_is_not_flagged(text: str, media: str, recipe: str, kind: str) -> None:
    assert found(text, media, recipe, kind) is None


def test_straddled_evidence() -> None:
    document = Document("a", WORDS * 8)
    questions = [
        Question("cut", "?", (Evidence("a", Span(60, 115)), Evidence("b", Span(0, 90)))),
        Question("whole", "?", (Evidence("a", Span(2, 20)), Evidence("a", Span(60, 115)))),
        Question("none", "?", ()),
    ]
    (problem,) = [
        each for each in lint(chunk(document, "fixed(size=80)"), questions) if "straddled" in each.kind
    ]
    assert problem.places == (Span(60, 115),)
    assert problem.fix == "fixed(size=80) | itself() | parent()"
    assert not [each for each in lint(chunk(document, problem.fix), questions) if "straddled" in each.kind]
    assert not [each for each in lint(chunk(document, "fixed(size=80)")) if "straddled" in each.kind]


def test_hand_counts_of_the_samples() -> None:
    corpus = load_corpus(SAMPLES / "markdown")
    (document,) = corpus.documents
    by_kind = {each.kind: each for each in lint(chunk(document, "markdown(header_only=keep)"))}
    assert by_kind["header only"].count == 6 and by_kind["lost structure"].count == 1
    by_kind = {each.kind: each for each in lint(chunk(document, "paragraph()"))}
    assert by_kind["header only"].count == 20
    mixed = load_corpus(SAMPLES / "mixed").documents[0]
    assert {each.kind: each.count for each in lint(chunk(mixed, "fixed(size=200)"))}[
        "cut inside a word"
    ] == 14


def test_every_finding_names_its_kind_once_and_in_order() -> None:
    document = load_corpus(SAMPLES / "mixed").documents[0]
    for recipe in ("fixed(size=100)", "sentence(n=1)", "paragraph()", "recursive() | prefix()"):
        first, second = (lint(chunk(document, recipe), model=MODEL) for _ in range(2))
        assert first == second and len({each.kind for each in first}) == len(first)
        order = [next(at for at, each in enumerate(DETECTORS) if each.detect.__module__ and _is(each, problem.kind))
                 for problem in first]  # fmt: skip
        assert order == sorted(order)


def _is(detector: object, kind: str) -> bool:
    return f'"{kind}"' in Path(detector.__file__).read_text("utf-8")


@pytest.mark.parametrize("recipe", ["fixed(size=1)", "fixed(size=9,overlap=5)", "recursive(size=40) | neighbours()",
                                    "sentence(n=1) | itself() | window()", "markdown(max_size=40) | headings()"])  # fmt: skip
def test_awkward_texts_raise_nothing(recipe: str) -> None:
    for name, text in AWKWARD.items():
        for media in ("text/plain", "text/markdown"):
            for each in lint(chunk(Document(name, text, media), recipe), model=MODEL):
                assert each.count >= len(each.places) > 0
                assert all(place.end <= len(text) for place in each.places)
                assert each.fix is None or parse_recipe(each.fix)
                json.dumps(each.to_json(), allow_nan=False)


def test_places_are_capped_and_the_count_is_kept() -> None:
    problem = found("aaaa bbbb " * 1500, "text/plain", "fixed(size=2)", "cut inside a word")
    assert problem.count == 3000 and len(problem.places) == PLACES_KEPT == 1000
    assert problem.to_json()["count"] == 3000 and len(problem.to_json()["places"]) == 100


def test_an_unknown_model_is_refused() -> None:
    with pytest.raises(ParamError, match="lint: model must be one of all-MiniLM-L6-v2"):
        lint(chunk(Document("a", ""), "fixed()"), model="nope")


def test_near_duplicates_are_compared_with_few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    original = np.intersect1d
    monkeypatch.setattr(
        near_duplicate.np, "intersect1d", lambda *each, **more: compared.append(1) or original(*each, **more)
    )
    for many in (100, 400):
        compared.clear()
        text = "\n\n".join(f"{LONG} number{at}." for at in range(many))
        problem = found(text, "text/plain", "paragraph()", "near-duplicate")
        assert problem.count == many - 1 and len(compared) <= 8 * many


def test_questions_of_a_file_about_one_document() -> None:
    document = Document("prose.txt", "The lamp was lit. The mate saw it.")
    line = {"id": "one", "text": "Who?", "evidence": [{"document": "deep/prose.txt", "quote": "The mate"},
                                                      {"document": "other.txt", "quote": "nothing"}]}  # fmt: skip
    other = {"id": "two", "text": "What?", "evidence": [{"document": "other.txt", "quote": "nothing"}]}
    data = "\n".join(json.dumps(each) for each in (other, line)).encode()
    (question,), notices = questions_about(document, data, "q.jsonl")
    assert question.evidence == (Evidence("prose.txt", Span(18, 26)),) and not notices
    with pytest.raises(ChunklabError, match=r"q\.jsonl line 3"):
        questions_about(document, data + b"\n{broken", "q.jsonl")
    with pytest.raises(ChunklabError, match=r"q\.jsonl: must be UTF-8"):
        questions_about(document, b"\xff", "q.jsonl")


def test_the_command_line(capfd: pytest.CaptureFixture) -> None:
    file, questions = (str(SAMPLES / "mixed" / each) for each in ("mixed.md", "questions.jsonl"))
    arguments = ["lint", file, "-r", "fixed(size=200)", "--questions", questions, "--model", MODEL]
    assert main([*arguments, "--json"]) == 0
    result = json.loads(capfd.readouterr().out)
    assert result.keys() == {"document", "recipe", "chunks", "questions", "notices", "problems"}
    assert result["questions"] == 8 and result["recipe"] == "fixed(size=200)"
    assert result["problems"][0].keys() == {"kind", "count", "what", "places", "remedy", "fix"}
    assert result["problems"][0]["kind"] == "straddled evidence"
    assert main(arguments) == 0
    assert "try: recursive(size=200,overlap=0)" in capfd.readouterr().out
    assert main(["lint", file, "--model", "nope"]) == 2
    assert capfd.readouterr().err.count("\n") == 1


def test_a_limit_by_embedder_or_by_name_and_none_for_whole_documents() -> None:
    class Short:
        limit, tokenizer, passage_prefix, added = 20, "minilm", "", (1, 1)

    document = Document("a", WORDS * 8)
    kinds = [each.kind for each in lint(chunk(document, "fixed(size=200)"), model=Short())]
    assert "over the model's limit" in kinds
    kinds = [each.kind for each in lint(chunk(document, "fixed(size=60)"), model=Short())]
    assert "over the model's limit" not in kinds
    # 255 tokens and the model's own two are one too many
    long = Document("b", "word " * 255)
    assert "over the model's limit" in [
        each.kind for each in lint(chunk(long, "fixed(size=9000)"), model=MODEL)
    ]
    fits = Document("c", "word " * 254)
    assert "over the model's limit" not in [
        each.kind for each in lint(chunk(fits, "fixed(size=9000)"), model=MODEL)
    ]
