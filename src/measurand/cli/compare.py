"""`measurand compare`: who is better, and whether saying so means anything."""

from __future__ import annotations

import json
from collections.abc import Iterator
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
from measurand.cli.pair_options import testing_options
from measurand.errors import Caveat
from measurand.study.both_scales import on_interval_scale
from measurand.study.comparison import SystemComparison
from measurand.study.comparison import compare as compare_systems

DEFAULTS = ("AP@30", "nDCG@10", "P@10", "RR@10")

FORMATS = ("table", "tsv", "json", "latex")


@click.command()
@click.argument("qrels")
@run_files
@measures_option
@relevance_options
@testing_options
@click.option(
    "--scale",
    type=click.Choice(["raw", "interval"]),
    default="raw",
    show_default=True,
    help="Take measures as they are, or their interval scales: interval(AP@30) for AP@30.",
)
@click.option("--matrix", is_flag=True, help="Print the p-values of all pairs.")
@click.option(
    "--draws",
    type=click.IntRange(1),
    metavar="N",
    help="How many lots tests draw that draw any; 10000 or more, by the number of pairs, if nothing is said.",
)
@click.option(
    "-f", "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="How to print."
)
@judging_options
@output_file
@click.option("--strict", is_flag=True, help="Refuse tests that the scale does not admit; leave starred numbers out.")
def compare(qrels: str, runs: tuple[str, ...], form: str, output: str | None, **options: Any) -> None:
    """Say which RUN is better, and whether saying so means anything.

    QRELS and RUN are TREC files, plain or compressed, or - for standard input; RUN may also be a directory or
    a pattern. Without -m the measures are AP@30, nDCG@10, P@10 and RR@10.
    """
    from measurand.report import comparison_data, comparison_latex, comparison_tsv

    refuse_to_overwrite(output, [qrels, *runs])
    measures = [seen_as(measure, options) for _, measure in named_measures(options["measures"] or DEFAULTS)]
    judged = judge_named(qrels, runs, options)
    comparison = compare_systems(
        judged,
        [on_interval_scale(measure, judged) for measure in measures] if options["scale"] == "interval" else measures,
        rng=options["seed"],
        progress=waiting(),
        **{name: options[name] for name in ("test", "adjust", "alpha", "baseline", "top", "strict", "draws")},
    )
    note([*comparison.caveats, *_of_tests(comparison), *_of_dominance(comparison)])
    if form == "json":
        text = json.dumps(comparison_data(comparison), indent=2, ensure_ascii=False) + "\n"
    elif form == "table":
        text = _as_text(comparison, output, matrix=options["matrix"])
    else:
        text = {"tsv": comparison_tsv, "latex": comparison_latex}[form](comparison)
    put(text, output)


def _of_tests(comparison: SystemComparison) -> Iterator[Caveat]:
    """Return what is to be known of single measures, with their names."""
    for standing in comparison.standings:
        own = (caveat for caveat in standing.pairs.caveats if caveat not in comparison.caveats)
        yield from (caveat.of(standing.scores.measure) for caveat in own)


def _of_dominance(comparison: SystemComparison) -> Iterator[Caveat]:
    """Return what is to be known of comparisons without a measure."""
    own = (caveat for caveat in comparison.dominance.caveats if caveat not in comparison.caveats)
    yield from (caveat.of("dominance") for caveat in own)


def _as_text(comparison: SystemComparison, output: str | None, *, matrix: bool) -> str:
    from measurand.report.compare_text import WIDTH, comparison_text

    return comparison_text(comparison, matrix=matrix, colour=coloured(output), width=wide(WIDTH, output))
