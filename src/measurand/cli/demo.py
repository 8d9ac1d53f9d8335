"""`measurand demo`: the built-in sample, evaluated."""

from __future__ import annotations

import sys

import click

from measurand import sample
from measurand.cli import emit
from measurand.cli.notes import mind
from measurand.study.evaluation import evaluate


@click.command()
def demo() -> None:
    """Evaluate the built-in sample: 12 systems, 50 topics, grades 0 to 3."""
    measures = ["AP", "nDCG@10", "P@10", "RR", "RBP(p=0.8)", "ERR@20"]
    click.echo(
        f"measurand evaluate {sample.qrels()} {sample.folder() / 'runs'} " + " ".join(f"-m '{m}'" for m in measures)
    )
    table = evaluate(sample.qrels(), sample.runs(), measures)
    click.echo(emit.as_table(table, emit.Layout(colours=sys.stdout.isatty())), nl=False)
    mind(table)
