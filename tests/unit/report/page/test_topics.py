"""The section on topics: what stands in its words, its table and its packed numbers."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
import pytest
from attrs import evolve
from jinja2 import Environment, PackageLoader, StrictUndefined

import measurand as md
from measurand.report.page.section import FILTERS
from measurand.report.page.topics import _documents, section
from measurand.study.shown_documents import shown_documents

EVIL = "<script>alert(1)</script>"

JUDGMENTS = {
    "easy": {"a": 2, "b": 1, "c": 0},
    "hard": {"a": 1, "b": 0, "c": 0, "d": 0},
    EVIL: {"c": 1, "d": -1, "e": 1},
    "barren": {"a": 0},
}

RANKINGS = {
    "good": {"easy": "abc", "hard": "bac", EVIL: "cea", "barren": "a"},
    EVIL: {"easy": "bac", "hard": "bca", EVIL: "dac"},
    "poor": {"easy": "cxa", "hard": "xyz", EVIL: "xce", "barren": "b"},
    "ü and spaces": {"easy": "ab", "hard": "bcd", EVIL: "ec", "barren": "a"},
}


class Rows(HTMLParser):
    """The texts of the cells of the first table, row by row, and every tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows, self.tags, self.values = [], [], []
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
            self.values.append([])
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append("")
            self.values[-1].append(dict(attrs).get("data-value"))
            self.inside = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.rows[-1][-1] += data.strip()


def study_of(measures, systems=tuple(RANKINGS), topics=None, **plan) -> md.Study:
    runs = [
        md.read_run({topic: {d: -i for i, d in enumerate(found)} for topic, found in RANKINGS[name].items()}, name=name)
        for name in systems
    ]
    judgments = JUDGMENTS if topics is None else {topic: JUDGMENTS[topic] for topic in topics}
    return md.Study.from_files(judgments, runs, measures, fuse=False, **plan)


