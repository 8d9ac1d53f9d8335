"""Comparison of systems: order, significance, margins of scale, and everything odd that can be compared."""

from __future__ import annotations

import json
import pickle
import re
from itertools import combinations

import numpy as np
import pytest

import measurand as md
from measurand.display.data import separated
from measurand.display.latex import latex_table
from measurand.display.terminal import terminal_text
from measurand.errors import ParameterError
from measurand.judged import JudgedRuns
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics import TESTS, corrected, find_test, need_of
from measurand.study.measure_result import fitting_test


def comparison_text(comparison, *, matrix=False, colour=False, width=120):
    return terminal_text(comparison.document(matrix=matrix), colour=colour, width=width)


def comparison_latex(comparison):
    return "\n".join(latex_table(comparison.view(each).latex_table()) for each in comparison.results)


def comparison_tsv(comparison):
    return separated(comparison.view(each).table() for each in comparison.results)


def judged(systems: dict[str, list[str]], *, relevant: int | list[int] = 3, **options) -> md.JudgedRuns:
    """Return judged runs from words like "101", one a topic; "" leaves the topic out."""
    topics = max(map(len, systems.values()))
    bases = relevant if isinstance(relevant, list) else [relevant] * topics
    qrels = {str(t): {f"r{rank}": 1 for rank in range(base)} | {"n": 0} for t, base in enumerate(bases[:topics])}
    runs = []
    for name, words in systems.items():
        found = {}
        for t, word in enumerate(words):
            documents = iter(f"r{rank}" for rank in range(9))
            if word:
                listed = [next(documents) if grade == "1" else f"n{rank}" for rank, grade in enumerate(word)]
                found[str(t)] = {document: 9.0 - rank for rank, document in enumerate(listed)}
        runs.append(md.read_run(found, name=name))
    return md.judge(runs, md.read_qrels(qrels), **options)


SMALL = {
    "a": ["111", "011", "101", "110", "100", "111"],
    "b": ["100", "101", "001", "110", "010", "011"],
    "c": ["100", "000", "000", "100", "000", "000"],
    "d": ["010", "010", "010", "010", "010", "001"],
}


def means(scores: Scores) -> dict[str, float]:
    return scores.mean().to_dict()


# Order.


@pytest.mark.parametrize("test", ["t", "sign", "friedman", "auto"])
@pytest.mark.parametrize("measure", ["P@3", "RR@3", "AP@3", "interval(AP@3)", "nDCG@3"])
def test_the_best_mean_comes_first_whatever_the_scale_and_the_test(measure, test):
    standing = md.compare(judged(SMALL, relevant=[3, 4, 5, 3, 4, 5]), measure, test=test).results[0]
    assert standing.summary.statistic == "mean"
    assert list(standing.systems) == sorted(SMALL, key=lambda name: -means(standing.scores)[name])


@pytest.mark.parametrize(("measure", "statistic"), [("P@3", "mean"), ("RR@3", "median"), ("AP@3", "mean rank")])
def test_strictly_systems_are_ordered_by_what_the_scale_admits_and_the_mean_rank_decides_ties(measure, statistic):
    standing = md.compare(judged(SMALL, relevant=[3, 4, 5, 3, 4, 5]), measure, strict=True).results[0]
    assert standing.summary.statistic == statistic
    admitted, way = standing.scores.admitted(), 1 if statistic == "mean rank" else -1
    wanted = sorted(SMALL, key=lambda name: (way * admitted[name], standing.scores.mean_rank()[name]))
    assert list(standing.systems) == wanted


def test_means_that_are_equal_in_exact_arithmetic_tie_and_names_decide():
    found = {"z": ["00000", "10000", "11000"], "y": ["00000", "00000", "11100"], "x": ["00000", "00000", "11000"]}
    comparison = md.compare(judged(found), "P@5")
    scores = comparison.results[0].scores
    assert scores.mean()["y"] != scores.mean()["z"]
    assert comparison.results[0].systems == ("y", "z", "x")
    assert not comparison.results[0].claims[0].apart
    assert "y and z have the same mean, 0.2000." in comparison.results[0].claims[0].headline


# Tests and corrections.


@pytest.mark.parametrize("scale", [Scale.ORDINAL, Scale.INTERVAL, Scale.RATIO])
@pytest.mark.parametrize("one_scale", [True, False])
def test_the_fitting_test_is_t_exactly_where_its_need_is_met(scale, one_scale):
    scores = Scores(measure="M", values=[[0.5]], systems=("a",), topics=("1",), scale=scale, one_scale=one_scale)
    met = need_of(find_test("t")).met_by(scores)
    assert met == (scale >= Scale.INTERVAL and one_scale)
    assert fitting_test(scores) == ("paired_t" if met else "sign")


