"""A study gathers what the rooms below say, and says nothing else."""

from __future__ import annotations

import hashlib
from itertools import combinations

import numpy as np
import pytest

import measurand as md
from measurand.errors import CaveatKind
from measurand.scales.raw_and_interval import Flips
from measurand.statistics import find_test
from measurand.study.both_scales import TESTS, on_interval_scale
from measurand.study.evaluation import DEFAULT_MEASURES
from measurand.study.plan import Plan

MEASURED = ("P@5", "RR@5", "AP@100")


@pytest.fixture(scope="module")
def study():
    return md.Study.from_files(md.sample.qrels(), md.sample.runs(), MEASURED, interval=True)


@pytest.fixture(scope="module")
def judged():
    return md.judge(md.read_runs(md.sample.runs()), md.read_qrels(md.sample.qrels()))


def test_scores_are_those_of_the_measures(study, judged):
    for name in MEASURED:
        assert np.array_equal(study.scores(name).values, md.parse(name).scores(judged).values)


def test_interval_scaled_scores_are_those_of_the_interval_scaled_measures(study, judged):
    for name in ("P@5", "RR@5"):
        placed = study.result_on_interval(name)
        assert np.array_equal(placed.scores.values, on_interval_scale(md.parse(name), judged).scores(judged).values)


def test_a_measure_without_an_interval_scale_is_told_and_compared_all_the_same(study):
    assert study.result_on_interval("AP@100") is None
    assert [c.text for c in study.caveats if "AP@100 is not shown on an interval scale" in c.text]
    assert study.result("AP@100").systems[0] in study.systems
    assert study.tests.scales("AP@100") == ("raw",)


@pytest.mark.parametrize("test", TESTS)
def test_every_test_is_the_one_of_statistics_on_either_scale(study, test):
    for name in ("P@5", "RR@5"):
        for scale, scores in (("raw", study.scores(name)), ("interval", study.result_on_interval(name).scores)):
            plain, found = find_test(test)(scores).pvalues, study.tests.of(name, scale, test).pvalues
            # but for what so few topics cannot show
            differing = (scores.values[:, None] != scores.values[None]).sum(axis=2)
            assert np.array_equal(found, np.maximum(plain, np.minimum(1.0, 2 * 0.5**differing)))


def test_flips_are_counted_pair_by_pair(study):
    raw, ranked = (study.tests.of("RR@5", scale, "paired_t").adjust("bh") for scale in ("raw", "interval"))
    pairs = list(combinations(study.systems, 2))
    before = [raw.of(a, b) <= 0.05 for a, b in pairs]
    after = [ranked.of(a, b) <= 0.05 for a, b in pairs]
    lost = sum(one and not other for one, other in zip(before, after, strict=True))
    gained = sum(other and not one for one, other in zip(before, after, strict=True))
    assert study.tests.flips("RR@5", "paired_t", adjust="bh", alpha=0.05) == Flips(sum(before), lost, gained)


def test_sources_carry_the_digests_of_their_files(study):
    files = [md.sample.qrels(), *md.sample.runs()]
    assert [source.sha256 for source in study.sources] == [hashlib.sha256(f.read_bytes()).hexdigest() for f in files]
    assert [source.role for source in study.sources] == ["judgments"] + ["run"] * 12


def test_fusions_stand_beside_the_best_system_of_each_measure(study):
    for name in MEASURED:
        standing = study.fusions.of(name)
        means = study.scores(name).mean()
        best = max(study.systems, key=lambda system: means[system])
        assert set(standing.scores.systems) == {best, *study.fusions.names.values()}
        assert np.array_equal(
            standing.scores.values[standing.scores.systems.index(best)],
            study.scores(name).values[study.systems.index(best)],
        )


def test_what_is_fused_is_called_differently_from_every_system():
    run = md.read_run({"1": {"x": 2.0, "y": 1.0}}, name="rrf")
    other = md.read_run({"1": {"y": 2.0, "x": 1.0}}, name="b")
    study = md.Study.from_files({"1": {"x": 1}}, [run, other], "P@1")
    assert study.fusions.names["rrf"] == "rrf (2)"


def test_data_in_memory_have_no_digest():
    study = md.Study.from_files({"1": {"x": 1}}, md.read_run({"1": {"x": 2.0}}, name="a"), "P@1")
    assert [(source.role, source.sha256) for source in study.sources] == [("judgments", None), ("run", None)]


def test_one_system_is_a_study_without_unanimity_and_fusion():
    study = md.Study.from_files({"1": {"x": 1}}, {"1": {"x": 2.0, "y": 1.0}}, "P@1")
    assert (study.unanimity, study.fusions) == (None, None)


