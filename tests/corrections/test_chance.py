"""What chance can do is said as it is: p-values, intervals and power of pairs (D01, D03, D08, D21)."""

from __future__ import annotations

import csv
import io
import json
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import measurand as md
from measurand.report.page import document
from measurand.report.study_frames import study_frames
from measurand.study.against_baseline import against_baseline
from measurand.study.comparison_settings import Settings
from measurand.study.summary_interval import summary_interval

ALPHA = 0.05


def campaign(**tenths):
    """Return judgments and runs of systems whose P@10 on each topic is so many tenths."""
    topics = range(len(next(iter(tenths.values()))))
    qrels = {f"t{topic}": {f"r{place}": 1 for place in range(10)} for topic in topics}
    runs = {
        system: {
            f"t{topic}": {
                document: 20.0 - place
                for place, document in enumerate(
                    [f"r{each}" for each in range(10)][:found] + [f"n{each}" for each in range(10 - found)]
                )
            }
            for topic, found in zip(topics, several, strict=True)
        }
        for system, several in tenths.items()
    }
    return qrels, runs


def write(folder: Path, **tenths):
    """Write judgments and runs as files, and return their paths."""
    qrels, runs = campaign(**tenths)
    paths = [folder / "qrels.txt", *(folder / f"{system}.run" for system in runs)]
    paths[0].write_text("".join(f"{t} 0 {d} {grade}\n" for t, found in qrels.items() for d, grade in found.items()))
    for path, (system, run) in zip(paths[1:], runs.items(), strict=True):
        path.write_text(
            "".join(f"{t} Q0 {d} 1 {score} {system}\n" for t, found in run.items() for d, score in found.items())
        )
    return list(map(str, paths))


def judged(**tenths):
    qrels, runs = campaign(**tenths)
    return md.judge(runs, qrels)


def lead_of(comparison):
    return comparison.conclusion.lead


def least(differences):
    """Return the least p that any flip of the signs of some differences can reach, by trying all."""
    sizes = [abs(each) for each in differences]
    sums = [
        sum(sign * size for sign, size in zip(signs, sizes, strict=True))
        for signs in product((1, -1), repeat=len(sizes))
    ]
    return sum(abs(each) >= max(sums) for each in sums) / len(sums)


def t_pvalue(differences):
    """Return p of the t test in exact arithmetic where all differences are the same."""
    if len(set(differences)) == 1:
        return 0.0 if differences[0] else 1.0
    return float(stats.ttest_1samp(np.array(differences) / 10, 0).pvalue)


def sound_p(differences):
    return max(t_pvalue(differences), least(differences)) if any(differences) else 1.0


@pytest.mark.parametrize("topics", [2, 3, 4, 5, 6, 7])
def test_equal_differences_have_the_p_of_the_sign_test_and_no_interval(call, tmp_path, topics) -> None:
    """D01: they had p = 0, "hardly chance", and an interval of no width."""
    found = call("compare", *write(tmp_path, a=[6] * topics, b=[3] * topics), "-m", "P@10", "-f", "json")
    lead = json.loads(found.out)["conclusion"]["measures"][0]["lead"]
    assert lead["p"] == 2 * 0.5**topics
    assert lead["significant"] == (topics >= 6)
    assert lead["low"] is None
    assert lead["high"] is None
    assert "differ by the same amount" in lead["no_interval"]
    said = call("compare", *write(tmp_path, a=[6] * topics, b=[3] * topics), "-m", "P@10").out
    assert ("hardly chance" in said) == (topics >= 6)
    assert "p < 0.0001" not in said


def test_nearly_equal_differences_are_no_surer() -> None:
    """D01: with n topics no verdict is stronger than 2 · 2^−n; the t interval would exclude 0, and is left out."""
    lead = lead_of(md.compare(*campaign(a=[9, 9, 9, 10], b=[1, 1, 1, 1]), "P@10"))
    assert lead.p == 0.125
    assert not lead.significant
    assert lead.low is None
    assert "same amount" not in lead.no_interval


def test_topics_without_a_difference_have_no_sign_to_flip() -> None:
    """D01: five topics that differ among 50 decide nothing, although Student's t has p = 0.024 there."""
    a, b = [5] * 50, [4] * 5 + [5] * 45
    lead = lead_of(md.compare(*campaign(a=a, b=b), "P@10"))
    assert t_pvalue([x - y for x, y in zip(a, b, strict=True)]) < 0.03
    assert lead.p == 2 * 0.5**5
    assert not lead.significant


