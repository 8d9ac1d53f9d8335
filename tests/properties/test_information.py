"""Laws of information: over random signals with ties, against collections that are written out document by document."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import inf, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.exact import log_sum
from measurand.information.evidence import (
    assignment,
    belief,
    commonality,
    observation,
    observed_entropy,
    observed_quantity,
)
from measurand.information.quantity import (
    entropy,
    exact_entropy,
    granularity,
    outscorer_counts,
    outscorers,
    outscores,
    quantity,
)
from measurand.information.signals import Signals
from measurand.measures.observational_effectiveness import OIE

POOL = [f"d{i}" for i in range(6)]

numbers = st.integers(0, 3) | st.sampled_from([Fraction(1, 2), 2.0, -1, -1.5, 2])
values = st.dictionaries(st.sampled_from(POOL), numbers, max_size=6)
sets_of_signals = st.lists(values, min_size=1, max_size=4).map(lambda parts: {f"s{i}": v for i, v in enumerate(parts)})
whole_signals = st.fixed_dictionaries(dict.fromkeys(POOL, st.integers(0, 5)))
sizes = st.integers(6, 9)
weights = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(6, 5), Fraction(2)])


def collection(size):
    """Return the names of all documents; those from the seventh on are never named by a signal."""
    return [f"d{i}" for i in range(size)]


def value(signal, document):
    """Return what a signal says of a document: the minimum if it leaves the document out."""
    return signal.get(document, -inf if any(number < 0 for number in signal.values()) else 0)


def above(signals, one, other):
    return all(value(signal, one) >= value(signal, other) for signal in signals.values())


def counted(signals, size):
    """Return the number of outscorers of every document, by looking at every pair."""
    documents = collection(size)
    return {d: sum(above(signals, other, d) for other in documents) for d in documents}


def written_out(signals, size):
    """Return the entropy as the mean over every document there is."""
    return log_sum((Fraction(size, count), Fraction(1, size)) for count in counted(signals, size).values())


@given(signals=sets_of_signals, size=sizes)
def test_a_collection_that_is_never_written_out_tells_what_one_written_out_tells(signals, size):
    oracle = counted(signals, size)
    known = Signals.of(signals, size)
    assert outscorer_counts(known) == {document: oracle[document] for document in known.documents}
    assert all(oracle[document] == size for document in set(oracle) - set(known.documents))
    assert exact_entropy(known) == written_out(signals, size)
    told = quantity(known)
    assert all(told[document] == pytest.approx(log(size / oracle[document]), abs=1e-14) for document in told)
    assert entropy(known) == pytest.approx(sum(log(size / count) for count in oracle.values()) / size, abs=1e-14)
    for one in collection(size):
        found = outscorers(signals, one, size)
        assert [other in found for other in collection(size)] == [
            above(signals, other, one) for other in collection(size)
        ]
        assert found.count == oracle[one]
        assert all(outscores(signals, other, one) == above(signals, other, one) for other in collection(size))


@given(signals=sets_of_signals, documents=st.tuples(*[st.sampled_from(collection(8))] * 3))
def test_outscoring_is_reflexive_and_transitive(signals, documents):
    a, b, c = documents
    assert outscores(signals, a, a)
    assert not (outscores(signals, a, b) and outscores(signals, b, c)) or outscores(signals, a, c)


@pytest.mark.spec("AGMS-P3.1")
@given(signals=sets_of_signals, size=sizes)
def test_what_is_outscored_tells_no_more(signals, size):
    known = Signals.of(signals, size)
    told, number = quantity(known), outscorer_counts(known)
    for one in known.documents:
        for other in known.documents:
            if above(signals, one, other):
                assert told[one] >= told[other]
                # and no less only if they outscore each other
                assert (number[one] == number[other]) == above(signals, other, one)
    assert all(amount >= 0 for amount in told.values())


@given(signal=values.filter(bool), size=sizes)
def test_one_signal_tells_of_documents_in_its_own_order(signal, size):
    told = quantity({"s": signal}, size)
    assert all((signal[d] < signal[e]) == (told[d] < told[e]) for d in signal for e in signal)
    assert all((signal[d] == signal[e]) == (told[d] == told[e]) for d in signal for e in signal)


@given(signals=sets_of_signals, more=values, size=sizes)
def test_one_more_signal_never_tells_less(signals, more, size):
    both = {**signals, "more": more}
    before, after = quantity(signals, size), quantity(both, size)
    assert all(after[document] >= before.get(document, 0.0) for document in after)
    assert set(before) <= set(after)
    assert exact_entropy(both, size) >= exact_entropy(signals, size)


@given(length=st.integers(0, 12), spare=st.integers(0, 10**6))
def test_a_ranking_without_ties_tells_of_its_length_alone(length, spare):
    size = max(1, length + spare)
    ranking = {f"d{i}": -i for i in range(1, length + 1)}
    expected = log_sum((Fraction(i, size), Fraction(-1, size)) for i in range(1, length + 1))
    assert exact_entropy({"r": ranking}, size) == expected


@given(signals=sets_of_signals, size=sizes, data=st.data())
def test_an_increasing_copy_of_a_signal_changes_nothing(signals, size, data):
    name = data.draw(st.sampled_from(sorted(signals)))
    copy = {document: 7 * number**3 for document, number in signals[name].items()}
    assert outscorer_counts({**signals, "copy": copy}, size) == outscorer_counts(signals, size)
    assert outscorer_counts({**signals, name: copy}, size) == outscorer_counts(signals, size)
    assert exact_entropy({**signals, "copy": copy}, size) == exact_entropy(signals, size)


@given(signals=sets_of_signals, more=values, size=sizes)
def test_a_signal_tells_more_exactly_when_it_turns_some_outscoring_round(signals, more, size):
    turned = any(
        value(more, one) > value(more, other) and above(signals, other, one)
        for one in collection(size)
        for other in collection(size)
    )
    assert (exact_entropy({**signals, "more": more}, size) > exact_entropy(signals, size)) == turned


@given(one=whole_signals, other=whole_signals)
def test_the_sum_of_two_signals_adds_nothing_to_them(one, other):
    both = {"one": one, "other": other}
    total = {document: one[document] + other[document] for document in POOL}
    assert outscorer_counts({**both, "sum": total}, 8) == outscorer_counts(both, 8)


@given(order=st.permutations(POOL))
def test_two_rankings_of_everything_tell_most_when_they_are_each_others_reverse(order):
    rank = {document: place for place, document in enumerate(POOL)}
    other = {document: place for place, document in enumerate(order)}
    alone, both = exact_entropy({"r": rank}, 6), exact_entropy({"r": rank, "s": other}, 6)
    assert alone <= both <= log_sum([(6, 1)])
    assert (both == alone) == (order == POOL)
    assert (both == log_sum([(6, 1)])) == (order == POOL[::-1])


@given(signals=sets_of_signals, size=sizes, base=st.sampled_from([2, 10, "1/2", 0.25, Fraction(7, 3)]))
def test_the_base_divides_what_is_told_and_equal_counts_have_equal_floats(signals, size, base):
    natural, told = quantity(signals, size), quantity(signals, size, base=base)
    unit = log(Fraction(base))
    number = outscorer_counts(signals, size)
    for document, amount in told.items():
        assert amount == pytest.approx(natural[document] / unit, rel=1e-14)
        assert str(amount) != "-0.0"
        assert all((amount == told[other]) == (number[document] == number[other]) for other in told)
    assert entropy(signals, size, base=base) == pytest.approx(entropy(signals, size) / unit, rel=1e-13)
    assert str(entropy(signals, size, base=base)) != "-0.0"


@given(signals=sets_of_signals, size=sizes)
def test_granularity_counts_the_different_quantities_of_the_documents_that_are_named(signals, size):
    told = quantity(signals, size)
    expected = Fraction(len(set(told.values())), len(told)) if told else 0
    assert granularity(signals, size) == granularity(signals) == expected


@given(signals=sets_of_signals, size=sizes)
def test_information_is_minus_the_logarithm_of_a_commonality(signals, size):
    shares = assignment(signals, size)
    assert sum(shares.values()) == 1
    oracle = counted(signals, size)
    seen = {document: observation(signals, document) for document in collection(size)}
    assert shares == {what: Fraction(times, size) for what, times in Counter(seen.values()).items()}
    for one in collection(size):
        assert all((seen[other] <= seen[one]) == above(signals, one, other) for other in collection(size))
        assert commonality(shares, seen[one]) == Fraction(oracle[one], size)
        below = sum(above(signals, one, other) for other in collection(size))
        assert belief(shares, seen[one]) == Fraction(below, size)
        assert observed_quantity(shares, seen[one]) == log_sum([(Fraction(size, oracle[one]), 1)])
    assert observed_entropy(shares) == exact_entropy(signals, size)


@given(
    run=st.lists(st.integers(-1, 3), max_size=6),
    missed=st.lists(st.integers(0, 3), max_size=4),
    spare=st.integers(1, 30),
    alpha1=weights,
    alpha2=weights,
    beta=weights,
)
def test_the_effectiveness_of_a_ranking_is_made_of_three_entropies(run, missed, spare, alpha1, alpha2, beta):
    grades = {f"d{rank}": grade for rank, grade in enumerate(run, 1) if grade >= 0}
    grades |= {f"e{place}": grade for place, grade in enumerate(missed)}
    size = len(run) + len(missed) + spare
    ranking = {f"d{rank}": -rank for rank in range(1, len(run) + 1)}
    both = Signals.of({"ranking": ranking, "gold": grades}, size)
    expected = (
        alpha1 * exact_entropy(both.only("ranking"))
        + alpha2 * exact_entropy(both.only("gold"))
        - beta * exact_entropy(both)
    )
    judged = [*grades.values()]
    pool = [judged.count(grade) for grade in range(4)]
    measure = OIE(alpha1=alpha1, alpha2=alpha2, beta=beta, collection=size)
    assert measure.of(run, grade_counts=pool) == expected
    assert measure.value(run, grade_counts=pool) == pytest.approx(float(expected), abs=1e-12)
