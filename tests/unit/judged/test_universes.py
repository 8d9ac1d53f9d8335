"""All runs of a length, and the different ones of some."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from measurand.judged import distinct_runs, every_run


def test_every_run_stands_once_in_the_order_of_the_dictionary():
    runs = [tuple(run) for run in every_run(3, 3).tolist()]
    assert len(set(runs)) == len(runs) == 27
    assert runs == sorted(runs)


@given(arrays.arrays(np.int8, st.tuples(st.integers(0, 30), st.integers(1, 5)), elements=st.integers(0, 127)))
def test_the_different_runs_are_those_that_sorting_finds(runs):
    different, which = distinct_runs(runs)
    assert [tuple(run) for run in different.tolist()] == sorted(set(map(tuple, runs.tolist())))
    assert np.array_equal(different[which], runs)
