"""What the tokenizers share: the interface, the kept offsets, and the data files with their checksums."""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from chunklab.errors import ChunklabError
from chunklab.tokens.recent import Recent

CHARACTERS_KEPT = 16_000_000
_SURROGATE = re.compile("[\ud800-\udfff]")
_offsets: Recent[tuple[np.ndarray, np.ndarray]] = Recent(CHARACTERS_KEPT)


class Tokenizer(ABC):
    """Counts the tokens of a text exactly, with the place of each token in it. Nothing is downloaded.

    `name` is the recipe's word for it, `label` its maker's, `special` the number of tokens the model
    adds to every text, which are never counted here. Text that looks like a special token
    ("<|endoftext|>", "[SEP]") is ordinary text. A lone surrogate counts as U+FFFD.
    """

    name: str
    label: str
    special: int = 0

    def offsets(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        """(starts, ends): int32, one entry a token, half-open code points, both rising.

        A token that holds only some bytes of a character gets the character's whole span, so
        neighbours may share one. The arrays are kept for the texts used last and are read-only.
        """
        return _offsets.get((self.name, text), len(text), lambda: self._read_only(text))

    def count(self, text: str) -> int:
        """How many tokens the text has on its own."""
        return int(self.count_many((text,))[0])

    @abstractmethod
    def count_many(self, texts: Sequence[str]) -> np.ndarray:
        """(n,) int32: the tokens of each text on its own."""

    @abstractmethod
    def edges(self, text: str) -> np.ndarray:
        """Sorted int32 offsets at which a cut leaves the tokens on both sides as they are.

        0 and the text's length are always among them. See `counting` for what this is good for.
        """

    @abstractmethod
    def firm(self, text: str, offsets: np.ndarray) -> np.ndarray:
        """(n,) bool: at which offsets, each where one token ends and the next begins, a slice may end or begin and
        has the text's own tokens there. The offsets are sorted and inside the text; see `counting`.
        """

    @abstractmethod
    def _find(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        """(starts, ends) of the tokens of a text without surrogates."""

    def _read_only(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        found = self._find(plain(text))
        for each in found:
            each.flags.writeable = False
        return found


def plain(text: str) -> str:
    """The text with each lone surrogate replaced by U+FFFD, so that it can be encoded; same length."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def data_file(name: str, sha256: str) -> bytes:
    """The unpacked bytes of a gzipped file of this package, checked; raises ChunklabError on a mismatch."""
    import gzip
    from importlib.resources import files

    content = gzip.decompress(files("chunklab.tokens").joinpath("data", f"{name}.gz").read_bytes())
    if hashlib.sha256(content).hexdigest() != sha256:
        raise ChunklabError(f"{name}: its checksum is wrong, the file is damaged. Get chunklab again.")
    return content
