"""Learning: measures that agree with statements, checked against the definition of a valuation, run by run."""

from __future__ import annotations

from fractions import Fraction
from io import StringIO
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

import measurand as md
from measurand.errors import InputFileError, NotAvailable, ParameterError
from measurand.lattice import RunLattice, RunStatement, learn
from measurand.lattice.learning import fitting

THREE = RunLattice("swap", 3, 2)
RUNS = list(THREE.algebra.runs())


def drawn(runs, kinds=(">",)):
    """Return a strategy for statements on some runs."""
    one = st.tuples(st.sampled_from(runs), st.sampled_from(kinds), st.sampled_from(runs), st.integers(1, 3))
    return st.lists(one, min_size=1, max_size=7)


def by_definition(lattice, statements, least=None):
    """Return what a linear program over the values of all runs says, with the law of valuations spelled out.

    Without `least`: the largest smallest difference, of statements and of covers. With it, the smallest total shortfall
    where covers differ by it.
    """
    runs = list(lattice.algebra.runs())
    at = {run: np.eye(len(runs))[place] for place, run in enumerate(runs)}
    laws = [at[x] + at[y] - at[lattice.join(x, y)] - at[lattice.meet(x, y)] for x, y in combinations(runs, 2)]
    ends = [at[lattice.algebra.bottom], at[lattice.algebra.top]]
    steps = [at[high] - at[low] for low in runs for high in lattice.algebra.upper_covers(low)]
    stated = [at[tuple(one)] - at[tuple(other)] for one, _, other, _ in statements]
    strict = [kind == ">" for _, kind, _, _ in statements]
    n, m = len(runs), len(statements)
    if least is None:
        level = [row for row, (_, kind, _, _) in zip(stated, statements, strict=True) if kind == "~"]
        above = [(row, 1) for row in steps] + [
            (row, float(s)) for row, s, (_, kind, _, _) in zip(stated, strict, statements, strict=True) if kind != "~"
        ]
        found = linprog(
            [0.0] * n + [-1.0],
            A_ub=[[*-row, t] for row, t in above],
            b_ub=[0.0] * len(above),
            A_eq=[[*row, 0] for row in [*laws, *level, *ends]],
            b_eq=[0.0] * (len(laws) + len(level) + 1) + [1.0],
            bounds=[(None, None)] * n + [(0, None)],
        )
        return None if found.status else -found.fun
    unit = np.eye(m)
    rows = [[*-row, *-each] for row, each in zip(stated, unit, strict=True)]
    right = [-least * s for s in strict]
    for row, each, (_, kind, _, _) in zip(stated, unit, statements, strict=True):
        if kind == "~":
            rows.append([*row, *-each])
            right.append(0.0)
    rows += [[*-row, *np.zeros(m)] for row in steps]
    right += [-least] * len(steps)
    equations = [[*row, *np.zeros(m)] for row in [*laws, *ends]]
    costs = [0.0] * n + [float(count) for *_, count in statements]
    bounds = [(None, None)] * n + [(0, None)] * m
    return linprog(costs, rows, right, equations, [0.0] * (len(laws) + 1) + [1.0], bounds).fun


def can_hold(lattice, statements):
    """Return whether statements can hold together, by eliminating one step after another, in fractions."""
    below = {j: [k for k in lattice.join_irreducibles() if lattice.join(k, j) == j] for j in lattice.algebra.runs()}
    steps = list(lattice.join_irreducibles())

    def row(one, other):
        return tuple(Fraction((j in below[one]) - (j in below[other])) for j in steps)

    system = {(tuple(Fraction(i == j) for i in range(len(steps))), False) for j in range(len(steps))}
    system.add(((Fraction(1),) * len(steps), True))
    for statement in statements:
        system.add((row(statement.one, statement.other), statement.kind == ">"))
        if statement.kind == "~":
            system.add((row(statement.other, statement.one), False))
    for place in range(len(steps)):
        up = [each for each in system if each[0][place] > 0]
        down = [each for each in system if each[0][place] < 0]
        system = {each for each in system if each[0][place] == 0}
        for (one, first), (other, second) in ((a, b) for a in up for b in down):
            both = [x / one[place] - y / other[place] for x, y in zip(one, other, strict=True)]
            size = max(map(abs, both)) or 1
            system.add((tuple(x / size for x in both), first or second))
    return not any(is_strict for _, is_strict in system)


