"""A study as tables for a paper, in the manner of booktabs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from measurand.display.data import finite
from measurand.display.latex import latex_table, tex
from measurand.display.tables import Column, TableView, Words, cells_view
from measurand.display.wording import capitalised, percent, pvalue
from measurand.report.page.data import few_grade_rows
from measurand.report.study_frames import correlation_rows, flip_rows, fusion_rows
from measurand.scores import Scores
from measurand.statistics import find_test, need_of
from measurand.study.both_scales import TESTS
from measurand.study.claim import Claim
from measurand.study.levels_view import HEADING, column_in_words, held_under
from measurand.study.margins import written_margin
from measurand.study.measure_result import MeasureResult
from measurand.study.plan import versions
from measurand.study.scale_paragraphs import grouped
from measurand.study.scores_view import (
    CORRECTED,
    between,
    counts,
    difference,
    direction,
    value_of,
)
from measurand.study.study import Study

CHANGE, INTERVAL, TOPICS, P = r"$\Delta$ mean", r"95\,\%", "W--T--L", "$p$"
"""What stands above differences of means, their intervals, topics won, tied and lost, and p-values."""

CORRECTED_P, SIGN, HELD = "$p$ corrected", "$p$ sign", capitalised(HEADING)

NUMBERS = (CHANGE, INTERVAL, P, CORRECTED_P, TOPICS, SIGN, r"$\kappa$", HELD)
"""What is said of a pair, …"""

OF_MEANS = (CHANGE, INTERVAL, r"$\kappa$")
"""… and what of it is about means."""


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
        *((f"{indented} {row['grade']}", f"{row['count']:,}") for row in few_grade_rows(study)),
        ("Relevant documents of a topic", f"{bases[0]}–{bases[-1]}, median {median:g}"),
        ("Ranks looked at", f"{judged.depth:,}"),
    ]
    # headings of their own would say nothing here
    return cells_view(["", ""], rows, title=f"Data. Made by measurand {versions()['measurand']}.")


def _systems(study: Study) -> TableView:
    results, plan = study.raw.results, study.plan
    letters = (
        f" Systems that share a letter do not differ significantly ({_tests(results)}, {_corrections(results)},"
        f" alpha = {plan.alpha:g})."
    )
    lettered = len(study.systems) > 1 and plan.baseline is None
    numbers = "Means over topics" if not plan.strict else f"Over topics, {_statistics(results)}"
    title = f"{numbers}; best in bold.{letters if lettered else ''}"
    columns = [Column("System", str, left=True), *(_column(study, result, lettered=lettered) for result in results)]
    columns += [_described(scores) for scores in study.raw.described]
    return TableView(columns, results[0].systems, title=title)


def _tests(results: Sequence[MeasureResult]) -> str:
    """Return by which test systems are compared, with the measures where it is not the same under all."""
    return _by_measure(grouped(results, lambda each: each.pairs.needs.statistic))


def _statistics(results: Sequence[MeasureResult]) -> str:
    """Return what systems are ordered by, with the measures where it is not the same under all."""
    return _by_measure(grouped(results, lambda each: f"the {each.summary.statistic}"))


def _by_measure(groups: Mapping[str, Sequence[MeasureResult]]) -> str:
    if len(groups) == 1:
        return next(iter(groups))
    return "; ".join(
        f"{kind} under {', '.join(each.scores.measure for each in several)}" for kind, several in groups.items()
    )


def _corrections(results: Sequence[MeasureResult]) -> str:
    return "; ".join(dict.fromkeys(CORRECTED[each.pairs.adjusted] for each in results))


def _described(scores: Scores) -> Column:
    """Return how much was judged of every system."""
    means = scores.mean()
    return Column(scores.measure, lambda system: percent(means[system]))


def _column(study: Study, result: MeasureResult, *, lettered: bool) -> Column:
    """Return a measure's number of every system with its letters, the best strong."""
    rows = study.raw.view(result).rows()
    by_system = {row["system"]: row for row in rows}

    def cell(system: str) -> Words:
        row = by_system[system]
        tone = "strong" if row["value"] == rows[0]["value"] else ""
        return Words(((value_of(row, row["statistic"]), tone), (row["letters"] if lettered else "", "super")))

    arrow = r" $\downarrow$" if result.summary.lower_is_better else ""
    return Column(result.scores.measure, cell, latex=f"{tex(result.scores.measure)}{arrow}")


