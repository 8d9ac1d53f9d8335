"""Images of measures, against brute force on functions drawn at random.

Images too large to write down: what is known of them all the same.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from statistics import mean, median_low

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measurand.errors import FunctionFailed, NotAvailable, ParameterError
from measurand.intervals import image
from measurand.measures import define, parse
from measurand.scale import Scale
from measurand.scales import Image, Outline, Uneven, scale_type
from measurand.verdict import How

SPACES = [(1, 2), (2, 2), (3, 2), (4, 2), (1, 3), (2, 3), (1, 5)]

VALUES = st.fractions(min_value=-2, max_value=2, max_denominator=6)


@st.composite
def tables(draw):
    """Return a number of ranks, a number of grades, and a value for every run; many of them tie."""
    depth, grades = draw(st.sampled_from(SPACES))
    runs = list(product(range(grades), repeat=depth))
    pool = draw(st.lists(VALUES, min_size=1, max_size=6))
    return depth, grades, {run: draw(st.sampled_from(pool)) for run in runs}


def image_of(table) -> Image:
    depth, grades, values = table
    made = define(values.__getitem__, name="Table", graded=True, bounds=(None, None), exactness="rational")
    return image(made, depth, grades)


patient = settings(deadline=None, max_examples=10)


@patient
@given(tables())
def test_an_image_holds_every_value_once_in_ascending_order(table):
    found = image_of(table)
    values = sorted(set(table[2].values()))
    assert list(found) == values
    assert (len(found), found.size, found.lowest, found.highest) == (len(values),) * 2 + (values[0], values[-1])


@patient
@given(tables())
def test_ties_count_the_runs_that_share_a_value(table):
    found = image_of(table)
    shared = Counter(table[2].values())
    assert found.sizes.tolist() == [shared[value] for value in found]
    assert found.ties == dict(Counter(shared.values()))
    assert found.total == len(table[2])


@patient
@given(tables())
def test_every_run_stands_at_its_value_and_nowhere_else(table):
    found = image_of(table)
    for place, value in enumerate(found):
        assert found.runs_at(place) == [run for run, own in table[2].items() if own == value]
    assert found.runs_at(found.size) == []


@patient
@given(tables())
def test_the_middle_of_an_image(table):
    found = image_of(table)
    values = list(table[2].values())
    assert found.median == median_low(values)
    assert found.mean == pytest.approx(float(mean(values)), abs=1e-12)
    assert found.midpoint == pytest.approx(float((min(values) + max(values)) / 2), abs=1e-12)


@patient
@given(tables())
def test_the_gaps_of_an_image(table):
    found = image_of(table)
    values = sorted(set(table[2].values()))
    gaps = [high - low for low, high in pairwise(values)]
    assert found.gaps() == gaps
    assert found.largest_gap == max(gaps, default=0)
    assert found.equispaced == (len(set(gaps)) <= 1)
    if not gaps:
        assert (found.around_largest_gap, found.unused) == (None, 0)
        return
    low, high = found.around_largest_gap
    assert (high - low, values.index(high)) == (max(gaps), values.index(low) + 1)
    assert found.unused == pytest.approx(float(max(gaps) / (values[-1] - values[0])))


@patient
@given(tables())
def test_the_certificate_shows_two_unequal_steps(table):
    found = image_of(table)
    verdict = found.spacing()
    assert bool(verdict) == found.equispaced
    assert f"all {found.total} runs of {table[0]} ranks and {table[1]} grades" == verdict.checked
    if verdict:
        assert (verdict.witness, verdict.how) == (None, How.EXHAUSTIVE)
        return
    shown = verdict.witness
    assert isinstance(shown, Uneven)
    assert verdict.how is How.COUNTEREXAMPLE
    values = sorted(set(table[2].values()))
    assert shown.gap == values[shown.first + 1] - values[shown.first]
    assert shown.other_gap == values[shown.second + 1] - values[shown.second]
    assert shown.gap != shown.other_gap


@patient
@given(tables(), VALUES, st.fractions(min_value=0, max_value=2, max_denominator=6))
def test_how_many_values_are_near(table, centre, radius):
    values = set(table[2].values())
    assert image_of(table).near(centre, radius) == sum(abs(value - centre) < radius for value in values)


@patient
@given(st.lists(VALUES, min_size=1, max_size=12))
def test_an_image_of_given_values_is_that_of_a_measure_with_these_values(values):
    runs = [(grade,) for grade in range(max(2, len(values)))]
    table = dict(zip(runs, (*values, values[0]), strict=False))
    found, other = Image.of_values(list(table.values())), image_of((1, len(runs), table))
    assert list(found) == list(other)
    assert found.sizes.tolist() == other.sizes.tolist()
    assert (found.median, found.mean, found.ties) == (other.median, other.mean, other.ties)


def test_the_certificate_says_which_steps_and_how_large():
    assert str(image("RR", 4).spacing().witness) == "step 1 is 0.25, step 2 is 0.08333"


def test_a_certificate_need_not_be_at_the_first_steps():
    shown = Image.of_values([0, 1, 2, 3, 5]).spacing().witness
    assert (shown.first, shown.second, shown.gap, shown.other_gap) == (0, 3, 1, 2)


def test_an_image_says_what_it_is():
    assert repr(image("AP@3", 3)) == "<Image of AP@3: 8 values on 8 runs>"


def test_values_may_be_spelled():
    assert list(Image.of_values(["1/3", 0.5, "0.5", 2])) == [Fraction(1, 3), Fraction(1, 2), 2]
    with pytest.raises(ParameterError, match="'x' is not a number"):
        Image.of_values(["x"])


def test_an_image_without_values_is_refused():
    with pytest.raises(ParameterError):
        Image.of_values([])


@pytest.mark.parametrize("spelling", ["AP", "Bpref", "DCG", "ERR", "gP", "infAP", "nDCG", "OIE", "Q", "RBP", "gRBP"])
@pytest.mark.parametrize(("depth", "grades"), [(4, 2), (3, 3)])
def test_the_values_are_those_of_the_measure_on_the_topic(spelling, depth, grades):
    measure, found = parse(spelling), image(spelling, depth, grades)
    counts = (depth, *[0] * (grades - 2), depth)
    for place, value in enumerate(found):
        assert {measure.of(run, grade_counts=counts) for run in found.runs_at(place)} == {value}


def test_the_recall_base_is_that_of_the_topic():
    assert image("R", 3, recall_base=6).highest == Fraction(1, 2)
    assert image("AP", 4, recall_base=8).highest == Fraction(1, 2)
    assert list(image("AP", 4, recall_base=8)) == [value / 2 for value in image("AP", 4)]
    assert image("AP", 4, recall_base=1).sizes.tolist() == [1, 1, 1, 1, 1]
    with pytest.raises(ParameterError, match="recall_base"):
        image("AP", 4, recall_base=0)


def test_the_recall_base_reaches_a_function_that_asks_for_it():
    assert image(lambda run, base: Fraction(sum(run), base), 2, recall_base=10).highest == Fraction(1, 5)


def test_a_cutoff_makes_ties_below_it():
    found = image("AP@2", 4)
    assert found.ties == {4: found.size}
    assert [value * 2 for value in found] == list(image("AP", 2))


def test_a_measure_with_one_value_is_equally_spaced_and_has_no_gap():
    found = image("NumQ", 3)
    assert (found.size, found.equispaced, found.gaps(), found.largest_gap) == (1, True, [], 0)
    assert (found.around_largest_gap, found.unused, found.ties) == (None, 0, {8: 1})
    assert (found.median, found.mean, found.midpoint) == (1, 1, 1)
    assert found.spacing()


# Rounding, and numbers that floats do not tell apart.


def test_answers_in_floating_point_tie_where_they_differ_by_rounding_alone():
    def summed(run):
        return sum(w for w, g in zip((0.1, 0.2, 0.3), run, strict=True) if g)

    assert summed((1, 1, 0)) != summed((0, 0, 1))
    found = image(summed, 3)
    assert found.size == 7
    assert [(0, 0, 1), (1, 1, 0)] in [found.runs_at(place) for place in range(found.size)]


def test_answers_that_are_declared_rational_are_told_apart_however_close():
    tiny = Fraction(1, 10**40)
    made = define(lambda run: 1 + tiny * sum(run), name="Close", exactness="rational")
    found = image(made, 3)
    assert (found.size, found.equispaced, found.largest_gap) == (4, True, tiny)


def test_the_largest_gap_is_found_where_floats_see_two_equal_ones():
    found = Image.of_values([0, 1, 2 + Fraction(1, 10**20), 3])
    assert found.around_largest_gap == (1, 2 + Fraction(1, 10**20))
    assert not found.equispaced


@pytest.mark.parametrize("start", [0, 10**17, 10**20, -(10**17)])
def test_the_largest_gap_does_not_depend_on_where_the_values_start(start):
    found = Image.of_values([start, start + 9, start + 20])
    assert (found.largest_gap, found.around_largest_gap) == (11, (start + 9, start + 20))


def test_gaps_of_logarithms_are_exact():
    found = image("DCG(b=2)", 8)
    steps = found.gaps()
    assert found.largest_gap == max(steps)
    assert not found.equispaced
    assert image("DCG(b=10)", 8).equispaced


# What is refused.


@pytest.mark.parametrize(
    ("depth", "grades"), [(0, 2), (-1, 2), (4, 1), (4, 0), (2.5, 2), ("4", 2), (4, "2"), (None, 2), (4, 2.5)]
)
def test_an_image_needs_a_whole_number_of_ranks_and_of_grades(depth, grades):
    with pytest.raises(ParameterError):
        image("AP", depth, grades)


@pytest.mark.parametrize("base", [-1, 2.5, "3"])
def test_a_recall_base_is_a_whole_number(base):
    with pytest.raises(ParameterError):
        image("AP", 4, recall_base=base)


@pytest.mark.parametrize(("depth", "grades"), [(17, 2), (11, 3), (9, 4), (100, 2), (5000, 2)])
def test_a_space_that_is_too_large_is_refused_with_the_limit_where_a_recall_base_is_asked_for(depth, grades):
    with pytest.raises(ParameterError, match=r"too many to enumerate for one recall base; at most 65,536"):
        image("AP", depth, grades, recall_base=3)


def test_more_grades_than_a_judged_run_can_hold_are_refused():
    assert image("gP", 1, 128).size == 128
    with pytest.raises(ParameterError):
        image("gP", 1, 129)


@pytest.mark.parametrize("what", [5, None, ["AP"], "nope", "", b"AP"])
def test_what_is_no_measure_is_refused(what):
    with pytest.raises(ParameterError):
        image(what, 3)


def test_a_function_that_gives_no_number_is_told_with_the_run():
    with pytest.raises(FunctionFailed, match=r"answered nan on \(0, 0\), which is no finite number"):
        image(lambda run: float("nan"), 2)


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
    assert repr(found) == "<Outline of the image of DCG(b=2): 1,073,741,824 runs>"


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

    assert scale_type(Flat(), 1000).how is How.COUNTEREXAMPLE  # some values refute it: nothing is proved of the family
    assert scale_type("gRBP(p=0.5, gain='exp2')", 40, 4).how is How.SAMPLED
