"""How long the vector of counts of any run of words is, without making the vector."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np


class Repeats:
    """Squared lengths of weighted bucket counts over runs of words: exact, as the weights are.

    `buckets[k]` has the bucket, below `dims`, of the n-gram of k + 1 words that begins at each word,
    `weights[k]` what it weighs. A square of counts is the sum of the squares of what is counted, and more
    only where one run holds a bucket more than once: so only n-grams of one bucket that are near enough are
    looked at.
    """

    def __init__(self, buckets: Sequence[np.ndarray], weights: Sequence[float], dims: int):
        self.buckets, self.dims = buckets, dims
        self.words, self.weights = len(buckets[0]), weights
        places = np.concatenate([np.arange(len(each), dtype=np.int32) for each in buckets])
        orders = np.repeat(np.arange(len(buckets), dtype=np.int32), [len(each) for each in buckets])
        bucket = np.concatenate(buckets)
        by_bucket = np.lexsort((places, bucket))
        self.rank = np.empty_like(by_bucket, dtype=np.int32)
        self.rank[by_bucket] = np.arange(len(by_bucket), dtype=np.int32)
        self.places, orders, bucket = places[by_bucket], orders[by_bucket], bucket[by_bucket]
        none = np.int32(self.words)
        gaps = np.where(bucket[1:] == bucket[:-1], np.diff(self.places), none)
        self.gaps = np.concatenate(([none], gaps, [none]))
        weight = np.array(weights)[orders]
        self.sums, self.squares = (np.concatenate(([0], np.cumsum(each))) for each in (weight, weight**2))

    def __call__(self, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        """(n,) float64 squared lengths over the words first to last - 1."""
        out = np.zeros(len(first))
        for order, weight in enumerate(self.weights):
            out += weight**2 * np.maximum(last - first - order, 0)
        near = np.flatnonzero(self.gaps[1:-1] < np.max(last - first, initial=0))
        both = self.places[near], self.places[near + 1]
        # In turns, so that no two runs of one turn overlap.
        turns = 1
        while (first[turns:] < last[:-turns]).any():
            turns += 1
        for turn in range(turns):
            out[turn::turns] += self._repeated(near, both, first[turn::turns], last[turn::turns])
        rows, grams = self._running_over(first, last)
        if len(rows):
            out -= self.added(first, last, rows, grams)
            out += np.bincount(rows, np.array(self.weights)[grams // self.dims] ** 2, minlength=len(out))
        return out

    def added(self, first: np.ndarray, last: np.ndarray, rows: np.ndarray, grams: np.ndarray) -> np.ndarray:
        """(n,) float64: by how much the squares grow when more n-grams are counted in some rows, see `Products`."""
        orders, buckets = np.divmod(grams, self.dims)
        weights, inside = np.array(self.weights)[orders], np.zeros(len(rows))
        low, high = first[rows], last[rows]
        for order, (places, weight) in enumerate(zip(self._places, self.weights, strict=True)):
            begin = np.searchsorted(places, buckets * self.words + low)
            end = np.searchsorted(places, buckets * self.words + np.maximum(high - order, low))
            inside += weight * (end - begin)
        new, at = np.unique(rows * self.dims + buckets, return_inverse=True)
        squares = np.bincount(at, weights) ** 2
        return np.bincount(rows, 2 * weights * inside, minlength=len(first)) + np.bincount(
            new // self.dims, squares, minlength=len(first)
        )

    @cached_property
    def _places(self) -> list[np.ndarray]:
        """For each order the n-grams by bucket, then place: bucket * words + place, (m,) int64, sorted."""
        return [
            np.sort(each * np.int64(self.words) + np.arange(len(each), dtype=np.int64))
            for each in self.buckets
        ]

    def _repeated(
        self, near: np.ndarray, both: tuple[np.ndarray, np.ndarray], first: np.ndarray, last: np.ndarray
    ) -> np.ndarray:
        """What the squares of the counts have above the counted squares, for runs that rise and do not overlap.

        All n-grams that begin in a run are counted.
        """
        lengths = np.diff(np.stack((first, last), axis=1).ravel(), prepend=0, append=self.words)
        names = np.full(len(lengths), -1, dtype=np.int32)
        names[1::2] = np.arange(len(first))
        run_of = np.repeat(names, lengths)
        runs = run_of[both[0]]
        held = np.flatnonzero((runs >= 0) & (runs == run_of[both[1]]))
        links = near[held]
        # Links that follow one another are one bucket in one run.
        begins = np.flatnonzero(np.diff(links, prepend=-2) != 1)
        low, high = links[begins], links[np.append(begins[1:], len(links))[: len(begins)] - 1] + 2
        more = (self.sums[high] - self.sums[low]) ** 2 - (self.squares[high] - self.squares[low])
        return np.bincount(runs[held[begins]], more, minlength=len(first))

    def _running_over(self, first: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(rows, grams): n-grams that begin in a run and end behind it, where one of their bucket is near."""
        rows, grams = [np.zeros(0, dtype=np.intp)], [np.zeros(0, dtype=np.int64)]
        for order in range(1, len(self.weights)):
            bucket = self.buckets[order]
            for back in range(1, order + 1):
                place = last - back
                at = np.flatnonzero((place >= first) & (place < len(bucket)))
                place = place[at]
                rank = self.rank[self._begin(order) + place]
                at_hand = self.gaps[rank] <= place - first[at]
                at_hand |= self.gaps[rank + 1] < back
                rows.append(at[at_hand])
                grams.append(bucket[place[at_hand]] + order * np.int64(self.dims))
        return np.concatenate(rows), np.concatenate(grams)

    def _begin(self, order: int) -> int:
        """Where the n-grams of an order begin in the row of all."""
        return sum(map(len, self.buckets[:order]))
