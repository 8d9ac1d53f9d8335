"""`measurand evaluate -Z FILE` and `--write-reference FILE`: z-scores, and the means and deviations that they need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from measurand.cli.input_format import FilePath
from measurand.cli.score_tables import trec_label
from measurand.cli.streams import tell
from measurand.errors import ParameterError
from measurand.measures import Measure
from measurand.scores import Aggregation, Table

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "-Z",
        "--reference",
        type=FilePath(dir_okay=False),
        metavar="FILE",
        help="Print z-scores: how many standard deviations a score is above the mean of reference runs on its topic."
        " Lines of FILE hold topic, measure, mean, deviation.",
    ),
    click.option(
        "--write-reference",
        type=FilePath(dir_okay=False),
        metavar="FILE",
        help="Take these runs for reference: write the mean and deviation of every measure on every topic, for -Z.",
    ),
)


def reference_options(command: Command) -> Command:
    """Give a command the options about z-scores."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def standardised(table: Table, named: Sequence[tuple[str, Measure]], path: str) -> tuple[Table, list[tuple[str, str]]]:
    """Return z-scores in the place of scores, with the names to print in trec_eval's format.

    Parameters
    ----------
    table
        The scores.
    named
        The measures, each with the name that it was asked for by.
    path
        The file of means and standard deviations.
    """
    from measurand.trec.reference_scores import read_reference

    reference = read_reference(path)
    found, lines, left_out = {}, [], []
    for name, measure in dict.fromkeys(named):
        scores, label = table.scores(measure), trec_label(name, measure)
        if scores.aggregation is Aggregation.GEOMETRIC:
            left_out.append(label)
            continue
        # a number of topics is none that a run could be better or worse at
        if measure.name != "NumQ":
            scores = reference.standardise(scores, label if label in reference.by_measure else repr(measure))
        found[scores.measure] = scores
        lines.append((f"Z{label}", scores.measure))
    if not found:
        raise ParameterError(
            f"z-scores may be negative, so that there is no {left_out[0]} of them; name other measures"
        )
    if left_out:
        names = " and ".join(left_out)
        tell(f"note: {names} left out: z-scores may be negative and have no geometric mean")
    return Table(by_measure=found, caveats=table.caveats), lines


def write_reference(table: Table, named: Sequence[tuple[str, Measure]], path: str) -> None:
    """Write the mean and the standard deviation of every measure on every topic, over the systems of a table.

    Parameters
    ----------
    table
        The scores.
    named
        The measures, each with the name that it was asked for by.
    path
        The file to write.
    """
    from measurand.scores.standardised import Reference
    from measurand.trec import write_atomically
    from measurand.trec.reference_scores import reference_lines

    moments = {}
    for name, measure in dict.fromkeys(named):
        scores = table.scores(measure)
        if scores.aggregation is not Aggregation.GEOMETRIC and measure.name != "NumQ":
            (moments[trec_label(name, measure)],) = Reference.over([scores]).by_measure.values()
    write_atomically(path, [line.encode() for line in reference_lines(Reference(moments))])
