"""The conclusion of a comparison says what its numbers say, computed here once more from the grades."""

from __future__ import annotations

import re

import numpy as np
import pytest
from attrs import evolve
from scipy import stats

import measurand as md
from measurand.study.lead import Outcome

ALPHA = 0.05
SYSTEMS = ("ant", "bee", "cat", "dog", "elk")


def drawn(seed, systems=5, topics=30, *, apart=0.12, depth=10, missing=0.0):
    """Return judged runs of systems of different quality, and their grades: systems × topics × ranks."""
    rng = np.random.default_rng(seed)
    hard = rng.uniform(0.1, 0.6, size=(1, topics, 1))
    skill = apart * rng.random((systems, 1, 1))
    cells = (rng.random((systems, topics, depth)) < hard + skill).astype(np.int8)
    lengths = np.full((systems, topics), depth)
    gone = rng.random((systems, topics)) < missing
    cells[gone], lengths[gone] = -2, 0
    return (
        md.JudgedRuns(
            systems=SYSTEMS[:systems],
            topics=tuple(str(300 + topic) for topic in range(topics)),
            cells=cells,
            lengths=lengths,
            grade_counts=np.tile([40, 30], (topics, 1)),
            skip_missing=bool(missing),
        ),
        np.where(gone[:, :, None], np.nan, cells.astype(float)),
    )


def precision(grades, cutoff):
    return grades[:, :, :cutoff].mean(axis=2)


def holm(pvalues):
    """Return p-values corrected by Holm's method, the slow way."""
    order = sorted(range(len(pvalues)), key=lambda place: pvalues[place])
    found, largest = [0.0] * len(pvalues), 0.0
    for step, place in enumerate(order):
        largest = max(largest, min(1.0, (len(pvalues) - step) * pvalues[place]))
        found[place] = largest
    return found


def t_test(first, second):
    both = ~np.isnan(first) & ~np.isnan(second)
    if not (first - second)[both].any():
        return 1.0
    return float(stats.ttest_rel(first[both], second[both]).pvalue)


def pairs_by_t(values):
    """Return the p-value of every two systems, corrected by Holm's method."""
    names = [(i, j) for i in range(len(values)) for j in range(i + 1, len(values))]
    found = holm([t_test(values[i], values[j]) for i, j in names])
    return {pair: p for (i, j), p in zip(names, found, strict=True) for pair in ((i, j), (j, i))}


def number(text):
    return float(text.replace("−", "-").replace("+", "").replace(",", ""))


def is_printed(text, value):
    """Return whether a number is printed right, to the decimals that it has."""
    places = len(text.partition(".")[2])
    return abs(number(text) - value) <= 0.5 * 10**-places + 1e-12


def is_p(text, value):
    if text.startswith("< "):
        return value < number(text[2:])
    return abs(number(text[2:]) - value) <= 0.005 or abs(number(text[2:]) / value - 1) <= 0.05


LEAD = re.compile(
    r"then (?P<other>\w+) (?P<second>[\d.]+): a lead of (?P<difference>[+−][\d.]+)(?P<shared> on the \d+ topics that"
    r" both have)? \(95 % interval of this pair alone (?P<low>[+−][\d.]+) to (?P<high>[+−][\d.]+);"
    r" p (?P<p>[<=] [\d.]+), t test\),"
    r" (?P<won>\d+) topics? won, (?P<tied>\d+) tied, (?P<lost>\d+) lost\."
)


def line(conclusion, about):
    found = [each for each in conclusion.lines if each.about == about]
    return found[0] if found else None


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("apart", [0.0, 0.12, 0.5])
def test_every_number_of_the_lead_is_the_one_that_numpy_and_scipy_compute(seed, apart):
    judged, grades = drawn(seed, apart=apart)
    values = precision(grades, 5)
    found = md.compare(judged, "P@5").conclusion
    means = values.mean(axis=1)
    order = np.argsort(-means.round(12), kind="stable")
    if means[order[0]] - means[order[1]] < 1e-9:
        assert "share the first place" in found.headline
        return
    said = line(found, "lead")
    name, printed = said.strong.rstrip(",").split()
    parts = LEAD.match(said.text)
    assert parts, said
    assert (name, parts["other"]) == (SYSTEMS[order[0]], SYSTEMS[order[1]])
    assert number(printed) > number(parts["second"])
    assert is_printed(printed, means[order[0]])
    assert is_printed(parts["second"], means[order[1]])
    apart = values[order[0]] - values[order[1]]
    low, high = stats.t.interval(0.95, len(apart) - 1, loc=apart.mean(), scale=stats.sem(apart))
    for text, value in (("difference", apart.mean()), ("low", low), ("high", high)):
        assert is_printed(parts[text], value)
    assert is_p(parts["p"], t_test(values[order[0]], values[order[1]]))
    assert [int(parts[way]) for way in ("won", "tied", "lost")] == [
        int((np.sign(apart.round(9)) == sign).sum()) for sign in (1, 0, -1)
    ]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("apart", [0.0, 0.12, 0.5])