def test_what_is_equal_is_decided_exactly() -> None:
    """D01: 0.3 − 0.1 and 0.5 − 0.3 are the same, and 0.4 − 0.1 is not; no float variance decides."""
    alike = lead_of(md.compare(*campaign(a=[3, 5, 10], b=[1, 3, 8]), "P@10"))
    other = lead_of(md.compare(*campaign(a=[3, 5, 10], b=[1, 3, 7]), "P@10"))
    assert "all 3 topics differ by the same amount" in alike.no_interval
    assert "same amount" not in other.no_interval


def test_the_p_of_compare_is_that_of_the_t_test_or_of_the_most_extreme_signs() -> None:
    """D01, as a law of drawn data: the larger of both, which all signs that can be flipped confirm."""
    rng = np.random.default_rng(1)
    for topics in (2, 3, 4, 5, 6, 8):
        values = {f"s{place}": rng.integers(0, 4, topics).tolist() for place in range(6)}
        result = md.compare(*campaign(**values), "P@10", adjust="none").primary
        for one, other in combinations(values, 2):
            differences = [x - y for x, y in zip(values[one], values[other], strict=True)]
            assert result.pairs.of(one, other) == pytest.approx(sound_p(differences), abs=1e-12)


def test_without_an_effect_few_topics_tell_no_pair_apart() -> None:
    """D01: with no effect 3 to 10 % of pairs on two to five topics were called significant."""
    rng = np.random.default_rng(2)
    for topics in (2, 3, 4, 5):
        values = {f"s{place}": rng.binomial(10, 0.4, topics).tolist() for place in range(20)}
        result = md.compare(*campaign(**values), "P@10", adjust="none").primary
        before = md.statistics.paired_t(result.scores)
        assert before.significant().any()
        assert not result.pairs.significant().any()


def test_students_test_itself_stays_as_it_is() -> None:
    """D01: `statistics.paired_t` is scipy's, whose p is 0 there."""
    scores = md.evaluate(*campaign(a=[6, 6], b=[3, 3]), "P@10").scores("P@10")
    assert md.statistics.paired_t(scores).of("a", "b") == 0


@pytest.mark.parametrize("topics", [2, 4, 6])
def test_counts_that_differ_alike_everywhere_have_the_p_of_the_sign_test(topics) -> None:
    """D01: a comparison of counts has p = 2^−n one-sided, so the level 2 · 2^−n; of all pairs and of one alike."""
    runs = judged(a=[3] * topics, b=[2] * topics)
    assert md.levels(runs, "a", "b").p == 2 * 0.5**topics
    assert md.levels_matrix(runs).pair("a", "b").p == 2 * 0.5**topics


def test_levels_of_one_pair_and_of_all_agree() -> None:
    """D01: the same p for a pair alone and among all, never below what flips of signs of any count reach."""
    rng = np.random.default_rng(3)
    values = {f"s{place}": np.sort(rng.integers(0, 3, 7))[::-1].tolist() for place in range(5)}
    runs = judged(**values)
    matrix = md.levels_matrix(runs)
    for one, other in combinations(values, 2):
        found = matrix.pair(one, other)
        if found.ahead is not None:
            behind = other if found.ahead == one else one
            assert md.levels(runs, found.ahead, behind).p == pytest.approx(found.p)
            differing = sum(x != y for x, y in zip(values[one], values[other], strict=True))
            assert found.p >= 2 * 0.5**differing


def test_margins_call_nothing_significant_that_compare_does_not() -> None:
    """D01: four topics with the same difference have p = 0.125 in every margin, and no claim of significance holds."""
    runs = judged(a=[6] * 4, b=[3] * 4)
    found = md.margins(runs, "P@10", "a", "b", claim="significant")
    assert not found.holds
    assert found.chance.p == 0.125
    assert found.to_dict()["chance"]["low"] is None
    matrix = md.margins_matrix(runs, "P@10", claim="significant")
    assert matrix.p[0, 1] == 0.125
    assert not matrix.holds.any()


