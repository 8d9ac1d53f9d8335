"""Draws that are made where they are counted: the same as if one generator had made them all."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from measurand.statistics import draws
from measurand.statistics.draws import draws_to_make, signs, topic_counts


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox])
@pytest.mark.parametrize("draw", [signs, topic_counts])
def test_draws_made_elsewhere_are_those_of_one_generator_which_goes_on_behind_them(draw, bits, monkeypatch):
    monkeypatch.setattr(draws, "CHUNK", 3)
    ours, theirs = (np.random.Generator(bits(7)) for _ in range(2))
    for generate in (ours, theirs):
        generate.integers(10, dtype=np.uint32)  # half of a random number of 64 bits is left
    sent = pickle.loads(pickle.dumps(list(draws_to_make(draw, 8, 5, ours))))
    made = [each.made() for each in reversed(sent)][::-1]
    assert np.array_equal(np.vstack(made), np.vstack([draw(rows, 5, theirs) for rows in (3, 3, 2)]))
    assert ours.integers(10, size=5, dtype=np.uint32).tolist() == theirs.integers(10, size=5, dtype=np.uint32).tolist()


def test_draws_that_are_made_twice_are_the_same():
    [once] = draws_to_make(signs, 4, 5, np.random.default_rng(1))
    assert np.array_equal(once.made(), once.made())
