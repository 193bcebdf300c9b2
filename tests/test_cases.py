"""The cases made from public bug reports, and the reader of their right values itself."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from chunklab.recipe import parse_recipe
from tests.case_checks import CHECKS, judge
from tests.case_checks_outcome import steep
from tests.case_examples import STRUCTURE, TEXT, cut, result
from tests.case_examples_more import MORE
from tests.case_examples_runs import DEFINITION, EMBEDDINGS, ENDINGS, FILES, MEANINGS, STEPS, TOKEN_VECTORS
from tests.case_input import evaluate
from tests.case_late import fake_model, value_of
from tests.case_meaning import rows_of
from tests.case_metrics import definitions
from tests.case_model import (
    FAILED,
    HELD,
    INCOMPLETE,
    NOT_APPLICABLE,
    NOT_RUN,
    PASSED,
    Case,
    NotBuilt,
    NotRun,
    read_cases,
)
from tests.case_names import suffix
from tests.case_recipes import recipe_of
from tests.case_steps import steps_of
from tests.cases import main, run_case

FILE = Path(__file__).parent / "data" / "cases.jsonl"
AREAS = ("fixed", "recursive", "markdown", "tokens", "sentence", "offsets", "metrics", "perf",
         "upload", "ui", "share", "security", "html", "code", "json", "semantic", "late")  # fmt: skip
# What these cases need is not built. Any other case of the areas above must pass, so that none can turn
# "not applicable" or "incomplete" unnoticed; a case that passes is taken off this list.
WAITING = {
    "upload-07": "PDF and DOCX", "upload-10": "DOCX", "upload-12": "PDF", "upload-14": "PDF", "security-05": "DOCX",
}  # fmt: skip
NO_BROWSER = ("no browser is installed", "playwright is not installed")
EXAMPLES = [*TEXT, *STRUCTURE, *MORE]


@cache
def cases() -> dict[str, Case]:
    """The suite's own copy of the cases, by id."""
    return {each.id: each for each in read_cases(FILE)}


def in_browser(case: Case) -> bool:
    """True when a case is run in a real browser."""
    return "view" in case.params


BUILT = [
    pytest.param(id, id=id, marks=[pytest.mark.browser] if in_browser(case) else [])
    for id, case in cases().items()
    if case.area in AREAS
]


@pytest.mark.parametrize("id", BUILT)
def test_case_passes(id: str) -> None:
    outcome = run_case(cases()[id])
    if any(reason in outcome.why for reason in NO_BROWSER):
        pytest.skip(outcome.why)
    assert outcome.status != FAILED, outcome.line()
    if id in WAITING:
        assert outcome.status in (INCOMPLETE, NOT_APPLICABLE), f"{id} passes now: take it off the list"
    else:
        assert outcome.status == PASSED, outcome.line()


def test_every_waiting_case_exists() -> None:
    assert WAITING.keys() <= cases().keys()


def test_the_suite_has_all_cases() -> None:
    assert len(cases()) == 145


@pytest.mark.parametrize(
    ("op", "fields", "good", "bad"), EXAMPLES, ids=[f"{at}-{e[0]}" for at, e in enumerate(EXAMPLES)]
)
def test_a_check_can_hold_and_can_fail(op, fields, good, bad) -> None:
    assert judge({"op": op, **fields}, good).status == HELD
    verdict = judge({"op": op, **fields}, bad)
    assert verdict.status == FAILED
    assert verdict.why


def test_every_check_has_an_example() -> None:
    assert {each[0] for each in EXAMPLES} == CHECKS.keys()


def test_every_check_of_the_cases_is_known() -> None:
    def ops(checks):
        for each in checks:
            if isinstance(each, list):
                yield from ops(each)
            else:
                yield each["op"]
                yield from ops(each.get("checks", ()))

    assert {op for case in cases().values() for op in ops(case.right_value)} <= CHECKS.keys()


@pytest.mark.parametrize(
    "op", [{"op": "never heard of"}, {"op": "spans"}, {"op": "vectors"}, {"op": "spans", "value": 1}]
)
def test_what_cannot_be_run_never_holds(op) -> None:
    facts = cut("ab", (0, 2)) if op != {"op": "spans", "value": 1} else result({"pieces": 3})
    assert judge(op, facts).status == NOT_RUN


def test_any_of_with_a_check_that_cannot_run_is_unknown_unless_another_list_holds() -> None:
    unknown, held, failed = {"op": "vectors"}, {"op": "no_empty"}, {"op": "error"}
    for lists, status in (
        ([[unknown], [failed]], NOT_RUN),
        ([[unknown], [held]], HELD),
        ([[unknown, failed], [failed]], FAILED),
        ([[held, unknown], [failed]], NOT_RUN),
        ([[held, failed]], FAILED),
    ):
        assert judge({"op": "any_of", "checks": lists}, cut("ab", (0, 2))).status == status


def test_chunks_that_were_never_made_fail_every_check_on_them() -> None:
    assert judge({"op": "slice"}, result(error=ValueError("no"))).status == FAILED


def test_a_ratio_takes_the_best_of_several_tries() -> None:
    spikes = iter([1.0, 9.0, 1.0, 2.1])
    assert steep(lambda n: next(spikes), [1, 2], 3.0) == []
    assert steep(lambda n: n * n, [1, 2, 4], 3.0) == [(1, 2, 4.0), (2, 4, 4.0)]


def case_of(right_value: list, text: str = "some words", **params) -> Case:
    """A case on a text with these settings."""
    return Case.from_json(
        {"id": "own-1", "input_kind": "text", "input": text, "params": params, "right_value": right_value},
        "here",
    )


