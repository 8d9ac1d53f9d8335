"""`measurand esl`: how long a search takes, when documents tie."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from measurand.cli.emit import emit, note
from measurand.cli.input_format import FilePath
from measurand.cli.numbers import COUNT
from measurand.cli.options import (
    judge_named,
    judging_options_without_ties,
    measures_option,
    named_measures,
    output_file,
    refuse_to_overwrite,
    relevance_options,
    seen_as,
    table_or_json,
    waiting,
)
from measurand.errors import ParameterError

WIDTH = 120
"""Tables of systems are never wider."""

SIGNS = "+-| \t\r\n"
"""What a result with ties is written in."""

OF_RESULTS = ("source", "runs", "wanted", "form", "output")
"""The parameters that a RESULT takes."""

OF_QUESTIONS = ("questionnaire", "answers", "save", "step", "form", "output")
"""The parameters of the questionnaire."""

SHOWN = 60
"""Of a long text so many characters are shown."""

DEFAULT = ParameterSource.DEFAULT


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("source", metavar="[RESULT|QRELS]", required=False)
@click.argument("runs", metavar="[RUN...]", nargs=-1)
@click.option(
    "-i",
    "wanted",
    type=COUNT,
    multiple=True,
    metavar="N",
    help="How many relevant documents are wanted; may be repeated. By default 1 for runs, 1 to 100 for a RESULT.",
)
@measures_option
@relevance_options
@click.option("-q", "--by-topic", is_flag=True, help="Print every topic where ties matter.")
@click.option("--questionnaire", is_flag=True, help="Ask a few questions instead: what is esl worth to you?")
@click.option(
    "--answers", metavar="FILE|LIST", help="With --questionnaire: answers, such as 1,=,=,= or a file of --save."
)
@click.option(
    "--save",
    type=FilePath(dir_okay=False),
    help="With --questionnaire: keep answers in a file, and go on from those there; it is never begun anew.",
)
@click.option("--step", type=COUNT, metavar="N", help="With --questionnaire: ask about 0 to 4 N documents; N is 4.")
@judging_options_without_ties
@table_or_json
@output_file
@click.pass_context
def esl(
    context: click.Context, /, source: str | None, runs: tuple[str, ...], form: str, output: str | None, **options: Any
) -> None:
    """Say how many nonrelevant documents a reader inspects before having found enough relevant ones.

    RESULT is written like "+-|+--|++---": relevant and nonrelevant documents, ranks of equal score between bars.
    Or give QRELS and RUNs, which are TREC files, as for evaluate: then it tells for every run what the order of
    documents of equal score does to its search lengths, and to other measures on request (-m AP).
    With --questionnaire, answer a few questions and learn which statistics of search lengths mean something to you.
    """
    if options["questionnaire"]:
        _refuse_options_beside(context, OF_QUESTIONS, "only for runs and results; --questionnaire stands alone")
        _ask(form, output, options["answers"], options["save"], options["step"])
        return
    if source is None:
        raise click.UsageError("Missing argument 'RESULT|QRELS'.")
    for argument in (source, *runs):
        if argument.startswith("-") and not _is_result(argument) and not _is_there(argument):
            raise click.UsageError(f"No such option: {argument}")
    asking = [f"--{name}" for name in ("answers", "save", "step") if options.pop(name) is not None]
    if asking:
        raise click.UsageError(f"{' and '.join(asking)}: only with --questionnaire")
    if runs:
        _of_runs(source, runs, form, output, options)
    else:
        _refuse_options_beside(context, OF_RESULTS, "only for runs; a RESULT takes -i, -f and -o")
        _of_result(source, options["wanted"], form, output)


def _is_result(text: str) -> bool:
    return not text.strip(SIGNS)


def _is_there(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        # no file has such a name
        return False


def _refuse_options_beside(context: click.Context, known: tuple[str, ...], why: str) -> None:
    """Complain of options that say nothing of what was asked for."""
    given = [
        "/".join(option.opts)
        for option in context.command.params
        if option.name not in known and context.get_parameter_source(str(option.name)) is not DEFAULT
    ]
    if given:
        raise click.UsageError(f"{' and '.join(given)}: {why}")


def _ask(form: str, output: str | None, answers: str | None, save: str | None, step: int | None) -> None:
    """Ask questions, at a terminal or of the lines of the input, and show what follows from the answers."""
    from measurand.cli.questionnaire import answered, ask

    # a file of answers is gone on with, never begun anew
    kept = save if save is not None and _is_there(save) else None
    if kept is not None and answers not in (None, kept):
        raise click.UsageError(
            f"--save {kept} is there already, and would be lost; leave out --answers to go on from it, or name another"
        )
    known = kept or answers
    asked = ask(answered(known, step), save, typed=answers is None)
    emit(form, output, document=asked.document, data=asked.to_dict)


def _of_result(text: str, wanted: tuple[int, ...], form: str, output: str | None) -> None:
    from measurand.search_length import WeakOrder
    from measurand.search_length.search_view import search_data, search_document

    if not _is_result(text):
        if _is_there(text):
            raise click.UsageError(f"{text} is no result; if it holds judgments, runs are to follow")
        strange = text.strip(SIGNS)[0]
        shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
        why = f"{strange!a} is none of + - and |"
        raise ParameterError(f"{shown!r} is neither a file nor a result ({why}); write results like '+-|+--|++---'")
    order = WeakOrder.parse(text)
    emit(form, output, document=lambda: search_document(order, wanted), data=lambda: search_data(order, wanted))


def _of_runs(qrels: str, runs: tuple[str, ...], form: str, output: str | None, options: dict[str, Any]) -> None:
    from measurand.measures.expected_search_length import ESL
    from measurand.study.tie_effect import tie_effect

    if qrels != "-" and _is_result(qrels) and not _is_there(qrels):
        raise click.UsageError(f"{qrels!r} is a result, and stands alone; -i says how many relevant documents to find")
    refuse_to_overwrite(output, [qrels, *runs])
    others = [measure for _, measure in named_measures(options["measures"])] if options["measures"] else []
    lengths = [ESL(i=i, collection=options["collection"]) for i in options["wanted"] or (() if others else (1,))]
    measures = [seen_as(measure, options) for measure in dict.fromkeys([*lengths, *others])]
    judged = judge_named(qrels, runs, {**options, "ties": "expected"})
    effects = tie_effect(judged, measures, progress=waiting())
    note([*effects.caveats, *(caveat for effect in effects.values() for caveat in effect.caveats)])
    shown = {"by_topic": options["by_topic"]}
    emit(form, output, document=lambda: effects.document(**shown), data=lambda: effects.to_dict(**shown), width=WIDTH)
