"""The section on comparisons: what is packed decides as the tests did, and tables count what they say."""

from __future__ import annotations

import json
import re
from importlib import import_module
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import f, ncf

import measurand as md
from measurand.report.page import comparisons
from measurand.report.page.level_graph import level_graph
from measurand.report.page.packed_numbers import decoded, pair_arrays
from measurand.statistics import CORRECTIONS, find_test, need_of
from measurand.study.both_scales import RAW, TESTS
from measurand.study.level_classes import LEVELS, Level
from measurand.study.levels_view import IN_SHORT, SIGNIFICANT
from measurand.study.margins import written_margin

HOSTILE = "</script><script>alert(1)</script>"

WASTE = md.define(
    lambda run: sum(rank for rank, grade in enumerate(run[:5]) if not grade), name="waste", lower_is_better=True
)
"""Lower is better, and the runs are too long for its interval scale."""


def campaign(systems: tuple[str, ...], topics: int = 14, seed: int = 0):
    rng = np.random.default_rng(seed)
    documents = [f"d{place}" for place in range(40)]
    qrels = {str(topic): {d: int(rng.integers(0, 2)) for d in documents} for topic in range(topics)}
    runs = [
        md.read_run({t: {d: q * g + rng.normal() for d, g in judged.items()} for t, judged in qrels.items()}, name=name)
        for name, q in zip(systems, np.linspace(5, 0, len(systems)), strict=True)
    ]
    return qrels, runs


def made(systems=("a", "b", HOSTILE, "d", "e", "f"), topics=14, measures=("AP@5", "RR@5", WASTE), **plan):
    return md.Study.from_files(*campaign(systems, topics), measures, **{"fuse": False, "interval": True, **plan})


@pytest.fixture(scope="module")
def study() -> md.Study:
    return made()


def rendered(study: md.Study) -> str:
    module = import_module("measurand.report.page.document")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SECTIONS", (comparisons,))
        return module.document(study)


@pytest.mark.parametrize("plan", [{}, {"baseline": "d", "alpha": 0.1, "adjust": "bh"}])
def test_what_is_packed_decides_as_every_test_and_correction_does(plan, study):
    study = made(**plan) if plan else study
    found = comparisons.section(study)
    upper = np.triu_indices(len(study.systems), 1)
    checked = 0
    for place, kind in enumerate(found.data["kinds"]):
        for row, test in enumerate(found.data["names"]):
            codes = found.arrays["pvalues"][row, place].astype(int)
            pairs = study.tests.of(kind["measure"], kind["scale"], test)
            for name in CORRECTIONS:
                decided = pairs.adjust(name, baseline=study.plan.baseline).significant(study.plan.alpha)[upper]
                assert (codes <= kind["cutoffs"][test][name]).tolist() == decided.tolist()
                checked += int(decided.sum())
    assert checked > 0


def test_which_tests_a_scale_admits_is_said(study):
    for kind in comparisons.section(study).data["kinds"]:
        measure = kind["measure"]
        standing = study.result(measure) if kind["scale"] == RAW else study.result_on_interval(measure)
        assert kind["fits"] == [test for test in TESTS if need_of(find_test(test)).met_by(standing.scores)]


def test_margins_of_scale_and_dominance_are_packed_pair_by_pair(study):
    found = comparisons.section(study)
    upper = np.triu_indices(len(study.systems), 1)
    matrix = study.raw.dominance
    first = next(iter(study.measures))
    shown = [written_margin(kappa) for kappa in study.result(first).scale.kappa[upper].tolist()]
    assert [written_margin(kappa) for kappa in found.arrays["kappa"][0].tolist()] == shown
    counts = [each[upper].tolist() for each in (matrix.wins, matrix.ties, matrix.losses, matrix.incomparable)]
    assert found.arrays["dominance"].tolist() == counts