@given(drawn(RUNS, (">", ">", ">=", "~")))
def test_a_measure_is_found_exactly_when_statements_can_hold_together(statements):
    found = learn(statements)
    assert bool(found) == can_hold(THREE, found.statements)
    assert found.how == "exact"
    if found:
        assert all(each.met_by(found.measure.of(each.one) - found.measure.of(each.other)) for each in found.statements)
        assert found.measure.isotone
        assert (found.measure.of((0, 0, 0)), found.measure.of((1, 1, 1))) == (0, 1)
    else:
        contradiction = found.contradiction
        assert contradiction.verified
        assert contradiction.minimal
        assert not can_hold(THREE, contradiction.statements)
        for place in range(len(contradiction.statements)):
            assert can_hold(THREE, contradiction.statements[:place] + contradiction.statements[place + 1 :])


@given(drawn(RUNS))
def test_no_valuation_keeps_runs_further_apart(statements):
    best = by_definition(THREE, statements)
    found = learn(statements)
    assert bool(found) == (best is not None and best > 1e-9)
    if found:
        assert float(min(found.margin, found.smallest_step)) == pytest.approx(best)


@given(drawn(RUNS, (">", ">", ">=", "~")))
def test_no_valuation_falls_short_by_less(statements):
    found = learn(statements, slack=True)
    if found:
        assert found.total_shortfall is None
        return
    assert found.how == "exact"
    assert found.tolerance == Fraction(1, 12)
    assert float(found.total_shortfall) == pytest.approx(by_definition(THREE, statements, 1 / 12))
    assert found.smallest_step >= found.tolerance
    assert {each.statement for each in found.disagreements} == {
        each for each in found.statements if not each.met_by(found.measure.of(each.one) - found.measure.of(each.other))
    }


@pytest.mark.parametrize(
    ("measure", "order", "depth", "grades"),
    [("RBP(p=0.8)", "swap", 6, 2), ("AP", "swap", 4, 2), ("DCG", "swap", 3, 4), (sum, "set-replacement", 4, 3)],
)
def test_what_a_valuation_prefers_is_learned(measure, order, depth, grades):
    truth, rng = md.define(measure, name="Total") if measure is sum else md.parse(measure), np.random.default_rng(7)
    known = {"recall_base": depth} if measure == "AP" else {}
    pairs = rng.integers(0, grades, (150, 2, depth)).tolist()
    values = [(tuple(x), tuple(y), truth.of(x, **known) - truth.of(y, **known)) for x, y in pairs]
    found = learn([(x, y) if gap > 0 else (y, x) for x, y, gap in values if gap], order, depth=depth, grades=grades)
    assert found
    assert found.measure.isotone


def test_learned_discounts_are_those_of_the_measure():
    votes = [("1,0,0,0", "0,1,1,0"), ("0,1,0,0", "0,0,1,1"), ("0,1,1,1", "1,0,0,0")]
    found = learn(votes, additive=True)
    weights = found.discounts
    assert sum(weights) == 1
    assert weights == tuple(found.measure.of(run) for run in np.eye(4, dtype=int).tolist())
    assert found.measure.of((1, 0, 1, 1)) == weights[0] + weights[2] + weights[3]
    assert all(high > low for high, low in pairwise(weights))
    extended = RunLattice("swap", 4, 2).extend(found.values)
    assert all(extended.of(run) == found.measure.of(run) for run in RunLattice("swap", 4, 2).algebra.runs())


