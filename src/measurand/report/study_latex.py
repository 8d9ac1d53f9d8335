"""A study as tables for a paper, in the manner of booktabs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from measurand.display.wording import pvalue
from measurand.report.compare_data import comparison_rows
from measurand.report.compare_words import CORRECTED, admitted, between, counts, difference, direction, doubtful, number
from measurand.report.flip_rows import flip_rows
from measurand.report.fusion_rows import fusion_rows
from measurand.report.latex import bold, booktabs, tex
from measurand.scores.summary import written
from measurand.statistics import find_test, need_of
from measurand.study.both_scales import TESTS
from measurand.study.measure_result import Standing
from measurand.study.plan import versions
from measurand.study.study import Study


def study_latex(study: Study) -> str:
    r"""Return the tables of a study, each below a comment that says what it tells; they need the package booktabs.

    Numbers that a scale does not admit are starred.

    Examples
    --------
    >>> import measurand as md
    >>> study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], "P@10", fuse=False)
    >>> print(study_latex(study).splitlines()[3])
    Systems & 2 \\
    """
    return "\n".join(_tables(study))


def _tables(study: Study) -> Iterator[str]:
    yield _data(study)
    yield _systems(study)
    if any(standing.summary.statistic != "mean" for standing in study.raw.standings):
        yield _means(study)
    if len(study.systems) > 1:
        yield _claims(study)
        if study.scaled:
            yield _flips(study)
    if len(study.measures) > 1 and len(study.systems) > 1:
        yield _correlations(study)
    if study.fusions is not None:
        yield _fusion(study)


def _commented(words: str) -> str:
    """Return words as a comment of one line."""
    return f"% {' '.join(words.split())}\n"


def _data(study: Study) -> str:
    judged, bases = study.judged, sorted(study.judged.recall_base.tolist())
    middle = len(bases) // 2
    median = bases[middle] if len(bases) % 2 else (bases[middle - 1] + bases[middle]) / 2
    rows = [
        ("Systems", f"{len(study.systems):,}"),
        ("Topics", f"{len(study.topics):,}"),
        ("Judgments", f"{int(judged.grade_counts.sum()):,}"),
        *((f"~~of grade {grade}", f"{int(n):,}") for grade, n in enumerate(judged.grade_counts.sum(axis=0))),
        ("Relevant documents of a topic", f"{bases[0]}--{bases[-1]}, median {median:g}"),
        ("Ranks looked at", f"{judged.depth:,}"),
    ]
    made = f"Data. Made by measurand {versions()['measurand']}."
    # a head of its own would say nothing here
    table = booktabs("lr", ["", ""], rows).replace(" &  \\\\\n\\midrule\n", "", 1)
    return _commented(made) + table


def _systems(study: Study) -> str:
    standings = study.raw.standings
    columns = [_column(study, standing) for standing in standings]
    order = standings[0].systems
    plan = study.plan
    letters = f" Systems that share a letter do not differ significantly (alpha = {plan.alpha:g})."
    starred = (
        " *: the scale does not admit this number." if any(not each.summary.admitted for each in standings) else ""
    )
    caption = (
        "Systems by the number that the scale of each measure admits (ranks: the mean rank within topics);"
        f" best in bold.{letters if len(order) > 1 and plan.baseline is None else ''}{starred}"
    )
    heads = ["System", *(_head(standing) for standing in standings)]
    rows = [[tex(system), *(column[system] for column in columns)] for system in order]
    return _commented(caption) + booktabs("l" + "r" * len(standings), heads, rows)


def _means(study: Study) -> str:
    """Return the table of means, which most papers have."""
    standings = study.raw.standings
    caption = "Means over topics; best in bold. *: the scale of the measure does not admit means."
    heads = [tex(each.scores.measure) + ("" if each.means.admitted else "$^{*}$") for each in standings]
    best = [each.means[each.means.best_first[0]] for each in standings]
    rows = [
        [tex(system), *(_mean(each, system, top) for each, top in zip(standings, best, strict=True))]
        for system in standings[0].systems
    ]
    return _commented(caption) + booktabs("l" + "r" * len(standings), ["System", *heads], rows)


def _mean(standing: Standing, system: str, best: float) -> str:
    value = standing.means[system]
    shown = written(value).replace("–", "--")
    return bold(shown) if value == best else shown


def _head(standing: Standing) -> str:
    star = "" if standing.summary.admitted else "$^{*}$"
    arrow = r" $\downarrow$" if standing.summary.lower_is_better else ""
    return f"{tex(standing.scores.measure)} ({standing.summary.statistic}{star}){arrow}"


def _column(study: Study, standing: Standing) -> dict[str, str]:
    """Return a measure's number of every system with its letters, the best in bold."""
    found = {}
    rows = comparison_rows(study.raw, standing)
    for row in rows:
        shown = admitted(standing, row).replace("–", "--")
        marked = bold(shown) if row["value"] == rows[0]["value"] else shown
        found[row["system"]] = marked + (rf"\textsuperscript{{{row['letters']}}}" if row["letters"] else "")
    return found


