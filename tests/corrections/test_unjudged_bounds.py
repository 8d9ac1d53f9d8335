"""`--unjudged` varies the grades of retrieved documents alone, and says so (D15)."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import measurand as md

RUN = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}}
JUDGED = {"a": 1, "e": 1}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("".join(f"1 0 {document} {grade}\n" for document, grade in JUDGED.items()))
    Path("s.run").write_text("".join(f"1 Q0 {d} {at} {-at} s\n" for at, d in enumerate("abc", 1)))
    return "qrels", "s.run"


def values(measure, unjudged):
    """Return the scores over all grades of some unjudged documents."""
    graded = (JUDGED | dict(zip(unjudged, grades, strict=True)) for grades in product((0, 1), repeat=len(unjudged)))
    return [float(md.evaluate({"1": qrels}, RUN, measure)) for qrels in graded]


@pytest.mark.parametrize("measure", ["AP", "nDCG@3", "P@3", "RR"])
def test_bounds_are_over_the_grades_of_retrieved_documents_alone(measure):
    """D15: brute force; one more relevant document that the run lacks goes below the lowest AP and nDCG."""
    table = md.evaluate({"1": JUDGED}, RUN, measure, unjudged="bounds")
    low, _, high = (float(scores) for scores in table)
    retrieved, more = values(measure, "bc"), values(measure, "bcxyz")
    assert (low, high) == pytest.approx((min(retrieved), max(retrieved)))
    further = min(more) < low - 1e-9
    assert further is (measure in ("AP", "nDCG@3"))
    said = " ".join(map(str, table.caveats))
    assert "that a run retrieves" in said
    assert ("did not retrieve" in said) is further


def test_help_and_output_say_so(call, files):
    """D15: nowhere "whatever the unjudged documents"."""
    shown = " ".join(call("evaluate", "--help").out.split())
    assert "that a run retrieves" in shown
    assert "could be lower yet" in shown
    noted = " ".join(call("evaluate", *files, "-m", "AP", "--unjudged", "bounds").err.split())
    assert "that a run retrieves" in noted
    assert "did not retrieve" in noted
    assert "retrieves" in md.evaluate.__doc__.partition("unjudged :")[2]
