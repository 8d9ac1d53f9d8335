"""Orders of runs over any set of grades: the same as over as many whole grades, in other words."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from measurand.errors import InputError, NoBound, NotAvailable, ParameterError
from measurand.judged import Relevance
from measurand.judged.graded_runs import codes, decoded
from measurand.lattice import OwnLattice, RunLattice, closest_bounds, compare_runs, detours, generated, learn
from measurand.orders import ORDERS, adjacent_swaps, from_moves, replacements, swaps

REAL = Relevance.graded(0, "0.3", 1)
LABELS = Relevance.labelled("nr", "pr", "hr")
GAPS = Relevance.graded(0, 1, "7/2")
WRITTEN = {REAL: ("0", 0.3, Fraction(1)), LABELS: ("nr", "pr", "hr"), GAPS: (0, "1", "3.5")}
"""The grades as somebody might write them."""


def outcome(ask, *runs):
    """Return the run that a bound is, or the closest bounds where there is none."""
    try:
        return ask(*runs)
    except NoBound as none:
        return (none.x, none.y, *none.candidates)


def named(relevance, runs):
    return tuple(decoded(run, relevance) for run in runs)


@pytest.mark.parametrize("relevance", WRITTEN, ids=["real", "labels", "gaps"])
@pytest.mark.parametrize("order", ORDERS)
def test_runs_of_other_grades_are_those_of_whole_grades_in_other_words(order, relevance):
    whole, other = RunLattice(order, 2, 3), RunLattice(order, 2, relevance)
    runs = list(product(range(3), repeat=2))
    written = {run: tuple(WRITTEN[relevance][grade] for grade in run) for run in runs}
    assert (other.size, other.grades, other.relevance) == (whole.size, 3, relevance)
    assert named(relevance, whole.join_irreducibles()) == tuple(other.join_irreducibles())
    assert named(relevance, (whole.bottom, whole.top)) == (other.bottom, other.top)
    assert named(relevance, whole.poset().elements) == other.poset().elements
    assert (whole.poset().leq == other.poset().leq).all()
    for answer in ("is_lattice", "is_distributive"):
        ours, theirs = getattr(whole, answer)(), getattr(other, answer)()
        assert bool(ours) == bool(theirs)
        assert named(relevance, ours.witness or ()) == tuple(theirs.witness or ())
    for run in runs:
        same = written[run]
        assert other.rank(same) == whole.rank(run)
        assert (same in other.join_irreducibles()) == (run in whole.join_irreducibles())
        for ask in ("covers", "covered", "decompose"):
            assert getattr(other, ask)(same) == named(relevance, getattr(whole, ask)(run))
    for x, y in combinations_with_replacement(runs, 2):
        pair = written[x], written[y]
        assert other.compare(*pair) is whole.compare(x, y)
        assert tuple(other.interval(*pair)) == named(relevance, whole.interval(x, y))
        for ask in ("join", "meet"):
            ours, theirs = outcome(getattr(whole, ask), x, y), outcome(getattr(other, ask), *pair)
            assert theirs == (named(relevance, ours) if isinstance(ours[0], tuple) else decoded(ours, relevance))
        for ask in ("completed_join", "completed_meet"):
            ours, theirs = getattr(whole, ask)(x, y), getattr(other, ask)(*pair)
            assert (theirs.counts, theirs.rank) == (ours.counts, ours.rank)
            assert (theirs.above, theirs.below) == (named(relevance, ours.above), named(relevance, ours.below))
            assert (theirs.run is None) == (ours.run is None)


@pytest.mark.parametrize("relevance", WRITTEN, ids=["real", "labels", "gaps"])
def test_own_orders_of_other_grades_are_those_of_whole_grades_in_other_words(relevance):
    for functions in ((swaps, replacements), (adjacent_swaps,)):
        whole, other = OwnLattice(from_moves(*functions), 2, 3), OwnLattice(from_moves(*functions), 2, relevance)
        assert named(relevance, whole.poset().elements) == other.poset().elements
        assert (whole.poset().leq == other.poset().leq).all()
        assert [node.value for node in whole.hasse().nodes] == [node.value for node in other.hasse().nodes]
    order = from_moves(swaps, replacements, grades=relevance, within="swap")
    lowest, middle, highest = WRITTEN[relevance]
    moves = order.chain((lowest, middle), (middle, highest))
    assert moves[-1].after == decoded((1, 2), relevance)
    assert order.better((lowest, highest)) == named(relevance, [(2, 0), (1, 2)])
    assert generated(["replacement", "swapping"], 2, relevance).elements == named(
        relevance, generated(["replacement", "swapping"], 2, 3).elements
    )
    assert len(detours(["replacement", "swapping"], 2, relevance)) == len(detours(["replacement", "swapping"], 2, 3))


def test_functions_of_moves_are_given_the_grades_themselves():
    seen = set()

    def to_the_top(run, grades):
        seen.update(run)
        assert grades == REAL
        return [(*run[:-1], 1)] if run[-1] < 1 else []

    order = from_moves(to_the_top, grades=REAL)
    assert order.better(("0.3", 0)) == ((Fraction(3, 10), 1),)
    assert seen == {Fraction(3, 10), 0}
    wrong = from_moves(lambda run: [(*run[:-1], 0.5)], name="wrong", grades=REAL)
    with pytest.raises(ParameterError, match=r"from \(0.3, 0\) to .* none of the grades of the .*, 0, 0.3, 1"):
        wrong.better((0.3, 0))
    turn = from_moves(lambda run: [run[::-1]] if run[0] != run[1] else [], name="turn", grades=REAL)
    circle = r"\(0.3, 0\) → \(0, 0.3\) → \(0.3, 0\)"
    with pytest.raises(InputError, match=circle):
        turn.explain((0.3, 0), (0, 0.3))
    with pytest.raises(InputError, match="go round in a circle"):
        OwnLattice(turn, 2)
    with pytest.raises(ParameterError, match=r"has the grades 0, 0.3, 1, not nr, pr, hr"):
        order.explain(("nr", "hr"), ("hr", "hr"), LABELS)


def test_a_measure_with_linear_gains_takes_the_grades_for_gains():
    lattice = RunLattice("replacement", 2, REAL)
    mean = {run: sum(map(Fraction, run)) / 2 for run in lattice.poset().elements}
    assert all(lattice.value(run, "gP") == value for run, value in mean.items())
    assert {node.element: node.value for node in lattice.hasse("gP").nodes} == mean
    assert lattice.is_valuation("DCG")
    assert lattice.is_isotone(lambda run: sum(run))
    broken = lattice.is_interval("gP").witness
    assert list(broken.values) == [mean[run] for run in broken.runs]
    assert not lattice.is_interval(lambda run: sum(run))
    assert lattice.is_interval(lattice.rank)
    failed = lattice.is_valuation(lambda run: 1 / (run[0] - Fraction(3, 10)))
    assert failed.witness.runs[0][0] == Fraction(3, 10)
    assert "on (0.3, " in str(failed.witness)
    assert lattice.distance("gP", (0.3, 0), (0, 1)) == Fraction(13, 20)
    table = {(0.3, 0): 1, ("1", 0): 2, (0, 0.3): 3, (0, 1): 4}
    assert lattice.value((0.3, 1), table) == 5


def test_every_measure_takes_such_grades_and_only_a_new_one_cannot_be_made_of_them():
    lattice, whole = RunLattice("swap", 2, REAL), RunLattice("swap", 2, 3)
    # from 1/2 up, half of the highest grade, a document is relevant: the highest grade alone
    for run in lattice.poset().elements:
        assert lattice.value(run, "AP") == whole.value([2 * (grade == 1) for grade in run], "AP(rel=2)")
    with pytest.raises(NotAvailable, match=r"here they are 0, 0.3, 1"):
        lattice.extend("AP")


def test_labels_stand_for_whole_grades_to_a_measure():
    lattice = RunLattice("replacement", 2, LABELS)
    table = {"pr,nr": "0.4", "hr,nr": "0.7", ("nr", "pr"): "0.1", ("nr", "hr"): "0.3"}
    assert lattice.extend(table).of((2, 1)) == Fraction(4, 5)
    assert lattice.is_valuation("AP").witness.runs[0] == ("nr", "pr")


@pytest.mark.parametrize("grades", [Relevance.real(1), Relevance.graded(0), (0, 1, 1), (1, 2), "3", {0: 1}])
def test_what_is_no_finite_set_of_grades_is_refused(grades):
    with pytest.raises(ParameterError):
        RunLattice("swap", 2, grades)


@pytest.mark.parametrize("run", [(0.3, 0.5), (0.3,), (0.3, "nr"), (2, 0), "0.3,0"])
def test_runs_of_grades_that_there_are_not_are_refused(run):
    with pytest.raises(ParameterError):
        RunLattice("swap", 2, REAL).covers(run)


def test_lattices_of_equal_grades_are_equal_and_travel():
    lattice = RunLattice("swap", 2, (0, 0.3, 1))
    assert lattice == RunLattice("swap", 2, REAL) == pickle.loads(pickle.dumps(lattice))
    assert lattice != RunLattice("swap", 2, 3)
    assert RunLattice("swap", 2, Relevance.graded(0, 1, 2)) == RunLattice("swap", 2, 3)
    assert repr(lattice) == "RunLattice(order='swap', depth=2, grades=(0, 0.3, 1))"
    assert pickle.loads(pickle.dumps(lattice.top)) == lattice.top


def test_several_runs_have_ranks_where_the_grades_are_known():
    runs = (0.3, 0), ("0.30", 1), (0, 1)
    assert compare_runs(*runs).ranks is None
    assert compare_runs(*runs, relevance=REAL).ranks.ranks == (2, 4, 2)
    assert compare_runs(*runs, relevance=REAL).bounds == compare_runs(*runs).bounds
    assert closest_bounds((0, 1), (0.3, 0), relevance=REAL).above == ((Fraction(3, 10), 1), (1, 0))


@pytest.mark.parametrize("additive", [False, True])
def test_what_is_learned_of_real_grades_is_what_is_learned_of_whole_ones(additive):
    said = [((1, 0), (0, 2)), ((2, 0), (1, 1), 3), ((0, 1), "~", (0, 1))]
    real = [tuple(decoded(part, REAL) if isinstance(part, tuple) else part for part in one) for one in said]
    gains = {"gains": (0, "0.3", 1)} if additive else {}
    whole, other = learn(said, grades=3, additive=additive, **gains), learn(real, additive=additive)
    assert {codes(run, REAL): value for run, value in other.values.items()} == whole.values
    assert str(other.statements[0]) == "0.3,0 is preferred to 0,1"
    with pytest.raises(NotAvailable, match=r"here they are 0, 0.3, 1"):
        other.measure  # noqa: B018
    assert "learn(…).values" in str(other)
    circle = learn([((0, 0.3), (0.3, 0))])
    assert str(circle.contradiction).startswith("This statement contradicts the order 'swap': 0,0.3 is preferred")
