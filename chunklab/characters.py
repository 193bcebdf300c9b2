"""Code points as arrays: which are blanks, and beside which a cut may fall inside a grapheme cluster."""

from __future__ import annotations

import numpy as np

# Code points that never join a neighbour into a grapheme cluster (Unicode Annex 29), as ranges: with
# these left out, ordinary text in most scripts needs no segmentation at all.
_PLAIN = ((0x0, 0x2FF), (0x370, 0x482), (0x48A, 0x590), (0x2010, 0x2027), (0x2030, 0x203B),
          (0x203D, 0x2048), (0x3001, 0x3029), (0x3031, 0x303C), (0x3041, 0x3098), (0x309B, 0x3296),
          (0x3300, 0xA66E), (0xF900, 0xFB1D), (0xFF00, 0xFF9D), (0x20000, 0x3FFFF))  # fmt: skip
_LAST_BLANK = 0x3000
_BLANK = np.zeros(1 << 16, dtype=bool)
_BLANK[: _LAST_BLANK + 1] = [chr(code).isspace() for code in range(_LAST_BLANK + 1)]
_SUSPECT = np.ones(1 << 16, dtype=bool)
for _low, _high in _PLAIN[:-1]:
    _SUSPECT[_low : _high + 1] = False


def units_of(text: str) -> np.ndarray:
    """(n,) code points in the least of uint8, uint16 and uint32 that holds them all."""
    if text.isascii():
        return np.frombuffer(text.encode(), dtype=np.uint8)
    pairs = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), dtype="<u2")
    return pairs if len(pairs) == len(text) else codes_of(text)


def codes_of(text: str) -> np.ndarray:
    """(n,) uint32 code points."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def is_blank(units: np.ndarray) -> np.ndarray:
    """(n,) bool, true where `str.isspace` is."""
    if units.dtype == np.uint8:
        return (units == 32) | (units - np.uint8(9) < 5) | (units - np.uint8(28) < 4)
    return _BLANK.take(units, mode="clip")


def may_join(units: np.ndarray) -> np.ndarray:
    """(n,) bool, false where a code point never shares a grapheme cluster with another; CRLF apart."""
    if units.dtype == np.uint8:
        return np.zeros(len(units), dtype=bool)
    suspect = _SUSPECT.take(units, mode="clip")
    low, high = _PLAIN[-1]
    return suspect if units.dtype == np.uint16 else suspect & ((units < low) | (units > high))
