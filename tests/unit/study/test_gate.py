"""The gate: its verdicts on small campaigns, its sentences, what it refuses, and how it asserts."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from fractions import Fraction

import numpy as np
import pytest
from attrs import evolve

import measurand as md
from measurand.errors import CallError, InputError, ParameterError
from measurand.study.gate import GateResult, score_baseline
from measurand.study.gate_measure import Outcome
from measurand.study.stored_scores import StoredScores, qrels_digest
from measurand.trec import NamedFile

QRELS = {str(t): {f"r{t}.{n}": 1 for n in range(10)} for t in range(1, 11)}


def run(*relevant: int | None) -> dict[str, dict[str, float]]:
    """Return a run with so many relevant documents among the first ten of each topic; None leaves the topic out."""
    found = {}
    for t, number in enumerate(relevant, 1):
        if number is not None:
            ranked = [f"r{t}.{n}" for n in range(number)] + [f"n{n}" for n in range(10 - number)]
            found[str(t)] = {document: 10.0 - rank for rank, document in enumerate(ranked)}
    return found


STEADY = run(5, 6, 7, 8, 5, 6, 7, 8, 5, 6)
WORSE = run(3, 4, 5, 7, 3, 5, 5, 6, 3, 4)
BETTER = run(6, 7, 8, 9, 6, 8, 8, 9, 6, 7)
MIXED = run(6, 5, 8, 7, 6, 5, 6, 9, 4, 7)

MANY = {str(t): {f"r{t}.{n}": 1 for n in range(10)} for t in range(1, 51)}


def five_times(*relevant: int) -> dict[str, dict[str, float]]:
    """Return a run on fifty topics, five times as many relevant documents as these."""
    return run(*5 * relevant)


OLD = five_times(5, 6, 7, 8, 5, 6, 7, 8, 5, 6)
DOWN = five_times(3, 4, 5, 7, 3, 5, 5, 6, 3, 4)
UP = five_times(6, 7, 8, 9, 6, 8, 8, 9, 6, 7)
BOTH_WAYS = five_times(6, 5, 8, 7, 6, 5, 6, 9, 4, 7)
LOWER = five_times(4, 4, 7, 8, 4, 6, 7, 7, 5, 4)
UNLESS = "if no topic changes by more than 1"


def test_a_run_passes_against_itself_even_if_nothing_is_allowed():
    result = md.gate(QRELS, STEADY, STEADY, ["P@10", "AP", "nDCG@10"], max_drop=0, max_broken=0, fail_on_drop=True)
    assert (result.passed, result.failed, result.undecided, bool(result), result.exit_code) == (
        True,
        False,
        False,
        True,
        0,
    )
    assert result.reason == (
        "PASS. On all 10 topics nothing changed under 3 measures; up to 25.9 % of others could (95 %)."
    )


def test_a_clear_drop_fails_and_says_how_far():
    result = md.gate(MANY, OLD, DOWN, "P@10")
    assert (result.passed, result.failed, result.undecided, bool(result), result.exit_code) == (
        False,
        True,
        False,
        False,
        3,
    )
    assert result.reason == (
        "FAIL. On these 50 topics P@10 fell by 0.180, from 0.630 to 0.450, more than the 0.01 allowed. Over topics like"
        f" these the mean drop is at least 0.108 (95 %, {UNLESS}), more than the 0.01 allowed."
    )


def test_a_clear_gain_passes():
    result = md.gate(MANY, OLD, UP, "P@10")
    assert result.passed
    assert "P@10 rose by 0.110, from 0.630 to 0.740. Over topics like these the mean gain is at least" in result.reason


def test_what_the_topics_cannot_tell_is_undecided_and_true_unless_that_fails():
    result = md.gate(MANY, OLD, BOTH_WAYS, "P@10")
    assert (result.undecided, bool(result), result.exit_code) == (True, True, 0)
    strict = md.gate(MANY, OLD, BOTH_WAYS, "P@10", fail_undecided=True)
    assert (strict.undecided, strict.failed, bool(strict), strict.exit_code) == (True, False, False, 4)
    assert (
        "these 50 topics cannot tell. If nothing changes in the mean, about 640 topics like these would show it"
        in result.reason
    )
    assert "can settle a max drop of 0.036" in result.reason


def test_a_drop_that_is_no_chance_but_may_be_within_the_limit_is_undecided_and_said_so():
    result = md.gate(MANY, OLD, LOWER, "P@10", max_drop=0.06)
    one = result.of("P@10")
    assert (result.undecided, one.fell, str(one.method)) == (True, True, "paired t")
    assert (
        "the mean drop is at least 0.051 (95 %, paired t), but these 50 topics cannot tell whether it is more than"
        in result.reason
    )
    assert one.topics_if_as_observed == 387
    assert "If the drop is what it looks like, about 390 topics like these would (80 % of the time)." in result.reason
    few = md.gate(MANY, OLD, DOWN, "P@10", max_drop=0.15)
    assert (few.undecided, str(few.of("P@10").method)) == (True, "bound")
    assert f"the mean drop is at least 0.108 and at most 0.232 (90 % interval, {UNLESS}); 0.15 is allowed" in few.reason


def test_nothing_but_a_gain_passes_where_no_drop_is_allowed():
    result = md.gate(MANY, OLD, BOTH_WAYS, "P@10", max_drop=0)
    assert "no drop is allowed: these 50 topics cannot tell. Only a change for the better can pass." in result.reason
    assert result.of("P@10").topics_if_unchanged is None
    hardly = md.gate(MANY, OLD, BOTH_WAYS, "P@10", max_drop=1e-9)
    assert hardly.of("P@10").topics_if_unchanged is None
    assert "no drop is allowed" not in hardly.reason
    assert (
        "from a drop of 0.024 to a gain of 0.024 (90 % interval, paired t), and 1e−09 is allowed: these 50 topics"
        " cannot tell. If nothing changes in the mean, no number of topics that anybody could judge would show it;"
        " these 50 topics can settle a max drop of 0.036"
    ) in hardly.reason
    assert md.gate(MANY, OLD, UP, "P@10", max_drop=0).passed


def test_a_drop_within_the_limit_passes_unless_every_drop_fails():
    plain = md.gate(MANY, OLD, DOWN, "P@10", max_drop=0.3)
    assert f"the mean drop is at most 0.232 (95 %, {UNLESS}); 0.3 is allowed." in plain.reason
    strict = md.gate(MANY, OLD, DOWN, "P@10", max_drop=0.3, fail_on_drop=True)
    assert (plain.passed, strict.failed) == (True, True)
    assert strict.reason.endswith(
        f"the mean drop is at least 0.108 and at most 0.232 (90 % interval, {UNLESS}), within the 0.3 allowed; drops"
        " that are not chance fail here, harmless or not (--fail-on-drop)."
    )
    assert (
        ", perhaps within the 0.17 allowed;"
        in md.gate(MANY, OLD, DOWN, "P@10", max_drop=0.17, fail_on_drop=True).reason
    )
    assert "too small to matter" in str(strict)


def test_measures_that_dropped_within_the_limit_are_not_said_to_have_dropped_too_far():
    both = ["P@10", "AP"]
    within = md.gate(MANY, OLD, DOWN, both, max_drop=0.3, fail_on_drop=True)
    assert within.reason.startswith("FAIL. P@10 and AP dropped (2 of 2 measures). On these 50")
    one = md.gate(MANY, OLD, DOWN, both, max_drop={"P@10": 0.3, "AP": 0.01}, fail_on_drop=True)
    assert [each.fell_too_far for each in one] == [False, True]
    assert one.reason.startswith("FAIL. P@10 and AP dropped (2 of 2 measures).")
    far = md.gate(MANY, OLD, DOWN, both, fail_on_drop=True)
    assert far.reason.startswith("FAIL. P@10 and AP dropped too far (2 of 2 measures).")


def test_more_broken_topics_than_allowed_fail_and_as_many_do_not():
    lost = run(5, 6, 7, 8, 5, 6, 7, 8, 1, 1)
    outcomes = {
        most: md.gate(QRELS, STEADY, lost, "P@10", max_broken=most, max_drop=1).outcome for most in (None, 0, 1, 2)
    }
    assert outcomes == {None: Outcome.PASS, 0: Outcome.FAIL, 1: Outcome.FAIL, 2: Outcome.PASS}
    result = md.gate(QRELS, STEADY, lost, "P@10", max_broken=1, max_drop=1)
    assert [(each.topic, round(each.drop, 6)) for each in result.of("P@10").broken] == [("10", 0.5), ("9", 0.4)]
    assert result.reason == "FAIL. 2 of 10 topics broke (dropped by more than 0.3); at most 1 may."
    assert result.of("P@10").outcome is Outcome.PASS


def test_a_drop_of_exactly_the_limit_is_not_broken_though_floats_say_so():
    assert 0.8 - 0.5 > 0.3
    old, new = run(8, 8, 8), run(5, 4, 8)
    assert [each.topic for each in md.gate(QRELS, old, new, "P@10").of("P@10").broken] == ["2"]
    stored = md.gate(QRELS, old, old, "P@10").store()
    assert [each.topic for each in md.gate(QRELS, stored, new, "P@10").of("P@10").broken] == ["2"]


@pytest.mark.parametrize("measure", ["AP", "DCG@10", "nDCG@10", "ERR@10", "RBP(p=0.8)"])
def test_a_limit_close_to_a_drop_is_told_from_it_under_every_kind_of_measure(measure):
    old, new = run(8), run(5)
    [change] = md.gate(QRELS, old, new, measure).of(measure).dropped()
    assert md.gate(QRELS, old, new, measure, broken=change.drop + 1e-10).of(measure).broken == ()
    assert md.gate(QRELS, old, new, measure, broken=change.drop - 1e-10).of(measure).broken == (change,)


def test_exact_values_decide_at_the_edge_where_lower_is_better():
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    first = {topic: {"d": 1.0} for topic in qrels}
    third = {topic: {"a": 3.0, "b": 2.0, "d": 1.0} for topic in qrels}
    exactly = md.gate(qrels, first, third, "ESL", broken=2).results[0]
    assert (exactly.difference, exactly.broken, exactly.lower_is_better) == (-2.0, (), True)
    assert len(md.gate(qrels, first, third, "ESL", broken=1.99).results[0].broken) == 2
    assert len(md.gate(qrels, third, first, "ESL", broken=1.99).results[0].improved) == 2


def test_lower_is_better_is_said_and_a_rise_fails():
    qrels = {str(t): {"d": 1} for t in range(48)}
    first = {topic: {"d": 1.0} for topic in qrels}
    deeper = {topic: {**{f"n{n}": 9.0 - n for n in range(2 + int(topic) % 2)}, "d": 1.0} for topic in qrels}
    result = md.gate(qrels, first, deeper, "ESL", max_drop=0.5, largest_change=10)
    assert result.failed
    assert "got worse by 2.500, from 0.000 to 2.500 (lower is better)" in result.reason
    assert md.gate(qrels, deeper, first, "ESL", max_drop=0.5, largest_change=10).passed
    [caveat] = [each for each in result.caveats if "do not go from 0 to 1" in each.text]
    assert "ESL(i=1)=0.5" in caveat.text
    assert not any("0 to 1" in str(each) for each in md.gate(qrels, first, deeper, "RR").caveats)


def test_pass_needs_all_measures_and_fail_needs_one():
    both = ["P@10", "RR"]
    passed = md.gate(MANY, OLD, UP, both)
    assert (passed.passed, passed.reason) == (
        True,
        "PASS. On these topics P@10 did not fall by more than is allowed, and over topics like these it does not either"
        " (95 %, if no topic changes by more than 1). Nothing changed under RR; up to 5.8 % of others could (95 %).",
    )
    failed = md.gate(MANY, OLD, DOWN, both)
    assert [str(each.outcome) for each in failed] == ["fail", "pass"]
    assert failed.failed
    assert failed.reason.startswith("FAIL. On these 50 topics P@10 fell by 0.180")
    both_fail = md.gate(MANY, OLD, DOWN, ["P@10", "AP", "RR"])
    assert both_fail.reason.startswith(
        "FAIL. P@10 and AP dropped too far (2 of 3 measures). On these 50 topics P@10 fell by 0.180"
    )
    unsure = md.gate(MANY, OLD, BOTH_WAYS, both)
    assert [str(each.outcome) for each in unsure] == ["undecided", "pass"]
    assert unsure.undecided


def test_holm_keeps_a_measure_from_failing_that_would_fail_alone():
    alone = md.gate(MANY, OLD, LOWER, "P@10", max_drop=0.0505)
    assert (alone.failed, alone.of("P@10").p < 0.05) == (True, True)
    measures = ["P@10", "RR", "P@1", "P@2", "P@3"]
    several = md.gate(MANY, OLD, LOWER, measures, max_drop=0.0505)
    one = several.of("P@10")
    assert (one.p, one.p_corrected) == (alone.of("P@10").p, pytest.approx(5 * one.p))
    assert several.undecided
    assert (
        "Alone that would be a mean drop of more than the 0.0505 allowed over topics like these; with so many measures"
        " it may be chance" in several.reason
    )
    strict = md.gate(MANY, OLD, DOWN, measures, max_drop=0.107, fail_on_drop=True)
    assert (strict.of("P@10").p < 0.05, strict.of("P@10").fell_too_far, strict.failed) == (True, False, True)
    assert "With so many measures it may still be within the 0.107 allowed (p = 0.2" in strict.reason


def test_topics_that_would_have_shown_that_nothing_changed_are_not_said_to_be_too_few():
    result = md.gate(MANY, OLD, five_times(7, 4, 5, 9, 4, 6, 7, 8, 5, 6), "P@10", max_drop=0.047)
    assert (result.undecided, result.of("P@10").topics_if_unchanged) == (True, 41)
    assert "settle" not in result.reason
    assert result.reason.endswith(
        "cannot tell. If the change is what it looks like, about 120 topics like these would (80 % of the time). If"
        " nothing changes in the mean, 50 topics like these would show it 80 % of the time or more. --on-these-topics"
        " would decide by these alone."
    )


def test_each_measure_can_have_its_own_limits():
    limits = {"P@10": 0.5, "RR": 0}
    result = md.gate(QRELS, STEADY, WORSE, ["P@10", "RR", "AP"], max_drop=limits, broken={"AP": 0.9})
    assert [each.max_drop for each in result] == [Fraction(1, 2), 0, Fraction(1, 100)]
    assert [each.broken_drop for each in result] == [Fraction(3, 10), Fraction(3, 10), Fraction(9, 10)]
    with pytest.raises(ParameterError, match="max_drop names AP, which the gate does not look at; it has P@10"):
        md.gate(QRELS, STEADY, WORSE, "P@10", max_drop={"AP": 0.1})


def test_the_default_is_the_primary_measure():
    assert [each.measure for each in md.gate(QRELS, STEADY, MIXED)] == ["nDCG@10"]


def test_a_topic_that_one_side_left_out_scores_0_with_a_note_or_is_skipped():
    gap = run(5, 6, 7, 8, 5, 6, 7, 8, 5, None)
    zero = md.gate(QRELS, STEADY, gap, "P@10")
    assert [(each.topic, each.candidate) for each in zero.of("P@10").broken] == [("10", 0.0)]
    assert any("candidate" in str(each) for each in zero.caveats)
    skipped = md.gate(QRELS, STEADY, gap, "P@10", missing_topics="skip")
    assert (skipped.passed, len(skipped.of("P@10").topics)) == (True, 9)


def test_runs_without_a_common_topic_are_refused():
    with pytest.raises(InputError, match="share no topic"):
        md.gate(QRELS, run(5), run(None, 5), "P@10", missing_topics="skip")


def test_one_topic_decides_nothing_unless_the_scores_are_the_same():
    assert md.gate({"1": QRELS["1"]}, run(5), run(5), "P@10").passed
    result = md.gate({"1": QRELS["1"]}, run(5), run(1), "P@10")
    assert result.undecided
    assert "On the one topic P@10 fell by 0.400, from 0.500 to 0.100, more than the 0.01 allowed." in result.reason
    assert "One topic is too few to speak of others." in result.reason
    json.dumps(result.to_dict(), allow_nan=False)


def test_the_same_drop_everywhere_is_not_taken_for_a_drop_without_spread():
    lower = run(4, 5, 6, 7, 4, 5, 6, 7, 4, 5)
    assert {md.gate(QRELS, STEADY, lower, "P@10", max_drop=drop).outcome for drop in (0.1, 0.099)} == {
        Outcome.UNDECIDED
    }
    here = {drop: md.gate(QRELS, STEADY, lower, "P@10", max_drop=drop, on_these_topics=True) for drop in (0.1, 0.099)}
    assert (here[0.1].passed, here[0.099].failed) == (True, True)
    fifty = md.gate(MANY, OLD, five_times(4, 5, 6, 7, 4, 5, 6, 7, 4, 5), "P@10")
    assert (fifty.failed, str(fifty.of("P@10").method)) == (True, "bound")


def test_the_same_change_on_few_topics_decides_nothing():
    for number in (2, 4, 5):
        qrels = {topic: QRELS[topic] for topic in list(QRELS)[:number]}
        for new in (3, 7):
            result = md.gate(qrels, run(*[5] * number), run(*[new] * number), "P@10", fail_on_drop=True)
            assert result.undecided
            assert f"{number} topics: too few to speak of others." in result.reason
        assert md.gate(qrels, run(*[5] * number), run(*[5] * number), "P@10").passed


def test_sentences_tell_a_bound_from_the_limit_and_have_true_minus_signs():
    short = md.gate(MANY, OLD, LOWER, "P@10", max_drop=0.0513).reason
    assert (
        "at least 0.05129 (95 %, paired t), but these 50 topics cannot tell whether it is more than the 0.0513 allowed."
        in short
    )
    assert "-" not in md.gate(MANY, OLD, BOTH_WAYS, "P@10", max_drop=1e-9).reason.partition("--on")[0]


@pytest.mark.parametrize("packed", [gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("ending", [".parquet", ".json", ".csv"])
def test_a_stored_baseline_may_be_compressed(tmp_path, ending, packed):
    plain, small = tmp_path / f"main{ending}", tmp_path / f"main{ending}.packed"
    md.gate(QRELS, STEADY, STEADY, "P@10").save_baseline(plain)
    small.write_bytes(packed(plain.read_bytes()))
    assert md.gate(QRELS, small, STEADY, "P@10", max_drop=0).passed
    small.write_bytes(small.read_bytes()[:40])
    with pytest.raises(InputError, match="damaged"):
        md.gate(QRELS, small, STEADY, "P@10")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"max_drop": -0.1}, "max_drop must be a number from 0 to 10^12, not -0.1; write max_drop=0.01"),
        ({"max_drop": float("nan")}, "max_drop must be a number from 0 to 10^12"),
        ({"max_drop": "0.1"}, "max_drop must be a number from 0 to 10^12, not '0.1'"),
        ({"broken": float("inf")}, "broken must be a number from 0 to 10^12"),
        ({"broken": True}, "broken must be a number from 0 to 10^12"),
        ({"alpha": 0.5}, "alpha must lie between 0 and 0.5, not 0.5; write alpha=0.05"),
        ({"alpha": 0}, "alpha must lie between 0 and 0.5"),
        ({"alpha": "0.1"}, "alpha must lie between 0 and 0.5"),
        ({"max_broken": -1}, "max_broken must be a whole number from 0 up"),
        ({"max_broken": 1.5}, "max_broken must be a whole number from 0 up"),
        ({"fail_on_drop": "yes"}, "fail_on_drop must be True or False"),
        ({"fail_undecided": 2}, "fail_undecided must be True or False"),
        ({"measures": "Judged@10"}, "Judged@10 says how much was judged"),
        ({"measures": "gm(AP)"}, "is a geometric mean"),
        ({"measures": []}, "no measure was asked for"),
        ({"measures": "nonsense"}, "no measure called 'nonsense'"),
        ({"limit": 1}, "gate has no parameter 'limit'"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(options, complaint):
    with pytest.raises(ParameterError) as error:
        md.gate(QRELS, STEADY, WORSE, **options)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("nDCG@10", STEADY, WORSE), "a measure (nDCG@10) stands where qrels are expected"),
        ((QRELS, "nDCG@10", WORSE), "a measure (nDCG@10) stands where"),
        ((QRELS, STEADY, [WORSE, WORSE]), "candidate must be one file, frame or dictionary, not several"),
        ((QRELS, [STEADY, STEADY], WORSE), "baseline must be one file, frame or dictionary, not several"),
        ((QRELS, STEADY), "gate needs candidate; call it as gate(qrels, baseline, candidate, measures)"),
        ((3, STEADY, WORSE), "qrels must be a path"),
        ((QRELS, 3, WORSE), "is nothing that a run can be read from"),
    ],
)
def test_arguments_in_the_wrong_place_are_refused_with_an_example(arguments, complaint):
    with pytest.raises(CallError) as error:
        md.gate(*arguments)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


def test_a_failed_assertion_shows_why():
    with pytest.raises(AssertionError) as error:
        assert md.gate(MANY, OLD, DOWN, "P@10")
    assert "FAIL: P@10 -0.1800 [-0.2316, -0.1077], max drop 0.01" in str(error.value)


def test_names_that_are_alike_are_told_apart_by_files_or_left_out(tmp_path):
    for folder in ("main", "branch"):
        (tmp_path / folder).mkdir()
        md.read_run(STEADY, name="engine").to_trec(tmp_path / folder / "today.run")
    files = [tmp_path / folder / "today.run" for folder in ("main", "branch")]
    result = md.gate(QRELS, *files, "P@10")
    assert (result.baseline, result.candidate) == ("main/today", "branch/today")
    assert "Baseline: main/today\nCandidate: branch/today\n" in str(result)
    same = md.gate(QRELS, files[0], files[0], "P@10")
    assert (same.baseline, same.candidate, same.passed) == ("engine", "engine", True)
    assert "Baseline:" not in str(same)
    assert md.gate(QRELS, *files, "P@10", names="tag").baseline == "engine"
    assert md.gate(QRELS, *files, "P@10", names="file").baseline == "today"


HOSTILE = [
    "a|b",
    "two\nlines",
    "<script>alert(1)</script>",
    "]]>",
    "\x1b[31mred\x00",
    "::error::x",
    "##[error]y",
    "`*_",
]


def test_hostile_topics_texts_and_names_stay_on_their_line():
    qrels = {topic: {"d": 1} for topic in HOSTILE}
    old = md.read_run({topic: {"d": 1.0} for topic in HOSTILE}, name="a\nb<script>|\x1b")
    new = md.read_run({topic: {"e": 1.0} for topic in HOSTILE}, name="::error::c")
    result = md.gate(qrels, old, new, "RR", queries={topic: f"{topic} {topic}" for topic in HOSTILE})
    assert result.failed
    text = str(result)
    assert not any(letter in text for letter in "\x1b\x00")
    rows = [line for line in text.splitlines() if line.startswith("1.0000")]
    assert len(rows) == len(HOSTILE)
    assert not any(line.lstrip().startswith(("::", "##[")) for line in text.splitlines())
    assert "<script>" not in result._repr_html_()
    assert {each["topic"] for each in result.to_dict()["measures"][0]["broken"]} == set(HOSTILE)


def test_texts_of_topics_stand_beside_those_that_broke():
    result = md.gate(QRELS, STEADY, run(0, 6, 7, 8, 5, 6, 7, 8, 5, 6), "P@10", queries={"1": "blue whales", "x": "no"})
    assert any("texts of 9 of 10 topics" in str(each) for each in result.caveats)
    assert "blue whales" in str(result)
    assert result.to_dict()["measures"][0]["broken"][0]["text"] == "blue whales"
    assert "text" not in str(md.gate(QRELS, STEADY, WORSE, "P@10"))


def test_frames_have_a_row_for_every_topic_the_worst_first():
    frame = md.gate(QRELS, STEADY, run(0, 6, 7, 8, 5, 6, 7, 8, 5, 7), "P@10").to_pandas()
    assert frame.topic.tolist()[0] == "1"
    assert frame.topic.tolist()[-1] == "10"
    assert frame.broken.tolist() == [True] + [False] * 9
    assert np.allclose(frame.candidate - frame.baseline, frame.change)


def test_many_broken_topics_are_cut_for_people_and_whole_for_programs():
    topics = [str(t) for t in range(30)]
    qrels = {topic: {"d": 1} for topic in topics}
    result = md.gate(qrels, {t: {"d": 1.0} for t in topics}, {t: {"e": 1.0} for t in topics}, "RR")
    assert "… and 10 more; -f json has them all." in str(result)
    assert len(result.to_dict()["measures"][0]["broken"]) == 30


def test_the_largest_drops_are_listed_where_none_broke_and_it_does_not_pass():
    assert "Largest drops" in str(md.gate(QRELS, STEADY, WORSE, "P@10"))
    assert "Largest drops" not in str(md.gate(QRELS, STEADY, BETTER, "P@10"))


def test_measures_are_found_by_any_of_their_spellings():
    result = md.gate(QRELS, STEADY, WORSE, ["map", "P_10"])
    assert result.of("AP") is result.of("map") is result.of(md.AP)
    with pytest.raises(ParameterError, match="did not look at RR; it looked at AP, P@10"):
        result.of("RR")


@pytest.mark.parametrize("ending", [".parquet", ".json", ".csv"])
def test_a_stored_baseline_gives_what_the_run_gives(tmp_path, ending):
    path = tmp_path / f"main{ending}"
    measures = ["P@10", "AP", "nDCG@10"]
    md.gate(QRELS, WORSE, STEADY, measures).save_baseline(path)
    for candidate in (STEADY, WORSE, MIXED):
        kept, plain = md.gate(QRELS, path, candidate, measures), md.gate(QRELS, STEADY, candidate, measures)
        assert kept.reason == plain.reason
        assert kept.to_dict()["measures"] == plain.to_dict()["measures"]


def test_a_stored_baseline_of_other_conditions_is_refused():
    stored, _ = score_baseline(QRELS, STEADY, ["P@10", "AP"])
    with pytest.raises(InputError, match="the stored baseline has no scores under RR, only under P@10 and AP; store"):
        md.gate(QRELS, stored, WORSE, "RR")
    with pytest.raises(InputError, match=r"was scored with other judgments \(digest \w{8} there, \w{8} here\); store"):
        md.gate({**QRELS, "11": {"d": 1}}, stored, WORSE, "AP")
    with pytest.raises(
        InputError, match=r"was judged otherwise \(as usual; now depth=5\); store it anew, or judge alike"
    ):
        md.gate(QRELS, stored, WORSE, "AP", depth=5)
    # what a system is called does not matter
    assert isinstance(md.gate(QRELS, stored, WORSE, "AP", names="file"), GateResult)


def test_a_stored_baseline_says_when_it_was_stored_and_by_which_other_version():
    stored = StoredScores(
        system="engine",
        scores={"P@10": dict.fromkeys(QRELS, 0.5)},
        qrels=qrels_digest(md.read_qrels(QRELS)),
        version="0.0.1",
        date="2001-02-03 04:05:06",
    )
    result = md.gate(QRELS, stored, STEADY, "P@10")
    assert "Baseline: engine, stored 2001-02-03 04:05:06 UTC\n" in str(result)
    assert result.to_dict()["baseline_stored"] == "2001-02-03 04:05:06"
    assert f"measurand 0.0.1 scored the stored baseline; this is {md.__version__}" in map(str, result.caveats)
    assert md.gate(QRELS, md.gate(QRELS, STEADY, STEADY).store(), STEADY).caveats == ()


def test_stored_scores_that_differ_by_rounding_alone_are_the_same():
    stored = md.gate(QRELS, STEADY, STEADY, "AP").store()
    apart = {"AP": {topic: float(np.nextafter(score, 2)) for topic, score in stored.scores["AP"].items()}}
    result = md.gate(QRELS, evolve(stored, scores=apart), STEADY, "AP", max_drop=0)
    assert (result.passed, result.of("AP").won_tied_lost) == (True, (0, 10, 0))


def test_a_candidate_must_be_a_run(tmp_path):
    md.gate(QRELS, STEADY, STEADY, "P@10").save_baseline(tmp_path / "a.json")
    with pytest.raises(InputError, match="holds stored scores, not a run; the baseline alone may be stored"):
        md.gate(QRELS, STEADY, tmp_path / "a.json", "P@10")


def test_a_stored_baseline_can_be_named(tmp_path):
    md.gate(QRELS, STEADY, STEADY, "P@10").save_baseline(tmp_path / "a.json")
    assert md.gate(QRELS, NamedFile("release 3", str(tmp_path / "a.json")), STEADY, "P@10").baseline == "release 3"


def test_alpha_moves_both_ends():
    narrow, wide = (md.gate(MANY, OLD, BOTH_WAYS, "P@10", alpha=alpha).of("P@10").interval for alpha in (0.2, 0.01))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]
    assert "(98 % interval, paired t)" in md.gate(MANY, OLD, BOTH_WAYS, "P@10", alpha=0.01).reason