def _claims(study: Study) -> str:
    """Return a table of the pairs that are spoken of under each measure."""
    rows = []
    for standing in study.raw.standings:
        star = doubtful(standing.means.caveats)
        for claim in standing.claims:
            effect = claim.effect
            told = {name: getattr(effect, name) for name in ("wins", "ties", "losses")}
            rows.append(
                [
                    tex(standing.scores.measure + direction(standing.scores)),
                    tex(claim.ahead),
                    tex(claim.behind),
                    _maths(difference(_finite(effect.mean_difference)), starred=star),
                    _maths(between({"low": _finite(effect.low), "high": _finite(effect.high)})),
                    counts(told, dash="--"),
                    _p(claim.pvalue),
                    str(claim.meaning.answer),
                ]
            )
    corrected = "; ".join(dict.fromkeys(CORRECTED[each.pairs.adjusted] for each in study.raw.standings))
    tests = "; ".join(f"{each.scores.measure}: {each.pairs.needs.statistic}" for each in study.raw.standings)
    caption = (
        f"Comparisons: mean differences with 95 % intervals (t distribution), topics won, tied and lost; {corrected}."
        f" Tests: {tests}. Robust: no rescaling that the scale permits turns the order of means round."
        " *: the scale does not admit means."
    )
    heads = ["Measure", "Ahead", "Behind", r"$\Delta$ mean", r"95\,\%", "W--T--L", "$p$", "Order of means"]
    return _commented(caption) + booktabs("lllrrrrl", heads, rows)


def _flips(study: Study) -> str:
    plan, found = study.plan, {(row["measure"], row["test"]): row for row in flip_rows(study)}
    corrected = CORRECTED[plan.adjust]
    caption = (
        f"Pairs significant at alpha = {plan.alpha:g} with raw scores, and how many of them are lost (-) and won (+) on"
        f" the interval scale; {corrected}, Tukey's for the analysis of variance."
    )
    rows = []
    for measure in study.scaled:
        cells = [found[measure, test] for test in TESTS]
        rows.append(
            [tex(measure), *(f"{row['significant_raw']} ($-{row['s2ns']}$, $+{row['ns2s']}$)" for row in cells)]
        )
    heads = ["Measure", *(need_of(find_test(test)).statistic for test in TESTS)]
    return _commented(caption) + booktabs("l" + "r" * len(TESTS), heads, rows)


def _correlations(study: Study) -> str:
    rows = []
    for (a, b), pair in study.agreement.pairs.items():
        change = "--" if pair.delta is None else f"${pair.delta:+.1f}$"
        rows.append([tex(a), tex(b), _tau(pair.raw), _tau(pair.ranked), change])
    selves = ", ".join(f"{name} {_tau(tau)}" for name, tau in study.agreement.selves.items())
    caption = "Kendall's tau between the orders in which two measures put the systems, by averages."
    own = f" Each with its interval-scaled self: {selves}." if selves else ""
    heads = ["Measure", "Measure", r"$\tau$ raw", r"$\tau$ interval", r"$\Delta$\,\%"]
    return _commented(caption + own) + booktabs("llrrr", heads, rows)


def _fusion(study: Study) -> str:
    rows: list[Sequence[str]] = []
    for row in fusion_rows(study):
        star = "" if row["mean_admitted"] else "$^{*}$"
        best = row["system"] == row["best"]
        name = rf"{tex(row['system'])} (best system)" if best else tex(row["system"])
        against = ["--"] * 4
        if not best:
            shift = _maths(difference(row["difference"]), starred=bool(star))
            against = [shift, _maths(between(row)), counts(row, dash="--"), _p(row["p"])]
        rows.append([tex(row["measure"]), name, f"{number(row['mean']).replace('–', '--')}{star}", *against])
    caption = (
        "Fusions against the system with the best mean under each measure, made of the same runs and scored on the same"
        " judgments; the best system was chosen after looking. *: the scale does not admit means."
    )
    heads = ["Measure", "Fusion", "mean", r"$\Delta$ mean", r"95\,\%", "W--T--L", "$p$"]
    return _commented(caption) + booktabs("llrrrrr", heads, rows)


def _maths(text: str, *, starred: bool = False) -> str:
    return f"${text}{'^{*}' if starred else ''}$" if text else "--"


def _p(p: float) -> str:
    return pvalue(p).replace("<", "$<$")


def _tau(tau: float) -> str:
    return "--" if tau != tau else f"${tau:.3f}$"


def _finite(value: float) -> float | None:
    return value if abs(value) < float("inf") else None