def test_the_test_that_was_not_named_is_t_and_strictly_the_one_that_fits():
    runs = judged(SMALL, relevant=[3, 4, 5, 3, 4, 5])
    usual, strict = (md.compare(runs, ["P@3", "RR@3", "AP@3"], strict=strict) for strict in (False, True))
    assert [each.pairs.test for each in usual.results] == ["paired_t"] * 3
    assert [each.pairs.test for each in strict.results] == ["paired_t", "sign", "sign"]
    assert [each.sign.test for each in (*usual.results, *strict.results)] == ["sign"] * 6


def raised(pvalues, scores):
    """Return p-values that are not below what flips of signs reach on the topics that differ."""
    differing = (scores.values[:, None] != scores.values[None]).sum(axis=2)
    return np.maximum(pvalues, np.minimum(1.0, 2 * 0.5**differing))


@pytest.mark.parametrize("method", ["none", "bonferroni", "holm", "bh"])
@pytest.mark.parametrize("test", ["t", "sign", "wilcoxon"])
def test_pvalues_are_corrected_over_all_pairs(method, test):
    standing = md.compare(judged(SMALL), "P@3", test=test, adjust=method).results[0]
    plain = raised(find_test(test)(standing.scores).pvalues, standing.scores)
    upper = np.triu_indices(len(SMALL), 1)
    assert standing.pairs.pvalues[upper].tolist() == corrected(plain[upper], method).tolist()
    assert standing.uncorrected.pvalues.tolist() == plain.tolist()


@pytest.mark.parametrize("method", ["none", "bonferroni", "holm", "bh"])
def test_with_a_baseline_pvalues_are_corrected_over_the_comparisons_with_it_alone(method):
    standing = md.compare(judged(SMALL), "P@3", test="sign", adjust=method, baseline="b").results[0]
    plain = find_test("sign")(standing.scores)
    others = [name for name in standing.scores.systems if name != "b"]
    wanted = corrected(np.array([plain.of(name, "b") for name in others]), method)
    assert [standing.pairs.of(name, "b") for name in others] == wanted.tolist()
    assert [standing.pairs.of("b", name) for name in others] == wanted.tolist()
    assert {standing.pairs.of(one, two) for one, two in combinations(others, 2)} == {1.0}


def test_with_a_baseline_there_is_a_claim_on_every_other_system_and_no_letters():
    comparison = md.compare(judged(SMALL), "P@3", baseline="b")
    standing = comparison.results[0]
    assert [(claim.system, claim.against) for claim in standing.claims] == [
        (name, "b") for name in standing.systems if name != "b"
    ]
    assert standing.reference == "b"
    assert set(standing.letters.values()) == {""}
    assert comparison.baseline == "b"


@pytest.mark.parametrize("measure", ["RR@3", "AP@3"])
def test_with_a_baseline_pairs_with_it_alone_are_counted(measure):
    runs = judged(SMALL, relevant=[3, 4, 5, 3, 4, 5])
    standing = md.compare(runs, measure, baseline="b", test="sign", adjust="none", alpha=0.5).results[0]
    proof = [np.isinf(claim.kappa) for claim in standing.claims]
    assert (standing.compared, standing.scale_proof) == (3, sum(proof))
    assert standing.significant == sum(claim.significant for claim in standing.claims)
    both = [claim.significant and sure for claim, sure in zip(standing.claims, proof, strict=True)]
    assert standing.significant_and_scale_proof == sum(both)
    assert standing.in_numbers.startswith(f"{standing.significant} of 3 pairs differ")


@pytest.mark.parametrize("test", ["anova", "friedman", "one_way_anova", "kruskal_wallis"])
@pytest.mark.parametrize("baseline", [None, "c"])
def test_what_holds_for_all_pairs_at_once_is_not_corrected_again(test, baseline):
    standing = md.compare(judged(SMALL), "P@3", test=test, adjust="bonferroni", baseline=baseline).results[0]
    plain = raised(find_test(test)(standing.scores).pvalues, standing.scores)
    assert standing.pairs.adjusted == "tukey"
    pairs = [pair for pair in combinations(range(4), 2) if baseline in (None, *("abcd"[place] for place in pair))]
    assert [standing.pairs.pvalues[pair] for pair in pairs] == [plain[pair] for pair in pairs]


