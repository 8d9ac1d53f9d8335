"""`measurand evaluate`: from files to numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from measurand.cli.emit import emit, format_option, put
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
)
from measurand.cli.score_tables import UNLIMITED, mind, trec_label, trec_text
from measurand.cli.without_judgments import evaluate_runs, options_without_judgments, refuse_this_mode
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.measures.parse import split_measures
from measurand.scores import Table
from measurand.scores.score_table import scores_document
from measurand.study.evaluation import DEFAULT_MEASURES, tabulate


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
    type=click.IntRange(0, 17),
    default=4,
    show_default=True,
    help="Decimals in table, latex and trec.",
)
@click.option(
    "--unjudged",
    type=click.Choice(["min", "max", "bounds"]),
    help="Print the lowest values (min), the highest (max), or both (bounds), over all grades that documents without"
    " judgment, within the ranks that a measure looks at, could have. Otherwise these count as not relevant.",
)
@judging_options
@output_file
@strict_option(
    "Print the median or the mean rank where the scale of a measure does not admit means; without judgments, refuse"
    " runs that are nearly the same."
)
@options_without_judgments
def evaluate(qrels: str, runs: tuple[str, ...], **options: Any) -> None:
    """Score each RUN against QRELS.

    QRELS and RUN are files of TREC's format or another (see --input-format), plain or compressed, or - for standard
    input; RUN may also be a directory or
    a pattern, and NAME=FILE names a system. Without -m the measures are nDCG@10, AP, P@10, RR and Judged@10 (with
    -f trec: trec_eval's own). With --without-judgments there are no QRELS, and the measures are OIE and AP.
    """
    if options["complete"] and options["missing_topics"] == "skip":
        raise click.UsageError("-c counts missing topics and --missing-topics skip leaves them out; choose one.")
    if options["without_judgments"]:
        evaluate_runs([qrels, *runs], options)
        return
    refuse_this_mode(options)
    if not runs:
        context = click.get_current_context()
        raise click.MissingParameter(ctx=context, param=context.command.params[1])
    refuse_to_overwrite(options["output"], [qrels, *runs])
    trec = options["form"] == "trec"
    asked = options["measures"] or (["official"] if trec else DEFAULT_MEASURES)
    spelled = named_measures(asked, trec=trec)
    named = [(trec_label(name, measure) if trec else name, seen_as(measure, options)) for name, measure in spelled]
    judged = judge_named(qrels, runs, options)
    table = _scored(judged, {repr(measure): measure for _, measure in named}, options["unjudged"])
    rows = {"topics": options["by_topic"], "summary": not options["no_summary"]}
    mind(table, averages=rows["summary"], strict=options["strict"], named=trec)
    if trec:
        from measurand.measures.trec_names import NICKNAMES  # loads the measures that trec_eval has

        nicknames = any(text in NICKNAMES for text in split_measures(asked))
        lines = _trec_lines(table, named, options["unjudged"])
        text = trec_text(table, lines, places=options["places"], run_names=nicknames or len(table.systems) > 1, **rows)
        put(text, options["output"])
        return
    view = partial(table.view, places=options["places"], admitted=options["strict"], **rows)
    emit(
        options["form"],
        options["output"],
        document=lambda: scores_document(view(best_first=not rows["topics"])),
        data=lambda: table.to_dict(admitted=options["strict"], **rows),
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


def _trec_lines(table: Table, named: Sequence[tuple[str, Measure]], unjudged: str | None) -> list[tuple[str, object]]:
    """Return the names to print in trec_eval's format, with what they stand for."""
    if unjudged is None:
        return list(named)
    from measurand.study.unjudged_scores import trec_names

    return [line for name, measure in named for line in trec_names(table, name, measure, unjudged)]
