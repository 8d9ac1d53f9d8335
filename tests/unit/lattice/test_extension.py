"""Measures made of tables, functions and measures: values, errors, caveats, and that they go where measures go."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import measurand as md
from measurand.errors import CaveatKind, FunctionFailed, NotMeaningful, ParameterError
from measurand.exact import inverse_log, quotient_sum
from measurand.exact import log as exact_log
from measurand.judged import JudgedRuns
from measurand.lattice.algebra import algebra_of
from measurand.lattice.valuation.deciding import is_valuation, value
from measurand.lattice.valuation.extension import extend
from measurand.measures import AP, DCG, ESL, OIE, RR, P, catalogue, gP, nDCG
from measurand.orders import ORDERS
from measurand.verdict import How

REPLACEMENT = algebra_of("replacement", 2, 3)
TABLE = {(1, 0): 0.4, (2, 0): 0.7, (0, 1): 0.1, (0, 2): 0.3}


@pytest.fixture(scope="module")
def mine():
    return extend(REPLACEMENT, TABLE, name="Mine")


@pytest.fixture(scope="module")
def sample():
    return md.judge([md.read_run(path) for path in md.sample.runs()[:6]], md.read_qrels(md.sample.qrels()))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("depth", "grades"), [(4, 2), (2, 3)])
def test_every_valuation_is_recovered_exactly_from_a_table_and_from_itself(order, depth, grades):
    algebra = algebra_of(order, depth, grades)
    pool = (depth, *[0] * (grades - 2), depth)
    recovered = 0
    for measure in catalogue().values():
        if not is_valuation(algebra, measure):
            continue
        recovered += 1
        known = measure(gmax=grades - 1) if "gmax" in measure.parameters() else measure
        table = {run: known.of(run, grade_counts=pool) for run in algebra.join_irreducibles()}
        from_table = extend(algebra, table, known.of(algebra.bottom, grade_counts=pool))
        from_itself = extend(algebra, known)
        for run in algebra.runs():
            value = known.of(run, grade_counts=pool)
            assert from_table.of(run) == value, known
            assert from_itself.of(run, grade_counts=pool) == value, known
        assert from_itself.lower_is_better == known.lower_is_better
        assert from_itself.uses_recall_base == known.uses_recall_base
    assert recovered > 8


def test_numbers_are_read_as_written(mine):
    assert mine.of((2, 1)) == Fraction(4, 5)
    spelled = extend(REPLACEMENT, {run: str(value) for run, value in TABLE.items()})
    exact = extend(REPLACEMENT, {run: np.float64(value) for run, value in TABLE.items()})
    assert [spelled.of(run) for run in REPLACEMENT.runs()] == [exact.of(run) for run in REPLACEMENT.runs()]


def test_it_is_a_value(mine):
    again = extend(REPLACEMENT, dict(reversed(TABLE.items())), name="Mine")
    assert again == mine
    assert hash(again) == hash(mine)
    assert extend(REPLACEMENT, TABLE | {(0, 2): 0.2}, name="Mine") != mine
    assert extend(REPLACEMENT, TABLE, name="Yours") != mine
    assert extend(algebra_of("swap", 3, 2), AP) == extend(algebra_of("swap", 3, 2), AP)
    for twin in (pickle.loads(pickle.dumps(mine)), copy.copy(mine), copy.deepcopy(mine)):
        assert twin == mine
        assert twin.of((1, 2)) == mine.of((1, 2))


def test_it_travels_after_it_was_used_too():
    made = extend(REPLACEMENT, TABLE, name="Mine")
    judged = JudgedRuns.on_one_topic([(2, 1)], (5, 2, 2))
    scores = made.scores(judged)
    assert pickle.loads(pickle.dumps(made)).scores(judged).values.tolist() == scores.values.tolist() == [[0.8]]


def test_very_deep_tables_work():
    deep = extend(algebra_of("replacement", 6000, 2), lambda run: 1 if run[0] else 0)
    assert deep.scores(JudgedRuns.on_one_topic([(1, 0, 1)], (5, 2))).values.tolist() == [[1.0]]


def test_it_says_what_it_is(mine):
    assert repr(mine) == "Mine"
    assert repr(mine @ 1) == "Mine@1"
    assert repr(mine(judged_only=True)) == "Mine(judged_only=True)"
    facts = mine.facts()
    assert facts["family"] == "by its join-irreducible runs"
    assert facts["values"] == "from 0 to 1"
    assert facts["grades"] == "tells all grades apart"
    assert facts["recall base"] == "does not depend on it"
    assert facts["reference"] == "Giner2022"
    binary = extend(algebra_of("swap", 3, 2), ESL)
    assert binary.facts()["grades"] == "binary: relevant or not"
    assert binary.facts()["better"] == "lower values"
    assert binary.facts()["recall base"] == "depends on it"


def test_runs_are_cut_or_filled_up(mine):
    assert mine.of((2, 1, 2, 2)) == mine.of((2, 1))
    assert mine.of((2,)) == mine.of((2, 0))
    assert mine.of(()) == 0
    assert mine.of((2, -1)) == mine.of((2, -2)) == mine.of((2, -3)) == mine.of((2, 0))
    assert (mine @ 1).of((2, 2)) == mine.of((2, 0))
    assert mine(judged_only=True).of((-1, 2, 1)) == mine.of((2, 1))
    with pytest.raises(ParameterError, match="made for 2 ranks"):
        mine @ 3


def test_higher_grades_count_as_the_highest_and_it_is_said(mine):
    judged = JudgedRuns.on_one_topic([(4, 1), (2, 1)], (5, 2, 2, 0, 1))
    scores = mine.scores(judged)
    assert scores.values.ravel().tolist() == [0.8, 0.8]
    assert [caveat.kind for caveat in scores.caveats] == [CaveatKind.GRADES]
    binary = extend(algebra_of("swap", 2, 2), {(1, 0): 1, (0, 1): 0.5, (1, 1): 1})
    assert binary.scores(judged).caveats == ()
    # a measure that tells grades apart is not the same without them
    assert extend(algebra_of("swap", 2, 2), DCG).scores(judged).caveats[0].kind is CaveatKind.GRADES
    assert mine.of((9, 200)) == mine.of((2, 2))


def test_what_does_not_keep_the_order_is_said_with_two_runs():
    algebra = algebra_of("set-replacement", 2, 3)
    table = {(1, 0): 0.5, (1, 1): 0.5, (2, 0): 0.5, (2, 2): 0.4}
    odd = extend(algebra, table, name="Odd")
    caveat = odd.scores(JudgedRuns.on_one_topic([(1, 2)], (5, 2, 2))).caveats[-1]
    assert caveat.kind is CaveatKind.ORDER
    assert "(2, 2) is better than (2, 1)" in caveat.text
    assert odd.facts()["values"] == "of any size"
    with pytest.raises(NotMeaningful, match=r"\(2, 2\)"):
        extend(algebra, table, strict=True)
    assert extend(algebra, table | {(2, 2): 1}, strict=True).isotone


def test_where_lower_is_better_values_fall_with_better_runs():
    algebra = algebra_of("swap", 4, 2)
    assert extend(algebra, ESL(i=2)).isotone.holds
    rising = extend(algebra, {run: ESL(i=2).of(run, recall_base=4) for run in algebra.join_irreducibles()}, 7)
    assert not rising.isotone.holds


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({(1, 0): 1}, r"no value for \(2, 0\), \(0, 1\), \(0, 2\)"),
        (TABLE | {(1, 1): 1}, r"\(1, 1\) is not join-irreducible"),
        (TABLE | {(1, 1): 1, (2, 2): 1}, r"\(1, 1\), \(2, 2\) are not join-irreducible"),
        (TABLE | {(0, 0): 1}, "bottom="),
        (TABLE | {(3, 0): 1}, "grades from 0 to 2"),
        (TABLE | {(1, 0, 0): 1}, "no run of 2 ranks"),
        (TABLE | {"1,0,0": 1}, "no run of 2 ranks"),
        (TABLE | {"1,0": 1}, "twice, with different values"),
        (TABLE | {(1, 0): "much"}, "not a number"),
        (TABLE | {(1, 0): float("nan")}, "not a number"),
        (TABLE | {(1, 0): float("inf")}, "not a number"),
        (TABLE | {(1, 0): None}, "not a number"),
        (TABLE | {(1, 0): 10**400}, "too large"),
        # the value of (1, 1) would be no float
        (TABLE | {(1, 0): 1e308, (0, 1): 1e308}, "too large"),
        (TABLE | {(1, 0): exact_log(2)}, "cannot be added"),
        (TABLE | {(1, 0): inverse_log(3, 2), (0, 1): inverse_log(5, 3)}, "cannot be added"),
        (5, "a mapping of runs to numbers"),
    ],
)
def test_a_table_that_cannot_be_right_is_refused(values, complaint):
    with pytest.raises(ParameterError, match=complaint):
        extend(REPLACEMENT, values)


def test_values_that_are_shares_of_different_wholes_add_up():
    first, second = nDCG.of((1, 0, 1)), nDCG.of((1, 0, 1), recall_base=2)
    measure = extend(REPLACEMENT, TABLE | {(1, 0): first, (0, 1): second})
    assert measure.of((1, 1)) == quotient_sum([first, second])


def test_what_is_left_out_of_a_long_table_is_counted():
    with pytest.raises(ParameterError, match=r"\(0, 0, 0, 0, 1\).* and 12 more"):
        extend(algebra_of("swap", 5, 2), {})


def test_names_are_those_of_measures():
    for name in ("my measure", "", "2x", 5):
        with pytest.raises(ParameterError, match="cannot name a measure"):
            extend(REPLACEMENT, TABLE, name=name)


def test_keys_of_sets_may_stand_in_any_order():
    algebra = algebra_of("set-replacement", 2, 3)
    made = extend(algebra, {(0, 1): 1, (1, 1): 2, (0, 2): 3, (2, 2): 5})
    assert made.of((1, 2)) == made.of((2, 1)) == 4
    with pytest.raises(ParameterError, match="twice"):
        extend(algebra, {(0, 1): 1, (1, 0): 2, (1, 1): 2, (0, 2): 3, (2, 2): 5})


def test_a_table_for_a_deep_chain_is_refused_and_a_function_taken():
    chain = algebra_of("projection", 30, 2)
    with pytest.raises(ParameterError, match="too many to be written out"):
        extend(chain, {})
    first = extend(chain, lambda run: run.index(1) + 1)
    assert first.of((0,) * 29 + (1,)) == 30
    assert first.scores(JudgedRuns.on_one_topic(np.eye(30, dtype=np.int8), (5, 1))).values.ravel().tolist() == [
        *range(1, 31)
    ]


def test_a_function_is_asked_only_where_a_value_is_needed_and_once_or_twice():
    asked = []

    def function(run):
        asked.append(run)
        return sum(run) / (1 + run.index(1))

    made = extend(algebra_of("swap", 50, 2), function, bottom=-1)
    assert asked == []
    run = (1, 0, 1) + (0,) * 47
    first = made.of(run)
    assert 0 < len(asked) <= 6
    before = len(asked)
    assert made.of(run) == first
    assert len(asked) == before
    assert made.of((0,) * 50) == -1


def test_a_function_of_two_arguments_is_told_the_recall_base():
    made = extend(algebra_of("replacement", 2, 2), lambda run, base: Fraction(sum(run), base))
    assert made.uses_recall_base
    assert made.of((1, 1), recall_base=4) == Fraction(1, 2)


def test_a_function_that_fails_is_named_with_the_run():
    made = extend(algebra_of("replacement", 2, 2), lambda run: "much", name="Mine")
    with pytest.raises(FunctionFailed, match=r"\(1, 0\)"):
        made.of((1, 0))
    with pytest.raises(FunctionFailed):
        made.scores(JudgedRuns.on_one_topic([(1, 0)], (5, 2)))


def test_rounding_of_a_function_does_not_break_the_order():
    made = extend(algebra_of("swap", 6, 2), lambda run: 0.1 * 3 if run.index(1) else 0.3)
    assert made.isotone


def test_a_measure_has_a_value_of_its_own_for_the_worst_run():
    algebra = algebra_of("swap", 3, 2)
    assert extend(algebra, ESL).of((0, 0, 0), recall_base=3) == ESL.of((0, 0, 0), recall_base=3) != 0
    assert extend(algebra, "ESL(i=1)") == extend(algebra, ESL(i=1))
    with pytest.raises(ParameterError, match="leave bottom out"):
        extend(algebra, ESL, bottom=1)
    with pytest.raises(ParameterError, match="grades"):
        extend(algebra, AP(rel=2))


@settings(max_examples=8, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize(
    ("order", "depth", "grades"), [("swap", 6, 2), ("swap", 4, 3), ("replacement", 5, 3), ("set-replacement", 5, 3)]
)
def test_scores_are_the_exact_values_rounded_once(order, depth, grades, data):
    algebra = algebra_of(order, depth, grades)
    size = st.integers(-(10**6), 10**6)
    share = data.draw(st.sampled_from([1, 7, 8, 10]))
    made = extend(algebra, {run: data.draw(size) / share for run in algebra.join_irreducibles()}, 0.1)
    cells = st.lists(st.integers(-3, grades), min_size=depth + 1, max_size=depth + 1)
    runs = data.draw(st.lists(cells, min_size=1, max_size=8))
    scores = made.scores(JudgedRuns.on_one_topic(runs, (9, *[3] * grades))).values.ravel()
    assert scores.tolist() == [float(made.of(run)) for run in runs]


def test_values_that_cancel_are_computed_exactly():
    algebra = algebra_of("replacement", 3, 2)
    made = extend(algebra, {(1, 0, 0): 1e16, (0, 1, 0): "-9999999999999999.7", (0, 0, 1): 0.7})
    judged = JudgedRuns.on_one_topic([(1, 1, 0), (1, 1, 1), (0, 0, 1)], (5, 3))
    assert made.scores(judged).values.ravel().tolist() == [0.3, 1.0, 0.7]


@pytest.mark.parametrize(
    ("order", "depth", "grades", "measure"),
    [
        ("swap", 40, 2, AP @ 40),
        ("swap", 20, 2, RR @ 20),
        ("swap", 20, 4, DCG @ 20),
        ("replacement", 10, 4, nDCG @ 10),
        ("set-replacement", 100, 4, P),
        ("set-replacement", 100, 2, AP),
    ],
)
def test_a_valuation_and_its_extension_have_the_same_scores(order, depth, grades, measure, sample):
    expected = measure.scores(sample).values
    if order.startswith("set-"):
        expected = measure.scores(
            JudgedRuns(
                systems=sample.systems,
                topics=sample.topics,
                cells=-np.sort(-np.maximum(sample.cells, 0), axis=2),
                lengths=np.full_like(sample.lengths, sample.depth),
                grade_counts=sample.grade_counts,
            )
        ).values
    scores = extend(algebra_of(order, depth, grades), measure).scores(sample)
    assert scores.values == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_it_goes_where_measures_go(mine, sample):
    qrels, runs = md.sample.qrels(), md.sample.runs()[:3]
    assert "Mine" in str(md.evaluate(qrels, runs, mine))
    assert "Mine" in str(md.compare(qrels, runs, mine))
    assert md.profile(mine, depth=2, grades=3).axioms["replacement"].holds
    assert md.axioms.swap(mine, depth=2).holds
    assert md.axioms.swap(mine, depth=2, grades=3).holds
    assert md.interval(mine, grades=3).of((2, 2)) == 1
    assert md.interval(mine, grades=3).scores(sample).scale is md.Scale.INTERVAL
    tied = md.judge([md.read_run(path) for path in runs], md.read_qrels(qrels), ties="expected")
    assert np.isfinite(mine.scores(tied).values).all()


def test_a_table_of_many_places_is_looked_at_here_and_there():
    made = extend(algebra_of("swap", 100, 2), AP)
    assert made.isotone.how is How.SAMPLED
    assert made.bounds == (None, None)


def test_information_is_added_exactly():
    algebra, measure = algebra_of("swap", 4, 2), OIE(collection=100)
    made = extend(algebra, measure)
    assert made.of((1, 0, 1, 0), recall_base=3) == measure.of((1, 0, 1, 0), recall_base=3)
    assert made.exactness == "sums of logarithms"


def test_a_measure_inside_hears_of_every_topic():
    judged = JudgedRuns(
        systems=("s",),
        topics=("a", "b"),
        cells=np.array([[[1, 0, 1], [1, 0, 1]]], dtype=np.int8),
        lengths=np.array([[3, 3]]),
        grade_counts=np.array([[5, 2], [5, 6]]),
    )
    scores = extend(algebra_of("swap", 3, 2), AP).scores(judged)
    assert scores.values == pytest.approx(AP.scores(judged).values)
    assert not scores.one_scale
    assert extend(algebra_of("replacement", 3, 2), gP).scores(judged).one_scale


def test_values_may_come_in_the_order_of_the_join_irreducible_runs():
    algebra = algebra_of("swap", 6, 2)
    blocks = [algebra.irreducible(place) for place in range(algebra.irreducible_count)]
    values = [AP.of(block, recall_base=6) for block in blocks]
    table = extend(algebra, dict(zip(blocks, values, strict=True)), name="Mine")
    assert extend(algebra, values, name="Mine") == table
    assert extend(algebra, np.arange(21), name="Counted").of((0, 0, 0, 0, 0, 1)) == 0
    assert value(algebra, (1, 0, 1, 1, 0, 0), values) == AP.of((1, 0, 1, 1, 0, 0))


@pytest.mark.parametrize("values", [[1, 2], np.zeros((3, 1)), np.zeros((1, 3)), []])
def test_a_sequence_of_another_length_is_refused(values):
    with pytest.raises(ParameterError, match="3"):
        extend(algebra_of("swap", 2, 2), values)
    with pytest.raises(ParameterError, match="3"):
        value(algebra_of("swap", 2, 2), (1, 0), values)


def test_a_topic_without_relevant_documents_is_said_to_score_what_the_worst_run_scores():
    made = extend(algebra_of("replacement", 1, 2), {(1,): 7}, bottom=5, name="Mine")
    scores = md.evaluate({"1": {"a": 0}, "2": {"b": 1}}, {"1": {"a": 1.0}, "2": {"b": 1.0}}, [made]).scores("Mine")
    assert scores.values.tolist() == [[5.0, 7.0]]
    [told] = [caveat.text for caveat in scores.caveats if caveat.kind is CaveatKind.NO_RELEVANT]
    assert "(topic 1); Mine is 5 there" in told


def test_every_step_of_a_large_table_is_looked_at():
    algebra = algebra_of("swap", 120, 2)
    blocks = map(algebra.irreducible, range(algebra.irreducible_count))
    values = [Fraction(sum(121 - rank for rank, grade in enumerate(block, 1) if grade)) for block in blocks]
    assert extend(algebra, values).isotone.how is How.PROVED
    # one block out of 7,260 is worth too much, so that the next better one is worth too little
    values[5_000] += 10**6
    broken = extend(algebra, values).isotone
    assert broken.how is How.COUNTEREXAMPLE
    with pytest.raises(NotMeaningful):
        extend(algebra, values, strict=True)
