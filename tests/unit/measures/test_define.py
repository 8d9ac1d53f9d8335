"""Any function of a judged run as a measure."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from measurand import MeasurandError, ParameterError, Scale, define, evaluate, read_run
from measurand.errors import CallError
from measurand.exact import inverse_log

QRELS = {"1": {"a": 1, "b": 2, "c": 0}, "2": {"a": 1}}
RUN = {"1": {"x": 3.0, "b": 2.0, "a": 1.0}, "2": {"b": 2.0, "a": 1.0}}


def last_relevant(run):
    """Rank of the last relevant document."""
    return max((rank for rank, grade in enumerate(run, 1) if grade), default=0)


def found(run, recall_base):
    """Share of the relevant documents that are there."""
    return Fraction(sum(grade > 0 for grade in run), recall_base)


def test_a_function_becomes_a_measure_with_a_name_and_a_cutoff():
    last = define(last_relevant, name="Last")
    assert repr(last) == "Last"
    assert last.of([1, 0, 1, 0]) == Fraction(3)
    assert repr(last @ 2) == "Last@2"
    assert (last @ 2).of([1, 0, 1, 0]) == Fraction(1)


def test_its_scores_stand_in_tables_like_any_other():
    table = evaluate(QRELS, RUN, [define(last_relevant, name="Last"), "AP"])
    assert table.scores("Last").values.tolist() == [[3.0, 2.0]]
    assert table.measures == ("Last", "AP")


def test_unjudged_and_missing_documents_are_nothing_to_the_function():
    seen = []

    def remember(run):
        seen.append(run)
        return 0

    evaluate(QRELS, RUN, define(remember, name="Seen"))
    assert sorted(set(seen)) == [(0, 1, 0), (0, 2, 1)]


def test_judged_documents_alone_may_be_shown_to_the_function():
    alone = define(last_relevant, name="Last")(judged_only=True)
    assert repr(alone) == "Last(judged_only=True)"
    assert alone.of([-1, 1, -1, 1]) == Fraction(2)


def test_a_cutoff_gives_the_function_as_many_ranks_whatever_the_other_runs():
    empty = define(lambda grades: grades.count(0), name="Empty") @ 4
    assert empty.of([1, 0]) == 3
    one, other = {"1": {"a": 2.0, "b": 1.0}}, {"1": dict.fromkeys("abcdef", 1.0)}
    values = [
        evaluate({"1": {"a": 1}}, runs, empty)["Empty@4"]["one"]["1"]
        for runs in ({"one": one}, {"one": one, "other": other})
    ]
    assert values == [3.0, 3.0]


def test_a_name_with_a_cutoff_cuts_the_measure():
    assert repr(define(sum, name="Sum@2")) == "Sum@2"
    assert define(sum, name="Sum@2").of([1, 0, 1]) == 1


def test_the_recall_base_is_passed_where_it_is_declared():
    share = define(found, name="Found", uses_recall_base=True, bounds=(0, 1))
    assert share.of([1, 0, 1], recall_base=4) == Fraction(1, 2)
    assert evaluate(QRELS, RUN, share).scores(share).values.tolist() == [[1.0, 1.0]]


@pytest.mark.parametrize(
    ("answer", "value"),
    [(1, Fraction(1)), (0.1, Fraction(1, 10)), (np.float64(0.1), Fraction(1, 10)), (Fraction(1, 3), Fraction(1, 3))],
)
def test_an_answer_is_the_number_that_it_spells(answer, value):
    assert define(lambda run: answer, name="Same").of([1]) == value


def test_an_answer_may_be_an_exact_sum():
    assert define(lambda run: inverse_log(3, 2), name="Log").of([1]) == inverse_log(3, 2)


@pytest.mark.parametrize("answer", [None, "much", float("nan"), float("inf"), [1]])
def test_an_answer_that_is_no_number_is_refused_with_the_run(answer):
    with pytest.raises(MeasurandError, match=r"Odd answered .* on \(1, 0\), which is no finite number"):
        define(lambda run: answer, name="Odd").of([1, 0])


def test_a_function_that_fails_is_named_with_the_run_and_the_reason():
    with pytest.raises(MeasurandError, match=r"Fails failed with ZeroDivisionError\(.*\) on \(1, 0\)"):
        define(lambda run: 1 // 0, name="Fails").of([1, 0])


@pytest.mark.parametrize("function", [lambda: 3, lambda qrels, run: 3, lambda run, one, other: 3])
def test_a_function_of_something_else_is_refused_with_what_it_would_be_given(function):
    with pytest.raises(CallError, match=r"Mine takes \(.*\), but the function takes the grades of the documents"):
        define(function, name="Mine")


@pytest.mark.parametrize("name", ["", "two words", "Mine@x", "1st"])
def test_a_name_that_could_not_be_parsed_is_refused(name):
    with pytest.raises(ParameterError, match="cannot name a measure"):
        define(last_relevant, name=name)


def test_an_unknown_fact_is_refused_with_those_there_are():
    with pytest.raises(ParameterError, match="unknown facts colour; a measure declares graded, uses_recall_base"):
        define(last_relevant, name="Last", colour="red")


def test_declared_facts_are_those_of_the_measure():
    measure = define(last_relevant, name="Last", scale=Scale.RATIO, graded=False, reference="Robertson2006")
    assert measure.scale is Scale.RATIO
    assert measure.facts()["scale"] == "ratio, as declared, on 10 ranks of two grades"
    assert measure.facts()["reference"] == "Robertson2006"
    assert measure.facts()["values"] == "from 0 up"


def test_the_function_is_asked_once_for_each_different_run():
    calls = []

    def count(run):
        calls.append(run)
        return len(calls)

    several = [{"1": {"x": 2.0, "a": 1.0}}, {"1": {"y": 2.0, "a": 1.0}}, {"1": {"a": 2.0, "z": 1.0}}]
    runs = [read_run(run, name=str(number)) for number, run in enumerate(several)]
    evaluate({"1": {"a": 1}}, runs, define(count, name="Count"))
    assert sorted(calls) == [(0, 1), (1, 0)]
