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
from measurand.study.levels_view import findings, measures_apart, pair_findings
from measurand.study.reversing import reversing_measures


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


def test_every_measure_is_led_by_the_systems_with_the_best_mean(study):
    said = sentence(study, " leads? on P@10")
    for name in study.measures:
        means = study.scores(name).values.mean(axis=1)
        leaders = [system for system, mean in zip(study.systems, means, strict=True) if mean > max(means) - 1e-12]
        assert any(name in part and (leaders[0] in part or "it leads" in part) for part in re.split("; |Other", said))
    assert said.startswith(f"{study.result('P@10').systems[0]} leads on P@10. {study.result('P@10').claims[0]}")


def test_systems_that_tie_share_the_first_place_in_words_and_cards():
    qrels, runs = campaign([(1, 0)] * 3, [(1, 0)] * 3, [(0, 0)] * 3, names="abc")
    study = md.Study.from_files(qrels, runs, ["P@2", "RR@2"], fuse=False, interval=True)
    said = sentence(study, "^a and b alike lead on P@2")
    assert said.endswith("Other measures: they lead on RR@2 too.")
    card = section(study).content["measures"][0]
    assert (card["first"], card["several"], card["interval"]["same"]) == ("a and b", True, True)


def test_a_lead_that_the_test_turns_round_is_not_called_a_win():
    # a has the better mean by two topics, b wins twelve
    a = [(1, 0, 0, 0)] * 2 + [(0, 0, 0, 1)] * 12
    b = [(0, 0, 0, 0)] * 2 + [(0, 0, 1, 0)] * 12
    qrels, runs = campaign(a, b, [(0, 0, 0, 0)] * 14, names="abc")
    study = md.Study.from_files(qrels, runs, "RR@4", test="sign", adjust="none", fuse=False)
    assert study.result("RR@4").systems == ("a", "b", "c")
    assert "a scores higher than b, but the sign test favours b" in sentence(study, "^a leads on RR@4")
    assert "a beats 1 of the other 2 (sign test)" in sentence(study, "^On RR@4")


def test_what_is_significant_does_not_hang_on_how_many_claims_are_told():
    qrels, runs = campaign([(1, 1)] * 9, [(1, 0)] * 9, [(0, 0)] * 9)
    studies = [md.Study.from_files(qrels, runs, "P@2", fuse=False, top=top) for top in (0, 3)]
    assert sentence(studies[0], "^On P@2") == sentence(studies[1], "^On P@2")
    assert sentence(studies[0], "^On P@2").startswith(
        "On P@2, s0 beats 2 of the other 2 (paired t test). 3 of all 3 pairs"
    )


def test_significant_pairs_and_scale_proof_orders_are_counted_pair_by_pair(study):
    for place, name in enumerate(study.measures):
        found = study.result(name)
        pairs = list(combinations(study.systems, 2))
        if place == 0:
            differ = sum(found.pairs.of(a, b) <= 0.05 for a, b in pairs)
            assert f"{differ} of all 66 pairs of systems differ significantly" in sentence(study, "^On P@10")
        else:
            proof = sum(np.isinf(found.scale.of(a, b)) for a, b in pairs)
            assert f"{proof} of 66 pairs under {name}" in sentence(study, "^P@10 is on an interval scale")


def words(parts) -> str:
    return " ".join(map(str, parts))


def test_of_levels_the_page_says_what_a_comparison_prints(study):
    said, measures = sentence(study, "^To rank 100: Every additive measure"), list(study.measures)
    assert words(findings(study.raw.levels, study.raw.results[0].systems[0])) in said
    assert said.endswith(words(measures_apart(study.raw.levels, measures)))
    assert "AP@30 does not treat topics alike" in said


def test_a_claim_tells_at_which_levels_it_holds_and_why_at_no_stronger_one(study):
    matrix = study.raw.levels
    for measure, result in zip(section(study).content["measures"], study.raw.results, strict=True):
        for shown, claim in zip(measure["claims"], result.claims, strict=True):
            ahead = claim.level.ahead or claim.ahead
            found = matrix.of(ahead, claim.against if ahead == claim.system else claim.system)
            assert dict(shown["certificate"])["For which measures"] == words(pair_findings(found, matrix))


def test_a_claim_that_every_measure_agrees_on_has_no_reversing_measure():
    qrels, runs = campaign([(1, 1)] * 9, [(1, 0)] * 9, names="ab")
    study = md.Study.from_files(qrels, runs, "P@2", fuse=False)
    assert section(study).content["measures"][0]["claims"][0]["reversing"] is None


def test_the_reversing_measure_of_a_pair_is_shown_once(study):
    seen = {}
    for measure, result in zip(section(study).content["measures"], study.raw.results, strict=True):
        for shown, claim in zip(measure["claims"], result.claims, strict=True):
            pair = frozenset((claim.system, claim.against)), shown["reversing"]["first"]
            if pair in seen:
                assert shown["reversing"]["shown"] == seen[pair]
            else:
                assert len(shown["reversing"]["runs"]) <= 4
                other = claim.system if shown["reversing"]["first"] == claim.against else claim.against
                strongest = reversing_measures(study.raw.levels.of(other, shown["reversing"]["first"]))[-1]
                assert shown["reversing"]["sentence"] == strongest.sentence
                seen[pair] = claim.measure
    assert len(seen) < 9


def test_a_measure_that_puts_the_other_system_first_is_told_of_what_each_measure_puts_first():
    # P@1 puts a first, P@3 b
    qrels, runs = campaign([(1, 0, 0)] * 7, [(0, 1, 0)] * 6 + [(0, 1, 1)], names="ab")
    study = md.Study.from_files(qrels, runs, ["P@1", "P@3"], fuse=False)
    claims = [measure["claims"][0] for measure in section(study).content["measures"]]
    assert [claim["reversing"]["first"] for claim in claims] == ["b", "a"]
    assert [claim["reversing"]["shown"] for claim in claims] == ["", ""]


