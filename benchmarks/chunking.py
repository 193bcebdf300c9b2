"""MB/s of every strategy, cold and with boundaries known, beside langchain-text-splitters in the same run.

python benchmarks/chunking.py [--quick] [--json] [--write]
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from langchain_text_splitters import (
    CharacterTextSplitter,
    MarkdownHeaderTextSplitter,
    RecursiveCharacterTextSplitter,
)
from results import conditions, table, write
from texts import TEXTS, prose

from chunklab.chunking import chunk
from chunklab.types import Document

MEGABYTE = 1_000_000
SIZES, OVERLAPS = (200, 800), (0, 20)
ENOUGH = 1.0
"""Seconds of CPU after which one figure gets no further round."""
LIKE = {"recursive, LangChain's separators": "recursive", "langchain": "recursive"}
"""Rows that stand beside another row's peer, which is measured there."""
HEADINGS = [("#" * level, str(level)) for level in range(1, 7)]
_fresh = count(100)


@dataclass
class Case:
    """One row and column of the tables: our recipe, the peer's way, and the seconds of CPU of each round."""

    text: str
    strategy: str
    size: int
    overlap: int
    recipe: str
    other_recipe: str
    peer_name: str
    peer: Callable[[str], object] | None
    seconds: dict[str, list[float]] = field(default_factory=dict)
    chunks: dict[str, int] = field(default_factory=dict)

    def enough(self, what: str) -> bool:
        """Whether this figure has had its time."""
        return sum(self.seconds.get(what, [])) > ENOUGH

    def took(self, what: str) -> float | None:
        """Median seconds of CPU."""
        return statistics.median(self.seconds[what]) if self.seconds.get(what) else None


def recipes(size: int, overlap: int) -> dict[str, str]:
    """Row's name -> recipe. A paragraph takes no overlap."""
    share = size * overlap // 100
    plain = f"size={size}, overlap={share}"
    return {
        "fixed": f"fixed({plain})",
        "sentence": f"sentence({plain})",
        "paragraph": f"paragraph(max_size={size})" if not overlap else "",
        "recursive": f"recursive({plain})",
        "recursive, LangChain's separators": f"recursive({plain}, separators=['\\n\\n', '\\n', ' ', ''])",
        "langchain": f"langchain({plain})",
        "markdown": f"markdown(max_size={size}, overlap={share})",
        "fixed, tokens": f"fixed({plain}, unit='tokens')",
    }


