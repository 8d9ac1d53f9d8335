"""The answer: the table of differences and the leaderboard have the numbers that scipy and plain counting give."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, f, ncf, rankdata, ttest_rel

import measurand as md
from measurand.display.wording import percent, pvalue
from measurand.report.page import document
from measurand.report.page.answer import COLOURS, colours, section, subtitle
from measurand.report.page.section import Section
from measurand.report.page.topics import compared_at_first

HOSTILE = "<script>alert(1)</script>"

WASTE = md.define(
    lambda run: sum(rank for rank, grade in enumerate(run[:5]) if not grade), name="waste", lower_is_better=True
)
"""Lower is better."""

MEASURES = ["nDCG@10", "AP", "RR@5", WASTE]


def campaign(systems, topics=20, seed=3, skipping=()):
    """Return judgments and runs, the first systems the better ones; some leave out their first topic."""
    rng = np.random.default_rng(seed)
    documents = [f"d{place}" for place in range(40)]
    qrels = {str(topic): {d: int(rng.integers(0, 3)) for d in documents[:30]} for topic in range(topics)}
    runs = []
    for name, quality in zip(systems, np.linspace(1.2, 0, len(systems)), strict=True):
        found = {
            topic: {d: quality * judged.get(d, 0) + rng.normal() for d in documents} for topic, judged in qrels.items()
        }
        if name in skipping:
            del found["0"]
        runs.append(md.read_run(found, name=name))
    return md.read_qrels(qrels), runs


def study_of(systems, measures=MEASURES, topics=20, skipping=(), **plan) -> md.Study:
    return md.Study.from_files(*campaign(systems, topics, skipping=skipping), measures, fuse=False, **plan)


class Rows(HTMLParser):
    """The cells of the table with some id, row by row, and all tags of the page."""

    def __init__(self, text: str, table: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: list[str] = []
        self.table, self.inside, self.cell = table, False, False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "table":
            self.inside = dict(attributes).get("id") == self.table
        elif self.inside and tag == "tr":
            self.rows.append([])
        elif self.inside and tag in ("td", "th"):
            self.rows[-1].append("")
            self.cell = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.cell = False
        elif tag == "table":
            self.inside = False

    def handle_data(self, data):
        if self.inside and self.cell:
            self.rows[-1][-1] += data


def both(study, measure):
    """Return the scores of both systems on the topics that both have, in the order of the table."""
    x, y = (study.scores(measure).values[place] for place in compared_at_first(study))
    there = ~np.isnan(x) & ~np.isnan(y)
    return x[there], y[there]


@pytest.fixture(scope="module", params=["zero", "skip"])
def two(request) -> md.Study:
    return study_of(("good", HOSTILE), skipping=(HOSTILE,), missing_topics=request.param)


@pytest.fixture(scope="module")
def answer(sample_study) -> Section:
    """The answer of the built-in sample, made once."""
    return section(sample_study)


@pytest.fixture(scope="module")
def forest(two) -> dict[str, Any]:
    return section(two).content


def at_least(p, x, y):
    """Return a p-value, or what flips of signs reach at least on the topics that differ."""
    return max(p, 2 * 0.5 ** np.count_nonzero(x != y))


def test_differences_intervals_and_p_of_two_systems_are_those_of_scipy(two, forest):
    for row in forest["rows"]:
        x, y = both(two, row["measure"])
        test = ttest_rel(x, y)
        interval = test.confidence_interval(0.95)
        assert row["pvalue"] == pytest.approx(at_least(test.pvalue, x, y))
        assert float(row["difference"].replace("−", "-")) == pytest.approx((x - y).mean(), abs=0.51e-3)
        ends = [float(end.replace("−", "-")) for end in row["interval"]]
        assert ends == pytest.approx([interval.low, interval.high], abs=0.51e-3)
        turn = -1 if row["lower"] else 1
        won, lost = int((turn * (x - y) > 0).sum()), int((turn * (x - y) < 0).sum())
        assert row["topics"] == f"{won}–{len(x) - won - lost}–{lost}"
        assert row["sign"] == pytest.approx(binomtest(won, won + lost).pvalue)
        assert row["significant"] is bool(test.pvalue <= 0.05)
        leader = "first" if turn * (x - y).mean() > 0 else "second"
        assert row["ahead"] == (leader if row["significant"] else "")


def test_bars_of_differences_are_in_proportion_to_standard_deviations_and_right_is_better_for_the_first(two, forest):
    lengths = []
    for row in forest["rows"]:
        x, y = both(two, row["measure"])
        turn = -1 if row["lower"] else 1
        interval = ttest_rel(turn * x, turn * y).confidence_interval(0.95)
        found = np.array([interval.low, turn * (x - y).mean(), interval.high]) / (x - y).std(ddof=1)
        assert [row["low_d"], row["middle_d"], row["high_d"]] == pytest.approx(found.tolist())
        lengths += ((np.array(row["bar"]) - forest["zero"]) / found).tolist()
        assert 0 <= min(row["bar"]) < max(row["bar"]) <= 100
    assert min(lengths) > 0
    assert lengths == pytest.approx([np.median(lengths)] * len(lengths), rel=0.02)


def test_what_can_reliably_be_seen_has_a_power_of_four_fifths(two, forest):
    for row in forest["rows"]:
        x, y = both(two, row["measure"])
        n, spread = len(x), (x - y).std(ddof=1)

        def power(d, n=n):
            return ncf.sf(f.isf(0.05, 1, n - 1), 1, n - 1, n * d**2)

        seen = float(row["detectable"])
        assert power((seen - 0.6e-3) / spread) < 0.8 < power((seen + 0.6e-3) / spread)


def test_the_page_of_two_systems_shows_these_numbers_and_names_are_text(two, forest):
    parsed = Rows(document(two), "forest")
    assert parsed.tags.count("script") < 20
    head, *rows = [[" ".join(cell.split()) for cell in row] for row in parsed.rows]
    assert HOSTILE in head
    for shown, row in zip(rows, forest["rows"], strict=True):
        assert shown[0].startswith(row["measure"])
        assert (shown[0].endswith("lower is better")) is row["lower"]
        assert {*row["numbers"], row["difference"], row["topics"], pvalue(row["pvalue"])} <= set(shown)


def test_of_two_systems_differences_are_those_of_the_candidate_minus_the_baseline():
    found = section(study_of(("good", "poor"), ["P@5", "AP"], baseline="good")).content
    assert (found["first"], found["second"]) == ("poor", "good")
    assert all(row["difference"][0] in "-−" for row in found["rows"] if not row["lower"])


@pytest.mark.parametrize("topics", [1, 2])
def test_few_topics_make_no_numbers_up(topics):
    study = study_of(("a", "b"), ["P@5", "RR@5"], topics)
    rows = section(study).content["rows"]
    assert [row["interval"] != [] for row in rows] == [topics > 1 and row["sized"] for row in rows]
    assert not re.search(r"\bnan\b", document(study).split("<script")[0], re.IGNORECASE)


def test_two_systems_that_are_alike_are_level_everywhere():
    qrels, runs = campaign(("a",))
    found = section(md.Study.from_files(qrels, [runs[0], md.read_run(runs[0], name="b")], ["P@5", "AP"], fuse=False))
    shown = {(row["difference"].lstrip("+"), row["topics"], row["ahead"]) for row in found.content["rows"]}
    assert shown == {("0.0000", "0–20–0", "")}
    assert found.data["cards"] == {}


def holm(pvalues: list[float]) -> np.ndarray:
    order, n = np.argsort(pvalues), len(pvalues)
    found = np.empty(n)
    found[order] = np.minimum(1, np.maximum.accumulate(np.array(pvalues)[order] * (n - np.arange(n))))
    return found


def separated(study) -> dict[frozenset[str], bool]:
    """Return of every two systems whether a t test tells them apart after Holm, under the primary measure."""
    values = study.scores(next(iter(study.measures))).values
    pairs = list(combinations(range(len(study.systems)), 2))
    corrected = holm([ttest_rel(values[a], values[b]).pvalue for a, b in pairs])
    names = [frozenset((study.systems[a], study.systems[b])) for a, b in pairs]
    return dict(zip(names, (corrected <= 0.05).tolist(), strict=True))


def test_the_leaderboard_counts_who_beats_whom_and_letters_are_shared_by_those_that_are_not_told_apart(
    sample_study, answer
):
    study = sample_study
    rows = {row["system"]: row for row in answer.content["rows"]}
    apart, means = separated(study), dict(zip(study.systems, study.scores("nDCG@10").values.mean(axis=1), strict=True))
    best = max(means, key=means.get)
    for name, row in rows.items():
        beaten = [other for other in rows if other != name and apart[frozenset((name, other))]]
        assert row["beats"] == sum(means[other] < means[name] for other in beaten)
        assert row["edge"] == ("close" if name == best or not apart[frozenset((name, best))] else "")
    for pair, differs in apart.items():
        one, other = (set(rows[name]["letters"]) for name in pair)
        assert bool(one & other) is not differs


def test_alike_counts_the_systems_that_have_no_more_documents_of_any_grade_at_any_rank(sample_study, answer):
    study = sample_study
    cells = study.judged.cells[:, :, : study.raw.levels.depth]
    counts = np.stack(
        [(cells >= grade).sum(axis=1).cumsum(axis=1) for grade in range(1, int(cells.max()) + 1)], axis=1
    ).reshape(len(study.systems), -1)
    ahead = (counts[:, None] >= counts).all(axis=2) & (counts[:, None] > counts).any(axis=2)
    rows = {row["system"]: row for row in answer.content["rows"]}
    assert [rows[name]["alike"] for name in study.systems] == ahead.sum(axis=1).tolist()
    assert max(row["alike"] for row in rows.values()) > 0


def test_the_leaderboard_has_means_intervals_places_and_what_was_judged(sample_study, answer):
    study, found = sample_study, answer
    every = [study.scores(name).values for name in study.measures]
    places = [rankdata(-np.round(values.mean(axis=1), 12), method="min") for values in every]
    shares = judged_shares(study.judged.cells[:, :, :10])
    for row in found.content["rows"]:
        at = row["at"]
        assert row["place"] == places[0][at]
        assert row["number"] == f"{every[0][at].mean():.4f}"
        assert [text for text, _ in row["cells"]] == [f"{values[at].mean():.4f}" for values in every]
        assert [best for _, best in row["cells"]] == [bool(place[at] == 1) for place in places]
        heights = [float(point.split(",")[1]) for point in row["line"].split()]
        assert (
            np.argsort(heights, kind="stable").tolist()
            == np.argsort([place[at] for place in places], kind="stable").tolist()
        )
        assert row["judged"] == percent(round(shares[at], 3))
        assert row["low"] is bool(shares[at] < 0.9)
    for values, standing, name in zip(every, found.data["board"], study.measures, strict=True):
        means, ends = values.mean(axis=1), study.result(name).simultaneous
        best = study.systems.index(study.result(name).systems[0])
        top = np.nanmax([*(means[best] + ends.high), *means])
        for at, (low, middle, high) in enumerate(standing["bars"]):
            assert middle == pytest.approx(96 * means[at] / top, abs=0.01)
            if at == best:
                assert (low, high, standing["intervals"][at], standing["differences"][at]) == (None, None, "", "")
                continue
            whisker = [96 * max(0, means[best] + end) / top for end in (ends.low[at], ends.high[at])]
            assert [low, high] == pytest.approx(whisker, abs=0.01)
            printed = [number(text) for text in (standing["differences"][at], *standing["intervals"][at].split(" … "))]
            assert printed == pytest.approx([means[at] - means[best], ends.low[at], ends.high[at]], abs=0.51e-3)
    assert [row["place"] for row in found.content["rows"]] == sorted(places[0])


def number(text) -> float:
    return float(text.replace("−", "-"))


def judged_shares(cells) -> np.ndarray:
    """Return the mean over topics, of those with any document, of the share of first documents that were judged."""
    returned = (cells != -2).sum(axis=2)
    with np.errstate(invalid="ignore"):
        shares = (cells >= 0).sum(axis=2) / returned
    return np.array([row[count > 0].mean() for row, count in zip(shares, returned, strict=True)])


def test_under_a_measure_where_lower_is_better_the_least_is_first():
    found = section(study_of(("a", "b", "c"), [WASTE, "P@5"]))
    numbers = [float(row["number"]) for row in found.content["rows"]]
    assert numbers == sorted(numbers)
    assert found.data["board"][0]["lower"] is True
    assert found.content["rows"][0]["place"] == 1


def test_with_a_baseline_every_system_is_compared_with_it_after_holm_over_these_pairs():
    study = study_of(("a", "b", "base", "d"), ["nDCG@10", "P@5"], baseline="base")
    values = dict(zip(study.systems, study.scores("nDCG@10").values, strict=True))
    others = [name for name in study.systems if name != "base"]
    base = values["base"]
    alone = [at_least(ttest_rel(values[name], base).pvalue, values[name], base) for name in others]
    corrected = dict(zip(others, holm(alone), strict=True))
    found = section(study)
    rows = {row["system"]: row["against"] for row in found.content["rows"]}
    assert rows["base"] == {"difference": "", "p": None, "says": "baseline"}
    for name in others:
        difference = (values[name] - values["base"]).mean()
        assert float(rows[name]["difference"].replace("−", "-")) == pytest.approx(difference, abs=0.51e-3)
        assert rows[name]["p"] == pytest.approx(corrected[name])
        word = "better" if difference > 0 else "worse"
        assert rows[name]["says"].startswith(word if corrected[name] <= 0.05 else "not separated")
    assert {against["says"] for against in rows.values()} >= {"baseline", "better"}
    assert found.data["pair"][1] == study.systems.index("base")


def test_systems_that_tie_share_a_place():
    qrels, runs = campaign(("a", "b"))
    twin = md.read_run(runs[0], name="twin")
    rows = section(md.Study.from_files(qrels, [*runs, twin], ["P@5", "AP"], fuse=False)).content["rows"]
    assert {row["system"]: row["place"] for row in rows} == {"a": 1, "twin": 1, "b": 3}


def test_one_system_has_a_row_and_nothing_to_be_compared_with():
    study = study_of(("alone",), ["P@5", "RR@5"])
    found = section(study)
    assert (found.content["layout"], found.content["several"], len(found.content["rows"])) == ("one", False, 1)
    assert not {"pair", "cards", "tiles"} & set(found.data)
    page = document(study)
    assert 'id="pair"' not in page.split("<script")[0]
    assert 'id="choice-test"' not in page.split("<script")[0]


def test_every_system_has_one_colour_and_the_best_have_their_own(sample_study):
    found = colours(sample_study)
    order = sample_study.raw.primary.order
    assert [found[place] for place in order] == [*range(COLOURS), *[None] * (len(order) - COLOURS)]
    first, second = colours(study_of(("a", "b"), "P@5", baseline="a"))
    assert (first, second) == (1, 0)


def test_the_headline_and_the_lines_are_those_of_the_conclusion(sample_study, answer):
    found = answer.content["conclusion"]
    assert (found.headline, found.lines) == (sample_study.conclusion.headline, sample_study.conclusion.lines)
    assert "12 systems" in subtitle(sample_study)
    assert "50 topics" in subtitle(sample_study)
