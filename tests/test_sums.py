"""Sums over rows: with and without a sparse matrix the same; and the table of blanks that all texts share."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chunklab.characters import is_blank
from chunklab.tokens import sums
from chunklab.tokens.sums import sparse, totals

EIGHTHS = st.integers(-800, 800).map(lambda whole: whole / 8)


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, 4), st.sampled_from([1.0, -1.0, 0.5]))),
        )
    ),
    st.integers(1, 3).flatmap(
        lambda d: st.lists(st.lists(EIGHTHS, min_size=d, max_size=d), min_size=5, max_size=5)
    ),
)
def test_few_numbers_add_up_to_what_a_sparse_matrix_gives(asked, table) -> None:
    n, entries = asked
    rows, ids, values = (
        np.array([each[at] for each in entries], dtype=kind) for at, kind in enumerate((int, int, float))
    )
    numbers = np.array(table)
    assert len(ids) * numbers.shape[1] <= sums.FEW
    plain = sparse(n, len(numbers), rows, ids, values) @ numbers
    assert totals(n, rows, ids, values, numbers).tolist() == plain.tolist()


def test_many_numbers_go_through_a_sparse_matrix(monkeypatch) -> None:
    rows, ids = np.arange(8).repeat(9), np.arange(72) % 5
    table = np.arange(15.0).reshape(5, 3)
    few = totals(8, rows, ids, np.ones(72), table)
    monkeypatch.setattr(sums, "FEW", 0)
    assert totals(8, rows, ids, np.ones(72), table).tolist() == few.tolist()


def test_blanks_are_what_python_takes_for_blanks() -> None:
    codes = [*range(0xD800), *range(0xE000, 0x30000)]
    wide = np.array(codes, dtype=np.uint32)
    assert is_blank(wide).tolist() == [chr(code).isspace() for code in codes]
    assert is_blank(wide[:0xD800].astype(np.uint16)).tolist() == [
        chr(code).isspace() for code in range(0xD800)
    ]
