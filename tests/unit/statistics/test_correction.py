"""Corrections of p-values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from measurand.errors import ParameterError
from measurand.statistics.multiple_comparisons import CORRECTIONS, corrected

some = st.integers(0, 12).flatmap(lambda n: arrays(np.float64, n, elements=st.floats(0, 1)))


@given(pvalues=some)
def test_benjamini_and_hochbergs_is_scipys(pvalues):
    from scipy.stats import false_discovery_control

    expected = false_discovery_control(pvalues) if len(pvalues) else pvalues
    assert corrected(pvalues, "bh") == pytest.approx(expected)


@given(pvalues=some, alpha=st.floats(0.001, 0.999))
def test_holms_rejects_step_by_step(pvalues, alpha):
    rejected = np.zeros(len(pvalues), dtype=bool)
    for step, place in enumerate(np.argsort(pvalues, kind="stable")):
        if pvalues[place] * (len(pvalues) - step) > alpha:
            break
        rejected[place] = True
    assert (corrected(pvalues, "holm") <= alpha).tolist() == rejected.tolist()


@given(pvalues=some)
def test_corrections_grow_more_careful_from_none_to_bonferroni_and_keep_the_order(pvalues):
    none, bh, holm, bonferroni = (corrected(pvalues, how) for how in ("none", "bh", "holm", "bonferroni"))
    assert none.tolist() == pvalues.tolist()
    assert (none <= bh + 1e-15).all()
    assert (bh <= holm + 1e-15).all()
    assert (holm <= bonferroni).all()
    assert (bonferroni <= 1).all()
    order = np.argsort(pvalues, kind="stable")
    assert all((np.diff(found[order]) >= 0).all() for found in (bh, holm, bonferroni))


def test_an_unknown_correction_is_refused():
    with pytest.raises(ParameterError, match=f"there is {', '.join(CORRECTIONS)}"):
        corrected(np.array([0.1]), "tukey")
