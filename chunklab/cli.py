"""The command line: every command prints a table for people or, with --json, one JSON value."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, NoReturn

from chunklab import export, tables
from chunklab.chunking import chunk
from chunklab.discovery import FAMILIES, components
from chunklab.errors import ChunklabError, IntakeError, ParamError, shown
from chunklab.intake import MAX_BYTES, read_bytes
from chunklab.limits import limit_notice
from chunklab.recipe import parse_component, parse_recipe


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ChunklabError(f"{self.prog}: {message}. Run {self.prog} --help.")


def main(arguments: list[str] | None = None) -> int:
    """The exit status: 0, or 2 for bad input, which is told in one line on standard error."""
    try:
        options = _parser().parse_args(arguments)
        result = options.run(options)
        _print(json.dumps(result, ensure_ascii=False, indent=2) if options.json else options.show(result))
        return 0
    except ChunklabError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="chunklab", description="Cut documents into chunks for retrieval, and measure the cuts."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)

    each = commands.add_parser("strategies", help="list every component with its parameters")
    each.set_defaults(run=_strategies, show=tables.strategies)

    each = commands.add_parser("chunk", help="cut one file")
    each.add_argument(
        "file", metavar="FILE", help="a text, Markdown, HTML, JSON, XML, CSV, notebook or code file"
    )
    each.add_argument(
        "-r", "--recipe", default="recursive()", help="such as 'recursive(size=400,overlap=50)'"
    )
    each.add_argument(
        "--model-limit", type=int, metavar="TOKENS", help="tell which chunks an embedding model truncates"
    )
    each.set_defaults(run=_chunk, show=tables.chunks)

    each = commands.add_parser("lint", help="find what goes wrong with the chunks of one file")
    each.add_argument(
        "file", metavar="FILE", help="a text, Markdown, HTML, JSON, XML, CSV, notebook or code file"
    )
    each.add_argument("-r", "--recipe", default="recursive()", help="such as 'recursive(size=400)'")
    each.add_argument("--questions", metavar="FILE", help="a questions.jsonl: is their evidence cut?")
    each.add_argument("--model", metavar="NAME", help="an embedding model: are chunks over its limit?")
    each.set_defaults(run=_lint, show=tables.problems)

    each = commands.add_parser("advise", help="a recipe to start from for one file, and why")
    each.add_argument(
        "file", metavar="FILE", help="a text, Markdown, HTML, JSON, XML, CSV, notebook or code file"
    )
    each.set_defaults(run=_advise, show=tables.advice)

    each = commands.add_parser("evaluate", help="measure recipes on a corpus with questions")
    each.add_argument("corpus", metavar="CORPUS", help="a folder of documents with a questions.jsonl")
    each.add_argument("-r", "--recipe", action="append", required=True, help="repeat to compare several")
    each.add_argument("--embedder", default="hashing", help="such as 'hashing(dims=512)'")
    each.add_argument("--retriever", default="dense", help="how chunks are ranked")
    each.add_argument("-k", default="1,3,5,10", help="numbers of chunks looked at, separated by commas")
    each.add_argument("--per-question", action="store_true", help="each question's values too")
    each.set_defaults(run=_evaluate, show=tables.evaluation)

    for command in commands.choices.values():
        command.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _strategies(options: argparse.Namespace) -> dict[str, Any]:
    return {family: [_described(kind) for kind in components(family).values()] for family in FAMILIES}


def _described(kind: type) -> dict[str, Any]:
    params = []
    for name, (default, spec) in kind.params().items():
        each = {"name": name, "kind": spec.kind, "default": default, "help": spec.help}
        if spec.low is not None:
            each |= {"low": spec.low, "high": spec.high}
        if spec.choices:
            each["choices"] = list(spec.choices)
        params.append(each)
    facts = {"label": kind.label, "assumes": kind.assumes, "fails": kind.fails}
    return {"name": kind.key(), **facts, "params": params}


def _chunk(options: argparse.Namespace) -> dict[str, Any]:
    recipe = parse_recipe(options.recipe)
    document = read_bytes(Path(options.file).name, _file(options.file))
    cut = chunk(document, recipe)
    if options.model_limit is not None and options.model_limit < 1:
        raise ParamError("chunk", "--model-limit", "a whole number of at least 1", options.model_limit)
    result = export.record(cut)
    if options.model_limit:
        notice = limit_notice(cut.token_counts(recipe.split.tokenizer), options.model_limit)
        result["report"]["notices"] += [notice] if notice else []
    return result


def _lint(options: argparse.Namespace) -> dict[str, Any]:
    from chunklab.lint import lint
    from chunklab.lint.evidence import questions_about

    recipe = parse_recipe(options.recipe)
    document = read_bytes(Path(options.file).name, _file(options.file))
    questions, notices = (), ()
    if options.questions:
        path = Path(options.questions)
        questions, notices = questions_about(document, _file(options.questions), path.name)
    cut = chunk(document, recipe)
    return {
        "document": document.id,
        "recipe": str(recipe),
        "chunks": len(cut),
        "questions": len(questions),
        "notices": [*document.notices, *cut.notices, *notices],
        "problems": [each.to_json() for each in lint(cut, questions, options.model)],
    }


def _advise(options: argparse.Namespace) -> dict[str, Any]:
    from chunklab.advise import advise

    document = read_bytes(Path(options.file).name, _file(options.file))
    return {"document": document.id, **advise(document).to_json()}


def _evaluate(options: argparse.Namespace) -> dict[str, Any]:
    from chunklab.corpus import load_corpus
    from chunklab.experiment import evaluate

    ks = _ks(options.k)
    recipes = [parse_recipe(text) for text in options.recipe]
    embedder = parse_component("embedders", options.embedder)
    retriever = parse_component("retrievers", options.retriever)
    corpus = load_corpus(options.corpus)
    results = [evaluate(corpus, recipe, embedder, retriever, ks) for recipe in recipes]
    return {
        "corpus": corpus.name,
        "documents": len(corpus.documents),
        "questions": len(corpus.questions),
        "notices": [*corpus.notices, *(notice for each in corpus.documents for notice in each.notices)],
        "results": [each.to_json(per_question=options.per_question) for each in results],
    }


def _ks(text: str) -> tuple[int, ...]:
    try:
        ks = sorted({int(each) for each in text.split(",")})
    except ValueError:
        ks = []
    if not ks or ks[0] < 1 or ks[-1] > 10_000:
        raise ParamError(
            "evaluate", "-k", "whole numbers from 1 to 10000 separated by commas", text, "Use 1,3,5,10."
        )
    return tuple(ks)


def _file(name: str) -> bytes:
    path = Path(name)
    try:
        if path.is_file() and path.stat().st_size > MAX_BYTES:
            raise IntakeError(f"{shown(name)}: is too large; at most {MAX_BYTES / 1e6:.0f} MB. Split it.")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, ChunklabError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise IntakeError(
            f"{shown(name)}: cannot be read ({reason}). Give the path of a text file."
        ) from None


def _print(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()
