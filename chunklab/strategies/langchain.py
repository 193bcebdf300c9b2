"""LangChain's recursive splitter, chunk for chunk."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import takewhile
from typing import ClassVar

import numpy as np

from chunklab.boundaries import name_of
from chunklab.errors import ParamError, shown
from chunklab.packing import END, oversize_notice
from chunklab.params import check_overlap, overlap_of, param
from chunklab.scan import Scan, edges, scan
from chunklab.strategies.base import Strategy, overlap_param, size_param
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class LangChain(Strategy):
    """The chunks of LangChain's RecursiveCharacterTextSplitter (1.1.3), each at its exact place.

    The text is split at the first separator that occurs in it, pieces are merged up to `size`, and a piece
    over the size is split at the separators after that one; chunks have no blanks at their ends. Results
    differ only where LangChain's own chunks break the span contract: chunks of blanks and chunks inside a
    neighbour are left out; in a text in which it would cut a grapheme cluster, each cluster stays whole; and
    the list always ends with "", without which LangChain leaves pieces over the size. With `keep` = no,
    separators inside a chunk count as they stand, where LangChain writes one for several in a row; one that
    can be seen is refused, because LangChain loses it at every cut.
    """

    label = "LangChain's recursive"
    assumes = "Blank lines, then line ends, then blanks mark what belongs together."
    fails = "What is left of a paragraph over the size stays a short chunk, and many joints do not overlap."
    unit: ClassVar[str] = "chars"
    tokenizer: ClassVar[str] = "cl100k"

    size: int = size_param(1000)
    overlap: int | str = overlap_param(200)
    separators: tuple[str, ...] = param(
        ("\n\n", "\n", " ", ""), kind="separators", detail=True,
        help="Texts to split at, strongest first; each stands for itself.",
    )  # fmt: skip
    keep: str = param(
        "start", choices=("start", "end", "no"), detail=True,
        help="Whether a separator starts a piece (LangChain's True), ends one, or belongs to none.",
    )  # fmt: skip

    def check(self) -> None:
        check_overlap(self)
        if isinstance(self.separators, str):
            raise ParamError("langchain", "separators", "a list of texts, strongest first", self.separators)
        seen = next((each for each in self.separators if each.strip()), None)
        if self.keep == "no" and seen:
            why = f"LangChain loses {shown(seen)} wherever it cuts, and no visible character may be lost."
            raise ParamError("langchain", "keep", "start or end where a separator can be seen", "no", why)

    def split(self, document: Document) -> Cuts:
        known, overlap = scan(document), overlap_of(self.overlap, self.size)
        separators, spans, notices = tuple(takewhile(bool, self.separators)), None, ()
        if self.keep != "no" and all(map(_is_searchable, separators)):
            found = _searched(known.text, separators, self.size, overlap, self.keep == "end")
            spans, codes = _trimmed(known, found)
        if spans is None or known.joins(edges(spans)).any():
            found = _pieced(known, separators, self.size, overlap, self.keep)
            spans, codes = _trimmed(known, found, clusters=True)
            notices = oversize_notice(int((spans[:, 1] - spans[:, 0] > self.size).sum()))
        reasons = [*map(name_of, separators), "character", END]
        names = tuple(dict.fromkeys(reasons))
        code_of = np.array([names.index(each) for each in reasons], dtype=np.uint8)
        return Cuts(spans, code_of[codes], names, (), notices)


def _searched(text: str, separators: tuple[str, ...], size: int, overlap: int, at_end: bool) -> list[int]:
    """Start, end and reason of each chunk, one after another, blanks included; reasons count the separators.

    The end of a chunk is looked for backwards from where it has to be: most pieces are never seen.
    """
    out: list[int] = []
    add, find, rfind, count = out.extend, text.find, text.rfind, len(separators)

    def run(start: int, at: int) -> int:
        """Where the repeats of one character that reach `at` begin, not before `start`."""
        return start + len(text[start:at].rstrip(text[at]))

    def following(separator: str, start: int, least: int, high: int) -> int:
        """The first place from `least` on at which a text that begins at `start` is split, -1 if none."""
        at = find(separator, max(start, least), high)
        if at > start and text[at - 1] == separator[-1] and len(separator) > 1:
            at = find(separator, at + (run(start, at) - at) % len(separator), high)
        return at

    def split(low: int, high: int, level: int, code: int) -> None:
        while level < count and find(separators[level], low, high) < 0:
            level += 1
        if level == count:
            while high - low > size:
                add((low, low + size, level))
                low += size - overlap
            add((low, high, code))
            return
        separator = separators[level]
        length, last = len(separator), separator[-1]
        shift = length if at_end else 0
        rest, before = length - shift, 0 if at_end else 1
        start = ended = low
        while high - start > size:
            limit = start + size + rest
            at = rfind(separator, ended + before, limit if limit < high else high)
            if at > ended and length > 1 and text[at - 1] == last:
                at -= (at - run(ended, at)) % length
            end = at + shift
            if at >= 0 and end > ended:
                add((start, end, level))
                ended = end
                if not overlap:
                    start = end
                elif end - overlap > start:
                    start = following(separator, start, end - overlap - shift, high) + shift
            elif start < ended:
                # The next piece does not fit after so long an overlap.
                limit = ended + size + rest
                at = find(separator, ended + rest, limit if limit < high else high)
                least = (at + shift if at >= 0 else high) - size
                start = following(separator, start, least - shift, high) + shift if least < ended else ended
            else:
                at = following(separator, start, start + size + 1 - shift, high)
                end = at + shift if at >= 0 and at + shift < high else high
                split(start, end, level + 1, level if end < high else code)
                start = ended = end
        if start < high:
            add((start, high, code))

    split(0, len(text), 0, count + 1)
    return out


def _is_searchable(separator: str) -> bool:
    """Whether a look nearby tells where it splits a text: it never overlaps itself, or repeats one character."""
    overlaps = any(separator.startswith(separator[at:]) for at in range(1, len(separator)))
    return not overlaps or separator == separator[0] * len(separator)


def _pieced(known: Scan, separators: tuple[str, ...], size: int, overlap: int, keep: str) -> list[int]:
    """The same from all pieces, merged one by one; no piece begins or ends inside a grapheme cluster."""
    out: list[int] = []
    text, count, units, joined = known.text, len(separators), known.units, known.joined
    # Inside a CRLF they may: both sides are trimmed.
    joined = joined[(units[joined - 1] != 13) | (units[joined] != 10)]
    inside = frozenset(joined.tolist())

    def pieces(low: int, high: int, separator: str) -> tuple[list[int], list[int]]:
        """Where the pieces of a region begin and end; none is empty."""
        if not separator:
            near = joined[np.searchsorted(joined, low) : np.searchsorted(joined, high)]
            cuts = np.setdiff1d(np.arange(low + 1, high), near, assume_unique=True).tolist()
            return [low, *cuts], [*cuts, high]
        begins, ends, at = [low], [], text.find(separator, low, high)
        while at >= 0:
            behind = at + len(separator)
            end, begin = behind if keep == "end" else at, at if keep == "start" else behind
            if end in inside or begin in inside:
                behind = at + 1
            elif end > begins[-1]:
                ends.append(end)
                begins.append(begin)
            else:
                begins[-1] = begin
            at = text.find(separator, behind, high)
        return (begins, [*ends, high]) if begins[-1] < high else (begins[:-1], ends)

    def split(low: int, high: int, level: int, code: int) -> None:
        begins, ends = pieces(low, high, separators[level] if level < count else "")
        first, total = 0, len(ends)
        while first < total:
            at = bisect_right(ends, begins[first] + size, first)
            reason = level if max(at, first + 1) < total else code
            if at == first and level < count:
                split(begins[first], ends[first], level + 1, reason)
            else:
                out.extend((begins[first], ends[max(at - 1, first)], reason))
            if first < at < total:
                first = bisect_left(begins, max(ends[at - 1] - overlap, ends[at] - size), first, at)
            else:
                first = max(at, first + 1)

    split(0, len(text), 0, count + 1)
    return out


def _trimmed(known: Scan, found: list[int], clusters: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """(spans, reasons) of the chunks without blanks at their ends; those of blanks or inside another are left out.

    With `clusters`, a blank stays that shares its grapheme cluster with something visible.
    """
    low, high, code = np.array(found, dtype=np.int32).reshape(-1, 3).T
    high = known.visible_ends(high)
    kept = high > low
    low, high, code = known.next_visible_at(low[kept]), high[kept], code[kept]
    if clusters:
        low = np.array([known.snap(at) for at in low.tolist()], dtype=np.int32)
        high = np.array([known.snap_up(at) for at in high.tolist()], dtype=np.int32)
    kept = np.diff(high, prepend=-1) > 0
    low, high, code = low[kept], high[kept], code[kept]
    kept = np.diff(low, append=len(known.text)) > 0
    return np.column_stack((low, high))[kept], code[kept]
