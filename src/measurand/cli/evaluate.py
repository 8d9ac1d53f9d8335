"""`measurand evaluate`: from files to numbers."""

from __future__ import annotations

from typing import Any

import click

from measurand.cli import emit
from measurand.cli.notes import mind
from measurand.cli.options import (
    FORMATS,
    coloured,
    judge_named,
    judging_options,
    measures_option,
    named_measures,
    output_file,
    put,
    refuse_to_overwrite,
    relevance_options,
    run_files,
    seen_as,
    split_measures,
    waiting,
)
from measurand.measures import Measure
from measurand.measures.trec_names import NICKNAMES, plain, spell
from measurand.study.evaluation import tabulate

DEFAULTS = ("AP", "nDCG@10", "P@10", "RR", "Bpref")


@click.command()
@click.argument("qrels")
@run_files
@measures_option
@relevance_options
@click.option("-q", "--by-topic", is_flag=True, help="Print every topic.")
@click.option("-n", "--no-summary", is_flag=True, help="Leave out the numbers over all topics.")
@click.option(
    "-f", "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="How to print."
)
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
@judging_options
@output_file
@click.option("--strict", is_flag=True, help="Refuse means of measures whose scale has none.")
def evaluate(qrels: str, runs: tuple[str, ...], **options: Any) -> None:
    """Score each RUN against QRELS.

    QRELS and RUN are TREC files, plain or compressed, or - for standard input; RUN may also be a directory or
    a pattern. Without -m the measures are AP, nDCG@10, P@10, RR and Bpref (with -f trec: trec_eval's own).
    """
    if options["complete"] and options["missing_topics"] == "skip":
        raise click.UsageError("-c counts missing topics and --missing-topics skip leaves them out; choose one.")
    refuse_to_overwrite(options["output"], [qrels, *runs])
    trec = options["form"] == "trec"
    asked = options["measures"] or (["official"] if trec else DEFAULTS)
    spelled = named_measures(asked, trec=trec)
    named = [(_label(name, measure) if trec else name, seen_as(measure, options)) for name, measure in spelled]
    judged = judge_named(qrels, runs, options)
    table = tabulate(judged, {repr(measure): measure for _, measure in named}, waiting())
    layout = emit.Layout(
        topics=options["by_topic"],
        summary=not options["no_summary"],
        places=options["places"],
        colours=coloured(options["output"]),
    )
    mind(table, averages=layout.summary, strict=options["strict"])
    if trec:
        nicknames = any(text in NICKNAMES for text in split_measures(asked))
        text = emit.as_trec(table, layout, named, run_names=nicknames or len(table.systems) > 1)
    else:
        text = getattr(emit, f"as_{options['form']}")(table, layout)
    put(text, options["output"])


def _label(name: str, measure: Measure) -> str:
    """Return the name to print in trec_eval's format: trec_eval's own where there is one."""
    bare = name == repr(measure) and plain(measure) == measure
    return (spell(measure) or name) if bare else name
