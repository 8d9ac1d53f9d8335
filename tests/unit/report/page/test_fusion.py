"""The section "Fusion" against fusing and scoring by hand."""

from __future__ import annotations

import numpy as np
import pytest
from jinja2 import Environment, PackageLoader, StrictUndefined

import measurand as md
from measurand.fusion.methods import SAME_JUDGMENTS
from measurand.report.page.fusion import section
from measurand.report.page.section import FILTERS
from measurand.report.study_frames import fusion_rows
from measurand.statistics import corrected, paired_t

NASTY = "<script>alert(1)</script>"


def rendered(made) -> str:
    environment = Environment(loader=PackageLoader("measurand.report.page"), autoescape=True, undefined=StrictUndefined)
    environment.filters.update(FILTERS)
    return environment.get_template(f"{made.name}.html").render(section=made)


def words(made) -> str:
    return " ".join(f"{heading} {text}" for heading, text in made.content["cautions"])


@pytest.fixture(scope="module")
def study() -> md.Study:
    return md.Study.from_files(md.sample.qrels(), md.sample.runs()[:3], ["P@10", "RR@10"])


def test_the_best_system_comes_first_and_then_every_fusion(study):
    rows = fusion_rows(study)
    for measure in study.measures:
        mine = [row for row in rows if row["measure"] == measure]
        best = study.result(measure).systems[0]
        assert [row["system"] for row in mine] == [best, "rrf", "combsum", "borda", "bordalog"]
        assert {row["best"] for row in mine} == {best}


def test_means_and_differences_are_those_of_fused_runs_scored_by_hand(study):
    runs = md.read_runs(md.sample.runs()[:3])
    best = study.result("P@10").systems[0]
    qrels = md.read_qrels(md.sample.qrels())
    named = [next(run for run in runs if run.name == best), *(md.fuse(runs, method, depth=100) for method in FUSED)]
    scores = md.evaluate(qrels, named, "P@10").scores("P@10")
    means = scores.mean().to_dict()
    rows = {row["system"]: row for row in fusion_rows(study) if row["measure"] == "P@10"}
    raw = dict(zip(scores.systems, scores.values, strict=True))
    pvalues = [paired_t(scores).of(method, best) for method in FUSED]
    for method, p in zip(FUSED, corrected(np.array(pvalues), "holm"), strict=True):
        row = rows[method]
        assert row["mean"] == pytest.approx(means[method])
        assert row["difference"] == pytest.approx(means[method] - means[best])
        assert row["low"] < row["difference"] < row["high"]
        assert row["wins"] == (raw[method] > raw[best]).sum()
        assert row["losses"] == (raw[method] < raw[best]).sum()
        assert row["p"] == pytest.approx(paired_t(scores).of(method, best))
        assert row["p_corrected"] == pytest.approx(p)
        assert row["significant"] == (p <= 0.05)
        assert row["direction"] == np.sign(means[method] - means[best])
        assert row["beaten"] == sum(means[method] > study.result("P@10").means[name] for name in study.systems)


FUSED = ("rrf", "combsum", "borda", "bordalog")


def test_the_best_system_is_not_compared_with_itself(study):
    for row in fusion_rows(study):
        if row["system"] == row["best"]:
            assert (row["difference"], row["p"], row["p_sign"], row["scale"]) == (None, None, None, None)
        else:
            assert "scale" in row["scale"]


def test_the_page_tells_what_a_sceptic_should_know(study):
    told = words(section(study))
    assert "best mean of 3 under the measure" in told
    assert "same topics and judgments" in told
    assert "gains over it are on the safe side and losses against it look larger" in told
    assert str(SAME_JUDGMENTS) in rendered(section(study))


def test_a_fusion_that_is_cut_above_what_a_measure_looks_at_says_so():
    documents = {f"d{rank:03d}": 200.0 - rank for rank in range(150)}
    runs = [md.read_run({"1": documents}, name="long"), md.read_run({"1": {"d140": 1.0}}, name="short")]
    qrels = {"1": dict.fromkeys(documents, 1)}
    deep = md.Study.from_files(qrels, runs, ["R", "P@10"])
    assert "so under R its numbers are not those of the other sections" in words(section(deep))
    shallow = md.Study.from_files(qrels, runs, ["P@10"])
    assert "other sections" not in words(section(shallow))


def test_the_figure_has_the_mean_of_every_system(study):
    data = section(study).data
    for drawn in data["measures"]:
        means = study.result(drawn["measure"]).means
        assert drawn["means"] == pytest.approx([means[name] for name in data["systems"]], abs=1e-5)
        assert drawn["title"] == f"mean {drawn['measure']} over topics"


def test_judged_shares_of_fusions_are_told(study):
    rows = section(study).content["methods"]
    assert [row["name"] for row in rows] == list(FUSED)
    assert all(0 < share <= 1 for row in rows for share in row["shares"])


def test_a_fusion_that_ties_most_documents_says_so():
    # two runs in reverse of each other: the ranks of every document add up to the same
    documents = [f"d{rank}" for rank in range(6)]
    runs = [
        md.read_run({"1": {name: float(sign * place) for place, name in enumerate(documents)}}, name=f"run{sign}")
        for sign in (1, -1)
    ]
    study = md.Study.from_files({"1": {"d0": 1}}, runs, "P@1")
    assert study.fusions.tied["borda"] == 1
    assert "borda (100 %)" in " ".join(section(study).content["summary"])


def test_without_several_systems_there_is_nothing_to_fuse():
    study = md.Study.from_files({"1": {"x": 1}}, {"1": {"x": 1.0}}, "P@1")
    assert fusion_rows(study) == []
    assert "nothing to combine" in rendered(section(study))


def test_nobody_is_told_of_fusions_that_were_not_asked_for():
    runs = [md.read_run({"1": {"x": 1.0}}, name=name) for name in "ab"]
    study = md.Study.from_files({"1": {"x": 1}}, runs, "P@1", fuse=False)
    assert "Nobody asked for it." in rendered(section(study))


def test_names_are_escaped_and_systems_may_be_called_like_fusions():
    runs = [md.read_run({"1": {"x": 1.0}, "2": {"y": 2.0, "x": 1.0}}, name=name) for name in (NASTY, "rrf")]
    study = md.Study.from_files({"1": {"x": 1}, "2": {"x": 1}}, runs, ["P@1", "ESL"])
    text = rendered(section(study))
    assert "<script>" not in text
    assert "lower is better" in section(study).data["measures"][1]["title"]
    names = study.fusions.names
    assert names["rrf"] not in study.systems
