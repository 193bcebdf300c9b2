"""Finds where a quoted text stands, although its blanks and its Unicode composition may differ."""

from __future__ import annotations

import unicodedata
from functools import cached_property, lru_cache

import numpy as np

from chunklab.scan import Scan
from chunklab.types import Span

# Thai and Lao, Myanmar, Khmer, Chinese and Japanese put no blanks between words.
_UNSPACED = ((0xE00, 0xEFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x312F), (0x31A0, 0x9FFF),
             (0xF900, 0xFAFF), (0xFF66, 0xFF9F), (0x20000, 0x3FFFF))  # fmt: skip


def find_quote(text: str, quote: str, whole_words: bool = False) -> list[Span]:
    """Every place where the quote stands, in order; places may overlap.

    If the quote stands there as it is, these places are all. Otherwise any run of white space (line
    breaks and no-break spaces too) counts as one blank, blanks around the quote are ignored, and text
    is compared in its canonical decomposition (Unicode Annex 15, NFD). A place starts and ends between
    grapheme clusters, so "cafe" is never found in "café", however that is encoded.

    With `whole_words` a place is left out where a letter or digit at an end of the quote touches
    another one; scripts written without blanks, such as Chinese, are exempt. A blank quote stands
    nowhere. Time is linear in both lengths.
    """
    if not quote.strip():
        return []
    known = _known(text)
    exact = known.find(text, None, quote, whole_words)
    return exact or known.find(*known.folded, _fold(Scan(quote.strip()))[0], whole_words)


class _Known:
    """What every search in one text shares."""

    def __init__(self, text: str):
        self.text = text
        self.scan = Scan(text)
        inside = np.zeros(len(text) + 1, dtype=bool)
        inside[self.scan.joined] = True
        self.clusters = np.flatnonzero(~inside).astype(np.int32)

    @cached_property
    def folded(self) -> tuple[str, np.ndarray]:
        form, source = _fold(self.scan)
        return form, np.concatenate(([-1], source, [len(self.text)])).astype(np.int32)

    def find(self, form: str, source: np.ndarray | None, quote: str, whole_words: bool) -> list[Span]:
        """Places of `quote` in a form of the text.

        `source[1:-1]` are the offsets that the form's characters come from; None for the text itself.
        """
        at = np.array(_occurrences(form, quote), dtype=np.int32)
        edges = np.array([at - 1, at, at + len(quote) - 1, at + len(quote)])
        edges = edges if source is None else source[edges + 1]
        before, first, last, after = np.searchsorted(self.clusters, edges.astype(np.int32), "right") - 1
        kept = (before != first) & (last != after)
        if whole_words:
            glued = self._in_words(first) & self._in_words(first - 1)
            kept &= ~(glued | self._in_words(last) & self._in_words(last + 1))
        starts, ends = self.clusters[first[kept]], self.clusters[last[kept] + 1]
        return [Span(start, end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]

    def _in_words(self, clusters: np.ndarray) -> np.ndarray:
        """For each grapheme cluster whether it belongs to a word; numbers beyond the text do not."""
        exists = (clusters >= 0) & (clusters < len(self.clusters) - 1)
        codes, which = np.unique(self.scan.codes[self.clusters[clusters * exists]], return_inverse=True)
        return np.array([_in_word(chr(code)) for code in codes.tolist()], dtype=bool)[which] & exists


@lru_cache(maxsize=2)
def _known(text: str) -> _Known:
    return _Known(text)


def _in_word(letter: str) -> bool:
    if letter.isalnum() or letter == "_":
        return not any(low <= ord(letter) <= high for low, high in _UNSPACED)
    return False


def _fold(known: Scan) -> tuple[str, np.ndarray]:
    """The text with one blank for each run of blanks and in NFD, and the offset each character came from."""
    blank = known.blank
    kept = ~blank
    kept[:-1] |= ~blank[1:]  # the last blank of a run, since a mark may follow and belong to it
    kept[-1:] = True
    source = np.flatnonzero(kept)
    codes = np.where(blank, 32, known.codes)[kept].astype("<u4")
    if len(codes) and codes.max() >= 0xC0:
        codes, source = _decompose(codes, source)
    return codes.tobytes().decode("utf-32-le", "surrogatepass"), source


def _decompose(codes: np.ndarray, source: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Canonical decomposition of each code point, then canonical order within each run of marks."""
    distinct, which = np.unique(codes, return_inverse=True)
    pieces = [unicodedata.normalize("NFD", chr(code)) for code in distinct.tolist()]
    sizes = np.array([len(piece) for piece in pieces])
    table = np.array([ord(letter) for piece in pieces for letter in piece], dtype="<u4")
    counts = sizes[which]
    inner = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    codes = table[np.repeat((np.cumsum(sizes) - sizes)[which], counts) + inner]
    source = np.repeat(source, counts)

    distinct, which = np.unique(codes, return_inverse=True)
    classes = np.array([unicodedata.combining(chr(code)) for code in distinct.tolist()])[which]
    if classes.any():
        order = np.lexsort((classes, np.cumsum(classes == 0)))
        codes, source = codes[order], source[order]
    return codes, source


def _occurrences(text: str, needle: str) -> list[int]:
    """All offsets of the needle, overlapping ones too, in linear time.

    Within a run of overlapping occurrences each is one period after the other (Knuth, Morris and
    Pratt 1977), so only the last period has to be compared.
    """
    at = text.find(needle)
    if at < 0:
        return []
    period = _period(needle)
    tail = needle[-period:]
    found = []
    while at >= 0:
        found.append(at)
        while text.startswith(tail, at + len(needle)):
            at += period
            found.append(at)
        at = text.find(needle, at + 1)
    return found


def _period(needle: str) -> int:
    """The smallest shift by which the needle overlaps itself; its length when it does not."""
    borders = [0] * len(needle)
    length = 0
    for at in range(1, len(needle)):
        while length and needle[at] != needle[length]:
            length = borders[length - 1]
        length += needle[at] == needle[length]
        borders[at] = length
    return len(needle) - length