def rendered(study: md.Study) -> str:
    options = {"autoescape": True, "undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    environment = Environment(loader=PackageLoader("measurand.report.page"), **options)
    environment.filters.update(FILTERS)
    return environment.get_template("topics.html").render(section=section(study))


@pytest.fixture(scope="module")
def study() -> md.Study:
    return study_of(["P@2", "ESL"])


def test_every_topic_has_a_row_with_its_numbers_without_any_script(study):
    parsed = Rows(rendered(study))
    values = study.scores("P@2").values
    rows = dict(zip(study.topics, parsed.rows[1:], strict=True))
    assert [row[0] for row in parsed.rows[1:]] == list(JUDGMENTS)
    for place, topic in enumerate(study.topics):
        column = values[:, place]
        assert rows[topic][1] == str(sum(grade > 0 for grade in JUDGMENTS[topic].values()))
        assert rows[topic][3:6] == [f"{value:.4f}" for value in (np.median(column), column.min(), column.max())]
    assert rows["easy"][8] == "good and 2 others"
    assert rows[EVIL][8] == "good, ü and spaces"


def test_the_share_of_judged_documents_is_a_mean_over_systems_that_returned_any(study):
    rows = {row[0]: row for row in Rows(rendered(study)).rows}
    # good 3 of 3, the second 3 of 3, poor 2 of 3, the last 2 of 2
    assert rows["easy"][2] == "91.7 %"
    # good and the last 1 of 1, poor 0 of 1, and the second returned nothing
    assert rows["barren"][2] == "66.7 %"


def test_the_hardest_topics_are_named_in_words_and_one_without_relevant_documents_is_none_of_them(study):
    text = rendered(study)
    hardest = section(study).content["lists"]["hardest"]
    assert [item["topic"] for item in hardest] == ["hard", EVIL, "easy"]
    assert hardest[0]["words"] == "median 0.0000, best 0.5000; 1 relevant document"
    assert "No relevant document is known for 1 topic (barren)" in text


def test_names_from_files_are_escaped(study):
    text = rendered(study)
    assert "script" not in Rows(text).tags
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_what_the_script_gets_are_the_cells_and_the_scores(study):
    made = section(study)
    assert made.data["ranks"] == study.judged.depth == 3
    assert (made.arrays["cells"] == study.judged.cells).all()
    assert made.arrays["scores"].shape[1:] == (4, 4)
    assert made.arrays["scores"][1] == pytest.approx(study.scores("ESL(i=1)").values)
    assert made.data["top"] == 2
    assert [each["lower"] for each in made.data["measures"]] == [False, True]


def test_under_a_measure_where_lower_is_better_the_hardest_topic_has_the_highest_median(study):
    lists = section(study).data["measures"][1]["lists"]
    medians = dict(zip(study.topics, np.median(study.scores("ESL(i=1)").values, axis=0), strict=True))
    assert medians[lists["hardest"][0]["topic"]] == max(medians[topic] for topic in study.topics if topic != "barren")


def test_no_more_ranks_are_shown_than_measures_look_at_or_than_is_usual():
    long = {"1": {f"d{i}": -i for i in range(80)}}
    runs = [md.read_run(long, name="a")]

    def ranks(*measures):
        return section(md.Study.from_files({"1": {"d3": 1}}, runs, measures, fuse=False)).data["ranks"]

    assert ranks("P@5") == 30
    assert ranks("P@40", "P@5") == 40
    assert ranks("P@70") == 50


@pytest.mark.parametrize(
    ("systems", "topics", "kinds"),
    [
        (["good"], None, {"hardest"}),
        (["good", "poor"], None, set()),
        (["good", "poor", EVIL], ["easy"], {"hardest", "widest"}),
        (["good", "poor", EVIL], None, {"hardest", "widest"}),
        (list(RANKINGS), None, {"hardest", "widest", "contrary"}),
    ],
)
def test_where_nothing_can_differ_nothing_is_said_of_it(systems, topics, kinds):
    small = study_of(["P@2"], systems, topics)
    assert set(section(small).content["lists"]) == kinds
    assert "nan" not in rendered(small).lower()


def test_topics_that_a_system_skipped_have_no_score_of_it():
    skipping = study_of(["P@2"], [EVIL, "good", "ü and spaces"], missing_topics="skip")
    text = rendered(skipping)
    assert "nan" not in text.lower()
    assert {row[0]: row for row in Rows(text).rows}["barren"][8] == "good, ü and spaces"


def test_the_scale_of_a_measure_is_spoken_of_where_it_matters(study):
    assert section(study).content["note"] == ""
    note = section(study_of(["AP@5"], ["good", "poor"])).content["note"]
    assert "a scale of its own" in note
    assert "AP@5 is ordinal" in note


def test_the_documents_that_are_packed_are_those_on_the_ranks_that_are_shown(study):
    made = section(study)
    shown = shown_documents(study.judged, made.data["ranks"])
    assert made.texts["documents"] == shown.names
    places = np.where(made.arrays["documents"] == 65_535, -1, made.arrays["documents"].astype(int))
    assert (places == shown.places).all()
    for at, system in enumerate(study.systems):
        for place, topic in enumerate(study.topics):
            ranking = RANKINGS[system].get(topic, "")
            assert [made.texts["documents"][place][one] for one in places[at, place] if one >= 0] == list(ranking)


def test_a_page_of_runs_without_documents_is_made_all_the_same():
    judged = md.JudgedRuns.on_one_topic([(0, 1, 0), (1, 0, 0)], (3, 2))
    study = evolve(study_of(["P@2"], ["good", "poor"]), judged=judged)
    assert judged.ranked_documents is None
    assert _documents(study, 3) is None


def test_of_two_systems_the_table_has_a_row_a_topic_for_both_scores_and_the_difference():
    made = study_of(["P@2"], ["good", "poor"], queries={"easy": "an <b>easy</b> one"})
    text = rendered(made)
    rows = Rows(text).rows[1:]
    assert {row[0] for row in rows} == set(JUDGMENTS)
    assert "an &lt;b&gt;easy&lt;/b&gt; one" in text
    assert section(made).data["queries"] == ["an <b>easy</b> one", "", "", ""]
    assert section(made).charts == {}
