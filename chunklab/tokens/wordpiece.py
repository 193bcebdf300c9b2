"""The WordPiece tokenizer of all-MiniLM-L6-v2, from its own tokenizer.json inside this package."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cached_property
from itertools import chain

import numpy as np

from chunklab.characters import units_of
from chunklab.tokens.base import Tokenizer, data_file, plain
from chunklab.tokens.kinds import Kinds, within

_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_IDEOGRAPHS = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF))
_PUNCTUATION = ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E))


def _stands_alone(character: str) -> int:
    """1 for what the tokenizer parts from both neighbours: blanks, ideographs, ASCII punctuation.

    Control characters other than tab, LF and CR are no blanks here: the model's normaliser deletes
    them, which joins their neighbours.
    """
    code = ord(character)
    blank = character in "\t\n\r" or unicodedata.category(character) in ("Zs", "Zl", "Zp")
    return int(blank or within(code, _PUNCTUATION) or within(code, _IDEOGRAPHS))


_kinds = Kinds(_stands_alone)


class WordPieces(Tokenizer):
    """Lower-cased word pieces without accents, as the model sees them; [CLS] and [SEP] not counted.

    A word of more than 100 characters is one unknown token to this model, however long it is.
    """

    name = "minilm"
    label = "all-MiniLM-L6-v2"
    special = 2

    @cached_property
    def _tokenizer(self):
        from tokenizers import Tokenizer as Reader

        reader = Reader.from_str(data_file("all-MiniLM-L6-v2.tokenizer.json", _SHA256).decode())
        reader.no_truncation()
        reader.no_padding()
        reader.encode_special_tokens = True
        return reader

    def _find(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        pairs = self._tokenizer.encode(text, add_special_tokens=False).offsets
        flat = np.fromiter(chain.from_iterable(pairs), dtype=np.int32, count=2 * len(pairs))
        return flat[::2].copy(), flat[1::2].copy()

    def count_many(self, texts: Sequence[str]) -> np.ndarray:
        # One call for all: a blank between two texts keeps their tokens apart.
        starts, _ = self._find(" ".join(map(plain, texts)))
        ends = np.cumsum([len(text) + 1 for text in texts], dtype=np.int64)
        return np.diff(np.searchsorted(starts, ends), prepend=0).astype(np.int32)

    def edges(self, text: str) -> np.ndarray:
        alone = _kinds(units_of(plain(text))) == 1
        inside = np.flatnonzero(alone[:-1] | alone[1:]) + 1
        return np.concatenate(([0], inside, [len(text)])).astype(np.int32)

    def firm(self, text: str, offsets: np.ndarray) -> np.ndarray:
        alone = _kinds(units_of(plain(text))) == 1
        return alone[offsets - 1] | alone[offsets]
