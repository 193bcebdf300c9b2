"""What a slice of a text has of its words and n-grams, and what only the slice has."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from chunklab.tokens.ngrams import HashedText, normal_form, words_of

Odd = tuple[int, list[str], list[str]]


def whole_words(
    hashed: HashedText, spans: np.ndarray, contexts: Sequence[str]
) -> tuple[np.ndarray, np.ndarray, list[Odd]]:
    """(first, last, odd): words first to last - 1 of the document lie wholly inside each chunk.

    `odd` lists the chunks that show more than those: (row, words before, words after), where a word
    cut by an edge is the fragment that the chunk shows, and a context's words come before. A context
    that ends in the middle of a word runs on into the chunk's first word, as it does in its text.
    """
    first, last, heads, tails = hashed.inside(spans, bool(contexts))
    starts, ends = spans[:, 0], spans[:, 1]
    odd = []
    text = hashed.text
    low, high, tail = starts.tolist(), heads.tolist(), tails.tolist()
    for row in np.flatnonzero((heads > starts) | (tails < ends) | bool(contexts)).tolist():
        head = text[low[row] : high[row]]
        before = list(words_of(contexts[row] + head, hashed.rule)) if contexts else _fragment(hashed, head)
        after = _fragment(hashed, text[tail[row] : ends[row]])
        if before or after:
            odd.append((row, before, after))
    return first, last, odd


def touching(
    strings: list[str], before: list[str], after: list[str], first: int, last: int, ngrams: int
) -> list[tuple[str, ...]]:
    """The n-grams, of all orders up to ngrams, in which a word from before or after takes part."""
    grams = list(zip(before)) + list(zip(after))
    for near in range(1, ngrams):
        if last - first >= near:
            # Too far apart for an n-gram to hold words of both.
            lines = [before + strings[first : first + near]] if before else []
            if after:
                lines.append(strings[last - near : last] + after)
        else:
            lines = [before + strings[first:last] + after]
        for line in lines:
            grams += (
                zip(*(line[step:] for step in range(near + 1)), strict=False) if near > 1 else pairwise(line)
            )
    return grams


def _fragment(hashed: HashedText, part: str) -> list[str]:
    return [normal_form(part)] if part and hashed.is_word(part) else []
