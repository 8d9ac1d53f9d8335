"""`measurand learn`: the measure that agrees with preferences between judged runs, or why there is none."""

from __future__ import annotations

from typing import Any

import click

from measurand.cli.emit import emit, format_option
from measurand.cli.numbers import COUNT, GRADES
from measurand.cli.options import opened, output_file, refuse_to_overwrite
from measurand.cli.streams import tell
from measurand.display.tables import TableView
from measurand.errors import NotAvailable
from measurand.orders import ORDERS


@click.command()
@click.argument("statements", metavar="STATEMENTS")
@click.option("-d", "--depth", type=COUNT, help="How many ranks runs have; as in the file by default.")
@click.option("-g", "--grades", type=GRADES, help="How many grades, 0 included; as in the file.")
@click.option("--order", type=click.Choice(list(ORDERS)), default="swap", show_default=True, help="What it keeps.")
@click.option("--additive", is_flag=True, help="Find a discount curve: a weight for every rank.")
@click.option("--gains", metavar="GAINS", help="With --additive: the gain of each grade, from grade 0, like 0,1,3.")
@click.option("--slack", is_flag=True, help="If no measure agrees with all, find the one that comes closest.")
@click.option("--flat", is_flag=True, help="Let a better run score the same as a worse one.")
@click.option("--name", default="Learned", show_default=True, help="What to call the measure.")
@format_option("table", "tsv", "csv", "json", "latex", "markdown")
@output_file
def learn(statements: str, gains: str | None, form: str, output: str | None, **options: Any) -> None:
    """Find the measure that agrees with all STATEMENTS, or those that contradict each other.

    STATEMENTS is a file (- for standard input) with a line for each, tabs between: the run that is better, the one that
    is worse, and how often this was said if it was more than once. Runs are grades by rank, like 1,0,0,1. Between the
    runs there may be ~ for "as good as" and >= for "at least as good as". Lines that begin with # are skipped.

    TSV, CSV and LaTeX have the values of runs or the weights of ranks that were found; JSON has everything, exact.
    Where no measure was found, TSV and CSV are refused with the reason (status 1), and the other formats have the
    statements that contradict each other (status 0).
    """
    from measurand.lattice import learn as learn_measure

    refuse_to_overwrite(output, [statements])
    if gains is not None and not options["additive"]:
        raise click.UsageError("--gains belong to --additive.")
    wanted = None if gains is None else gains.split(",")
    found = learn_measure(opened(statements), gains=wanted, **options)

    if form in ("tsv", "csv") and found.steps is None:
        raise NotAvailable(f"{found.answer} There is nothing to write; see -f table or -f json, or try --slack")

    if found.disagreements and form in ("tsv", "csv", "latex"):
        tell(f"note: {found.answer}")

    def tables() -> list[TableView]:
        return [found.table()]

    emit(form, output, document=found.document, data=found.to_dict, tables=tables, paper=tables)
