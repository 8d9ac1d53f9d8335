"""Sums of average precision in doubles, counted, against going through all runs one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from measurand.errors import NotAvailable, ParameterError
from measurand.papers.fff2021.as_published import count_sums


def added(run) -> float:
    """The precisions at relevant ranks, added as a plain loop adds them."""
    total, seen = 0.0, 0
    for rank, relevant in enumerate(run, start=1):
        if relevant:
            seen += 1
            total += seen / rank
    return total


@pytest.mark.parametrize(("depth", "block"), [(1, 1), (5, 4), (6, 1 << 20), (10, 50), (16, 5000), (17, 1 << 25)])
def test_counted_sums_are_those_of_all_runs_one_by_one(depth, block):
    every = np.array([added(run) for run in product((0, 1), repeat=depth)])
    different, places, runs = np.unique(every, return_inverse=True, return_counts=True)
    found = count_sums(depth, every, block=block)
    assert found.size == len(different)
    assert found.sums.tolist() == different.tolist()
    assert found.ranks.tolist() == list(range(1, len(different) + 1))
    assert found.tied.tolist() == runs.tolist()
    assert found.below.tolist() == (np.cumsum(runs) - runs).tolist()
    middle = [float(np.mean(np.flatnonzero(np.sort(every) == value) + 1)) for value in different[:50]]
    assert found.mid[:50].tolist() == middle
    assert len(set(places.tolist())) == found.size


def test_sums_in_doubles_are_more_than_the_values():
    values = {6: 54, 10: 810, 20: 644_203}
    doubles = {depth: count_sums(depth).size for depth in values}
    assert doubles == {6: 56, 10: 866, 20: 736_541}


def test_what_no_run_comes_to_is_refused():
    with pytest.raises(ParameterError, match="no run of 4 ranks"):
        count_sums(4, np.array([0.1]))


def test_more_than_thirty_ranks_are_refused():
    with pytest.raises(NotAvailable, match="30 ranks at most"):
        count_sums(31)


def test_blocks_are_told_to_whoever_waits():
    told = []

    def progress(items, total, what):
        told.append((total, what))
        return items

    count_sums(12, progress=progress, block=500)
    [(blocks, what)] = told
    assert blocks >= 8
    assert what == "different doubles of average precision"