def test_who_is_beaten_and_who_is_not_separated_follow_from_holms_correction(seed, apart):
    judged, grades = drawn(seed, apart=apart)
    values = precision(grades, 5)
    found = md.compare(judged, "P@5").conclusion
    corrected, leader = pairs_by_t(values), judged.systems.index(found.systems[0])
    worse = {SYSTEMS[other] for other in range(5) if other != leader and corrected[leader, other] <= ALPHA}
    assert set(found.worse) == worse
    assert set(found.unseparated) == set(SYSTEMS) - worse - {found.systems[0]}
    alone = [t_test(values[leader], values[SYSTEMS.index(each)]) for each in found.unseparated]
    assert found.close == tuple(each for each, p in zip(found.unseparated, alone, strict=True) if p > ALPHA)
    clear = line(found, "clear").text
    if len(worse) == 4:
        assert clear.startswith(f"{found.systems[0]} beats all 4 others (t test, Holm)")
        assert found.headline == f"{found.systems[0]} leads on P@5 and beats all 4 others."
    elif worse:
        assert clear.startswith(f"{found.systems[0]} beats {len(worse)} of the other 4 (t test, Holm)")
    else:
        differing = sum(p <= ALPHA for (i, j), p in corrected.items() if i < j)
        assert f"{differing or 'none'} " in clear
    if len(found.leaders) == 1 and len(worse) < 4:
        rest = 4 - len(worse)
        who = {1: f"{found.unseparated[0]} is not", 4: "none of the 4 others is"}.get(rest, f"{rest} others are not")
        close = f"after correction for 10 pairs ({len(found.close) or 'none'} without correction)"
        close = "with or without correction for 10 pairs" if len(found.close) == rest else close
        assert found.headline == f"{found.systems[0]} leads on P@5, but {who} separated from it {close}."


def counts_ahead(grades, first, second, depth):
    """Return whether one system has no fewer relevant documents than another down to any rank, and more once."""
    apart = [grades[first][:, :rank].sum() - grades[second][:, :rank].sum() for rank in range(1, depth + 1)]
    return min(apart) >= 0 < max(apart)


@pytest.mark.parametrize("seed", range(4))
def test_of_the_beaten_those_are_counted_that_are_behind_under_every_additive_measure(seed):
    judged, grades = drawn(seed, apart=0.4, topics=20)
    found = md.compare(judged, "P@5").conclusion
    place = judged.systems.index
    behind = {each for each in found.worse if counts_ahead(grades, place(found.systems[0]), place(each), judged.depth)}
    assert set(found.everywhere) == behind
    assert set(found.surely) <= behind
    said = str(line(found, "additive"))
    assert ("under every additive measure (P, RBP, DCG, …) to rank 10" in said) == bool(behind)


def t_power(difference, spread, topics, alpha=ALPHA):
    far, critical = difference / spread * topics**0.5, stats.t.ppf(1 - alpha / 2, topics - 1)
    return stats.nct.sf(critical, topics - 1, far) + stats.nct.cdf(-critical, topics - 1, far)


@pytest.mark.parametrize("seed", range(4))
def test_what_topics_can_reliably_show_is_shown_with_a_power_of_four_in_five(seed):
    judged, grades = drawn(seed, 2, apart=0.0)
    values = precision(grades, 5)
    found = md.compare(judged, "P@5").conclusion
    lead = found.lead
    if lead.outcome is not Outcome.UNSEPARATED or not lead.difference:
        assert "usually" not in str(found.lines[0])
        return
    spread = np.std(values[0] - values[1], ddof=1)
    assert t_power(lead.detectable, spread, 30) == pytest.approx(0.8, abs=1e-6)
    assert t_power(abs(lead.difference), spread, lead.topics_needed) >= 0.8 - 1e-9
    assert t_power(abs(lead.difference), spread, lead.topics_needed - 1) < 0.8
    said = re.search(
        r"with 30 topics one usually notices a true difference of ([\d.]+). If the true difference is what was seen,"
        r" ([\d.]+), plan about ([\d,]+) topics",
        str(found.lines[0]),
    )
    assert said, found.lines[0]
    assert float(said[1]) == pytest.approx(lead.detectable, rel=0.05)
    assert is_printed(said[2], abs(lead.difference))
    assert lead.topics_needed <= number(said[3]) <= 1.1 * lead.topics_needed + 1


