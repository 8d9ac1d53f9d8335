"""Test vectors: exact, complete, the same at every call, and right by another tool."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from click.testing import CliRunner

import measurand as md
from measurand.cli.main import program
from measurand.errors import MeasurandError
from measurand.measures.catalogue import beside
from measurand.study.vectors import CASES, REFUSED, vectors

TREC_NAMES = {
    "AP": "map",
    "AP@3": "map_cut_3",
    "nDCG": "ndcg",
    "nDCG@3": "ndcg_cut_3",
    "P@3": "P_3",
    "R@3": "recall_3",
    "RR": "recip_rank",
    "Rprec": "Rprec",
    "Bpref": "bpref",
    "Success@3": "success_3",
    "SetP": "set_P",
    "infAP": "infAP",
    "NumRet": "num_ret",
    "NumRelRet": "num_rel_ret",
}


@pytest.fixture(scope="module")
def made():
    return vectors()


def test_every_measure_of_the_catalogue_is_there_with_its_parameters(made):
    assert {each["name"] for each in made["measures"]} == set(beside())
    assert len({each["measure"] for each in made["measures"]}) == len(made["measures"])
    assert r"\frac{1}{R}" in next(each for each in made["measures"] if each["name"] == "AP")["formula"]
    for case in made["cases"]:
        assert {each["measure"] for each in case["values"]} == {each["measure"] for each in made["measures"]}


def test_precision_without_a_cutoff_is_what_the_conventions_say(made):
    assert "longest ranking" in made["conventions"]["number of ranks"]
    for case in made["cases"]:
        documents = [line.split()[0] for line in case["run"]]
        ranks = max(documents.count(topic) for topic in documents)
        entry = next(each for each in case["values"] if each["measure"] == "P")
        for topic, grades in case["grades_by_rank"].items():
            found = sum(grade is not None and grade > 0 for grade in grades)
            assert Fraction(entry["topics"][topic]["exact"]) == Fraction(found, ranks)


def test_fractions_and_decimals_are_the_scores(made):
    for case, written in zip(CASES, made["cases"], strict=True):
        judged = case.judged()
        for name in ("AP", "nDCG@3", "DCG(b=2)", "ERR", "RBP(p=0.5)", "Q", "gm(AP)", "NumRel"):
            entry = next(each for each in written["values"] if each["measure"] == name)
            scores = md.parse(name).scores(judged)
            for topic, number in zip(judged.topics, scores.values[0], strict=True):
                value = entry["topics"][topic]
                assert float(value["decimal"]) == pytest.approx(number, abs=1e-14)
                assert value["exact"] is None or float(Fraction(value["exact"])) == pytest.approx(number, abs=1e-14)
            overall = float(scores.values[0].sum()) if name == "NumRel" else float(scores.mean()[0])
            assert float(entry["overall"]["decimal"]) == pytest.approx(overall, abs=1e-14)


def test_thirty_digits_of_a_logarithm_are_right(made):
    values = next(case for case in made["cases"] if case["name"] == "plain")["values"]
    # 1 + 1/log2(4), and the ideal 1 + 1/log2(3) + 1/log2(4)
    assert next(each for each in values if each["measure"] == "DCG")["topics"]["1"]["exact"] == "3/2"
    nDCG = next(each for each in values if each["measure"] == "nDCG")["topics"]["1"]
    # log2(3) = 1.58496250072115618145373894394781650875981440769248…
    log3 = Fraction("1.58496250072115618145373894394781650875981440769248")
    assert nDCG == {"exact": None, "decimal": nDCG["decimal"]}
    assert abs(Fraction(nDCG["decimal"]) - Fraction(3, 2) / (Fraction(3, 2) + 1 / log3)) < Fraction(1, 10**30)


def test_precision_without_cutoff_is_that_of_the_longest_ranking(made):
    for case in made["cases"]:
        ranked = case["grades_by_rank"]
        longest = max(map(len, ranked.values()))
        values = next(each["topics"] for each in case["values"] if each["measure"] == "P")
        for topic, grades in ranked.items():
            relevant = sum((grade or 0) > 0 for grade in grades)
            assert Fraction(values[topic]["exact"]) == Fraction(relevant, longest), case["name"]
    assert "longest ranking" in made["conventions"]["no cutoff"]


def test_pytrec_eval_gives_the_values(made):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    names = {name.replace("_3", ".3") for name in TREC_NAMES.values()}
    for case in made["cases"]:
        if case["name"] == "close scores":
            continue  # it compares scores in single precision
        qrels, run = {}, {}
        for topic, _, document, grade in map(str.split, case["qrels"]):
            qrels.setdefault(topic, {})[document] = int(grade)
        for topic, _, document, _, score, _ in map(str.split, case["run"]):
            run.setdefault(topic, {})[document] = float(score)
        found = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run)
        values = {each["measure"]: each["topics"] for each in case["values"]}
        for ours, theirs in TREC_NAMES.items():
            if case["name"] == "negative grades" and ours in ("Bpref", "infAP"):
                continue  # it takes every negative grade for unjudged
            for topic in found:
                value = float(values[ours][topic]["decimal"])
                assert found[topic][theirs] == pytest.approx(value, abs=1e-9), (case["name"], ours)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["name"])
def test_what_must_be_refused_is_refused(case, tmp_path):
    for name in ("qrels", "run"):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in case[name]))
    with pytest.raises(MeasurandError, match=r"^[^\n]+$"):
        md.evaluate(tmp_path / "qrels", tmp_path / "run", "AP")


def test_the_file_is_written_whole_and_the_same_at_every_call(tmp_path, monkeypatch):
    monkeypatch.setattr("measurand.study.vectors.CASES", CASES[:1])
    written = []
    for name in ("one.json", "other.json"):
        done = CliRunner().invoke(program, ["vectors", "-o", str(tmp_path / name)])
        assert (done.exit_code, done.output) == (0, "")
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1]
    assert json.loads(written[0])["cases"][0]["name"] == CASES[0].name
