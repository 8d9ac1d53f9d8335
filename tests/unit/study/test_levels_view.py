"""For which measures a claim holds: sentences, words in a table, a section, a square and arrows."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from attrs import evolve

import measurand as md
from measurand.display.latex import latex_table
from measurand.display.terminal import terminal_text
from measurand.judged import JudgedRuns
from measurand.study.comparison_view import HEADING
from measurand.study.levels_view import TITLE, measures_apart


def runs_of(systems, relevant=None):
    """Return judged runs: for each system a run for every topic, as digits; how many are relevant on each topic."""
    cells = np.array([[[int(cell) for cell in run] for run in topics] for topics in systems.values()], dtype=np.int8)
    topics = cells.shape[1]
    return JudgedRuns(
        systems=tuple(systems),
        topics=tuple(map(str, range(topics))),
        cells=cells,
        lengths=np.full(cells.shape[:2], cells.shape[2]),
        grade_counts=np.array([[9, number] for number in relevant or [4] * topics]),
    )


def text_of(comparison, **options):
    return " ".join(terminal_text(comparison.document(**options), width=120).split())


def claim_of(systems, measure="P@2", **options):
    return md.compare(runs_of(systems), measure, **options).primary.claims[0]


AHEAD = {"a": ["1000", "1000", "1000"], "b": ["1100", "0000", "0000"]}
SURE = {"a": ["1111", "1110", "1111", "1110", "1111", "1111"], "b": ["0000", "0010", "0001", "0000", "0000", "0100"]}
OPEN = {"a": ["1000", "1000"], "b": ["0110", "0111"]}
SAME_COUNTS = {"a": ["1100", "0000"], "b": ["1000", "0100"]}
SAME_RUNS = {"a": ["1100", "0000"], "b": ["0000", "1100"]}


def test_who_is_ahead_under_a_class_is_said_with_its_best_known_measures_and_the_rank():
    found = claim_of(AHEAD)
    assert str(found.level.level) == "every additive measure"
    assert found.level_sentence == (
        "a is ahead under every additive measure (P, RBP, DCG, …) to rank 4, but not significantly under every one of"
        f" them (p = {found.level.p:.3f})."
    )
    assert found.level_sentence in found.sentence


@pytest.mark.parametrize(
    ("measure", "said"), [("P@2", "…)"), ("AP", "…; AP is none of these)"), ("RR", "…; RR is none of these)")]
)
def test_a_measure_that_the_class_lacks_is_named(measure, said):
    assert f"(P, RBP, DCG, {said} to rank 4" in claim_of(AHEAD, measure).level_sentence


def test_a_significant_lead_under_more_than_additive_measures_is_said_to_be_one_under_these():
    found = claim_of(SURE)
    assert found.level.significant
    assert found.level_sentence.startswith(
        "a is at least as good on every topic, under every measure (nDCG, AP, P, …) to rank 4, and significantly"
        " so under every"
        " additive measure (P, RBP, DCG, …) (p "
    )


def test_where_it_depends_a_precision_that_puts_the_other_first_is_named():
    assert claim_of(OPEN, "P@1").level_sentence == (
        "Other measures put b first, such as P@3 (documents of grade 1 or more in the first 3 ranks)."
    )
    # under P@2 the two have the same mean
    assert claim_of(OPEN, "P@2").level_sentence == (
        "Which is ahead depends on the measure: P@1 (documents of grade 1 or more at the first rank) puts a first,"
        " P@3 (documents of grade 1 or more in the first 3 ranks) b."
    )


def test_the_precision_that_is_named_does_put_the_other_first(compared_sample):
    comparison = compared_sample("P@10")
    claim = comparison.primary.claims[0]
    assert f"put {claim.against} first, such as P(rel=3)@1 (" in claim.sentence
    means = md.P(rel=3)(cutoff=1).scores(comparison.levels.judged).mean()
    assert means[claim.against] > means[claim.system]


@pytest.mark.parametrize(
    ("systems", "said"),
    [
        (SAME_COUNTS, "Both are level under every additive measure (P, RBP, DCG, …), to rank 4."),
        (SAME_RUNS, "Both are level under every measure that treats topics alike (P, RR, RBP, …), to rank 4."),
        ({"a": ["10"], "b": ["10"]}, "Both are level on every topic, under every measure (nDCG, AP, P, …), to rank 2."),
    ],
)
def test_systems_that_are_level_are_said_to_be(systems, said):
    assert claim_of(systems, "P@2").level_sentence == said


def test_a_claim_that_a_whole_class_reverses_says_so():
    # AP counts a relevant document as 1 where it is the only one, and as little where there are a hundred
    runs = runs_of({"a": ["1111", "0000"], "b": ["0000", "1000"]}, relevant=[100, 1])
    comparison = md.compare(runs, ["AP", "P@2"])
    [claim] = comparison.primary.claims
    assert (claim.ahead, claim.level.ahead) == ("b", "a")
    assert claim.level_sentence.startswith(
        "Under every measure that treats topics alike (P, RR, RBP, …; AP is none of these) to rank 4 it is the other"
        " way round: a is ahead, but not"
    )
    held = [comparison.view(each).table().select(HEADING).cells for each in comparison.results]
    assert sorted(cell for [cell] in held[0]) == ["", "reversed"]
    assert sorted(cell for [cell] in held[1]) == ["", "every measure"]


def test_a_strict_claim_has_its_level_too():
    [claim] = md.compare(runs_of(AHEAD), "AP", strict=True).primary.claims
    assert claim.statistic != "mean"
    assert "a is ahead under every additive measure (P, RBP, DCG, …; AP is none of these) to rank 4" in claim.sentence


def test_systems_without_a_common_topic_have_no_level():
    qrels = {"1": {"x": 1}, "2": {"x": 1}}
    runs = [md.read_run({topic: {"x": 1.0}}, name=name) for topic, name in (("1", "a"), ("2", "b"))]
    comparison = md.compare(qrels, runs, "P@1", missing_topics="skip")
    assert "under every" not in comparison.primary.claims[0].sentence
    assert "a and b have no topic in common." in text_of(comparison, reversing=True, maps=["RBP"])


def test_a_pair_without_a_common_topic_does_not_depend_on_the_measure():
    qrels, kept = {topic: {"x": 1} for topic in "123"}, {"a": "12", "b": "3", "c": "123"}
    runs = [md.read_run({topic: {"x": 1.0} for topic in topics}, name=name) for name, topics in kept.items()]
    said = section_of(md.compare(qrels, runs, "P@1", missing_topics="skip"))
    assert "in 0 of 3 pairs, on the topics that both have." in said
    assert "it depends on the measure" not in said


# The section.


def section_of(comparison, **options):
    return text_of(comparison, **options).partition(TITLE)[2].partition("How to read this")[0]


def test_pairs_are_counted_at_each_level():
    comparison = md.compare(md.sample.qrels(), md.sample.runs(), ["nDCG@10", "P@10", "RR"])
    levels, said = comparison.levels, section_of(comparison)
    alone, corrected = int(levels.additive_significant.sum()), int(levels.significant.sum())
    assert (
        f"Every additive measure (P, RBP, DCG, …): one system is ahead in {levels.decided('every additive measure')} of"
        " 66 pairs (50 %); significantly (p ≤ 0.05, paired t tests of mean counts) in"
        f" {alone} taken alone, {corrected} after Holm's correction."
    ) in said
    assert "Every measure that treats topics alike (P, RR, RBP, …): in 0 of 66 pairs." in said
    assert "In 33 pairs it depends on the measure, even among additive ones." in said
    best = levels.unbeaten("every additive measure")
    assert f"No other system is ahead of {', '.join(best[:-1])} and {best[-1]} under every additive measure." in said
    assert "nDCG@10 does not treat topics alike: of these levels only the strongest speaks of it." in said
    assert "RR is not additive" in said
    assert "in 804 of 3,234 cases in which two systems differ." in said


def test_with_a_baseline_only_its_pairs_count():
    systems = {
        "base": ["0100"] * 8,
        "good": ["1100"] * 8,
        "bad": ["0000"] * 8,
        "odd": ["1000", "0100"] * 4,
    }
    said = section_of(md.compare(runs_of(systems), "P@2", baseline="base"), levels=True)
    assert "one system is ahead in 3 of 3 pairs with base (100 %)" in said
    assert "Ahead of base under every additive measure: good and odd; significantly: good." in said
    assert "Behind base under every additive measure: bad." in said
    assert "good → base" in said
    assert "good → odd" not in said


def test_of_two_systems_every_level_is_told_with_the_reason_where_it_fails():
    said = section_of(md.compare(runs_of(AHEAD), "P@2"))
    assert (
        "Every additive measure (P, RBP, DCG, …): a is ahead, but not significantly under every one of them (p" in said
    )
    alike = "Every measure that treats topics alike (P, RR, RBP, …)"
    assert f"{alike}: not so; one such measure puts b first by 0.333 on a scale from 0 to 1." in said
    assert "not so; on topic 0, in the first 2 ranks b has 2 documents of grade 1 or more, a 1." in said
    said = section_of(md.compare(runs_of(OPEN), "P@1"))
    assert "(P, RBP, DCG, …): not so; in the first 3 ranks b has 4 documents of grade 1 or more" in said
    assert section_of(md.compare(runs_of(SAME_RUNS), "P@1")).count("both are level") == 2


def test_of_one_system_nothing_is_said():
    assert TITLE not in text_of(md.compare(runs_of({"a": ["10"]}), "P@1"), levels=True, reversing=True, maps=["RBP"])


def test_systems_with_the_same_grades_tie_under_every_measure():
    said = section_of(md.compare(runs_of({"a": ["10"], "b": ["10"], "c": ["10"]}), "P@1"))
    assert "All systems have the same grades at the same ranks on every topic, so that every measure ties." in said


# Tables.


def test_the_column_says_how_far_the_order_holds_and_drops_out_first():
    comparison = md.compare(md.sample.qrels(), md.sample.runs()[:4], "P@100")
    wide, narrow = (terminal_text(comparison.document(), width=width) for width in (120, 100))
    assert f"κ  {HEADING}" in wide
    assert f"{HEADING}: for which measures the order of the two is the same, to rank 100." in wide
    assert "p (sign)" in narrow
    assert f"κ  {HEADING}" not in narrow
    paper = latex_table(comparison.primary.view.latex_table())
    assert "& Holds under" in paper
    assert "Holds under: for which measures" in paper


def test_rows_for_programs_have_the_level():
    comparison = md.compare(runs_of(SURE), "P@2")
    [row] = comparison.to_polars().to_dicts()
    assert (row["level"], row["level_ahead"], row["level_significant"]) == ("topics", "a", True)
    level = comparison.primary.claims[0].level
    assert (row["p_level"], row["p_level_corrected"]) == (level.p, level.p_corrected)


def test_every_pair_stands_in_a_square_and_what_follows_is_no_arrow():
    systems = {
        "worst": ["0000"] * 10,
        "best": ["1100"] * 10,
        "middle": ["0110"] * 10,
        "open": ["1000", "0001"] * 5,
    }
    text = terminal_text(md.compare(runs_of(systems), "P@2").document(levels=True), width=100)
    lines = {tuple(line.split()) for line in text.splitlines()}
    assert {("best", "1", "T", "T", "T†"), ("middle", "2", "·", "T"), ("open", "3", "·", "T")} <= lines
    assert "best → middle and open" in text
    assert "best → worst" not in text


def test_a_square_that_is_too_wide_is_not_printed_and_arrows_are_cut():
    runs = [md.read_run({"1": {"x": 2.0, "y": 1.0}}, name=f"s{place:02d}") for place in range(35)]
    worse = [md.read_run({"1": {"y": 1.0}}, name=f"t{place:02d}") for place in range(35)]
    comparison = md.compare(md.judge([*runs, *worse], md.read_qrels({"1": {"x": 1, "y": 0}})), "P@1")
    text = text_of(comparison, levels=True)
    assert "The square of 70 systems is too wide to print; -f json has the level of every pair." in text
    assert "s00 → t00, t01, t02, t03, t04, t05, t06, t07 and 27 more" in text
    assert "… and 5 more systems; -f json has all arrows." in text


def test_measures_that_look_deeper_or_are_unknown_are_said_to_be():
    comparison = md.compare(runs_of({"a": ["1000"], "b": ["0100"]}), "P@2")
    apart = partial(measures_apart, evolve(comparison.levels, depth=2))
    known = {name: md.parse(name) for name in ("P@2", "RR@3")}
    assert list(apart(known)) == ["RR@3 looks deeper than rank 2, so that no level speaks of it."]
    mine = md.define(sum, name="Mine")
    assert "Mine is a measure of your own, so that it is not said" in next(iter(apart({"Mine": mine})))


def test_a_learned_curve_is_known_to_be_additive_whatever_it_is_called():
    votes = [("1,0,0", "0,1,1"), ("0,1,1", "0,1,0")]
    curve = md.lattice.learn(votes, additive=True, name="Votes").measure
    comparison = md.compare(runs_of({"a": ["1000"], "b": ["0100"]}), curve)
    assert list(measures_apart(comparison.levels, {"Votes": curve})) == []
    assert "none of these" not in str(comparison)
    assert "under every additive measure" in str(comparison) or "every topic" in str(comparison)
    other = md.lattice.learn(votes, name="Other").measure
    said = str(md.compare(runs_of({"a": ["1000"], "b": ["0100"]}), other))
    assert "Other is a measure of your own" in said
    assert "Other is none of these" not in said


def test_systems_without_a_common_topic_are_not_said_to_tie():
    qrels = {"1": {"x": 1}, "2": {"x": 1}}
    runs = [md.read_run({"1": {"x": 1}}, name="a"), md.read_run({"2": {"x": 1}}, name="b")]
    said = section_of(md.compare(md.judge(runs, qrels, missing_topics="skip"), "P@1"))
    assert "no topic in common" in said
    assert "ties" not in said


def test_the_converse_of_a_lead_is_no_matter_of_the_measure():
    judged = runs_of({"a": ["1000"], "b": ["0100"]})
    found = md.levels(judged, "b", "a").sentence
    assert found == "b is not ahead of a: a is ahead under every additive measure, down to rank 4."
