"""What compare and the page say of the leader: no more than was computed (D02, D06, D07, D11, D12, D13)."""

from __future__ import annotations

import itertools
import json
import re
from decimal import Decimal

import numpy as np
import pytest
from scipy import stats

import measurand as md
from measurand.measures import P
from measurand.report.study_frames import mean_rows
from measurand.statistics.simultaneous import to_best, to_reference

ALPHA = 0.05
NAMES = tuple("abcdefghijklmnopqrstuvwxyz")


def judged_of(rng, skills, topics=30, *, depth=10, grades=1):
    """Return judged runs of systems that find relevant documents so often, harder topics alike for all."""
    hard = rng.uniform(-0.15, 0.15, (1, topics, 1))
    found = rng.random((len(skills), topics, depth)) < np.clip(np.asarray(skills)[:, None, None] + hard, 0, 1)
    cells = (found * rng.integers(1, grades + 1, found.shape)).astype(np.int8)
    return md.JudgedRuns(
        systems=NAMES[: len(skills)],
        topics=tuple(str(301 + topic) for topic in range(topics)),
        cells=cells,
        lengths=np.full(cells.shape[:2], depth),
        grade_counts=np.tile([60] + [40] * grades, (topics, 1)),
    )


def files_of(judged):
    """Return judgments and runs, as dictionaries, that are judged like this."""
    qrels = {
        topic: {f"g{grade}-{place}": grade for grade, count in enumerate(counts) for place in range(count)}
        for topic, counts in zip(judged.topics, judged.grade_counts.tolist(), strict=True)
    }
    runs = []
    for name, cells in zip(judged.systems, judged.cells.tolist(), strict=True):
        run = {}
        for topic, grades in zip(judged.topics, cells, strict=True):
            run[topic] = {f"g{grade}-{rank}": float(-rank) for rank, grade in enumerate(grades)}
        runs.append(md.read_run(run, name=name))
    return qrels, runs


def line(conclusion, about):
    return " ".join(str(each) for each in conclusion.lines if each.about == about)


def number(text):
    return float(text.replace("−", "-").replace(",", ""))


# D02


def test_only_what_is_significant_after_correction_is_called_clear():
    """D02."""
    found = md.compare(md.sample.qrels(), md.sample.runs()).conclusion
    assert line(found, "clear") == "What is clear: rerank-2 beats 9 of the other 11 (t test, Holm)."
    said = line(found, "additive")
    assert said.startswith("On these topics: ")
    assert re.search(r"ahead of 8 of the 9 .* none of them significantly after correction\.$", said)
    assert found.to_dict()["every_additive_measure"]["significantly"] == []


@pytest.mark.parametrize("baseline", [None, "c"])
@pytest.mark.parametrize("seed", range(3))
def test_leads_under_every_additive_measure_are_counted_with_how_many_are_significant(seed, baseline):
    """D02."""
    judged = judged_of(np.random.default_rng(seed), (0.85, 0.5, 0.2, 0.15), 40)
    comparison = md.compare(judged, "P@5", baseline=baseline)
    found, levels = comparison.conclusion, comparison.to_dict()["levels"]
    every = found.to_dict()["every_additive_measure"]
    reference = levels["systems"].index(found.reference)
    sure = {
        name
        for place, name in enumerate(levels["systems"])
        if name in every["systems"]
        and np.array(levels["p_corrected"])[(place, reference) if baseline else (reference, place)] <= ALPHA
    }
    assert set(every["significantly"]) == sure
    assert "additive" not in line(found, "clear")
    said = line(found, "additive")
    assert said.startswith("On these topics: ")
    if sure == set(every["systems"]):
        assert "all of them significantly" in said or said.endswith(", significantly after correction.")


