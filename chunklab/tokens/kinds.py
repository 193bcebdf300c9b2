"""Classes of code points, looked up in one numpy step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

_UNKNOWN = 255


def codes_of(text: str) -> np.ndarray:
    """(n,) uint32 code points; lone surrogates come through as they are."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


class Kinds:
    """Maps code points to small numbers by a rule that is asked once for each code point it meets.

    Called with (n,) unsigned integers it returns (n,) uint8. The rule takes one character and returns 0 to 254.
    """

    def __init__(self, rule: Callable[[str], int]):
        self._rule = rule
        self._table = np.full(0x110000, _UNKNOWN, dtype=np.uint8)

    def __call__(self, codes: np.ndarray) -> np.ndarray:
        kinds = self._known(codes)
        new = kinds == _UNKNOWN
        if new.any():
            for code in np.unique(codes[new]).tolist():
                self._table[code] = self._rule(chr(code))
            kinds = self._known(codes)
        return kinds

    def _known(self, codes: np.ndarray) -> np.ndarray:
        if codes.dtype == np.uint8:
            return np.frombuffer(codes.tobytes().translate(self._table[:256].tobytes()), dtype=np.uint8)
        return self._table.take(codes)


def within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    """True when the code point lies in one of the ranges, both ends included."""
    return any(low <= code <= high for low, high in ranges)
