"""How long the vector of counts of any run of words is, without making the vector."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


class Repeats:
    """Squared lengths of weighted bucket counts over runs of words: exact, as the weights are.

    `buckets[k]` has the bucket of the n-gram of k + 1 words that begins at each word, `weights[k]` what it
    weighs. A square of counts is the sum of the squares of what is counted, and more only where one run
    holds a bucket more than once: so only n-grams of one bucket that are near enough are looked at.
    """

    def __init__(self, buckets: Sequence[np.ndarray], weights: Sequence[float]):
        self.words, self.weights = len(buckets[0]), weights
        places = np.concatenate([np.arange(len(each), dtype=np.int32) for each in buckets])
        orders = np.repeat(np.arange(len(buckets), dtype=np.int32), [len(each) for each in buckets])
        bucket = np.concatenate(buckets)
        by_bucket = np.lexsort((places, bucket))
        places, orders, bucket = places[by_bucket], orders[by_bucket], bucket[by_bucket]
        self.slots = orders * np.int32(self.words) + places
        self.gaps = np.where(bucket[1:] == bucket[:-1], np.diff(places), np.int32(self.words))
        weight = np.array(weights)[orders]
        self.sums, self.squares = (np.concatenate(([0], np.cumsum(each))) for each in (weight, weight**2))

    def __call__(self, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        """(n,) float64 squared lengths over the words first to last - 1."""
        out = np.zeros(len(first))
        for order, weight in enumerate(self.weights):
            out += weight**2 * np.maximum(last - first - order, 0)
        near = np.flatnonzero(self.gaps < np.max(last - first, initial=0))
        both = self.slots[near], self.slots[near + 1]
        # In turns, so that no two runs of one turn overlap.
        turns = 1
        while (first[turns:] < last[:-turns]).any():
            turns += 1
        for turn in range(turns):
            out[turn::turns] += self._repeated(near, both, first[turn::turns], last[turn::turns])
        return out

    def _repeated(
        self, near: np.ndarray, both: tuple[np.ndarray, np.ndarray], first: np.ndarray, last: np.ndarray
    ) -> np.ndarray:
        """What the squares of the counts have above the counted squares, for runs that rise and do not overlap."""
        run_of = self._run_of(first, last)
        runs = run_of[both[0]]
        held = np.flatnonzero((runs >= 0) & (runs == run_of[both[1]]))
        links = near[held]
        # Links that follow one another are one bucket in one run.
        begins = np.flatnonzero(np.diff(links, prepend=-2) != 1)
        low, high = links[begins], links[np.append(begins[1:], len(links))[: len(begins)] - 1] + 2
        more = (self.sums[high] - self.sums[low]) ** 2 - (self.squares[high] - self.squares[low])
        return np.bincount(runs[held[begins]], more, minlength=len(first))

    def _run_of(self, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        """The run that holds each n-gram, order by order, -1 where none does."""
        lengths = np.diff(np.stack((first, last), axis=1).ravel(), prepend=0, append=self.words)
        names = np.full(len(lengths), -1, dtype=np.int32)
        names[1::2] = np.arange(len(first))
        words = np.repeat(names, lengths)
        rows = [words]
        for order in range(1, len(self.weights)):
            inside = np.full(self.words, -1, dtype=np.int32)
            np.copyto(inside[:-order], words[:-order], where=words[:-order] == words[order:])
            rows.append(inside)
        return np.concatenate(rows)
