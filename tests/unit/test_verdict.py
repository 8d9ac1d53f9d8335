"""Verdicts in notebooks: the answer, how it is known, and the runs that show it."""

from __future__ import annotations

from xml.etree import ElementTree

import measurand as md
from measurand.verdict import How, Verdict, Witness


def test_a_verdict_draws_the_runs_of_its_witness_with_their_values(text_of):
    verdict = md.axioms.replacement(lambda run: -sum(run), depth=3, grades=2)
    chart = verdict.plot().to_dict()
    letters = [cell["text"] for cell in chart["layer"][1]["data"]["values"]]
    assert letters == [str(grade) for run in verdict.witness for grade in run]
    values = [cell["text"] for cell in chart["layer"][2]["data"]["values"]]
    assert values == [f"value {value}" for value in verdict.witness.values]
    page = text_of(verdict._repr_html_())
    assert "does not hold" in page
    assert "counterexample" in page
    assert verdict.witness.why in page
    assert all(" ".join(map(str, run)) in page for run in verdict.witness)


def test_a_verdict_without_witness_is_told_in_words(text_of):
    verdict = Verdict(True, None, "all 16 runs of 4 ranks", How.EXHAUSTIVE)
    assert "holds (exhaustive)" in verdict.plot().to_svg()
    assert "all 16 runs of 4 ranks" in text_of(verdict._repr_html_())


def test_a_long_run_is_drawn_in_blocks():
    verdict = Verdict(False, Witness(((0,) * 300 + (1,), ()), (), "long"), how=How.COUNTEREXAMPLE)
    cells = verdict.plot().to_dict()["layer"][1]["data"]["values"]
    assert [cell["text"] for cell in cells] == ["300×0", "1"]
    assert "300×0 1" in verdict._repr_html_()
    assert "nothing" in verdict._repr_html_()


def test_a_witness_that_is_no_run_is_told_in_words():
    verdict = Verdict(False, ("a < b", 3), "everything", How.COUNTEREXAMPLE)
    assert "a &lt; b" in verdict._repr_html_()
    ElementTree.fromstring(verdict.plot().to_svg())


def test_a_bare_verdict_is_told_without_a_colon():
    assert str(Verdict(True)) == Verdict(True).plot().description == "holds (exhaustive)"


def test_runs_and_values_that_are_too_long_are_cut(text_of):
    verdict = Verdict(False, Witness(((0, 1) * 500, (1,) * 30), (10**400, 2)), how=How.COUNTEREXAMPLE)
    letters = [cell["text"] for cell in verdict.plot().to_dict()["layer"][1]["data"]["values"]]
    assert letters[-2:] == ["… 960 more ranks", "30×1"]
    page = text_of(verdict._repr_html_())
    assert "1.000e+400" in page
    assert "0" * 20 not in page
