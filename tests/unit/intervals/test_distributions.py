"""How values are spread over all runs, against brute force and the figures of the paper.

Shares of runs from a sample: close to the exact ones, and never called ranks.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from math import comb

import numpy as np
import pytest

from measurand.errors import NotAvailable, ParameterError
from measurand.intervals import distribution, image
from measurand.intervals.sample_runs import SampleRuns
from measurand.intervals.universe import Universe
from measurand.measures import parse
from measurand.scales import interval, run_shares, share_between, value_curve


def half(spelling, depth):
    """Return the ends of the central half of the range of a measure on binary runs."""
    top = parse(spelling).of((1,) * depth)
    return top * Fraction(1, 4), top * Fraction(3, 4)


def central(spelling, depth) -> Fraction:
    """Return the share of runs in the central half of the range, which must be exact."""
    low, high = share_between(spelling, depth, *half(spelling, depth))
    assert low == high
    return low


# Brute force.


@pytest.mark.parametrize(
    ("spelling", "depth", "grades"),
    [
        ("P", 4, 2),
        ("AP", 5, 2),
        ("RR", 5, 2),
        ("DCG(b=2)", 5, 2),
        ("nDCG(b=2)", 4, 2),
        ("RBP(p=0.8)", 5, 2),
        ("ERR", 3, 3),
        ("gP", 4, 3),
        ("DCG(b=2)", 3, 4),
        ("Q", 5, 2),
        ("P(rel=2)", 4, 3),
    ],
)
def test_few_runs_are_counted_one_by_one(spelling, depth, grades):
    measure = parse(spelling)
    levels = measure.levels_of_relevance(grades)
    counts = (depth, *[0] * (levels[-1] - 1), depth)
    shared = Counter(measure.of(run, grade_counts=counts) for run in product(levels, repeat=depth))
    found = distribution(spelling, depth, grades)
    assert found.complete
    assert found.total == len(levels) ** depth
    assert len(found) == len(shared)
    for place, (value, below, at_most) in enumerate(zip(found.values, found.below, found.at_most, strict=True)):
        assert below == sum(n for other, n in shared.items() if other < value)
        assert at_most - below == shared[value]
        assert measure.of(found.runs[place].tolist(), grade_counts=counts) == value


@pytest.mark.parametrize("spelling", ["P", "RR", "DCG(b=2)", "RBP(p=0.8)", "RBP(p=0.3)", "AP", "ERR"])
def test_many_runs_are_counted_as_if_one_by_one(spelling):
    depth = 15
    found = distribution(spelling, depth)
    chosen = SampleRuns(Universe(parse(spelling), depth, 2))
    every = np.sort(chosen.rough(chosen.every()))
    values = np.array([float(value) for value in found.values])
    assert found.total == len(every) == 2**depth
    assert np.searchsorted(every, values - 1e-10).tolist() == list(found.below)
    assert np.searchsorted(every, values + 1e-10).tolist() == list(found.at_most)
    assert len(found) > 10
    assert (values[0], values[-1]) == pytest.approx((every[0], every[-1]))


@pytest.mark.parametrize("spelling", ["DCG(b=2)", "RBP(p=0.8)", "RBP(p=0.3)", "P", "RR"])
def test_a_share_of_many_runs_is_that_of_all_of_them(spelling):
    depth = 15
    chosen = SampleRuns(Universe(parse(spelling), depth, 2))
    every = chosen.rough(chosen.every())
    ends = half(spelling, depth)
    low, high = (float(end) for end in ends)
    counted = int(((every >= low - 1e-12) & (every <= high + 1e-12)).sum())
    assert share_between(spelling, depth, *ends) == (Fraction(counted, 2**depth),) * 2


def test_both_ends_belong_to_a_range():
    assert share_between("P", 20, Fraction(1, 2), Fraction(1, 2)) == (Fraction(comb(20, 10), 2**20),) * 2
    assert share_between("P", 20, 0, 1) == (1, 1)
    assert share_between("P", 20, Fraction(11, 40), Fraction(12, 41)) == (0, 0)
    assert share_between("P", 20, 2, 3) == (0, 0)
    assert share_between("P", 20, -2, -1) == (0, 0)


def test_bounds_hold_the_share_where_it_is_not_exact():
    low, high = share_between("Q", 16, Fraction(1, 5), Fraction(1, 2))
    measure = parse("Q")
    chosen = SampleRuns(Universe(measure, 16, 2))
    every = chosen.rough(chosen.every())
    counted = Fraction(int(((every >= 0.2 - 1e-12) & (every <= 0.5 + 1e-12)).sum()), 2**16)
    assert low <= counted <= high
    assert high - low < Fraction(1, 1000)


def test_the_curve_ends_where_all_runs_are():
    for spelling in ("P", "RR", "DCG(b=2)"):
        for depth in (1, 6, 30):
            curve = value_curve(spelling, depth)
            assert curve[-1][1] == 1
            assert all(one[0] < other[0] and one[1] < other[1] for one, other in pairwise(curve))


def test_a_curve_of_graded_runs():
    shares = [share for _, share in value_curve("gP", 2, 3)]
    assert shares == [Fraction(n, 9) for n in (1, 3, 6, 8, 9)]


def test_few_values_on_many_runs_are_all_found():
    found = distribution("gP", 40, 4)
    assert found.complete
    assert len(found) == 121
    assert not distribution("DCG(b=2)", 20).complete


def test_a_function_is_spread_like_any_measure():
    found = distribution(sum, 10)
    assert [at - below for below, at in zip(found.below, found.at_most, strict=True)] == [
        comb(10, k) for k in range(11)
    ]


def test_what_cannot_be_counted_is_refused():
    with pytest.raises(NotAvailable):
        distribution("Q", 30)
    with pytest.raises(ParameterError):
        distribution("P", 0)


def test_runs_are_chosen_alike_every_time():
    one, other = (SampleRuns(Universe(parse("DCG(b=2)"), 40, 3)).across() for _ in range(2))
    assert one.tolist() == other.tolist()
    assert len(one) > 200


def test_runs_without_end_are_looked_at_as_far_as_it_matters():
    chosen = SampleRuns(Universe(parse("RBP(p=0.8)"), float("inf"), 2))
    assert 0.8**chosen.depth < 1e-3 < 0.8 ** (chosen.depth - 1)


# Figures 6 to 8 of the paper.


@pytest.mark.spec("FFF-Fig6", "E35")
def test_figure_6_the_runs_of_each_precision():
    shares = [Fraction(0), *(share for _, share in value_curve("P", 5))]
    steps = [float(100 * (high - low)) for low, high in pairwise(shares)]
    assert steps == [3.125, 15.625, 31.25, 31.25, 15.625, 3.125]


@pytest.mark.spec("FFF-Fig6", "E35")
@pytest.mark.parametrize(("depth", "low"), [(5, 1), (10, 6), (20, 16), (30, 26)])
def test_figure_6_reciprocal_rank_is_crowded_below_and_sparse_above(depth, low):
    found = distribution("RR", depth)
    assert found.complete
    assert sum(value >= Fraction(1, 5) for value in found.values) == 5
    assert sum(value < Fraction(1, 5) for value in found.values) == low
    # the first relevant document is among the first four ranks
    assert found.share_between(Fraction(1, 4), 1) == (Fraction(15, 16),) * 2


@pytest.mark.spec("FFF-Fig6")
@pytest.mark.parametrize("depth", [5, 10, 20, 30])
def test_figure_6_rank_biased_precision_with_one_half_is_a_straight_line(depth):
    for value, share in value_curve("RBP(p=0.5)", depth):
        assert share == value + Fraction(1, 2**depth)


@pytest.mark.spec("FFF-Fig7")
def test_figure_7_how_high_rank_biased_precision_reaches():
    highest = [distribution("RBP(p=0.8)", depth).values[-1] for depth in (5, 10, 20, 30)]
    assert highest == [1 - Fraction(4, 5) ** depth for depth in (5, 10, 20, 30)]
    assert [f"{float(value):.4f}" for value in highest] == ["0.6723", "0.8926", "0.9885", "0.9988"]


@pytest.mark.spec("FFF-Fig7")
@pytest.mark.parametrize(("p", "share"), [("0.3", "25.0"), ("0.5", "50.0"), ("0.8", "85.5")])
def test_figure_7_the_share_of_runs_in_the_central_half_of_the_range(p, share):
    assert f"{float(100 * central(f'RBP(p={p})', 20)):.1f}" == share


@pytest.mark.spec("FFF-Fig8")
@pytest.mark.parametrize(("b", "depth", "share"), [(2, 5, "75.0"), (2, 10, "84.2"), (2, 20, "95.0"), (10, 20, "97.4")])
def test_figure_8_the_share_of_runs_in_the_central_half_of_the_range(b, depth, share):
    assert f"{float(100 * central(f'DCG(b={b})', depth)):.1f}" == share


@pytest.mark.spec("FFF-Fig8")
@pytest.mark.parametrize(("b", "share"), [(2, "98.4"), (10, "99.4")])
def test_figure_8_at_thirty_ranks_more_runs_are_in_the_central_half_than_the_checklist_says(b, share):
    # the checklist says about 96.4 and 98.3, which are the shares from 28 % to 72 % of the range
    exact = central(f"DCG(b={b})", 30)
    assert f"{float(100 * exact):.1f}" == share
    runs = np.random.default_rng(4).integers(0, 2, (100_000, 30))
    values = runs @ np.array([float(parse(f"DCG(b={b})").weight(rank)) for rank in range(1, 31)])
    low, high = (float(end) for end in half(f"DCG(b={b})", 30))
    assert ((values >= low) & (values <= high)).mean() == pytest.approx(float(exact), abs=0.002)


@pytest.mark.spec("FFF-Fig8-ties", "E36")
@pytest.mark.parametrize("depth", range(2, 12))
def test_figure_8_a_quarter_of_the_runs_of_dcg_tie_in_pairs(depth):
    assert image("DCG(b=2)", depth).ties == {1: 2 ** (depth - 1), 2: 2 ** (depth - 2)}


@pytest.mark.spec("FFF-Fig8-ties", "E36")
@pytest.mark.parametrize("depth", range(4, 11))
def test_figure_8_tied_runs_of_dcg_are_more_numerous_in_the_middle_of_the_range(depth):
    found = image("DCG(b=2)", depth)
    tied = [float(value) for value, size in zip(found, found.sizes.tolist(), strict=True) if size > 1]
    middle = sum(1 / 4 <= value / float(found.highest) <= 3 / 4 for value in tied)
    assert middle > len(tied) / 2
    assert len(tied) == 2 * (image("DCG(b=2)", depth - 1).size - 2 ** (depth - 2))


@pytest.mark.spec("FFF-Fig8-ties", "E36")
@pytest.mark.parametrize("depth", [20, 30, 40, 63])
def test_figure_8_three_quarters_of_the_values_of_dcg_are_different(depth):
    assert Fraction(interval(f"DCG(b=2)@{depth}").size, 2**depth) == Fraction(3, 4)


@pytest.mark.spec("FFF-Fig8-ties", "E36")
def test_figure_8_the_runs_of_dcg_with_base_ten_tie_like_subsets_of_ten():
    whole, part = distribution("DCG(b=10)", 12), distribution("DCG(b=10)", 30)
    sizes, some = (
        Counter(at - below for below, at in zip(found.below, found.at_most, strict=True)) for found in (whole, part)
    )
    subsets = Counter(comb(10, k) for k in range(11))
    assert sizes == Counter({size: 4 * n for size, n in subsets.items()})
    assert set(some) == set(subsets)


@pytest.mark.parametrize("spelling", ["AP", "Q", "RR", "DCG(b=2)", "AP(rel=2)"])
def test_the_exact_shares_lie_within_the_band(spelling):
    drawn = run_shares(spelling, 10, runs=5000, rng=1)
    exact = image("AP" if "rel" in spelling else spelling, 10)
    below = 0
    for value, size in zip(exact, exact.sizes.tolist(), strict=True):
        below += size
        _, low, high = drawn.at_most(float(value) + 1e-9)
        assert low <= below / exact.total <= high


def test_more_runs_make_a_narrower_band():
    assert run_shares("Q", 60, runs=4000).margin == pytest.approx(run_shares("Q", 60, runs=1000).margin / 2)


def test_the_same_seed_draws_the_same_runs_and_functions_are_welcome():
    one, again = (run_shares(lambda run: sum(run), 40, 3, runs=200, rng=5) for _ in range(2))
    assert one.values.tolist() == again.values.tolist()
    assert one.at_most(80) == (1.0, pytest.approx(1 - one.margin), 1.0)


@pytest.mark.parametrize("wrong", [{"depth": 0}, {"depth": 5, "runs": 0}, {"depth": 5, "grades": 1}])
def test_what_cannot_be_drawn_is_refused(wrong):
    with pytest.raises(ParameterError):
        run_shares("AP", **wrong)
