"""What the lines of a Markdown text begin with: the little that tells which of them open or close a block."""

from __future__ import annotations

import numpy as np

from chunklab.scan import Scan

MEDIA_TYPES = ()
_TAB, _LINE_END, _SPACE, _HASH = 9, 10, 32, 35
_SPECIAL = np.zeros(128, dtype=bool)
_SPECIAL[[ord(each) for each in "-+*_=~`<>[|:0123456789"]] = True
# What the parser and `str.isspace` or our count of lines see differently.
_UNUSUAL_ASCII = "\0\r\x0b\x0c\x1c\x1d\x1e\x1f"
_UNUSUAL = np.zeros(1 << 16, dtype=bool)
_UNUSUAL[[ord(each) for each in f"{_UNUSUAL_ASCII}\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"]] = True
_UNUSUAL[0x2000:0x200B] = True


class Margins:
    """Facts about each line, blank lines told apart from others as `filled`; a line is deep from the fourth column on.

    `first` is the offset of a shallow line's first visible character and `head` that character's code, 0 for other
    lines. `level` is 1 to 6 on lines that are headings unless they are inside code, HTML or a list. `special` are
    shallow lines that may begin or end something else than a paragraph. At an `anchor` nothing is open but a
    fence or an HTML block, whatever stands before.
    """

    def __init__(self, known: Scan):
        self.units, self.length = known.units, len(known.text)
        self.starts, self.filled = known.line_starts, known.filled
        self.first = self.starts.copy()
        self.deep = np.zeros(len(self.starts), dtype=bool)
        moving = np.flatnonzero(self.filled)
        for _ in range(4):
            found = self.units[self.first[moving]]
            self.deep[moving[found == _TAB]] = True
            moving = moving[found == _SPACE]
            self.first[moving] += 1
        self.deep[moving] = True
        shallow = self.filled & ~self.deep
        self.head = np.where(shallow, self._at(self.first), 0)
        self.level = self._levels()
        self.special = _SPECIAL[np.minimum(self.head, 127)]
        margin = shallow & (self.first == self.starts)
        after_blank = np.concatenate(([True], ~self.filled[:-1]))
        self.anchor = margin & ((self.level > 0) | (after_blank & ~self.special))

    def _levels(self) -> np.ndarray:
        level = np.zeros(len(self.starts), dtype=np.int8)
        lines = np.flatnonzero(self.head == _HASH)
        at, count = self.first[lines], np.zeros(len(lines), dtype=np.int8)
        for _ in range(7):
            more = self._at(at) == _HASH
            at = at + more
            count += more
        after = self._at(at)
        ended = (after == _SPACE) | (after == _TAB) | (after == _LINE_END)
        level[lines] = np.where(ended & (count <= 6), count, 0)
        return level

    def _at(self, offsets: np.ndarray) -> np.ndarray:
        """The codes at some offsets, a line end behind the text."""
        if not self.length:
            return np.full(len(offsets), _LINE_END)
        return np.where(offsets < self.length, self.units.take(offsets, mode="clip"), _LINE_END)


def is_usual(known: Scan) -> bool:
    """Whether blanks and line ends are to `str.isspace` what they are to Markdown."""
    if known.text.isascii():
        return not any(each in known.text for each in _UNUSUAL_ASCII)
    return not _UNUSUAL.take(known.units, mode="clip").any()
