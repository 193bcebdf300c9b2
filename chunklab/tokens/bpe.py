"""The byte-pair encodings of OpenAI's models, by tiktoken, from rank files inside this package."""

from __future__ import annotations

import unicodedata
from binascii import a2b_base64
from collections.abc import Sequence
from functools import cached_property, partial
from itertools import pairwise

import numpy as np

from chunklab.tokens.base import Tokenizer, data_file, plain
from chunklab.tokens.kinds import Kinds, codes_of

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

_LETTER, _NUMBER, _OTHER, _MARK, _BLANK, _NEWLINE, _UNASSIGNED, _APOSTROPHE, _SLASH = range(9)
_WHITE_SPACE = set("\t\x0b\x0c \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | set(
    map(chr, range(0x2000, 0x200B))
)


def _kind(character: str) -> int:
    special = {"\r": _NEWLINE, "\n": _NEWLINE, "'": _APOSTROPHE, "/": _SLASH}.get(character)
    if special is not None:
        return special
    if character in _WHITE_SPACE:
        return _BLANK
    category = unicodedata.category(character)
    if category == "Cn":
        return _UNASSIGNED
    return {"L": _LETTER, "N": _NUMBER, "M": _MARK}.get(category[0], _OTHER)


def _safe_pairs() -> np.ndarray:
    """(9, 9) bool: [kind before, kind after] between which both patterns always end a match.

    No match of either pattern runs from the one to the other, none looks ahead from a character that
    is not blank, and every greedy run that ends there would end there at the end of a text too.
    Marks are letters to one pattern and not to the other, unassigned code points may be anything to
    a newer Unicode: both are left out where it matters.
    """
    safe = np.zeros((9, 9), dtype=bool)
    visible = [_LETTER, _NUMBER, _OTHER, _MARK, _UNASSIGNED, _APOSTROPHE, _SLASH]
    safe[visible, _BLANK] = True
    safe[[_LETTER, _NUMBER], _NEWLINE] = True
    safe[_NEWLINE, [_LETTER, _NUMBER, _OTHER, _MARK, _UNASSIGNED, _APOSTROPHE]] = True
    safe[_LETTER, [_OTHER, _SLASH]] = True
    safe[_NUMBER, [_LETTER, _OTHER, _MARK, _APOSTROPHE, _SLASH]] = True
    safe[[_LETTER, _OTHER, _MARK, _APOSTROPHE, _SLASH], _NUMBER] = True
    return safe


_kinds = Kinds(_kind)
_SAFE = _safe_pairs().ravel()


class BytePairs(Tokenizer):
    """cl100k_base or o200k_base; the ranks are read on first use."""

    def __init__(self, name: str):
        self.name, self.label = name, f"{name}_base"

    @cached_property
    def _loaded(self):
        """The encoding and, by token number, the bytes in each token as (vocabulary,) int32."""
        import tiktoken

        pattern, sha256 = _FILES[self.name]
        words = data_file(f"{self.label}.tiktoken", sha256).split()
        values = list(map(a2b_base64, words[::2]))
        ranks = dict(zip(values, map(int, words[1::2]), strict=True))
        lengths = np.zeros(len(ranks), dtype=np.int32)
        lengths[list(ranks.values())] = list(map(len, values))
        name = f"chunklab_{self.label}"
        return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={}), lengths

    def count_many(self, texts: Sequence[str]) -> np.ndarray:
        encode = self._loaded[0].encode_ordinary
        # encode_ordinary panics, where encode_to_numpy raises, on a run that is too long for the pattern.
        sizes = (len(encode(text) if len(text) <= PART else self._encode(text)) for text in map(plain, texts))
        return np.fromiter(sizes, dtype=np.int32, count=len(texts))

    def _encode(self, text: str) -> np.ndarray:
        """Token numbers. tiktoken gives up on runs of about a million blanks: only then is it fed parts.

        Parts end at safe edges, and inside a run without any every 200,000 characters.
        """
        encode = partial(self._loaded[0].encode_to_numpy, disallowed_special=())
        try:
            return encode(text)
        except ValueError:
            cuts = [0]
            for edge in self.edges(text).tolist():
                while edge - cuts[-1] > 2 * PART:
                    cuts.append(cuts[-1] + PART)
                if edge - cuts[-1] >= PART or edge == len(text):
                    cuts.append(edge)
            parts = [text[low:high] for low, high in pairwise(cuts)]
            return np.concatenate(list(map(encode, parts)))

    def _find(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        ends = np.cumsum(self._loaded[1][self._encode(text)], dtype=np.int32)
        starts = np.concatenate((np.zeros(min(1, len(ends)), dtype=np.int32), ends[:-1]))
        if text.isascii():
            return starts, ends
        content = np.frombuffer(text.encode(), dtype=np.uint8)
        character = np.cumsum((content & 0xC0) != 0x80, dtype=np.int32) - 1
        return character[starts], character[ends - 1] + 1

    def edges(self, text: str) -> np.ndarray:
        kinds = _kinds(codes_of(plain(text)))
        inside = np.flatnonzero(_SAFE[kinds[:-1] * np.uint8(9) + kinds[1:]]) + 1
        return np.concatenate(([0], inside, [len(text)])).astype(np.int32)
