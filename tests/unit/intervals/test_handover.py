from fractions import Fraction

import numpy as np
import pytest

from measurand.errors import NotAvailable
from measurand.exact import inverse_log
from measurand.intervals.certified_sums import affordable, planned, smoothed, tilts
from measurand.intervals.independent_blocks import Blocks
from measurand.intervals.knapsack import counted
from measurand.intervals.ruler import Budget
from measurand.intervals.tilting import fixed_choices


@pytest.fixture(scope="module")
def choices():
    weights = [Fraction(1), Fraction(1), *(inverse_log(rank, 2) for rank in range(3, 101))]
    return fixed_choices([block.fixed(1 << 50) for block in Blocks.of(weights, [0, 1]).blocks], 1 << 50)


def values(choices):
    return np.linspace(0.5, choices.tilted(0.0).mean, 200)


def test_every_value_is_counted_or_smoothed_and_some_are_both(choices):
    plan = planned(choices, values(choices), 1 << 30)
    covered = np.zeros(200, dtype=int)
    covered[: plan.grid] += 1
    for node in plan.nodes:
        covered[node.first : node.last] += 1
        assert abs(values(choices)[node.first] - node.tilt.mean) < node.tilt.deviation
        assert abs(values(choices)[node.last - 1] - node.tilt.mean) < node.tilt.deviation
    assert covered.min() == 1
    assert covered.max() == 2


def test_counting_and_smoothing_agree_where_they_meet(choices):
    around = np.linspace(2.4, 3.2, 50)
    low, high = counted(choices, around, 1 << 18)
    for node in tilts(choices, around):
        part, (least, most) = smoothed(node, around)
        assert np.all(np.maximum(low[part], least) <= np.minimum(high[part], most))
        assert np.all(most - least < 2e-3)
    assert np.all(high - low < 2e-3)


def test_a_small_depth_is_left_to_the_grid():
    weights = [Fraction(1), Fraction(1), *(inverse_log(rank, 2) for rank in range(3, 21))]
    few = fixed_choices([block.fixed(1 << 50) for block in Blocks.of(weights, [0, 1]).blocks], 1 << 50)
    plan = planned(few, values(few), 1 << 30)
    assert (plan.grid, plan.nodes) == (200, ())


def test_a_plan_is_made_coarser_until_it_fits(choices):
    plan = planned(choices, values(choices), 1 << 30)
    (coarser,) = affordable([plan], Budget(seconds=plan.seconds / 3), 200)
    assert coarser.seconds <= plan.seconds / 3
    assert coarser.cells < plan.cells
    assert affordable([plan], Budget(seconds=2 * plan.seconds), 200) == [plan]


def test_what_cannot_fit_is_refused_with_what_would_help(choices):
    plan = planned(choices, values(choices), 1 << 30)
    with pytest.raises(NotAvailable, match=r"200 values take about \d+ seconds at the least.*say max_seconds=\d+"):
        affordable([plan], Budget(seconds=1e-4), 200)


def test_little_memory_makes_a_coarse_grid(choices):
    assert planned(choices, values(choices), 1 << 22).cells <= (1 << 22) // 32