def test_the_same_seed_gives_the_same_pvalues_and_another_may_not():
    runs = judged(SMALL | {"e": ["110", "100", "000", "001", "101", "010"]})

    def pvalues(seed: int) -> list[list[float]]:
        return md.compare(runs, "P@3", test="bootstrap", adjust="none", rng=seed).results[0].pairs.pvalues.tolist()

    assert pvalues(1) == pvalues(1)
    assert pvalues(1) != pvalues(2)


def test_a_system_has_the_letters_of_those_that_it_does_not_differ_from():
    standing = md.compare(judged({name: words * 3 for name, words in SMALL.items()}), "P@3").results[0]
    differing = standing.pairs.significant(0.05)
    assert differing.any()
    for (i, one), (j, two) in combinations(enumerate(standing.scores.systems), 2):
        assert bool(set(standing.letters[one]) & set(standing.letters[two])) != differing[i, j]


# What the scale could change.


@pytest.mark.parametrize("measure", ["RR@3", "AP@3", "nDCG@3"])
def test_counts_agree_with_asking_of_every_pair(measure):
    standing = md.compare(judged(SMALL), measure, test="sign", adjust="none", alpha=0.5).results[0]
    proof = {pair for pair in combinations(SMALL, 2) if np.isinf(standing.scale.of(*pair))}
    significant = {pair for pair in combinations(SMALL, 2) if standing.pairs.of(*pair) <= 0.5}
    assert 0 < len(proof) < 6
    assert (standing.compared, standing.scale_proof) == (6, len(proof))
    assert standing.significant == len(significant) > 0
    assert standing.significant_and_scale_proof == len(significant & proof)
    assert standing.in_numbers == (
        f"{len(significant)} of 6 pairs differ significantly (p ≤ 0.5, sign test). The order of {len(proof)} of 6 pairs"
        f" is scale-proof; so is that of {len(significant & proof)} of the {len(significant)} significant pairs."
    )


def test_a_measure_with_a_geometric_mean_is_compared_by_arithmetic_ones_and_says_so():
    comparison = md.compare(judged(SMALL), "gm(AP)")
    assert "gm(AP) is compared as AP: differences and tests are of plain means" in str(comparison)
    assert "gm(AP)" not in str(md.compare(judged(SMALL), "AP"))


def test_nothing_is_said_of_scale_proof_orders_on_an_interval_scale():
    assert "scale-proof" not in md.compare(judged(SMALL), "P@3").results[0].in_numbers


# Default and primary measures.


def test_without_measures_the_usual_ones_are_compared_and_what_was_judged_is_only_shown():
    comparison = md.compare(judged(SMALL))
    assert [each.scores.measure for each in comparison.results] == ["nDCG@10", "AP", "P@10", "RR"]
    assert [each.measure for each in comparison.described] == ["Judged@10"]
    assert comparison.primary is comparison.results[0]
    data = comparison.to_dict()
    assert (data["primary"], list(data["described"])) == ("nDCG@10", ["Judged@10"])
    assert "Judged@10" not in data["measures"]
    assert "Judged@10" in comparison.view(comparison.primary).table().headings


def test_measures_that_say_how_much_was_judged_are_not_compared_alone():
    with pytest.raises(md.ParameterError, match="Judged@10 says how much was judged; name a measure of relevance too"):
        md.compare(judged(SMALL), "Judged@10")


@pytest.mark.parametrize("baseline", [None, "b"])
def test_frames_have_a_row_for_every_measure_and_tested_pair(baseline):
    comparison = md.compare(judged(SMALL), ["AP@3", "P@3"], baseline=baseline)
    frame = comparison.to_polars()
    assert frame["measure"].unique(maintain_order=True).to_list() == ["AP@3", "P@3"]
    assert comparison.to_pandas().shape == frame.shape
    for result in comparison.results:
        rows = frame.filter(measure=result.scores.measure)
        assert len(rows) == result.compared == (6 if baseline is None else 3)
        assert rows["significant"].sum() == result.significant
        for row in rows.iter_rows(named=True):
            pair = row["system"], row["against"]
            assert row["p_corrected"] == result.pairs.of(*pair)
            assert row["difference"] == pytest.approx(row["mean"] - row["mean_against"])
            assert baseline in (None, pair[1])


def test_a_strict_frame_has_no_numbers_of_means_that_the_scale_does_not_admit():
    row = md.compare(judged(SMALL), "RR@3", strict=True).to_polars().row(0, named=True)
    assert {row[name] for name in ("mean", "mean_against", "difference", "kappa")} == {None}
    assert row["p"] is not None


