"""Values over all orders inside ties, against every order that there is."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from attrs import evolve

import measurand as md
from measurand.errors import CaveatKind
from measurand.intervals.interval_scale import IntervalScaled
from measurand.judged import NOTHING, POOLED, UNJUDGED, JudgedRuns, OverTies, Pool, TieGroups
from measurand.measures import ESL, catalogue, define, parse
from measurand.measures.campaigns import with_campaign
from measurand.measures.ties.closed_forms import closed_form, stopping, stopping_exactly
from measurand.measures.ties.over_ties import over_ties
from measurand.measures.ties.tied_runs import TiedRuns

VARIANTS = [
    "AP(judged_only=True)@2",
    "AP(rel=2)",
    "AP@3",
    "Bpref@3",
    "Bpref(judged_only=True)@2",
    "Bpref(rel=2)@4",
    "Bpref(judged_only=True)",
    "DCG(b=2)@3",
    "ERR(gmax=4)@2",
    "ERR(judged_only=True)",
    "ESL(i=2)@3",
    "ESL(i=2, judged_only=True)",
    "ESL(i=3, judged_only=True)@2",
    "ESLR(i=2, judged_only=True)",
    "F(beta=2)@3",
    "INST(T=2)@3",
    "IPrec(judged_only=True)@0.5",
    "IPrec(rel=2)@0.5",
    "Judged@3",
    "NumNonrelRet@2",
    "NumNonrelRet(judged_only=True)@3",
    "NumRet(rel=1)@2",
    "OIE(collection=40)@3",
    "P(judged_only=True)@2",
    "P@3",
    "Q(beta=2)@3",
    "Q(judged_only=True)",
    "Q(rel=2)@3",
    "R@2",
    "RBP(p=0.5, rel=2)",
    "RR(judged_only=True)@2",
    "RR@3",
    "RelativeP@2",
    "Rprec(multiple=0.5)",
    "SetAP(judged_only=True)",
    "SetP(judged_only=True)@3",
    "SetF(judged_only=True)",
    "Success@2",
    "Success(judged_only=True)@2",
    "Unjudged@2",
    "gRBP(gain={1: 3, 2: 3})",
    "gm(AP(judged_only=True))",
    "gm(nDCG@3)",
    "infAP@3",
    "infAP(judged_only=True)",
    "interval(AP@3)",
    "interval(DCG(b=2)@3, grades=3)",
    "interval(RR(judged_only=True)@3)",
    "interval(gP(gain={1: 3, 2: 3})@3, grades=2)",
    "nDCG(gain='1=3,2=1')@3",
    "nDCG(judged_only=True)@3",
    "nERR@2",
    "nERR(judged_only=True)",
]

COUNTS = (4, 3, 2)


def arrangements(groups, depth):
    """Return every order of tied documents, cut to the depth: the definition.

    Orders of documents that are alike are one, and all have as many that are like them.
    """
    for orders in product(*(sorted(set(permutations(group))) for group in groups)):
        run = tuple(cell for order in orders for cell in order)
        yield (run + (NOTHING,) * depth)[:depth]


def judged_runs(runs, depth, counts=COUNTS, over="expected"):
    """Return some runs, each a list of tie groups, as those of so many systems on one topic."""
    flat = [[cell for group in groups for cell in group] for groups in runs]
    width = max(depth, *map(len, flat))
    cells = np.array([run + [NOTHING] * (width - len(run)) for run in flat], dtype=np.int8)[:, None, :]
    tied = np.zeros(cells.shape, dtype=bool)
    for s, groups in enumerate(runs):
        marks = [nth > 0 for group in groups for nth in range(len(group))]
        tied[s, 0, : len(marks)] = marks
    plain = JudgedRuns.on_one_topic(cells[:, 0, :depth], counts)
    return evolve(plain, groups=TieGroups(cells, tied, OverTies(over)))


def random_runs(rng, number, *, cut):
    """Return runs of up to six documents in tie groups, with gaps in the judgments; the depth may cut a group."""
    depth = 5
    for _ in range(number):
        length = int(rng.integers(1, 7))
        cells = rng.choice([0, 0, 1, 1, 2, UNJUDGED, UNJUDGED, POOLED], size=length).tolist()
        groups, rest = [], cells
        while rest:
            # groups that begin beyond the depth are of no interest
            size = int(rng.integers(1, len(rest) + 1))
            groups.append(rest[:size])
            rest = rest[size:]
        starts = np.cumsum([0, *map(len, groups)])[:-1]
        kept = [group for group, start in zip(groups, starts, strict=True) if start < depth]
        if not cut:
            kept = [group[: depth - start] for group, start in zip(kept, starts, strict=False)]
        yield kept


def values_of(measure, runs):
    """Return the exact values of some runs as floats."""
    if isinstance(measure, IntervalScaled):
        # grades above the highest of the scale fold into it, which one run alone is refused
        return measure.scores(JudgedRuns.on_one_topic(runs, COUNTS)).values[:, 0].tolist()
    return [float(measure.of(run, grade_counts=COUNTS)) for run in runs]


def test_mean_and_extremes_are_those_of_all_orders(naming):
    for spelling in (*catalogue(), *VARIANTS):
        with naming(spelling):
            measure = parse(spelling)
            rng = np.random.default_rng(len(spelling))
            runs = [*random_runs(rng, 8, cut=True), *random_runs(rng, 6, cut=False)]
            # the depth leaves four documents of the second group, even where the first one is removed
            runs.append([[UNJUDGED], [1, 0, 0, 2, 1, 0]])
            judged = judged_runs(runs, 5)
            found = over_ties(measure, judged)
            measure = with_campaign(measure, judged)
            assert set(found.how.flat) == {"exact"}
            for s, groups in enumerate(runs):
                values = values_of(measure, list(arrangements(groups, 5)))
                told = found.expected[s, 0], found.low[s, 0], found.high[s, 0]
                assert told == pytest.approx((np.mean(values), min(values), max(values)), abs=1e-12), (groups, spelling)
                assert found.matters[s, 0] == (max(values) - min(values) > 1e-9), groups


def test_closed_forms_say_the_same_exactly(naming):
    for spelling in (*catalogue(), *VARIANTS):
        with naming(spelling):
            measure = parse(spelling)
            judged = judged_runs(list(random_runs(np.random.default_rng(11), 40, cut=True)), 5)
            form = closed_form(measure)
            if form is None:
                continue
            condensed = measure.removes_unjudged
            runs = TiedRuns.of(judged, np.arange(40), measure.reach(5), condensed=condensed, barren=form.needs_barren)
            closed = form.spread(runs)
            for place in np.flatnonzero(~np.isnan(closed.expected)).tolist():
                exact = form.exact_spread(runs.run(place), Pool(COUNTS))
                for name in ("expected", "low", "high"):
                    if getattr(closed, name) is not None:
                        assert getattr(closed, name)[place] == pytest.approx(float(getattr(exact, name)), abs=1e-12)


def test_readers_who_stop_for_sure_at_some_documents_and_perhaps_at_others():
    stops = {UNJUDGED: Fraction(0), 0: Fraction(1, 5), 1: Fraction(1, 2), 2: Fraction(1), POOLED: Fraction(0)}
    groups = list(random_runs(np.random.default_rng(12), 60, cut=True))
    runs = TiedRuns.of(judged_runs(groups, 5), np.arange(60), 5)
    rough = stopping(runs, np.array([float(stops[cell]) for cell in runs.cell.tolist()]))
    for place in range(60):
        run = runs.run(place)
        exact = stopping_exactly(run, [[stops[cell] for cell in group.cells] for group in run.groups])
        assert rough[runs.place_run == place] == pytest.approx([float(chance) for _, chance in exact], abs=1e-15)


@pytest.mark.parametrize("spelling", ["AP", "nDCG@3", "P@2", "RR", "ERR", "Bpref", "SetAP@3", "interval(RR@3)"])
@pytest.mark.parametrize("over", ["expected", "min", "max"])
def test_equal_exact_values_get_equal_floats(spelling, over):
    measure = parse(spelling)
    runs = list(random_runs(np.random.default_rng(3), 20, cut=True))
    runs += [[list(reversed(group)) for group in groups] for groups in runs]
    scores = measure.scores(judged_runs(runs, 5, over=over)).values[:, 0]
    floats = {}
    for groups, score in zip(runs, scores, strict=True):
        values = [measure.level(measure.view(run), Pool(COUNTS)) for run in arrangements(groups, 5)]
        total = sum(values[1:], values[0]) * Fraction(1, len(values))
        exact = {"expected": total, "min": min(values), "max": max(values)}[over]
        assert floats.setdefault(exact, score) == score


@pytest.mark.parametrize("spelling", ["AP", "nDCG", "P@7", "RR", "ERR@9", "Bpref", "Success@2", "Q", "INST@9", "ESL"])
def test_runs_without_ties_that_matter_score_as_in_trec_order_bit_by_bit(spelling):
    rng = np.random.default_rng(7)
    cells = rng.choice([-1, 0, 0, 1, 2], size=(12, 3, 14)).astype(np.int8)
    tied = rng.random(cells.shape) < 0.4
    tied[:, :, 0] = False
    # ties between documents that are alike do not matter; some systems have ties that do
    tied[2:, :, 1:] &= cells[2:, :, 1:] == cells[2:, :, :-1]
    plain = JudgedRuns(
        systems=tuple(f"s{s}" for s in range(12)),
        topics=("1", "2", "3"),
        cells=cells,
        lengths=np.full((12, 3), 14),
        grade_counts=np.full((3, 3), 9),
    )
    measure = parse(spelling)
    found = over_ties(measure, evolve(plain, groups=TieGroups(cells, tied)))
    trec = measure.scores(plain).values
    assert found.matters[:2].any()
    assert not found.matters[2:].any()
    for values in (found.plain, found.expected, found.low, found.high):
        assert np.array_equal(values[~found.matters], trec[~found.matters])


@pytest.mark.parametrize("spelling", ["gP", "gP(gmax=7)", "SetAP", "gm(gR(gmax=7))"])
def test_where_no_order_makes_a_difference_the_score_is_that_of_trec_order_bit_by_bit(spelling):
    rng = np.random.default_rng(5)
    runs = [[rng.choice([0, 1, 2], size=11).tolist()] for _ in range(30)]
    judged = judged_runs(runs, 11, counts=(30, 13, 7))
    found = over_ties(parse(spelling), judged)
    assert not found.matters.any()
    assert np.array_equal(found.expected, parse(spelling).scores(evolve(judged, groups=None)).values)


def test_three_documents_of_one_score_have_the_mean_of_their_places():
    tied = {"1": {"a": 1.0, "b": 1.0, "c": 1.0}}
    scores = md.evaluate({"1": {"a": 1}}, tied, ["RBP(p=0.8)", "RR"], ties="expected")
    assert scores.scores("RBP(p=0.8)").values.item() == pytest.approx((0.2 + 0.16 + 0.128) / 3, abs=1e-15)
    assert scores.scores("RR").values.item() == pytest.approx(11 / 18, abs=1e-15)


def test_rprec_looks_down_to_a_rank_that_depends_on_the_recall_base_and_not_on_the_depth():
    # half of a recall base of 4 is 2, of which the depth leaves both
    judged = judged_runs([[[0], [1, 0, 0, 0]]], 2, counts=(9, 4))
    found = over_ties(parse("Rprec(multiple=0.5)"), judged)
    assert (found.low.item(), found.expected.item(), found.high.item()) == (0, 0.125, 0.5)


@pytest.mark.parametrize(("ties", "value"), [("trec", 1 / 3), ("min", 1 / 3), ("expected", 11 / 18), ("max", 1)])
def test_evaluation_takes_what_is_asked_for(ties, value):
    scores = md.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0, "b": 1.0, "c": 1.0}}, "AP", ties=ties).scores("AP")
    assert scores.values.item() == pytest.approx(value)
    told = [caveat.text for caveat in scores.caveats if caveat.kind is CaveatKind.TIES]
    assert len(told) == (ties != "trec")
    assert all("1 of 1 rankings" in text for text in told)


def test_topics_left_out_stay_left_out():
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    table = md.evaluate(qrels, {"1": {"a": 1.0, "b": 1.0}}, "RR", ties="expected", missing_topics="skip")
    assert table.scores("RR").values[0, 0] == 0.75
    assert np.isnan(table.scores("RR").values[0, 1])


def spread_out(run):
    """Return the distance of the first and the last relevant document: no order inside ties is best for it."""
    ranks = [rank for rank, grade in enumerate(run) if grade]
    return ranks[-1] - ranks[0] if ranks else 0


def test_a_function_of_a_user_is_asked_for_all_orders():
    measure = define(spread_out, name="Spread")
    judged = judged_runs([[[1, 0, 1], [0]], [[1], [0, 1, 0]]], 4)
    found = over_ties(measure, judged)
    assert found.expected[:, 0].tolist() == pytest.approx([4 / 3, 2])
    assert (found.low[:, 0].tolist(), found.high[:, 0].tolist()) == ([1, 1], [2, 3])


MANY = [[1] * 8 + [0] * 8 + [2] * 4]


def test_too_many_orders_are_sampled_and_that_is_said():
    measure = parse("INST@20")
    found = over_ties(measure, judged_runs([MANY, [[1], [0]]], 20))
    assert found.how[:, 0].tolist() == ["estimated", "exact"]
    assert found.estimated[:, 0].tolist() == [True, False]
    assert found.sampled[:, 0].tolist() == [True, False]
    assert found.errors[1, 0] == 0 < found.errors[0, 0] < 0.05
    assert found.low[0, 0] < found.expected[0, 0] < found.high[0, 0]
    texts = [caveat.text for caveat in found.caveats()]
    assert len(texts) == 2
    assert texts[1].startswith(f"{measure!r}: in 1 ranking the mean is that of 1,000 random orders, with a standard")
    for over, bound in (("min", "at most"), ("max", "at least")):
        caveats = measure.scores(judged_runs([MANY], 20, over=over)).caveats
        assert bound in [caveat.text for caveat in caveats if caveat.kind is CaveatKind.TIES][1]


@pytest.mark.parametrize("over", ["expected", "min", "max"])
def test_a_sample_without_differences_is_still_said_to_be_one(over):
    measure = define(lambda run: 1, name="Same")
    assert not over_ties(measure, judged_runs([MANY], 20)).matters.any()
    (caveat,) = [
        one for one in measure.scores(judged_runs([MANY], 20, over=over)).caveats if one.kind is CaveatKind.TIES
    ]
    assert "is that of 1,000 random orders" in caveat.text


def test_a_sample_repeats_and_does_not_depend_on_other_runs():
    measure = parse("INST@20")
    alone = over_ties(measure, judged_runs([MANY], 20))
    beside = over_ties(measure, judged_runs([[[0, 1]], MANY], 20))
    assert alone.expected[0, 0] == beside.expected[1, 0]


def test_a_sampled_mean_is_within_a_few_standard_errors_of_the_true_one():
    # the same mean as that of AP, which has a closed form
    sampled = define(lambda run, base: parse("AP").of(run, recall_base=base), name="Like", uses_recall_base=True)
    judged = judged_runs([MANY], 20)
    found = over_ties(sampled, judged)
    true = over_ties(parse("AP"), judged).expected
    assert found.estimated.all()
    assert abs(found.expected - true).max() < 5 * found.errors.max()


def test_extremes_need_no_sample_where_swap_is_respected():
    found = over_ties(parse("IPrec@0.5"), judged_runs([MANY], 20))
    assert found.estimated.all()
    assert not found.sampled.any()
    worst, best = sorted(MANY[0]), sorted(MANY[0], reverse=True)
    assert [found.low.item(), found.high.item()] == values_of(parse("IPrec@0.5"), [worst, best])


@pytest.mark.parametrize(
    "spelling", ["AP", "nDCG", "RR", "ERR", "RBP(p=0.8)", "Q", "P@10", "Success@5", "Judged@10", "Bpref", "Bpref@30"]
)
def test_a_thousand_documents_of_one_score_have_their_exact_mean(spelling):
    measure = parse(spelling)
    rng = np.random.default_rng(1)
    # the definition of Bpref takes long on more
    size = 400 if spelling == "Bpref" else 1000
    group = rng.choice([0, UNJUDGED, 1, 2], p=[0.5, 0.47, 0.02, 0.01], size=size).tolist()
    judged = judged_runs([[group]], 900, counts=(900, 40, 20))
    found = over_ties(measure, judged)
    runs = TiedRuns.of(judged, np.array([0]), measure.reach(900))
    exact = closed_form(measure).exact_spread(runs.run(0), Pool((900, 40, 20))).expected
    assert found.expected.item() == pytest.approx(float(exact), rel=1e-12)


def test_a_measure_that_changes_the_definition_of_search_length_gets_no_closed_form_of_it():
    class Hundredfold(type(ESL)):
        def exact(self, run, pool):
            return 100 * super().exact(run, pool)

        def fast(self, judged):
            return 100 * super().fast(judged)

    run = md.read_run({"1": {"a": 1.0, "b": 1.0}}, name="tied")
    judged = md.judge([run], md.read_qrels({"1": {"a": 1, "b": 0}}))
    assert Hundredfold().scores(judged).values.tolist() == (100 * ESL.scores(judged).values).tolist() == [[50.0]]
