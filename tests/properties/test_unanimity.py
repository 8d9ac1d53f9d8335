"""Laws of metric unanimity, against the definition by brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import isclose, log2

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from measurand.information.unanimity import Unanimity, unanimity

HALF = Fraction(1, 2)


@st.composite
def campaigns(draw, most: int = 4):
    """Return the scores of some measures: measures × systems × topics."""
    measures, systems, topics = draw(st.integers(1, most)), draw(st.integers(2, 6)), draw(st.integers(1, 3))
    row = st.lists(st.integers(0, 3), min_size=topics, max_size=topics)
    one = st.lists(row, min_size=systems, max_size=systems)
    return draw(st.lists(one, min_size=measures, max_size=measures))


def agreement(campaign) -> Unanimity:
    """Return the unanimity of measures that are called by their number."""
    return unanimity({str(number): measure for number, measure in enumerate(campaign)})


def preferred(one: int, other: int) -> Fraction:
    """Return 1 if the first is preferred, 0 if the second is, and one half for a tie."""
    return HALF * ((one > other) - (one < other) + 1)


def probabilities(campaign, m: int, *, self_pairs: bool = False) -> tuple[Fraction, Fraction, Fraction]:
    """Return how probable it is that a measure prefers the first of a pair, that none objects, and both."""
    topics = range(len(campaign[0][0]))
    systems = range(len(campaign[0]))
    pairs = [(i, j, t) for t in topics for i, j in product(systems, repeat=2) if self_pairs or i != j]
    prefers = [preferred(campaign[m][i][t], campaign[m][j][t]) for i, j, t in pairs]
    agree = [all(measure[i][t] >= measure[j][t] for measure in campaign) for i, j, t in pairs]
    both = sum((p for p, a in zip(prefers, agree, strict=True) if a), Fraction(0))
    return sum(prefers, Fraction(0)) / len(pairs), Fraction(sum(agree), len(pairs)), both / len(pairs)


@given(campaigns())
def test_unanimity_is_the_information_that_its_definition_says(campaign):
    for m, row in enumerate(agreement(campaign)):
        prefers, agree, both = probabilities(campaign, m)
        assert (row.prefers, row.all_agree, row.joint) == (prefers, agree, both)
        if not agree:
            assert row.value is row.tie_rate is None
            continue
        assert 2 - row.tie_rate == both / (prefers * agree)
        assert isclose(row.value, log2(both / (prefers * agree)), abs_tol=1e-15)
        assert isclose(row.value, log2(2 - row.tie_rate), abs_tol=1e-15)
        assert 0 <= row.value <= 1


@given(campaigns())
def test_with_self_pairs_unanimity_is_the_information_over_all_pairs_of_the_square(campaign):
    measures = {str(number): measure for number, measure in enumerate(campaign)}
    found = unanimity(measures, self_pairs=True)
    assert found == unanimity(measures).with_self_pairs() == found.with_self_pairs()
    for m, row in enumerate(found):
        prefers, agree, both = probabilities(campaign, m, self_pairs=True)
        assert (row.prefers, row.all_agree, row.joint) == (prefers, agree, both)
        assert 2 - row.tie_rate == both / (prefers * agree)
        without = agreement(campaign)[str(m)].value
        assert without is None or row.value <= without


@given(campaigns(most=1))
def test_a_measure_prefers_the_first_of_a_pair_half_the_time(campaign):
    assert probabilities(campaign, 0)[0] == agreement(campaign)["0"].prefers == HALF


@given(campaigns())
def test_a_measure_that_is_turned_into_another_with_the_same_order_changes_nothing(campaign):
    rescaled = [[[2.0**value - 5 for value in row] for row in measure] for measure in campaign]
    assert list(agreement(rescaled)) == list(agreement(campaign))


@given(campaigns(), st.randoms())
def test_the_order_of_systems_topics_and_measures_does_not_matter(campaign, random):
    values = np.array(campaign)
    shuffled = values.copy()
    for axis in range(3):
        order = list(range(values.shape[axis]))
        random.shuffle(order)
        shuffled = np.take(shuffled, order, axis=axis)
    before, after = agreement(values), agreement(shuffled)
    assert (before.pairs, before.unanimous) == (after.pairs, after.unanimous)
    assert sorted(row.tied for row in before) == sorted(row.tied for row in after)


@given(campaigns(), st.data())
def test_one_more_measure_never_makes_more_pairs_unanimous(campaign, data):
    other = data.draw(st.permutations(campaign[0]))
    fewer, more = agreement(campaign), agreement([*campaign, other])
    assert more.unanimous <= fewer.unanimous
    assert all(now.tied <= then.tied for now, then in zip(list(more)[:-1], fewer, strict=True))


@given(campaigns())
def test_a_measure_as_fine_as_another_is_at_least_as_unanimous(campaign):
    coarse = [[[value // 2 for value in row] for row in measure] for measure in campaign]
    found = agreement([*campaign, *coarse])
    assume(found.unanimous)
    fine, rough = found.rows[: len(campaign)], found.rows[len(campaign) :]
    assert all(one.value >= other.value for one, other in zip(fine, rough, strict=True))


@given(campaigns())
def test_pairs_of_a_system_with_itself_would_make_every_measure_tie_more(campaign):
    found = agreement(campaign)
    own = len(campaign[0]) * len(campaign[0][0])
    for row in found:
        with_own = log2(2 - Fraction(row.tied + own, row.unanimous + own))
        assert with_own <= (row.value or 0.0) + 1e-15