TWO = re.compile(
    r"\((?:on the \d+ topics that both have; )?(?:95 % interval )?(?P<low>[+−][\d.]+) to (?P<high>[+−][\d.]+);"
    r" p (?P<p>[<=] [\d.]+), t test\): (?P<undecided>undecided, )?"
)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("baseline", [None, "ant", "bee"])
def test_of_two_systems_every_measure_has_its_difference_interval_and_p(seed, baseline):
    judged, grades = drawn(seed, 2, apart=0.3)
    cutoffs = (3, 5, 10)
    found = md.compare(judged, [f"P@{cutoff}" for cutoff in cutoffs], baseline=baseline).conclusion
    first, second = judged.systems.index(found.lead.system), judged.systems.index(found.lead.against)
    if baseline is not None:
        assert found.lead.against == baseline
    sure = set()
    for cutoff in cutoffs:
        values = precision(grades, cutoff)
        p = t_test(values[first], values[second])
        check_difference(found, f"P@{cutoff}", values[first] - values[second], p)
        sure |= {f"P@{cutoff}"} if p <= ALPHA else set()
    check_surely(found, sure)
    joined = [each for each in found.lines if each.strong == "Other measures:"]
    assert len(joined) <= 1


JOINED = r"{measure} (?P<difference>[+−][\d.]+) \(p (?P<p>[<=] [\d.]+), t test\)"


def check_difference(found, measure, apart, p):
    """Check what is said of a measure: in a line of its own, or in one with others of which the same is to be said."""
    alone = [each for each in found.lines if each.strong.split()[:1] == [measure]]
    if not alone:
        [line] = [each for each in found.lines if each.strong == "Other measures:"]
        parts = re.search(JOINED.format(measure=measure), line.text)
        assert is_printed(parts["difference"], apart.mean())
        assert is_p(parts["p"], p)
        assert line.text.endswith("are significant too." if p <= ALPHA else "are undecided too.")
        assert (found.lead.p <= ALPHA) == (p <= ALPHA)
        return
    [line] = alone
    if abs(apart.mean()) < 1e-12:
        assert line.strong == f"{measure} no difference"
        return
    assert is_printed(line.strong.split()[1], apart.mean())
    parts = TWO.match(line.text)
    low, high = stats.t.interval(0.95, len(apart) - 1, loc=apart.mean(), scale=stats.sem(apart))
    assert is_printed(parts["low"], low)
    assert is_printed(parts["high"], high)
    assert is_p(parts["p"], p)
    assert (parts["undecided"] is None) == (p <= ALPHA)


@pytest.mark.parametrize("seed", range(4))
def test_the_topics_that_the_first_of_two_systems_loses_most_are_named(seed):
    judged, grades = drawn(seed, 2, apart=0.2)
    found = md.compare(judged, "P@5").conclusion
    first, second = judged.systems.index(found.lead.system), judged.systems.index(found.lead.against)
    values = precision(grades, 5)
    losses = sorted(
        (round(a - b, 9), place) for place, (a, b) in enumerate(zip(values[first], values[second], strict=True))
    )
    lost = [(judged.topics[place], values[second][place], values[first][place]) for loss, place in losses if loss < 0]
    assert [each[0] for each in found.lost] == [each[0] for each in lost[:3]]
    assert np.allclose([each[1:] for each in found.lost], [each[1:] for each in lost[:3]])
    lines = [each for each in found.lines if each.about == "topics"]
    assert len(lines) == bool(lost)
    for line in lines:
        assert re.findall(r"(\S+) \(\d", line.text) == [each[0] for each in lost[:3]]


