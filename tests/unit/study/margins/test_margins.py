"""The margins of a conclusion together: parts, card, line, claims of a comparison."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

import measurand as md
from measurand.study.margins.card import counted_margin, margins_table, tiles
from measurand.study.margins.margin import How, Margin
from measurand.study.margins.pair import compared_pair
from measurand.study.margins.topics import topics_margin

DATA = Path(__file__).parents[5] / "shared" / "data" / "trec-dl-passage-fusion"

QRELS = {str(topic): {f"d{n}": int(n % 3 == topic % 3) + int(n == topic) for n in range(8)} for topic in range(6)}


@pytest.fixture(scope="module")
def judged():
    draw = np.random.default_rng(3)
    names = [f"d{n}" for n in range(10)]
    runs = {
        system: {topic: {name: float(draw.random() + lift * grades.get(name, 0)) for name in names[:9]}
                 for topic, grades in QRELS.items()}
        for system, lift in (("a", 0.9), ("b", 0.2), ("c", 0.0))
    }  # fmt: skip
    return md.judge(runs, QRELS)


@pytest.mark.parametrize("claim", ["order", "significant"])
@pytest.mark.parametrize("measure", ["nDCG@5", "AP", "P@3", "RR", "ESL", "OIE"])
def test_every_margin_has_a_number_a_label_and_a_sentence_and_survives_json(judged, measure, claim):
    found = md.margins(judged, measure, "b", "a", claim=claim, alpha=0.3)
    assert (found.ahead, found.behind, found.claim) == ("a", "b", claim)
    for part in found.parts.values():
        assert part.how in list(How)
        assert (part.value is None) == (part.how is How.NONE)
        assert part.sentence
        assert part.at_least is None or part.value is None or part.at_least <= part.value
    data = found.to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_a_conclusion_that_does_not_hold_has_nothing_to_overturn(judged):
    found = md.margins(judged, "P@3", "b", "c", claim="significant", alpha=1e-6)
    assert not found.holds
    assert found.question.startswith("It is not true that")
    assert [part.value for part in (found.topics, found.judgments, found.unjudged)] == [0, 0, 0]
    assert [tile.number for tile in tiles(found)[1:]] == ["–"] * 5


def test_the_card_has_six_tiles_and_scale_is_never_good_unless_chance_is(judged):
    tones = set()
    for measure in ("nDCG@5", "AP", "P@3", "RR"):
        for pair in (("a", "b"), ("a", "c"), ("b", "c")):
            found = md.margins(judged, measure, *pair)
            by_name = {tile.name: tile for tile in tiles(found)}
            assert list(by_name) == ["Chance", "Topics", "Judgments", "Unjudged", "Scale", "Ties"]
            assert by_name["Scale"].tone != "good" or by_name["Chance"].tone == "good"
            assert found._repr_html_().count("data-tone") == 6
            tones.add((by_name["Chance"].tone == "good", by_name["Scale"].tone))
    assert len(tones) > 2


def test_numbers_that_are_bounds_or_not_there_are_written_as_such():
    kinds = [(8, How.EXACT), (8, How.AT_MOST), (inf, How.EXACT), (inf, How.AT_MOST), (None, How.NONE)]
    several = [Margin(value=value, how=how, sentence="") for value, how in kinds]
    assert [counted_margin(margin, 1000) for margin in several] == [
        "8 of 1,000", "≤ 8 of 1,000", "none", "none found", "–",
    ]  # fmt: skip


def test_systems_whose_documents_were_not_kept_are_taken_to_have_none_in_common():
    judged = md.JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 2))
    [caveat] = md.margins(judged, "RR", "s0", "s1").caveats
    assert "taken for different ones" in caveat.text


def test_a_test_that_favours_the_other_system_does_not_say_so():
    # a wins one topic by far, b eight by little
    qrels = {str(topic): {"x": 1} for topic in range(9)}
    first = {"0": {"x": 9.0}} | {str(topic): dict.fromkeys("pqrstuvw", 2.0) | {"x": 1.0} for topic in range(1, 9)}
    second = {"0": dict.fromkeys("pqrstuvwy", 2.0) | {"x": 1.0}}
    second |= {str(topic): dict.fromkeys("pqrstuv", 2.0) | {"x": 1.0} for topic in range(1, 9)}
    judged = md.judge({"a": first, "b": second}, qrels)
    found = md.margins(judged, "RR", "a", "b", claim="significant", test="sign")
    assert found.ahead == "a"
    assert found.chance.p < 0.05
    assert not found.holds


def test_claims_have_margins_of_the_order_and_of_the_significance(judged):
    comparison = judged.compare("P@3", alpha=0.2)
    by_pair = {(claim.system, claim.against): claim for claim in comparison.primary.claims}
    beaten = by_pair["a", "c"]
    assert beaten.margins.claim == "order"
    assert (beaten.margins_of_significance is None) == (beaten.pvalue > 0.2)
    shown = comparison.margins()
    assert {each.claim for each in shown} == {"order", "significant"}
    assert comparison.to_dict()["margins"] == [each.to_dict() for each in shown]
    heads = margins_table(shown).headings
    assert list(heads) == ["what is said", "chance", "topics", "judgments", "unjudged", "scale", "ties"]
    assert margins_table(shown) is not None
    assert any("What would overturn it?" in str(view.title) for view in comparison.document().tables)


def test_level_means_and_tests_of_all_systems_have_no_margins_of_their_own(judged):
    level = md.judge({"a": {"1": {"x": 1.0}}, "b": {"1": {"x": 1.0}}}, {"1": {"x": 1}}).compare("RR")
    assert level.primary.claims[0].margins is None
    assert level.margins() == ()
    friedman = judged.compare("P@3", test="friedman", alpha=0.9).primary.claims[0]
    assert friedman.margins is not None
    assert friedman.margins_of_significance is None


def test_systems_without_a_common_topic_are_refused():
    runs = {"a": {"1": {"x": 1.0}}, "b": {"2": {"x": 1.0}}}
    judged = md.judge(runs, {"1": {"x": 1}, "2": {"x": 1}}, missing_topics="skip")
    with pytest.raises(md.ParameterError, match="no topic in common"):
        md.margins(judged, "nDCG@10", "a", "b")


def test_one_huge_difference_does_not_blur_the_topics_that_are_left():
    # found by somebody who tried all sets of topics
    values = dict(zip("123456789", [2, 6, 499999999, 0, 1, 2, -1, 4, 1], strict=True))
    runs = {name: {topic: {name: 1.0} for topic in values} for name in "ab"}
    judged = md.judge(runs, {topic: {"a": 1} for topic in values})
    pair = compared_pair(judged, "P@1", "a", "b", claim="significant", alpha=0.4)
    pair = evolve(pair, scores=pair.scores_of(np.array([list(values.values()), [0.0] * 9], dtype=float)))
    found = topics_margin(pair)
    assert (found.value, found.how) == (5, How.EXACT)


def test_forty_grades_are_not_too_many():
    draw = np.random.default_rng(1)
    names = [f"d{n}" for n in range(60)]
    qrels = {topic: {name: int(draw.integers(0, 41)) for name in names} for topic in "12"}
    runs = {s: {t: {n: float(draw.random() + lift * g) for n, g in qrels[t].items()} for t in "12"}
            for s, lift in (("a", 0.03), ("b", 0.0))}  # fmt: skip
    found = md.margins(md.judge(runs, qrels), "nDCG@10", "a", "b").judgments
    assert found.value >= found.at_least >= 1
    assert found.certificate.overturns()


def test_intervals_are_of_shares_and_the_same_for_the_same_seed(judged):
    found = md.margins(judged, "P@3", "a", "b")
    first, again = found.intervals(draws=200, rng=1), found.intervals(draws=200, rng=1)
    for name in ("scale", "topics"):
        assert 0 <= first[name].low <= first[name].high <= 1
        assert (first[name].low, first[name].high) == (again[name].low, again[name].high)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"a": "x", "b": "b"}, "x"),
        ({"a": "a", "b": "a"}, "itself"),
        ({"a": "a", "b": "b", "claim": "better"}, "claim"),
        ({"a": "a", "b": "b", "unjudged": "zero"}, "grown"),
        ({"a": "a", "b": "b", "alpha": 2}, "alpha"),
        ({"a": "a", "b": "b", "measure": "Judged@10"}, "judged"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(judged, wrong, said):
    with pytest.raises(md.ParameterError) as refused:
        md.margins(judged, **{"measure": "P@3", **wrong})
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_margins_of_two_rankers_of_a_real_campaign_are_those_of_other_implementations():
    if not DATA.exists():
        pytest.skip("the real data (shared/data) is not beside this checkout")
    judged = md.judge(
        [md.read_run(next(DATA.glob(f"2019/{name}*")), name=name) for name in ("splade", "colbert")],
        DATA / "2019.qrels.gz",
    )
    found = md.margins(judged, "nDCG@10", "splade", "colbert")
    assert found.line == "topics 4 of 43; judgments 8 of 513; unjudged 9 of 79; scale × 44; ties none"
    assert float(found.scale.own.value) == pytest.approx(2.0525, abs=1e-4)
    assert found.chance.p == pytest.approx(0.1528, abs=1e-4)
