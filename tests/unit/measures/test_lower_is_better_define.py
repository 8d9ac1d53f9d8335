"""Functions of which lower values are better."""

from __future__ import annotations

import pytest

from measurand.errors import ParameterError
from measurand.intervals.interval_scale import interval
from measurand.judged import JudgedRuns
from measurand.measures import as_measure, define
from measurand.measures.geometric_mean import GeometricMean


def wasted(run):
    return next((rank for rank, grade in enumerate(run) if grade), len(run))


WASTED = define(wasted, name="Wasted", lower_is_better=True)
RUNS = JudgedRuns.on_one_topic([(0, 0, 1), (1, 0, 0)], (4, 2))


@pytest.mark.parametrize("measure", [WASTED, WASTED @ 2, GeometricMean(measure=WASTED), interval(WASTED @ 3)])
def test_the_declaration_goes_into_the_scores_and_the_facts(measure):
    assert measure.lower_is_better
    assert measure.scores(RUNS).lower_is_better
    assert measure.facts()["better"] == "lower values"


def test_higher_is_better_where_nothing_is_declared():
    assert not define(wasted, name="Wasted").scores(RUNS).lower_is_better
    assert not define(wasted, name="Wasted", lower_is_better=False).lower_is_better
    assert as_measure(wasted).facts()["better"] == "higher values, as nothing else is declared"


@pytest.mark.parametrize("word", ["yes", 1, None, "lower"])
def test_the_declaration_is_a_truth(word):
    with pytest.raises(ParameterError, match="lower_is_better must be True or False"):
        define(wasted, name="Wasted", lower_is_better=word)
