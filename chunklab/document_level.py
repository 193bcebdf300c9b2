"""Measures of whole documents, each at the rank of its first retrieved place (Manning et al. 2008, chapter 8)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from chunklab.metrics import checked_ks


def document_scores(
    parts: Sequence[Iterable[Hashable]], retrieved: Iterable[Hashable], ks: Iterable[int] = (1, 3, 5, 10)
) -> dict[str, float]:
    """The scores of one question by its documents: "document_recall@5", …, "document_mrr", "r_precision".

    `parts` are, for each part of the evidence, the documents that hold it or an alternative of it; of
    these the one that ranks first is relevant, the first one given when none is retrieved. `retrieved`
    are the documents of the retrieved places in rank order, with repeats; k counts documents.
    """
    ranks: dict[Hashable, int] = {}
    for document in retrieved:
        ranks.setdefault(document, len(ranks) + 1)
    relevant = {min(part, key=lambda each: ranks.get(each, np.inf)) for part in parts}
    found = sorted(ranks[each] for each in relevant if each in ranks)
    scores = {}
    for k in checked_ks(ks):
        top = [rank for rank in found if rank <= k]
        scores[f"document_recall@{k}"] = len(top) / len(relevant)
        scores[f"document_ndcg@{k}"] = _discounted(top) / _discounted(range(1, min(k, len(relevant)) + 1))
    scores["document_mrr"] = 1 / found[0] if found else 0.0
    scores["r_precision"] = sum(rank <= len(relevant) for rank in found) / len(relevant)
    return scores


def _discounted(ranks: Iterable[int]) -> float:
    return sum(1 / np.log2(rank + 1) for rank in ranks)
