"""A strict report: order, tests and words are those of a strict comparison, and nothing speaks of refused means."""

from __future__ import annotations

import json
import re

import pytest

import measurand as md
from measurand.errors import NotMeaningful
from measurand.report.method_paragraph import method_paragraph, study_references
from measurand.report.page import document, in_short
from measurand.report.page.comparisons import section as comparisons
from measurand.report.study_data import study_data
from measurand.report.study_frames import fusion_rows, study_frames
from measurand.report.study_latex import study_latex
from measurand.study.both_scales import TESTS

ORDINAL = ["AP@30", "RR@10"]

MEANS = re.compile(r"\bmeans?\b(?! rank)|average|t test|confidence interval|κ|kappa|scale-proof", re.IGNORECASE)
"""What is said of means, and of what rests on them."""


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


def test_no_sentence_in_short_speaks_of_means_that_the_scale_does_not_admit(ordinal):
    assert not MEANS.search("\n".join(in_short(ordinal)))


def test_neither_the_document_nor_tables_nor_methods_speak_of_them(ordinal):
    shown = (*map(str, (ordinal, ordinal.document())), study_latex(ordinal), method_paragraph(ordinal))
    assert not MEANS.search("\n".join(shown))
    assert not {"paired t test", "effect size d", "margin of scale κ"} & set(study_references(ordinal))
    assert "by what the scale admits (mean rank or median)" in document(ordinal)


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


def test_fusions_are_compared_with_the_best_system_by_what_the_scale_admits(ordinal):
    for row in fusion_rows(ordinal):
        assert row["best"] == ordinal.result(row["measure"]).systems[0]
        assert row["statistic"] == {"AP@30": "mean rank", "RR@10": "median"}[row["measure"]]
        assert (row["mean"], row["difference"], row["kappa"]) == (None, None, None)
