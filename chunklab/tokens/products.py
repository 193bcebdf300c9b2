"""The products of queries with the counts of any run of words, without making the counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunklab.tokens.sums import RunSums, totals


class Products:
    """Products of vectors with weighted bucket counts over runs of words: exact, as the weights are.

    `buckets[k]` has the bucket of the n-gram of k + 1 words that begins at each word, `weights[k]` what it
    weighs; `vectors` is (dims, q). What every n-gram adds to each product is summed over the text once.
    """

    def __init__(self, buckets: Sequence[np.ndarray], weights: Sequence[float], vectors: np.ndarray):
        dims, queries = vectors.shape
        self.adds = np.concatenate([*(weight * vectors for weight in weights), np.zeros((1, queries))])
        # The n-grams in order of their first word; where the text ends before one, the row of zeros.
        self.grams = np.full((len(buckets[0]), len(buckets)), len(self.adds) - 1, dtype=np.int32)
        for order, bucket in enumerate(buckets):
            self.grams[: len(bucket), order] = bucket + order * dims
        self.sums = RunSums(self.grams.ravel(), self._sum, queries)

    def __call__(self, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        """(n, q) float64 products with the words first to last - 1."""
        orders = self.grams.shape[1]
        # Of the n-grams that begin at the last word, only the shortest ends inside.
        low, high = first * orders, np.where(last > first, (last - 1) * orders + 1, first * orders)
        rows, ids, signs = self.sums.entries(low, high)
        for order in range(2, orders):
            for back in range(2, order + 1):
                at = np.flatnonzero(last - back >= first)
                rows = np.append(rows, at)
                ids = np.append(ids, self.grams[last[at] - back, order])
                signs = np.append(signs, np.full(len(at), -1.0))
        found = self.sums.kept(low, high)
        found += self._sum(len(first), rows, ids, signs)
        return found

    def added(self, n: int, rows: np.ndarray, grams: np.ndarray) -> np.ndarray:
        """(n, q) float64: what more n-grams, each its bucket + dims * (order - 1), add to the products of some rows."""
        return self._sum(n, rows, grams, np.ones(len(grams)))

    def _sum(self, n: int, rows: np.ndarray, ids: np.ndarray, signs: np.ndarray) -> np.ndarray:
        return totals(n, rows, ids, signs, self.adds)
