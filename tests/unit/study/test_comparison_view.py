"""A comparison of systems as text for people, and as tables for papers."""

from __future__ import annotations

import re

import pytest

import measurand as md
from measurand.display.latex import latex_table
from measurand.display.terminal import terminal_text
from measurand.display.wording import pvalue


def comparison_text(comparison, *, matrix=False, colour=False, width=120):
    return terminal_text(comparison.document(matrix=matrix), colour=colour, width=width)


def comparison_latex(comparison):
    return "\n".join(latex_table(comparison.view(each).latex_table()) for each in comparison.results)


ODD = ["[bold]x[/bold]", 'he "said" it', "<script>a_b&c%</script>", "日本 ü"]


@pytest.fixture(scope="module")
def sample(compared_sample):
    return compared_sample("P@10", "RR@10", "AP@10", test="t")


@pytest.fixture(scope="module")
def odd():
    qrels = {str(t): {"r0": 1, "r1": 1} for t in range(4)}
    ranked = [["r0", "r1"], ["r0", "n"], ["n", "r1"], ["n", "m"]]
    runs = [
        md.read_run(
            {topic: {document: 2.0 - rank for rank, document in enumerate(documents)} for topic in qrels}, name=name
        )
        for name, documents in zip(ODD, ranked, strict=True)
    ]
    return md.compare(md.judge(runs, md.read_qrels(qrels)), ["P@2", "RR@2"])


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("width", [60, 100])
def test_no_line_is_wider_than_asked_for(sample, odd, width):
    for comparison in (sample, odd):
        for matrix in (True, False):
            lines = comparison_text(comparison, matrix=matrix, width=width).splitlines()
            assert max(map(len, lines)) <= width


@pytest.mark.parametrize("width", [60, 120])
def test_no_number_is_cut(sample, width):
    text = comparison_text(sample, width=width)
    tables = [line for line in text.splitlines() if re.search(r"\d–\d+–\d", line)]
    assert len(tables) == 3 * (len(sample.dominance.systems) - 1)
    assert not any("…" in line for line in tables)
    for standing in sample.results:
        for name in standing.systems:
            assert re.search(rf"^ {name} .*\b{standing.summary[name]:.4f}\b", text, re.MULTILINE)


def test_narrow_text_leaves_the_interval_out_first(sample):
    heads = {
        width: next(line for line in comparison_text(sample, width=width).splitlines() if line.startswith(" system"))
        for width in (80, 120)
    }
    assert [name in heads[120] for name in ("95 %", "letters", "κ")] == [True] * 3
    assert [name in heads[80] for name in ("95 %", "letters", "κ")] == [False, False, True]
    for head in heads.values():
        assert [name in head for name in ("mean", "topics", "p (t, Holm)", "p (sign)")] == [True] * 4


def test_what_the_scale_admits_is_a_column_that_can_be_switched_on(sample):
    for admitted in (False, True):
        tables = [view for view in sample.document(admitted=admitted).tables if "system" in view.headings]
        assert [view.headings[1] for view in tables] == ["mean", *(("median", "rank") if admitted else ("mean",) * 2)]


def test_the_conclusion_comes_first_and_claims_add_what_it_has_not_said(sample):
    text = flat(comparison_text(sample))
    first, *others = sample.results
    assert text.startswith(flat(" ".join(map(str, (sample.conclusion.headline, *sample.conclusion.lines)))))
    for claim in first.claims:
        assert flat(f"{claim.system} and {claim.against}: {claim.beyond}") in text
        assert flat(claim.headline) not in text
        assert claim.sentence.endswith(claim.beyond)
    assert not any(flat(claim.beyond) in text for other in others for claim in other.claims)
    assert "Three measures were looked at; p-values are not corrected for that. P@10 is the primary one" in text
    for standing in sample.results:
        assert standing.in_numbers in text


def test_what_scales_do_not_admit_is_said_once_for_all_measures(sample):
    text = flat(comparison_text(sample))
    assert text.count("ordinal scale") == 1
    assert "P@10 is on an interval scale, so the order of its means is meaningful." in text
    assert "RR@10 and AP@10 are on ordinal scales" in text
    assert "*" not in text


def test_names_are_printed_as_they_are(odd):
    text = comparison_text(odd, matrix=True, width=120)
    for name in ODD:
        assert name in text


def test_colours_change_nothing_but_colours(sample):
    coloured = comparison_text(sample, colour=True, matrix=True)
    assert "\x1b[1m" in coloured
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in plain.splitlines()] == comparison_text(sample, matrix=True).splitlines()


def test_the_matrix_has_every_pair(sample):
    standing = sample.results[0]
    text = comparison_text(sample, matrix=True)
    n = len(standing.order)
    for number, place in enumerate(standing.order, 1):
        name = standing.scores.systems[place]
        wanted = [pvalue(standing.pairs.pvalues[place, other]) for other in standing.order if other != place]
        assert any(line.split() == [name, str(number), *wanted] for line in text.splitlines())
    assert n == len(wanted) + 1
    assert comparison_text(sample).count("\n") < text.count("\n")


def test_a_matrix_that_is_too_wide_is_not_printed():
    runs = [md.read_run({"1": {"x": 1.0}}, name=f"s{place:02d}") for place in range(60)]
    comparison = md.compare(md.judge(runs, md.read_qrels({"1": {"x": 1}})), "P@1")
    text = comparison_text(comparison, matrix=True)
    assert "The matrix of 60 systems is too wide to print; -f json has it." in text
    assert max(map(len, text.splitlines())) <= 120


def test_with_a_baseline_pairs_without_it_are_not_told(compared_sample):
    comparison = compared_sample("P@10", baseline="lexical-1")
    text = comparison_text(comparison, matrix=True)
    assert "Differences: row minus lexical-1, the baseline." in text
    assert "letters:" not in text
    n = len(comparison.dominance.systems)
    matrix = [line.split()[2:] for line in text.splitlines() if re.match(r" \S+ +\d+ ( *(–|1|<?0\.\d+))+$", line)]
    assert sum(row.count("–") for row in matrix) == (n - 1) * (n - 2)


@pytest.mark.parametrize(
    ("p", "told"),
    [
        (1.0, "1"),
        (0.99951, "1"),
        (0.5, "0.500"),
        (0.0312, "0.031"),
        (0.00995, "0.0100"),
        (1e-4, "0.0001"),
        (1e-9, "<0.0001"),
    ],
)
def test_pvalues_are_told_as_people_read_them(p, told):
    assert pvalue(p) == told


# LaTeX.


def test_latex_has_a_table_for_every_measure(sample):
    text = comparison_latex(sample)
    assert text.count(r"\begin{tabular}{lrlrrrrrrrl}") == 3
    assert text.count(r"$p$ (t) & $p$ (Holm)") == 3
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 3 * (1 + len(sample.dominance.systems))
    assert {row.count(" & ") for row in rows} == {10}
    assert all(line.startswith(("%", "\\")) or line.endswith(r"\\") for line in text.splitlines() if line)


def test_names_mean_themselves_in_latex(odd):
    text = comparison_latex(odd)
    assert r"\textless{}script\textgreater{}a\_b\&c\%\textless{}/script\textgreater{}" in text
    assert r"\textbf{[bold]x[/bold]}" in text
    # letters that pdfLaTeX does not know are set by number there
    assert r"\ifdefined\Umathchar 日本\else U+65E5 U+672C\fi" in text
