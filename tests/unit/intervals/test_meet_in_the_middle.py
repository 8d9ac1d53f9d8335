"""Tables of sums in ascending order.

Counting sums of tops and tails.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import NotAvailable
from measurand.intervals import meet_in_the_middle, tables_of_sums
from measurand.intervals.meet_in_the_middle import SHOWN, count_up_to, meet, table_of
from measurand.intervals.tables_of_sums import HIGHEST, Half, Halves, Stream

parts = st.lists(st.lists(st.integers(0, 50), min_size=1, max_size=5).map(sorted), max_size=4)


@settings(deadline=None)
@given(parts)
def test_a_half_holds_every_sum_in_ascending_order(parts):
    assert Half.of(parts).sums.tolist() == sorted(sum(choice) for choice in product(*parts))


@settings(deadline=None)
@given(st.lists(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 9)), min_size=1, max_size=4), max_size=3))
def test_a_counted_half_multiplies_the_counts_of_its_parts(parts):
    arrays = [(np.array([a for a, _ in part]), np.array([n for _, n in part])) for part in parts]
    half = Half.counted(arrays)
    expected = sorted((sum(a for a, _ in choice), int(np.prod([n for _, n in choice]))) for choice in product(*parts))
    assert sorted(zip(half.sums.tolist(), half.counts.tolist(), strict=True)) == expected
    assert half.sums.tolist() == sorted(half.sums.tolist())
    assert half.totals[-1] == sum(n for _, n in expected)


@settings(deadline=None)
@given(st.lists(st.integers(-(2**61), 2**61), min_size=1, max_size=60).map(sorted))
def test_the_index_says_where_the_numbers_of_a_cell_begin(numbers):
    starts, width = Half(np.array(numbers)).index
    cells = [(number - numbers[0]) >> width for number in numbers]
    assert starts.tolist() == [sum(own < cell for own in cells) for cell in range(len(starts))]
    assert cells[-1] == len(starts) - 2


numbers = st.lists(st.integers(0, 60), min_size=1, max_size=12).map(sorted).map(np.array)
pairs = st.builds(Halves, numbers.map(Half), numbers.map(Half), st.integers(0, 9), st.integers(1, 3))
halves = st.lists(pairs, max_size=3)
windows = st.lists(st.tuples(st.integers(-5, 140), st.integers(-1, 6)), min_size=1, max_size=5)


def sums(halves):
    return [
        (pair.shift + a + b, which, a, b)
        for which, pair in enumerate(halves)
        for a, b in product(pair.tops.sums.tolist(), pair.tails.sums.tolist())
    ]


@pytest.fixture(params=["look up", "sweep"])
def way(request, monkeypatch):
    dear = "STEP" if request.param == "look up" else "LOOK_UP"
    monkeypatch.setattr(meet_in_the_middle, dear, 1.0)
    monkeypatch.setattr(meet_in_the_middle, "PIECE", 4)


def check(halves, windows):
    lows = np.array([low for low, _ in windows])
    highs = lows + [length for _, length in windows]
    found = meet(halves, lows, highs)
    every = sums(halves)
    assert found.below == [sum(halves[which].times for total, which, *_ in every if total < low) for low in lows]
    inside = [
        sorted((which, a, b) for total, which, a, b in every if low <= total <= high)
        for low, high in zip(lows, highs, strict=True)
    ]
    assert found.inside.tolist() == [len(pairs) for pairs in inside]
    told = [[tuple(row[1:]) for row in found.pairs.tolist() if row[0] == window] for window in range(len(windows))]
    assert told == inside


def test_the_two_ways_of_counting_find_what_lies_below_and_inside_windows(way):
    @settings(deadline=None, max_examples=20)
    @given(halves, windows)
    def law(halves, windows):
        check(halves, windows)

    law()


@pytest.fixture
def _in_small_parts(monkeypatch):
    monkeypatch.setattr(tables_of_sums, "HELD", 4)
    monkeypatch.setattr(meet_in_the_middle, "PIECE", 4)


@pytest.mark.usefixtures("_in_small_parts")
def test_the_parts_of_a_table_that_is_not_held_are_that_table():
    @settings(deadline=None)
    @given(parts, st.integers(0, 9))
    def law(parts, beyond):
        whole, found = Half.of(parts), []
        for part in Stream.of(parts).parts(beyond):
            assert part.before == len(found)
            below = min(part.ceiling + beyond + 1, HIGHEST)
            wanted = [number for number in whole.sums.tolist()[part.before :] if number <= below]
            assert part.half.sums.tolist() == wanted
            found += [number for number in wanted if number <= part.ceiling]
        assert found == whole.sums.tolist()

    law()


@pytest.mark.usefixtures("_in_small_parts")
def test_a_table_that_is_not_held_counts_as_one_that_is():
    @settings(deadline=None, max_examples=20)
    @given(numbers, parts, windows, st.booleans())
    def law(tops, parts, windows, swapped):
        held, streamed = Half.of(parts), Stream.of(parts)
        small = Half(tops[: max(1, held.size - 1)])
        lows = np.array([low for low, _ in windows])
        highs = lows + [length for _, length in windows]
        one, other = (
            meet([Halves(each, small) if swapped and held.size > small.size else Halves(small, each)], lows, highs)
            for each in (held, streamed)
        )
        assert one.below == other.below
        assert one.inside.tolist() == other.inside.tolist()
        assert one.pairs.tolist() == other.pairs.tolist()

    law()


def test_long_tables_beside_short_ones_are_not_held(monkeypatch):
    monkeypatch.setattr(meet_in_the_middle, "LARGE", 100)
    long = [np.array([0, 3**rank, 2 * 3**rank]) for rank in range(6)]
    assert isinstance(table_of(long, 2), Stream)
    assert isinstance(table_of(long, 3**6), Half)
    assert isinstance(table_of(long[:2], 2), Half)


@settings(deadline=None, max_examples=20)
@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 2**31 - 1)), min_size=1, max_size=9).map(sorted),
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 2**57)), min_size=1, max_size=12).map(sorted),
    st.lists(st.integers(-3, 90), min_size=1, max_size=4),
)
def test_counts_with_multiplicities_are_exact_beyond_64_bits(tops, tails, marks):
    one, other = (Half(*(np.array(column) for column in zip(*half, strict=True))) for half in (tops, tails))
    expected = [sum(n * k for a, n in tops for b, k in tails if a + b <= mark) for mark in marks]
    assert count_up_to([Halves(one, other)], marks) == expected
    assert count_up_to([Halves(other, one)], marks) == expected


def test_multiplicities_that_are_too_large_on_both_sides_are_refused():
    many = Half(np.array([0, 1]), np.array([1, 1 << 31]))
    with pytest.raises(NotAvailable, match="ties='unq'"):
        count_up_to([Halves(many, many)], [1])
    with pytest.raises(NotAvailable, match="ties='unq'"):
        count_up_to([Halves(Half(np.array([0])), Half(np.array([0, 1]), np.array([1 << 61, 1 << 61])))], [1])


def test_windows_that_hold_very_many_sums_tell_only_some(way):
    crowd = Half(np.zeros(3 * SHOWN, dtype=np.int64))
    found = meet([Halves(Half(np.zeros(2, dtype=np.int64)), crowd)], np.array([0]), np.array([0]))
    assert found.inside.tolist() == [6 * SHOWN]
    assert len(found.pairs) == 2 * SHOWN


def test_sums_far_outside_the_windows_are_counted_without_looking():
    pair = Halves(Half.of([[0, 1 << 60]]), Half.of([[0, 1]]))
    assert count_up_to([pair], [-(1 << 61), 1 << 59, (1 << 61)]) == [0, 2, 4]


def test_progress_is_told_of_every_portion():
    seen = []

    def progress(items, total, what):
        seen.append((total, what))
        return items

    found = meet([Halves(Half.of([[0, 1]]), Half.of([[0, 1]]))] * 2, np.arange(3), np.arange(3), progress)
    assert seen == [(2, "counting")]
    assert found.below == [0, 2, 6]
