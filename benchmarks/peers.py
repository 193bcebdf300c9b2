"""Ratios to further splitters: how many times as fast as each of them chunklab gives the same kind of chunks.

python benchmarks/peers.py [--rounds N]   in an environment with benchmarks/requirements.txt; what is not
installed is left out. Texts of 1 MB, strings included, size 800 and 200 without overlap, CPU time, the
fastest of the interleaved rounds on both sides.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from results import table
from texts import TEXTS

from chunklab.chunking import chunk
from chunklab.types import Document

MEGABYTE = 1_000_000
RECIPES = {
    "fixed": "fixed(size={size})",
    "recursive": "recursive(size={size}, overlap=0)",
    "recursive, LangChain's separators": "recursive(size={size}, overlap=0, separators=['\\n\\n', '\\n', ' ', ''])",
    "sentence": "sentence(size={size})",
    "markdown": "markdown(max_size={size})",
    "code": "code(size={size}, language=python, pack=true)",
}
SLOW = {
    "llama-index sentence",
    "semantic-text-splitter",
    "semantic-text-splitter Markdown",
    "chonkie sentence",
}
"""They take seconds, so one round has to do."""


def peers(size: int) -> Iterator[tuple[str, str, Callable[[str], object]]]:
    """(kind, name, splitter) of every peer that is installed."""
    for load in (_langchain, _chunkr, _chonkie, _semantic, _semchunk, _llama):
        try:
            yield from load(size)
        except ImportError as error:
            print(f"left out: {error}", file=sys.stderr)


def _langchain(size: int) -> Iterator[tuple[str, str, Callable[[str], object]]]:
    from langchain_text_splitters import CharacterTextSplitter, RecursiveCharacterTextSplitter

    sizes = {"chunk_size": size, "chunk_overlap": 0}
    yield "fixed", "langchain", CharacterTextSplitter(separator="", **sizes).split_text
    yield "recursive", "langchain", RecursiveCharacterTextSplitter(**sizes).split_text
    yield "recursive, LangChain's separators", "langchain", RecursiveCharacterTextSplitter(**sizes).split_text


def _chunkr(size: int) -> Iterator[tuple[str, str, Callable[[str], object]]]:
    import chunkr

    for kind, made in (
        ("fixed", chunkr.CharacterChunker(size, 0)),
        ("recursive", chunkr.RecursiveChunker(size, 0)),
        ("recursive, LangChain's separators", chunkr.RecursiveChunker(size, 0)),
        ("markdown", chunkr.MarkdownChunker(size, 0)),
        ("code", chunkr.AstCodeChunker("python", size)),
    ):
        yield kind, "chunkr", lambda text, made=made: [each.content for each in made.chunk(text)]


def _chonkie(size: int) -> Iterator[tuple[str, str, Callable[[str], object]]]:
    from chonkie import RecursiveChunker, SentenceChunker

    yield "recursive", "chonkie", RecursiveChunker(chunk_size=size).chunk
    yield "sentence", "chonkie sentence", SentenceChunker(chunk_size=size).chunk


def _semantic(size: int) -> Iterator[tuple[str, str, Callable[[str], object]]]:
    from semantic_text_splitter import MarkdownSplitter, TextSplitter

    yield "recursive", "semantic-text-splitter", TextSplitter(size).chunks
    yield "markdown", "semantic-text-splitter Markdown", MarkdownSplitter(size).chunks


def _semchunk(size: int) -> Iterator[tuple[str, str, Callable[[str], object]]]:
    import semchunk

    yield "recursive", "semchunk", semchunk.chunkerify(len, size)


def _llama(size: int) -> Iterator[tuple[str, str, Callable[[str], object]]]:
    from llama_index.core.node_parser import SentenceSplitter

    splitter = SentenceSplitter(chunk_size=size, chunk_overlap=0, tokenizer=list)
    yield "sentence", "llama-index sentence", splitter.split_text


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    gc.collect()
    began = time.process_time()
    work()
    return time.process_time() - began


def ratio(kind: str, peer: Callable[[str], object], text: str, size: int, rounds: int) -> float:
    """How many times as long as ours the peer takes."""
    recipe = RECIPES[kind].format(size=size)
    ours = theirs = float("inf")
    for each in range(rounds):
        document = Document("text.txt", f"{text}{each}")
        ours = min(ours, seconds(lambda document=document: chunk(document, recipe).texts))
        theirs = min(theirs, seconds(lambda each=each: peer(f"{text}{each}")))
    return theirs / ours


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    names = [each for each in TEXTS if each != "one line"]
    texts = {name: TEXTS[name](MEGABYTE) for name in names}
    rows = []
    for size in (800, 200):
        for kind, name, peer in peers(size):
            chunk(Document("warm.txt", texts["prose"][:3000]), RECIPES[kind].format(size=size))
            cells = []
            for text_name, text in texts.items():
                if (kind == "code") != (text_name == "Python") and kind in ("code", "markdown"):
                    cells.append("")
                    continue
                try:
                    value = ratio(kind, peer, text, size, 1 if name in SLOW else rounds)
                    cells.append(f"{value:.2g}x" if value < 100 else f"{value:,.0f}x")
                except Exception as error:  # a peer's own failure is a finding
                    cells.append(f"fails: {type(error).__name__}")
            rows.append([f"{kind}, {name}", str(size), *cells])
            print(rows[-1], file=sys.stderr, flush=True)
    packages = (
        "langchain-text-splitters",
        "chunkr-rs",
        "chonkie",
        "semantic-text-splitter",
        "semchunk",
        "llama-index-core",
    )
    print(", ".join(f"{each} {version(each)}" for each in packages))
    print(table(["beside", "size", *names], rows, words=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