def _claims(study: Study) -> TableView:
    """Return a table of the pairs that are spoken of under each measure."""
    results = study.raw.results
    rows = [_claim(result, claim) for result in results for claim in result.claims]
    means = any(result.by_means for result in results)
    where = " where the scale admits means" if means and study.plan.strict else ""
    differences = f": mean of the system minus that of the other{where}, with 95 % interval (t distribution)"
    kappa = (
        f" Kappa{where}: how uneven another spacing of the scale, one for all topics, must be to change the order of"
        " the two means; infinite where none does."
    )
    title = (
        f"Comparisons{differences if means else ''}. p: of the pair alone, {_tests(results)}; corrected:"
        f" {_corrections(results)}. Topics won, tied and lost, with p of the sign test of the pair alone."
        f"{kappa if means else ''} {capitalised(column_in_words(study.raw.levels))}"
    )
    columns = [
        *(Column(head, place, left=True) for place, head in enumerate(("Measure", "System", "Against"))),
        *(
            Column(head, place, latex=head, left=head == HELD)
            for place, head in enumerate(NUMBERS, 3)
            if means or head not in OF_MEANS
        ),
    ]
    return TableView(columns, rows, title=title)


def _claim(result: MeasureResult, claim: Claim) -> list[str]:
    effect = claim.effect
    return [
        result.scores.measure + direction(result.scores),
        claim.system,
        claim.against,
        difference(finite(effect.mean_difference)) if result.by_means else "",
        between({"low": finite(effect.low), "high": finite(effect.high)}) if result.by_means else "",
        pvalue(claim.pvalue),
        pvalue(claim.corrected),
        counts({name: getattr(effect, name) for name in ("wins", "ties", "losses")}),
        pvalue(claim.sign),
        written_margin(claim.kappa) if result.by_means else "",
        held_under(claim.level, claim.first),
    ]


def _flips(study: Study) -> TableView:
    plan, found = study.plan, {(row["measure"], row["test"]): row for row in flip_rows(study)}
    tukey = ", Tukey's for the analysis of variance" if any(test == "two_way_anova" for _, test in found) else ""
    title = (
        f"Pairs significant at alpha = {plan.alpha:g} with raw scores, and how many of them are lost (-) and won (+) on"
        f" the interval scale; {CORRECTED[plan.adjust]}{tukey}."
    )

    def cell(measure: str, test: str) -> str:
        row = found.get((measure, test))
        # a strict study leaves out tests that one of the scales does not admit
        return "–" if row is None else f"{row['significant_raw']} (-{row['s2ns']}, +{row['ns2s']})"

    tests = [test for test in TESTS if any(test == made for _, made in found)]
    heads = ["Measure", *(need_of(find_test(test)).statistic for test in tests)]
    rows = [[measure, *(cell(measure, test) for test in tests)] for measure in study.scaled]
    return cells_view(heads, rows, title=title)


def _correlations(study: Study) -> TableView:
    selves = ", ".join(f"{name} {_tau(tau)}" for name, tau in study.agreement.selves.items())
    own = f" Each with its interval-scaled self: {selves}." if selves else ""
    by = "means" if not study.plan.strict else _statistics(study.raw.results)
    title = f"Kendall's tau between the orders in which two measures put the systems, by {by}.{own}"
    change = "change_percent"
    columns = [
        *(Column("Measure", name, left=True) for name in ("a", "b")),
        Column("raw", lambda row: _tau(row["raw"]), latex=r"$\tau$ raw" if study.scaled else r"$\tau$"),
    ]
    on_interval = [
        Column("interval", lambda row: _tau(row["interval"]), latex=r"$\tau$ interval"),
        Column("change", lambda row: "" if row[change] is None else f"{row[change]:+.1f}", latex=r"$\Delta$\,\%"),
    ]
    return TableView([*columns, *(on_interval if study.scaled else [])], correlation_rows(study), title=title)


def _fusion(study: Study) -> TableView:
    assert study.fusions is not None  # nobody asks otherwise
    results = [study.fusions.of(name) for name in study.measures]
    best = "number" if study.plan.strict else "mean"
    title = (
        f"Fusions against the system with the best {best} under each measure, made of the same runs and scored on the"
        f" same judgments; the best system was chosen after looking. p: {_tests(results)}; corrected:"
        f" {_corrections(results)}."
    )

    def name(row: Mapping[str, Any]) -> str:
        return f"{row['system']} (best system)" if row["system"] == row["best"] else row["system"]

    change = Column(CHANGE, lambda row: difference(row["difference"]), latex=CHANGE)
    interval = Column(INTERVAL, between, latex=INTERVAL)
    columns = [
        Column("Measure", "measure", left=True),
        Column("Fusion", name, left=True),
        *([Column("", "statistic", left=True)] if study.plan.strict else []),
        Column("value" if study.plan.strict else "mean", lambda row: value_of(row, row["statistic"])),
        *([change, interval] if any(result.by_means for result in results) else []),
        Column(P, lambda row: _pvalue(row["p"]), latex=P),
        Column(CORRECTED_P, lambda row: _pvalue(row["p_corrected"]), latex=CORRECTED_P),
        Column(TOPICS, counts, latex=TOPICS),
        Column(SIGN, lambda row: _pvalue(row["p_sign"]), latex=SIGN),
    ]
    return TableView(columns, fusion_rows(study), title=title)


def _pvalue(p: float | None) -> str:
    return "" if p is None else pvalue(p)


def _tau(tau: float) -> str:
    return "–" if tau != tau else f"{tau:.3f}"