def test_of_two_systems_the_lead_under_every_additive_measure_is_said_to_be_on_these_topics():
    """D02."""
    pair = [path for path in md.sample.runs() if path.name.startswith(("lexical-3", "dense-3"))]
    found = md.compare(md.sample.qrels(), pair, "P@10").conclusion
    assert "on these topics, no additive measure" in line(found, "additive")
    assert line(found, "clear") == ""


def test_the_column_of_the_page_is_named_for_what_it_counts(tmp_path):
    """D02, D13."""
    study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:4], ["nDCG@10", "P@10"], fuse=False)
    page = md.write_report(study, tmp_path / "page.html").read_text(encoding="utf-8")
    heads = re.search(r'<table[^>]*id="board".*?</thead>', page, re.DOTALL)[0]
    words = " ".join(re.sub(r"<[^>]*>", " ", heads).split())
    assert "always" not in words
    assert "P, RBP, DCG alike on these topics" in words
    assert "minus the best 95 % interval, 6 pairs at once" in words


# D06


def test_close_is_only_who_is_not_significant_even_alone():
    """D06: rerank-3 is 0.053 behind, p = 0.008 alone."""
    comparison = md.compare(md.sample.qrels(), md.sample.runs(), "nDCG@10")
    found = comparison.conclusion
    assert "not separated from it after correction for 66 pairs" in found.headline
    assert "(1 without correction)" in found.headline
    assert set(found.unseparated) == {"rerank-1", "rerank-3"}
    assert found.close == ("rerank-1",)
    assert "too close" not in str(comparison)


@pytest.mark.parametrize("baseline", [None, "b"])
@pytest.mark.parametrize("seed", range(4))
def test_who_is_not_separated_and_who_is_close_follow_from_p_with_and_without_correction(seed, baseline):
    """D06."""
    judged = judged_of(np.random.default_rng(seed), (0.5, 0.45, 0.4, 0.35, 0.42, 0.3))
    comparison = md.compare(judged, "P@10", baseline=baseline)
    found = comparison.conclusion
    rows = [row for row in comparison.to_dict()["measures"]["P@10"]["systems"] if row["against"] is not None]
    assert set(found.unseparated) == {row["system"] for row in rows if row["p_corrected"] > ALPHA}
    assert set(found.close) == {row["system"] for row in rows if row["p"] > ALPHA}
    assert ("pairs" in found.headline) == bool(found.unseparated)


# D07


def scored(values):
    return md.Scores(measure="drawn", values=values, systems=range(len(values)), topics=range(values.shape[1]))


@pytest.mark.parametrize("systems", [3, 12])
def test_the_interval_of_the_chosen_best_holds_the_truth_as_often_as_it_says(systems):
    """D07: of equal systems, the best of the others against the baseline; benchmarks/best.py has more."""
    rng, held, naive, every = np.random.default_rng(systems), 0, 0, 0
    times = 200
    for _ in range(times):
        values = rng.normal(size=50) + rng.normal(size=(systems, 50))
        chosen = 1 + int(values[1:].mean(axis=1).argmax())
        apart = values[chosen] - values[0]
        low, high = stats.t.interval(0.95, 49, loc=apart.mean(), scale=stats.sem(apart))
        naive += low <= 0 <= high
        found = to_reference(scored(values), "0")
        held += found.low[chosen] <= 0 <= found.high[chosen]
        every += bool(((found.low[1:] <= 0) & (found.high[1:] >= 0)).all())
    assert held / times >= 0.95
    assert 0.9 <= every / times <= 0.985
    assert naive <= held


def test_the_factor_is_that_of_all_choices_of_signs():
    """D07: brute force on ten topics."""
    values = np.random.default_rng(5).normal(size=(4, 10))
    apart = values[1:] - values[0]
    centred = apart - apart.mean(axis=1)[:, None]
    largest = []
    for signs in itertools.product((-1.0, 1.0), repeat=10):
        drawn = centred * np.array(signs)
        largest.append(np.abs(stats.ttest_1samp(drawn, 0, axis=1).statistic).max())
    found = to_reference(scored(values), "0")
    factors = (found.high - found.low)[1:] / 2 / stats.sem(apart, axis=1)
    assert factors == pytest.approx(np.quantile(largest, 0.95), rel=0.05)
    assert factors == pytest.approx(factors[0])