@given(drawn(list(RunLattice("swap", 3, 3).algebra.runs())))
def test_no_discount_curve_keeps_runs_further_apart(statements):
    gains = np.array([0.0, 1.0, 3.0])
    stated = [gains[list(one)] - gains[list(other)] for one, _, other, _ in statements]
    steps = np.eye(3) - np.eye(3, k=1)
    best = linprog(
        [0, 0, 0, -1],
        A_ub=[[*-row, 1] for row in [*stated, *steps]],
        b_ub=[0] * (len(stated) + 3),
        A_eq=[[3, 3, 3, 0]],
        b_eq=[1],
    )
    found = learn(statements, depth=3, grades=3, additive=True, gains=[0, 1, 3])
    assert bool(found) == (best.status == 0 and -best.fun > 1e-9)
    if found:
        weights = found.discounts
        drops = [high - low for high, low in pairwise([*weights, Fraction(0)])]
        assert float(min(found.margin, *drops)) == pytest.approx(-best.fun)


def test_gains_weigh_grades_in_a_discount_curve():
    found = learn([("3,0", "2,3")], additive=True, gains=[0, "1/2", 1, 3])
    first, second = found.discounts
    assert found.measure.of((3, 0)) == 3 * first
    assert found.measure.of((1, 2)) == first / 2 + second
    assert found.measure.of((3, 3)) == 1
    # 3 first - (first + 3 second) is at least what the other steps are
    assert found.margin == 2 * first - 3 * second > 0


@pytest.mark.parametrize("factor", [2, "1/3", "0.33333333", 10**7, 10**30, 3.141592653589793])
def test_the_unit_of_gains_changes_neither_the_values_nor_what_is_claimed(factor):
    unit = Fraction(str(factor))
    for votes, gains in ([("1,0,0", "0,1,1")], [0, 1]), ([("2,0,0", "1,1,1"), ("1,1,1", "1,0,2")], [0, 2, 5]):
        plain = learn(votes, additive=True, gains=gains)
        other = learn(votes, additive=True, gains=[gain * unit for gain in gains])
        assert (other.margin, other.smallest_step, other.how) == (plain.margin, plain.smallest_step, "exact")
        assert tuple(weight * unit for weight in other.discounts) == plain.discounts
        slack, again = (
            learn([*votes, votes[0][::-1]], additive=True, gains=[gain * by for gain in gains], slack=True)
            for by in (1, unit)
        )
        assert (slack.tolerance, slack.total_shortfall) == (again.tolerance, again.total_shortfall)


def test_the_smallest_step_of_a_curve_is_that_of_the_smallest_rise_in_gain():
    found = learn([("2,0", "1,1")], additive=True, gains=[0, 2, 5])
    steps = [found.measure.of(high) - found.measure.of(low) for high, low in (((0, 1), (0, 0)), ((1, 0), (0, 1)))]
    assert found.smallest_step == min(steps) > 0


def test_gains_without_a_short_common_measure_are_refused():
    for gains in ([0, 1, 3.141592653589793], [0, 1, 10**7], [0, "0.33333333", 1]):
        with pytest.raises(ParameterError, match="in the proportion of whole numbers to 10,000"):
            learn([("2,0", "1,1")], additive=True, gains=gains)


def test_a_learned_curve_is_made_again_from_what_is_stored():
    found = learn([("3,0", "2,3")], additive=True, gains=[0, "1/2", 1, 3], name="Votes")
    kept = found.to_dict()
    assert md.DiscountCurve(by_rank=kept["discounts"], by_grade=kept["gains"], label="Votes") == found.measure
    assert md.parse(kept["spelling"]) == found.measure
    plain = learn([("3,0", "2,3")], additive=True).measure
    assert md.parse(repr(plain)) == plain


@pytest.mark.parametrize("additive", [True, False])
def test_of_a_learned_binary_measure_it_can_be_said_which_grades_are_relevant(additive):
    votes = learn([("1,0,0", "0,1,1")], additive=additive).measure
    assert votes(rel=2).of((2, 1, 0)) == votes.of((1, 0, 0)) != votes.of((2, 1, 0))
    judged = md.judge({"1": {"a": 3.0, "b": 2.0, "c": 1.0}}, {"1": {"a": 2, "b": 1}})
    assert votes(rel=2).scores(judged).values.tolist() == [[float(votes.of((1, 0, 0)))]]
    graded = learn([("2,0", "1,1")], additive=additive).measure
    with pytest.raises(ParameterError, match="rel=2 is for"):
        graded(rel=2)