def test_topics_are_dropped_until_too_few_differ() -> None:
    """D01: brute force over all subsets of topics finds as few that take the significance away."""
    rng = np.random.default_rng(4)
    tried = 0
    for _ in range(40):
        a, b = rng.integers(3, 9, 8), rng.integers(0, 4, 8)
        differences = (a - b).tolist()
        if sum(differences) <= 0 or sound_p(differences) > ALPHA:
            continue
        tried += 1
        left = (
            [each for place, each in enumerate(differences) if place not in gone]
            for size in range(1, 8)
            for gone in combinations(range(8), size)
        )
        fewest = next(8 - len(each) for each in left if len(each) < 2 or sound_p(each) > ALPHA)
        runs = judged(a=a.tolist(), b=b.tolist())
        assert md.margins(runs, "P@10", "a", "b", claim="significant").topics.value == fewest
        assert md.margins_matrix(runs, "P@10", claim="significant").topics[0, 1] == fewest
        if tried == 10:
            break
    assert tried == 10


def many_systems(systems=12, topics=50, seed=5):
    rng = np.random.default_rng(seed)
    easy = rng.beta(2, 2, topics)
    return {f"s{place:02d}": rng.binomial(10, easy * (0.7 + 0.02 * place)).tolist() for place in range(systems)}


def test_power_is_reckoned_with_the_level_that_decides() -> None:
    """D03: by Holm a pair that is not separated would need p ≤ α/(m − r), and power was reckoned at α."""
    result = md.compare(*campaign(**many_systems()), "P@10").primary
    rejected = int(np.triu(result.pairs.significant(ALPHA), 1).sum())
    lead = lead_of(md.compare(*campaign(**many_systems()), "P@10"))
    assert 0 < rejected < 66
    assert lead.outcome == "not separated"
    assert lead.deciding_alpha == pytest.approx(ALPHA / (66 - rejected))
    values = result.scores.values
    at = [result.scores.systems.index(name) for name in (lead.system, lead.against)]
    spread = (values[at[0]] - values[at[1]]).std(ddof=1)
    assert lead.detectable == pytest.approx(
        md.statistics.minimum_detectable_difference(spread, 50, ALPHA / (66 - rejected))
    )
    assert lead.topics_needed == md.statistics.topics_needed(lead.difference, spread, ALPHA / (66 - rejected))


@pytest.mark.parametrize("method", ["none", "bonferroni", "bh"])
def test_every_correction_has_its_level(method) -> None:
    """D03: α without a correction, α/m by Bonferroni, α(r + 1)/m for one that Benjamini and Hochberg leave."""
    comparison = md.compare(*campaign(**many_systems()), "P@10", adjust=method)
    rejected = int(np.triu(comparison.primary.pairs.significant(ALPHA), 1).sum())
    expected = {"none": ALPHA, "bonferroni": ALPHA / 66, "bh": ALPHA * (rejected + 1) / 66}[method]
    assert lead_of(comparison).deciding_alpha == pytest.approx(expected)


def test_tukeys_method_has_the_level_of_the_studentised_range() -> None:
    """D03: the critical value of t that the range of twelve means has."""
    lead = lead_of(md.compare(*campaign(**many_systems()), "P@10", test="two_way_anova"))
    beyond = stats.studentized_range.ppf(1 - ALPHA, 12, 11 * 49) / np.sqrt(2)
    assert lead.deciding_alpha == pytest.approx(2 * stats.t.sf(beyond, 11 * 49), rel=1e-3)


def test_the_sentence_says_for_which_true_difference_topics_are_needed(call, tmp_path) -> None:
    """D03: it spoke of "a single pair", and took what was seen for what is true."""
    said = " ".join(call("compare", *write(tmp_path, **many_systems()), "-m", "P@10").out.split())
    assert "if the true difference is what was seen" in said.lower()
    assert "for a single pair" not in said
    assert "Holm, 66 pairs" in said