@pytest.mark.parametrize(("topics", "by"), [(9, "Bonferroni"), (10, "Dunnett"), (40, "Dunnett")])
def test_the_best_against_a_baseline_has_an_interval_for_all_systems_at_once_and_says_so(topics, by):
    """D07."""
    judged = judged_of(np.random.default_rng(topics), (0.5, 0.5, 0.5, 0.5, 0.45), topics)
    comparison = md.compare(judged, "P@10", baseline="c")
    lead = comparison.conclusion.lead
    assert (lead.simultaneous, lead.together) == (by, 4)
    assert f"simultaneous over 4 systems ({by}); p " in line(comparison.conclusion, "lead")
    scores = (P @ 10).scores(judged)
    apart = scores.values[NAMES.index(lead.system)] - scores.values[2]
    factor = (lead.high - lead.low) / 2 / stats.sem(apart)
    most = stats.t.ppf(1 - ALPHA / 8, topics - 1)
    assert (
        factor == pytest.approx(most)
        if by == "Bonferroni"
        else (stats.t.ppf(1 - ALPHA / 2, topics - 1) <= factor <= most + 1e-9)
    )


def test_few_topics_and_constant_differences_exclude_nothing():
    """D07, D01: no interval where all differences are one, or where 0 were excluded and no signs could be so rare."""
    values = np.array([[0.1, 0.2, 0.3, 0.2], [0.5, 0.61, 0.7, 0.6], [0.2, 0.3, 0.4, 0.3]])
    found = to_reference(scored(values), "0")
    assert np.isnan([found.low, found.high]).all()


@pytest.mark.parametrize("differing", [3, 5, 6, 7, 12])
def test_no_interval_for_all_at_once_where_the_pair_alone_has_none(differing):
    """D01, D13: an end was put at 0, and the table had an interval of a pair that was said to have none."""
    rng = np.random.default_rng(differing)
    values = 0.5 + 0.05 * rng.normal(size=(4, 60))
    values[1] = values[0] - np.where(np.arange(60) < differing, 0.1 + 0.01 * rng.random(60), 0.0)
    alone = md.compare(scored(values)).primary.effects.of("0", "1")
    for found in (to_reference(scored(values), "0"), to_best(scored(values), "0")):
        low, high = found.low[1], found.high[1]
        assert np.isnan(low) == np.isnan(high)
        assert low != 0
        assert high != 0
        assert np.isnan(low) or np.isfinite(alone.low)
        assert differing > 5 or not (low > 0 or high < 0)


def test_every_system_of_a_store_has_an_interval_for_all_at_once(tmp_path):
    """D07: the table of a store that does not fit into memory is sorted by the best."""
    from measurand.study.against_baseline import against_baseline
    from measurand.study.comparison_settings import Settings

    store = md.store_scores(md.sample.qrels(), md.sample.runs(), "P@10", into=tmp_path / "store")
    found = against_baseline(store, ["P@10"], Settings(baseline="dense-1"), together=4).primary
    rows = [row for row in found.rows() if row["difference"] is not None]
    factors = [(row["simultaneous_high"] - row["simultaneous_low"]) / (row["high"] - row["low"]) for row in rows]
    assert factors == pytest.approx([stats.t.ppf(1 - ALPHA / 22, 49) / stats.t.ppf(1 - ALPHA / 2, 49)] * 11)
    assert "all systems at once" in str(found)


# D13


