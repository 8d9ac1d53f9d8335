from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.errors import ParameterError
from measurand.exact import log_sum
from measurand.information import Signals
from measurand.measures import OIE
from measurand.papers.agms2018.additivity import effectiveness

WEIGHTS = st.fractions(Fraction(1, 4), 2, max_denominator=8)


@given(
    grades=st.lists(st.integers(0, 2), max_size=6),
    missed=st.lists(st.integers(1, 2), max_size=3),
    rest=st.integers(1, 6),
    weights=st.tuples(WEIGHTS, WEIGHTS, WEIGHTS),
)
def test_the_effectiveness_of_a_strict_ranking_is_the_measure(grades, missed, rest, weights):
    size = len(grades) + len(missed) + rest
    measure = OIE(alpha1=weights[0], alpha2=weights[1], beta=weights[2], collection=size)
    every = [*grades, *missed]
    signals = Signals.of({"r": {d: len(grades) - d for d in range(len(grades))}, "g": dict(enumerate(every))}, size)
    found = effectiveness(signals, "g", measure=measure)
    counts = [every.count(grade) for grade in range(3)]
    assert found == measure.of(grades, grade_counts=counts)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=7), st.integers(0, 4))
def test_ties_are_matched_by_all_that_tie(rows, extra):
    every = [*rows, *[(0, 0)] * extra]
    size = len(every)

    def entropy(*columns):
        counts = [sum(all(o[c] >= d[c] for c in columns) for o in every) for d in every]
        return log_sum([(Fraction(size, count), Fraction(1, size)) for count in counts])

    signals = Signals.of({"s": {d: r[0] for d, r in enumerate(rows)}, "g": {d: r[1] for d, r in enumerate(rows)}}, size)
    expected = entropy(0) + entropy(1) - Fraction(6, 5) * entropy(0, 1)
    assert effectiveness(signals, "g") == expected


@pytest.mark.parametrize("names", [("a",), ("a", "b"), ("a", "b", "g")])
def test_other_than_one_signal_and_the_judgments_is_refused(names):
    with pytest.raises(ParameterError, match="give two signals, one of them g"):
        effectiveness(Signals.of({name: {"d": 1} for name in names}), "g")


def test_weights_may_be_spelled_and_other_measures_have_none():
    signals = Signals.of({"a": {"d1": 1}, "g": {"d1": 1}}, 4)
    assert effectiveness(signals, "g", measure="OIE(beta=2)") == effectiveness(signals, "g", measure=OIE(beta=2))
    with pytest.raises(ParameterError, match="AP has no weights of information"):
        effectiveness(signals, "g", measure="AP")
