"""`measurand compare`: who is better, and whether saying so means anything."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stdout
from typing import Any, cast

import click

from measurand.cli.emit import emit, format_option, note
from measurand.cli.numbers import COUNT, COUNT_OR_NONE, DRAWS, SEED, Alpha
from measurand.cli.options import (
    FORMATS,
    Command,
    judge_named,
    judging_options,
    measures_option,
    named_measures,
    output_file,
    refuse_to_overwrite,
    relevance_options,
    seen_as,
    strict_option,
    waiting,
    workers_option,
)
from measurand.cli.order import moves_options, own_order
from measurand.cli.stored import is_store, refuse_systems, systems_option
from measurand.display.tables import Document, TableView
from measurand.errors import Caveat, ParameterError
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.orders import OwnOrder
from measurand.study.against_baseline import SHOWN
from measurand.study.both_scales import on_interval_scale
from measurand.study.compare import compare as compare_systems
from measurand.study.comparison import SystemComparison
from measurand.study.comparison_settings import TEST, TOP
from measurand.study.dominance import Dominances, dominances
from measurand.study.evaluation import DEFAULT_MEASURES, DEFAULTS, ReadingOptions, no_options
from measurand.study.margins.card import margins_table
from measurand.study.margins.margins import compute_margins
from measurand.study.plan import INTERVAL_MEASURES
from measurand.study.score_sources import is_scores

WIDTH = 120
"""The text is never wider."""

MOVES_DEPTH = 5
"""So many ranks are compared by moves of one's own if nothing is said."""

ALWAYS, JSON = "-f json always has all pairs", "-f json has it too"

_TESTING = (
    click.option(
        "--test",
        default=None,
        show_default="t",
        metavar="TEST",
        help="t, sign, wilcoxon, friedman, anova, randomisation, …; auto: t where the scale admits means, else sign.",
    ),
    click.option(
        "--adjust",
        type=click.Choice(["holm", "bonferroni", "bh", "none"], case_sensitive=False),
        default="holm",
        show_default=True,
        help="How p-values are corrected for being many.",
    ),
    click.option("--primary", metavar="MEASURE", help="The measure that claims are made for; by default the first."),
    click.option("--baseline", metavar="NAME", help="Compare every system with this one: system minus baseline."),
    click.option(
        "--alpha",
        type=Alpha(),
        default=0.05,
        show_default=True,
        help="The level of significance.",
    ),
    click.option(
        "--top",
        type=COUNT_OR_NONE,
        default=TOP,
        show_default=True,
        help="How many others to compare the leader with in sentences; with --baseline all.",
    ),
    strict_option(
        "Replace what the scale does not admit by what it admits, and refuse a test that was asked for by name."
    ),
    click.option("--seed", type=SEED, default=0, show_default=True, help="For tests that draw lots."),
)


def testing_options(command: Command) -> Command:
    """Give a command the options that say how pairs of systems are tested."""
    for option in reversed(_TESTING):
        command = option(command)
    return command