@pytest.mark.parametrize("adjust", ["Holm", "holm", None, "none", "fdr_bh", "BH"])
def test_corrections_are_known_by_other_spellings_and_named_in_every_sentence(adjust):
    standing = md.compare(judged(SMALL), "RR@3", adjust=adjust).results[0]
    whose = {"holm": "Holm's", "bh": "Benjamini and Hochberg's"}.get(standing.pairs.adjusted)
    assert (f"after {whose} correction)" in standing.in_numbers) is (whose is not None)


def test_of_pairs_with_a_baseline_only_those_that_were_tested_are_shown():
    pairs = md.compare(judged(SMALL), "P@3", baseline="b").pairs
    assert sorted((pair.system, pair.against) for pair in pairs) == [("a", "b"), ("c", "b"), ("d", "b")]
    assert "of 3 pairs of systems" in str(pairs)
    assert len(md.compare(judged(SMALL), "P@3").pairs.to_polars()) == 6


def test_the_primary_measure_comes_first_and_is_added_where_it_is_missing():
    for measures in (["AP@3", "P@3"], ["AP@3"]):
        comparison = md.compare(judged(SMALL), measures, primary="P@3")
        assert [each.scores.measure for each in comparison.results] == ["P@3", "AP@3"]
    with pytest.raises(md.ParameterError, match="take a measure of relevance"):
        md.compare(judged(SMALL), "AP@3", primary="Judged@10")


def test_of_two_systems_the_difference_is_that_of_the_leader():
    comparison = md.compare(judged({name: SMALL[name] for name in "ab"}), "P@3")
    leader, other = comparison.view(comparison.primary).rows()
    assert (leader["system"], leader["against"], other["against"]) == ("a", "b", None)
    assert leader["difference"] > 0


# Asking.


def test_a_standing_is_found_by_any_spelling_of_its_measure():
    comparison = md.compare(judged(SMALL), ["AP@3", "P@3"])
    assert comparison.of("AP(rel=1)@3") is comparison.results[0]
    assert comparison.of(md.parse("P@3")) is comparison.results[1]
    with pytest.raises(md.ParameterError, match=r"RR was not compared; there is AP@3, P@3"):
        comparison.of("RR")


def test_a_measure_of_ones_own_is_found_by_its_name():
    found = md.define(sum, name="Found")
    comparison = md.compare(judged(SMALL), [found])
    assert comparison.of("Found") is comparison.of(found)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"baseline": "nobody"}, "there is no system 'nobody'; there is a, b, c, d"),
        ({"test": "tea"}, "there is no test 'tea'; there is "),
        ({"adjust": "much"}, "adjust must be one of 'none', 'bonferroni', 'holm', 'bh', not 'much'"),
        ({"alpha": 0}, "alpha must lie between 0 and 1, not 0"),
        ({"alpha": 1}, "alpha must lie between 0 and 1, not 1"),
    ],
)
def test_what_cannot_be_right_is_refused(options, said):
    with pytest.raises(md.ParameterError) as complaint:
        md.compare(judged(SMALL), "P@3", **options)
    assert said in str(complaint.value)


def test_strict_refuses_what_the_scale_does_not_admit():
    runs = judged(SMALL, relevant=[3, 4, 5, 3, 4, 5])
    assert md.compare(runs, ["P@3", "RR@3"], strict=True).results[0].systems[0] == "a"
    with pytest.raises(md.NotMeaningful, match="topic by topic"):
        md.compare(runs, "AP@3", test="t", strict=True)
    with pytest.raises(md.NotMeaningful, match=r"take the sign test or interval\(RR@3\)"):
        md.compare(runs, "RR@3", test="t", strict=True)


@pytest.mark.parametrize(
    ("systems", "more", "drawn"),
    [
        (4, {}, 10_000),
        (8, {"alpha": 0.005}, 11_200),
        (8, {"alpha": 0.005, "adjust": "bh"}, 10_000),
        (8, {"alpha": 0.005, "baseline": "s0"}, 10_000),
        (8, {"draws": 50}, 50),
    ],
)
def test_enough_lots_are_drawn_for_the_number_of_pairs(systems, more, drawn):
    rng = np.random.default_rng(3)
    many = {f"s{place}": ["".join(map(str, rng.integers(0, 2, 3))) for _ in range(20)] for place in range(systems)}
    comparison = md.compare(judged(many), "P@3", test="randomisation", top=0, **more)
    assert comparison.primary.pairs.details["permutations"] == drawn
    assert comparison.levels.permutations == more.get("draws", 10_000)


