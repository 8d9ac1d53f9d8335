"""Conventions of published tables: average precision in doubles, and Tukey's range with infinite degrees of freedom."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import measurand as md
from measurand.errors import ParameterError
from measurand.judged import JudgedRuns
from measurand.papers.fff2021.as_published import average_precision_in_doubles
from measurand.scales.raw_and_interval import raw_and_interval
from measurand.scores import Scores
from measurand.statistics import one_way_anova, studentized_range_quantile, two_way_anova

DEPTH = 8


def added(run) -> float:
    """The precisions at relevant ranks, added as a plain loop adds them."""
    total, seen = 0.0, 0
    for rank, relevant in enumerate(run, start=1):
        if relevant:
            seen += 1
            total += seen / rank
    return total


EVERY = np.array([added(run) for run in product((0, 1), repeat=DEPTH)])


@settings(max_examples=10, deadline=None)
@given(cells=arrays(np.int8, (3, 2, DEPTH), elements=st.integers(0, 1)), bases=st.tuples(*[st.integers(8, 40)] * 2))
def test_average_precision_in_doubles_is_a_sum_its_rank_and_a_quotient(cells, bases):
    judged = JudgedRuns(
        systems=tuple("abc"),
        topics=tuple("12"),
        cells=cells,
        lengths=np.full((3, 2), DEPTH),
        grade_counts=np.array([[50, base] for base in bases]),
    )
    found = average_precision_in_doubles(md.parse(f"AP@{DEPTH}"), judged)
    different, middle = np.unique(EVERY), np.sort(EVERY)
    for system, topic in product(range(3), range(2)):
        total = added(cells[system, topic])
        assert found.raw.values[system, topic] == total / bases[topic]
        assert found.ranked.values[system, topic] == np.searchsorted(different, total) + 1
        assert found.mid.values[system, topic] == np.mean(np.flatnonzero(middle == total) + 1)


def test_doubles_break_a_tie_that_exact_values_keep():
    judged = JudgedRuns.on_one_topic([(0, 0, 1, 1, 1, 1), (1, 0, 0, 1, 1, 0)], (6, 6))
    measure = md.parse("AP@6")
    exact, doubles = raw_and_interval(measure, judged), average_precision_in_doubles(measure, judged)
    assert exact.ranked.values[0, 0] == exact.ranked.values[1, 0]
    assert doubles.ranked.values[0, 0] == doubles.ranked.values[1, 0] - 1
    assert exact.raw.exact is not None
    assert doubles.raw.exact is None


def test_another_measure_has_no_counted_doubles():
    with pytest.raises(ParameterError, match="average precision with a cutoff"):
        average_precision_in_doubles(md.parse("P@3"), JudgedRuns.on_one_topic([(0, 1, 1)], (3, 3)))


@pytest.mark.parametrize("anova", [one_way_anova, two_way_anova])
def test_infinite_degrees_of_freedom_are_those_of_the_range_of_normal_variables(anova):
    from scipy.stats import studentized_range

    values = np.random.default_rng(3).random((4, 6)) + np.arange(4)[:, None] / 4
    scores = Scores(measure="M", values=values, systems=tuple("abcd"), topics=tuple("123456"), scale="interval")
    plain, infinite = anova(scores), anova(scores, infinite_df=True)
    assert infinite.statistic.tolist() == plain.statistic.tolist()
    assert infinite.details["df"] == plain.details["df"]
    for a, b in zip(*np.triu_indices(4, 1), strict=True):
        q = abs(infinite.statistic[a, b])
        assert infinite.pvalues[a, b] == pytest.approx(studentized_range.sf(q, 4, np.inf), abs=1e-8)
        assert infinite.pvalues[a, b] < plain.pvalues[a, b] or plain.pvalues[a, b] > 0.5


def test_printed_counts_of_one_way_anova_need_the_quantile_of_infinite_degrees_of_freedom():
    """With 129 systems on 50 topics the counts of the paper leave the quantile between 6.23858 and 6.23875."""
    infinite, finite = (studentized_range_quantile(0.95, 129, df) for df in (np.inf, 129 * 49))
    assert 6.23858 < infinite <= 6.23875
    assert [f"{quantile:.5f}" for quantile in (infinite, finite)] == ["6.23861", "6.24253"]
