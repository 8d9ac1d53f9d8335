"""`measurand simulate`: which test to take on a campaign, by how often tests err and how often they find effects."""

from __future__ import annotations

from math import isfinite
from typing import Any

import click

from measurand.cli.emit import emit, format_option, note
from measurand.cli.numbers import COUNT, DRAWS, SEED, Alpha
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
    workers_option,
)
from measurand.errors import ParameterError, clipped, quoted

WIDTH = 120
"""The text is never wider."""


@click.command()
@click.argument("qrels")
@run_files
@measures_option
@relevance_options
@click.option(
    "--test",
    "tests",
    multiple=True,
    metavar="TEST",
    help="A test: sign, rank_sum, signed_rank (or wilcoxon), paired_t (or t), one_way_anova, two_way_anova,"
    " kruskal_wallis or friedman; may be repeated. Without it all eight.",
)
@click.option(
    "--effects",
    metavar="E,E,...",
    default="1,2,4",
    show_default=True,
    help="How many better documents a topic are planted in a run, on average and as far as there is room.",
)
@click.option("--top", type=COUNT, default=10, show_default=True, help="Within how many ranks.")
@click.option(
    "--adjust",
    type=click.Choice(["holm", "bonferroni", "bh", "none"], case_sensitive=False),
    default="none",
    show_default=True,
    help="How p-values of tests of pairs are corrected for all pairs; Tukey's tests correct themselves.",
)
@click.option(
    "--alpha",
    type=Alpha(),
    default=0.05,
    show_default=True,
    help="The level of significance.",
)
@click.option("--repetitions", type=DRAWS, default=1000, show_default=True, help="How many repetitions.")
@click.option(
    "--semantics",
    type=click.Choice(["scipy", "matlab"]),
    default="scipy",
    show_default=True,
    help="Whose conventions the tests follow.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Where chance comes from.")
@judging_options
@format_option(*FORMATS)
@output_file
@workers_option
def simulate(qrels: str, runs: tuple[str, ...], form: str, output: str | None, **options: Any) -> None:
    """Say which test to take here: how often tests err, and how often they find what was planted.

    QRELS and RUN are files of TREC's format or another (see --input-format), plain or compressed, or - for standard
    input; RUN may also be a directory or
    a pattern, and NAME=FILE names a system. Runs of two systems are exchanged topic by topic, so that they do not
    differ, and then made better by a known number of documents. Each measure is looked at as it is and on its interval
    scale. Without -m the measures are nDCG@10, AP@30, P@10 and RR@10.
    """
    from measurand.statistics.registry import EIGHT
    from measurand.study.simulation import MEASURES
    from measurand.study.simulation import simulate as simulate_tests

    refuse_to_overwrite(output, [qrels, *runs])
    effects = _effects(options["effects"])
    named = named_measures(options["measures"] or MEASURES)
    measures = [seen_as(measure, options) for _, measure in named]
    found = simulate_tests(
        judge_named(qrels, runs, options),
        measures,
        tests=options["tests"] or EIGHT,
        effects=effects,
        alpha=options["alpha"],
        adjust=options["adjust"],
        repetitions=options["repetitions"],
        top=options["top"],
        semantics=options["semantics"],
        rng=options["seed"],
        progress=waiting(),
    )
    note(found.caveats)
    emit(
        form,
        output,
        document=found.document,
        data=found.to_dict,
        tables=lambda: [found.view()],
        paper=found.tables,
        width=WIDTH,
    )


def _effects(text: str) -> list[float]:
    """Return the effects in a text, with commas between."""
    such_as = "write them like --effects 1,2,4"
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        raise ParameterError(f"--effects {quoted(text)} are no numbers; {such_as}") from None
    if not all(isfinite(each) and each > 0 for each in found):
        raise ParameterError(f"--effects {clipped(text)}: effects are numbers of documents a topic above 0; {such_as}")
    return found
