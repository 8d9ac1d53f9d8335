"""Being at least as good as one of some runs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from measurand.errors import ParameterError
from measurand.measures.at_least_as_good import AtLeastAsGood


def test_runs_to_compare_with_hold_grades_that_judged_runs_can_hold():
    with pytest.raises(ParameterError, match="up to 2,147,483,647, not 4294967296"):
        AtLeastAsGood(runs=[(2**32,)])
    assert AtLeastAsGood(runs=[(1,)]).of((200,)) == 1


def test_over_the_recall_base_only_relevant_documents_count():
    assert AtLeastAsGood(runs=[(0, 2)], over=2).of((0, 1, 2), recall_base=3) == 0
    assert AtLeastAsGood(runs=[(0, 0, 2)], over=2).of((0, 1, 2), recall_base=3) == Fraction(1, 3)
