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
from measurand.scale import Scale

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


@pytest.mark.spec("FFF-VI-interval")
@pytest.mark.parametrize("spelling", WITHOUT_RECALL_BASE + WITH_RECALL_BASE)
def test_transformed_values_are_equally_spaced(spelling):
    scale = interval(spelling, depth=4)
    values = sorted({scale.of(run) for run in RUNS})
    assert values == [Fraction(place, scale.size - 1) for place in range(scale.size)]
    assert scale.scale is Scale.INTERVAL


@pytest.mark.spec("FFF-T3-mid")
def test_mid_ranks_of_precision_and_reciprocal_rank():
    assert sorted(set(ranks("P", ties="mid"))) == [1, 3.5, 8.5, 13.5, 16]
    assert sorted(set(ranks("RR", ties="mid"))) == [1, 2, 3.5, 6.5, 12.5]


@pytest.mark.spec("FFF-VI-P")
def test_the_rank_under_precision_and_recall_is_one_more_than_the_relevant_documents():
    for spelling in ("P", "R", "F"):
        assert ranks(spelling) == [sum(run) + 1 for run in RUNS]


@pytest.mark.spec("FFF-VI-A-proc1")
def test_procedure_1_ranks_all_runs_of_dcg():
    assert ranks("DCG(b=2)") == [1, 2, 3, 5, 4, 6, 7, 9, 4, 6, 7, 9, 8, 10, 11, 12]


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


@pytest.mark.spec("FFF-VII-lenient")
def test_graded_judgments_are_binarised_leniently():
    scores = interval("DCG(b=2)@3").scores(JudgedRuns.on_one_topic([(0, 1, 2), (0, 1, 1)], (5, 2, 2)))
    assert scores.values[0] == scores.values[1] == float(interval("DCG(b=2)@3").of((0, 1, 1)))
    assert CaveatKind.GRADES in [caveat.kind for caveat in scores.caveats]


def test_runs_are_cut_or_filled_up_to_the_depth():
    scale = interval("DCG(b=2)@5")
    assert [2**n for n in (5, 10, 20, 30)] == [interval("P", depth=n).universe.total(n) for n in (5, 10, 20, 30)]
    assert scale.rank((1, 0)) == scale.rank((1, 0, 0, 0, 0)) == scale.rank((1, 0, 0, 0, 0, 1, 1))
