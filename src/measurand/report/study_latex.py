"""A study as tables for a paper, in the manner of booktabs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from measurand.display.data import finite
from measurand.display.latex import latex_table, tex
from measurand.display.tables import Column, TableView, Words, cells_view
from measurand.display.wording import pvalue
from measurand.report.study_frames import correlation_rows, flip_rows, fusion_rows
from measurand.statistics import find_test, need_of
from measurand.study.both_scales import TESTS
from measurand.study.comparison_view import (
    CORRECTED,
    between,
    counts,
    difference,
    direction,
    number,
    value_of,
)
from measurand.study.margins import written_margin
from measurand.study.measure_result import Claim, MeasureResult
from measurand.study.plan import versions
from measurand.study.study import Study

CHANGE, INTERVAL, TOPICS, P = r"$\Delta$ mean", r"95\,\%", "W--T--L", "$p$"
"""What stands above differences of means, their intervals, topics won, tied and lost, and p-values."""

NUMBERS = (CHANGE, INTERVAL, P, "$p$ corrected", TOPICS, r"$\kappa$")
"""What is said of a pair."""


def study_latex(study: Study) -> str:
    r"""Return the tables of a study, each below a comment that says what it is; they need the package booktabs.

    Parameters
    ----------
    study
        The study.

    Examples
    --------
    >>> import measurand as md
    >>> study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], "P@10", fuse=False)
    >>> print(study_latex(study).splitlines()[3])
    Systems & 2 \\
    """
    return "\n".join(map(latex_table, study_tables(study)))


def study_tables(study: Study) -> Iterator[TableView]:
    """Return the tables of a study that a paper has.

    Parameters
    ----------
    study
        The study.
    """
    yield _data(study)
    yield _systems(study)
    if len(study.systems) > 1:
        yield _claims(study)
        if study.scaled:
            yield _flips(study)
    if len(study.measures) > 1 and len(study.systems) > 1:
        yield _correlations(study)
    if study.fusions is not None:
        yield _fusion(study)


def _data(study: Study) -> TableView:
    judged, bases = study.judged, sorted(study.judged.recall_base.tolist())
    middle = len(bases) // 2
    median = bases[middle] if len(bases) % 2 else (bases[middle - 1] + bases[middle]) / 2
    indented = "\u00a0\u00a0of grade"
    rows = [
        ("Systems", f"{len(study.systems):,}"),
        ("Topics", f"{len(study.topics):,}"),
        ("Judgments", f"{int(judged.grade_counts.sum()):,}"),
        *((f"{indented} {grade}", f"{int(n):,}") for grade, n in enumerate(judged.grade_counts.sum(axis=0))),
        ("Relevant documents of a topic", f"{bases[0]}–{bases[-1]}, median {median:g}"),
        ("Ranks looked at", f"{judged.depth:,}"),
    ]
    # headings of their own would say nothing here
    return cells_view(["", ""], rows, title=f"Data. Made by measurand {versions()['measurand']}.")


def _systems(study: Study) -> TableView:
    results, plan = study.raw.results, study.plan
    letters = f" Systems that share a letter do not differ significantly (alpha = {plan.alpha:g})."
    lettered = len(study.systems) > 1 and plan.baseline is None
    title = f"Means over topics; best in bold.{letters if lettered else ''}"
    columns = [Column("System", str, left=True), *(_column(study, result) for result in results)]
    return TableView(columns, results[0].systems, title=title)


def _column(study: Study, result: MeasureResult) -> Column:
    """Return a measure's number of every system with its letters, the best strong."""
    rows = study.raw.view(result).rows()
    by_system = {row["system"]: row for row in rows}

    def cell(system: str) -> Words:
        row = by_system[system]
        tone = "strong" if row["value"] == rows[0]["value"] else ""
        return Words(((value_of(row, row["statistic"]), tone), (row["letters"], "super")))

    arrow = r" $\downarrow$" if result.summary.lower_is_better else ""
    return Column(result.scores.measure, cell, latex=f"{tex(result.scores.measure)}{arrow}")


