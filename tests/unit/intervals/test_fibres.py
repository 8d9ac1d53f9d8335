"""Fibres of average precision against every run."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from measurand.errors import NotAvailable
from measurand.intervals.average_precision import Fibres
from measurand.intervals.counted_values import WalkRuler
from measurand.intervals.reachable_values import average_precision_walk
from measurand.judged.universes import every_run


@pytest.mark.parametrize("depth", range(1, 14))
def test_all_fibres_have_as_many_runs_as_there_are(depth):
    runs = every_run(depth, 2)
    keys = average_precision_walk(depth).keys_of(runs).tolist()
    crowds = Counter(keys)
    assert Fibres.of(depth).counts(runs).tolist() == [crowds[key] for key in keys]


@pytest.mark.parametrize("cut", [2, 5, 9])
def test_fibres_do_not_depend_on_the_cut(cut):
    runs = every_run(10, 2)
    assert Fibres.of(10, cut).counts(runs).tolist() == Fibres.of(10).counts(runs).tolist()


def test_deep_fibres_are_those_that_searching_finds(monkeypatch):
    monkeypatch.setenv("MEASURAND_CACHE", "")
    runs = np.random.default_rng(0).integers(0, 2, (60, 30), dtype=np.int8)
    shares = WalkRuler.of(average_precision_walk(30), "AP-30").shares(runs)
    assert Fibres.of(30).counts(runs).tolist() == [same for _, same in shares]


def test_a_run_and_another_of_its_value_have_the_same_fibre_beyond_64_bits():
    # 0101 and 1000 tie at depth 4, and so does whatever follows as long as it has the same count: nothing
    runs = np.zeros((2, 50), dtype=np.int8)
    runs[0, [1, 3]] = 1
    runs[1, 0] = 1
    assert len(set(Fibres.of(50).counts(runs).tolist())) == 1
    assert Fibres.of(50).counts(runs)[0] >= 2


def test_fibres_beyond_depth_57_are_refused():
    with pytest.raises(NotAvailable, match="58 ranks"):
        Fibres.of(58)
