"""What is packed for the script says what the study says."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.report.page.packed_numbers import kept_apart


@pytest.mark.parametrize("seed", range(5))
def test_shorter_scores_are_in_the_same_order_on_every_topic(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 5, size=(40, 6)) + rng.integers(0, 4, size=(40, 6)) * 1e-13
    values[rng.random(values.shape) < 0.1] = np.nan
    short = kept_apart(values)
    for now, before in zip(short.T, values.T, strict=True):
        assert ((now[:, None] > now) == (before[:, None] > before)).all()
        assert ((now[:, None] == now) == (before[:, None] == before)).all()
    assert np.nanmax(np.abs(short - values)) < 1e-5
    assert short.dtype == np.float32
