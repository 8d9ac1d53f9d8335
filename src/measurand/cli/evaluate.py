"""`measurand evaluate`: from files to numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import click
import numpy as np

from measurand.cli.emit import emit, format_option, note, put
from measurand.cli.options import (
    FORMATS,
    judge_named,
    judging_options,
    measures_option,
    named_measures,
    output_file,
    refuse_to_overwrite,
    relevance_options,
    seen_as,
    strict_option,
    waiting,
)
from measurand.cli.without_judgments import evaluate_runs, options_without_judgments, refuse_this_mode
from measurand.display.wording import listed
from measurand.errors import Caveat, CaveatKind, NotMeaningful
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.measures.parse import split_measures
from measurand.scores import Aggregation, Scores, Table
from measurand.scores.score_table import scores_document
from measurand.study.evaluation import DEFAULT_MEASURES, tabulate

UNLIMITED = 10_000
"""Tables of scores are never broken, so that lines can be searched and sorted."""


@click.command()
@click.argument("qrels")
@click.argument("runs", metavar="RUN...", nargs=-1)
@measures_option
@relevance_options
@click.option("-q", "--by-topic", is_flag=True, help="Print every topic.")
@click.option("-n", "--no-summary", is_flag=True, help="Leave out the numbers over all topics.")
@format_option(*FORMATS, "trec")
@click.option(
    "-c",
    "--complete",
    is_flag=True,
    help="Count topics that a run left out as empty results (the default; trec_eval's -c).",
)
@click.option(
    "-p",
    "--places",
    type=click.IntRange(0, 17),
    default=4,
    show_default=True,
    help="Decimals in table, latex and trec.",
)
@click.option(
    "--unjudged",
    type=click.Choice(["min", "max", "bounds"]),
    help="Print the lowest values (min), the highest (max), or both (bounds), over all grades that documents without"
    " judgment, within the ranks that a measure looks at, could have. Otherwise these count as not relevant.",
)
@judging_options
@output_file
@strict_option(
    "Print the median or the mean rank where the scale of a measure does not admit means; without judgments, refuse"
    " runs that are nearly the same."
)
@options_without_judgments
def evaluate(qrels: str, runs: tuple[str, ...], **options: Any) -> None:
    """Score each RUN against QRELS.

    QRELS and RUN are TREC files, plain or compressed, or - for standard input; RUN may also be a directory or
    a pattern, and NAME=FILE names a system. Without -m the measures are nDCG@10, AP, P@10, RR and Judged@10 (with
    -f trec: trec_eval's own). With --without-judgments there are no QRELS, and the measures are OIE and AP.
    """
    if options["complete"] and options["missing_topics"] == "skip":
        raise click.UsageError("-c counts missing topics and --missing-topics skip leaves them out; choose one.")
    if options["without_judgments"]:
        evaluate_runs([qrels, *runs], options)
        return
    refuse_this_mode(options)
    if not runs:
        context = click.get_current_context()
        raise click.MissingParameter(ctx=context, param=context.command.params[1])
    refuse_to_overwrite(options["output"], [qrels, *runs])
    trec = options["form"] == "trec"
    asked = options["measures"] or (["official"] if trec else DEFAULT_MEASURES)
    spelled = named_measures(asked, trec=trec)
    named = [(trec_label(name, measure) if trec else name, seen_as(measure, options)) for name, measure in spelled]
    judged = judge_named(qrels, runs, options)
    table = _scored(judged, {repr(measure): measure for _, measure in named}, options["unjudged"])
    rows = {"topics": options["by_topic"], "summary": not options["no_summary"]}
    mind(table, averages=rows["summary"], strict=options["strict"], named=trec)
    if trec:
        from measurand.measures.trec_names import NICKNAMES  # loads the measures that trec_eval has

        nicknames = any(text in NICKNAMES for text in split_measures(asked))
        lines = _trec_lines(table, named, options["unjudged"])
        text = trec_text(table, lines, places=options["places"], run_names=nicknames or len(table.systems) > 1, **rows)
        put(text, options["output"])
        return
    view = partial(table.view, places=options["places"], admitted=options["strict"], **rows)
    emit(
        options["form"],
        options["output"],
        document=lambda: scores_document(view(best_first=not rows["topics"])),
        data=lambda: table.to_dict(admitted=options["strict"], **rows),
        tables=lambda: [view()],
        paper=lambda: [view()],
        width=UNLIMITED,
    )


def _scored(judged: JudgedRuns, measures: dict[str, Measure], unjudged: str | None) -> Table:
    """Return the scores, or the lowest and the highest that they could be."""
    table = tabulate(judged, measures, waiting())
    if unjudged is None:
        return table
    from measurand.study.unjudged_scores import bounded_table  # loads what is proved of measures

    return bounded_table(table, judged, measures, unjudged)


def _trec_lines(table: Table, named: Sequence[tuple[str, Measure]], unjudged: str | None) -> list[tuple[str, object]]:
    """Return the names to print in trec_eval's format, with what they stand for."""
    if unjudged is None:
        return list(named)
    from measurand.study.unjudged_scores import trec_names

    return [line for name, measure in named for line in trec_names(table, name, measure, unjudged)]


def trec_label(name: str, measure: Measure) -> str:
    """Return the name to print in trec_eval's format: trec_eval's own where there is one.

    Parameters
    ----------
    name
        What the measure was called.
    measure
        The measure.
    """
    from measurand.measures.trec_names import plain, spell

    bare = name == repr(measure) and plain(measure) == measure
    return (spell(measure) or name) if bare else name


SHOWN = 6


def mind(table: Table, *, averages: bool = True, strict: bool = False, named: bool = False) -> None:
    """Print the caveats of a table, and refuse averages that nothing admitted can stand in for.

    What scales do not admit is said by `compare` and the report, not beside plain numbers.

    Parameters
    ----------
    table
        The scores.
    averages
        Whether averages are shown at all.
    strict
        Whether averages that a scale does not admit are replaced, or refused where they were asked for by name.
    named
        Whether every average was asked for by name, as in trec_eval's format.
    """
    told = (*table.caveats, *(caveat for scores in table for caveat in scores.caveats))
    note(told)
    if not averages:
        return
    geometric = [scores for scores in table if scores.aggregation is Aggregation.GEOMETRIC]
    floors = [str(caveat) for scores in geometric for caveat in _lifted(scores)]
    if not strict:
        for text in floors:
            click.echo(f"note: {text}", err=True)
        return
    unknown = [scores.measure for scores in table if _caused(scores.caveats, CaveatKind.COLLECTION)]
    asked = table if named else geometric
    refused = [scores.measure for scores in asked if not scores.summary().admitted and scores.measure not in unknown]
    texts = list(floors)
    if refused:
        texts.append(
            f"the {_scales(refused)} of {listed(refused, SHOWN, 'more measures')} does not admit these averages"
        )
    if unknown:
        which = listed(unknown, SHOWN, "more measures")
        texts.append(f"averages of {which} depend on the size of the collection, which is not said")
    if texts:
        raise NotMeaningful(f"{'; '.join(texts)}. Print topics alone (-q -n), or drop --strict")


def _scales(measures: Sequence[str]) -> str:
    return "scale" if len(measures) == 1 else "scale of each"


def _lifted(scores: Scores) -> Iterator[Caveat]:
    """Return which scores were lifted before their geometric mean was taken."""
    own = [caveat for caveat in scores.summary().caveats if caveat not in scores.caveats]
    yield from _caused(own, CaveatKind.FLOOR)


def _caused(caveats: Iterable[Caveat], cause: CaveatKind) -> list[Caveat]:
    """Return the caveats that follow from something."""
    return [caveat for caveat in caveats if caveat.cause is cause]


def trec_text(
    table: Table,
    named: Sequence[tuple[str, object]],
    *,
    topics: bool,
    summary: bool,
    places: int,
    run_names: bool,
) -> str:
    """Return what trec_eval prints, line for line, one run after the other.

    Parameters
    ----------
    table
        The scores.
    named
        The names to print, with the measure of each, or what its scores are called in the table.
    topics
        Whether to print every topic.
    summary
        Whether to print the number over all topics.
    places
        How many decimals to print.
    run_names
        Whether to print the line with the run's name.
    """
    columns = [(name, table.scores(measure)) for name, measure in sorted(dict.fromkeys(named), key=_trec_place)]
    lines: list[str] = []
    for s, system in enumerate(table.systems):
        if topics:
            for topic in sorted(table.topics, key=str.encode):
                t = table.topics.index(topic)
                lines += [
                    _trec_line(name, topic, _trec_number(scores, float(scores.values[s, t]), places))
                    for name, scores in columns
                    if not name.startswith(("num_q", "gm_")) and not np.isnan(scores.values[s, t])
                ]
        if summary:
            if run_names:
                lines.append(_trec_line("runid", "all", system))
            lines += [
                _trec_line(name, "all", _trec_number(scores, scores.summary()[s], places)) for name, scores in columns
            ]
    return "".join(f"{line}\n" for line in lines)


def _trec_number(scores: Scores, value: float, places: int) -> str:
    # trec_eval shows very small numbers as 0
    return f"{value:.{0 if scores.aggregation is Aggregation.SUM else places}f}"


def _trec_line(name: str, topic: str, value: str) -> str:
    return f"{name:<22}\t{topic}\t{value}"


def _trec_place(named: tuple[str, object]) -> int:
    """Return where trec_eval prints a measure; what it does not have comes last."""
    from measurand.measures.trec_names import FAMILIES

    families = list(FAMILIES)
    roots = [family for family in families if named[0] == family or named[0].startswith(f"{family}_")]
    return families.index(max(roots, key=len)) if roots else len(families)
