"""`measurand meaning`: whether a sentence about scores survives every rescaling that its scale permits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from measurand.cli.emit import emit, format_option, note
from measurand.cli.numbers import SEED, Alpha
from measurand.cli.options import (
    FORMATS,
    judge_named,
    judging_options,
    named_measures,
    output_file,
    refuse_to_overwrite,
    relevance_options,
    seen_as,
    waiting,
)
from measurand.cli.streams import say
from measurand.display.tables import Column, Document, TableView
from measurand.errors import Caveat, ParameterError
from measurand.scale import Scale

WIDTH = 120
"""The text is never wider."""

COLUMNS = ("statement", "true", "answer", "why", "rescaling")


def _print_grammar(context: click.Context, _: click.Parameter, asked: bool) -> None:
    """Print the grammar of sentences and stop."""
    if asked and not context.resilient_parsing:
        from measurand.scales.language import GRAMMAR

        say(*GRAMMAR.split("\n"))
        context.exit()


@click.command()
@click.argument("files", metavar="QRELS RUN... SENTENCE", nargs=-1, required=True)
@click.option(
    "-s",
    "--statement",
    "statements",
    multiple=True,
    metavar="SENTENCE",
    help="A sentence, in the place of the last argument; may be repeated.",
)
@click.option("-m", "--measure", metavar="MEASURE", help="The measure of sentences that name none.")
@click.option(
    "--scale",
    type=click.Choice([str(each) for each in Scale]),
    help="Take the scores to be on this scale; by default on the one that each measure is shown to have.",
)
@click.option(
    "--alpha",
    type=Alpha(),
    default=0.05,
    show_default=True,
    help="The level of significance where a sentence has none.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="For tests that draw lots.")
@click.option(
    "--grammar",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_grammar,
    help="Print the grammar of sentences.",
)
@relevance_options
@judging_options
@format_option(*FORMATS)
@output_file
def meaning(files: tuple[str, ...], statements: tuple[str, ...], form: str, output: str | None, **options: Any) -> None:
    """Say whether SENTENCE means something: whether it stays true, or false, on every scale that is as good.

    QRELS and RUN are files of TREC's format or another (see --input-format), plain or compressed, or - for standard
    input; RUN may also be a directory or
    a pattern, and NAME=FILE names a system. SENTENCE is about systems and measures, such as "mean of A exceeds mean of
    B under AP"; --grammar prints all forms. The exit status is 0 whatever the answer.
    """
    from measurand.scales.meaning import check, hinted
    from measurand.scales.scored_statements import scored_statement

    sources, sentences = (files, statements) if statements else (files[:-1], files[-1:])
    if len(sources) < 2:
        raise click.UsageError(
            'name judgments, runs and a sentence: QRELS RUN... "mean of A exceeds mean of B under AP"'
        )
    if not statements and _is_file(sentences[0]):
        raise click.UsageError(
            f'the last argument is a sentence, and {sentences[0]} is a file; write: … "A beats B under AP"'
        )
    refuse_to_overwrite(output, sources)
    measure = _main_measure(options["measure"])
    judged = judge_named(sources[0], sources[1:], options)
    found, caveats = [], list[Caveat]()
    for sentence in waiting()(sentences, len(sentences), "checking statements"):
        statement, scores = scored_statement(
            sentence, judged, measure=measure, seen=lambda each: seen_as(each, options)
        )
        caveats += [caveat for each in scores.values() for caveat in each.caveats]
        taken = {"scale": options["scale"], "alpha": options["alpha"], "rng": options["seed"]}
        answer = check(statement, scores, **taken)
        found.append(
            hinted(answer, sentence, judged, measure=measure, seen=lambda each: seen_as(each, options), **taken)
        )
    note(caveats)
    emit(
        form,
        output,
        document=lambda: Document([part for each in found for part in ("", *each.document().parts)][1:]),
        data=lambda: {"statements": [each.to_dict() for each in found]},
        tables=lambda: [_table(found)],
        paper=lambda: [_table(found)],
        width=WIDTH,
    )


def _is_file(text: str) -> bool:
    """Return whether a text is the name of a file; sentences may be longer than names can be."""
    try:
        return bool(text) and Path(text).exists()
    except OSError:
        return False


def _main_measure(text: str | None) -> str | None:
    """Return the measure of sentences that name none."""
    if text is None:
        return None
    named = named_measures([text])
    if len(named) != 1:
        raise ParameterError(
            f"-m names one measure here, not {len(named)}; other measures go into the sentence: … under AP"
        )
    return repr(named[0][1])


def _table(found: list[Any]) -> TableView:
    """Return a row for every sentence."""
    rows = [
        {
            "statement": each.statement,
            "true": "true" if each.true else "false",
            "answer": str(each.answer),
            "why": each.certificate,
            "rescaling": "" if each.transformation is None else str(each.transformation),
        }
        for each in found
    ]
    return TableView([Column(name, name, left=True) for name in COLUMNS], rows, fields=dict.fromkeys(COLUMNS, str))
