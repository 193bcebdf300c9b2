"""Chinese and Japanese sentences cut though a full stop was at hand."""

from __future__ import annotations

import numpy as np

from chunklab.lint.base import Case, Problem, problem
from chunklab.lint.fixes import first_of, resplit

_STOPS = np.array([ord(each) for each in "。！？｡"], dtype=np.uint32)
_WRITTEN = ((0x3041, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0xFF66, 0xFF9D),
            (0x20000, 0x3FFFF), (0x3001, 0x3001), (0xFF0C, 0xFF0C))  # fmt: skip


def detect(case: Case) -> Problem | None:
    """Each chunk that ends after an ideograph, kana or comma though it holds a full stop to end at."""
    codes = case.known.codes
    stops = np.flatnonzero(np.isin(codes, _STOPS))
    end = codes[case.last - 1]
    written = np.zeros(len(end), dtype=bool)
    for low, high in _WRITTEN:
        written |= (end >= low) & (end <= high)
    before = np.searchsorted(stops, case.last) - 1
    stop = np.append(stops, -1)[before]
    more = case.known.visible_before[case.last] < case.known.visible_before[-1]
    line_end = np.isin(case.known.next_visible[case.last], case.sentences)
    ignored = written & more & (stop >= case.first) & (before >= 0) & ~line_end
    return problem(
        "CJK stop ignored",
        "A chunk ends inside a sentence though it holds a full stop such as 。 to end at.",
        np.column_stack((stop + 1, case.last))[ignored],
        "Use a strategy that knows the stops of all scripts.",
        first_of(resplit(case, "recursive", separators="plain", regex=False), resplit(case, "sentence"))
        if ignored.any()
        else None,
    )