def test_weights_may_rise_where_only_replacement_is_kept():
    found = learn([("0,1", "1,0")], "replacement", additive=True)
    assert found.discounts[1] > found.discounts[0] > 0
    assert learn([("0,1", "1,0")], additive=True).contradiction.against_order


def test_equal_steps_are_the_answer_where_they_agree():
    found = learn([((1, 1, 1), (0, 0, 0))])
    assert set(found.steps) == {Fraction(1, 6)}


def test_flat_steps_may_leave_most_runs_level():
    found = learn([((1, 0, 0), (0, 1, 1))], flat=True)
    assert found.margin == 1
    assert found.measure.of((0, 1, 1)) == 0
    assert "5 of the 6 steps of the order add nothing" in str(found)


def test_runs_that_are_said_to_be_equally_good_flatten_steps_and_nothing_else():
    found = learn([((1, 0, 0), "~", (0, 1, 0))])
    assert found
    flat = [run for run, step in zip(THREE.join_irreducibles(), found.steps, strict=True) if not step]
    assert flat == [(1, 0, 0)]
    assert "Every other step up in the order adds 1/5 or more. No other keeps them further apart (exact)." in str(found)


def test_what_is_said_twice_counts_twice_and_the_majority_has_its_way():
    votes = [("1,0,0", "0,1,1"), ("0,1,1", "1,0,0"), ("1,0,0", "0,1,1")]
    found = learn(votes, slack=True)
    assert [str(each) for each in found.statements] == [
        "1,0,0 is preferred to 0,1,1 (2 times)",
        "0,1,1 is preferred to 1,0,0",
    ]
    assert [each.statement for each in found.disagreements] == [found.statements[1]]
    assert found.agreement == Fraction(2, 3)
    assert learn({("1,0,0", "0,1,1"): 2, ("0,1,1", "1,0,0"): 1}).contradiction.circle


def test_where_nothing_was_learned_there_is_no_measure_to_use():
    found = learn([((0, 1), (1, 0))])
    assert not found
    assert found.values is None
    with pytest.raises(NotAvailable, match="slack=True"):
        _ = found.measure


def test_a_circle_through_the_order_is_called_one():
    found = learn([("0,1,1", "1,0,0"), ("0,1,0", ">=", "1,0,0"), ("1,0,0", "0,1,0")])
    assert {str(each) for each in found.contradiction.statements} == {
        "0,1,0 is at least as good as 1,0,0",
        "1,0,0 is preferred to 0,1,0",
    }
    through = learn([("1,0,0,0", "0,1,1,0"), ("0,1,0,1", "1,0,0,0")]).contradiction
    assert through.circle  # since 0,1,1,0 is above 0,1,0,1
    assert "in a circle" in str(through)


def test_statements_without_a_circle_can_contradict_each_other_by_their_sums():
    votes = [("0,0,1,1,1", "0,1,1,0,0"), ("1,0,1,0,0", "1,0,0,1,1")]
    found = learn([*votes, ("1,0,0,0,0", "0,1,1,0,0")]).contradiction
    assert not found.circle
    assert [str(each) for each in found.statements] == [f"{one} is preferred to {other}" for one, other in votes]
    assert found.weights == (1, 1)
    assert "at least as many runs on the right have m or more relevant documents down to rank k" in str(found)
    assert "A measure that is no valuation may agree with them." in str(found)


def test_a_valuation_may_agree_where_no_discount_curve_does():
    votes = [("1,1,0,0,0", "1,0,1,1,0"), ("0,0,1,1,0", "0,1,0,0,0")]
    assert learn(votes)
    found = learn(votes, additive=True).contradiction
    assert found.verified
    assert not found.circle
    assert "down to every rank the right has at least as much gain" in str(found)


