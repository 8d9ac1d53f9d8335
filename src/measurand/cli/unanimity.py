"""`measurand unanimity`: how rarely measures tie where all agree, and which constraints they meet."""

from __future__ import annotations

from typing import Any

import click

from measurand.cli.emit import emit, format_option, note
from measurand.cli.numbers import COUNT
from measurand.cli.options import (
    FORMATS,
    judge_named,
    judging_options,
    measures_option,
    named_measures,
    output_file,
    refuse_to_overwrite,
    relevance_options,
    run_files,
    seen_as,
    waiting,
)


@click.command()
@click.argument("qrels")
@run_files
@measures_option
@relevance_options
@click.option(
    "--recall-base",
    type=COUNT,
    metavar="N",
    help="How many relevant documents the topic has that the constraints are looked at on; by default the median.",
)
@click.option("--no-constraints", is_flag=True, help="Leave the five constraints out.")
@click.option(
    "--self-pairs", is_flag=True, help="Compare each system with itself as well, as the paper's formula does."
)
@judging_options
@format_option(*FORMATS)
@output_file
def unanimity(qrels: str, runs: tuple[str, ...], form: str, output: str | None, **options: Any) -> None:
    """Say how rarely measures tie where all agree, and which constraints they meet.

    QRELS and RUN are files of TREC's format or another (see --input-format), plain or compressed, or - for standard
    input; RUN may also be a directory or
    a pattern, and NAME=FILE names a system. Without -m the measures are those of Table 2 of Amigó, Giner, Mizzaro
    and Spina (2018).
    """
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
    emit(
        form,
        output,
        document=table.document,
        data=table.to_dict,
        tables=lambda: [table.view()],
        paper=lambda: [table.latex_table()],
    )
