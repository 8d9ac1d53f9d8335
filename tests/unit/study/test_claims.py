from __future__ import annotations

import numpy as np

from measurand import compare
from measurand.judged import JudgedRuns
from measurand.scores import Scores
from measurand.trec import read_run

QRELS = {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}}
TOP, SECOND = {"a": 2.0, "b": 1.0}, {"a": 1.0, "b": 2.0}


def only_claim(measure, one, other):
    several = {"one": one, "other": other}
    systems = [read_run(dict(zip("123", runs, strict=True)), name=name) for name, runs in several.items()]
    return compare(QRELS, systems, measure).of(measure).claims[0]


def test_means_of_a_huge_collection_are_told_apart():
    measure = "OIE(beta=1.2, collection=1000000000000000)"
    found = only_claim(measure, [SECOND] * 3, [SECOND, SECOND, TOP])
    assert found.apart
    assert (found.ahead, found.behind) == ("other", "one")
    assert 0 < found.means[0] - found.means[1] < 1e-14
    assert "0.0000 " not in found.headline


def test_means_that_differ_by_rounding_are_one():
    # 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1 in floats
    scores = Scores(measure="P@10", values=[[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]], systems=("one", "other"), topics="123")
    means = scores.mean()
    assert means["one"] != means["other"]
    [found] = compare(judged([1, 2, 3], [3, 2, 1]), "P@10").of("P@10").claims
    assert not found.apart
    assert found.means[0] == found.means[1]


def judged(*found):
    """Return runs of ten documents, with so many relevant ones on each topic."""
    cells = np.array([[[1] * n + [0] * (10 - n) for n in topics] for topics in found], dtype=np.int8)
    return JudgedRuns(
        systems=tuple(f"s{i}" for i in range(len(found))),
        topics=tuple("123"),
        cells=cells,
        lengths=np.full(cells.shape[:2], 10),
        grade_counts=np.full((3, 2), 10),
    )


def test_a_small_mean_that_two_share_is_shown():
    found = only_claim("OIE(beta=1.2, collection=100000000)", [SECOND] * 3, [SECOND] * 3)
    assert "e-0" in found.headline
    assert "both" in found.headline
