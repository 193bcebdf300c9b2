"""The byte-pair encodings of OpenAI's models, by tiktoken, from rank files inside this package."""

from __future__ import annotations

from binascii import a2b_base64
from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from itertools import pairwise

import numpy as np

from chunklab.tokens.base import CHARACTERS_KEPT, Tokenizer, data_file, plain
from chunklab.tokens.distinct import distinct
from chunklab.tokens.joints import LONG, bounds_in_parts
from chunklab.tokens.matches import Matches
from chunklab.tokens.recent import Recent

# The pre-tokeniser patterns as published with tiktoken; a test holds them equal to the installed one's.
_CL100K = (
    r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"""
    r"""|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
)
_UPPER, _LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_SHORT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_O200K = (
    rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+{_SHORT}"
    rf"|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*{_SHORT}"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_FILES = {
    "cl100k": (_CL100K, "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"),
    "o200k": (_O200K, "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
}
PART = 200_000
_SHORT_TEXT, _WORTH = 20_000, 0.7
"""Shorter texts, and those of which more has to be encoded at any rate, are encoded as they are."""

_matches: Recent[Matches] = Recent(CHARACTERS_KEPT)


class BytePairs(Tokenizer):
    """cl100k_base or o200k_base; the ranks are read on first use."""

    def __init__(self, name: str):
        self.name, self.label = name, f"{name}_base"

    @cached_property
    def _loaded(self):
        """The encoding and, by token number, the bytes in each token as (vocabulary,) int32."""
        import tiktoken

        pattern, sha256 = _FILES[self.name]
        # Each line has a token's bytes and its number; these files number their lines from 0 up.
        values = list(map(a2b_base64, data_file(f"{self.label}.tiktoken", sha256).split()[::2]))
        ranks = dict(zip(values, range(len(values)), strict=True))
        lengths = np.fromiter(map(len, values), dtype=np.int32, count=len(values))
        name = f"chunklab_{self.label}"
        return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={}), lengths

    def count_many(self, texts: Sequence[str]) -> np.ndarray:
        encode = self._loaded[0].encode_ordinary
        sizes = (len(encode(text) if len(text) <= PART else self._encode(text)) for text in map(plain, texts))
        return np.fromiter(sizes, dtype=np.int32, count=len(texts))

    def edges(self, text: str) -> np.ndarray:
        return self._matches(text).edges

    def firm(self, text: str, offsets: np.ndarray) -> np.ndarray:
        return self._matches(text).firm(offsets)

    def _matches(self, text: str) -> Matches:
        key = (self.name, text)
        return _matches.get(key, len(text), lambda: Matches(plain(text), self.name == "o200k"))

    def _find(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        ends = np.cumsum(self._encode(text), dtype=np.int32)
        starts = np.concatenate((np.zeros(min(1, len(ends)), dtype=np.int32), ends[:-1]))
        if text.isascii():
            return starts, ends
        content = np.frombuffer(text.encode(), dtype=np.uint8)
        character = np.cumsum((content & 0xC0) != 0x80, dtype=np.int32) - 1
        return character[starts], character[ends - 1] + 1

    def _encode(self, text: str) -> np.ndarray:
        """(n,) int32: how many bytes each token has.

        Stretches between edges have the tokens that they have alone, so those that occur again are not encoded
        again. Long ones are left to `_long`.
        """
        if len(text) < _SHORT_TEXT:
            return self._sizes((text,))
        content = np.frombuffer(text.encode(), dtype=np.uint8)
        matches = self._matches(text)
        edges = bounds = matches.edges
        if len(content) > len(text):
            character = np.append(np.flatnonzero((content & 0xC0) != 0x80), len(content))
            bounds = character[edges].astype(np.int32)
        lengths = np.diff(bounds)
        known = distinct(content, bounds)
        alone = known == np.arange(len(known))
        long = np.flatnonzero(lengths > LONG)
        alone[long] = False
        rows = np.flatnonzero(alone)
        ends = np.cumsum(lengths[rows])
        if not len(long) and ends[-1] > _WORTH * len(content):
            return self._sizes((text,))
        # Where no edge would be between two that are now neighbours they are encoded apart.
        apart = ends[:-1][~matches.parts(edges[rows[:-1] + 1] - 1, edges[rows[1:]])]
        picked = content[np.repeat(alone, lengths)].tobytes()
        sizes = [self._sizes(picked[a:b].decode() for a, b in pairwise([0, *apart.tolist(), len(picked)]))]
        begins, counts = np.zeros((2, len(known)), dtype=np.int64)
        counts[rows] = np.diff(np.searchsorted(np.cumsum(sizes[0]), ends) + 1, prepend=0)
        begins[rows] = np.cumsum(counts[rows]) - counts[rows]
        for row in long.tolist():
            begins[row] = sum(map(len, sizes))
            sizes.append(self._long(text, matches, int(edges[row]), int(edges[row + 1])))
            counts[row] = len(sizes[-1])
        begins, counts = begins[known], counts[known]
        total = np.cumsum(counts)
        return np.concatenate(sizes)[np.repeat(begins - total + counts, counts) + np.arange(total[-1])]

    def _long(self, text: str, matches: Matches, low: int, high: int) -> np.ndarray:
        """The sizes of the tokens of a long stretch without edges inside, text[low:high]."""
        encoding, lengths = self._loaded
        part = text[low:high]
        runs = [
            (len(text[low:start].encode()), len(text[low:end].encode()))
            for start, end in matches.long_runs(low, high, LONG)
        ]
        bounds = runs and bounds_in_parts(
            part.encode(),
            runs,
            lambda content: self._sizes((content.decode(),)).tolist(),
            lambda content: lengths[encoding._encode_single_piece(content)].tolist(),
        )
        if bounds:
            return np.diff(bounds).astype(np.int32)
        if len(part) <= PART:
            return self._sizes((part,))
        # encode_ordinary panics, where encode_to_numpy raises, on a run of about a million blanks.
        encode = partial(encoding.encode_to_numpy, disallowed_special=())
        try:
            return lengths[encode(part)]
        except ValueError:
            cuts = [*range(0, len(part) - PART, PART), len(part)]
            return lengths[np.concatenate([encode(part[a:b]) for a, b in pairwise(cuts)])]

    def _sizes(self, texts: Iterable[str]) -> np.ndarray:
        """(n,) int32: how many bytes each token has of texts that are encoded one by one."""
        encoding, lengths = self._loaded
        numbers: list[int] = []
        for text in texts:
            numbers += encoding.encode_ordinary(text)
        return lengths[np.array(numbers, dtype=np.int32)]
