"""The hashed word n-grams of one text, found once; any slice of the text is then a slice of arrays."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b

import numpy as np

from chunklab.tokens.kinds import Kinds, codes_of, within

ORDERS = ("u", "b", "t")

_GAP, _LETTER, _SINGLE, _MARK, _SINGLE_MARK = range(5)

# Thai and Lao, Tibetan and Myanmar, Khmer, Tai Tham, kana and bopomofo, ideographs, half-width kana.
_UNSPACED = ((0x0E00, 0x0EFF), (0x0F00, 0x109F), (0x1780, 0x17FF), (0x1950, 0x19DF), (0x1A20, 0x1AAF),
             (0x3005, 0x3007), (0x3031, 0x303C), (0x3040, 0x312F), (0x31A0, 0x31BF), (0x31F0, 0x31FF),
             (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F), (0xF900, 0xFAFF),
             (0xFF66, 0xFF9F), (0x16FE0, 0x18DFF), (0x1B000, 0x1B16F), (0x20000, 0x3FFFF))  # fmt: skip


@dataclass
class Work:
    """How much was hashed since the process began; tests read it to see that nothing is done twice.

    `characters` of documents, `fragments` of words cut by a chunk's edge, contexts and queries.
    """

    characters: int = 0
    fragments: int = 0


WORK = Work()


def _unicode_kind(character: str) -> int:
    category, unspaced = unicodedata.category(character)[0], within(ord(character), _UNSPACED)
    if category == "M":
        return _SINGLE_MARK if unspaced else _MARK
    if category == "L":
        return _SINGLE if unspaced else _LETTER
    return _LETTER if category == "N" else _GAP


def _ascii_kind(character: str) -> int:
    return _LETTER if character.isascii() and character.isalpha() else _GAP


_KINDS = {"unicode": Kinds(_unicode_kind), "ascii": Kinds(_ascii_kind)}


def _breaks() -> np.ndarray:
    """(25,) bool: whether a word ends between two kinds, at before * 5 + after."""
    breaks = np.zeros((5, 5), dtype=bool)
    breaks[_GAP, :] = breaks[:, _GAP] = breaks[:, _SINGLE] = True
    breaks[[_SINGLE, _SINGLE_MARK], _LETTER] = True
    return breaks.ravel()


_BREAKS = _breaks()


@lru_cache(maxsize=1 << 16)
def hash_of(*words: str) -> int:
    """The 64-bit hash of an n-gram, the same in every process: BLAKE2b of its order and words."""
    WORK.fragments += 1
    return _hash(words)


_EMPTY = blake2b(digest_size=8)


def _hash(words: Sequence[str]) -> int:
    state = _EMPTY.copy()
    state.update("\x1f".join((ORDERS[len(words) - 1], *words)).encode("utf-8", "surrogatepass"))
    return int.from_bytes(state.digest(), "little")


def normal_form(word: str) -> str:
    """The form in which words are equal: case folded and composed."""
    return word.casefold() if word.isascii() else unicodedata.normalize("NFC", word.casefold())


@lru_cache(maxsize=1 << 10)
def words_of(text: str, words: str) -> tuple[str, ...]:
    """The words of a text in their normal form."""
    return tuple(HashedText(text, words).strings)


class HashedText:
    """A text as words and hashed n-grams. Offsets are half-open code points.

    `words` = unicode: runs of letters, digits and the marks on them; a script written without
    blanks (Chinese, Japanese, Thai, Lao, Khmer, Myanmar, Tibetan) gives one word per character with
    its marks, so that n-grams do the work. `words` = ascii: runs of two or more ASCII letters.
    Whether a word ends between two characters depends on these two alone. So the words of a slice
    are the words of the text, cut to the slice.
    """

    def __init__(self, text: str, words: str = "unicode"):
        self.text, self.rule = text, words
        kinds = _KINDS[words](codes_of(text))
        padded = np.concatenate(([_GAP], kinds, [_GAP])).astype(np.uint8)
        breaks = _BREAKS[padded[:-1] * np.uint8(5) + padded[1:]]
        inside = kinds != _GAP
        # All runs, also those that are no words: a chunk's edge may lie in one.
        self.run_starts = np.flatnonzero(inside & breaks[:-1]).astype(np.int32)
        self.run_ends = (np.flatnonzero(inside & breaks[1:]) + 1).astype(np.int32)
        if words == "ascii":
            kept = self.run_ends - self.run_starts >= 2
        else:
            bases = np.concatenate(([0], np.cumsum((kinds == _LETTER) | (kinds == _SINGLE), dtype=np.int32)))
            kept = bases[self.run_ends] > bases[self.run_starts]
        self.starts, self.ends = self.run_starts[kept], self.run_ends[kept]

    def is_word(self, fragment: str) -> bool:
        """True when a part of a run still counts as a word."""
        if self.rule == "ascii":
            return len(fragment) >= 2
        return fragment.isascii() or any(unicodedata.category(each)[0] != "M" for each in fragment)

    def runs_on(self, before: str) -> bool:
        """Whether a word may begin in a text and end in one that is put behind it."""
        return bool(before) and int(_KINDS[self.rule](codes_of(before[-1]))[0]) != _GAP

    def inside(self, spans: np.ndarray, joined: bool | np.ndarray) -> tuple[np.ndarray, ...]:
        """(first, last, heads, tails): words first to last - 1 lie wholly inside each (n, 2) span.

        What a span shows of words cut by its edges is from its start to `heads` and from `tails` to its
        end. Where other text is `joined` before it, for all or (n,) for each, the run at its start may be part
        of a longer word: a head.
        """
        starts, ends = spans[:, 0], spans[:, 1]
        run = np.searchsorted(self.run_starts, starts, side="right") - 1
        head_ends = _at(self.run_ends, run)
        apart = (run < 0) | (head_ends <= starts)
        apart |= (_at(self.run_starts, run) == starts) & ~np.asarray(joined, dtype=bool)
        heads = np.where(apart, starts, np.minimum(head_ends, ends))
        run = np.searchsorted(self.run_starts, ends) - 1
        tail_starts = _at(self.run_starts, run)
        cut = (run >= 0) & (_at(self.run_ends, run) > ends) & (tail_starts >= heads)
        first = np.searchsorted(self.starts, heads)
        last = np.maximum(first, np.searchsorted(self.ends, ends, side="right"))
        return first, last, heads, np.where(cut, tail_starts, ends)

    @cached_property
    def numbered(self) -> tuple[np.ndarray, list[str]]:
        """The number of each word, (n,) int64, and the normal form for each number."""
        text, raw, forms = self.text, {}, {}
        WORK.characters += len(text)
        numbers = np.empty(len(self.starts), dtype=np.int64)
        for at, (start, end) in enumerate(zip(self.starts.tolist(), self.ends.tolist(), strict=True)):
            word = text[start:end]
            number = raw.get(word)
            if number is None:
                number = raw[word] = forms.setdefault(normal_form(word), len(forms))
            numbers[at] = number
        return numbers, list(forms)

    @cached_property
    def strings(self) -> list[str]:
        """Every word in its normal form, in order."""
        numbers, forms = self.numbered
        return [forms[number] for number in numbers.tolist()]

    @cached_property
    def hashes(self) -> _Levels:
        """`hashes[n]`: (words - n + 1,) uint64, the n-gram that starts with each word; n = 1, 2, 3."""
        return _Levels(self)


def _at(offsets: np.ndarray, places: np.ndarray) -> np.ndarray:
    return offsets.take(places, mode="clip") if len(offsets) else np.zeros_like(offsets, shape=len(places))


class _Levels(dict):
    """The hashes by order, each made on first use from the numbers of the order below."""

    def __init__(self, owner: HashedText):
        super().__init__()
        self._owner = owner
        self._numbers: dict[int, np.ndarray] = {}

    def __missing__(self, order: int) -> np.ndarray:
        numbers, forms = self._owner.numbered
        if order == 1:
            self._numbers[1] = numbers
            table = np.fromiter((_hash((form,)) for form in forms), dtype=np.uint64, count=len(forms))
            self[1] = table[numbers]
            return self[1]
        self[order - 1]
        below = self._numbers[order - 1]
        pairs = below[:-1] * len(forms) + numbers[order - 1 :]
        _, where, inverse = np.unique(pairs, return_index=True, return_inverse=True)
        words = [numbers[where + step].tolist() for step in range(order)]
        table = np.fromiter(
            (_hash([forms[number] for number in gram]) for gram in zip(*words, strict=True)),
            dtype=np.uint64,
            count=len(where),
        )
        self._numbers[order] = inverse
        self[order] = table[inverse]
        return self[order]
