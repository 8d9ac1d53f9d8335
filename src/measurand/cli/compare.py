"""`measurand compare`: who is better, and whether saying so means anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from measurand.cli.emit import emit, format_option, note
from measurand.cli.options import (
    FORMATS,
    Command,
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
from measurand.errors import Caveat
from measurand.study.both_scales import on_interval_scale
from measurand.study.comparison import AUTO, TOP, SystemComparison
from measurand.study.comparison import compare as compare_systems

DEFAULTS = ("AP@30", "nDCG@10", "P@10", "RR@10")

WIDTH = 120
"""The text is never wider."""

_TESTING = (
    click.option(
        "--test",
        default=AUTO,
        show_default=True,
        metavar="TEST",
        help="sign, t, wilcoxon, friedman, anova, randomisation, …; auto: t where the scale admits means, else sign.",
    ),
    click.option(
        "--adjust",
        type=click.Choice(["holm", "bonferroni", "bh", "none"]),
        default="holm",
        show_default=True,
        help="How p-values are corrected for being many.",
    ),
    click.option("--baseline", metavar="NAME", help="Compare every system with this one; by default with the best."),
    click.option(
        "--alpha",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.05,
        show_default=True,
        help="The level of significance.",
    ),
    click.option(
        "--top",
        type=click.IntRange(0),
        default=TOP,
        show_default=True,
        help="How many pairs to speak of; with --baseline all.",
    ),
    click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="For tests that draw lots."),
)


def testing_options(command: Command) -> Command:
    """Give a command the options that say how pairs of systems are tested."""
    for option in reversed(_TESTING):
        command = option(command)
    return command


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
@format_option(*FORMATS)
@judging_options
@output_file
@click.option("--strict", is_flag=True, help="Refuse tests that the scale does not admit; leave starred numbers out.")
def compare(qrels: str, runs: tuple[str, ...], form: str, output: str | None, **options: Any) -> None:
    """Say which RUN is better, and whether saying so means anything.

    QRELS and RUN are TREC files, plain or compressed, or - for standard input; RUN may also be a directory or
    a pattern, and NAME=FILE names a system. Without -m the measures are AP@30, nDCG@10, P@10 and RR@10.
    """
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
    emit(
        form,
        output,
        document=lambda: comparison.document(matrix=options["matrix"]),
        data=comparison.to_dict,
        tables=lambda: [comparison.view(each).table() for each in comparison.results],
        paper=lambda: [comparison.view(each).latex_table() for each in comparison.results],
        width=WIDTH,
    )


def _of_tests(comparison: SystemComparison) -> Iterator[Caveat]:
    """Return what is to be known of single measures, with their names."""
    for standing in comparison.results:
        own = (caveat for caveat in standing.pairs.caveats if caveat not in comparison.caveats)
        yield from (caveat.of(standing.scores.measure) for caveat in own)


def _of_dominance(comparison: SystemComparison) -> Iterator[Caveat]:
    """Return what is to be known of comparisons without a measure."""
    own = (caveat for caveat in comparison.dominance.caveats if caveat not in comparison.caveats)
    yield from (caveat.of("dominance") for caveat in own)
