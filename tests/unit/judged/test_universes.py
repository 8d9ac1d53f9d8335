"""All runs of a length, and the different ones of some."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from measurand.execution import generator
from measurand.judged import distinct_runs, every_run
from measurand.judged.universes import PossibleRuns


def test_every_run_stands_once_in_the_order_of_the_dictionary():
    runs = [tuple(run) for run in every_run(3, 3).tolist()]
    assert len(set(runs)) == len(runs) == 27
    assert runs == sorted(runs)


@pytest.mark.parametrize("lowest", [1, 2, 3])
@pytest.mark.parametrize("recall_base", [0, 1, 3, None])
def test_runs_with_few_relevant_documents_are_counted_and_written_down_as_a_look_at_all_finds_them(recall_base, lowest):
    runs = PossibleRuns(4, 3, recall_base, lowest)
    most = 4 if recall_base is None else recall_base
    every = [run for run in product(range(3), repeat=4) if sum(grade >= lowest for grade in run) <= most]
    assert sorted(map(tuple, runs.every().tolist())) == every
    assert runs.total == len(every)
    assert runs.include(runs.every()).all()


@pytest.mark.parametrize("lowest", [1, 2])
def test_every_run_of_a_recall_base_is_drawn_about_equally_often(lowest):
    runs = PossibleRuns(4, 3, 2, lowest)
    _, often = np.unique(runs.drawn(1000 * runs.total, generator(0)), axis=0, return_counts=True)
    assert len(often) == runs.total
    assert abs(often - 1000).max() < 5 * 1000**0.5


@given(arrays.arrays(np.int8, st.tuples(st.integers(0, 30), st.integers(1, 5)), elements=st.integers(0, 127)))
def test_the_different_runs_are_those_that_sorting_finds(runs):
    different, which = distinct_runs(runs)
    assert [tuple(run) for run in different.tolist()] == sorted(set(map(tuple, runs.tolist())))
    assert np.array_equal(different[which], runs)
