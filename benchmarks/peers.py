"""How many times as fast as other splitters chunklab gives the same kind of chunks, the strings included.

python benchmarks/peers.py [--rounds N] [--write]   in an environment with benchmarks/requirements.txt
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from results import conditions, table, write
from splitters import DISTRIBUTIONS, Peer, peers, token_peers
from texts import TEXTS

from chunklab.chunking import chunk
from chunklab.types import Document

MEGABYTE = 1_000_000
SHORT = 8
"""A text is cut to the so many-th part for a splitter that would take seconds."""
SLOW, ENOUGH = 0.12, 0.3
"""Seconds for the short text from which on a splitter gets no other; seconds after which one has had its rounds."""
COLUMNS = ((200, 0), (200, 40), (800, 0), (800, 160))
TOKENS = ((256, 0), (256, 51))
RECIPES = {
    "fixed": {"fixed": "fixed(size={0},overlap={1})"},
    "recursive": {
        "recursive": "recursive(size={0},overlap={1})",
        "recursive, LangChain's separators": "recursive(size={0},overlap={1},separators=['\\n\\n','\\n',' ',''])",
    },
    "sentence": {"sentence": "sentence(size={0},overlap={1})"},
    "markdown": {"markdown": "markdown(max_size={0},overlap={1})"},
    "code": {"code": "code(size={0},language=python,pack=true)"},
    "tokens": {"fixed, tokens": "fixed(size={0},overlap={1},unit=tokens)"},
}
"""Kind -> name of a row -> recipe."""
_fresh = count(100)


@dataclass(frozen=True)
class Ratio:
    """A peer's seconds by ours; `short` when it was measured on a part of the text, `failed` when it raised instead."""

    row: str
    peer: str
    text: str
    size: int
    overlap: int
    times: float
    short: bool = False
    failed: str = ""

    def __str__(self) -> str:
        if self.failed:
            return f"fails: {self.failed}"
        times = f"{self.times:.2g}" if self.times < 99.5 else f"{self.times:,.0f}"
        return f"{times}{'*' if self.short else ''}"


def seconds(work: Callable[[str], object], text: str) -> float:
    """CPU seconds of one call on a text never seen before: its last characters differ each time."""
    text = f"{text}{next(_fresh)}"
    gc.collect()
    began = time.process_time()
    work(text)
    return time.process_time() - began


def ours(recipe: str, kind: str) -> Callable[[str], object]:
    """Our chunks' strings of a text that nothing is known about."""
    return lambda text: chunk(Document("text", text, kind), recipe).texts


def least(
    works: dict[str, Callable[[str], object]], text: str, rounds: int
) -> tuple[dict[str, float], dict[str, str]]:
    """The fewest seconds of each in interleaved rounds, and what those that failed raised.

    Whatever took `ENOUGH` gets no further round.
    """
    took: dict[str, list[float]] = {name: [] for name in works}
    failed: dict[str, str] = {}
    for _ in range(rounds):
        for name, work in works.items():
            if name not in failed and sum(took[name]) < ENOUGH:
                try:
                    took[name].append(seconds(work, text))
                except Exception as error:  # a peer's own failure is a finding
                    failed[name] = type(error).__name__
    return {name: min(each) for name, each in took.items() if name not in failed}, failed


def measure(
    kind: str, found: list[Peer], name: str, text: str, setting: tuple[int, int], rounds: int
) -> Iterator[Ratio]:
    """Every ratio of one kind on one text at one setting."""
    media = "text/markdown" if name == "Markdown" else "text/plain"
    mine = {row: ours(recipe.format(*setting), media) for row, recipe in RECIPES[kind].items()}
    splits, part = {peer.name: peer.split for peer in found}, text[: len(text) // SHORT]
    first, failed = least(splits, part, 1)
    slow = {peer: spent for peer, spent in first.items() if spent >= SLOW}
    whole = {peer: splits[peer] for peer in first if peer not in slow}
    took, later = least(mine | whole, text, rounds)
    short, _ = least(mine, part, rounds) if slow else ({}, {})
    for row in mine:
        for peer in splits:
            if error := failed.get(peer) or later.get(peer):
                yield Ratio(row, peer, name, *setting, 0, failed=error)
            elif peer in slow:
                yield Ratio(row, peer, name, *setting, slow[peer] / short[row], short=True)
            else:
                yield Ratio(row, peer, name, *setting, took[peer] / took[row])


def run(rounds: int) -> list[Ratio]:
    """Every ratio."""
    texts = {name: make(MEGABYTE) for name, make in TEXTS.items() if name != "one line"}
    settings = [(setting, peers(*setting)) for setting in COLUMNS]
    settings += [(setting, token_peers(*setting)) for setting in TOKENS]
    found: list[Ratio] = []
    # What is loaded is kept out of garbage collection: it is much, and each figure begins with a collection.
    gc.collect()
    gc.freeze()
    for name, text in texts.items():
        began = time.monotonic()
        for setting, listed in settings:
            for kind in RECIPES:
                same = [peer for peer in listed if peer.kind == kind]
                if same and (kind != "code" or (name == "Python" and not setting[1])):
                    list(
                        measure(kind, same, name, text[:3000], setting, 1)
                    )  # loads tables, compiles patterns
                    found += measure(kind, same, name, text, setting, rounds)
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return found


def shown(found: list[Ratio], rounds: int) -> str:
    """The lowest ratios first, then all of them, as Markdown."""
    texts = list(dict.fromkeys(each.text for each in found))
    named = {(each.row, each.peer, each.size, each.overlap, each.text): each for each in found}
    rows = list(dict.fromkeys(each.row for each in found))

    def lowest(row: str, text: str) -> str:
        same = [each for each in found if each.row == row and each.text == text and not each.failed]
        if not same:
            return ""
        one = min(same, key=lambda each: each.times)
        return f"{one}, {one.peer} {one.size}/{one.overlap}"

    keys = list(dict.fromkeys((each.row, each.peer, each.size, each.overlap) for each in found))
    keys.sort(key=lambda key: (rows.index(key[0]), key[1]))
    body = [
        [
            row,
            peer,
            f"{size} / {overlap}",
            *(str(named.get((row, peer, size, overlap, text), "")) for text in texts),
        ]
        for row, peer, size, overlap in keys
    ]
    return "\n".join(
        [
            "## Chunking beside other splitters",
            "",
            conditions("numpy", *(each for each in DISTRIBUTIONS if _installed(each))),
            f"Texts of 1 MB, strings included, a document never seen; CPU time, the fastest of up to {rounds} interleaved rounds.",
            "Each figure says how many times as fast as that splitter chunklab is on the same text in the same run. A star: the",
            f"splitter takes too long, so both sides got the first {SHORT}th of the text, once; many of these grow faster than the text.",
            "",
            "### The lowest of each kind",
            "",
            table(["kind", *texts], [[row, *(lowest(row, text) for text in texts)] for row in rows]),
            "",
            "### All",
            "",
            table(["kind", "beside", "size / overlap", *texts], body, words=2),
        ]
    )


def _installed(name: str) -> bool:
    try:
        return bool(version(name))
    except PackageNotFoundError:
        return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="put the tables into RESULTS.md")
    asked = parser.parse_args()
    text = shown(run(asked.rounds), asked.rounds)
    print(text)
    if asked.write:
        write("peers", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