def peer_of(strategy: str, size: int, overlap: int, text: str) -> tuple[str, Callable[[str], object] | None]:
    """The peer's nearest way to the same chunks; none for sentences and for tokens, which it does not do offline."""
    sizes = {"chunk_size": size, "chunk_overlap": size * overlap // 100}
    recursive = RecursiveCharacterTextSplitter(**sizes)
    if strategy == "fixed":
        return 'CharacterTextSplitter("")', CharacterTextSplitter(separator="", **sizes).split_text
    if strategy == "paragraph" and text != "one line":
        # Paragraphs that fit are merged, and one that does not stays whole: near, not equal.
        return 'CharacterTextSplitter("\\n\\n")', CharacterTextSplitter(separator="\n\n", **sizes).split_text
    if strategy == "recursive":
        return "RecursiveCharacterTextSplitter", recursive.split_text
    if strategy == "markdown":
        headers = MarkdownHeaderTextSplitter(HEADINGS, strip_headers=False)
        return (
            "MarkdownHeaderTextSplitter, then Recursive…",
            lambda text: recursive.split_documents(headers.split_text(text)),
        )
    return "", None


def cases_of(name: str, quick: bool) -> list[Case]:
    """All cases of one text."""
    found = []
    for size in SIZES[-1:] if quick else SIZES:
        for overlap in OVERLAPS[:1] if quick else OVERLAPS:
            other = recipes(size * 3 // 2, overlap)
            for strategy, recipe in recipes(size, overlap).items():
                if recipe:
                    peer = peer_of(strategy, size, overlap, name)
                    found.append(Case(name, strategy, size, overlap, recipe, other[strategy], *peer))
    return found


def timed(case: Case, what: str, work: Callable[[], object]) -> None:
    """Runs the work and keeps its CPU seconds and how many chunks it made, unless it has had its time."""
    if case.enough(what):
        return
    gc.collect()
    began = time.process_time()
    made = work()
    case.seconds.setdefault(what, []).append(time.process_time() - began)
    case.chunks[what] = len(made)


def document_of(case: Case, text: str) -> Document:
    """A document that nothing is known about: its text was never seen, so no cache can help."""
    kind, ending = ("text/markdown", "md") if case.text == "Markdown" else ("text/plain", "txt")
    return Document(f"text.{ending}", f"{text}{next(_fresh)}", kind)


def measure(case: Case, text: str, peer_first: bool) -> None:
    """One round of one case: cold with strings, known boundaries with spans only, and the peer."""
    works = [measure_ours, measure_peer]
    for work in reversed(works) if peer_first else works:
        work(case, text)


def measure_ours(case: Case, text: str) -> None:
    """Cold, then, after another size has been cut, with boundaries known."""
    if case.enough("cold"):
        return
    document = document_of(case, text)
    timed(case, "cold", lambda: chunk(document, case.recipe).texts)
    chunk(document, case.other_recipe)
    timed(case, "known", lambda: chunk(document, case.recipe).spans)


def measure_peer(case: Case, text: str) -> None:
    """The peer on a text of its own."""
    if case.peer:
        other = f"{text}{next(_fresh)}"
        timed(case, "peer", lambda: case.peer(other))


def warm_up() -> None:
    """Loads tables and compiles patterns on both sides, and keeps what is loaded out of garbage collection."""
    logging.getLogger("langchain_text_splitters").setLevel(logging.ERROR)
    for name, make in TEXTS.items():
        for case in cases_of(name, quick=True):
            measure(case, make(2000), peer_first=False)
    gc.collect()
    gc.freeze()


def growth(quick: bool) -> dict[str, list[float]]:
    """Seconds at the small and the large size, ten times as much, for recursive at 800 without overlap."""
    small = MEGABYTE // (10 if quick else 1)
    rounds = 1 if quick else 3
    found: dict[str, list[float]] = {}
    for size in (small, 10 * small):
        text = prose(size)
        case = Case("prose", "recursive", 800, 0, recipes(800, 0)["recursive"], recipes(1200, 0)["recursive"],
                    *peer_of("recursive", 800, 0, "prose"))  # fmt: skip
        for each in range(rounds):
            measure(case, text, peer_first=bool(each % 2))
        for what in ("cold", "known", "peer"):
            found.setdefault(what, []).append(case.took(what))
    return found


def run(quick: bool, rounds: int, report: Callable[[str], None]) -> list[Case]:
    """Every case, the rounds interleaved: each round passes over all strategies before the next begins."""
    done = []
    for name, make in TEXTS.items():
        text = make(MEGABYTE // (10 if quick else 1))
        cases = cases_of(name, quick)
        began = time.monotonic()
        for each in range(rounds):
            for case in cases:
                measure(case, text, peer_first=bool(each % 2))
        report(f"{name}: {time.monotonic() - began:.0f} s")
        done += cases
    return done


def shown(cases: list[Case], size: int, grown: dict[str, list[float]], rounds: int) -> str:
    """Both tables and the growth as Markdown."""
    megabytes = size / MEGABYTE
    columns = sorted({(case.size, case.overlap) for case in cases})
    heads = [f"{chunk_size} / {overlap} %" for chunk_size, overlap in columns]
    named = {(each.text, each.strategy, each.size, each.overlap): each for each in cases}
    strategies = list(dict.fromkeys(each.strategy for each in cases))

    def figure(value: float) -> str:
        return f"{value:,.0f}" if value >= 99.5 else f"{value:.2g}"

    def cell(case: Case | None, what: str) -> str:
        if case is None:
            return ""
        speed = megabytes / max(case.took(what), 1e-6)
        like = LIKE.get(case.strategy, case.strategy)
        peer = named[case.text, like, case.size, case.overlap].took("peer")
        times = f" ({figure(peer / max(case.took(what), 1e-6))}x)" if peer and what != "peer" else ""
        return f"{figure(speed)}{times}"

    def rows(what: str) -> list[list[str]]:
        return [
            [text, strategy, *(cell(named.get((text, strategy, *each)), what) for each in columns)]
            for text in TEXTS
            for strategy in strategies
            if what != "peer" or named[text, strategy, *columns[-1][:1], 0].peer
        ]

    def grew(what: str) -> str:
        small, large = grown[what]
        return f"{1000 * small:.0f} ms to {1000 * large:.0f} ms, {large / small:.1f} times"

    peers = {each.strategy: each.peer_name for each in cases if each.peer}
    head = ["text", "strategy", *heads]
    return "\n".join(
        [
            "## Chunking: MB/s",
            "",
            conditions("numpy", "sentencex", "tiktoken", "markdown-it-py", "langchain-text-splitters"),
            f"Texts of {megabytes:g} MB of UTF-8, CPU time, median of {rounds} interleaved rounds (fewer where one takes over",
            f"{ENOUGH / rounds:.1f} s). Columns: size / overlap, both in characters but for the last row of each text.",
            "In brackets: how many times as fast as langchain-text-splitters on the same text in the same run.",
            "",
            "### Cold: a document never seen, cuts and the chunks' strings",
            "",
            table(head, rows("cold"), words=2),
            "",
            "### Boundaries known: the same document at another size, cuts only",
            "",
            table(head, rows("known"), words=2),
            "",
            "### langchain-text-splitters: strings, no offsets",
            "",
            table(head, rows("peer"), words=2),
            "",
            *(f"- {strategy}: beside {name}." for strategy, name in peers.items()),
            "- sentence, and fixed by tokens: no peer, langchain-text-splitters needs a download for both.",
            "",
            f"### Growth: recursive, size 800, prose of {megabytes:g} MB and ten times as much",
            "",
            f"- cold: {grew('cold')}",
            f"- boundaries known: {grew('known')}",
            f"- langchain-text-splitters: {grew('peer')}",
        ]
    )


def plain(cases: list[Case], size: int, grown: dict[str, list[float]]) -> dict:
    """Everything measured, for --json."""
    return {
        "bytes": size,
        "cases": [
            {
                "text": each.text,
                "recipe": each.recipe,
                "peer": each.peer_name,
                "seconds": each.seconds,
                "chunks": each.chunks,
            }
            for each in cases
        ],
        "growth_seconds": grown,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="texts of 100 KB, one size, one round")
    parser.add_argument("--json", action="store_true", help="print every round as JSON instead of the tables")
    parser.add_argument("--write", action="store_true", help="put the tables into RESULTS.md")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    rounds = 1 if asked.quick else max(1, asked.rounds)
    size = MEGABYTE // (10 if asked.quick else 1)
    warm_up()
    cases = run(asked.quick, rounds, lambda line: print(line, file=sys.stderr, flush=True))
    grown = growth(asked.quick)
    text = shown(cases, size, grown, rounds)
    print(json.dumps(plain(cases, size, grown)) if asked.json else text)
    if asked.write:
        write("chunking", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
