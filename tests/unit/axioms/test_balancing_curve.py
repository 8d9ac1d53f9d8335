"""Curves hold what was asked, and say what it means."""

from __future__ import annotations

from fractions import Fraction

import pytest

from measurand.axioms.balance import FIGURE_1A, LENGTHS, Curve, balancing_curve, balancing_index
from measurand.errors import ParameterError
from measurand.measures import RBP, parse
from measurand.orders import from_moves, replacements, swaps


def test_a_curve_is_the_index_at_each_length():
    curve = balancing_curve(RBP(p="0.8"), [20, 3], qmax=3)
    assert curve == Curve("RBP(p=0.8)", ((20, balancing_index("RBP(p=0.8)", 20, qmax=3)), (3, None)), 1, 3)
    assert curve.share == (Fraction(curve.points[0][1], 20), None)


def test_an_order_of_ones_own_has_a_curve():
    order = from_moves(swaps, replacements, name="both")
    curve = balancing_curve(order)
    assert curve.points == tuple((n, balancing_index(order, n)) for n in (2, 3, 4, 5, 6, 8))
    assert curve.measure == "both"


def test_a_curve_shows_how_far_it_is():
    seen = []

    def progress(items, total, what):
        for item in items:
            seen.append((item, total, what))
            yield item

    balancing_curve("P", (2, 4), progress=progress)
    assert seen == [(2, 2, "P"), (4, 2, "P")]


@pytest.mark.parametrize(
    ("curve", "reading"),
    [
        (
            Curve("P", ((10, 10), (5, 1))),
            "P is set-like, not top-heavy: at 10 ranks its balancing index is 10, near 10.",
        ),
        (Curve("RR", ((100, 25),)), "RR is top-heavy: at 100 ranks its balancing index is 25, near 1."),
        (Curve("X", ((100, 26),)), "X is between set-like and top-heavy: at 100 ranks its balancing index is 26."),
        (Curve("X", ((100, 74),)), "X is between set-like and top-heavy: at 100 ranks its balancing index is 74."),
        (Curve("X", ((1, 1),)), "X: a run of 1 rank has no tail; ask for longer runs."),
        (
            Curve("ERR", ((5, None),), 1, 3),
            "ERR has no balancing index at 5 ranks: a full run of grade 1 is worth less than one document of grade 3"
            " at rank 1.",
        ),
        (
            balancing_curve("P", [20], qmin=0.3),
            "P has no balancing index: it counts grades from 1 up, and not grade 0.3.",
        ),
        (
            balancing_curve("gP", [20], qmin=0.01, qmax=3),
            "gP has no balancing index at 20 ranks: a full run of grade 0.01 is worth less than one document of grade 3"
            " at rank 1.",
        ),
    ],
)
def test_a_curve_is_read_at_its_longest_run(curve, reading):
    assert curve.reading == reading


@pytest.mark.parametrize("lengths", [[], [0], [2.5]])
def test_a_curve_needs_run_lengths(lengths):
    with pytest.raises(ParameterError, match="run length"):
        balancing_curve("AP", lengths)


def test_the_measures_of_the_figure_are_spelled_as_they_spell_themselves():
    assert [repr(parse(spelling)) for spelling in FIGURE_1A] == list(FIGURE_1A)
    assert max(LENGTHS) == 1000
