"""A comparison of systems as data and as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
import json

import pytest

import measurand as md
from measurand.display.data import separated
from measurand.study.comparison_view import FIELDS


def comparison_tsv(comparison):
    return separated(comparison.view(each).table() for each in comparison.results)


MEASURES = ["P@10", "RR@10", "AP@10"]


@pytest.fixture(scope="module")
def sample(compared_sample):
    return compared_sample(*MEASURES, test="t")


@pytest.fixture(scope="module")
def baseline(compared_sample):
    return compared_sample("P@10", baseline="lexical-1")


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_data_survive_json(sample):
    data = sample.to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_data_say_what_was_compared_how_and_what_came_out(sample):
    data = sample.to_dict()
    first = ["systems", "topics", "alpha", "baseline", "primary", "conclusion", "measures", "described", "levels"]
    assert list(data) == [*first, "margins", "dominance", "caveats"]
    assert data["conclusion"] == sample.conclusion.to_dict()
    assert list(data["measures"]) == MEASURES
    for measure, standing in zip(MEASURES, sample.results, strict=True):
        found = data["measures"][measure]
        assert found["scale"] == str(standing.scores.scale)
        assert found["one_scale"] == standing.scores.one_scale
        assert (found["test"]["name"], found["test"]["adjusted"]) == ("paired_t", "holm")
        assert found["test"]["admitted_by_scale"] == (measure == "P@10")
        assert found["pvalues"] == standing.pairs.pvalues.tolist()
        assert [row["system"] for row in found["systems"]] == list(standing.systems)
        assert found["uncorrected_pvalues"] == standing.uncorrected.pvalues.tolist()
        assert (found["compared"], found["scale_proof"]) == (66, standing.scale_proof)
        assert bool([one for one in found["caveats"] if one["kind"] == "scale"]) == (measure != "P@10")


def test_claims_are_told_with_both_pvalues_and_what_the_scale_could_change(sample):
    for standing in sample.results:
        told = sample.to_dict()["measures"][standing.scores.measure]["claims"]
        for claim, each in zip(standing.claims, told, strict=True):
            assert (each["system"], each["against"]) == (claim.system, claim.against)
            assert (each["p"], each["p_corrected"], each["p_sign"]) == (claim.pvalue, claim.corrected, claim.sign)
            if standing.scores.one_scale:
                assert (each["kappa"] is None) == (each["scale"].endswith(("scale-proof", "(κ = ∞)")))
            else:
                assert "κ" not in each["scale"]
                assert "scale-proof" not in each["scale"]
            assert each["sentence"] == claim.sentence
            assert each["meaning"]["answer"] == claim.meaning.answer
            assert each["dominance"] == str(claim.dominance)


def test_dominance_is_told_for_all_pairs(sample):
    told, matrix = sample.to_dict()["dominance"], sample.dominance
    n = len(matrix.systems)
    for name in ("wins", "ties", "losses", "undecided"):
        assert [len(row) for row in told[name]] == [n] * n
    assert told["undominated"] == list(matrix.undominated())
    assert told["depth"] == 100


def test_rows_are_against_the_best_or_the_baseline(sample, baseline):
    first, *others = sample.view(sample.results[0]).rows()
    assert first["against"] is None
    assert first["p"] is None
    assert {row["against"] for row in others} == {first["system"]}
    rows = baseline.view(baseline.results[0]).rows()
    assert {row["against"] for row in rows if row["system"] != "lexical-1"} == {"lexical-1"}
    for row in others:
        effect = sample.results[0].effects.of(row["system"], first["system"])
        assert (row["difference"], row["wins"], row["losses"]) == (effect.mean_difference, effect.wins, effect.losses)
        assert row["cliffs_delta"] == effect.cliffs_delta


def test_pairs_that_are_not_tested_have_no_pvalue(baseline):
    told = baseline.to_dict()
    place = told["systems"].index("lexical-1")
    for i, row in enumerate(told["measures"]["P@10"]["pvalues"]):
        for j, p in enumerate(row):
            assert (p is not None) == (i == j or place in (i, j))


def test_the_table_has_a_line_for_every_measure_and_system_with_all_digits(sample):
    rows = table(comparison_tsv(sample))
    assert tuple(rows[0]) == tuple(FIELDS)
    assert len(rows) == len(MEASURES) * len(sample.dominance.systems)
    for row in rows:
        standing = sample.of(row["measure"])
        assert float(row["mean"]) == standing.means[row["system"]]
        assert (row["against"] == "") == (row["place"] == "1") == (row["p"] == "")


def test_names_with_tabs_and_quotes_come_back_from_the_table():
    name = 'he "said"\tit'
    runs = [md.read_run({"1": {"x": 1.0}}, name=each) for each in (name, "b")]
    comparison = md.compare(md.judge(runs, md.read_qrels({"1": {"x": 1}})), "P@1")
    assert [row["system"] for row in table(comparison_tsv(comparison))] == sorted(["b", name])


def test_what_is_not_finite_is_left_empty():
    runs = [md.read_run({"1": {name: 1.0}}, name=name) for name in ("x", "y")]
    comparison = md.compare(md.judge(runs, md.read_qrels({"1": {"x": 1}})), "P@1")
    row = table(comparison_tsv(comparison))[0]
    assert (row["difference"], row["low"], row["high"], row["cohens_d"]) == ("1.0", "", "", "")
    assert (row["kappa"], row["scale_proof"]) == ("", "True")
    assert comparison.to_dict()["measures"]["P@1"]["systems"][0]["low"] is None