def test_differences_to_the_best_hold_at_once_for_all_pairs(call):
    """D13."""
    comparison = md.compare(md.sample.qrels(), md.sample.runs(), "nDCG@10")
    best, *rows = comparison.to_dict()["measures"]["nDCG@10"]["systems"]
    assert best["simultaneous_low"] is best["simultaneous_high"] is None
    wider = [(row["simultaneous_high"] - row["simultaneous_low"]) / (row["high"] - row["low"]) for row in rows]
    assert wider == pytest.approx([wider[0]] * 11)
    assert 1.4 < wider[0] < stats.t.ppf(1 - ALPHA / 132, 49) / stats.t.ppf(1 - ALPHA / 2, 49)
    for row in rows:
        assert row["simultaneous_low"] < row["difference"] < row["simultaneous_high"]
    printed = call("compare", md.sample.qrels(), *md.sample.runs(), "-m", "nDCG@10").out
    assert "95 % (66 pairs)" in printed
    assert json.loads(call("compare", md.sample.qrels(), *md.sample.runs(), "-f", "json").out)
    frame = comparison.primary.to_pandas()
    assert {"simultaneous_low", "simultaneous_high"} <= set(frame.columns)


def test_all_differences_to_the_best_of_equal_systems_hold_as_often_as_they_say():
    """D13: the best is chosen by the same scores."""
    rng, held = np.random.default_rng(0), 0
    for _ in range(200):
        values = rng.normal(size=30) + rng.normal(size=(8, 30))
        found = to_best(scored(values), str(values.mean(axis=1).argmax()))
        held += bool((np.isnan(found.low) | ((found.low <= 0) & (found.high >= 0))).all())
    assert held / 200 >= 0.91


@pytest.mark.parametrize("test", ["sign", "randomisation"])
def test_beside_another_test_stands_no_interval_of_t(test):
    """D13, D08."""
    judged = judged_of(np.random.default_rng(1), (0.5, 0.4, 0.3))
    comparison = md.compare(judged, "P@10", test=test)
    rows = comparison.to_dict()["measures"]["P@10"]["systems"]
    assert {row["simultaneous_low"] for row in rows} == {None}
    assert "95 % (" not in str(comparison)


