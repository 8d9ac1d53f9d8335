"""`measurand fuse`: one ranking from several."""

from __future__ import annotations

from typing import Any

import click

from measurand.cli.emit import note
from measurand.cli.input_format import input_format_option
from measurand.cli.numbers import COUNT
from measurand.cli.options import (
    bar,
    output_file,
    refuse_to_overwrite,
    run_files,
    run_sources,
    waiting,
    write_data,
)
from measurand.cli.streams import hand_out, say
from measurand.errors import ParameterError
from measurand.fusion import METHODS, NORMALISATIONS, TIES
from measurand.fusion import fuse as fuse_runs
from measurand.trec import iterate_runs


@click.command()
@run_files
@click.option(
    "--method",
    default="rrf",
    show_default=True,
    metavar="METHOD",
    help=f"How to combine: {', '.join(METHODS)}. --methods explains them.",
)
@click.option(
    "--norm",
    metavar="NORM",
    help=f"What makes scores of runs comparable, for comb…: {', '.join(NORMALISATIONS)}; the first if nothing is said.",
)
@click.option(
    "-w",
    "--weight",
    "weights",
    multiple=True,
    metavar="[RUN=]W",
    help="The weight of a run: one for each run in their order, or by name, RUN=2 (runs that are not named have 1).",
)
@click.option("-M", "--depth", type=COUNT, default=1000, show_default=True, help="Keep so many documents a topic.")
@click.option("-k", "k", default="60", show_default=True, metavar="K", help="For rrf: documents add 1/(K + rank).")
@click.option(
    "--ties",
    type=click.Choice(list(TIES)),
    default="shared",
    show_default=True,
    help="Documents of equal score in a run: all on the rank of the last, or by id, descending.",
)
@click.option(
    "--collection-size",
    type=COUNT,
    metavar="N",
    help="How many documents there are, for information; for borda and bordalog the rank of what a run leaves out.",
)
@click.option(
    "--methods",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, wanted: _explain(context) if wanted else None,
    help="Explain all methods and normalisations, and exit.",
)
@click.option("--tag", help="What to call the fused run; by default as the method.")
@click.option(
    "--names",
    type=click.Choice(["file", "tag"]),
    default="file",
    show_default=True,
    help="Call runs by their files or by their run tags; for -w and for messages.",
)
@input_format_option
@output_file
def fuse(runs: tuple[str, ...], output: str | None, **options: Any) -> None:
    """Combine RUNs into one, a TREC file with the fused scores; JSON or parquet where the name of the output ends so.

    RUN is a file of TREC's format or another (see --input-format), plain or compressed, - for standard input, a
    directory or a pattern; NAME=FILE names a run.
    The fused run is printed, or written with -o. Documents whose fused scores are equal stay equal; they are sorted by
    id, descending, as trec_eval does it.
    """
    refuse_to_overwrite(output, runs)
    files = run_sources(runs)
    reading = bar(len(files))(iterate_runs(files, names=options["names"]), len(files), "reading")
    read = list(reading)
    fused = fuse_runs(
        read,
        options["method"],
        norm=options["norm"],
        depth=options["depth"],
        weights=_weights(options["weights"]),
        k=options["k"],
        ties=options["ties"],
        collection_size=options["collection_size"],
        name=options["tag"],
        progress=waiting(),
    )
    if output is None:
        hand_out(b"".join(fused.trec_lines()), "trec")
    else:
        write_data(fused, output)
    note(fused.caveats)


def _explain(context: click.Context) -> None:
    formatter = context.make_formatter()
    for title, known in (("Methods", METHODS), ("Normalisations", NORMALISATIONS)):
        with formatter.section(title):
            formatter.write_dl(list(known.items()))
    say(*formatter.getvalue().strip("\n").split("\n"))
    context.exit()


def _weights(texts: tuple[str, ...]) -> list[str] | dict[str, str] | None:
    """Return weights by the order of runs or by their names, or nothing if none is given."""
    if not texts:
        return None
    named = dict(text.rpartition("=")[::2] for text in texts if "=" in text)
    if named and len(named) < len(texts):
        raise ParameterError("-w: give weights by name (-w RUN=2), each once, or one for each run in their order")
    return named or list(texts)