def test_an_error_that_nothing_speaks_about_fails_the_case() -> None:
    outcome = run_case(case_of([{"op": "time", "lt_s": 5}], strategy="fixed_chars", size=0))
    assert outcome.status == FAILED
    assert "size" in outcome.why


@pytest.mark.parametrize(("checks", "params", "status"), ENDINGS)
def test_how_a_case_ends(checks, params, status) -> None:
    assert run_case(case_of(checks, **params)).status == status


@pytest.mark.parametrize(("settings", "recipe"), MEANINGS)
def test_settings_in_plain_words_mean_a_recipe(settings, recipe) -> None:
    assert recipe_of(settings) == parse_recipe(recipe)


@pytest.mark.parametrize(("settings", "ending"), FILES)
def test_the_file_that_a_text_would_come_from(settings, ending) -> None:
    assert suffix(settings) == ending


@pytest.mark.parametrize(("said", "rows"), EMBEDDINGS)
def test_vectors_in_words(said, rows) -> None:
    found = rows_of(said, ["A cat.", "A dog.", "A tax.", "A fee."])
    assert [each == pytest.approx(row, nan_ok=True) for each, row in zip(found, rows, strict=True)] == [
        True
    ] * len(rows)


@pytest.mark.parametrize(
    "said", ["as you like", "first 2 [1,0], sentence 3 [0,1]", {"A cat.": [1]}, "all [open]"]
)
def test_vectors_that_nobody_understands_are_not_built(said) -> None:
    with pytest.raises(NotBuilt):
        rows_of(said, ["A cat.", "A dog.", "A tax.", "A fee."])


@pytest.mark.parametrize(("said", "vector"), TOKEN_VECTORS)
def test_token_vectors_in_words(said, vector) -> None:
    assert value_of(said)("w07", 3, 9) == vector


def test_a_model_made_after_a_description_refuses_what_it_cannot_read() -> None:
    model = fake_model(
        {"token_vector": "[word index in the document]", "cls": [7], "sep": 8, "max_tokens": 4}
    )
    ids, starts, ends = model.tokens("aa b aa")
    assert len(set(ids.tolist())) == 3 and starts.tolist() == [0, 3, 5] and ends.tolist() == [2, 4, 7]
    assert model.token_vectors([ids[1:]])[0].tolist() == [[7], [1], [2], [8]]
    with pytest.raises(RuntimeError, match="given 3 tokens"):
        model.token_vectors([ids])
    with pytest.raises(NotBuilt, match="wordpiece"):
        fake_model({"tokenizer": "wordpiece", "token_vector": "[1]"})


def test_a_metric_means_what_its_definition_says() -> None:
    assert definitions(DEFINITION) == {"char_recall": "recall", "hit": "whole"}
    assert definitions("hit@k = 1 if any of the top-k chunks overlaps the gold") == {"hit": "hit_rate"}
    assert definitions("p@k = |gold chars inside the union| / |chars of the union of the top k|") == {
        "p": "precision"
    }


@pytest.mark.parametrize(("words", "params", "wanted"), STEPS)
def test_steps_in_plain_words(words, params, wanted) -> None:
    assert steps_of(words, params) == wanted


def test_a_step_that_nobody_knows_is_not_run() -> None:
    with pytest.raises(NotRun, match="red button"):
        steps_of("upload a.txt; press the red button", {})


def test_expressions_are_read_from_a_white_list() -> None:
    assert evaluate("''.join(f'{i}' + chr(97) for i in range(3))") == "0a1a2a"
    for hostile in (
        "__import__('os')",
        "open('x')",
        "''.__class__",
        "(lambda: 1)()",
        "'a' * 10**9",
        "'a' * 99999999999",
    ):
        with pytest.raises((ValueError, SyntaxError)):
            evaluate(hostile)


def write(folder: Path, *rows: object) -> str:
    """A file of cases with these rows."""
    path = folder / "some.jsonl"
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return str(path)


GOOD = {
    "id": "own-1",
    "area": "own",
    "input_kind": "text",
    "input": "ab cd",
    "params": {"strategy": "fixed_chars", "size": 2},
}


@pytest.mark.parametrize(("count", "status"), [(3, 0), (9, 1)])
def test_the_command_reports_each_case_and_a_total(tmp_path, capsys, count, status) -> None:
    path = write(tmp_path, {**GOOD, "right_value": [{"op": "count", "eq": count}]})
    assert main([path, "--area", "own"]) == status
    said = capsys.readouterr().out
    assert said.startswith("own-1: passed" if status == 0 else "own-1: failed: count: 3 chunks, wanted eq 9")
    assert "cases: 1, of these" in said
    assert main([path, "--json"]) == status
    assert json.loads(capsys.readouterr().out)["totals"]["cases"]["all"] == 1


@pytest.mark.parametrize(
    ("rows", "arguments"),
    [([], []), (["{"], []), ([[1]], []), ([{"id": "x"}], []), ([{**GOOD, "right_value": "no"}], []),
     ([{**GOOD, "right_value": []}], ["--area", "none"]), ([{**GOOD, "right_value": []}], ["--fast"])],
)  # fmt: skip
def test_bad_usage_is_told_in_one_line(tmp_path, capsys, rows, arguments) -> None:
    assert main([write(tmp_path, *rows), *arguments]) == 2
    assert main([str(tmp_path / "none.jsonl")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("tests.cases: ") for line in lines)