def test_every_claim_carries_its_certificate(study):
    for measure in section(study).content["measures"]:
        assert len(measure["claims"]) == 3
        for claim in measure["claims"]:
            headings = [heading for heading, _ in claim["certificate"]]
            assert headings[:3] == ["Test", "Sign test", "Effect"]
            assert "Other spacings of the scale" in headings
            assert headings[-1] == "For which measures"


def test_a_scale_dependent_order_shows_the_rescaling_that_turns_it_round(study):
    dependent = 0
    for measure in section(study).content["measures"][1:]:
        for claim in measure["claims"]:
            certificate = dict(claim["certificate"])
            if "κ = ∞" not in certificate["Other spacings of the scale"]:
                assert any("What flips it" in words for words in certificate.values())
                dependent += 1
    assert dependent


@pytest.mark.parametrize(
    ("plan", "heads", "signed"),
    [
        ({}, ("p (t)", "p (t, Holm)"), True),
        ({"test": "wilcoxon", "adjust": "none"}, ("p (Wilcoxon)", ""), True),
        ({"test": "sign", "adjust": "bh"}, ("p (sign)", "p (sign, BH)"), False),
    ],
)
def test_the_test_and_the_correction_are_named_above_p_values_and_the_sign_test_stands_beside(plan, heads, signed):
    qrels, runs = campaign([(1, 1)] * 9, [(1, 0)] * 9, [(0, 0)] * 9)
    content = section(md.Study.from_files(qrels, runs, "P@2", fuse=False, **plan)).content
    assert (content["pvalues"], content["signed"]) == (heads, signed)


def test_claims_are_leader_minus_other_or_system_minus_baseline(study):
    for measure, result in zip(section(study).content["measures"], study.raw.results, strict=True):
        assert measure["how"].endswith("Differences: the leader minus the other.")
        assert all(claim.effect.mean_difference >= 0 for claim in result.claims)
    qrels, runs = campaign([(1, 0)] * 3, [(1, 1)] * 3, names=["base", "candidate"])
    against = md.Study.from_files(qrels, runs, "P@2", baseline="base", fuse=False)
    content = section(against).content
    assert content["measures"][0]["how"].endswith("Differences: system minus baseline.")
    assert [(row["system"], row["difference"]) for row in content["glance"]] == [("candidate", 0.5)]


def test_with_a_baseline_better_and_worse_are_counted_against_it():
    good, bad = [(1, 1)] * 12, [(0, 0)] * 12
    qrels, runs = campaign(good, [(1, 0)] * 12, bad, names=["good", "base", "bad"])
    study = md.Study.from_files(qrels, runs, "P@2", baseline="base", fuse=False)
    said = sentence(study, "different from base")
    assert said.endswith(", of 2 other systems (paired t test): 1 better and 1 worse under P@2.")
    more = [*runs[:2], md.read_run({t: {"d1-0": 1.0} for t in qrels}, name="alike")]
    study = md.Study.from_files(qrels, more, ["P@2", "RR@2"], baseline="base", fuse=False)
    assert sentence(study, "different from base").endswith(": 1 better and 0 worse under P@2; none under RR@2.")


def test_lower_is_better_where_it_is():
    qrels, runs = campaign([(1, 1)] * 8, [(0, 1)] * 8, names=["quick", "slow"])
    study = md.Study.from_files(qrels, runs, "ESL(i=1)", fuse=False, top=0)
    assert study.result("ESL(i=1)").systems[0] == "quick"
    assert "even one that differs by topic (nDCG, AP, P, …): quick is ahead." in sentence(study, "^To rank 2: ")
    assert sentence(study, "leads on") == "quick leads on ESL(i=1)."


def test_one_system_has_nothing_to_be_compared_with():
    qrels, runs = campaign([(1, 0), (0, 1)])
    study = md.Study.from_files(qrels, runs, "P@2")
    assert in_short(study)[0] == "One system: There is one system, and nothing to compare it with."


def test_systems_that_are_all_alike_differ_nowhere():
    qrels, runs = campaign([(1, 0)] * 5, [(1, 0)] * 5)
    study = md.Study.from_files(qrels, runs, ["P@2", "RR@2"], fuse=False)
    assert sentence(study, "^On P@2").startswith("On P@2, s0 and s1 have the same mean, 0.5000.")
    assert sentence(study, "^To rank 2: ").count("both are level") == 3


def test_topics_left_out_of_averages_are_told():
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    runs = [md.read_run({"1": {"a": 1.0}}, name="one"), md.read_run({"1": {"a": 1.0}, "2": {"a": 1.0}}, name="two")]
    for rule, said in (("zero", "count as empty results"), ("skip", LEFT_OUT)):
        study = md.Study.from_files(qrels, runs, "P@1", missing_topics=rule, fuse=False)
        assert sentence(study, "^Topics are missing") == f"Topics are missing from one; they {said}."


def test_measures_that_tie_all_systems_are_named_where_they_have_no_correlation_with_their_interval_scale():
    qrels, runs = campaign([(1, 1), (1, 0)], [(1, 1), (1, 0)], [(1, 0), (1, 0)])
    study = md.Study.from_files(qrels, runs, ["P@2", "RR@2"], interval=True, fuse=False)
    assert "Kendall's tau is 1.00, undefined under RR@2, where all systems tie." in sentence(
        study, "^On interval scales"
    )
