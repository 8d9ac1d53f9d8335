"""Amigó, Giner, Mizzaro and Spina's information: Table 1, the properties of section 3, and evidence in section 6."""

from __future__ import annotations

from fractions import Fraction
from math import log

import pytest

from measurand.errors import ParameterError
from measurand.exact import log_sum
from measurand.information.evidence import (
    Observation,
    assignment,
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
from measurand.judged import Judgments, Results

R1 = {"d1": 3, "d2": 2, "d4": 1}
R2 = {"d3": 3, "d1": 2, "d2": 1}
RANKINGS = {"r1": R1, "r2": R2, "r3": R2}
TABLE_1 = {**RANKINGS, "g": {"d1": 1, "d4": 1}}
ALL = "the whole collection"


def six(values):
    return {document: round(value, 6) for document, value in values.items()}


@pytest.mark.spec("AGMS-T1", "E-A-18")
def test_table_1_is_the_same_with_the_zero_that_it_omits_and_as_runs_and_judgments():
    with_zero = {**TABLE_1, "r1": {**R1, "d3": 0}}
    runs = [Results.from_mapping(name, {"1": values}) for name, values in RANKINGS.items()]
    files = [*runs, Judgments.from_mapping({"1": {"d1": 1, "d2": 0, "d4": 1}})]
    expected = {"d1": 1, "d2": 2, "d3": 1, "d4": 2}
    assert outscorer_counts(TABLE_1, 10) == outscorer_counts(with_zero, 10) == outscorer_counts(files, 10) == expected
    table = Signals.of(with_zero, 10)
    assert dict(zip(table.documents, table.levels.tolist(), strict=True)) == {
        "d1": [3, 2, 2, 1],
        "d2": [2, 1, 1, 0],
        "d3": [0, 3, 3, 0],
        "d4": [1, 0, 0, 1],
    }
    assert table.rest == 6


@pytest.mark.spec("AGMS-D3.1")
def test_copies_outscore_each_other_and_documents_may_be_incomparable():
    twins = {"r": {"a": 2, "b": 2, "c": 1}, "s": {"a": 1, "b": 1}}
    assert outscores(twins, "a", "b")
    assert outscores(twins, "b", "a")
    assert not outscores(twins, "c", "a")
    assert not outscores(TABLE_1, "d3", "d1")
    assert not outscores(TABLE_1, "d1", "d3")
    assert outscores(TABLE_1, "d5", "d6")
    assert not outscores(TABLE_1, "d5", "d4")


@pytest.mark.spec("AGMS-Eq1")
@pytest.mark.parametrize(
    ("document", "expected"),
    [("d1", {"d1"}), ("d2", {"d1", "d2"}), ("d3", {"d3"}), ("d4", {"d1", "d4"}), ("d5", ALL), ("d10", ALL)],
)
def test_the_outscorers_of_table_1(document, expected):
    found = outscorers(TABLE_1, document, 10)
    if expected is ALL:
        assert found.count == 10
        assert all(f"d{i}" in found for i in range(1, 11))
    else:
        assert found.named == expected
        assert found.count == len(expected)
        assert "d9" not in found


@pytest.mark.spec("AGMS-D3.2")
def test_the_quantities_of_table_1():
    assert six(quantity(TABLE_1, 10)) == {"d1": 2.302585, "d2": 1.609438, "d3": 2.302585, "d4": 1.609438}
    assert outscorers(TABLE_1, "d5", 10**6).count == 10**6
    assert outscorer_counts(RANKINGS, 10)["d4"] == 3
    assert quantity(TABLE_1, 10, base=10)["d1"] == pytest.approx(1)
    assert quantity(TABLE_1, 10, base=2)["d2"] == pytest.approx(log(5) / log(2))


@pytest.mark.spec("AGMS-D3.3")
@pytest.mark.parametrize(("size", "printed"), [(10, 0.782405), (100, 0.170344), (10**6, 5.388e-5)])
def test_the_entropy_of_table_1(size, printed):
    assert exact_entropy(TABLE_1, size) == log_sum([(size, Fraction(4, size)), (2, Fraction(-2, size))])
    assert entropy(TABLE_1, size) == pytest.approx(printed, rel=1e-3, abs=5e-7)
    assert entropy(TABLE_1, size) == pytest.approx(float(exact_entropy(TABLE_1, size)), rel=1e-14)


@pytest.mark.spec("AGMS-3.2-CORR", "AGMS-P3.5", "E-A-10")
def test_a_ranking_and_its_reverse_tell_everything_and_a_copy_tells_nothing():
    ranking = {"a": 1, "b": 2, "c": 3}
    reverse = {document: -value for document, value in ranking.items()}
    assert entropy({"r": ranking}, 3) == pytest.approx(0.5014, abs=5e-5)
    assert exact_entropy({"r": ranking, "copy": ranking}, 3) == exact_entropy({"r": ranking}, 3)
    assert exact_entropy({"r": ranking, "reverse": reverse}, 3) == log_sum([(3, 1)])
    assert entropy({"r": ranking, "reverse": reverse}, 3) == pytest.approx(1.0986, abs=5e-5)


@pytest.mark.spec("AGMS-P3.3")
def test_judgments_tell_more_of_a_document_that_two_rankings_leave_out():
    assert quantity(RANKINGS, 10)["d4"] == pytest.approx(log(10 / 3))
    assert quantity(TABLE_1, 10)["d4"] == pytest.approx(log(10 / 2))


@pytest.mark.spec("AGMS-P3.6", "E-A-11")
def test_a_signal_that_repeats_no_other_may_still_tell_nothing_new():
    one, other = {"a": 1, "b": 3, "c": 2}, {"a": 2, "b": 1, "c": 3}
    total = {document: one[document] + other[document] for document in one}
    both = {"one": one, "other": other}
    assert entropy(both, 3) == pytest.approx(0.867563, abs=5e-7)
    assert exact_entropy({**both, "sum": total}, 3) == exact_entropy(both, 3)
    # in another order than either, so it is no copy
    orders = [sorted(signal, key=signal.__getitem__) for signal in (one, other, total)]
    assert len({tuple(order) for order in orders}) == 3
    # as printed, with "at least", every signal would tell more: each document is at least as high as itself
    assert exact_entropy({"one": one, "again": one}, 3) == exact_entropy({"one": one}, 3)


@pytest.mark.spec("AGMS-5.2-GRAN", "E-A-13")
def test_the_first_documents_of_two_rankings_share_the_logarithm_of_the_collection():
    told = quantity(TABLE_1, 10)
    assert told["d1"] == told["d3"] == pytest.approx(log(10))
    assert told["d1"] != pytest.approx(1 / 10)
    assert granularity(TABLE_1, 10) == Fraction(2, 4)
    assert granularity(RANKINGS, 10) == Fraction(3, 4)
    assert granularity({"r1": R1}) == 1


@pytest.mark.spec("AGMS-D6.1", "E-A-21")
@pytest.mark.parametrize("degree", [-0.1, 1.0001, 3, "9/8"])
def test_a_membership_lies_between_0_and_1(degree):
    with pytest.raises(ParameterError, match=r"signal r has membership .*; scale the signals into \[0, 1\]"):
        Observation({"g": 1, "r": degree})


@pytest.mark.spec("AGMS-D6.2", "E-A-21")
def test_what_is_seen_of_a_document_is_a_fuzzy_set_of_signals():
    assert observation(RANKINGS, "d2") == Observation({"r1": "2/3", "r2": "1/3", "r3": "1/3"})
    assert observation(RANKINGS, "d9") == Observation({"r1": 0, "r2": 0, "r3": 0})
    # scores far outside [0, 1] say the same as long as their order is the same
    wide = {name: {document: 1000.0**value for document, value in signal.items()} for name, signal in RANKINGS.items()}
    assert assignment(wide, 10) == assignment(RANKINGS, 10)


@pytest.mark.spec("AGMS-6-INCL")
def test_inclusion_is_decided_signal_by_signal():
    low, high, other = (Observation({"r": r, "g": g}) for r, g in (("1/3", 0), ("1/3", 1), (1, 0)))
    assert low <= high
    assert low < high
    assert high >= low
    assert low <= other
    assert not high <= other
    assert not other <= high
    assert not low < low


@pytest.mark.spec("AGMS-6-BPA", "AGMS-6-BEL", "AGMS-6-I", "AGMS-6-H")
def test_the_evidence_of_table_1():
    shares = assignment(RANKINGS, 10)
    assert sorted(shares.values()) == [Fraction(1, 10)] * 4 + [Fraction(6, 10)]
    assert shares[observation(RANKINGS, "d5")] == Fraction(6, 10)
    assert all(shares[observation(RANKINGS, f"d{i}")] == Fraction(1, 10) for i in range(1, 5))
    assert commonality(shares, observation(RANKINGS, "d2")) == Fraction(2, 10)
    assert observed_quantity(shares, observation(RANKINGS, "d2")) == log_sum([(5, 1)])
    assert observed_entropy(shares) == exact_entropy(RANKINGS, 10)