def test_as_many_topics_as_are_said_show_the_difference() -> None:
    """D03 by simulation: significant after Holm over 66 pairs four times of five; at α it was once of four."""
    rng, spread, size = np.random.default_rng(6), 0.15, 0.05
    shares = {}
    for name, alpha in (("before", ALPHA), ("now", ALPHA / 66)):
        topics = md.statistics.topics_needed(size, spread, alpha)
        drawn = rng.normal(size, spread, (2000, topics))
        own = stats.ttest_1samp(drawn, 0, axis=1).pvalue
        others = rng.random((2000, 65))
        shares[name] = np.mean(
            [
                md.statistics.corrected(np.append(p, rest), "holm")[0] <= ALPHA
                for p, rest in zip(own, others, strict=True)
            ]
        )
    assert shares["before"] < 0.4
    assert 0.77 < shares["now"] < 0.84


@pytest.mark.parametrize(("differing", "shown"), [(2, False), (5, False), (6, None), (9, True), (20, True)])
def test_no_power_is_claimed_where_too_few_topics_differ(call, tmp_path, differing, shown) -> None:
    """D01, D03: p is never below 2 · 2^−k, so that five topics that differ show nothing, however many do not."""
    tenths = {"a": [6] * differing + [5] * (50 - differing), "b": [5] * 49 + [6]}
    lead = lead_of(md.compare(*campaign(**tenths), "P@10"))
    assert lead.topics - lead.ties == differing + 1
    tenths["b"][-1] = 5
    lead = lead_of(md.compare(*campaign(**tenths), "P@10"))
    if lead.outcome == "significant":
        return
    # where six differ, and would not four times of five, no number is named
    assert (lead.detectable is None) == (shown is None)
    assert shown is None or (lead.detectable < 1) == shown
    said = " ".join(call("compare", *write(tmp_path, **tenths), "-m", "P@10").out.split())
    assert (f"{differing} topics that differ are too few to show any difference" in said) == (shown is False)
    # on so many topics six differ, four times of five
    enough = [float(stats.binom.sf(5, n, differing / 50)) for n in (lead.topics_needed, lead.topics_needed - 1)]
    assert enough[0] >= 0.8 - 1e-9
    assert differing > 2 or enough[1] < 0.8
    qrels, runs = campaign(**tenths)
    [kept] = study_frames(md.Study.from_files(qrels, runs, ["P@10"], test="t"))["effects"]["detectable"]
    assert (kept is not None) == bool(shown)


@pytest.mark.parametrize("baseline", [None, "s03"])
def test_tukeys_method_corrects_for_all_pairs_whatever_is_compared(baseline) -> None:
    """D03: "(Tukey, 11 pairs)" was said of the level of twelve systems."""
    lead = lead_of(md.compare(*campaign(**many_systems()), "P@10", test="two_way_anova", baseline=baseline))
    assert (lead.correction, lead.pairs) == ("Tukey", 66)


@pytest.mark.parametrize("test", ["sign", "friedman", "two_way_anova", "signed_rank"])
def test_no_t_interval_stands_beside_another_test(call, tmp_path, test) -> None:
    """D08: frames, TSV and CSV kept the ends of the t interval."""
    files = write(tmp_path, **many_systems(3, 12))
    for form, between in (("csv", ","), ("tsv", "\t")):
        text = call("compare", *files, "-m", "P@10", "--test", test, "-f", form).out
        rows = list(csv.DictReader(io.StringIO(text), delimiter=between))
        assert rows
        assert {row[end] for row in rows for end in ("low", "high")} == {""}
    kept = list(csv.DictReader(io.StringIO(call("compare", *files, "-m", "P@10", "-f", "csv").out)))
    assert any(row["low"] for row in kept)


def test_frames_of_a_study_keep_to_the_family_of_the_test() -> None:
    """D08: no ends of a t interval, and no power of a t test, beside the sign test; both beside the t test."""
    qrels, runs = campaign(**many_systems(3, 12))
    studies = {test: md.Study.from_files(qrels, runs, ["P@10"], test=test) for test in ("t", "sign")}
    found = {test: study_frames(study)["effects"] for test, study in studies.items()}
    for name in ("low", "high", "detectable"):
        assert found["sign"][name].null_count() == found["sign"].height
        assert found["t"][name].null_count() < found["t"].height


def test_power_of_another_test_is_said_to_be_that_of_a_t_test(call, tmp_path) -> None:
    """D08: beside the randomisation test."""
    said = call("compare", *write(tmp_path, **many_systems(2, 30)), "-m", "P@10", "--test", "randomisation").out
    assert "by a t test" in " ".join(said.split())