def test_the_order_is_not_said_to_decide_what_only_the_gains_decide():
    found = learn([("1,1", "2,0")], additive=True)
    assert found.against_order == ()
    assert not found.contradiction.against_order
    assert found.contradiction.verified
    assert "The order puts" not in str(found)
    assert str(found).startswith("No discount curve with these gains agrees with the statement.")
    assert "Down to every rank 2,0 has at least as much gain as 1,1, though the order leaves open" in str(found)
    both = learn([("1,1", "2,0"), ("0,1", "1,0")], additive=True)
    assert [str(each) for each in both.against_order] == ["0,1 is preferred to 1,0"]
    assert both.contradiction.against_order
    weak = learn([("1,1", ">=", "2,2")], additive=True)
    assert "This statement cannot hold with these gains: 1,1 is at least as good as 2,2." in str(weak)
    assert "leaves open" not in str(weak)


def test_only_one_contradiction_is_looked_for_and_that_is_said():
    found = learn([("1,0,0", "0,1,1"), ("0,1,1", "1,0,0"), ("1,0,1", "0,1,0")])
    assert "Without these, others may still contradict each other." in str(found)
    assert "others may" not in str(learn([("1,0,0", "0,1,1"), ("0,1,1", "1,0,0")]))


def test_statements_against_the_order_are_all_named():
    found = learn([((0, 1), (1, 0)), ((1, 1), (0, 1)), ((0, 0), (1, 1)), ((0, 1), (0, 1))])
    assert found.contradiction.against_order
    assert [str(each) for each in found.against_order] == [
        "0,1 is preferred to 1,0",
        "0,0 is preferred to 1,1",
        "0,1 is preferred to 0,1",
    ]
    assert "2 more statements contradict the order: 0,0 is preferred to 1,1; 0,1 is preferred to 0,1." in str(found)


def test_statements_that_leave_nothing_to_measure_contradict_each_other():
    found = learn([((0, 0), ">=", (1, 1))])
    assert found.contradiction.verified
    assert learn([((0, 0), "~", (1, 1))]).contradiction.verified
    assert "No measure that keeps the order and tells the best run from the worst agrees" in str(found)
    assert "every run would have the same value" in str(found)
    both = learn([((0, 0), "~", (1, 0)), ((1, 0), "~", (1, 1))])
    assert both.contradiction.circle
    assert "no valuation may agree" not in str(both)


def test_a_learned_measure_works_wherever_a_measure_does():
    found = learn([((1, 0, 0), (0, 1, 1)), ((0, 1, 1), (0, 1, 0))], name="Votes")
    table = md.evaluate(md.sample.qrels(), md.sample.runs()[:2], [found.measure])
    assert "Votes" in str(table)
    again = THREE.extend(found.to_dict()["values"])
    assert [again.of(run) for run in RUNS] == [found.measure.of(run) for run in RUNS]


def test_where_no_corner_is_recovered_the_answer_is_found_not_exact(monkeypatch):
    monkeypatch.setattr(fitting, "optimum", lambda program: None)
    votes = [((1, 0, 0), (0, 1, 1)), ((0, 1, 1), (0, 1, 0))]
    found = learn(votes)
    assert found
    assert found.how == "found"
    assert "Another may keep them further apart" in " ".join(str(found).split())
    slack = learn([*votes, ((0, 1, 1), (1, 0, 0))], slack=True)
    assert slack.how == "found"
    assert slack.smallest_step > 0


