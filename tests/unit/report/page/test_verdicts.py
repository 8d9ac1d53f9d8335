"""The verdict says what the comparisons below say, in plain sentences, and never more."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

import measurand as md
from measurand.report.page import in_short
from measurand.report.page.summing_up import sentences
from measurand.report.page.verdicts import section
from measurand.study.dominance import COUNTS_ALONE


@pytest.fixture(scope="module")
def study():
    return md.Study.from_files(md.sample.qrels(), md.sample.runs(), ["P@10", "RR@10", "AP@30"], fuse=False)


LEFT_OUT = "are left out of averages, which then are over different topics"


def campaign(*values, names=None):
    """Return a study of systems whose runs on each topic are given as grades."""
    names = names or [f"s{number}" for number in range(len(values))]
    qrels = {
        str(t): {f"d{s}-{r}": g for s, runs in enumerate(values) for r, g in enumerate(runs[t])}
        for t in range(len(values[0]))
    }
    runs = [
        md.read_run({str(t): {f"d{s}-{r}": -float(r) for r in range(len(run))} for t, run in enumerate(one)}, name=name)
        for s, (name, one) in enumerate(zip(names, values, strict=True))
    ]
    return qrels, runs


def sentence(study, opening):
    [found] = [each.text for each in sentences(study) if re.search(opening, each.text)]
    return found


def test_every_measure_is_led_by_the_one_that_the_sentence_names_and_by_nobody_where_systems_tie(study):
    said = sentence(study, "^Who comes first")
    for name in study.measures:
        summary = study.result(name).summary
        leaders = [system for system in study.systems if summary[system] == max(summary.values, key=_sign(summary))]
        named = leaders[0] if len(leaders) == 1 else f"{len(leaders)} of 12 systems alike"
        [part] = [part for part in said.partition(": ")[2].split("; ") if part.startswith(f"{named} under")]
        assert name in part
    assert "11 of 12 systems alike under RR@10" in said


def _sign(summary):
    return lambda value: -value if summary.lower_is_better else value


def test_systems_that_tie_share_the_first_place_in_words_and_cards():
    qrels, runs = campaign([(1, 0)] * 3, [(1, 0)] * 3, [(0, 0)] * 3, names="abc")
    study = md.Study.from_files(qrels, runs, "P@2", fuse=False)
    assert sentence(study, "first place").startswith("a and b alike share the first place under P@2")
    [card] = section(study).content["measures"]
    assert (card["first"], card["several"], card["interval"]["same"]) == ("a and b", True, True)


def test_a_lead_that_the_test_turns_round_is_not_called_significant():
    # a has the better median, but loses ten topics to b and wins one
    a = [(1, 0, 0)] * 11 + [(0, 0, 0)] * 10
    b = [(1, 0, 0)] * 10 + [(0, 1, 0)] * 11
    qrels, runs = campaign(a, b, [(0, 0, 0)] * 21, names="abc")
    study = md.Study.from_files(qrels, runs, "RR@3", fuse=False)
    assert study.result("RR@3").systems == ("a", "b", "c")
    said = sentence(study, "^The lead")
    assert "significant under no measure (under RR@3 the test puts the second ahead of the first)" in said
    assert "of all 3 comparisons of two systems under one measure 3 are" in said


def test_what_is_significant_of_the_lead_does_not_hang_on_how_many_claims_are_told():
    qrels, runs = campaign([(1, 1)] * 9, [(1, 0)] * 9, [(0, 0)] * 9)
    studies = [md.Study.from_files(qrels, runs, "P@2", fuse=False, top=top) for top in (0, 3)]
    assert sentence(studies[0], "^The lead") == sentence(studies[1], "^The lead")
    assert "is significant under P@2" in sentence(studies[0], "^The lead")


def test_the_number_of_robust_comparisons_is_counted_pair_by_pair(study):
    robust = significant = both = 0
    for name in study.measures:
        standing = study.result(name)
        for a, b in combinations(study.systems, 2):
            sure = not standing.robustness.fragile[standing.pairs.place(a), standing.pairs.place(b)]
            differ = standing.pairs.of(a, b) <= 0.05
            robust, significant, both = robust + sure, significant + differ, both + (sure and differ)
    said = sentence(study, "survive every rescaling")
    assert said.startswith(f"{robust} of 198 comparisons of means")
    assert f"{both} of the {significant} significant ones" in said


def test_the_sentence_on_every_measure_counts_topics_and_claims_no_difference(study):
    matrix = study.raw.dominance
    undecided = int(matrix.incomparable[np.triu_indices(12, 1)].sum())
    said = sentence(study, "^Of measures")
    assert f"and some do in {undecided:,};" in said
    assert COUNTS_ALONE in said
    assert "significant" not in said


def test_the_sentence_on_two_systems_gives_the_counts_and_what_they_do_not_mean():
    qrels, runs = campaign([(1, 0, 0)] * 7, [(0, 1, 0)] * 6 + [(0, 1, 1)])
    study = md.Study.from_files(qrels, runs, ["P@3", "RR@3"], fuse=False)
    said = sentence(study, "^Of measures")
    assert "s0 against s1 has 6 topics won, 0 topics tied, 0 topics lost and 1 topic undecided." in said
    assert COUNTS_ALONE in said
    assert study.result("P@3").means["s0"] < study.result("P@3").means["s1"]


def test_every_claim_carries_its_certificate(study):
    for measure in section(study).content["measures"]:
        assert len(measure["claims"]) == 3
        for claim in measure["claims"]:
            headings = [heading for heading, _ in claim["certificate"]]
            assert headings[0] == "Statement"
            assert {"How that is known", "Test", "What the test says", "Effect", "Every measure"} <= set(headings)


def test_a_fragile_claim_shows_the_rescaling_that_turns_it_round(study):
    fragile = [
        dict(claim["certificate"])
        for measure in section(study).content["measures"]
        for claim in measure["claims"]
        if claim["answer"] == "fragile"
    ]
    assert fragile
    assert all(any("What flips it" in words for words in certificate.values()) for certificate in fragile)


def test_a_test_that_the_scale_does_not_admit_is_not_called_fitting():
    study = md.Study.from_files(md.sample.qrels(), md.sample.runs(), "RR@10", test="t", fuse=False)
    assert not any(claim["fits"] for claim in section(study).content["measures"][0]["claims"])
    assert "asks more than the scale of RR@10 gives" in sentence(study, "survive every rescaling")
    assert sentence(study, "^RR@10|comes first under RR@10").endswith("by the mean.")


def test_a_claim_whose_test_was_not_looked_into_is_not_called_fitting():
    study = md.Study.from_files(
        md.sample.qrels(), md.sample.runs()[:5], "RR@10", test="t", baseline="dense-1", top=1, fuse=False
    )
    content = section(study).content
    claims = content["measures"][0]["claims"]
    assert [claim["fits"] for claim in claims] == [False] * 4
    assert [claim["tested"] is None for claim in claims] == [False, True, True, True]
    said = [dict(claim["certificate"])["What the test says"] for claim in claims]
    assert said[0].startswith("Before correction, what the paired t test says")
    assert "does not admit this test, and nobody looked" in said[1]
    assert content["unlooked"]


def test_with_a_baseline_better_and_worse_are_counted_against_it():
    good, bad = [(1, 1)] * 12, [(0, 0)] * 12
    qrels, runs = campaign(good, [(1, 0)] * 12, bad, names=["good", "base", "bad"])
    study = md.Study.from_files(qrels, runs, "P@2", baseline="base", fuse=False)
    assert sentence(study, "different from base").endswith(": 1 better and 1 worse under P@2.")
    more = [*runs[:2], md.read_run({t: {"d1-0": 1.0} for t in qrels}, name="alike")]
    study = md.Study.from_files(qrels, more, ["P@2", "RR@2"], baseline="base", fuse=False)
    assert sentence(study, "different from base").endswith(": 1 better and 0 worse under P@2; none under RR@2.")


def test_lower_is_better_where_it_is():
    qrels, runs = campaign([(1, 1)] * 8, [(0, 1)] * 8, names=["quick", "slow"])
    study = md.Study.from_files(qrels, runs, "ESL(i=1)", fuse=False, top=0)
    assert study.result("ESL(i=1)").systems[0] == "quick"
    said = sentence(study, "^Of measures")
    assert "quick against slow has 8 topics won" in said
    # on every topic one is at least as good, so that the counts do say who is ahead
    assert COUNTS_ALONE not in said
    assert sentence(study, "significantly better") == "quick is significantly better than slow under ESL(i=1)."


def test_one_system_has_nothing_to_be_compared_with():
    qrels, runs = campaign([(1, 0), (0, 1)])
    study = md.Study.from_files(qrels, runs, "P@2")
    assert in_short(study)[0] == "One system: There is one system, and nothing to compare it with."


def test_systems_that_are_all_alike_differ_nowhere():
    qrels, runs = campaign([(1, 0)] * 5, [(1, 0)] * 5)
    study = md.Study.from_files(qrels, runs, ["P@2", "RR@2"], fuse=False)
    assert sentence(study, "^No difference") == "No difference between s0 and s1 is significant under P@2 and RR@2."
    said = sentence(study, "^Of measures")
    assert "5 topics tied" in said
    assert COUNTS_ALONE not in said
    # each is at least as good as the other everywhere, but neither is better on some topic
    assert "For no system is there another that is at least as good on every single topic and better on some" in said


def test_topics_left_out_of_averages_are_told():
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    runs = [md.read_run({"1": {"a": 1.0}}, name="one"), md.read_run({"1": {"a": 1.0}, "2": {"a": 1.0}}, name="two")]
    for rule, said in (("zero", "count as empty results"), ("skip", LEFT_OUT)):
        study = md.Study.from_files(qrels, runs, "P@1", missing_topics=rule, fuse=False)
        assert sentence(study, "^Topics are missing") == f"Topics are missing from one; they {said}."
