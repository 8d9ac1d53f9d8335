"""Two stretches of a walk make every value, wherever it is cut."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.intervals.reachable_values import Crowds, Stretches, average_precision_walk
from measurand.judged.universes import every_run


@pytest.mark.parametrize("cut", range(9))
def test_sums_of_two_stretches_are_the_values_wherever_the_cut(cut):
    walk = average_precision_walk(8)
    two = Stretches.of(walk, 1 << 30, cut)
    sums = {a + b for pair in zip(two.before, two.after, strict=True) for a in pair[0] for b in pair[1]}
    assert sums == set(walk.keys_of(every_run(8, 2)).tolist())
    assert two.highest == walk.highest
    assert two.cut == cut


@pytest.mark.parametrize("cut", [0, 3, 9])
def test_crowds_count_the_runs_up_to_a_key_wherever_the_cut(cut):
    walk = average_precision_walk(9)
    keys = np.sort(walk.keys_of(every_run(9, 2)))
    asked = np.unique(np.concatenate([keys, keys - 1, keys + 1]))
    assert Crowds.of(walk, cut).up_to(asked).tolist() == np.searchsorted(keys, asked, side="right").tolist()


def test_tables_that_need_too_much_memory_are_none():
    assert Stretches.of(average_precision_walk(40), 1 << 20) is None
