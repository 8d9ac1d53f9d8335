"""Images of measures with the paper's numbers (FFF, sections I, III-B, IV-B), as the checklist has them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import sqrt

import numpy as np
import pytest
from scipy.stats import kendalltau

from measurand.intervals import image
from measurand.measures import parse
from measurand.scale import Scale
from measurand.scales import Image, known_scale

RUNS = ["".join(digits) for digits in product("01", repeat=4)]
PAIRS = list(combinations(RUNS, 2))
UP_TO_TWELFTHS = sorted({Fraction(a, b) for b in range(2, 13) for a in range(1, b)})

FIGURE_3 = ["P", "AP", "RR", "RBP(p=0.3)", "RBP(p=0.5)", "RBP(p=0.8)", "DCG(b=2)"]

image_of = cache(image)


def spelled(run) -> str:
    return "".join(map(str, run))


def levels_of(found: Image) -> list[set[str]]:
    return [{spelled(run) for run in found.runs_at(place)} for place in range(found.size)]


def level(*runs: str) -> list[set[str]]:
    return [set(group.split("=")) for run in runs for group in run.split()]


# What is known of the scale on one topic.


@pytest.mark.spec("FFF-IV-B-known")
def test_precision_recall_and_f_are_known_to_be_on_an_interval_scale():
    for spelling in ("P", "P@10", "R", "R@10", "F", "F(beta=2)@10"):
        assert known_scale(parse(spelling)).scale is Scale.INTERVAL
    for n in range(1, 9):
        for spelling in ("P", "R", "F"):
            assert image_of(spelling, n).equispaced


@pytest.mark.spec("FFF-IV-B-known")
def test_generalized_precision_and_recall_are_on_an_interval_scale_if_the_grades_are_on_a_ratio_scale():
    for spelling in ("gP", "gR"):
        known = known_scale(parse(spelling))
        assert known.scale is Scale.INTERVAL
        assert "if the grades are on a ratio scale" in known.condition
        assert all(image_of(spelling, 4, grades).equispaced for grades in (2, 3, 4))
    uneven = image_of("gP(gain={1: 1, 2: 5})", 3, 3)
    assert not uneven.equispaced


@pytest.mark.spec("FFF-IV-B-known")
@pytest.mark.parametrize("spelling", ["AP", "DCG", "nDCG", "DCG(b=2)", "ERR", "nERR", "RR"])
def test_measures_that_are_known_to_be_ordinal(spelling):
    assert known_scale(parse(spelling)).scale is Scale.ORDINAL
    assert not image_of(spelling, 4).equispaced


@pytest.mark.spec("FFF-IV-B-known")
@pytest.mark.parametrize("n", [2, 3, 4])
def test_rank_biased_precision_is_equally_spaced_for_one_half_alone(n):
    for p in UP_TO_TWELFTHS:
        measure = parse(f"RBP(p='{p}')")
        assert image(measure, n).equispaced == (p == Fraction(1, 2))
        assert (known_scale(measure).scale is Scale.INTERVAL) == (p == Fraction(1, 2))


@pytest.mark.spec("FFF-IV-B-known")
@pytest.mark.parametrize(
    ("spelling", "last", "to"),
    [
        ("RR", 2, 8),
        ("DCG(b=2)", 2, 8),
        ("DCG(b=10)", 10, 12),
        ("AP", 1, 8),
        ("ERR", 1, 8),
        ("RBP(p=0.3)", 1, 8),
        ("RBP(p=0.8)", 1, 8),
    ],
)
def test_up_to_which_length_values_are_equally_spaced(spelling, last, to):
    assert [n for n in range(1, to + 1) if image_of(spelling, n).equispaced] == list(range(1, last + 1))


@pytest.mark.spec("FFF-IV-B-gRBP", "E22")
@pytest.mark.parametrize(("q", "equal"), [(2, ["1/3", "1/2"]), (3, ["1/4", "1/3", "1/2"])])
def test_graded_rank_biased_precision_is_equally_spaced_for_unit_fractions(q, equal):
    found = [str(p) for p in UP_TO_TWELFTHS if image(f"gRBP(p='{p}')", 3, q + 1).equispaced]
    assert found == equal
    gain = Fraction(1, q)
    assert str(gain / (gain + 1)) == equal[0]
    for p in equal:
        assert image(f"gRBP(p='{p}')", 5, q + 1).equispaced


@pytest.mark.spec("FFF-III-B-equi")
def test_equal_spacing_is_decided_where_floats_cannot():
    tenths = [Fraction(k, 10) for k in range(11)]
    assert len(set(np.diff([float(value) for value in tenths]).tolist())) > 1
    assert Image.of_values(tenths).equispaced
    assert not Image.of_values([0, 1, Fraction(2) + Fraction(1, 10**30)]).equispaced


@pytest.mark.spec("FFF-I-RR", "E19")
def test_the_gaps_of_reciprocal_rank():
    assert image_of("RR", 4).gaps() == [Fraction(1, 4), Fraction(1, 12), Fraction(1, 6), Fraction(1, 2)]
    for n in range(1, 11):
        gaps = [Fraction(1, n), *(Fraction(1, k * (k + 1)) for k in range(n - 1, 0, -1))]
        assert image_of("RR", n).gaps() == gaps


@pytest.mark.spec("FFF-I-RR", "E19")
def test_two_gaps_of_reciprocal_rank_coincide_at_some_lengths_and_never_all_beyond_two():
    images = {n: Image.of_values([0, *(Fraction(1, k) for k in range(1, n + 1))]) for n in range(1, 31)}
    assert [n for n in range(1, 11) if list(images[n]) != list(image_of("RR", n))] == []
    assert [n for n, found in images.items() if found.equispaced] == [1, 2]
    assert [n for n, found in images.items() if len(set(found.gaps())) < n] == [2, 6, 12, 20, 30]


# The order that a measure induces, and whether measures contradict each other.


@pytest.mark.spec("FFF-IV-B-induced")
@pytest.mark.parametrize("spelling", FIGURE_3)
def test_a_measure_puts_all_runs_in_one_order(spelling):
    measure, found = parse(spelling), image_of(spelling, 4)
    place = dict(zip(map(spelled, found.runs.tolist()), found.places.tolist(), strict=True))
    assert sorted(place) == RUNS
    value = {run: measure.of(tuple(map(int, run)), recall_base=4) for run in RUNS}
    for first, second in product(RUNS, repeat=2):
        assert (place[first] <= place[second]) == (value[first] <= value[second])


def agreement(one: str, other: str, pairs) -> tuple[int, int, int, int]:
    """Return how many pairs are concordant, discordant, tied in the first alone, tied in the second alone."""
    places = [dict(zip(RUNS, image_of(spelling, 4).places.tolist(), strict=True)) for spelling in (one, other)]
    signs = [tuple(np.sign(place[r] - place[s]) for place in places) for r, s in pairs]
    both = [a * b for a, b in signs]
    return both.count(1), both.count(-1), sum(a == 0 != b for a, b in signs), sum(b == 0 != a for a, b in signs)


def tau_b(concordant, discordant, tied_in_first, tied_in_second) -> float:
    decided = concordant + discordant
    return (concordant - discordant) / sqrt((decided + tied_in_first) * (decided + tied_in_second))


@pytest.mark.spec("FFF-IV-B-tau", "E23")
@pytest.mark.parametrize(("one", "other"), list(combinations(FIGURE_3, 2)))
def test_the_places_give_the_correlation_that_scipy_finds(one, other):
    expected = tau_b(*agreement(one, other, PAIRS))
    found = kendalltau(image_of(one, 4).places, image_of(other, 4).places).statistic
    assert found == pytest.approx(expected, abs=1e-12)


# Figure 3, panel by panel, for four ranks.


@pytest.mark.spec("FFF-Fig3a")
@pytest.mark.parametrize("spelling", ["P", "R"])
def test_figure_3a_precision(spelling):
    found = image_of(spelling, 4)
    assert list(found) == [Fraction(k, 4) for k in range(5)]
    assert found.sizes.tolist() == [1, 4, 6, 4, 1]
    assert found.runs_at(0) == [(0, 0, 0, 0)]
    assert found.equispaced


@pytest.mark.spec("FFF-Fig3b")
def test_figure_3b_average_precision():
    found = image_of("AP", 4)
    assert [value * 48 for value in found] == [0, 3, 4, 6, 10, 12, 14, 18, 20, 23, 24, 29, 33, 36, 48]
    assert levels_of(found) == level(
        "0000 0001 0010 0100 0011 0101=1000 0110 1001 1010 0111 1100 1011 1101 1110 1111",
    )
    assert found.ties == {1: 14, 2: 1}
    assert list(found)[5] == Fraction(1, 4)
    assert (found.largest_gap, found.around_largest_gap) == (Fraction(1, 4), (Fraction(3, 4), 1))


@pytest.mark.spec("FFF-Fig3c")
def test_figure_3c_reciprocal_rank():
    found = image_of("RR", 4)
    assert list(found) == [0, Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), 1]
    assert found.sizes.tolist() == [1, 1, 2, 4, 8]
    assert found.largest_gap == Fraction(1, 2)


@pytest.mark.spec("FFF-Fig3d", "E24")
def test_figure_3d_rank_biased_precision_of_an_impatient_reader():
    found = image_of("RBP(p=0.3)", 4)
    assert levels_of(found) == level(" ".join(RUNS))
    assert [str(float(list(found)[place])) for place in (1, 7, 8, 15)] == ["0.0189", "0.2919", "0.7", "0.9919"]
    assert found.largest_gap == Fraction("0.4081")
    low, high = found.around_largest_gap
    places = [list(found).index(value) for value in (low, high)]
    assert [found.runs_at(place) for place in places] == [[(0, 1, 1, 1)], [(1, 0, 0, 0)]]
    assert f"{found.unused:.0%}" == "41%"


@pytest.mark.spec("FFF-Fig3e")
def test_figure_3e_rank_biased_precision_with_one_half():
    found = image_of("RBP(p=0.5)", 4)
    assert list(found) == [Fraction(k, 16) for k in range(16)]
    assert levels_of(found) == level(" ".join(RUNS))
    assert found.equispaced
    assert float(found.highest) == 0.9375


@pytest.mark.spec("FFF-Fig3f")
def test_figure_3f_rank_biased_precision_of_a_patient_reader():
    found = image_of("RBP(p=0.8)", 4)
    assert levels_of(found) == level("0000 0001 0010 0100 1000 0011 0101 0110 1001 1010 1100 0111 1011 1101 1110 1111")
    assert found.highest == Fraction("0.5904")
    assert (found.gaps()[0], found.gaps()[-1], found.largest_gap) == (Fraction("0.1024"),) * 3


@pytest.mark.spec("FFF-Fig3g")
def test_figure_3g_discounted_cumulated_gain():
    found = image_of("DCG(b=2)", 4)
    values = [0, 0.5, 0.6309, 1, 1.1309, 1.5, 1.6309, 2, 2.1309, 2.5, 2.6309, 3.1309]
    assert [round(float(value), 4) for value in found] == values
    tied = [runs for runs in levels_of(found) if len(runs) > 1]
    assert tied == level("0100=1000 0101=1001 0110=1010 0111=1011")


@pytest.mark.spec("FFF-Fig3-sym")
@pytest.mark.parametrize("spelling", [*FIGURE_3, "DCG", "DCG(b=10)"])
def test_additive_measures_are_symmetric_under_complement(spelling):
    measure = parse(spelling)
    runs = [tuple(map(int, run)) for run in RUNS]
    turned = [tuple(1 - grade for grade in run) for run in runs]
    full = measure.of((1, 1, 1, 1))
    symmetric = all(measure.of(run) + measure.of(other) == full for run, other in zip(runs, turned, strict=True))
    assert symmetric == (spelling not in ("AP", "RR"))
    found = image_of(spelling, 4)
    mirrored = all(low + high == full for low, high in zip(found, list(found)[::-1], strict=True))
    assert (mirrored and found.sizes.tolist() == found.sizes.tolist()[::-1]) == symmetric


@pytest.mark.spec("FFF-Fig3-range")
@pytest.mark.parametrize("p", ["0.3", "0.5", "0.8"])
def test_rank_biased_precision_never_reaches_one(p):
    assert [image_of(f"RBP(p={p})", n).highest for n in range(1, 7)] == [1 - Fraction(p) ** n for n in range(1, 7)]
    assert image_of("RBP(p=0.8)", 4).highest == Fraction("0.5904")


# The numbers of different values (part D of the checklist).

BINARY_SIZES = {
    "AP": [2, 4, 8, 15, 31, 54, 117, 225, 452, 810, 1767],
    "ERR": [2, 4, 8, 16, 32, 58, 122, 250, 506, 1010, 2034],
    "DCG(b=2)": [2, 3, 6, 12, 24, 48, 96, 192, 384, 768, 1536],
    "nDCG(b=2)": [2, 3, 6, 12, 24, 48, 96, 192],
    "DCG(b=10)": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 22, 44],
    "DCG": [2**n for n in range(1, 11)],
    "RBP(p=0.3)": [2**n for n in range(1, 10)],
    "RBP(p=0.5)": [2**n for n in range(1, 10)],
    "RBP(p=0.8)": [2**n for n in range(1, 11)],
    "P": list(range(2, 10)),
    "R": list(range(2, 10)),
    "F": list(range(2, 10)),
    "RR": list(range(2, 10)),
}


@pytest.mark.parametrize("spelling", BINARY_SIZES)
def test_how_many_values_there_are_on_binary_runs(spelling):
    expected = BINARY_SIZES[spelling]
    assert [image_of(spelling, n).size for n in range(1, len(expected) + 1)] == expected


GRADED_SIZES = [
    (3, "gP", [3, 5, 7, 9, 11, 13]),
    (3, "gRBP(p=0.5)", [3, 7, 15, 31, 63, 127]),
    (3, "gRBP(p=0.8)", [3, 9, 27, 81, 243, 729]),
    (3, "DCG(b=2)", [3, 5, 15, 33, 99, 297]),
    (3, "DCG(b=10)", [3, 5, 7, 9, 11, 13]),
    (3, "ERR", [3, 9, 24, 68, 212, 652]),
    (3, "gP(gain={1: 1, 2: 3})", [3, 6, 9, 12, 15, 18]),
    (3, "gRBP(p=0.5, gain={1: 1, 2: 3})", [3, 8, 19, 42, 89, 184]),
    (3, "DCG(b=2, gain={1: 1, 2: 3})", [3, 6, 18, 42, 126, 378]),
    (3, "DCG(b=10, gain='exp2')", [3, 6, 9, 12, 15, 18]),
    (4, "gP", [4, 7, 10, 13, 16]),
    (4, "gRBP(p=0.5)", [4, 10, 22, 46, 94]),
    (4, "gRBP(p=0.3)", [4, 16, 64, 256, 1024]),
    (4, "DCG(b=2)", [4, 7, 28, 64, 256]),
    (4, "DCG(b=10)", [4, 7, 10, 13, 16]),
    (4, "ERR", [4, 16, 62, 249, 947]),
    (4, "gP(gain='exp2')", [4, 10, 17, 24, 31]),
    (4, "gRBP(p=0.5, gain='exp2')", [4, 13, 35, 84, 188]),
    (4, "DCG(b=2, gain='exp2')", [4, 10, 40, 104, 416]),
    (4, "DCG(b=10, gain='exp2')", [4, 10, 17, 24, 31]),
]


@pytest.mark.parametrize(("grades", "spelling", "expected"), GRADED_SIZES)
def test_how_many_values_there_are_on_graded_runs(grades, spelling, expected):
    assert [image_of(spelling, n, grades).size for n in range(1, len(expected) + 1)] == expected


FIRST_TIES = [
    (
        "AP",
        6,
        2,
        "001100=010001 010100=100000 001101=100001 010011=100010 010101=100100 "
        "011001=101000 100101=110000 001111=100110 010111=101010 011111=110110",
    ),
    ("ERR", 6, 2, "000101=001000 001101=010000 010101=011000 100101=101000 101101=110000 110101=111000"),
    ("ERR", 3, 3, "002=100 012=101 022=102"),
]


@pytest.mark.parametrize(("spelling", "depth", "grades", "ties"), FIRST_TIES)
def test_the_first_runs_that_tie(spelling, depth, grades, ties):
    found = image_of(spelling, depth, grades)
    tied = [runs for runs in levels_of(found) if len(runs) > 1]
    assert sorted(map(sorted, tied)) == sorted(map(sorted, level(ties)))
    if spelling == "ERR":
        assert set(image_of(spelling, depth - 1, grades).ties) == {1}


def test_the_smallest_gap_of_discounted_cumulated_gain_at_ten_ranks():
    assert f"{min(map(float, image_of('DCG(b=2)', 10).gaps())):.1e}" == "8.6e-05"
