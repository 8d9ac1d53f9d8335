"""`measurand evaluate`: from files to numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from measurand.cli.emit import emit, format_option, put
from measurand.cli.numbers import Whole
from measurand.cli.options import (
    FORMATS,
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
from measurand.cli.reference_options import reference_options, standardised, write_reference
from measurand.cli.relevance_strings import Strings, check_by_topic, nested, strings_asked, strings_of, with_strings
from measurand.cli.score_tables import UNLIMITED, mind, trec_label, trec_text
from measurand.cli.stored import is_store, print_stored, store_and_print, store_options
from measurand.cli.without_judgments import evaluate_runs, options_without_judgments, refuse_this_mode
from measurand.display.tables import TableView
from measurand.judged import JudgedRuns
from measurand.measures import RR, Measure
from measurand.measures.parse import split_measures
from measurand.scores import Table
from measurand.scores.score_table import scores_document
from measurand.study.evaluation import DEFAULT_MEASURES, tabulate

Lines = Sequence[tuple[str, object]]
"""Names to print in trec_eval's format, each with its measure, or what its scores are called in the table."""


@click.command()
@click.argument("qrels")
@click.argument("runs", metavar="RUN...", nargs=-1)
@measures_option
@relevance_options
@click.option("-q", "--by-topic", is_flag=True, help="Print every topic.")
@click.option("-n", "--no-summary", is_flag=True, help="Leave out the numbers over all topics.")
@format_option(*FORMATS, "trec")
@click.option(
    "-c",
    "--complete",
    is_flag=True,
    help="Count topics that a run left out as empty results (the default; trec_eval's -c).",
)
@click.option(
    "-p",
    "--places",
    type=Whole(0, 17),
    default=4,
    show_default=True,
    help="Decimals in table, latex and trec.",
)
@click.option(
    "--unjudged",
    type=click.Choice(["min", "max", "bounds"]),
    help="Print the lowest values (min), the highest (max), or both (bounds), over all grades that documents without"
    " judgment that a run retrieves, within the ranks that a measure looks at, could have. Otherwise these count as not"
    " relevant. Documents that it does not retrieve are not looked at: AP, nDCG and other measures that depend on how"
    " many relevant ones there are could be lower yet.",
)
@reference_options
@judging_options
@output_file
@strict_option(
    "Print the median or the mean rank where the scale of a measure does not admit means; without judgments, refuse"
    " runs that are nearly the same."
)
@options_without_judgments
@store_options
@workers_option
def evaluate(qrels: str, runs: tuple[str, ...], **options: Any) -> None:
    """Score each RUN against QRELS.

    QRELS and RUN are files of TREC's format or another (see --input-format), plain or compressed, or - for standard
    input; RUN may also be a directory or
    a pattern, and NAME=FILE names a system. Without -m the measures are nDCG@10, AP, P@10, RR and Judged@10 (with
    -f trec: trec_eval's own). With --without-judgments there are no QRELS, and the measures are AP and OIE. A FOLDER
    that --store made, in the place of QRELS and RUN, has its numbers printed.
    """
    if options["complete"] and options["missing_topics"] == "skip":
        raise click.UsageError("-c counts missing topics and --missing-topics skip leaves them out; choose one.")
    if options["without_judgments"]:
        evaluate_runs([qrels, *runs], options)
        return
    refuse_this_mode(options)
    if not runs and is_store(qrels):
        print_stored(qrels, options)
        return
    if not runs:
        context = click.get_current_context()
        raise click.MissingParameter(ctx=context, param=context.command.params[1])
    if options["resume"] and not options["store"]:
        raise click.UsageError("--resume goes on with stored scores; name their folder with --store.")
    for written in (options["output"], options["write_reference"]):
        refuse_to_overwrite(written, [qrels, *runs, *([options["reference"]] if options["reference"] else [])])
    if options["store"]:
        store_and_print(qrels, runs, options)
        return
    if options["reference"] and options["unjudged"]:
        raise click.UsageError("-Z compares with scores as they are, and --unjudged changes them; choose one.")
    trec = options["form"] == "trec"
    asked, ranks = strings_asked(split_measures(options["measures"] or (["official"] if trec else DEFAULT_MEASURES)))
    if not trec:
        check_by_topic(ranks, by_topic=options["by_topic"])
    spelled = named_measures(asked, trec=trec) if asked or not ranks else []
    named = [(trec_label(name, measure) if trec else name, seen_as(measure, options)) for name, measure in spelled]
    judged = judge_named(qrels, runs, options)
    table = _scored(judged, {repr(measure): measure for _, measure in named or [("", RR)]}, options["unjudged"])
    lines = _trec_lines(table, named, options["unjudged"])
    if options["write_reference"]:
        write_reference(table, named, options["write_reference"])
    if options["reference"]:
        table, lines = standardised(table, named, options["reference"])
    mind(table, averages=not options["no_summary"], strict=options["strict"], named=trec)
    strings = strings_of(judged, ranks if options["by_topic"] else {}, judged_only=options["judged_only"])
    (_print_trec if trec else _print)(table, lines, strings, asked, options)


def _print_trec(table: Table, lines: Lines, strings: Strings, asked: Sequence[str], options: Mapping[str, Any]) -> None:
    """Print scores as trec_eval does."""
    from measurand.measures.trec_names import NICKNAMES  # loads the measures that trec_eval has

    text = trec_text(
        table,
        lines,
        topics=options["by_topic"],
        summary=not options["no_summary"],
        places=options["places"],
        run_names=any(text in NICKNAMES for text in asked) or len(table.systems) > 1,
        strings=strings,
        whole=options["reference"] is None,
    )
    put(text, options["output"], "trec")


def _print(table: Table, lines: Lines, strings: Strings, asked: Sequence[str], options: Mapping[str, Any]) -> None:  # noqa: ARG001 - as for trec
    """Print scores as a table, or for programs."""
    # strings alone have no summary
    rows = {"topics": options["by_topic"], "summary": bool(asked) and not options["no_summary"]}

    def view(*, best_first: bool = False) -> TableView:
        plain = table.view(places=options["places"], admitted=options["strict"], best_first=best_first, **rows)
        return with_strings(plain, strings, alone=not asked)

    emit(
        options["form"],
        options["output"],
        document=lambda: scores_document(view(best_first=not rows["topics"])),
        data=lambda: (table.to_dict(admitted=options["strict"], **rows) if asked else {}) | nested(strings),
        tables=lambda: [view()],
        paper=lambda: [view()],
        width=UNLIMITED,
    )


def _scored(judged: JudgedRuns, measures: dict[str, Measure], unjudged: str | None) -> Table:
    """Return the scores, or the lowest and the highest that they could be."""
    table = tabulate(judged, measures, waiting())
    if unjudged is None:
        return table
    from measurand.study.unjudged_scores import bounded_table  # loads what is proved of measures

    return bounded_table(table, judged, measures, unjudged)


def _trec_lines(table: Table, named: Sequence[tuple[str, Measure]], unjudged: str | None) -> Lines:
    """Return the names to print in trec_eval's format, with what they stand for."""
    if unjudged is None:
        return list(named)
    from measurand.study.unjudged_scores import trec_names

    return [line for name, measure in named for line in trec_names(table, name, measure, unjudged)]
