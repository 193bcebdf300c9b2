"""Exact token counts of many slices of one text, which is tokenised once.

A tokenizer's edge is an offset p such that tokenising any slice that contains p in its inside or at
an end gives the tokens left of p followed by those right of p, whatever else the slice holds. It is
decided by the two characters beside p alone, so an edge of the text is an edge of every slice.

* Byte-pair encodings first cut the text with a pattern and never merge across its matches. After a
  character that is not blank and before a blank other than CR or LF, no match of the pattern goes
  on: the only blank a match may hold together with something visible is its first character or a
  line end after punctuation, and look-ahead is used by matches of blanks only, which end elsewhere.
  The other pairs in `bpe` (a letter before punctuation, a digit beside anything that is not a digit
  or blank, a line end before something visible) follow from the same reading.
* WordPiece works on words: a blank, an ideograph and ASCII punctuation each part their neighbours,
  and its normaliser maps one character at a time as far as base characters go (a reordering of
  combining marks cannot pass a base character).

So a slice [s, e) has the tokens of [s, p), of [p, q) and of [q, e), where p is the first edge at or
above s and q the last at or below e. The middle comes from the text's offsets; the two fragments,
or the whole slice when it holds no edge, are tokenised on their own.
"""

from __future__ import annotations

import numpy as np

from chunklab.tokens import tokenizer
from chunklab.tokens.base import CHARACTERS_KEPT
from chunklab.tokens.recent import Recent

_layouts: Recent[tuple[np.ndarray, np.ndarray]] = Recent(CHARACTERS_KEPT)


def count_spans(text: str, spans: np.ndarray, name: str) -> np.ndarray:
    """(n,) int32: how many tokens each slice text[start:end] has when it stands alone; exact.

    `spans` is (n, 2), in any order; an empty span has no tokens.
    """
    reader = tokenizer(name)
    spans = np.asarray(spans, dtype=np.int32).reshape(-1, 2)
    starts, ends = spans[:, 0], spans[:, 1]
    edges, before = _layouts.get((name, text), len(text), lambda: _layout(text, name))
    first = np.searchsorted(edges, starts)
    last = np.searchsorted(edges, ends, side="right") - 1
    middle = first <= last
    first, last = np.where(middle, first, 0), np.where(middle, last, 0)
    counts = before[last] - before[first]

    # Left fragments reach to the first edge, or to the slice's end when it holds none.
    left_ends = np.where(middle, edges[first], ends)
    right_starts = np.where(middle, edges[last], ends)
    slices = [(starts, left_ends), (right_starts, ends)]
    rows, texts = [], []
    for lows, highs in slices:
        some = np.flatnonzero(lows < highs)
        rows.append(some)
        texts += [text[a:b] for a, b in zip(lows[some].tolist(), highs[some].tolist(), strict=True)]
    if texts:
        numbers = {each: at for at, each in enumerate(dict.fromkeys(texts))}
        known = reader.count_many(list(numbers))
        fragments = known[[numbers[each] for each in texts]]
        np.add.at(counts, np.concatenate(rows), fragments)
    return counts


def _layout(text: str, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The edges of the text and, for each, the number of tokens before it; both int32."""
    reader = tokenizer(name)
    starts, _ = reader.offsets(text)
    edges = reader.edges(text)
    return edges, np.searchsorted(starts, edges).astype(np.int32)
