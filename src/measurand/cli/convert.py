"""`measurand convert`: a run or judgments in another format."""

from __future__ import annotations

import click

from measurand.cli.emit import note
from measurand.cli.input_format import FilePath, as_qrels, as_runs, input_format_option, read_named
from measurand.cli.options import WRITTEN, opened, refuse_to_overwrite, write_data
from measurand.errors import ParameterError
from measurand.trec import Qrels, Run, read_qrels, read_run


@click.command()
@click.argument("source")
@click.option("-o", "--output", required=True, type=FilePath(dir_okay=False), help="The file to write; - prints.")
@click.option(
    "--to",
    type=click.Choice(WRITTEN),
    help="The format to write: by default json or parquet where FILE ends so, and trec otherwise; .csv and"
    " .jsonl are refused. beir is for judgments, msmarco for runs, of which it keeps ranks alone.",
)
@click.option("--qrels", is_flag=True, help="SOURCE holds judgments; by default it is a run.")
@click.option("--tag", help="What to call the run; of several runs in a file, the one to take.")
@input_format_option
def convert(source: str, output: str, to: str | None, qrels: bool, tag: str | None) -> None:
    """Write a run, or judgments, in another format.

    SOURCE is anything that measurand reads: a file, plain or compressed, an address such as https://…, - for standard
    input, and for judgments an id of ir_datasets. The output is compressed if its name ends in .gz, .xz, .bz2 or .zst.
    """
    if qrels and tag is not None:
        raise ParameterError("--tag names a run, and --qrels says that there is none")
    refuse_to_overwrite(None if output == "-" else output, [source])
    held: Run | Qrels = read_qrels(as_qrels(opened(source))) if qrels else _run(source, tag)
    write_data(held, output, to)
    note(held.caveats)


def _run(source: str, tag: str | None) -> Run:
    given = opened(source)
    return read_run(as_runs([given])[0], name=tag) if isinstance(given, str) else read_named(given, tag)
