"""The tables of a study for a paper."""

from __future__ import annotations

import re

import pytest

import measurand as md
from measurand.display.wording import pvalue
from measurand.report.study_latex import study_latex
from measurand.study.levels_view import held_under
from measurand.study.margins import written_margin

NASTY = r"50%_a & $b$ #{c} \d ~^"


@pytest.fixture(scope="module")
def study() -> md.Study:
    measures = ["AP@30", "P@10", "ESL", "AP@100", "Judged@10"]
    return md.Study.from_files(md.sample.qrels(), md.sample.runs()[:4], measures, interval=True)


def tables(text: str) -> list[list[list[str]]]:
    """Return the cells of every table, row by row, and complain of rows that do not fit their table."""
    found = []
    for columns, body in re.findall(r"\\begin\{tabular\}\{(\w+)\}\n(.*?)\\end\{tabular\}", text, re.DOTALL):
        lines = [line for line in body.splitlines() if not line.startswith(("\\toprule", "\\midrule", "\\bottomrule"))]
        rows = [re.split(r"(?<!\\) & ", line.removesuffix(r" \\")) for line in lines]
        assert all(line.endswith(r" \\") for line in lines)
        assert all(len(row) == len(columns) for row in rows)
        found.append(rows)
    return found


def test_every_row_has_as_many_cells_as_its_table(study):
    data, systems, claims, flips, correlations, fusion = tables(study_latex(study))
    assert len(data) == 9
    assert len(systems) == 1 + 4
    assert len(claims) == 1 + 4 * 3
    assert len(flips) == 1 + 2
    assert len(correlations) == 1 + 6
    assert len(fusion) == 1 + 4 * 5


def test_systems_have_their_means_with_letters_and_what_was_judged(study):
    systems = tables(study_latex(study))[1]
    assert systems[0][1:] == ["AP@30", "P@10", r"ESL(i=1) $\downarrow$", "AP@100", "Judged@10"]
    assert all(row[-1].endswith(r"\%") for row in systems[1:])
    standing = study.result("P@10")
    for row in systems[1:]:
        letters = standing.letters[row[0]]
        number = f"{standing.summary[row[0]]:.4f}"
        shown = rf"\textbf{{{number}}}" if row[0] == standing.systems[0] else number
        assert row[2] == rf"{shown}\textsuperscript{{{letters}}}"


def test_claims_tell_what_they_are_worth(study):
    claims = tables(study_latex(study))[2][1:]
    expected = [claim for standing in study.raw.results for claim in standing.claims]
    assert [row[1:3] for row in claims] == [[claim.system, claim.against] for claim in expected]
    margins = [written_margin(claim.kappa).replace("∞", r"$\infty$") for claim in expected]
    assert [row[-2] for row in claims] == margins
    assert [row[-1] for row in claims] == [held_under(claim.level, claim.first) for claim in expected]
    values = [[claim.pvalue, claim.corrected, claim.sign] for claim in expected]
    assert [[row[5], row[6], row[8]] for row in claims] == [
        [pvalue(p).replace("<", "$<$") for p in several] for several in values
    ]


def test_flips_are_those_of_the_study(study):
    for row in tables(study_latex(study))[3][1:]:
        flips = study.tests.flips(row[0], "paired_t", adjust="holm", alpha=0.05)
        assert row[3] == f"{flips.sig} ($-{flips.s2ns}$, $+{flips.ns2s}$)"


def test_names_mean_themselves():
    runs = [
        md.read_run({"1": {"x": 1.0}, "2": {"y": 2.0 - place}}, name=name) for place, name in enumerate((NASTY, "b"))
    ]
    study = md.Study.from_files({"1": {"x": 1}, "2": {"x": 1}}, runs, "P@1")
    text = study_latex(study)
    outside = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert NASTY not in outside
    assert r"50\%\_a \& \$b\$ \#\{c\} \textbackslash{}d \textasciitilde{}\textasciicircum{}" in outside
    assert not re.search(r"(?<!\\)%", outside)
    tables(text)


def test_one_system_has_a_short_story():
    study = md.Study.from_files({"1": {"x": 1}}, {"1": {"x": 3.0, "y": 2.0, "z": 1.0}}, ["P@1", "RR"])
    [_, systems] = tables(study_latex(study))
    assert systems == [["System", "P@1", "RR"], ["run", r"\textbf{1.0000}", r"\textbf{1.0000}"]]


def test_the_table_of_means_has_the_mean_of_every_system_and_names_the_test_of_its_letters():
    study = md.Study.from_files(md.sample.qrels(), md.sample.runs(), ["P@10", "RR@10"], fuse=False)
    [table] = [part for part in study_latex(study).split("\n\n") if part.startswith("% Means over topics")]
    assert "do not differ significantly (paired t test, p-values corrected by Holm's method, alpha = 0.05)." in table
    for name in ("P@10", "RR@10"):
        means = study.scores(name).mean()
        assert all(f"{means[system]:.4f}" in table for system in study.systems)
        assert rf"\textbf{{{max(means):.4f}}}" in table
