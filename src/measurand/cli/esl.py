"""`measurand esl`: how long a search takes, when documents tie."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from measurand.cli.notes import note
from measurand.cli.options import (
    columns,
    judge_named,
    judging_options_without_ties,
    output_file,
    put,
    refuse_to_overwrite,
    relevance_options,
    seen_as,
    table_or_json,
    waiting,
)
from measurand.errors import ParameterError

SIGNS = "+-| "
"""What a result with ties is written in."""


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("source", metavar="RESULT|QRELS")
@click.argument("runs", metavar="[RUN...]", nargs=-1)
@click.option(
    "-i",
    "wanted",
    type=click.IntRange(1),
    multiple=True,
    metavar="N",
    help="How many relevant documents are wanted; may be repeated. By default 1 for runs, every number for a RESULT.",
)
@click.option(
    "--collection-size",
    "collection",
    type=click.IntRange(1),
    metavar="N",
    help="How many documents there are; matters where runs do not find enough.",
)
@relevance_options
@click.option("-q", "--by-topic", is_flag=True, help="Print every topic where ties matter.")
@judging_options_without_ties
@table_or_json
@output_file
def esl(source: str, runs: tuple[str, ...], form: str, output: str | None, **options: Any) -> None:
    """Say how many nonrelevant documents a reader inspects before having found enough relevant ones.

    RESULT is written like "+-|+--|++---": relevant and nonrelevant documents, ranks of equal score between bars.
    Or give QRELS and RUNs, which are TREC files, as for evaluate: then it tells for every run what the order of
    documents of equal score does to its search lengths.
    """
    if runs:
        text = _of_runs(source, runs, form, output, options)
    else:
        text = _of_result(source, options["wanted"], form, terminal=output is None and sys.stdout.isatty())
    put(text, output)


def _of_result(text: str, wanted: tuple[int, ...], form: str, *, terminal: bool) -> str:
    from measurand.report.search_length_data import search_data
    from measurand.report.search_length_text import WIDTH, search_text
    from measurand.search_length import WeakOrder

    if set(text) - set(SIGNS):
        _refuse(text)
    order = WeakOrder.parse(text)
    if form == "json":
        return json.dumps(search_data(order, wanted), indent=2, ensure_ascii=False) + "\n"
    return search_text(order, wanted, colour=terminal, width=columns(WIDTH) if terminal else WIDTH)


def _refuse(text: str) -> None:
    """Say what is wrong with a lone argument that is no result: a file without runs, or an option that is none."""
    if text.startswith("-"):
        raise click.UsageError(f"No such option: {text}")
    if Path(text).exists():
        raise click.UsageError(f"{text} is a file, so runs are to follow: measurand esl QRELS RUN...")
    raise ParameterError(f"{text!r} is neither a file nor a result; write results like '+-|+--|++---'")


def _of_runs(qrels: str, runs: tuple[str, ...], form: str, output: str | None, options: dict[str, Any]) -> str:
    from measurand.measures.expected_search_length import ESL
    from measurand.report.tie_effect_data import tie_effect_data
    from measurand.report.tie_effect_text import WIDTH, tie_effect_text
    from measurand.study.tie_effect import tie_effect

    for argument in runs:
        if argument.startswith("--"):
            raise click.UsageError(f"No such option: {argument}")
    refuse_to_overwrite(output, [qrels, *runs])
    measures = [
        seen_as(ESL(i=i, collection=options["collection"]), options) for i in dict.fromkeys(options["wanted"] or (1,))
    ]
    judged = judge_named(qrels, runs, {**options, "ties": "expected"})
    effects = tie_effect(judged, measures, progress=waiting())
    note([*effects.caveats, *(caveat for effect in effects.values() for caveat in effect.caveats)])
    if form == "json":
        data = tie_effect_data(effects, by_topic=options["by_topic"])
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    terminal = output is None and sys.stdout.isatty()
    width = columns(WIDTH) if terminal else WIDTH
    return tie_effect_text(effects, by_topic=options["by_topic"], colour=terminal, width=width)
