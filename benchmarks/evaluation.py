"""Time and memory of evaluating 40 recipes on 200 KB with 50 questions, each embedder in a process of its own.

python benchmarks/evaluation.py [--minilm] [--write]
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from results import conditions, table, write
from texts import markdown, prose, questions

from chunklab.chunking import chunk
from chunklab.corpus import Corpus
from chunklab.discovery import components
from chunklab.experiment import evaluate
from chunklab.questions import parse_questions
from chunklab.retrievers.dense import Dense
from chunklab.types import Document

BYTES, QUESTIONS = 200_000, 50
SIZES, OVERLAPS = (200, 400, 800, 1200, 2000), ("0", "20%")
STRATEGIES = ("fixed", "sentence", "recursive", "markdown")
KS = (1, 3, 5, 10)


def corpus() -> Corpus:
    """Prose and a technical book of 100 KB each, with 25 questions on each."""
    documents = (
        Document("prose.txt", prose(BYTES // 2)),
        Document("book.md", markdown(BYTES // 2), "text/markdown"),
    )
    asked = []
    for document in documents:
        for each in questions(document.text, document.id, QUESTIONS // 2):
            asked.append({**each, "id": f"{document.id} {each['id']}"})
    found, _ = parse_questions("\n".join(map(json.dumps, asked)), documents)
    return Corpus("200 KB", documents, found)


def recipes() -> list[str]:
    """Four strategies at five sizes, without overlap and with a fifth."""
    return [
        f"{name}({'max_size' if name == 'markdown' else 'size'}={size},overlap={overlap})"
        for name in STRATEGIES
        for size in SIZES
        for overlap in OVERLAPS
    ]


def peak() -> float:
    """The most memory this process has had so far, in MB."""
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def measured(embedder: str) -> dict[str, float]:
    """Seconds and memory of all recipes with one embedder, then of the same again in the same process."""
    known, listed = corpus(), recipes()
    made = components("embedders")[embedder]()
    # What is loaded once is no part of the work: the model, tables and compiled patterns.
    warm = Document("warm.md", markdown(2000), "text/markdown")
    for recipe in listed:
        chunk(warm, recipe)
    made.embed(["warm"])
    gc.collect()
    found: dict[str, float] = {"before": peak()}
    for turn in ("first", "again"):
        wall, cpu, chunks = time.perf_counter(), time.process_time(), 0
        for recipe in listed:
            chunks += evaluate(known, recipe, made, Dense(), KS).chunks
        found[f"{turn} seconds"] = time.perf_counter() - wall
        found[f"{turn} CPU seconds"] = time.process_time() - cpu
    return found | {"peak": peak(), "chunks": chunks, "recipes": len(listed)}


def apart(embedder: str) -> dict[str, float]:
    """`measured` in a fresh process."""
    command = [sys.executable, __file__, "--one", embedder]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return json.loads(out.splitlines()[-1])


def shown(found: dict[str, dict[str, float]]) -> str:
    """The table as Markdown."""
    rows = [
        [
            name,
            f"{each['first seconds']:.2f}",
            f"{each['first CPU seconds']:.2f}",
            f"{each['again seconds']:.2f}",
            f"{each['again CPU seconds']:.2f}",
            f"{1000 * each['again CPU seconds'] / each['recipes']:.0f}",
            f"{each['peak'] - each['before']:.0f}",
            f"{each['peak']:.0f}",
        ]
        for name, each in found.items()
    ]
    chunks = next(iter(found.values()))["chunks"]
    head = ["embedder", "first s", "CPU s", "again s", "CPU s", "CPU ms a recipe", "MB more", "MB at most"]
    return "\n".join(
        [
            f"## Evaluation: {len(recipes())} recipes, {QUESTIONS} questions, {BYTES // 1000} KB",
            "",
            conditions("numpy", "scipy", "torch", "sentence-transformers"),
            f"{', '.join(STRATEGIES)} at {', '.join(map(str, SIZES))} characters, without overlap and with 20 %:",
            f"{chunks:,} chunks in all, dense search, all core measures at k = {', '.join(map(str, KS))}.",
            "Each embedder in a process of its own; `first` knows nothing of the texts, `again` is the same once",
            "more in the same process. Models, tables and patterns are loaded before.",
            "",
            table(head, rows),
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--minilm", action="store_true", help="also minilm, its vectors on disk; made first, slowly"
    )
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(measured(asked.one)))
        return 0
    found = {name: apart(name) for name in ("hashing", "static")}
    if asked.minilm:
        slow = apart("minilm")
        found["minilm, nothing on disk"] = slow
        found["minilm, vectors on disk"] = apart("minilm")
    text = shown(found)
    print(text)
    if asked.write:
        write("evaluation", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
