"""Images too large to write down: what is known of them all the same."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from measurand.errors import NotAvailable
from measurand.intervals import image
from measurand.measures import parse
from measurand.scale import Scale
from measurand.scales import Image, Outline, Uneven, scale_type
from measurand.verdict import How


@pytest.mark.parametrize(
    ("spelling", "depth", "grades", "size"),
    [
        ("DCG(b=2)", 30, 2, 805306368),
        ("DCG(b=2)", 40, 2, 824633720832),
        ("DCG(b=10)", 40, 2, 11811160064),
        ("DCG(b=2)", 64, 2, 10952754293765046272),
        ("DCG", 62, 2, 2**62),
        ("AP", 30, 2, 426591837),
        ("P", 1000, 2, 1001),
        ("RR", 1000, 2, 1001),
        ("RBP(p=0.8)", 500, 2, 2**500),
        ("gRBP(p=0.5)", 1000, 3, 2**1001 - 1),
        ("gP(gain={1: 1, 2: 3, 3: 7})", 1000, 4, 6996),
    ],
)
def test_the_size_of_an_image_is_known_at_depths_that_nobody_enumerates(spelling, depth, grades, size):
    found = image(spelling, depth, grades)
    assert isinstance(found, Outline)
    assert found.size == size
    assert found.total == grades**depth


def test_values_that_are_not_written_down_are_refused():
    found = image("DCG(b=2)", 30)
    for question in (lambda: list(found), found.gaps, lambda: found.ties):
        with pytest.raises(NotAvailable, match="too many to write down"):
            question()
    assert repr(found) == "<Outline of the image of DCG(b=2): 1073741824 runs>"


@pytest.mark.parametrize(
    ("spelling", "grades"), [("P", 2), ("R", 2), ("F", 2), ("RBP(p=0.5)", 2), ("gRBP(p='1/3')", 3), ("gP", 4)]
)
def test_equally_spaced_values_are_proved_so_at_any_depth(spelling, grades):
    found = scale_type(spelling, 300, grades, grade_scale="ratio")
    assert found
    assert found.scale is Scale.INTERVAL
    assert found.how is How.PROVED
    assert found.argument


@pytest.mark.parametrize("depth", [20, 30, 100])
@pytest.mark.parametrize("spelling", ["RR", "RBP(p=0.8)", "RBP(p=0.3)", "DCG(b=2)", "nDCG", "DCG(b=10)"])
def test_two_unequal_steps_are_the_certificate_of_an_ordinal_scale(spelling, depth):
    found = scale_type(spelling, depth)
    assert not found
    assert found.scale is Scale.ORDINAL
    assert found.how is How.COUNTEREXAMPLE
    assert isinstance(found.witness, Uneven)
    assert found.witness.gap != found.witness.other_gap


@pytest.mark.parametrize("spelling", ["AP", "ERR", "RR", "RBP(p=0.8)", "DCG(b=2)"])
def test_the_certificate_is_the_one_that_the_written_image_gives(spelling):
    """On 17 ranks nothing is written down; the steps at the low end are those of the exact values."""
    found = scale_type(spelling, 17).witness
    values = _lowest(spelling, 17, max(found.first, found.second) + 2)
    steps = [high - one for one, high in pairwise(values)]
    assert (steps[found.first], steps[found.second]) == (found.gap, found.other_gap)


def _lowest(spelling: str, depth: int, count: int) -> list:
    """Return the least values of a measure on runs of a depth, from the runs with relevant documents far down."""
    measure = parse(spelling)
    tails = product((0, 1), repeat=11)
    return sorted({measure.of((0,) * (depth - 11) + tail) for tail in tails})[:count]


def test_an_image_that_can_be_written_down_is():
    assert isinstance(image("AP", 13), Image)
    assert scale_type("AP", 1).scale is Scale.INTERVAL


def test_where_values_cannot_be_placed_only_what_is_proved_of_the_measure_itself_is_said():
    found = scale_type("AP", 1000)
    assert (found.scale, found.how) == (Scale.ORDINAL, How.PROVED)

    class Flat(type(parse("AP"))):
        """Another definition under the name of the old one."""

        def exact(self, run, pool):
            return super().exact(run, pool) * 2

    with pytest.raises(NotAvailable):
        scale_type(Flat(), 1000)
    with pytest.raises(NotAvailable):
        scale_type("gRBP(p=0.5, gain='exp2')", 200, 4)
