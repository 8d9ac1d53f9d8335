"""Runs read off an interval scale: the same as asking the scale for each."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import inf

import pytest

from measurand.errors import NotAvailable, ParameterError
from measurand.measures import parse
from measurand.scales import interval, readings


@pytest.mark.parametrize(("spelling", "grades"), [("Q@4", 2), ("RR@4", 2), ("DCG(b=2)@4", 2), ("Q@3", 3)])
def test_every_run_has_the_rank_of_its_value_among_all_values(spelling, grades):
    measure = parse(spelling)
    runs = list(product(range(grades), repeat=measure.cutoff))
    read = readings(interval(spelling, grades=grades), runs)
    values = sorted({one.value for one in read.runs})
    assert (read.size, read.total, read.depth) == (len(values), grades**measure.cutoff, measure.cutoff)
    for one in read.runs:
        assert one.rank == values.index(one.value) + 1
        assert one.position.low == Fraction(one.rank - 1, len(values) - 1)


@pytest.mark.parametrize("ties", ["mid", "min", "max"])
def test_places_among_all_runs(ties):
    runs = list(product(range(2), repeat=4))
    read = readings(interval("RR@4", ties=ties), runs)
    values = [one.value for one in read.runs]
    for one in read.runs:
        low, high = sum(value < one.value for value in values) + 1, sum(value <= one.value for value in values)
        assert one.rank == {"min": low, "max": high, "mid": Fraction(low + high, 2)}[ties]
        assert isinstance(one.rank, int) == (one.rank == int(one.rank))
    assert read.size == 5


def test_runs_are_as_long_as_the_longest():
    read = readings(interval("RR"), [(0, 1), (0, 0, 1, 0, 0)])
    assert (read.depth, read.size) == (5, 6)
    assert read.scale == interval("RR", depth=5)
    assert [one.run for one in read.runs] == [(0, 1), (0, 0, 1, 0, 0)]


def test_a_run_is_cut_where_the_scale_ends():
    assert readings(interval("RR@2"), [(0, 0, 1)]).runs[0].value == 0


def test_a_value_stands_on_the_topic_of_the_scale():
    one = readings(interval("Q@3", grades=3), [(1, 0, 0)]).runs[0]
    assert one.value == parse("Q").of((1, 0, 0), grade_counts=(3, 0, 3))
    assert readings(interval("AP@3")).recall_base == 3
    assert readings(interval("P@3")).recall_base is None


def test_spacing_is_told_of_a_scale_without_runs():
    assert readings(interval("P@3")).spacing
    assert not readings(interval("RR@3")).spacing
    assert readings(interval("RR@3"), [(0, 1, 0)]).spacing is None
    assert readings(interval("DCG(b=2)@30")).spacing.witness is not None
    # no grade is relevant, so there is no telling
    assert readings(interval("P(rel=2)@3")).spacing is None


def test_runs_without_end():
    read = readings(interval("RBP(p=0.5)", depth="inf"), [(1, 0, 1)])
    assert (read.depth, read.size, read.total) == (inf, None, None)
    assert read.runs[0].position.low <= Fraction(5, 8) <= read.runs[0].position.high


def test_what_is_not_known_is_refused():
    with pytest.raises(NotAvailable):
        readings(interval("Q@30"))
    with pytest.raises(ParameterError, match="how deep are runs"):
        readings(interval("Q"))
    with pytest.raises(ParameterError, match="grade 2 does not fit"):
        readings(interval("Q@3"), [(2, 0, 0)])