def test_topics_are_those_asked_for_and_leaving_others_out_is_no_surprise():
    study = md.Study.from_files(md.sample.qrels(), md.sample.runs(), "P@5", topics="301,30[23]", fuse=False)
    assert study.topics == ("301", "302", "303")
    whole = md.Study.from_files(md.sample.qrels(), md.sample.runs(), "P@5", fuse=False)
    assert np.array_equal(study.scores("P@5").values, whole.scores("P@5").values[:, :3])
    assert not [c for c in study.caveats if c.kind is CaveatKind.UNJUDGED_TOPICS]


def test_a_plan_takes_the_usual_measures_if_none_are_named_with_cutoffs_for_interval_scales():
    plan, scaled = Plan.of(), Plan.of(interval=True)
    assert (*plan.measures, *plan.described) == DEFAULT_MEASURES == ("nDCG@10", "AP", "P@10", "RR", "Judged@10")
    assert (*scaled.measures, *scaled.described) == ("nDCG@10", "AP@30", "P@10", "RR@10", "Judged@10")


def test_the_primary_measure_of_a_plan_comes_first():
    assert list(Plan.of(["P@5", "AP"], primary="AP").measures) == ["AP", "P@5"]
    with pytest.raises(md.ParameterError, match="name a measure of relevance too"):
        Plan.of("Judged@10")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"colour": "red"}, "no option colour"),
        ({"test": "coin"}, "no test"),
        ({"adjust": "hope"}, "adjust must be one of"),
        ({"alpha": 2}, "alpha"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused(options, complaint):
    with pytest.raises(md.ParameterError, match=complaint):
        Plan.of("P@5", **options)


@pytest.mark.parametrize(("topics", "complaint"), [("9", "called 9"), (",", "no topic is named")])
def test_topics_that_do_not_exist_are_refused(topics, complaint):
    with pytest.raises(md.ParameterError, match=complaint):
        Plan.of("P@5", topics=topics).chosen(("1", "2"))


def test_agreement_is_kendalls_tau_of_the_means(study):
    from scipy.stats import kendalltau

    means = {name: study.scores(name).mean() for name in MEASURED}
    for a, b in combinations(MEASURED, 2):
        expected = kendalltau(np.round(list(means[a]), 8), np.round(list(means[b]), 8)).statistic
        assert study.agreement.of(b, a).raw == pytest.approx(expected)
    assert np.isnan(study.agreement.of("P@5", "AP@100").ranked)


def test_coverage_counts_judged_documents_and_missing_topics(study, judged):
    for rank, shares in study.coverage.shares.items():
        for s in range(len(judged.systems)):
            for t in range(len(judged.topics)):
                cells = judged.cells[s, t, : min(rank, judged.lengths[s, t])]
                if len(cells):
                    assert shares[s, t] == pytest.approx((cells >= 0).mean())
    assert study.coverage.missing.sum() == 3


@pytest.mark.parametrize("ties", [None, "trec", "groups", "expected", "min", "max"])
def test_a_study_takes_ties_as_its_plan_says_and_looks_at_every_order_of_them(ties):
    qrels, run = {"1": {"a": 1, "b": 0}}, md.read_run({"1": {"a": 1.0, "b": 1.0}}, name="s")
    study = md.Study.from_files(qrels, [run], ["ESL(i=1)", "RR"], ties=ties, fuse=False)
    expected = md.evaluate(qrels, [run], ["ESL(i=1)", "RR"], ties=ties)
    for measure in ("ESL(i=1)", "RR"):
        assert study.scores(measure).values.tolist() == expected.scores(measure).values.tolist()
        assert study.ties[measure].matters.all()


def test_a_study_does_not_keep_the_order_of_files():
    with pytest.raises(md.ParameterError, match="ties must be one of 'trec', 'expected'"):
        md.Study.from_files({"1": {"a": 1}}, [md.read_run({"1": {"a": 1.0}}, name="s")], "RR", ties="file")


def test_the_texts_of_topics_are_those_of_the_topics_looked_at():
    texts = {"2": "black bears", "1": "blue whales", "9": "none of these"}
    qrels = {"1": {"d1": 1}, "2": {"d2": 1}, "3": {"d3": 1}}
    runs = {"a": {topic: {"d1": 1.0} for topic in qrels}}
    study = md.Study.from_files(qrels, runs, "P@1", queries=texts, topics="1,3")
    assert dict(study.queries) == {"1": "blue whales"}
    assert "texts of 1 of 2 topics are not among those given" in map(str, study.caveats)
    assert study.plan.queries is None
    assert study.sources[-1].role == "queries"
    assert not md.Study.from_files(qrels, runs, "P@1").queries
