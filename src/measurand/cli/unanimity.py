"""`measurand unanimity`: how rarely measures tie where all agree, and which constraints they meet."""

from __future__ import annotations

import json
from typing import Any

import click

from measurand.cli.notes import note
from measurand.cli.options import (
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
    waiting,
    wide,
)

FORMATS = ("table", "tsv", "json", "latex")


@click.command()
@click.argument("qrels")
@run_files
@measures_option
@relevance_options
@click.option(
    "--recall-base",
    type=click.IntRange(1),
    metavar="N",
    help="How many relevant documents the topic has that the constraints are looked at on; by default the median.",
)
@click.option("--no-constraints", is_flag=True, help="Leave the five constraints out.")
@click.option(
    "--self-pairs", is_flag=True, help="Compare each system with itself as well, as the paper's formula does."
)
@judging_options
@click.option(
    "-f", "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="How to print."
)
@output_file
def unanimity(qrels: str, runs: tuple[str, ...], form: str, output: str | None, **options: Any) -> None:
    """Say how rarely measures tie where all agree, and which constraints they meet.

    QRELS and RUN are TREC files, plain or compressed, or - for standard input; RUN may also be a directory or
    a pattern. Without -m the measures are those of Table 2 of Amigó, Giner, Mizzaro and Spina (2018).
    """
    from measurand.report.unanimity_data import unanimity_data, unanimity_tsv
    from measurand.report.unanimity_latex import unanimity_latex
    from measurand.report.unanimity_text import WIDTH, unanimity_text
    from measurand.study.unanimity import paper_measures
    from measurand.study.unanimity import unanimity as unanimity_of

    refuse_to_overwrite(output, [qrels, *runs])
    named = [measure for _, measure in named_measures(options["measures"])] if options["measures"] else paper_measures()
    measures = [seen_as(measure, options) for measure in named]
    judged = judge_named(qrels, runs, options)
    table = unanimity_of(
        judged,
        measures,
        collection=options["collection"],
        recall_base=options["recall_base"],
        constraints=not options["no_constraints"],
        self_pairs=options["self_pairs"],
        progress=waiting(),
    )
    note(table.caveats)
    if form == "json":
        text = json.dumps(unanimity_data(table), indent=2, ensure_ascii=False) + "\n"
    elif form == "table":
        text = unanimity_text(table, colour=coloured(output), width=wide(WIDTH, output))
    else:
        text = {"tsv": unanimity_tsv, "latex": unanimity_latex}[form](table)
    put(text, output)
