"""Where the matches of the byte-pair encodings' patterns end, told by the characters beside a place."""

from __future__ import annotations

import unicodedata
from functools import cached_property

import numpy as np

from chunklab.characters import units_of
from chunklab.offsets import runs
from chunklab.tokens.kinds import Kinds

(_UPPER, _LOWER, _CASELESS, _NUMBER, _OTHER, _MARK, _BLANK, _NEWLINE, _UNASSIGNED, _APOSTROPHE, _SLASH) = (
    range(11)
)
_LETTERS = [_UPPER, _LOWER, _CASELESS]
_WHITE_SPACE = set("\t\x0b\x0c \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | set(
    map(chr, range(0x2000, 0x200B))
)
_SPECIAL = {"\r": _NEWLINE, "\n": _NEWLINE, "'": _APOSTROPHE, "/": _SLASH}
_CATEGORIES = {"Cn": _UNASSIGNED, "Ll": _LOWER, "Lu": _UPPER, "Lt": _UPPER, "Lm": _CASELESS, "Lo": _CASELESS}


def _kind(character: str) -> int:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character in _WHITE_SPACE:
        return _BLANK
    category = unicodedata.category(character)
    return _CATEGORIES.get(category, {"N": _NUMBER, "M": _MARK}.get(category[0], _OTHER))


def _table(pairs: np.ndarray) -> bytes:
    """A table of 16 x 16 kinds, [before, after], as bytes.translate takes it."""
    table = np.zeros((16, 16), dtype=np.uint8)
    table[: len(pairs), : len(pairs)] = pairs
    return table.tobytes()


def _edges() -> bytes:
    """The pairs of kinds between which both patterns always end a match.

    No match of either pattern runs from the one to the other, none looks ahead from a character that
    is not blank, and every greedy run that ends there would end there at the end of a text too.
    Marks are letters to one pattern and not to the other, unassigned code points may be anything to
    a newer Unicode: both are left out where it matters.
    """
    safe = np.zeros((11, 11), dtype=bool)
    visible = [*_LETTERS, _NUMBER, _OTHER, _MARK, _UNASSIGNED, _APOSTROPHE, _SLASH]
    safe[visible, _BLANK] = True
    safe[[*_LETTERS, _NUMBER], _NEWLINE] = True
    safe[_NEWLINE, [*_LETTERS, _NUMBER, _OTHER, _MARK, _UNASSIGNED, _APOSTROPHE]] = True
    for letter in _LETTERS:
        safe[letter, [_OTHER, _SLASH]] = True
    safe[_NUMBER, [*_LETTERS, _OTHER, _MARK, _APOSTROPHE, _SLASH]] = True
    safe[[*_LETTERS, _OTHER, _MARK, _APOSTROPHE, _SLASH], _NUMBER] = True
    return _table(safe)


def _seams(cased: bool) -> bytes:
    """The pairs of letters inside one match that a cut leaves as two; `cased`: the pattern minds their case."""
    same = np.zeros((11, 11), dtype=bool)
    if cased:
        same[_LOWER, _LOWER] = same[_CASELESS, _CASELESS] = True
    else:
        same[np.ix_(_LETTERS, _LETTERS)] = True
    return _table(same)


_kinds = Kinds(_kind)
_EDGES = _edges()
_SEAMS = {cased: _seams(cased) for cased in (False, True)}


class Matches:
    """One text without surrogates as the patterns see it.

    An edge is a place at which a match ends in every slice that has it inside. A seam is a place inside a
    run of letters at which a match of a slice that begins or ends there is what the text's own match has on
    that side: a cut makes two matches of one and changes no other. After an apostrophe and one letter there is
    none, since `'l` and `l` are not what `'ll` is, and to a pattern that minds case there is none where
    letters without case come before capitals, which would go on with what is cut off.
    """

    def __init__(self, text: str, cased: bool):
        self.length, self.cased = len(text), cased
        self.kinds = _kinds(units_of(text))

    @cached_property
    def edges(self) -> np.ndarray:
        """Sorted int32 offsets of all edges, 0 and the text's length among them."""
        found = np.flatnonzero(_among(self.kinds[:-1], self.kinds[1:], _EDGES)) + 1
        return np.concatenate(([0], found, [self.length])).astype(np.int32)

    def parts(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        """(n,) bool: whether the characters at each two offsets would have an edge between them."""
        return _among(self.kinds[before], self.kinds[after], _EDGES)

    def firm(self, offsets: np.ndarray) -> np.ndarray:
        """(n,) bool: which of some sorted offsets inside the text are edges or seams."""
        before, after = self.kinds[offsets - 1], self.kinds[offsets]
        return _among(before, after, _EDGES) | self._seams(offsets, before, after)

    def long_runs(self, low: int, high: int, least: int) -> list[tuple[int, int]]:
        """The runs of at least so many letters in [low, high) with seams all through."""
        kinds = self.kinds[low:high]
        offsets = np.arange(low + 1, high, dtype=np.int32)
        inside = self._seams(offsets, kinds[:-1], kinds[1:])
        found = (runs(inside) + np.array([low, low + 1])).tolist()
        return [(start, end) for start, end in found if end - start >= least]

    def _seams(self, offsets: np.ndarray, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        found = _among(before, after, _SEAMS[self.cased])
        found &= self.kinds[np.maximum(offsets - 2, 0)] != _APOSTROPHE
        if self.cased and (found & (after == _CASELESS)).any():
            other = np.flatnonzero((self.kinds != _CASELESS) & (self.kinds != _MARK)).astype(np.int32)
            kind = np.append(self.kinds[other], np.uint8(_OTHER))[np.searchsorted(other, offsets)]
            found &= (after != _CASELESS) | (kind != _UPPER)
        return found


def _among(before: np.ndarray, after: np.ndarray, pairs: bytes) -> np.ndarray:
    """(n,) bool: whether each pair of kinds is one of the table's."""
    both = np.left_shift(before, 4, dtype=np.uint8) | after
    return np.frombuffer(bytearray(both.tobytes().translate(pairs)), dtype=bool)
