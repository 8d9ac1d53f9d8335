"""A strict report: order, tests and words are those of a strict comparison, and nothing speaks of refused means."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

import measurand as md
from measurand.errors import NotMeaningful
from measurand.report.method_paragraph import method_paragraph, study_references
from measurand.report.page import document
from measurand.report.page.answer import section as answer
from measurand.report.page.comparisons import section as comparisons
from measurand.report.page.measures import selves
from measurand.report.page.systems import section as systems
from measurand.report.study_data import study_data
from measurand.report.study_frames import fusion_rows, study_frames
from measurand.report.study_latex import study_latex
from measurand.study.both_scales import TESTS

ORDINAL = ["AP@30", "RR@10"]

MEANS = re.compile(r"\bmeans?\b(?! rank)|average|t test|confidence interval|κ|kappa|scale-proof", re.IGNORECASE)
"""What is said of means, and of what rests on them."""


ALLOWED = (
    r"Significant means hard|does not mean|What the words mean",
    r"Whether averages of measures on an ordinal scale mean anything is debated",
    r"the one that fits the scale: paired t test where it admits means over topics, sign test elsewhere",
    # shares, ranks and logarithms, which have means on any scale
    r"mean share of (judged|its) documents|mean over (the topics for which it|systems that) returned any",
    r"A mean rank is the mean over topics|the mean logarithm of the ranks",
    # counts of documents, which have a ratio scale
    r"paired t tests of (the|these) counts of documents",
    # what a measure is, and how papers take it over topics
    r"Mean over the topic's relevant documents|average over relevant ranks|averaged by (the )?mean",
)
"""What a strict page may say of means all the same."""


@pytest.fixture(scope="module")
def page(ordinal) -> str:
    """The text of a page that a reader sees."""
    bare = re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", " ", document(ordinal), flags=re.DOTALL)
    return " ".join(unescape(bare).split())


@pytest.fixture(scope="module")
def ordinal() -> md.Study:
    return md.Study.from_files(md.sample.qrels(), md.sample.runs()[:4], ORDINAL, strict=True)


@pytest.fixture(scope="module")
def mixed() -> md.Study:
    return md.Study.from_files(md.sample.qrels(), md.sample.runs()[:4], ["P@10", *ORDINAL], strict=True, fuse=False)


def test_order_test_and_p_are_those_of_a_strict_comparison(mixed):
    comparison = md.compare(md.sample.qrels(), md.sample.runs()[:4], ["P@10", *ORDINAL], strict=True)
    found = study_data(mixed)["raw"]
    assert json.dumps(found["measures"]) == json.dumps(comparison.to_dict()["measures"])
    assert [each.pairs.test for each in mixed.raw.results] == ["paired_t", "sign", "sign"]


def test_no_sentence_of_the_answer_speaks_of_means_that_the_scale_does_not_admit(ordinal, page):
    said = [ordinal.conclusion.headline, *map(str, ordinal.conclusion.lines)]
    assert not MEANS.search("\n".join(said))
    assert ordinal.conclusion.headline in page
    assert all(line.text in page for line in ordinal.conclusion.lines)


def test_neither_the_document_nor_tables_nor_methods_speak_of_them(ordinal):
    shown = (*map(str, (ordinal, ordinal.document())), study_latex(ordinal), method_paragraph(ordinal))
    assert not MEANS.search(re.sub("|".join(ALLOWED), "", "\n".join(shown)))
    assert not {"paired t test", "effect size d", "margin of scale κ"} & set(study_references(ordinal))


def test_the_page_speaks_of_means_where_every_scale_has_them_alone(page):
    assert "by what the scale admits (mean rank or median)" in page
    rest = re.sub("|".join(ALLOWED), "", page)
    assert [rest[max(0, found.start() - 60) : found.end() + 30] for found in MEANS.finditer(rest)] == []


def test_the_table_has_the_order_of_the_sentences_below_it_and_says_that_low_ranks_are_better():
    study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:4], ["RR@10", "AP@30"], strict=True, fuse=False)
    view = study.document().tables[0]
    assert len({row["RR@10"] for row in view.rows}) == 1
    assert tuple(row["system"] for row in view.rows) == study.raw.results[0].systems
    assert study.systems[0] != study.raw.results[0].systems[0]
    assert [column.below for column in view.columns] == ["", "median", "mean rank ↓"]
    assert re.fullmatch(r"\d\.\d\d", str(view.cells[0][2]))


def test_orders_by_different_statistics_on_the_two_scales_are_not_compared():
    measures = ["RR@10", "AP@30", "P@10"]
    study = md.Study.from_files(
        md.sample.qrels(), md.sample.runs()[:4], measures, strict=True, interval=True, fuse=False
    )
    shown = systems(study)
    assert shown.content["slopes"] == ["AP@30", "P@10"]
    assert "places on the two are not compared" in shown.content["details"][0]["moving"]
    assert selves(study)[0] == ("RR@10", "–", "not compared: median as it is, mean on the interval scale")
    assert study.agreement.of("RR@10", "P@10").delta is None


def test_a_test_that_the_scale_does_not_admit_is_refused_if_named_and_left_out_if_not(mixed):
    with pytest.raises(NotMeaningful, match="AP@30 has a scale of its own on every topic"):
        md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], "AP@30", test="t", strict=True)
    assert [mixed.tests.made(name, "raw") for name in ORDINAL] == [("sign",), ("sign",)]
    assert [row["cells"][1:] for row in comparisons(mixed).content["counts"][1:]] == [["–"] * 3] * 2


def test_what_the_scale_admits_is_as_without_strict(mixed):
    plain = md.compare(md.sample.qrels(), md.sample.runs()[:4], ["P@10", *ORDINAL])
    assert mixed.result("P@10").view.to_dict() == plain.of("P@10").view.to_dict()
    assert mixed.tests.made("P@10", "raw") == TESTS


def test_programs_find_no_number_that_the_scale_does_not_admit(ordinal):
    frames = study_frames(ordinal)
    refused = ("mean_difference", "low", "high", "cohens_d", "rank_biserial", "kappa", "scale_proof")
    assert all(frames["effects"][name].null_count() == len(frames["effects"]) for name in refused)
    assert frames["ties"]["expected"].null_count() == len(frames["ties"])
    assert all(row["trec"] is None for each in study_data(ordinal)["ties"]["measures"] for row in each["systems"])


def test_a_strict_page_of_two_systems_has_the_numbers_that_the_scales_admit():
    study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], ["P@10", *ORDINAL], strict=True, fuse=False)
    rows = answer(study).content["rows"]
    assert [row["statistic"] for row in rows] == ["mean", "mean rank", "median"]
    assert [row["sized"] for row in rows] == [True, False, False]
    assert [(row["difference"], row["interval"], row["detectable"]) for row in rows[1:]] == [("–", [], "–")] * 2
    # margins are those of an order of means
    assert {key.partition("|")[0] for key in answer(study).data["cards"]} == {"0"}


def test_every_fusion_is_explained_on_the_page(ordinal, page):
    assert all(row["sentence"] in page for row in fusion_rows(ordinal) if row["sentence"])


def test_fusions_are_compared_with_the_best_system_by_what_the_scale_admits(ordinal):
    for row in fusion_rows(ordinal):
        assert row["best"] == ordinal.result(row["measure"]).systems[0]
        assert row["statistic"] == {"AP@30": "mean rank", "RR@10": "median"}[row["measure"]]
        assert (row["mean"], row["difference"], row["kappa"]) == (None, None, None)
