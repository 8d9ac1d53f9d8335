"""Topics with scales of their own: averaging, S[N, K], and what is said of it (FFF, sections II, IV-C and IV-D)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from measurand import parse
from measurand.errors import CaveatKind, NotMeaningful
from measurand.judged import JudgedRuns
from measurand.measures import R, SetF, SetP
from measurand.papers.fff2021.set_scales import SetUniverse, set_scale_table
from measurand.scale import Scale
from measurand.scales import common_scale, union

MOST = 11
CELLS = list(product(range(1, 8), repeat=2))


def campaign(counts: dict[str, tuple[int, ...]], size: int, recall_bases: tuple[int, ...]) -> JudgedRuns:
    """Return systems that found so many relevant documents in `size` on topics with these recall bases."""
    rows = [[[1] * r + [0] * (size - r) for r in found] for found in counts.values()]
    return JudgedRuns(
        systems=tuple(counts),
        topics=tuple(f"t{place}" for place, _ in enumerate(recall_bases, 1)),
        cells=np.array(rows, dtype=np.int8),
        lengths=np.full((len(counts), len(recall_bases)), size),
        grade_counts=np.array([(99, base) for base in recall_bases]),
    )


# Section II: what an experiment stores.


@pytest.mark.spec("FFF-II-cranfield")
def test_scores_are_stored_by_system_and_topic_for_each_measure():
    judged = campaign({"a": (2, 1), "b": (1, 3), "c": (0, 5)}, 5, (2, 10))
    for spelling in ("P@5", "R@5", "AP@5"):
        scores = parse(spelling).scores(judged)
        assert scores.measure == spelling
        assert scores.systems == ("a", "b", "c")
        assert scores.topics == ("t1", "t2")
        assert scores.values.shape == (3, 2)
    assert parse("P@5").scores(judged).of("b", "t2") == 3 / 5
    with pytest.raises(ValueError, match="read-only"):
        parse("P@5").scores(judged).values[0, 0] = 1


# Section IV-C: averages over topics that have scales of their own.


@pytest.mark.spec("FFF-VI-C1", "FFF-VI-C2")
def test_precision_is_on_one_scale_over_all_topics_and_may_be_averaged():
    scores = parse("P@5").scores(campaign({"A": (2, 1), "B": (1, 3)}, 5, (2, 10)))
    assert scores.scale is Scale.INTERVAL
    assert scores.one_scale
    assert scores.mean(strict=True).caveats == ()


@pytest.mark.spec("FFF-VI-C1", "FFF-VI-C2")
@pytest.mark.parametrize("spelling", ["R@5", "AP@5", "nDCG@5", "nDCG(b=2)@5", "F@5"])
def test_measures_with_recall_base_have_a_scale_of_their_own_on_every_topic_and_say_so_when_averaged(spelling):
    scores = parse(spelling).scores(campaign({"A": (2, 1), "B": (1, 3)}, 5, (2, 10)))
    assert not scores.one_scale
    assert any(
        caveat.kind is CaveatKind.SCALE and "scale of its own on every topic" in caveat.text
        for caveat in scores.mean().caveats
    )
    with pytest.raises(NotMeaningful, match="scale of its own on every topic"):
        scores.mean(strict=True)


@pytest.mark.spec("FFF-VI-C1", "FFF-VI-C2")
@pytest.mark.parametrize("spelling", ["R@5", "F@5"])
def test_equal_recall_bases_leave_recall_on_one_scale(spelling):
    scores = parse(spelling).scores(campaign({"A": (2, 1), "B": (1, 3)}, 5, (4, 4)))
    assert scores.one_scale
    assert scores.mean(strict=True).caveats == ()


def test_recall_on_recall_bases_1_2_and_3_has_no_equal_spacing_and_its_common_scale_has_impossible_values():
    images = [SetUniverse(9, base).image("R") for base in (1, 2, 3)]
    mixed, common = union(images), common_scale(images)
    assert [str(value) for value in mixed] == ["0", "1/3", "1/2", "2/3", "1"]
    assert list(mixed) == list(SetUniverse(9, (1, 2, 3)).image("R"))
    assert not mixed.equispaced
    assert list(common) == [Fraction(place, 6) for place in range(7)]
    impossible = {Fraction(1, 6), Fraction(5, 6)}
    assert set(common) - set(mixed) == impossible
    assert impossible <= set(SetUniverse(9, 6).image("R"))
    assert not any(impossible & set(SetUniverse(9, base).image("R")) for base in range(1, 6))


# Section IV-D: S[N, K].


@pytest.mark.spec("FFF-IV-D-S")
def test_the_numbers_of_results_are_those_of_the_checklist():
    sizes = [[len(SetUniverse.up_to(n, k).results) for k in range(1, 5)] for n in range(1, 5)]
    assert sizes == [[2, 4, 6, 8], [4, 9, 14, 19], [6, 14, 23, 32], [8, 19, 32, 46]]
    listed = {(0, 1, 1), (1, 1, 1), (0, 1, 2), (1, 1, 2), (0, 2, 1), (1, 2, 1), (0, 2, 2), (1, 2, 2), (2, 2, 2)}
    assert {tuple(result) for result in SetUniverse.up_to(2, 2).results} == listed


@pytest.mark.spec("FFF-IV-D-cell")
@pytest.mark.parametrize(("n", "base"), CELLS)
def test_with_one_size_and_one_recall_base_all_three_are_equally_spaced_and_affine(n, base):
    cell = SetUniverse(n, base)
    assert all(cell.interval(measure) for measure in "PRF")
    assert cell.affine("P", "R").argument == f"R = {Fraction(n, base)} P"
    assert cell.affine("P", "F").argument == f"F = {Fraction(2 * n, n + base)} P"
    assert cell.affine("R", "F")


@pytest.mark.spec("FFF-IV-D1-fixn")
@pytest.mark.parametrize("k", range(1, MOST + 1))
def test_one_size_leaves_precision_on_one_scale_but_not_recall(k):
    fixed = SetUniverse(5, range(1, k + 1))
    assert fixed.interval("P")
    assert list(fixed.image("P")) == [Fraction(r, 5) for r in range(min(5, k) + 1)]
    assert bool(fixed.interval("R")) == (k <= 2)


@pytest.mark.spec("FFF-IV-D2-int")
@pytest.mark.parametrize("k", range(1, MOST + 1))
def test_one_recall_base_leaves_recall_on_one_scale_but_not_precision(k):
    fixed = SetUniverse(range(1, k + 1), 5)
    assert fixed.interval("R")
    assert bool(fixed.interval("P")) == (k <= 2)


@pytest.mark.spec("FFF-IV-D2-rev")
def test_precision_and_recall_reverse_pairs_exactly_as_the_condition_says():
    total = 0
    for bounds in ((4, 4), (5, 3)):
        universe = SetUniverse.up_to(*bounds)
        by_condition = {
            (one, two)
            for one, two in product(universe.results, repeat=2)
            if one.relevant
            and Fraction(two.retrieved, one.retrieved)
            < Fraction(two.relevant, one.relevant)
            < Fraction(two.recall_base, one.recall_base)
        }
        by_value = {
            (one, two)
            for one, two in product(universe.results, repeat=2)
            if one.precision < two.precision and one.recall > two.recall
        }
        assert set(universe.reversals()) == by_condition == by_value
        total += len(universe.reversals())
    assert total == 171
    [(one, two)] = SetUniverse.up_to(2, 2).reversals()
    assert (tuple(one), tuple(two)) == ((1, 2, 1), (1, 1, 2))
    assert (one.precision, two.precision, one.recall, two.recall) == (Fraction(1, 2), 1, 1, Fraction(1, 2))


@pytest.mark.spec("FFF-IV-D3-F1", "E27")
def test_f_is_defined_where_the_harmonic_mean_is_not_and_agrees_with_it_elsewhere():
    for result in SetUniverse.up_to(6, 6).results:
        run = [1] * result.relevant + [0] * (result.retrieved - result.relevant)
        closed = Fraction(2 * result.relevant, result.retrieved + result.recall_base)
        assert result.f == SetF.of(run, recall_base=result.recall_base) == closed
        precision, recall = SetP.of(run), R.of(run, recall_base=result.recall_base)
        if result.relevant:
            assert result.f == 2 / (1 / precision + 1 / recall)
        else:
            assert result.f == precision == recall == 0


def test_correlation_of_precision_recall_and_f():
    found = SetUniverse.up_to(2, 2).correlation("P", "R")
    assert (found.concordant, found.discordant) == (22, 1)
    assert (found.ties_x, found.ties_y, found.ties_both) == (3, 3, 7)
    expected = {(2, 2): [0.8077, 0.9266, 0.9266], (3, 3): [0.7179, 0.8831, 0.8831]}
    for bounds, taus in expected.items():
        universe = SetUniverse.up_to(*bounds)
        pairs = [("P", "R"), ("P", "F"), ("R", "F")]
        assert [round(universe.correlation(*pair), 4) for pair in pairs] == taus
    assert round(SetUniverse.up_to(1, 2).correlation("P", "R"), 4) == 0.8944


def test_precision_and_recall_can_both_be_interval_and_not_affine_before_they_ever_contradict_each_other():
    table = set_scale_table(5, 5)
    both = table.filter(table["P interval"] & table["R interval"])
    split = both.filter(~both["P-R affine"])
    assert split.select("N", "K").rows() == [(1, 2), (2, 1), (2, 2)]
    assert split["reversals"].to_list() == [0, 0, 1]
    assert [round(tau, 4) for tau in split["P-R tau"].to_list()] == [0.8944, 0.8944, 0.8077]
    assert table.filter(table["P-R affine"]).select("N", "K").rows() == [(1, 1)]