def check_surely(found, sure):
    """Check that the headline says of exactly these measures that the difference is hardly chance."""
    who, _, how = found.headline.partition(". ")
    every = {each.measure for each in found.measures if each.lead.ahead is not None}
    if "hardly" not in how:
        assert not sure, found.headline
        return
    assert sure, found.headline
    if "could be" not in how:
        assert sure == every, found.headline
        return
    parts = how.removesuffix(".").split("; ")
    [said] = [part for part in parts if "hardly" in part]
    [other] = [part for part in parts if "could be" in part]
    named = set(re.findall(r"P@\d+", said))
    assert named == sure or ("the others" in said and every - set(re.findall(r"P@\d+", other)) == sure), found.headline
    assert who


@pytest.mark.parametrize("seed", range(4))
def test_a_headline_on_two_systems_names_the_measures_on_which_each_is_ahead(seed):
    judged, grades = drawn(seed, 2, apart=0.05, topics=12)
    found = md.compare(judged, ["P@3", "P@5", "P@10"]).conclusion
    first, second = judged.systems.index(found.lead.system), judged.systems.index(found.lead.against)
    apart = {c: round(precision(grades, c)[first].mean() - precision(grades, c)[second].mean(), 9) for c in (3, 5, 10)}
    who = found.headline.split(". ")[0].removesuffix(".")
    named = {way: [f"P@{c}" for c, each in apart.items() if np.sign(each) == way] for way in (1, -1, 0)}
    if len(named[1]) == 3:
        assert who == f"{found.lead.system} scores higher than {found.lead.against} on all three measures"
    elif named[1]:
        spelled = re.fullmatch(
            r"(?P<a>\w+) scores higher than (?P<b>\w+) on (?P<higher>.*?)(, lower on (?P<lower>.*?))?"
            r"((,| and) the same on (?P<same>.*))?",
            who,
        )
        assert spelled, who
        for way, group in ((1, "higher"), (-1, "lower"), (0, "same")):
            assert re.findall(r"P@\d+", spelled[group] or "") == named[way]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("apart", [0.0, 0.3, 0.6])
def test_against_a_baseline_the_better_the_worse_and_the_close_are_counted(seed, apart):
    judged, grades = drawn(seed, apart=apart)
    values, others = precision(grades, 5), (0, 1, 3, 4)
    found = md.compare(judged, "P@5", baseline="cat").conclusion
    corrected = dict(zip(others, holm([t_test(values[other], values[2]) for other in others]), strict=True))
    ahead = {other for other in others if corrected[other] <= ALPHA and values[other].mean() > values[2].mean()}
    behind = {other for other in others if corrected[other] <= ALPHA} - ahead
    assert set(found.better) == {SYSTEMS[other] for other in ahead}
    assert set(found.worse) == {SYSTEMS[other] for other in behind}
    assert len(found.unseparated) == 4 - len(ahead) - len(behind)
    head = found.headline
    if 0 < len(ahead) < 4:
        assert head.startswith(
            f"{len(ahead)} of 4 systems {'beats' if len(ahead) == 1 else 'beat'} cat, the baseline, "
        )
    assert (re.search(r"(\d) (is|are) worse", head) is not None) == (0 < len(behind) < 4)
    assert ("All 4 other systems beat cat" in head) == (len(ahead) == 4)
    best = max(others, key=lambda other: round(values[other].mean(), 9))
    assert found.lead.system == SYSTEMS[best]
    assert found.lead.difference == pytest.approx(values[best].mean() - values[2].mean())


@pytest.mark.parametrize("seed", range(4))
def test_topics_that_a_system_lacks_are_left_out_of_its_differences_and_that_is_said(seed):
    judged, grades = drawn(seed, 2, apart=0.4, missing=0.2)
    values = precision(grades, 5)
    both = ~np.isnan(values).any(axis=0)
    found = md.compare(judged, "P@5").conclusion
    first, second = judged.systems.index(found.lead.system), judged.systems.index(found.lead.against)
    apart = (values[first] - values[second])[both]
    assert apart.mean() >= -1e-12
    assert found.lead.topics == both.sum() < 30
    assert f"(on the {both.sum()} topics that both have; " in str(found.lines[0])
    assert found.lead.difference == pytest.approx(apart.mean())
    [lacking] = [check for check in found.checks if check.kind == "missing-topics"]
    assert lacking.number == max(np.isnan(values).sum(axis=1))


