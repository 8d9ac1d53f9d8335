"""The ranks of runs in an order, and whether a measure is an interval scale of it, against the definitions."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.judged import JudgedRuns
from measurand.lattice import RunLattice
from measurand.measures import DiscountCurve, LatticeRank, parse
from measurand.orders import ORDERS
from measurand.verdict import How

SPACES = [("swap", 4, 2), ("swap", 3, 3), ("swap", 2, 4), ("replacement", 3, 3), ("projection", 3, 3)]
SPACES += [("set-replacement", 4, 3), ("set-projection", 4, 3), ("replacement", 4, 2), ("projection", 4, 2)]
MEASURES = ["P", "LatticeRank@3", "LatticeRank@4", "gP", "RBP(p=1/2)", "gRBP(p=1/3)", "AP", "RR", "ERR", "DCG(b=2)"]
MEASURES += ["nDCG", "ESL", "NumNonrelRet", "OIE", "Success@1", "AP@2"]


@cache
def heights(order: str, depth: int, grades: int) -> dict[tuple[int, ...], int]:
    """Return the length of the longest chain in the completion that leads up to each run."""
    completion = RunLattice(order, depth, grades).poset().completion()
    return {run: level for level, elements in enumerate(completion.levels()) for run in elements}


@cache
def intervals(order: str, depth: int, grades: int) -> list[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Return every run with every better one, and the length between."""
    poset, height = RunLattice(order, depth, grades).poset(), heights(order, depth, grades)
    pairs = ((x, y) for x, y in product(poset, repeat=2) if x != y and poset.below(x, y))
    return [(x, y, height[y] - height[x]) for x, y in pairs]


@pytest.mark.parametrize(("order", "depth", "grades"), [*SPACES, ("swap", 1, 4), ("swap", 3, 4), ("swap", 6, 2)])
def test_the_rank_of_a_run_is_its_height_in_the_completion(order, depth, grades):
    runs = RunLattice(order, depth, grades)
    height = heights(order, depth, grades)
    assert all(runs.rank(run) == height[run] for run in runs.poset())


@pytest.mark.parametrize(("order", "depth", "grades"), SPACES)
def test_a_measure_is_an_interval_scale_if_intervals_of_equal_length_differ_alike(order, depth, grades):
    runs = RunLattice(order, depth, grades)
    seen = set()
    for measure in map(parse, MEASURES):
        worth = {run: runs.completed_join(run).value(measure) for run in runs.poset()}
        sign = -1 if measure.lower_is_better else 1
        steps = defaultdict(set)
        for x, y, length in intervals(order, depth, grades):
            steps[length].add(round(float(worth[y]) - float(worth[x]), 12) * sign)
        due = all(len(differences) == 1 and min(differences) > 0 for differences in steps.values())
        verdict = runs.is_interval(measure)
        assert bool(verdict) == due, measure
        assert verdict.certain
        seen.add(due)
        if len(verdict.witness or ()) == 4:
            check_certificate(runs, verdict.witness)
    assert False in seen


def check_certificate(runs: RunLattice, witness) -> None:
    """Check that two intervals have one length and different rises."""
    (low, high, other_low, other_high), values = witness.runs, witness.values
    assert runs.below(low, high)
    assert runs.below(other_low, other_high)
    assert runs.rank(high) - runs.rank(low) == runs.rank(other_high) - runs.rank(other_low)
    rises = [float(values[end + 1]) - float(values[end]) for end in (0, 2)]
    assert rises[0] != pytest.approx(rises[1], rel=1e-9, abs=1e-12)


@given(data=st.data(), space=st.sampled_from([("swap", 2, 3), ("swap", 3, 2), ("replacement", 2, 3)]))
def test_the_verdict_on_any_function_is_that_of_all_intervals(data, space):
    runs = RunLattice(*space)
    worth = {run: 2 * runs.rank(run) + data.draw(st.sampled_from([0, 0, 0, 0, 1])) for run in runs.poset()}
    steps = defaultdict(set)
    for x, y, length in intervals(*space):
        steps[length].add(worth[y] - worth[x])
    verdict = runs.is_interval(lambda run: worth[tuple(run)])
    assert bool(verdict) == all(len(differences) == 1 for differences in steps.values())
    if not verdict:
        check_certificate(runs, verdict.witness)


