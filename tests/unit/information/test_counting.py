"""Ways of counting outscorers: all agree with comparing every pair."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.information import counting
from measurand.information.counting import (
    FEW_LEVELS,
    FEW_PAIRS,
    Distinct,
    by_grade,
    by_merging,
    by_pairs,
    by_prefix,
    by_sorting,
    count_above,
    count_by_bits,
    count_by_comparing,
    count_outscorers,
    quickest,
)

patient = settings(deadline=None)


def pair_by_pair(levels):
    return [sum(all(x >= y for x, y in zip(other, row, strict=True)) for other in levels) for row in levels]


def tables(columns, rows=12, highest=4):
    cells = st.lists(st.integers(0, highest), min_size=columns, max_size=columns)
    return st.lists(cells, min_size=1, max_size=rows)


any_tables = st.integers(0, 5).flatmap(tables)
seeds = st.integers(0, 2**32 - 1)


def distinct(table):
    """Return the different rows of a table in no order, how often each occurs, and how many outscorers each has."""
    kept = Distinct.of(np.array(table).reshape(len(table), -1))
    counts = np.zeros(len(kept.levels), dtype=np.int64)
    counts[kept.place] = pair_by_pair(table)
    shuffled = np.random.default_rng(len(table)).permutation(len(counts))
    return evolve(kept, levels=kept.levels[shuffled], weights=kept.weights[shuffled]), counts[shuffled].tolist()


@given(table=any_tables, shift=st.integers(-3, 3), factor=st.sampled_from([1, 2, 10**15]))
@patient
def test_all_rows_are_counted_whatever_their_levels(table, shift, factor):
    levels = np.array(table, dtype=np.int64).reshape(len(table), -1) * factor + shift
    before = levels.copy()
    assert count_outscorers(levels).tolist() == pair_by_pair(table)
    assert (levels == before).all()


def test_no_rows_have_no_counts():
    assert count_outscorers(np.zeros((0, 3), dtype=np.int64)).tolist() == []


def test_rows_without_columns_outscore_each_other():
    assert count_outscorers(np.zeros((3, 0), dtype=np.int64)).tolist() == [3, 3, 3]


@given(table=any_tables)
@patient
def test_compression_keeps_every_comparison_and_drops_what_is_repeated(table):
    levels = np.array(table, dtype=np.int64).reshape(len(table), -1)
    kept = Distinct.of(levels)
    assert kept.weights.tolist() == np.bincount(kept.place).tolist()
    rows = kept.levels[kept.place]
    for one in range(len(table)):
        assert (rows >= rows[one]).all(axis=1).tolist() == (levels >= levels[one]).all(axis=1).tolist()
    assert len({tuple(row) for row in kept.levels.tolist()}) == len(kept.levels)
    columns = kept.levels.T.tolist()
    assert len({tuple(column) for column in columns}) == len(columns)
    assert all(sorted(set(column)) == list(range(max(column) + 1)) and max(column) for column in columns)


@given(seed=seeds)
@patient
def test_many_long_columns_are_compressed_without_overflow(seed):
    rng = np.random.default_rng(seed)
    levels = np.stack([rng.permutation(300) for _ in range(30)], axis=1)[rng.integers(0, 300, 300)]
    kept = Distinct.of(levels)
    assert (kept.levels[kept.place] >= kept.levels[kept.place][0]).tolist() == (levels >= levels[0]).tolist()
    assert len(kept.levels) == len({tuple(row) for row in levels.tolist()})


def test_rows_that_differ_in_the_first_of_many_columns_alone_stay_apart():
    # 256 levels in each of nine columns: one number for a row would need 72 bits
    rows = [[row * (2 * column + 1) % 256 for column in range(9)] for row in range(256)]
    rows += [[5, *[0] * 8], [7, *[0] * 8]]
    kept = Distinct.of(np.array(rows))
    assert kept.levels.shape == (258, 9)
    assert kept.place[-2] != kept.place[-1]


@given(table=tables(1))
@patient
def test_one_column_is_counted_by_sorting(table):
    kept, counts = distinct(table)
    if kept.levels.shape[1]:
        assert by_sorting(kept.levels, kept.weights).tolist() == counts


@pytest.mark.parametrize("count", [by_grade, by_merging, by_prefix])
@given(table=tables(2, rows=40, highest=6))
@patient
def test_two_columns_are_counted_alike_in_every_way(count, table):
    kept, counts = distinct(table)
    if kept.levels.shape[1] == 2:
        assert count(kept.levels, kept.weights).tolist() == counts


@given(table=st.integers(3, 6).flatmap(lambda columns: tables(columns, rows=30)))
@patient
def test_many_columns_are_counted_alike_by_prefix_and_by_pairs(table):
    kept, counts = distinct(table)
    if kept.levels.shape[1]:
        assert by_prefix(kept.levels, kept.weights).tolist() == counts
        assert by_pairs(kept.levels, kept.weights).tolist() == counts


@pytest.mark.parametrize("count", [count_by_bits, count_by_comparing, count_above])
@given(seed=seeds, rows=st.integers(1, 40), candidates=st.integers(1, 200), columns=st.integers(1, 4))
@patient
def test_candidates_need_not_be_among_the_rows(count, seed, rows, candidates, columns):
    rng = np.random.default_rng(seed)
    some, others = rng.integers(0, 9, (candidates, columns)), rng.integers(0, 9, (rows, columns))
    expected = [int((some >= row).all(axis=1).sum()) for row in others]
    assert count(some, others).tolist() == expected


@pytest.mark.parametrize("few", [0, 10**9])
@pytest.mark.parametrize(("block", "together"), [(7, 5), (64, 3), (100, 1000)])
@given(seed=seeds)
@settings(deadline=None, max_examples=4)
def test_blocks_add_up_however_they_are_cut(few, block, together, seed):
    rng = np.random.default_rng(seed)
    levels = rng.integers(0, rng.integers(2, 60), (150, 3))
    kept, counts = distinct(levels.tolist())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "BLOCK", block)
        patch.setattr(counting, "TOGETHER", together)
        patch.setattr(counting, "FEW", few)
        assert by_prefix(kept.levels, kept.weights).tolist() == counts


@given(seed=seeds)
@settings(deadline=None, max_examples=5)
def test_runs_that_were_cut_off_are_counted_in_their_pool(seed):
    rng = np.random.default_rng(seed)
    levels = np.zeros((200, 8), dtype=np.int64)
    for column in range(8):
        levels[rng.permutation(200)[:30], column] = np.arange(30, 0, -1)
    assert count_outscorers(levels).tolist() == pair_by_pair(levels.tolist())


def test_a_large_table_is_counted_in_blocks_as_pair_by_pair():
    rng = np.random.default_rng(8)
    levels = rng.integers(0, 5000, (6000, 4))
    levels[:500] = levels[500:1000]
    some = rng.choice(6000, 60, replace=False)
    expected = [int((levels >= levels[row]).all(axis=1).sum()) for row in some]
    assert count_outscorers(levels)[some].tolist() == expected


def test_large_levels_and_weights_are_not_cut_off():
    # more levels than 16 bits hold, in one direction and in the other
    up = np.arange(70_000)
    levels = np.stack([up, up[::-1], up // 2], axis=1)
    assert count_outscorers(levels).tolist() == [1] * 70_000
    levels = np.stack([up, up // 3, up % 2], axis=1)
    expected = [70_000 - row if row % 2 == 0 else (70_000 - row + 1) // 2 for row in range(70_000)]
    assert count_outscorers(levels).tolist() == expected
    copies = np.repeat([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]], [5000, 300, 7, 1], axis=0)
    assert np.unique(count_outscorers(copies)).tolist() == [1, 7, 301, 5001]


def test_the_way_of_counting_suits_the_shape():
    ranking = np.arange(100)
    assert quickest(ranking[:, None]) is by_sorting
    assert quickest(np.stack([ranking, ranking % FEW_LEVELS], axis=1)) is by_grade
    assert quickest(np.stack([ranking % FEW_LEVELS, ranking], axis=1)) is by_grade
    assert quickest(np.stack([ranking % (FEW_LEVELS + 1), ranking], axis=1)) is by_merging
    assert quickest(np.stack([ranking, ranking[::-1]], axis=1)) is by_merging
    for number, way in ((FEW_PAIRS, by_pairs), (FEW_PAIRS + 1, by_prefix)):
        ranking = np.arange(number)
        assert quickest(np.stack([ranking, ranking[::-1], ranking % 3], axis=1)) is way


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8, 9, 100])
def test_merging_works_for_every_number_of_rows(size):
    rng = np.random.default_rng(size)
    levels = np.stack([rng.permutation(size), rng.permutation(size)], axis=1)
    weights = rng.integers(1, 10**12, size)
    expected = [int(weights[(levels >= row).all(axis=1)].sum()) for row in levels]
    assert by_merging(levels, weights).tolist() == expected
    assert by_grade(levels, weights).tolist() == expected
