"""Laws of values over all orders inside ties, on runs too long to list their orders."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from measurand.judged import NOTHING, POOLED, UNJUDGED, JudgedRuns, TieGroups
from measurand.measures import parse
from measurand.measures.ties.over_ties import over_ties

CLOSED = [
    "AP",
    "AP(judged_only=True)@7",
    "Bpref",
    "Bpref(judged_only=True)@8",
    "Bpref(rel=2)@6",
    "DCG(b=2)",
    "ERR@8",
    "F@9",
    "Judged@6",
    "NumNonrelRet(judged_only=True)@7",
    "P@5",
    "Q(judged_only=True)",
    "Q(rel=2)@9",
    "RBP(p=0.9)",
    "RR",
    "RR(judged_only=True)@6",
    "Rprec",
    "SetAP(judged_only=True)",
    "Success@4",
    "gm(nDCG@10)",
    "nERR",
]
DEPTH = 14
COUNTS = (20, 12, 9)

cells = st.sampled_from([0, 0, 1, 1, 2, UNJUDGED, POOLED])
tie_groups = st.lists(st.lists(cells, min_size=1, max_size=9), min_size=1, max_size=5)


def judged_runs(runs, depth=DEPTH):
    """Return some runs, each a list of tie groups, as those of so many systems on one topic."""
    flat = [[cell for group in groups for cell in group] for groups in runs]
    width = max(depth, *map(len, flat))
    array = np.array([run + [NOTHING] * (width - len(run)) for run in flat], dtype=np.int8)[:, None, :]
    tied = np.zeros(array.shape, dtype=bool)
    for s, groups in enumerate(runs):
        marks = [nth > 0 for group in groups for nth in range(len(group))]
        tied[s, 0, : len(marks)] = marks
    return evolve(JudgedRuns.on_one_topic(array[:, 0, :depth], COUNTS), groups=TieGroups(array, tied))


law = settings(max_examples=15, deadline=None)


def of_every_measure(runs):
    """Return what each of the measures gives for some runs."""
    judged = judged_runs(runs)
    return {spelling: over_ties(parse(spelling), judged) for spelling in CLOSED}.items()


@law
@given(groups=tie_groups)
def test_the_mean_lies_between_the_extremes_and_so_does_any_order(groups):
    for spelling, found in of_every_measure([groups]):
        assert found.low.item() <= found.expected.item() <= found.high.item(), spelling
        assert found.low.item() <= found.plain.item() <= found.high.item(), spelling
        assert found.matters.item() == (found.low.item() < found.high.item()), spelling


@law
@given(groups=tie_groups, data=st.data())
def test_the_order_in_which_tied_documents_are_given_plays_no_part(groups, data):
    shuffled = [data.draw(st.permutations(group)) for group in groups]
    for spelling, found in of_every_measure([groups, shuffled]):
        for values in (found.expected, found.low, found.high):
            assert values[0, 0] == values[1, 0], spelling


@law
@given(groups=tie_groups, data=st.data())
def test_the_mean_is_that_over_the_document_that_comes_first_in_a_group(groups, data):
    place = data.draw(st.integers(0, len(groups) - 1))
    group = groups[place]
    assume(len(group) > 1)
    firsts = [
        [*groups[:place], [group[nth]], group[:nth] + group[nth + 1 :], *groups[place + 1 :]]
        for nth in range(len(group))
    ]
    for spelling, found in of_every_measure([groups, *firsts]):
        assert found.expected[0, 0] == pytest.approx(found.expected[1:, 0].mean(), rel=1e-11, abs=1e-13), spelling
        assert found.low[0, 0] == pytest.approx(found.low[1:, 0].min(), rel=1e-12), spelling
        assert found.high[0, 0] == pytest.approx(found.high[1:, 0].max(), rel=1e-12), spelling


@law
@given(groups=tie_groups, data=st.data())
def test_fewer_ties_leave_less_open(groups, data):
    finer = []
    for group in groups:
        at = data.draw(st.integers(0, len(group)))
        finer += [part for part in (group[:at], group[at:]) if part]
    for spelling, found in of_every_measure([groups, finer]):
        assert found.low[0, 0] <= found.low[1, 0] <= found.high[1, 0] <= found.high[0, 0], spelling
