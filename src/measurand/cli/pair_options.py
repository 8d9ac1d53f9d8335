"""Options that say how pairs of systems are tested."""

from __future__ import annotations

import click

from measurand.cli.options import Command
from measurand.study.comparison import AUTO, TOP

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
