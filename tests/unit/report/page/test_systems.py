"""The section on systems and measures: every number in it, against the scores."""

from __future__ import annotations

from html.parser import HTMLParser
from importlib import import_module

import numpy as np
import pytest
from scipy.stats import rankdata, t

import measurand as md
from measurand.report.page import systems

HOSTILE = "<script>alert(1)</script>"

WASTE = md.define(
    lambda run: sum(rank for rank, grade in enumerate(run[:5]) if not grade), name="waste", lower_is_better=True
)
"""Lower is better, and the runs are too long for its interval scale."""


class Tables(HTMLParser):
    """The tables of a page: rows of texts, with the class of each cell."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: list[list[list[tuple[str, str]]]] = []
        self.cell: list[str] | None = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.cell, self.kind = [], dict(attributes).get("class", "")

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.tables[-1][-1].append((" ".join("".join(self.cell).split()), self.kind))
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell.append(data)


def campaign(systems: tuple[str, ...], topics: int = 9, seed: int = 0):
    rng = np.random.default_rng(seed)
    documents = [f"d{place}" for place in range(40)]
    qrels = {str(topic): {d: int(rng.integers(0, 3)) for d in documents} for topic in range(topics)}
    runs = [
        md.read_run({t: {d: q * g + rng.normal() for d, g in judged.items()} for t, judged in qrels.items()}, name=name)
        for name, q in zip(systems, np.linspace(1, 0, len(systems)), strict=True)
    ]
    return md.read_qrels(qrels), runs


@pytest.fixture(scope="module")
def study() -> md.Study:
    names = (HOSTILE, "b & c", "ünï", "d", "e", "f")
    return md.Study.from_files(*campaign(names), ["AP@5", "P@5", "RR@5", WASTE, "Judged@5"], interval=True, fuse=False)


def rendered(study: md.Study) -> str:
    module = import_module("measurand.report.page.document")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SECTIONS", (systems,))
        text = module.document(study)
    return text[text.index('<section id="systems"') : text.index("</main>")]


@pytest.fixture(scope="module")
def html(study) -> str:
    return rendered(study)


def test_the_overview_has_the_means_best_first_and_what_was_judged_beside_them(study, html):
    head, *rows = Tables(html).tables[0]
    assert [row[0][0] for row in rows] == list(study.result("AP@5").systems)
    for column, measure in enumerate(study.measures, start=1):
        assert head[column][0].startswith(measure)
        for row in rows:
            values = study.scores(measure).values[study.systems.index(row[0][0])]
            if len(set(values)) == 1:  # one score on all topics says nothing of others
                assert row[column][0] == f"{values[0]:.4f}"
                continue
            number, ends = row[column][0].split(" ", 1)
            assert float(number) == pytest.approx(values.mean(), abs=0.51e-4)
            half = t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
            low, high = (float(end.replace("−", "-")) for end in ends.split(" … "))
            least, most = (-np.inf, np.inf) if measure == "waste" else (0, 1)
            wanted = (max(least, values.mean() - half), min(most, values.mean() + half))
            assert (low, high) == pytest.approx(wanted, abs=0.51e-4)
    assert (head[-1][0], {row[-1] for row in rows}) == ("Judged@5", {("100 %", "n")})


def test_the_best_of_each_measure_are_bold(study, html):
    _, *rows = Tables(html).tables[0]
    for column, measure in enumerate(study.measures, start=1):
        goodness = study.result(measure).summary.goodness
        best = {name for name, value in zip(study.systems, goodness, strict=True) if value > max(goodness) - 1e-12}
        assert {row[0][0] for row in rows if "best" in row[column][1]} == best


def test_the_tables_by_measure_show_how_places_change_by_means(study, html):
    for measure, (head, *rows) in zip(study.measures, Tables(html).tables[1:], strict=True):
        names = [name for name, _ in head]
        ranked = study.result_on_interval(measure)
        assert any("interval scale" in name for name in names) is (ranked is not None)
        if ranked is None:
            continue
        raw = study.result(measure)
        before, after = (
            dict(zip(study.systems, rankdata(-np.round(each.means.goodness, 12), method="min"), strict=True))
            for each in (raw, ranked)
        )
        for row in rows:
            name, cell = row[0][0], row[-1][0]
            old, new = int(before[name]), int(after[name])
            arrow = "▲" if new < old else "▼"
            assert cell == (str(old) if old == new else f"{old} → {new} {arrow}{abs(old - new)}")


def test_beside_the_mean_stands_the_median_or_the_mean_rank_on_ordinal_scales_once(study, html):
    for measure, (head, *_) in zip(study.measures, Tables(html).tables[1:], strict=True):
        statistic = study.scores(measure).admitted().statistic
        names = [name.removesuffix(" as it is") for name, _ in head]
        assert [name for name in names if name.startswith(("median", "mean rank"))] == [statistic] * (
            statistic != "mean"
        )


def test_the_table_can_show_places_medians_mean_ranks_and_the_interval_scale_instead(study):
    views = systems.section(study).data["views"]
    rows = study.result("AP@5").systems
    for column, measure in enumerate(study.measures):
        scores = study.scores(measure)
        turn = 1 if scores.lower_is_better else -1
        values = {system: scores.values[study.systems.index(system)] for system in rows}
        means = np.round([values[system].mean() for system in rows], 12)
        ranks = rankdata(turn * np.array([values[system] for system in rows]), axis=0)
        wanted = {
            "place": [str(int(place)) for place in rankdata(turn * means, method="min")],
            "median": [f"{np.median(values[system]):.4f}" for system in rows],
            "rank": [f"{mean:.2f}" for mean in ranks.mean(axis=1)],
        }
        for view, texts in wanted.items():
            assert [row[column][0] for row in views[view]] == texts
        scaled = study.result_on_interval(measure)
        shown = [row[column][0] for row in views["interval"]]
        assert shown == (["–"] * len(rows) if scaled is None else [f"{scaled.means[system]:.4f}" for system in rows])


def test_names_from_files_are_text(html):
    assert HOSTILE not in html
    assert "&lt;script&gt;" in html


def test_the_slopes_are_those_of_measures_with_an_interval_scale(study):
    found = systems.section(study)
    assert list(found.data["slopes"]) == [measure for measure in study.measures if measure in study.scaled]
    first = next(iter(found.data["slopes"].values()))
    assert found.charts["slope"]["description"] == first["description"]
    assert {row[0] for row in first["rows"]} == set(study.systems)


@pytest.mark.parametrize(("names", "topics"), [(("a",), 3), (("a", "b"), 1)])
def test_one_system_or_one_topic_is_enough(names, topics):
    html = rendered(md.Study.from_files(*campaign(names, topics), ["RR@5", "P@5"], fuse=False))
    assert len(Tables(html).tables) == 1
    assert "nan" not in html
    assert "interval scale" not in html.replace("an interval scale, which all topics share", "")


def test_topics_that_were_left_out_make_no_numbers_up():
    qrels, runs = campaign(("a", "b", "c"), 4)
    gone = md.read_run({"0": {"d1": 1.0}}, name="gone")
    options = {"missing_topics": "skip", "fuse": False}
    html = rendered(md.Study.from_files(qrels, [*runs, gone], ["P@5"], **options))
    [cell] = [row[1][0] for row in Tables(html).tables[0] if row[0][0] == "gone"]
    assert "…" not in cell
    assert "nan" not in html