@pytest.mark.parametrize("order", sorted(ORDERS))
@pytest.mark.parametrize("recall_base", [1, 2])
def test_on_a_topic_with_few_relevant_documents_only_the_runs_it_allows_count(order, recall_base):
    runs = RunLattice(order, 4, 3)
    possible = [run for run in runs.poset() if sum(map(bool, run)) <= recall_base]
    for measure in ("gP", "LatticeRank@4", "gRBP(p=1/3)", "ERR"):
        worth = {run: runs.completed_join(run).value(measure, recall_base=recall_base) for run in possible}
        unit = worth[possible[1]]
        due = all(value == unit * runs.rank(run) for run, value in worth.items())
        verdict = runs.is_interval(measure, recall_base=recall_base)
        assert (bool(verdict), verdict.certain) == (due, True)


@pytest.mark.parametrize(
    ("grades", "wrong", "intervals"),
    [(3, (2, 0), ((0, 0), (1, 0), (0, 2), (2, 0))), (5, (4, 0), ((0, 0), (1, 2), (0, 4), (4, 0)))],
)
def test_two_runs_that_are_several_steps_apart_come_with_an_interval_as_long(grades, wrong, intervals):
    runs = RunLattice("swap", 2, grades)
    verdict = runs.is_interval(lambda run: runs.rank(run) + (tuple(run) == wrong))
    assert verdict.witness.runs == intervals
    check_certificate(runs, verdict.witness)


def test_equal_steps_that_do_not_rise_are_no_scale():
    runs = RunLattice("replacement", 3, 2)
    assert "no better values" in str(runs.is_interval(lambda _: 3).witness)
    assert "no better values" in str(runs.is_interval(lambda run: -sum(run)).witness)
    assert runs.is_interval("NumNonrelRet").witness is not None


def test_long_runs_are_decided_by_proof_or_a_sample_is_called_one():
    assert RunLattice("swap", 1000, 2).is_interval("LatticeRank@1000").how is How.PROVED
    assert RunLattice("projection", 200, 4).is_interval("gRBP(p=1/4)").how is How.PROVED
    assert str(RunLattice("swap", 1000, 2).is_interval("P@10").witness).startswith("from (1000×0) to (999×0, 1)")
    sampled = RunLattice("replacement", 30, 2).is_interval(lambda run: sum(run) * 0.1)
    assert (bool(sampled), sampled.how) == (True, How.SAMPLED)
    deep = RunLattice("replacement", 30, 2).is_interval(lambda run: sum(run) + (sum(run) > 3))
    assert (bool(deep), len(deep.witness)) == (False, 4)


def test_a_function_that_fails_has_no_scale():
    assert RunLattice("swap", 3, 2).is_interval(lambda run: 1 / run[0]).how is How.FAILED


def test_differences_that_are_nearly_equal_are_told_apart():
    nearly = DiscountCurve(by_rank=[3, 2, "1.000000001"])
    why = str(RunLattice("swap", 3, 2).is_interval(nearly).witness)
    assert "by 1.000000001; " in why
    assert why.endswith("by 0.999999999")
    assert not RunLattice("swap", 3, 2).is_interval("DCG")


def test_the_rank_in_the_lattice_asks_for_a_cutoff():
    judged = JudgedRuns.on_one_topic([(1, 0, 1)], (3, 2))
    said = [str(caveat) for caveat in LatticeRank.scores(judged).caveats]
    assert any("LatticeRank has no cutoff and takes runs to have 1,000 ranks" in text for text in said)
    assert not any("cutoff" in str(caveat) for caveat in (LatticeRank @ 3).scores(judged).caveats)