def test_top_says_of_how_many_systems_is_spoken():
    for top, expected in ((0, 0), (1, 1), (3, 3), (9, 3)):
        assert len(md.compare(judged(SMALL), "P@3", top=top).results[0].claims) == expected


@pytest.mark.parametrize(("ranks", "looked_at"), [(3, 3), (120, 100)])
def test_levels_look_at_all_ranks_but_at_no_more_than_100(ranks, looked_at):
    runs = JudgedRuns.on_one_topic([(1,) + (0,) * (ranks - 1), (0,) * ranks], (ranks, 1))
    comparison = md.compare(runs, "P@1")
    assert comparison.levels.depth == comparison.dominance.depth == looked_at


# Odd campaigns.

ZEROS, ONES, MIXED, OTHER = ["000"] * 6, ["111"] * 6, SMALL["a"], SMALL["b"]

ODD = {
    "one system": judged({"a": MIXED}),
    "one topic": judged({"a": ["110"], "b": ["001"], "c": ["000"]}),
    "one system, one topic": judged({"a": ["110"]}),
    "two identical systems": judged({"a": MIXED, "b": MIXED}),
    "two systems": judged({"a": MIXED, "b": OTHER}),
    "constant systems": judged({"none": ZEROS, "all": ONES, "some": MIXED}),
    "all zero": judged({"a": ZEROS, "b": ZEROS, "c": ZEROS}),
    "all ones": judged({"a": ONES, "b": ONES}),
    "all ties but one": judged({"a": ["111"] * 5 + ["101"], "b": ONES}),
    "topics left out": judged({"a": ["101", "", "", "", "", ""], "b": MIXED, "c": OTHER}, missing_topics="skip"),
    "no topic shared": judged({"a": ["101", ""], "b": ["", "110"], "c": ["100", "001"]}, missing_topics="skip"),
    "nothing relevant": judged({"a": MIXED, "b": OTHER}, relevant=[3, 0, 3, 0, 3, 3]),
    "nothing relevant at all": judged({"a": ["000"], "b": ["000"]}, relevant=0),
    "odd names": judged({"[bold]x[/]": MIXED, 'he "said" it': OTHER, "<script>&_%$#{}~^\\": ONES, "日本 ü": ZEROS}),
}

MEASURES = ["AP@3", "P@3", "RR@3", "interval(AP@3)"]


def nothing_but_numbers(name: str) -> float:
    raise AssertionError(f"{name} is no JSON")


def check_whole(comparison) -> None:
    """Check that every form of a comparison can be made, without numbers that are none."""
    for standing in comparison.results:
        assert np.isfinite(standing.pairs.pvalues).all()
        assert ((standing.pairs.pvalues >= 0) & (standing.pairs.pvalues <= 1)).all()
    data = json.dumps(comparison.to_dict(), allow_nan=False)
    json.loads(data, parse_constant=nothing_but_numbers)
    texts = [comparison_text(comparison, matrix=True, width=width) for width in (70, 120)]
    for text in (*texts, comparison_tsv(comparison), comparison_latex(comparison)):
        assert not re.search(r"\b(nan|inf|NaN|None)\b", text)


@pytest.mark.parametrize(("place", "campaign"), list(enumerate(ODD)))
def test_odd_campaigns_are_compared_without_complaint(place, campaign):
    runs = ODD[campaign]
    check_whole(md.compare(runs, MEASURES, baseline=runs.systems[-1] if place % 2 else None))


@pytest.mark.parametrize("test", sorted(TESTS))
@pytest.mark.parametrize("campaign", ["one system", "two identical systems", "topics left out", "all zero"])
def test_every_test_takes_odd_campaigns(campaign, test):
    comparison = md.compare(ODD[campaign], "P@3", test=test)
    [standing] = comparison.results
    assert ((standing.pairs.pvalues >= 0) & (standing.pairs.pvalues <= 1)).all()
    json.dumps(comparison.to_dict(), allow_nan=False)


def test_one_system_is_told_that_there_is_nothing_to_compare():
    comparison = md.compare(ODD["one system"], "P@3")
    assert comparison.results[0].claims == ()
    assert comparison.results[0].compared == 0
    assert "There is nothing to compare one system with." in comparison_text(comparison)


