"""How far two evaluations of the same questions agree on what they put first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from chunklab.errors import ChunklabError
from chunklab.returned import ranked_places

if TYPE_CHECKING:
    from chunklab.chunking import Chunks
    from chunklab.experiment import Evaluation


def top1_agreement(
    a: Evaluation, chunks_a: Sequence[Chunks], b: Evaluation, chunks_b: Sequence[Chunks], same: bool = False
) -> np.ndarray:
    """(q,) float64: 1 where the first places of both overlap, or with `same` are equal, else 0.

    The mean is the share of questions on which they agree. Where neither finds anything they agree.
    Raises ChunklabError unless both are over the same questions in the same order.
    """
    if a.question_ids != b.question_ids:
        raise ChunklabError(
            "agreement: must be over the same questions in the same order, got "
            f"{len(a.question_ids)} and {len(b.question_ids)} that differ. Evaluate both on one corpus."
        )
    tops_a, tops_b = ranked_places(a.ranking, chunks_a, 1), ranked_places(b.ranking, chunks_b, 1)
    found = []
    for one, other in zip(tops_a, tops_b, strict=True):
        equal = one == other
        if one and other and not equal and not same:
            (document, start, end), (its, low, high) = one[0], other[0]
            equal = document == its and start < high and low < end
        found.append(float(equal))
    return np.array(found)
