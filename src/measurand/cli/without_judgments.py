"""`measurand evaluate --without-judgments`: systems scored by what the other systems agree on, and hard topics."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from measurand.cli.emit import emit, note, put
from measurand.cli.input_format import FilePath
from measurand.cli.numbers import COUNT
from measurand.cli.options import bar, named_measures, qrels_source, refuse_to_overwrite, run_sources, waiting
from measurand.cli.score_tables import UNLIMITED, mind, trec_label, trec_text
from measurand.errors import ParameterError

if TYPE_CHECKING:
    from measurand.measures import Measure
    from measurand.study.without_judgments import EvaluationWithoutJudgments

Command = TypeVar("Command", bound=Callable[..., Any])

METHOD, TOP = "bordalog", 30
"""The defaults of `evaluate_without_judgments`, for the help; a test compares them."""

OF_THIS_MODE = ("against", "method", "top", "difficulty", "plot")
"""The options that say something with --without-judgments alone."""

OF_JUDGMENTS: Mapping[str, str] = {
    "unjudged": "no document is unjudged there",
    "rel": "pseudo-judgments have one grade",
    "judged_only": "no document is unjudged there",
    "grade_scale": "pseudo-judgments have one grade",
    "reference": "scores without judgments are relative already",
    "write_reference": "scores without judgments are relative already",
}
"""The options of `evaluate` that say nothing without judgments, and why."""

OF_SYSTEMS = (
    *("method", "top", "strict", "by_topic", "no_summary", "complete", "places", "ties", "missing_topics", "precision"),
    "collection",
)
"""The options that say nothing about the difficulty of topics."""

WITH_WORDS = ("table", "markdown", "latex")
"""The formats that have a place for what scores without judgments get wrong; beside others it is noted."""

_OPTIONS = (
    click.option(
        "--without-judgments",
        is_flag=True,
        help="There are no QRELS, all files are RUNs: score each system by what the other systems agree on.",
    ),
    click.option(
        "--method",
        metavar="METHOD",
        help="Without judgments, how the other systems are fused; `measurand fuse --methods` explains the methods."
        f" Default: {METHOD}.",
    ),
    click.option(
        "--top",
        type=COUNT,
        metavar="N",
        help="Without judgments, how many documents at the top of the fusion count as relevant on each topic."
        f" Default: {TOP}.",
    ),
    click.option(
        "--against",
        type=FilePath(),
        metavar="QRELS",
        help="Without judgments, compare with these: does the order of systems (or of topics) agree, and who moved?",
    ),
    click.option(
        "--difficulty",
        is_flag=True,
        help="Without judgments, print the topics, not the systems: the hardest first, as the entropy of the runs"
        " predicts it (exploratory).",
    ),
    click.option(
        "--plot",
        type=FilePath(dir_okay=False),
        help="With --difficulty, draw the topics: .svg, .png, .html or .json (Vega-Lite).",
    ),
)


def options_without_judgments(command: Command) -> Command:
    """Give a command the options for evaluation without judgments."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def refuse_this_mode(options: Mapping[str, Any]) -> None:
    """Complain of an option that says something without judgments alone.

    Parameters
    ----------
    options
        The options of the command.
    """
    for name in OF_THIS_MODE:
        if options[name] not in (None, False):
            raise click.UsageError(f"{_spelled(name)} goes with --without-judgments.")


def evaluate_runs(runs: Sequence[str], options: Mapping[str, Any]) -> None:
    """Score runs, or predict hard topics, without judgments, and print what was found.

    Parameters
    ----------
    runs
        The arguments of the command.
    options
        Its options.
    """
    against = options["against"]
    refuse_to_overwrite(options["output"], [*runs, *([] if against is None else [against])])
    _refuse(OF_JUDGMENTS, "--without-judgments", OF_JUDGMENTS)
    if options["difficulty"]:
        _refuse(OF_SYSTEMS, "--difficulty")
        _print_topics(runs, options)
        return
    if options["plot"] is not None:
        raise click.UsageError("--plot goes with --difficulty.")
    _print_systems(runs, options)