@pytest.mark.parametrize("campaign", ["two identical systems", "all zero", "all ones"])
def test_systems_that_are_the_same_do_not_differ(campaign):
    comparison = md.compare(ODD[campaign], MEASURES)
    for standing in comparison.results:
        assert (standing.pairs.pvalues == 1).all()
        assert (standing.significant, standing.scale_proof) == (0, 0)
        assert set(standing.letters.values()) == {"a"}
        assert not standing.claims[0].apart
        assert any("same scores" in str(caveat) for caveat in standing.pairs.caveats)
    assert "every measure ties" in comparison_text(comparison)


def test_one_topic_is_not_enough_for_significance_and_that_is_said():
    comparison = md.compare(ODD["one topic"], ["P@3", "RR@3"], test="t")
    for standing in comparison.results:
        assert (standing.pairs.pvalues == 1).all()
        assert any("topic" in str(caveat) for caveat in standing.pairs.caveats)


def test_everything_is_above_nothing_on_every_scale():
    standing = md.compare(ODD["constant systems"], "RR@3").results[0]
    assert standing.systems == ("all", "some", "none")
    assert standing.scale_proof == 3
    assert standing.claims[0].sentence.endswith("The order of the means is scale-proof.")


def test_topics_that_a_system_left_out_are_not_counted_under_skip():
    comparison = md.compare(ODD["topics left out"], "P@3", test="sign")
    claim = next(claim for claim in comparison.results[0].claims if "a" in (claim.ahead, claim.behind))
    effect = claim.effect
    assert effect.wins + effect.ties + effect.losses == 1
    assert len(claim.dominance.topics) == 1


# Real campaigns.


def test_trec_covid_has_orders_that_are_scale_proof_and_orders_that_are_not(data):
    campaign = data / "trec-covid-r1"
    comparison = md.compare(campaign / "qrels-rnd1.txt.gz", campaign / "runs", ["P@10", "RR@10", "nDCG@10"])
    assert len(comparison.dominance.systems) == 12
    _, reciprocal, gain = comparison.results
    for standing in (reciprocal, gain):
        assert 0 < standing.scale_proof < 66
        assert standing.significant_and_scale_proof <= standing.significant
    check_whole(comparison)


def test_deep_learning_runs_are_compared_by_their_files(data):
    campaign = data / "trec-dl-passage-fusion"
    comparison = md.compare(
        campaign / "2019.qrels.gz",
        campaign / "2019",
        ["P@10", "RR@10", "AP@30"],
        names="file",
        baseline="BM25.2019.100.norm",
    )
    assert len(comparison.dominance.systems) == 8
    assert len({np.isinf(claim.kappa) for each in comparison.results for claim in each.claims}) == 2
    assert all(len(each.claims) == 7 for each in comparison.results)
    check_whole(comparison)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"alpha": 0}, "alpha must lie between 0 and 1"),
        ({"top": -2}, "top must be a whole number from 0 up"),
        ({"test": None}, "no test"),
    ],
)
def test_what_cannot_be_asked_is_refused(wrong, why):
    asked = {"test": "randomisation"} | wrong
    with pytest.raises(ParameterError, match=why):
        md.compare(md.sample.qrels(), md.sample.runs(), "P@10", **asked)


def test_comparisons_travel_between_processes():
    comparison = md.compare(md.sample.qrels(), md.sample.runs()[:3], ["P@10", "RR@10"])
    again = pickle.loads(pickle.dumps(comparison))
    assert comparison_text(again) == comparison_text(comparison)


@pytest.mark.parametrize("name", ["t-test", "Student's t-test", "paired t", "Paired t test"])
def test_tests_have_the_names_that_people_say(name):
    assert find_test(name).__name__ == "paired_t"


def test_a_number_in_the_name_of_a_test_is_not_overlooked():
    with pytest.raises(ParameterError, match=r"did you mean t\?"):
        find_test("t2")


@pytest.mark.parametrize(
    ("measure", "ties", "said"), [("ESL", None, 1), ("OIE", None, 1), ("RR", None, 0), ("ESL", "trec", 0)]
)
def test_dominance_says_that_it_keeps_to_an_order_where_scores_do_not(measure, ties, said):
    runs = [md.read_run({"1": {"a": 1.0, "b": x}, "2": {"a": 1.0, "b": x}}, name=f"s{x}") for x in (1.0, 2.0)]
    found = md.compare({"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 0}}, runs, measure, ties=ties)
    assert sum("in the order of their names" in caveat.text for caveat in found.dominance.caveats) == said