def test_nothing_beyond_the_range_of_the_measure_is_said(call, tmp_path) -> None:
    """D21: "4 topics can reliably show about 2.0" of a measure between 0 and 1."""
    said = call("compare", *write(tmp_path, a=[10, 0, 10, 9], b=[0, 8, 1, 2]), "-m", "P@10").out
    assert "4 topics are too few to show any difference of P@10" in " ".join(said.split())
    lead = lead_of(md.compare(*campaign(a=[10, 0, 10, 0, 9, 0], b=[0, 10, 0, 9, 1, 9]), "P@10"))
    assert lead.detectable == float("inf")


def test_intervals_stay_within_the_range_of_a_difference() -> None:
    """D21: from −1 to 1 at most, in leads, frames and margins."""
    values = {"a": [10, 10, 0], "b": [0, 0, 10]}
    lead = lead_of(md.compare(*campaign(**values), "P@10"))
    assert lead.low >= -1
    assert lead.high <= 1
    chance = md.margins(judged(**values), "P@10", "a", "b").chance
    assert chance.low >= -1
    assert chance.high <= 1


def test_the_page_reckons_with_the_level_that_decides_too() -> None:
    """D03: the tile of chance spoke of this pair alone while the verdict is Holm's; D01: p and intervals as above."""
    qrels, runs = campaign(**many_systems(4, 20))
    html = document(md.Study.from_files(qrels, runs, ["P@10"], fuse=False))
    assert "a true difference of" in html
    assert "(Holm, 6 pairs)" in html
    assert "for a single pair" not in html
    qrels, runs = campaign(a=[6] * 4, b=[3] * 4)
    html = document(md.Study.from_files(qrels, runs, ["P@10"], fuse=False))
    assert "There is no t interval: all 4 topics differ by the same amount." in html
    assert "4 topics are too few to show any difference of P@10." in html


def test_tables_of_scores_of_other_tools_are_no_surer(call, tmp_path) -> None:
    """D01: two topics with equal differences, as scores."""
    path = tmp_path / "scores.csv"
    path.write_text("system,topic,measure,score\na,1,RR,1\na,2,RR,1\nb,1,RR,0.5\nb,2,RR,0.5\n")
    said = call("compare", path).out
    assert "beats" not in said
    assert "0.500" in said


@pytest.mark.parametrize("options", [(), ("--baseline", "a"), ("--baseline", "b")])
def test_nobody_beats_whom_the_test_favours(call, tmp_path, options) -> None:
    """D02: in a table of scores, a few large wins put the mean ahead, and the sign test the other way."""
    rows = [(f"a,{t},P@10,{0.9 if t < 4 else 0.1}", f"b,{t},P@10,{0.1 if t < 4 else 0.2}") for t in range(22)]
    (tmp_path / "scores.csv").write_text("\n".join(["system,topic,measure,score", *(r for pair in rows for r in pair)]))
    said = call("compare", tmp_path / "scores.csv", "--test", "sign", *options).out
    assert "beats" not in said
    assert "favours b" in " ".join(said.split())
    assert (
        "a beats b" in call("compare", tmp_path / "scores.csv", "--test", "bootstrap", "--alpha", "0.9", *options).out
    )


def test_a_system_with_one_score_on_all_topics_has_no_interval() -> None:
    """D01: an interval of no width, of the mean of a system alone."""
    values = [[0.6, 0.6], [0.1 + 0.2, 0.3], [0.5, 0.6], [0.0, 0.0]]
    found = summary_interval(md.Scores(measure="P@10", values=values, systems="abcd", topics="12"))
    assert np.isnan(found.low).tolist() == np.isnan(found.high).tolist() == [True, True, False, True]


def test_a_store_compared_with_a_baseline_is_no_surer(tmp_path) -> None:
    """D01: systems that do not fit into memory are compared with the baseline alone."""
    qrels, *runs = write(tmp_path, a=[6] * 4, b=[3] * 4)
    store = md.store_scores(qrels, runs, into=tmp_path / "scores")
    found = against_baseline(store, ["P@10"], Settings(baseline="b")).primary
    row = next(row for row in found.rows() if row["system"] == "a")
    assert row["p"] == 0.125
    assert row["low"] is None
    assert not row["significant"]