def _claims(study: Study) -> TableView:
    """Return a table of the pairs that are spoken of under each measure."""
    results = study.raw.results
    rows = [_claim(result, claim) for result in results for claim in result.claims]
    corrected = "; ".join(dict.fromkeys(CORRECTED[each.pairs.adjusted] for each in results))
    tests = "; ".join(f"{each.scores.measure}: {each.pairs.needs.statistic}" for each in results)
    title = (
        f"Comparisons: mean differences with 95 % intervals (t distribution), topics won, tied and lost; {corrected}."
        f" Tests: {tests}; p of the pair alone, and corrected. Kappa: how uneven another spacing of the scale must be"
        " to change the order of the two means; infinite where none does."
    )
    columns = [
        *(Column(head, place, left=True) for place, head in enumerate(("Measure", "System", "Against"))),
        *(Column(head, place, latex=head) for place, head in enumerate(NUMBERS, 3)),
    ]
    return TableView(columns, rows, title=title)


def _claim(result: MeasureResult, claim: Claim) -> list[str]:
    effect = claim.effect
    return [
        result.scores.measure + direction(result.scores),
        claim.system,
        claim.against,
        difference(finite(effect.mean_difference)),
        between({"low": finite(effect.low), "high": finite(effect.high)}),
        pvalue(claim.pvalue),
        pvalue(claim.corrected),
        counts({name: getattr(effect, name) for name in ("wins", "ties", "losses")}),
        written_margin(claim.kappa),
    ]


def _flips(study: Study) -> TableView:
    plan, found = study.plan, {(row["measure"], row["test"]): row for row in flip_rows(study)}
    title = (
        f"Pairs significant at alpha = {plan.alpha:g} with raw scores, and how many of them are lost (-) and won (+) on"
        f" the interval scale; {CORRECTED[plan.adjust]}, Tukey's for the analysis of variance."
    )

    def cell(measure: str, test: str) -> str:
        row = found[measure, test]
        return f"{row['significant_raw']} (-{row['s2ns']}, +{row['ns2s']})"

    heads = ["Measure", *(need_of(find_test(test)).statistic for test in TESTS)]
    rows = [[measure, *(cell(measure, test) for test in TESTS)] for measure in study.scaled]
    return cells_view(heads, rows, title=title)


def _correlations(study: Study) -> TableView:
    selves = ", ".join(f"{name} {_tau(tau)}" for name, tau in study.agreement.selves.items())
    own = f" Each with its interval-scaled self: {selves}." if selves else ""
    title = f"Kendall's tau between the orders in which two measures put the systems, by averages.{own}"
    change = "change_percent"
    columns = [
        *(Column("Measure", name, left=True) for name in ("a", "b")),
        Column("raw", lambda row: _tau(row["raw"]), latex=r"$\tau$ raw"),
        Column("interval", lambda row: _tau(row["interval"]), latex=r"$\tau$ interval"),
        Column("change", lambda row: "" if row[change] is None else f"{row[change]:+.1f}", latex=r"$\Delta$\,\%"),
    ]
    return TableView(columns, correlation_rows(study), title=title)


def _fusion(study: Study) -> TableView:
    title = (
        "Fusions against the system with the best mean under each measure, made of the same runs and scored on the same"
        " judgments; the best system was chosen after looking."
    )

    def name(row: Mapping[str, Any]) -> str:
        return f"{row['system']} (best system)" if row["system"] == row["best"] else row["system"]

    columns = [
        Column("Measure", "measure", left=True),
        Column("Fusion", name, left=True),
        Column("mean", lambda row: number(row["mean"])),
        Column(CHANGE, lambda row: difference(row["difference"]), latex=CHANGE),
        Column(INTERVAL, between, latex=INTERVAL),
        Column(TOPICS, counts, latex=TOPICS),
        Column(P, lambda row: "" if row["p_corrected"] is None else pvalue(row["p_corrected"]), latex=P),
    ]
    return TableView(columns, fusion_rows(study), title=title)


def _tau(tau: float) -> str:
    return "–" if tau != tau else f"{tau:.3f}"
