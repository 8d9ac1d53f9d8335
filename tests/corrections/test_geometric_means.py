"""The mean of a geometric mean's scores is the geometric one, and comparisons say that theirs is plain (D09)."""

from __future__ import annotations

import json
from math import exp, log

import numpy as np
import pytest

import measurand as md

QRELS = {"1": {"a": 1, "b": 1}, "2": {"c": 1}, "3": {"d": 1}}
RUNS = {
    "one": {"1": {"a": 2.0, "b": 1.0}, "2": {"x": 2.0, "c": 1.0}, "3": {"x": 1.0}},
    "two": {"1": {"x": 2.0, "b": 1.0}, "2": {"x": 2.0, "c": 1.0}, "3": {"x": 2.0, "y": 1.5, "d": 1.0}},
}


@pytest.fixture
def files(tmp_path):
    """Return the files of the judgments and the runs."""
    (tmp_path / "qrels").write_text("".join(f"{t} 0 {d} {g}\n" for t, docs in QRELS.items() for d, g in docs.items()))
    for name, run in RUNS.items():
        lines = [f"{t} Q0 {d} 1 {score} {name}\n" for t, docs in run.items() for d, score in docs.items()]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return [tmp_path / name for name in ("qrels", "one.run", "two.run")]


def geometric(values):
    return exp(sum(log(max(value, 1e-5)) for value in values) / len(values))


@pytest.mark.parametrize("spelled", ["gm_map", "gm(AP)", "gm(nDCG@2)", "gm_bpref"])
def test_the_mean_of_scores_is_what_the_table_prints(spelled):
    """D09: one number, however it is asked for."""
    table = md.evaluate(QRELS, RUNS, spelled)
    scores = table.scores(spelled)
    for system in RUNS:
        by_hand = geometric(scores[system].values())
        assert scores.mean()[system] == pytest.approx(by_hand)
        assert scores.mean()[system] == scores.summary()[system]
        assert f"{by_hand:.4f}" in str(table)
    assert "geometric" in scores.mean().statistic


@pytest.mark.parametrize("spelled", ["map", "P_5", "num_rel_ret"])
def test_other_means_stay_what_they_are(spelled):
    """D09: only geometric means change; of counts the mean is the mean, their table has the sum."""
    scores = md.evaluate(QRELS, RUNS, spelled).scores(spelled)
    assert scores.mean().values == pytest.approx(np.mean(scores.values, axis=1))


def test_correlations_of_systems_rank_them_by_their_geometric_means():
    """D09: "one" has the better plain mean, "two" the better geometric one."""
    table = md.evaluate(QRELS, RUNS, ["map", "gm_map"])
    plain, geometric_ = table.scores("map"), table.scores("gm_map")
    assert plain.mean()["one"] > plain.mean()["two"]
    assert geometric_.mean()["one"] < geometric_.mean()["two"]
    assert float(md.statistics.kendall(plain, geometric_)) == -1
    assert float(md.statistics.kendall(plain, geometric_.mean())) == -1


def test_a_comparison_names_what_its_means_are_of(call, files):
    """D09: differences are of plain means, which are not called geometric."""
    plain = md.compare(QRELS, RUNS, "AP")
    asked = md.compare(QRELS, RUNS, ["gm_map", "P@10"])
    assert [result.scores.measure for result in asked.results] == ["AP", "P@10"]
    for spelled in ("gm_map", "gm(AP)", "AP"):
        assert asked.of(spelled).means.to_dict() == plain.of("AP").means.to_dict()
    assert any("gm(AP) is compared as AP" in str(caveat) for caveat in asked.caveats)
    done = call("compare", *files, "-m", "gm_map")
    assert "gm(AP)" not in done.out
    assert "note: gm(AP) is compared as AP" in done.err
    assert "gm(AP)" not in call("compare", *files, "-m", "AP").err


def test_of_a_measure_and_its_geometric_mean_one_is_compared(call, files):
    """D09: trec_eval's official measures have both."""
    done = json.loads(call("compare", *files, "-m", "official", "-f", "json").out)
    assert list(done["measures"]).count("AP") == 1
    assert "gm(AP)" not in done["measures"]


def test_stored_scores_do_the_same(call, files, tmp_path):
    """D09: a store that has the geometric mean is compared under the name of what is averaged."""
    store = tmp_path / "store"
    call("evaluate", *files, "-m", "gm_map", "-m", "map", "--store", store)
    done = call("compare", store)
    assert "gm(AP)" not in done.out
    assert done.err.count("gm(AP) is compared as AP") == 1


def test_studies_margins_simulations_and_known_scores_do_the_same():
    """D09: wherever plain means are taken, they go by the name of what is averaged."""
    study = md.Study.from_files(QRELS, RUNS, ["gm_map"], fuse=False)
    assert list(study.measures) == ["AP"]
    assert any("gm(AP) is compared as AP" in str(caveat) for caveat in study.caveats)
    table = md.evaluate(QRELS, RUNS, ["gm_map"])
    known = md.compare(table)
    assert known.primary.scores.measure == "AP"
    assert any("gm(AP) is compared as AP" in str(caveat) for caveat in known.caveats)
    means = md.evaluate(QRELS, RUNS, "map").scores("map").mean()
    assert known.primary.means.to_dict() == pytest.approx(means.to_dict())
    judged = md.judge(RUNS, QRELS)
    assert "gm(AP)" not in str(md.margins(judged, "gm_map", "one", "two"))