@click.command()
@click.argument("qrels")
@click.argument("runs", metavar="RUN...", nargs=-1)
@measures_option
@relevance_options
@testing_options
@click.option(
    "--scale",
    type=click.Choice(["raw", "interval"]),
    default="raw",
    show_default=True,
    help="Take measures as they are, or their interval scales: interval(AP@30) for AP@30.",
)
@click.option("--matrix", is_flag=True, help="Print the p-values of all pairs.")
@click.option(
    "--levels", is_flag=True, help="Print the level of every pair, and who is ahead of whom at each level, as arrows."
)
@click.option("--reversing", is_flag=True, help="Print for each claim the measures that put the other system first.")
@click.option(
    "--map",
    "maps",
    metavar="MEASURE",
    multiple=True,
    help="Print for each claim for which p of RBP, or which cutoff of P or DCG, each system is ahead; may be repeated.",
)
@click.option(
    "--draws",
    type=DRAWS,
    metavar="N",
    help="How many lots tests draw that draw any; 10000 or more, by the number of pairs, if nothing is said.",
)
@moves_options
@click.option(
    "--moves-depth",
    type=COUNT,
    default=MOVES_DEPTH,
    show_default=True,
    metavar="N",
    help="With --moves: compare N ranks; moves are searched for, which takes short runs.",
)
@format_option(*FORMATS)
@judging_options
@output_file
@systems_option
@click.option(
    "--admitted", is_flag=True, help="Show what each scale admits as well: the median, or the mean rank within topics."
)
@click.option("--percent", is_flag=True, help="Read the scores of a table as percentages; 45.2 is 0.452.")
@workers_option
def compare(qrels: str, runs: tuple[str, ...], form: str, output: str | None, **options: Any) -> None:
    """Say which RUN is better, how sure that is, and what could change it.

    QRELS and RUN are files of TREC's format or another (see --input-format), plain or compressed, or - for standard
    input; RUN may also be a directory or
    a pattern, and NAME=FILE names a system. Without -m the measures are nDCG@10, AP, P@10 and RR, with Judged@10
    beside them; on interval scales, which need a cutoff, AP@30 and RR@10.

    In their place may stand files with the scores of systems by topic (CSV or parquet with columns name, qid, measure
    and value, such as PyTerrier's perquery.csv); then all of their measures are compared. Or a FOLDER that
    evaluate --store made, for a campaign of any size.
    """
    refuse_to_overwrite(output, [qrels, *runs])
    if _compared_by_scores(qrels, runs, form, output, options):
        return
    own = own_order(options["moves"], None, options["within"])
    _check_form(form, options)
    maps = [seen_as(measure, options) for _, measure in named_measures(options["maps"])] if options["maps"] else []
    scaled = options["scale"] == "interval"
    names = options["measures"] or (INTERVAL_MEASURES if scaled else DEFAULT_MEASURES)
    measures = [seen_as(measure, options) for _, measure in named_measures(names)]
    judged = judge_named(qrels, runs, options, documents=True)
    comparison = compare_systems(
        judged,
        [_on_interval_scale(measure, judged) for measure in measures] if scaled else measures,
        primary=primary_measure(options, lambda measure: _on_interval_scale(measure, judged) if scaled else measure),
        test=options["test"] or TEST,
        rng=options["seed"],
        progress=waiting(),
        **{name: options[name] for name in ("adjust", "alpha", "baseline", "top", "strict", "draws")},
    )
    if form not in ("tsv", "csv"):
        look_at_margins(comparison)
    counts = _in_own_order(own, judged, comparison, options["moves_depth"])
    told = (*comparison.caveats, *_of_tests(comparison), *_of_dominance(comparison))
    note(told)
    shown = {name: options[name] for name in ("matrix", "admitted", "levels", "reversing")}
    emit(
        form,
        output,
        document=lambda: _with_counts(comparison.document(maps=maps, **shown), counts),
        data=lambda: {
            **comparison.to_dict(reversing=options["reversing"], maps=maps),
            **({} if counts is None else {"moves": counts.to_dict()}),
        },
        tables=lambda: [comparison.view(each).table() for each in comparison.results],
        paper=lambda: [*(comparison.view(each).latex_table() for each in comparison.results), *_margins(comparison)],
        width=WIDTH,
    )


def _check_form(form: str, options: Mapping[str, Any]) -> None:
    """Complain of options that a format has no place for."""
    for name, where in (("matrix", ALWAYS), ("levels", ALWAYS), ("reversing", JSON), ("maps", JSON), ("moves", JSON)):
        if options[name] and form in ("tsv", "csv", "latex"):
            asked = "map" if name == "maps" else name
            raise click.UsageError(f"--{asked} goes with -f table or markdown, not with {form}; {where}")


def _compared_by_scores(
    qrels: str, runs: tuple[str, ...], form: str, output: str | None, options: Mapping[str, Any]
) -> bool:
    """Compare scores that stand in the place of judgments and runs; return whether there are such."""
    if options["percent"] and not is_scores(qrels):
        raise click.UsageError("--percent is for a table of scores; leave it out")
    if not runs and is_store(qrels):
        _compare_stored(qrels, form, output, options)
        return True
    refuse_systems(options)
    if is_scores(qrels):
        _compare_scores([qrels, *runs], form, output, options)
        return True
    if not runs:
        raise click.MissingParameter(param_type="argument", param_hint="'RUN...'")
    return False


def _compare_scores(files: list[str], form: str, output: str | None, options: Mapping[str, Any]) -> None:
    """Compare systems by scores that another tool computed."""
    for name in ("matrix", "levels", "reversing", "maps", "moves", "admitted"):
        if options[name]:
            asked = "map" if name == "maps" else name
            raise click.UsageError(f"--{asked} needs judgments and runs, and {files[0]} holds scores; leave it out")
    if options["scale"] == "interval":
        raise click.UsageError(f"--scale interval needs judgments and runs, and {files[0]} holds scores; leave it out")
    no_options("compare", cast(ReadingOptions, {name: options[name] for name in DEFAULTS}), "scores that are known")
    comparison = compare_systems(
        list(files),
        measures=list(options["measures"]) or None,
        primary=options["primary"],
        test=options["test"] or TEST,
        rng=options["seed"],
        **{name: options[name] for name in ("adjust", "alpha", "baseline", "strict", "draws", "percent")},
    )
    note(comparison.caveats)
    emit(
        form,
        output,
        document=comparison.document,
        data=comparison.to_dict,
        tables=lambda: [each.view.table() for each in comparison.results],
        paper=lambda: [each.view.latex_table() for each in comparison.results],
        width=WIDTH,
    )


