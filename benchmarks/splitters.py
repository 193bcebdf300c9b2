"""Other splitters that Python can call, by the kind of chunks that they make; `peers.py` measures them.

Each takes a text and returns its chunks; what gives objects that keep their text elsewhere has it read out. An overlap is
given where the splitter has one. What is not installed is left out.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

Split = Callable[[str], Any]
HEADINGS = [("#" * level, str(level)) for level in range(1, 7)]
DISTRIBUTIONS = (
    "langchain-text-splitters", "chunkr-rs", "chonkie", "semantic-text-splitter", "semchunk", "llama-index-core",
    "haystack-ai", "chunklet-py",
)  # fmt: skip


@dataclass(frozen=True)
class Peer:
    """One splitter at one size: what kind of chunks it makes, whose it is, and whether it repeats an overlap."""

    kind: str
    name: str
    split: Split
    overlaps: bool = True


def peers(size: int, overlap: int) -> list[Peer]:
    """Every splitter that is installed, in characters; those without an overlap only where none is asked for."""
    loads = (_langchain, _chunkr, _chonkie, _semantic, _semchunk, _llama, _haystack, _chunklet)
    found = [peer for load in loads for peer in _loaded(partial(load, size, overlap))]
    return [peer for peer in found if peer.overlaps or not overlap]


def token_peers(size: int, overlap: int) -> list[Peer]:
    """The same for windows of cl100k tokens."""
    return [*_loaded(partial(_token_windows, size, overlap))]


def _loaded(load: Callable[[], Iterator[Peer]]) -> Iterator[Peer]:
    try:
        yield from load()
    except ImportError as error:
        print(f"left out: {error}", file=sys.stderr)


def _langchain(size: int, overlap: int) -> Iterator[Peer]:
    from langchain_text_splitters import (
        CharacterTextSplitter,
        Language,
        MarkdownHeaderTextSplitter,
        RecursiveCharacterTextSplitter,
    )

    logging.getLogger("langchain_text_splitters").setLevel(logging.ERROR)
    sizes = {"chunk_size": size, "chunk_overlap": overlap}
    recursive = RecursiveCharacterTextSplitter(**sizes)
    headers = MarkdownHeaderTextSplitter(HEADINGS, strip_headers=False)
    yield Peer("fixed", "langchain", CharacterTextSplitter(separator="", **sizes).split_text)
    yield Peer("recursive", "langchain", recursive.split_text)
    yield Peer("markdown", "langchain", lambda text: recursive.split_documents(headers.split_text(text)))
    code = RecursiveCharacterTextSplitter.from_language(Language.PYTHON, **sizes)
    yield Peer("code", "langchain", code.split_text)


def _chunkr(size: int, overlap: int) -> Iterator[Peer]:
    import chunkr

    def read(splitter: Any) -> Split:
        return lambda text: [each.content for each in splitter.chunk(text)]

    yield Peer("fixed", "chunkr", read(chunkr.CharacterChunker(size, overlap)))
    yield Peer("recursive", "chunkr", read(chunkr.RecursiveChunker(size, overlap)))
    # With a limit in characters it leaves out what is over it: here it counts sentences, of about 100 characters.
    yield Peer("sentence", "chunkr", read(chunkr.SentenceChunker(size // 100, 0)), overlaps=False)
    yield Peer("markdown", "chunkr", read(chunkr.MarkdownChunker(size, overlap)))
    yield Peer("code", "chunkr", read(chunkr.AstCodeChunker("python", size)), overlaps=False)


def _chonkie(size: int, overlap: int) -> Iterator[Peer]:
    from chonkie import FastChunker, RecursiveChunker, SentenceChunker, TokenChunker

    yield Peer("fixed", "chonkie", TokenChunker(chunk_size=size, chunk_overlap=overlap).chunk)
    yield Peer("recursive", "chonkie", RecursiveChunker(chunk_size=size).chunk, overlaps=False)
    fast = FastChunker(chunk_size=size)
    yield Peer(
        "recursive", "chonkie fast", lambda text: [each.text for each in fast.chunk(text)], overlaps=False
    )
    yield Peer("sentence", "chonkie", SentenceChunker(chunk_size=size, chunk_overlap=overlap).chunk)


def _semantic(size: int, overlap: int) -> Iterator[Peer]:
    import tree_sitter_python
    from semantic_text_splitter import CodeSplitter, MarkdownSplitter, TextSplitter

    yield Peer("recursive", "semantic-text-splitter", TextSplitter(size, overlap=overlap).chunks)
    yield Peer("markdown", "semantic-text-splitter", MarkdownSplitter(size, overlap=overlap).chunks)
    code = CodeSplitter(tree_sitter_python.language(), size, overlap=overlap)
    yield Peer("code", "semantic-text-splitter", code.chunks)


def _semchunk(size: int, overlap: int) -> Iterator[Peer]:
    import semchunk

    split = semchunk.chunkerify(len, size)
    yield Peer("recursive", "semchunk", lambda text: split(text, overlap=overlap or None))


def _llama(size: int, overlap: int) -> Iterator[Peer]:
    from llama_index.core import Document
    from llama_index.core.node_parser import MarkdownNodeParser, SentenceSplitter

    sentences = SentenceSplitter(chunk_size=size, chunk_overlap=overlap, tokenizer=list)
    yield Peer("sentence", "llama-index", sentences.split_text)
    sections = MarkdownNodeParser()

    def markdown(text: str) -> list[str]:
        nodes = sections.get_nodes_from_documents([Document(text=text)])
        return [chunk for node in nodes for chunk in sentences.split_text(node.text)]

    yield Peer("markdown", "llama-index", markdown)


def _haystack(size: int, overlap: int) -> Iterator[Peer]:
    os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")
    from haystack import Document
    from haystack.components.preprocessors import MarkdownHeaderSplitter, RecursiveDocumentSplitter

    logging.getLogger("haystack").setLevel(logging.ERROR)
    recursive = RecursiveDocumentSplitter(
        split_length=size, split_overlap=overlap, split_unit="char", separators=["\n\n", "\n", " "]
    )
    headers = MarkdownHeaderSplitter(keep_headers=True)
    recursive.warm_up()

    def split(text: str) -> list:
        return recursive.run([Document(content=text)])["documents"]

    def markdown(text: str) -> list:
        return recursive.run(headers.run([Document(content=text)])["documents"])["documents"]

    yield Peer("recursive", "haystack", split)
    yield Peer("markdown", "haystack", markdown)


def _chunklet(size: int, overlap: int) -> Iterator[Peer]:
    from chunklet.document_chunker import DocumentChunker

    share = 100 * overlap // size
    made = DocumentChunker(lang="en", max_tokens=size, overlap_percent=share, token_counter=len)
    yield Peer("sentence", "chunklet", made.chunk_text)


def _token_windows(size: int, overlap: int) -> Iterator[Peer]:
    encoding = _encoding()
    sizes = {"chunk_size": size, "chunk_overlap": overlap}
    from langchain_text_splitters import TokenTextSplitter

    yield Peer("tokens", "langchain", TokenTextSplitter(encoding_name="cl100k_base", **sizes).split_text)
    import chunkr

    windows = chunkr.TokenChunker(size, overlap, "cl100k_base")
    yield Peer("tokens", "chunkr", lambda text: [each.content for each in windows.chunk(text)])
    from chonkie import TokenChunker

    yield Peer("tokens", "chonkie", TokenChunker(encoding, **sizes).chunk)
    from llama_index.core.node_parser import TokenTextSplitter as LlamaSplitter

    llama = LlamaSplitter(tokenizer=encoding.encode_ordinary, **sizes)
    yield Peer("tokens", "llama-index", llama.split_text)


def _encoding() -> Any:
    """cl100k from this package's own files, put where tiktoken would else download it to."""
    import tiktoken.registry

    from chunklab.tokens import tokenizer

    encoding = tokenizer("cl100k")._loaded[0]
    tiktoken.registry.ENCODINGS["cl100k_base"] = encoding
    return encoding
