"""The transform into an interval scale with the paper's numbers (FFF, section VI and examples 9 to 12)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from measurand import interval, parse
from measurand.errors import CaveatKind
from measurand.intervals import image
from measurand.judged import JudgedRuns
from measurand.measures import define
from measurand.scale import Scale
from measurand.scales import common_scale, enumeration_bytes, union

RUNS = list(product((0, 1), repeat=4))

WITHOUT_RECALL_BASE = ["P", "RR", "RBP(p=0.3)", "RBP(p=0.5)", "RBP(p=0.8)", "DCG(b=2)", "DCG(b=10)"]
WITH_RECALL_BASE = ["R", "AP", "nDCG(b=2)", "nDCG(b=10)"]


def digits(text: str) -> tuple[int, ...]:
    return tuple(map(int, text))


def ranks(spelling: str, **options) -> list:
    scale = interval(spelling, depth=4, **options)
    return [scale.rank(run) for run in RUNS]


# Section VI: the transform.


@pytest.mark.spec("FFF-VI-eq1")
@pytest.mark.parametrize("spelling", WITHOUT_RECALL_BASE + WITH_RECALL_BASE)
def test_ranks_order_runs_as_the_measure_does_with_its_ties(spelling):
    measure, scale = parse(spelling), interval(spelling, depth=4)
    keys, ranks = ({run: each(run) for run in RUNS} for each in (measure.key, scale.rank))
    for one, other in product(RUNS, repeat=2):
        assert (keys[one] < keys[other]) == (ranks[one] < ranks[other])
        assert (keys[one] == keys[other]) == (ranks[one] == ranks[other])


@pytest.mark.spec("FFF-VI-eq2")
def test_the_rank_of_a_value_is_the_number_of_values_up_to_it():
    scale = interval("DCG(b=2)", depth=4)
    expected = {"1111": 12, "1110": 11, "1101": 10, "1011": 9, "0001": 2, "0000": 1}
    assert {run: scale.rank(digits(run)) for run in expected} == expected
    by_value = {round(parse("DCG(b=2)").value(run), 3): scale.rank(run) for run in RUNS}
    assert {value: by_value[value] for value in (3.131, 2.631, 2.5, 2.131, 0.5, 0.0)} == {
        3.131: 12,
        2.631: 11,
        2.5: 10,
        2.131: 9,
        0.5: 2,
        0.0: 1,
    }


@pytest.mark.spec("FFF-VI-interval")
@pytest.mark.parametrize("spelling", WITHOUT_RECALL_BASE + WITH_RECALL_BASE)
def test_transformed_values_are_equally_spaced(spelling):
    scale = interval(spelling, depth=4)
    values = sorted({scale.of(run) for run in RUNS})
    assert values == [Fraction(place, scale.size - 1) for place in range(scale.size)]
    assert scale.scale is Scale.INTERVAL


@pytest.mark.spec("FFF-VI-ties")
def test_the_four_ways_to_rank_ties_and_that_only_the_first_is_equally_spaced():
    values = {(0, 0, 0): 0, (0, 0, 1): "0.25", (0, 1, 0): "0.4", (0, 1, 1): "0.4"}
    five = define(lambda run: Fraction(values.get(run, "0.7")), name="Five", graded=True)
    # the paper's vector has 0.7 once; here four runs have it, which changes mid and max of that value alone
    scales = {ties: interval(five, depth=3, ties=ties) for ties in ("unq", "mid", "min", "max")}
    by_ties = {ties: [scale.rank(run) for run in values] for ties, scale in scales.items()}
    assert by_ties == {
        "unq": [1, 2, 3, 3],
        "mid": [1, 2, Fraction(7, 2), Fraction(7, 2)],
        "min": [1, 2, 3, 3],
        "max": [1, 2, 4, 4],
    }
    assert [scale.rank((1, 1, 1)) for scale in scales.values()] == [4, Fraction(13, 2), 5, 8]
    assert [scale.scale for scale in scales.values()] == [Scale.INTERVAL, Scale.ORDINAL, Scale.ORDINAL, Scale.ORDINAL]


@pytest.mark.spec("FFF-T3-mid")
def test_mid_ranks_of_precision_and_reciprocal_rank():
    assert sorted(set(ranks("P", ties="mid"))) == [1, 3.5, 8.5, 13.5, 16]
    assert sorted(set(ranks("RR", ties="mid"))) == [1, 2, 3.5, 6.5, 12.5]


@pytest.mark.spec("FFF-VI-RBP05", "E29")
def test_the_rank_under_rbp_with_a_half_is_its_value_in_steps_and_one_more():
    measure, scale = parse("RBP(p=0.5)"), interval("RBP(p=0.5)", depth=4)
    assert all(scale.rank(run) == 2**4 * measure.of(run) + 1 for run in RUNS)
    assert scale.rank((1, 1, 1, 1)) == 16


@pytest.mark.spec("FFF-VI-RR", "E30")
def test_the_rank_under_reciprocal_rank_counts_from_the_last_place_and_nothing_found_is_first():
    measure, scale = parse("RR"), interval("RR", depth=4)
    assert all(scale.rank(run) == 4 + 2 - 1 / measure.of(run) for run in RUNS if any(run))
    assert [scale.rank(digits(run)) for run in ("1000", "0001", "0000")] == [5, 2, 1]


@pytest.mark.spec("FFF-VI-P")
def test_the_rank_under_precision_and_recall_is_one_more_than_the_relevant_documents():
    for spelling in ("P", "R", "F"):
        assert ranks(spelling) == [sum(run) + 1 for run in RUNS]


@pytest.mark.spec("FFF-VI-RBP03")
def test_the_rank_under_impatient_rbp_is_the_run_read_as_a_binary_number():
    assert ranks("RBP(p=0.3)") == ranks("RBP(p=0.5)") == [int("".join(map(str, run)), 2) + 1 for run in RUNS]
    assert interval("RBP(p=0.3)@4").rank(digits("1001")) == 10


@pytest.mark.spec("FFF-VI-A-proc1")
def test_procedure_1_ranks_all_runs_of_dcg():
    assert ranks("DCG(b=2)") == [1, 2, 3, 5, 4, 6, 7, 9, 4, 6, 7, 9, 8, 10, 11, 12]


@pytest.mark.spec("FFF-VI-A-proc2")
def test_procedure_2_looks_up_single_runs():
    scale = interval("DCG(b=2)@4")
    assert [scale.rank(digits(run)) for run in ("0011", "1001")] == [5, 6]
    assert [round(parse("DCG(b=2)").value(digits(run)), 3) for run in ("0011", "1001")] == [1.131, 1.5]


@pytest.mark.spec("FFF-VI-A-sort", "E43")
def test_ranks_from_the_top_mirror_ranks_from_the_bottom():
    scale = interval("AP@4")
    assert scale.size == 15
    assert all(scale.rank(run, descending=True) == 15 + 1 - scale.rank(run) for run in RUNS)


@pytest.mark.spec("FFF-VI-B-len")
def test_the_size_of_the_scale_depends_on_the_length_of_runs():
    assert [interval("DCG(b=2)", depth=n).size for n in (4, 5, 10, 15)] == [12, 24, 768, 24576]
    assert all(interval("DCG(b=2)", depth=n).size == 3 * 2 ** (n - 2) for n in (2, 3, 30, 63))
    assert interval("DCG(b=2)").of([1, 0]) == Fraction(1, 2)
    assert interval("DCG(b=2)", depth=4).of([1, 0]) == Fraction(3, 11)


@pytest.mark.spec("FFF-VII-meas")
def test_measures_without_recall_base_share_one_scale():
    assert not any(interval(spelling).surrogate for spelling in WITHOUT_RECALL_BASE)


def campaign(recall_bases) -> JudgedRuns:
    cells = np.array([[(1, 0, 0, 1)] * len(recall_bases), [(0, 1, 1, 0)] * len(recall_bases)], dtype=np.int8)
    return JudgedRuns(
        systems=("a", "b"),
        topics=tuple(map(str, range(len(recall_bases)))),
        cells=cells,
        lengths=np.full((2, len(recall_bases)), 4),
        grade_counts=np.array([(9, base) for base in recall_bases]),
    )


@pytest.mark.spec("FFF-VII-meas")
@pytest.mark.parametrize("spelling", WITH_RECALL_BASE)
def test_ranks_of_measures_with_recall_base_ignore_it_and_say_that_they_stand_in(spelling):
    scale = interval(spelling)
    assert scale.surrogate
    scores = scale.scores(campaign([2, 3, 6]))
    assert (scores.values == scores.values[:, :1]).all()
    assert [caveat.kind for caveat in scores.caveats].count(CaveatKind.SCALE) == 1
    assert not scale.scores(campaign([4, 4])).caveats


@pytest.mark.spec("FFF-VI-C2-feas")
def test_only_runs_that_the_recall_base_allows_make_a_smaller_image():
    assert sum(comb(5, r) for r in range(4)) == image("P", 5, recall_base=3).total == 26
    sizes = {
        (n, base): [image(m, n, recall_base=base).size for m in ("DCG(b=2)", "AP")] for n, base in ((5, 3), (10, 5))
    }
    assert sizes == {(5, 3): [19, 25], (10, 5): [475, 483]}


@pytest.mark.spec("FFF-Ex12")
def test_recall_bases_disappear_from_the_ranks_of_recall():
    runs = list(product((0, 1), repeat=2))
    for base, values in ((2, ["0", "1/2", "1/2", "1"]), (3, ["0", "1/3", "1/3", "2/3"])):
        assert [str(parse("R").of(run, recall_base=base)) for run in runs] == values
        assert [interval("R").rank(run, recall_base=base) for run in runs] == [1, 2, 2, 3]


@pytest.mark.spec("FFF-VI-D-mem", "E31")
def test_what_writing_down_all_runs_would_take():
    assert enumeration_bytes(30) == 240 * 2**30
    assert [enumeration_bytes(40, bits=bits) // 2**40 for bits in (64, 8, 1)] == [320, 40, 5]


@pytest.mark.spec("FFF-VI-D-graded")
def test_four_grades_at_thirty_ranks_make_more_runs_than_anybody_enumerates():
    assert interval("DCG(b=2)", depth=30, grades=4).universe.total(30) == 4**30 == 2**60


SIX = {
    "e1": (1,) + (0,) * 29,
    "first5": (1,) * 5 + (0,) * 25,
    "alt": (1, 0) * 15,
    "h1": (1,) * 15 + (0,) * 15,
    "h2": (0,) * 15 + (1,) * 15,
    "ones": (1,) * 30,
}


@pytest.mark.spec("FFF-VI-D-fast")
@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("DCG(b=2)", [8575, 91285231, 435798132, 741888383, 63417986, 805306368]),
        ("nDCG(b=2)", [8575, 91285231, 435798132, 741888383, 63417986, 805306368]),
        ("DCG(b=10)", [22, 78895, 5847314, 7533402, 4000935, 11534336]),
        ("RBP(p=0.8)", [38037288, 902123343, 669056652, 1073580459, 161366, 1073741824]),
        ("RBP(p=0.5)", [536870913, 1040187393, 715827883, 1073709057, 32768, 1073741824]),
        ("RBP(p=0.3)", [536870913, 1040187393, 715827883, 1073709057, 32768, 1073741824]),
        ("P", [2, 6, 16, 16, 16, 31]),
        ("RR", [31, 31, 31, 31, 16, 31]),
    ],
)
def test_exact_ranks_at_thirty_ranks(spelling, expected):
    scale = interval(spelling, depth=30)
    assert [scale.rank(run) for run in SIX.values()] == expected
    assert scale.size == expected[-1]


# Examples 9 to 11: what averages of values and of ranks say.


@pytest.mark.spec("FFF-Ex9")
def test_the_mean_reciprocal_rank_prefers_another_system_than_the_mean_rank():
    # the first relevant document stands at ranks 1 and 4 for A, at 2 and 2 for B
    a, b = [digits("1000"), digits("0001")], [digits("0100"), digits("0100")]
    values = [[parse("RR").of(run) for run in system] for system in (a, b)]
    assert [float(sum(system) / 2) for system in values] == [0.625, 0.5]
    assert [sum(run.index(1) + 1 for run in system) / 2 for system in (a, b)] == [2.5, 2]
    assert [sum(interval("RR@4").rank(run) for run in system) / 2 for system in (a, b)] == [3.5, 4]


TABLE_1 = {"A": ["1110", "1001"], "B": ["1101", "1010"], "C": ["0010", "0101"], "D": ["0001", "0110"]}


@pytest.mark.spec("FFF-Ex10-T1", "E44")
def test_average_precision_in_table_1():
    values = {name: [parse("AP").of(digits(run), recall_base=4) for run in runs] for name, runs in TABLE_1.items()}
    rounded = {name: [round(float(value), 4) for value in row] for name, row in values.items()}
    assert rounded == {"A": [0.75, 0.375], "B": [0.6875, 0.4167], "C": [0.0833, 0.25], "D": [0.0625, 0.2917]}
    means = {name: sum(row) / 2 for name, row in values.items()}
    assert means == {"A": Fraction(9, 16), "B": Fraction(53, 96), "C": Fraction(1, 6), "D": Fraction(17, 96)}


@pytest.mark.spec("FFF-Ex10-rank", "E43")
def test_descending_ranks_quoted_for_table_1():
    scale = interval("AP@4")
    descending = {run: scale.rank(digits(run), descending=True) for run in ("0010", "0001", "0101", "1000", "0110")}
    assert descending == {"0010": 13, "0001": 14, "0101": 10, "1000": 10, "0110": 9}
    value = {run: parse("AP").of(digits(run)) for runs in TABLE_1.values() for run in runs}
    gaps = [value["0010"] - value["0001"], value["0110"] - value["0101"]]
    assert [round(float(gap), 4) for gap in gaps] == [0.0208, 0.0417]
    top = [value["1110"] - value["1101"], value["1010"] - value["1001"]]
    assert [round(float(gap), 4) for gap in top] == [0.0625, 0.0417]


@pytest.mark.spec("FFF-Ex10-phi")
def test_both_comparisons_of_table_1_become_ties_on_the_interval_scale():
    scale = interval("AP@4")
    found = {name: [scale.rank(digits(run)) for run in runs] for name, runs in TABLE_1.items()}
    assert found == {"A": [14, 8], "B": [13, 9], "C": [3, 6], "D": [2, 7]}
    assert {name: sum(row) / 2 for name, row in found.items()} == {"A": 11, "B": 11, "C": 4.5, "D": 4.5}


@pytest.mark.spec("FFF-Ex11")
def test_topics_with_different_recall_bases_have_no_equally_spaced_scale_in_common():
    recall = [image("R", depth=3, recall_base=base) for base in (1, 2, 3)]
    mixed = union(recall)
    assert [str(value) for value in mixed] == ["0", "1/3", "1/2", "2/3", "1"]
    assert not mixed.equispaced
    common = common_scale(recall)
    assert list(common) == [Fraction(place, 6) for place in range(7)]
    assert set(common) - set(mixed) == {Fraction(1, 6), Fraction(5, 6)}
    assert set(common) <= set(image("R", depth=6, recall_base=6))


@pytest.mark.spec("E41")
def test_ranks_keep_the_order_of_systems_on_every_topic_but_not_on_average():
    # example 10: A beats B on average precision, and ties with it in mean rank
    value, scale = parse("AP"), interval("AP@4")
    for topic in (0, 1):
        a, b = (digits(TABLE_1[name][topic]) for name in "AB")
        assert (value.of(a) < value.of(b)) == (scale.rank(a) < scale.rank(b))
    means = [sum(value.of(digits(run)) for run in TABLE_1[name]) for name in "AB"]
    rank_means = [sum(scale.rank(digits(run)) for run in TABLE_1[name]) for name in "AB"]
    assert means[0] > means[1]
    assert rank_means[0] == rank_means[1]


@pytest.mark.spec("FFF-VII-lenient")
def test_graded_judgments_are_binarised_leniently():
    scores = interval("DCG(b=2)@3").scores(JudgedRuns.on_one_topic([(0, 1, 2), (0, 1, 1)], (5, 2, 2)))
    assert scores.values[0] == scores.values[1] == float(interval("DCG(b=2)@3").of((0, 1, 1)))
    assert CaveatKind.GRADES in [caveat.kind for caveat in scores.caveats]


def test_runs_are_cut_or_filled_up_to_the_depth():
    scale = interval("DCG(b=2)@5")
    assert [2**n for n in (5, 10, 20, 30)] == [interval("P", depth=n).universe.total(n) for n in (5, 10, 20, 30)]
    assert scale.rank((1, 0)) == scale.rank((1, 0, 0, 0, 0)) == scale.rank((1, 0, 0, 0, 0, 1, 1))


def test_mean_ranks_of_a_small_campaign():
    numbers = np.array([[8, 3, 12, 5], [1, 10, 6, 9], [15, 4, 2, 7]])
    runs = [[RUNS[number] for number in row] for row in numbers.T.tolist()]
    expected = {
        "P": [3, 8 / 3, 8 / 3, 10 / 3],
        "RR": [4, 4, 4, 13 / 3],
        "RBP(p=0.3)": [9, 20 / 3, 23 / 3, 8],
        "RBP(p=0.5)": [9, 20 / 3, 23 / 3, 8],
        "DCG(b=2)": [6, 16 / 3, 6, 7],
        "AP": [23 / 3, 6, 7, 8],
    }
    for spelling, means in expected.items():
        scale = interval(spelling, depth=4)
        assert [float(sum(scale.rank(run) for run in system)) / 3 for system in runs] == pytest.approx(means)
