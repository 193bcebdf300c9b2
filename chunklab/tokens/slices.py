"""What a slice of a text has of its words and n-grams, and what only the slice has."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from chunklab.tokens.ngrams import HashedText, normal_form, words_of

Words = tuple[str, ...]
Odd = tuple[int, Words, Words]


def whole_words(
    hashed: HashedText, spans: np.ndarray, contexts: Sequence[str]
) -> tuple[np.ndarray, np.ndarray, list[Odd]]:
    """(first, last, odd): words first to last - 1 of the document lie wholly inside each chunk.

    `odd` lists the chunks that show more than those: (row, words before, words after), where a word
    cut by an edge is the fragment that the chunk shows, and a context's words come before. A context
    that ends in the middle of a word runs on into the chunk's first word, as it does in its text.
    """
    runs_on = {each: hashed.runs_on(each) for each in set(contexts)}
    joined = np.array([runs_on[each] for each in contexts]) if contexts else False
    first, last, heads, tails = hashed.inside(spans, joined)
    starts, ends = spans[:, 0], spans[:, 1]
    odd = []
    text = hashed.text
    low, high, tail, end = starts.tolist(), heads.tolist(), tails.tolist(), ends.tolist()
    for row in np.flatnonzero((heads > starts) | (tails < ends) | bool(contexts)).tolist():
        head, context = text[low[row] : high[row]], contexts[row] if contexts else ""
        if not context:
            before = _fragment(hashed, head)
        elif runs_on[context]:
            before = words_of(context + head, hashed.rule)
        else:
            before = words_of(context, hashed.rule) + _fragment(hashed, head)
        after = _fragment(hashed, text[tail[row] : end[row]])
        if before or after:
            odd.append((row, before, after))
    return first, last, odd


def grams_of(words: Words, ngrams: int) -> list[Words]:
    """The n-grams of some words, of all orders up to ngrams."""
    return [
        gram
        for order in range(ngrams)
        for gram in zip(*(words[step:] for step in range(order + 1)), strict=False)
    ]


def touching(
    strings: list[str], before: Words, after: Words, first: int, last: int, ngrams: int
) -> list[Words]:
    """The n-grams, of all orders up to ngrams, of the word after, and those of which only a part is from before."""
    grams = [after] if after else []
    for near in range(1, ngrams):
        end = before[-near:]
        if last - first >= near:
            # Too far apart for an n-gram to hold words of both.
            lines = [(*end, *strings[first : first + near])] if before else []
            if after:
                lines.append((*strings[last - near : last], *after))
        else:
            lines = [(*end, *strings[first:last], *after)]
        for line in lines:
            grams += (
                zip(*(line[step:] for step in range(near + 1)), strict=False) if near > 1 else pairwise(line)
            )
    return grams


def _fragment(hashed: HashedText, part: str) -> Words:
    return (normal_form(part),) if part and hashed.is_word(part) else ()