def test_the_tables_count_significant_pairs_and_flips(study):
    found = comparisons.section(study)
    for row in found.content["counts"]:
        scale = next(key for key, words in comparisons.SCALES.items() if words == row["scale"])
        pairs = [study.tests.of(row["measure"], scale, test).adjust("holm") for test in TESTS]
        assert row["cells"] == [int(each.significant().sum()) // 2 for each in pairs]
    for row in found.content["flips"]:
        flips = study.tests.flips(row["measure"], row["test"], adjust="holm", alpha=0.05)
        assert row["cells"][:4] == [flips.sig, flips.s2ns, flips.ns2s, flips.ranked]
    assert {row["measure"] for row in found.content["flips"]} == set(study.scaled)


def test_names_from_files_are_text(study):
    html = rendered(study)
    assert HOSTILE not in html
    assert "&lt;/script&gt;" in html


def levelled() -> md.Study:
    """Return a study in which some are ahead on every topic, and two have the same runs."""
    qrels, runs = campaign(("a", "b"))
    perfect = {topic: {d: float(grade) for d, grade in judged.items()} for topic, judged in qrels.items()}
    best = [md.read_run(perfect, name=name) for name in ("best", "twin")]
    return md.Study.from_files(qrels, [*runs, *best], ["P@5", "RR@5"], fuse=False)


def test_every_level_counts_and_draws_the_pairs_in_which_one_is_ahead():
    study = levelled()
    found, matrix = comparisons.section(study), study.raw.levels
    rows = {row["name"]: row for row in found.content["levels"]}
    ahead = {level.class_name: matrix.ahead(level) for level in LEVELS}
    ahead["every additive measure, significantly"] = matrix.significant
    assert list(rows) == list(ahead)
    for name, pairs in ahead.items():
        assert rows[name]["pairs"] == pairs.sum()
        assert (rows[name]["key"] in found.charts) is bool(pairs.any())
    assert found.charts[comparisons.CHOSEN]["description"].startswith("Who is ahead under every additive measure: 4")


def test_a_level_without_a_pair_is_offered_but_cannot_be_chosen(study):
    html, found = rendered(study), comparisons.section(study)
    for row in found.content["levels"]:
        option = re.search(rf'<option value="{row["key"]}"( selected)?( disabled)?>', html)
        assert bool(option[2]) is (row["pairs"] == 0)
        assert bool(option[1]) is (row["key"] == comparisons.CHOSEN)
    assert any(row["pairs"] == 0 for row in found.content["levels"])


def test_the_measures_of_a_level_are_named_and_those_of_no_level_too():
    html = rendered(levelled())
    assert (
        "P, RBP, DCG, DiscountCurve, gP, gRBP, INSQ, LatticeRank, NumRelRet, RBTO, SBTO, SDCG (cut at 40 or less)"
        in html
    )
    assert "nDCG, AP and R differ from topic to topic" in html


def test_levels_are_packed_pair_by_pair():
    study = levelled()
    matrix, found = study.raw.levels, comparisons.section(study)
    words = [found.data["levels"][code] for code in found.arrays["levels"].tolist()]
    assert found.arrays["levels"].dtype == np.uint8
    for (i, j), word in zip(combinations(range(4), 2), words, strict=True):
        pair = matrix.pair_at(i, j)
        who = {matrix.systems[i]: "first: ", matrix.systems[j]: "second: ", None: ""}[pair.ahead]
        kind = "level: " if pair.tied else who
        assert word.startswith(f"{kind}{IN_SHORT[pair.level]}" if kind else "depends")
        assert (SIGNIFICANT in word) is pair.significant
    assert words[-1] == "level: every topic"


def test_two_systems_without_a_common_topic_are_at_no_level():
    qrels, kept = {topic: {"x": 1} for topic in "123"}, {"a": "12", "b": "3", "c": "123"}
    runs = [md.read_run({topic: {"x": 1.0} for topic in topics}, name=name) for name, topics in kept.items()]
    study = md.Study.from_files(qrels, runs, "P@1", missing_topics="skip", fuse=False)
    found = comparisons.section(study)
    words = [found.data["levels"][code] for code in found.arrays["levels"].tolist()]
    assert words == ["–", "level: every topic", "level: every topic"]


def test_significance_that_does_not_carry_over_is_told_pair_by_pair():
    ahead = np.zeros((3, 3), dtype=bool)
    ahead[[0, 1], [1, 2]] = True
    study = made(("a", "b", "c"), 5, ("P@5",))
    view = comparisons.LevelView("level-0", Level.ADDITIVE, True, ahead, level_graph(ahead, range(3)))
    told = " ".join(comparisons._graph_words(study, view))
    assert "it is ahead of that one too, significantly, but for 1 pair: a and c. In these" in told


@pytest.mark.parametrize("topics", [1, 5])
def test_one_system_has_nothing_to_be_compared_with(topics):
    html = rendered(made(("a",), topics, ("P@5",)))
    assert "nothing to compare it with" in html


@pytest.mark.parametrize(("systems", "topics", "measures"), [(("a", "b"), 1, ("P@5",)), (("a", "b", "c"), 3, (WASTE,))])
def test_small_campaigns_make_a_page(systems, topics, measures):
    html = rendered(made(systems, topics, measures))
    json.loads(re.search(r'id="numbers">(.*?)</script>', html, re.S)[1], parse_constant=pytest.fail)
    assert ("No measure here has an interval scale" in html) is ("P@5" not in measures)


def test_interval_scales_that_nobody_asked_for_are_left_out():
    html = rendered(made(("a", "b", "c"), 5, ("P@5",), interval=False))
    assert "What the scale changes" not in html
    assert "<label hidden>Scale" in html


def test_with_a_baseline_only_its_pairs_are_spoken_of():
    study = made(("a", "b", "c", "d"), 6, ("P@5",), baseline="c")
    html = rendered(study)
    assert "All systems are compared with the baseline c: 3 pairs" in html
    assert max(count for row in comparisons.section(study).content["counts"] for count in row["cells"]) <= 3


@pytest.mark.parametrize("rule", ["zero", "skip"])
def test_levels_on_shared_topics_alone_say_so(rule):
    topics = {"1": {"a": 1.0}, "2": {"b": 1.0}}
    runs = [md.read_run(topics, name=name) for name in ("one", "three")]
    runs.append(md.read_run({"1": {"b": 1.0}}, name="two"))
    study = md.Study.from_files({"1": {"a": 1}, "2": {"a": 1}}, runs, "P@1", missing_topics=rule, fuse=False)
    assert study.raw.levels.pair("one", "two").ahead == "one"
    assert ("down to rank 1, on the topics that both have, under all measures" in rendered(study)) is (rule == "skip")


@pytest.mark.parametrize("alpha", [0.05, 0.005])
def test_power_is_reckoned_between_numbers_of_topics_whose_power_is_known(alpha):
    grid = comparisons.power_grid(43, alpha, 66)
    assert grid["alphas"][0] == alpha
    assert grid["alphas"][-1] == pytest.approx(alpha / 66)
    for level, smallest in zip(grid["alphas"], grid["d"], strict=True):
        for topics, least in zip(grid["topics"], smallest, strict=True):
            # the square of t is F with one degree of freedom
            critical = f.isf(level, 1, topics - 1)
            assert ncf.sf(critical, 1, topics - 1, topics * least**2) == pytest.approx(0.8, abs=1e-5)
    assert 43 in grid["topics"]
    assert comparisons.power_grid(43, 0.9) == {"topics": [], "alphas": [], "d": []}


@pytest.mark.parametrize("runs", [2, 3])
def test_a_test_that_was_asked_for_is_offered_and_chosen_with_its_own_pvalues(runs):
    study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:runs], "P@10", test="bootstrap", fuse=False)
    assert comparisons.choices(study)["chosen"]["test"] == "bootstrap"
    assert "bootstrap" in comparisons.choices(study)["tests"]
    arrays, told = pair_arrays(study)
    place = comparisons.section(study).data["names"].index("bootstrap")
    own = study.result("P@10").uncorrected
    upper = np.triu_indices(runs, 1)
    assert decoded(arrays["pvalues"][place, 0]) == pytest.approx(own.pvalues[upper], rel=1e-3)
    assert arrays["ahead"][0].tolist() == np.sign(own.statistic[upper]).tolist()
    if runs == 2:
        assert told["kinds"][0]["exact"]["bootstrap"] == own.pvalues[0, 1]