def _compare_stored(folder: str, form: str, output: str | None, options: Mapping[str, Any]) -> None:
    """Compare the systems whose scores are stored in a folder."""
    from measurand.study.store.score_store import open_scores

    for name in ("reversing", "maps", "moves", "admitted", "matrix", "levels"):
        if options[name]:
            asked = "map" if name == "maps" else name
            raise click.UsageError(f"--{asked} goes with QRELS and RUN, not with stored scores; leave it out")
    if options["scale"] == "interval":
        raise click.UsageError("--scale interval goes with QRELS and RUN, not with stored scores; leave it out")
    no_options("compare", cast(ReadingOptions, {name: options[name] for name in DEFAULTS}), "stored scores")
    names = options["measures"]
    comparison = compare_systems(
        open_scores(folder),
        [seen_as(measure, options) for _, measure in named_measures(names)] if names else None,
        primary=primary_measure(options),
        test=options["test"] or TEST,
        rng=options["seed"],
        progress=waiting(),
        **{name: options[name] for name in ("systems", "adjust", "alpha", "baseline", "top", "strict", "draws")},
    )
    if isinstance(comparison, SystemComparison) and form not in ("tsv", "csv"):
        look_at_margins(comparison)
    note(comparison.caveats)
    emit(
        form,
        output,
        document=comparison.document,
        data=comparison.to_dict,
        tables=lambda: list(_tables_of(comparison)),
        paper=lambda: list(_tables_of(comparison, paper=True)),
        width=WIDTH,
    )


def _tables_of(comparison: Any, *, paper: bool = False) -> Iterator[TableView]:
    """Return the tables of a comparison of stored systems, one for each measure."""
    for each in comparison.results:
        if isinstance(comparison, SystemComparison):
            view = comparison.view(each)
            yield view.latex_table() if paper else view.table()
        else:
            yield each.view(SHOWN if paper else None)


def _in_own_order(
    own: OwnOrder | None, judged: JudgedRuns, comparison: SystemComparison, depth: int
) -> Dominances | None:
    """Return on how many topics each system of a claim is ahead by the user's own moves, if there are any."""
    if own is None:
        return None
    pairs = [claim.in_order for claim in comparison.primary.claims]
    # what moves print is not what was asked for
    with redirect_stdout(sys.stderr):
        return dominances(judged, pairs, depth=min(depth, judged.depth), order=own, progress=waiting())


def _with_counts(document: Document, counts: Dominances | None) -> Document:
    return document if counts is None else Document([*document.parts, "", *counts.document().parts], document.caveats)


def look_at_margins(comparison: SystemComparison) -> None:
    """Compute what would overturn the leading claims, which may take a while, and show how far it is.

    Parameters
    ----------
    comparison
        The comparison.
    """
    compute_margins(comparison.margins(), waiting())


def _margins(comparison: SystemComparison) -> Iterator[TableView]:
    """Return the table of what would overturn the leading claims, if there are any."""
    if found := comparison.margins():
        yield margins_table(found, alone=comparison.primary.compared > 1)


def _on_interval_scale(measure: Measure, judged: JudgedRuns) -> Measure:
    return measure if measure.about_judgments else on_interval_scale(measure, judged)


def primary_measure(
    options: Mapping[str, Any], scaled: Callable[[Measure], Measure] = lambda measure: measure
) -> Measure | None:
    """Return the measure that --primary names, if it does.

    Parameters
    ----------
    options
        The options of the command line.
    scaled
        What is done with measures before they are compared.
    """
    if options["primary"] is None:
        return None
    named = named_measures([options["primary"]])
    if len(named) != 1:
        raise ParameterError(f"--primary names one measure, not {len(named)}: --primary nDCG@10")
    return scaled(seen_as(named[0][1], options))


def _of_tests(comparison: SystemComparison) -> Iterator[Caveat]:
    """Return what is to be known of single measures, with their names."""
    for standing in comparison.results:
        own = (caveat for caveat in standing.pairs.caveats if caveat not in comparison.caveats)
        yield from (caveat.of(standing.scores.measure) for caveat in own)


def _of_dominance(comparison: SystemComparison) -> Iterator[Caveat]:
    """Return what is to be known of comparisons without a measure."""
    own = (caveat for caveat in comparison.dominance.caveats if caveat not in comparison.caveats)
    yield from (caveat.of("dominance") for caveat in own)