def gaps(found):
    """Return judged runs of ten documents, by how many of the first are relevant; None is no result."""
    whole = campaign(**{name: [0 if n is None else n for n in topics] for name, topics in found.items()})
    gone = np.array([[n is None for n in topics] for topics in found.values()])
    cells = np.where(gone[:, :, None], np.int8(-2), whole.cells)
    return evolve(whole, cells=cells, lengths=np.where(gone, 0, 10), skip_missing=True)


@pytest.mark.parametrize("lower", [False, True])
def test_of_two_systems_with_gaps_the_one_that_is_ahead_on_shared_topics_comes_first(lower):
    # a is better on the three topics that both have, b has an easy one that a lacks, and a a hard one
    measure = (
        md.define(lambda run: 10 - sum(run), name="Lost", lower_is_better=True, scale="ratio") if lower else "P@10"
    )
    found = md.compare(gaps({"b": [4, 5, 4, 10, None], "a": [5, 6, 6, None, 0]}), measure).conclusion
    assert (found.lead.system, found.lead.ahead) == ("a", "a")
    assert found.lead.difference == pytest.approx(-4 / 3 if lower else 4 / 30)
    assert found.headline.startswith("a is ahead of b on Lost" if lower else "a scores higher than b on P@10")


def wasted(run):
    return next((rank for rank, grade in enumerate(run) if grade), len(run))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("systems", [2, 5])
def test_where_lower_is_better_the_lowest_mean_leads_and_that_is_said(seed, systems):
    judged, grades = drawn(seed, systems, apart=0.4)
    cost = md.define(wasted, name="Wasted", lower_is_better=True, scale="ratio")
    values = np.array([[wasted(run) for run in system] for system in grades])
    found = md.compare(judged, cost).conclusion
    best = values.mean(axis=1).argsort(kind="stable")
    assert found.systems[0] == SYSTEMS[best[0]]
    assert found.lead.difference == pytest.approx(values[best[0]].mean() - values[best[1]].mean())
    assert found.lead.difference < 0
    said = str(line(found, "lead"))
    assert "lower is better" in said
    if systems == 2:
        assert found.headline.startswith(f"{SYSTEMS[best[0]]} is ahead of {SYSTEMS[best[1]]} on Wasted. ")
    else:
        printed = re.match(r"\w+ ([\d.]+), then \w+ ([\d.]+) \(lower is better\): a lead of −", said)
        assert number(printed[1]) < number(printed[2])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("systems", [2, 5])
def test_a_strict_conclusion_has_medians_and_the_sign_test_and_no_word_of_means(seed, systems):
    judged, grades = drawn(seed, systems, apart=0.5)
    found = md.compare(judged, "RR@10", strict=True).conclusion
    values = np.array([[1 / (wasted(run) + 1) if run.any() else 0.0 for run in system] for system in grades])
    words = " ".join([found.headline, *map(str, found.lines)])
    assert not re.search(r"\bmean\b(?! rank)|interval|t test", words)
    first, second = (judged.systems.index(name) for name in (found.lead.system, found.lead.against))
    assert found.lead.values == tuple(np.median(values[[first, second]], axis=1))
    won, lost = ((values[first] - values[second]) > 1e-12).sum(), ((values[second] - values[first]) > 1e-12).sum()
    assert found.lead.p == pytest.approx(stats.binomtest(int(won), int(won + lost)).pvalue if won + lost else 1)
    if line(found, "lead") is not None:
        assert "sign test" in str(line(found, "lead"))


@pytest.mark.parametrize("test", ["sign", "wilcoxon", "randomisation", "anova", "friedman", "bootstrap"])
def test_an_interval_stands_beside_the_p_of_a_t_test_alone(test):
    judged, _ = drawn(1, 3)
    found = md.compare(judged, "P@5", test=test).conclusion
    assert "interval" not in " ".join(map(str, found.lines))
    assert (found.lead.low, found.lead.high) == (None, None)
    assert found.lead.test in str(line(found, "lead"))


def test_the_correction_is_named_and_its_p_given_where_it_decides():
    for seed in range(40):
        judged, _ = drawn(seed, apart=0.3)
        lead = md.compare(judged, "P@5").conclusion.lead
        if lead.p <= ALPHA < lead.p_corrected:
            break
    said = str(line(md.compare(judged, "P@5").conclusion, "lead"))
    assert re.search(r"Corrected for 10 pairs \(Holm\), p = [\d.]+: that could be chance", said)
    assert "hardly" not in said
    loose = md.compare(judged, "P@5", adjust="none").conclusion
    assert "That is hardly chance." in str(line(loose, "lead"))
    assert "(t test, not corrected)" in str(line(loose, "clear"))