def test_statements_are_read_from_files_with_comments_headers_and_signs():
    text = "better\tworse\tcount\n# a comment\n\n1,0\t0,1\t2\n0 1\t~\t01\n1,-1\t>=\t0,0\t1/2\n"
    found = learn(StringIO(text))
    assert [str(each) for each in found.statements] == [
        "1,0 is preferred to 0,1 (2 times)",
        "0,1 is as good as 0,1",
        "1,0 is at least as good as 0,0 (0.5 times)",
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("1,0\t0,1,1", "(0, 1, 1) is no run of 2 ranks with grades from 0 to 1; the first run has 2 ranks"),
        ("1,0", "1 columns where a statement has two runs"),
        ("1,x\t0,1", "'1,x' is no judged run"),
        ("1,0\t0,1\tmany", "many"),
        ("1,0\t0,1\t0", "a statement is made once or more often"),
        ("1,0\t<\t0,1", "a statement is written with '>', '~' or '>=', not '<'"),
    ],
)
def test_errors_in_files_name_file_and_line(tmp_path, line, why):
    (tmp_path / "votes").write_text(f"1,0\t0,1\n{line}\n")
    with pytest.raises(InputFileError) as error:
        learn(tmp_path / "votes")
    assert str(error.value).startswith(f"{tmp_path / 'votes'}:2: ")
    assert why in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("statements", "options", "why"),
    [
        ([], {}, "there is no statement"),
        ([((1, 0), (0, 1)), ((1, 0, 0), (0, 1))], {}, "statement 2: (1, 0, 0) is no run of 2 ranks"),
        ([((1, 0), (0, 1))], {"depth": 3}, "statement 1: (1, 0) is no run of 3 ranks with grades from 0 to 1"),
        ([((2, 0), (0, 1))], {"grades": 2}, "statement 1: (2, 0) is no run of 2 ranks with grades from 0 to 1"),
        ([((1, -3), (0, 1))], {}, "statement 1: 1,-3 is no judged run"),
        ([((1, 0), (0, 1), 10**9)] * 2, {}, "statement 2: a statement is made once or more often"),
        ([((1, 0), (0, 1))], {"name": "AP"}, "AP is another measure"),
        ([((), ())], {}, "statement 1: a run without any rank cannot be compared"),
        ([(1, 0)], {}, "statement 1: 1 is no judged run"),
        (["10"], {}, "statement 1: '10' is no statement"),
        ([((1, 0), (0, 1))], {"order": "best"}, "best"),
        ([((1, 0), (0, 1))], {"gains": [0, 1]}, "gains belong to a discount curve"),
        ([((1, 0), (0, 1))], {"gains": [0], "additive": True}, "2 grades need as many gains"),
        ([((1, 0), (0, 1))], {"gains": [0, -1], "additive": True}, "gains are 0 for grade 0 and rise"),
        ([((1, 0), (0, 1))], {"order": "projection", "additive": True}, "weighs ranks one by one"),
        ([((1, 0), (0, 1))], {"name": "not a name"}, "cannot name a measure"),
        (7, {}, "statements are a file, or a list"),
    ],
)
def test_wrong_calls_are_answered_in_one_line(statements, options, why):
    with pytest.raises(ParameterError) as error:
        learn(statements, **options)
    assert why in str(error.value)
    assert "\n" not in str(error.value)


def test_a_run_with_a_grade_too_high_is_not_said_to_be_too_long():
    with pytest.raises(ParameterError) as error:
        learn([("3,0", "1,0")], grades=2)
    assert "the first run has" not in str(error.value)


def test_counts_that_cannot_be_weighed_against_each_other_are_refused():
    primes = [999_999_937, 999_999_929, 999_999_893]
    votes = [(("1,0,0", "0,1,1", f"1/{prime}"), ("0,1,1", "1,0,0", f"1/{prime + 2}")) for prime in primes]
    with pytest.raises(ParameterError, match="no short common denominator"):
        learn([vote for pair in votes for vote in pair], slack=True)


def test_orders_with_too_many_join_irreducible_runs_are_refused():
    with pytest.raises(NotAvailable, match="65,535 join-irreducible runs"):
        learn([((1,) * 16, (0,) * 16)], "projection")


def test_a_statement_is_read_as_people_write_it():
    assert RunStatement("1,0", ">", [0, 1]) == RunStatement((1, -1), "≻", (0, 1))
    assert RunStatement((1, 0), "=", (0, 1), 2).to_dict()["kind"] == "~"
