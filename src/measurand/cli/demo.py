"""`measurand demo`: the built-in sample, evaluated and compared."""

from __future__ import annotations

import click

from measurand import sample
from measurand.cli import emit
from measurand.cli.notes import mind
from measurand.cli.options import coloured, wide
from measurand.study.comparison import compare
from measurand.study.evaluation import evaluate

MEASURES = ("AP", "nDCG@10", "P@10", "RR", "RBP(p=0.8)", "ERR@20")

COMPARED = "RR@10"


@click.command()
def demo() -> None:
    """Evaluate and compare the built-in sample: 12 systems, 50 topics, grades 0 to 3."""
    from measurand.report.compare_text import WIDTH, comparison_text

    files = f"{sample.qrels()} {sample.folder() / 'runs'}"
    colours = coloured(None)
    click.echo(f"measurand evaluate {files} " + " ".join(f"-m '{measure}'" for measure in MEASURES))
    table = evaluate(sample.qrels(), sample.runs(), MEASURES)
    click.echo(emit.as_table(table, emit.Layout(colours=colours)), nl=False)
    mind(table)
    click.echo(f"\nmeasurand compare {files} -m {COMPARED}\n")
    comparison = compare(sample.qrels(), sample.runs(), COMPARED)
    click.echo(comparison_text(comparison, colour=colours, width=wide(WIDTH, None)), nl=False)