def campaign(**found):
    """Return judged runs of ten documents, by how many of the first are relevant on each topic."""
    values = list(found.values())
    cells = np.array([[[1] * n + [0] * (10 - n) for n in topics] for topics in values], dtype=np.int8)
    return md.JudgedRuns(
        systems=tuple(found),
        topics=tuple(str(place) for place in range(1, len(values[0]) + 1)),
        cells=cells,
        lengths=np.full(cells.shape[:2], 10),
        grade_counts=np.tile([20, 10], (len(values[0]), 1)),
    )


def test_systems_that_tie_share_the_first_place():
    found = md.compare(campaign(a=[3, 4, 5], b=[5, 4, 3], c=[1, 1, 1]), "P@10").conclusion
    assert found.leaders == ("a", "b")
    shared = "a and b share the first place on P@10, mean 0.400, and c is not separated from a"
    assert found.headline.startswith(shared)
    assert found.lead.against == "c"


def test_systems_that_are_all_level_are_said_to_be():
    found = md.compare(campaign(a=[3, 4, 5], b=[5, 4, 3], c=[4, 4, 4]), ["P@10", "P@5"]).conclusion
    assert found.headline == "All 3 systems have the same mean on P@10, 0.400."
    assert line(found, "lead") is None
    two = md.compare(campaign(a=[3, 4, 5], b=[5, 4, 3]), ["P@10"]).conclusion
    assert two.headline == "a and b have the same mean on P@10."
    assert str(two.lines[0]).startswith("P@10 no difference (both 0.400; ")


def test_on_one_topic_nothing_is_tested():
    many = md.compare(campaign(a=[5], b=[4], c=[1]), ["P@10", "P@5"])
    assert many.conclusion.headline == "a leads on P@10, but on 1 topic nothing can be tested."
    assert line(many.conclusion, "clear") is None
    assert " p " not in " ".join(map(str, many.conclusion.lines))
    two = md.compare(campaign(a=[5], b=[4]), "P@10").conclusion
    assert two.headline == "a scores higher than b on P@10. On 1 topic nothing can be tested."
    assert str(two.lines[0]) == "P@10 +0.100 (not tested): the only topic won."
    baseline = md.compare(campaign(a=[5], b=[4], c=[1]), "P@10", baseline="c").conclusion
    assert baseline.headline == "On 1 topic no system can be tested against c, the baseline."


def test_one_system_has_its_numbers():
    found = md.compare(campaign(a=[5, 6]), ["P@10", "P@5"]).conclusion
    assert found.headline == "a scores 0.550 on P@10. There is nothing to compare it with."
    assert str(found.lines[0]) == "Other measures: P@5 1.000."
    assert (found.lead, found.card, found.margins) == (None, (), None)


def test_systems_without_a_topic_in_common_are_not_compared():
    qrels = {topic: {"x": 1} for topic in "12"}
    runs = [md.read_run({topic: {"x": 1.0}}, name=name) for name, topic in (("a", "1"), ("b", "2"))]
    found = md.compare(qrels, runs, "P@1", missing_topics="skip").conclusion
    assert found.headline == "a and b have no topic in common, so there is nothing to compare."
    assert not found.tested


def test_systems_that_share_too_few_topics_with_the_leader_are_counted_apart():
    judged, _ = drawn(5, 3, apart=0.6, topics=40)
    lengths, cells = judged.lengths.copy(), judged.cells.copy()
    last = judged.systems.index(md.compare(judged, "P@5").conclusion.systems[2])
    lengths[last, 1:], cells[last, 1:] = 0, -2
    few = evolve(judged, lengths=lengths, cells=cells, skip_missing=True)
    found = md.compare(few, "P@5", baseline=found_leader(judged)).conclusion
    assert found.primary.untested == (SYSTEMS[last],)
    assert "1 shares too few topics with it" in found.headline
    # analysis of variance takes the topics alone that all systems have
    none = md.compare(few, "P@5", test="anova").conclusion
    assert none.lead.topics_tested == 1
    assert none.lead.outcome is Outcome.UNTESTED
    assert "nothing can be tested" in none.headline


def found_leader(judged):
    return md.compare(judged, "P@5").conclusion.systems[0]