def test_no_interval_reaches_beyond_the_values_of_the_measure(tmp_path):
    """D13: a mean of reciprocal ranks is not 1.012."""
    judged = judged_of(np.random.default_rng(2), (0.97, 0.9, 0.05), 12)
    study = md.Study.from_files(*files_of(judged), ["RR", "P@10"], fuse=False)
    rows = [row for row in mean_rows(study) if row["measure"] == "RR"]
    values = md.parse("RR").scores(judged).values
    assert any(stats.t.interval(0.95, 11, loc=row.mean(), scale=stats.sem(row))[1] > 1 for row in values)
    assert all(0 <= row["low"] <= row["value"] <= row["high"] <= 1 for row in rows)
    text = md.write_report(study, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "beyond the values of the measure is cut off" in text
    few = md.compare(judged_of(np.random.default_rng(3), (0.6, 0.4, 0.3), 3), "RR").to_dict()["measures"]["RR"]
    for row in few["systems"][1:]:
        assert -1 <= row["simultaneous_low"] <= row["simultaneous_high"] <= 1


# D11


LEAD = re.compile(r"(?P<one>[\d.]+), (?:then|against) .*?(?P<other>\d\.\d+).*?: a lead of (?P<apart>[+−][\d.]+)")


@pytest.mark.parametrize("baseline", [None, "b"])
def test_whoever_subtracts_the_numbers_of_a_lead_finds_it(baseline):
    """D11: "0.741, then 0.739: a lead of +0.001" is not."""
    places = set()
    for seed in range(25):
        judged = judged_of(np.random.default_rng(seed), (0.52, 0.5, 0.4), 31)
        found = md.compare(judged, "AP", baseline=baseline).conclusion
        said = LEAD.search(line(found, "lead"))
        if said is None:
            continue
        one, other, apart = (Decimal(said[name].replace("−", "-")) for name in ("one", "other", "apart"))
        assert one - other == apart, line(found, "lead")
        places.add(-one.as_tuple().exponent)
    assert min(places) == 3 < max(places)


def test_whoever_subtracts_the_numbers_of_a_claim_or_of_a_table_of_two_finds_the_difference(tmp_path):
    """D11: the claim, the table of two systems, and that of the page."""
    for seed in range(6):
        judged = judged_of(np.random.default_rng(seed), (0.52, 0.5), 31)
        comparison = md.compare(judged, ["AP", "nDCG@10"])
        said = re.search(r": ([\d.]+) against ([\d.]+), ([+-][\d.]+) ", comparison.primary.claims[0].headline)
        assert Decimal(said[1]) - Decimal(said[2]) == Decimal(said[3])
        for result in comparison:
            frame = str(result)
            (first, apart), second = re.findall(r"^ ?[ab] +([\d.]+) +([+-][\d.]+)", frame, re.MULTILINE)[0], None
            second = next(
                each[1] for each in re.findall(r"^ ?([ab]) +([\d.]+) *(\S*)", frame, re.MULTILINE) if not each[2]
            )
            assert Decimal(first) - Decimal(second) == Decimal(apart), frame
        page = md.write_report(
            md.Study.from_files(*files_of(judged), ["AP", "nDCG@10"], fuse=False), tmp_path / "page.html"
        )
        rows = re.findall(
            r'<td class="n">([\d.]+)</td><td class="n">([\d.]+)</td>\s*<td class="n strong">([+−][\d.]+)</td>',
            page.read_text(encoding="utf-8"),
        )
        assert len(rows) == 2
        for one, other, apart in rows:
            assert Decimal(one) - Decimal(other) == Decimal(apart.replace("−", "-"))


# D12


def test_the_grade_from_which_documents_count_is_said_with_the_numbers_of_the_next():
    """D12."""
    judged = judged_of(np.random.default_rng(4), (0.6, 0.4), 30, grades=3)
    measures = ["nDCG@10", "P@10", "AP", "RR"]
    found = md.compare(judged, measures).conclusion
    [check] = [each for each in found.checks if each.kind == "threshold"]
    assert "grade 1 of 3 counts as relevant for P@10, AP and RR" in check.text
    assert check.text in line(found, "check")
    table = md.evaluate(judged, ["P@10", "AP", "RR", "P(rel=2)@10", "AP(rel=2)", "RR(rel=2)"])
    means = [float(scores.mean()[found.lead.system]) for scores in table]
    assert [number(text) for text in re.findall(r"0\.\d+", check.text)] == pytest.approx(means, abs=0.0006)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-m", "P@10"), True),
        (("-m", "nDCG@10", "-m", "RR"), True),
        (("-m", "interval(P@10)"), True),
        (("-m", "P@10", "-l", "2"), False),
        (("-m", "P@10", "-l", "1"), False),
        (("-m", "P(rel=1)@10"), False),
        (("-m", "nDCG@10", "-m", "ERR@20"), False),
    ],
)
def test_the_grade_is_said_where_nobody_chose_it_and_it_matters(call, options, said):
    """D12."""
    printed = call("compare", md.sample.qrels(), *md.sample.runs()[:2], *options)
    assert printed.code == 0
    assert ("counts as relevant for" in " ".join(printed.out.split())) is said


def test_binary_grades_have_no_other_threshold():
    """D12."""
    judged = judged_of(np.random.default_rng(4), (0.6, 0.4), 30)
    assert "threshold" not in {each.kind for each in md.compare(judged, ["P@10", "AP"]).conclusion.checks}


def test_the_grade_is_said_however_much_else_is_to_be_checked(data):
    """D12: real data, on which the track's own threshold is 2."""
    folder = data / "trec-dl-passage-fusion"
    found = md.compare(folder / "2019.qrels.gz", sorted((folder / "2019").iterdir()), ["nDCG@10", "P@10"]).conclusion
    assert "grade 1 of 3 counts as relevant for P@10" in line(found, "check")
