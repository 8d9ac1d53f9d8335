"""The tables of a study for a paper."""

from __future__ import annotations

import re

import pytest

import measurand as md
from measurand.report.study_latex import study_latex

NASTY = r"50%_a & $b$ #{c} \d ~^"


@pytest.fixture(scope="module")
def study() -> md.Study:
    return md.Study.from_files(md.sample.qrels(), md.sample.runs()[:4], ["AP@30", "P@10", "ESL", "AP@100"])


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
    data, systems, means, claims, flips, correlations, fusion = tables(study_latex(study))
    assert len(data) == 9
    assert len(systems) == len(means) == 1 + 4
    assert len(claims) == 1 + 4 * 3
    assert len(flips) == 1 + 2
    assert len(correlations) == 1 + 6
    assert len(fusion) == 1 + 4 * 5


def test_systems_have_the_number_that_the_scale_admits_and_their_letters(study):
    systems = tables(study_latex(study))[1]
    assert systems[0][1:3] == [r"AP@30 (mean rank) $\downarrow$", "P@10 (mean)"]
    standing = study.result("P@10")
    for row in systems[1:]:
        letters = standing.letters[row[0]]
        number = f"{standing.summary[row[0]]:.4f}"
        shown = rf"\textbf{{{number}}}" if row[0] == standing.systems[0] else number
        assert row[2] == rf"{shown}\textsuperscript{{{letters}}}"


def test_claims_tell_what_they_are_worth(study):
    claims = tables(study_latex(study))[3][1:]
    expected = [claim for standing in study.raw.results for claim in standing.claims]
    assert [row[1:3] for row in claims] == [[claim.ahead, claim.behind] for claim in expected]
    assert [row[-1] for row in claims] == [str(claim.meaning.answer) for claim in expected]
    starred = {row[0] for row in claims if "^{*}" in row[3]}
    assert starred == {"AP@30", "AP@100", "ESL(i=1), lower is better"}


def test_flips_are_those_of_the_study(study):
    for row in tables(study_latex(study))[4][1:]:
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
    assert len(tables(study_latex(study))) == 3


def test_the_table_of_means_has_the_mean_of_every_system_and_stars_what_is_not_admitted():
    study = md.Study.from_files(md.sample.qrels(), md.sample.runs(), ["P@10", "RR@10"], fuse=False)
    [table] = [part for part in study_latex(study).split("\n\n") if part.startswith("% Means over topics")]
    assert "P@10 & RR@10$^{*}$" in table
    for name in ("P@10", "RR@10"):
        means = study.scores(name).mean()
        assert all(f"{means[system]:.4f}" in table for system in study.systems)
        assert rf"\textbf{{{max(means):.4f}}}" in table