def test_more_digits_are_printed_where_three_do_not_tell_two_systems_apart():
    values = {"a": [5] * 5000, "b": [5] * 4999 + [4]}
    found = md.compare(campaign(**values, c=[1] * 5000), "P@10").conclusion
    assert str(line(found, "lead")).startswith("a 0.50000, then b 0.49998: a lead of +0.00002 (")


def test_a_test_that_favours_the_system_with_the_worse_mean_is_said_to():
    # a has the better mean by two topics, b wins twelve
    runs = {"a": [9] * 2 + [1] * 12, "b": [0] * 2 + [2] * 12, "c": [0] * 14}
    found = md.compare(campaign(**runs), "P@10", test="sign", adjust="none").conclusion
    assert found.headline == "a has the best mean on P@10, but the sign test puts b ahead of it."
    assert found.lead.outcome is Outcome.CONTRARY
    assert "The sign test favours b." in str(line(found, "lead"))
    two = md.compare(campaign(a=runs["a"], b=runs["b"]), "P@10", test="sign").conclusion
    assert "hardly" not in two.headline
    assert two.headline.endswith("On P@10 the sign test favours b.")


def test_other_measures_name_who_leads_there():
    def top(run):
        return run[0] if run else 0

    # under First all that counts is the first rank
    first = md.define(top, name="First", scale="interval")
    judged = campaign(a=[5, 5, 5, 5], b=[0, 4, 4, 4], c=[1, 1, 1, 0])
    found = md.compare(judged, ["P@10", "P@5", first]).conclusion
    assert str(line(found, "other_measures")) == "Other measures: it leads on P@5 and First too."
    turned = md.compare(campaign(a=[5, 0, 5, 0], b=[1, 1, 1, 1], c=[0, 0, 0, 0]), ["P@10", first, "P@1"]).conclusion
    assert str(line(turned, "other_measures")) == "Other measures: b leads on First and P@1."


def test_the_note_on_measures_names_how_many_and_the_primary_one():
    judged = campaign(a=[5, 6], b=[4, 6])
    found = md.compare(judged, ["P@10", "P@5", "P@3"], primary="P@5").conclusion
    assert found.lines[-1].about == "measures_note"
    assert found.lines[-1].text.startswith(
        "Three measures were looked at; p-values are not corrected for that. P@5 is "
    )
    assert line(md.compare(judged, "P@10").conclusion, "measures_note") is None


def test_few_topics_that_a_significant_lead_hangs_on_are_named():
    for seed in range(200):
        judged, grades = drawn(seed, 2, apart=0.35)
        found = md.compare(judged, "P@5").conclusion
        if len(found.dropped) == 1:
            break
    values, kept = precision(grades, 5), np.array(judged.topics) != found.dropped[0]
    assert t_test(*values) <= ALPHA < t_test(*values[:, kept])
    said = f"What would overturn it: without topic {found.dropped[0]}, the difference is no longer significant."
    assert str(line(found, "overturn")) == said


def test_a_lead_that_hangs_on_many_topics_is_not_said_to_hang_on_them():
    found = md.compare(campaign(a=[9, 8, 9, 8] * 10, b=[2, 3, 4, 3] * 10), "P@10").conclusion
    assert found.lead.outcome is Outcome.SIGNIFICANT
    assert (found.dropped, line(found, "overturn")) == ((), None)


def test_the_card_has_the_six_tiles_of_the_lead():
    judged, _ = drawn(3, 3)
    found = md.compare(judged, "P@5").conclusion
    assert [tile.name for tile in found.card] == ["Chance", "Topics", "Judgments", "Unjudged", "Scale", "Ties"]
    assert (found.margins.ahead, found.margins.behind) == (found.lead.ahead, found.lead.behind)


def test_data_have_the_sentences_and_the_numbers():
    judged, _ = drawn(4, 3)
    comparison = md.compare(judged, ["P@5", "P@10"], baseline="bee")
    found, data = comparison.conclusion, comparison.to_dict()["conclusion"]
    assert data["headline"] == found.headline
    assert [each["text"] for each in data["lines"]] == [each.text for each in found.lines]
    assert data["measures"][0]["lead"]["difference"] == found.lead.difference
    assert data["measures"][0]["lead"]["outcome"] == str(found.lead.outcome)
    assert data["kind"] == "baseline"
    assert found.to_polars()["about"].to_list() == ["headline", *(each.about for each in found.lines)]