def _refuse(names: Iterable[str], mode: str, why: Mapping[str, str] | None = None) -> None:
    """Complain of the first of some options that was given on the command line."""
    context = click.get_current_context()
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source is not click.core.ParameterSource.DEFAULT:
            reason = f": {why[name]}" if why else ""
            raise click.UsageError(f"{_spelled(name)} means nothing with {mode}{reason}.")


def _spelled(name: str) -> str:
    """Return how an option is written."""
    parameters = click.get_current_context().command.params
    return next(max(each.opts, key=len) for each in parameters if each.name == name)


def _evaluated(
    runs: Sequence[str], measures: Sequence[Measure], options: Mapping[str, Any]
) -> EvaluationWithoutJudgments:
    """Return the evaluation of runs without judgments, as the options of the command want it."""
    from measurand.study.without_judgments import evaluate_without_judgments

    found = evaluate_without_judgments(
        run_sources(runs),
        measures,
        method=options["method"] or METHOD,
        top=options["top"] or TOP,
        against=None if options["against"] is None else qrels_source(options["against"]),
        collection_size=options["collection"],
        depth=options["depth"],
        ties=options["ties"],
        precision=options["precision"],
        missing_topics=options["missing_topics"],
        names=options["names"],
        progress=waiting(),
    )
    if options["strict"]:
        found.check_strict()
    return found


def _print_systems(runs: Sequence[str], options: Mapping[str, Any]) -> None:
    from measurand.study.pseudo_judgments import BIAS
    from measurand.study.without_judgments import MEASURES

    trec, strict = options["form"] == "trec", options["strict"]
    if trec and options["against"] is not None:
        raise click.UsageError("-f trec has no place for --against; take another format.")
    named = named_measures(options["measures"] or MEASURES, trec=trec)
    found = _evaluated(runs, [measure for _, measure in named], options)
    rows = {"topics": options["by_topic"], "summary": not options["no_summary"]}
    said = (BIAS,) if options["form"] in WITH_WORDS else ()
    mind(found.table, averages=rows["summary"], strict=strict, named=trec, said=said)
    if trec:
        lines = [(trec_label(name, measure), measure) for name, measure in named]
        put(trec_text(found.table, lines, places=options["places"], run_names=True, **rows), options["output"], "trec")
        return
    given = click.get_current_context().get_parameter_source("places") is not click.core.ParameterSource.DEFAULT
    view = partial(found.view, places=options["places"] if given else None, admitted=strict, **rows)
    emit(
        options["form"],
        options["output"],
        document=lambda: found.document(view(best_first=not rows["topics"])),
        data=lambda: found.to_dict(admitted=strict, **rows),
        tables=lambda: [each.view() for each in found.agreements] or [view()],
        paper=lambda: found.papers(view()),
        width=UNLIMITED,
    )


def _print_topics(runs: Sequence[str], options: Mapping[str, Any]) -> None:
    from measurand.display.charts import figure_format
    from measurand.study.topic_difficulty import DEPTH, topic_difficulty

    plot, output, against = options["plot"], options["output"], options["against"]
    if options["form"] == "trec":
        raise click.UsageError("-f trec has no place for topics alone; take another format.")
    if plot is not None:
        figure_format(plot)
        refuse_to_overwrite(plot, [*runs, *([] if against is None else [against])])
        if output is not None and os.path.realpath(plot) == os.path.realpath(output):
            raise click.UsageError("-o and --plot name the same file.")
    named = named_measures(options["measures"] or ["AP"])
    if len(named) > 1:
        raise ParameterError(f"--difficulty takes one measure, which says how hard topics are, not {len(named)}")
    files = run_sources(runs)
    found = topic_difficulty(
        files,
        None if against is None else qrels_source(against),
        named[0][1],
        depth=options["depth"] or DEPTH,
        names=options["names"],
        progress=waiting() if len(files) < 2 else bar(len(files)),
    )
    note(found.caveats)
    if plot is not None:
        found.plot().save(plot)
    view = found.view
    emit(
        options["form"],
        output,
        document=found.document,
        data=found.to_dict,
        tables=lambda: [view()],
        paper=lambda: [view()],
    )
