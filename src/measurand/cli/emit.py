"""What a command prints: a result in the format that was asked for, and notes on the error stream."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from measurand.cli.input_format import insist, is_input_format
from measurand.cli.streams import SAYS_UTF8, hand_out, on_terminal, tell
from measurand.display.tables import Document, TableView
from measurand.errors import Caveat, about_data
from measurand.letters import STAND_IN
from measurand.trec import write_atomically

WIDTH = 100
"""How wide a text is at most, if nothing is said."""

NOTES = 10
"""So many notes of a kind are printed; hundreds of runs can have the same one."""


def format_option(*formats: str) -> Callable[[Any], Any]:
    """Return the option that says in which format to print.

    Parameters
    ----------
    formats
        The formats that a command knows, the usual one first.
    """
    option = click.option(
        "-f",
        "--format",
        "form",
        type=OutputFormat(formats),
        multiple=True,
        default=[formats[0]],
        show_default=True,
        callback=_chosen,
        help="How to print.",
    )
    return (lambda command: option(raw_option(command))) if {"csv", "tsv"} & set(formats) else option


RAW = f"{__name__}.raw"
"""Where a command keeps whether text that a spreadsheet would run stays as it is."""


def _keep_raw(context: click.Context, _: click.Parameter, raw: bool) -> None:
    context.meta[RAW] = raw


raw_option = click.option(
    "--raw",
    is_flag=True,
    expose_value=False,
    callback=_keep_raw,
    help="In CSV and TSV leave text as it is that a spreadsheet would run (= + - @ first); otherwise an apostrophe"
    " stands before it.",
)


def is_raw() -> bool:
    """Return whether text that a spreadsheet would run stays as it is in CSV and TSV."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(RAW))


class OutputFormat(click.Choice[str]):
    """A format to print in; the name of a format that files are read from alone is let through where files are read."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name of a format, or complain that there is none of this name."""
        reads = ctx is not None and any(each.name == "input_format" for each in ctx.command.params)
        if reads and isinstance(value, str) and value not in self.choices and is_input_format(value):
            return value
        return super().convert(value, param, ctx)


def _chosen(context: click.Context, option: click.Parameter, values: Sequence[str]) -> str:
    """Return the format to print in, which is the last one named; formats of input are kept for whoever reads files."""
    choices = option.type.choices if isinstance(option.type, click.Choice) else ()
    for each in values:
        if each not in choices:
            insist(context, each)
    return next((each for each in reversed(values) if each in choices), choices[0])


def emit(
    form: str,
    output: str | None,
    *,
    document: Callable[[], Document],
    data: Callable[[], Any],
    tables: Callable[[], Iterable[TableView]] = tuple,
    paper: Callable[[], Iterable[TableView]] = tuple,
    width: int = WIDTH,
) -> None:
    """Print a result, or write it to a file, whole or not at all.

    Parameters
    ----------
    form
        The format: table, markdown, json, tsv, csv or latex.
    output
        The file; nothing for the screen.
    document
        The result for people.
    data
        The result for programs.
    tables
        The tables whose rows go into TSV and CSV.
    paper
        The tables that LaTeX sets.
    width
        How wide a text is at most.
    """
    put(_rendered(form, output, document, data, tables, paper, width), output, form)


def _rendered(
    form: str, output: str | None, document: Any, data: Any, tables: Any, paper: Any, width: int
) -> str | Iterable[str]:
    # a renderer is loaded when it is needed
    if form == "table":
        return _text(document(), colour=coloured(output), width=wide(width, output))
    if form == "markdown":
        from measurand.display.markdown import markdown_text

        return markdown_text(document())
    if form == "latex":
        from measurand.display.latex import latex_table

        return "\n".join(map(latex_table, paper()))
    from measurand.display.data import json_parts

    return json_parts(data()) if form == "json" else _separated(tables(), form, output)


def _separated(tables: Iterable[TableView], form: str, output: str | None) -> str:
    from measurand.display.data import separated

    return separated(tables, "\t" if form == "tsv" else ",", raw=is_raw(), for_people=on_terminal(output))


def _text(document: Document, *, colour: bool, width: int) -> str:
    """Return a document as text; what is plain and fits needs no layout, which is slow to load."""
    from measurand.display.unstyled import plain_text

    plain = None if colour else plain_text(document, width)
    if plain is not None:
        return plain
    from measurand.display.terminal import terminal_text

    return terminal_text(document, colour=colour, width=width)


def put(text: str | Iterable[str], output: str | None, form: str) -> None:
    """Print a text, or write it to a file, whole or not at all.

    Parameters
    ----------
    text
        The text, or its parts, of which few are in memory at a time.
    output
        The file; nothing for the screen.
    form
        The format: a table is ready for people, and may have colours; in others, a terminal gets letters escaped that
        cannot be seen.
    """
    parts = [text] if isinstance(text, str) else text
    if output is None:
        for part in parts:
            hand_out(part, form)
    else:
        errors = "backslashreplace" if form in SAYS_UTF8 else STAND_IN
        write_atomically(output, (part.encode(errors=errors) for part in parts))


def coloured(output: str | None) -> bool:
    """Return whether a text has colours: on a terminal, unless the user wants none (https://no-color.org).

    Parameters
    ----------
    output
        The file that it is written to, if any.
    """
    return on_terminal(output) and not os.environ.get("NO_COLOR")


def wide(most: int, output: str | None) -> int:
    """Return how wide a text may be: `most`, or less if it is printed on a narrower terminal.

    Parameters
    ----------
    most
        The largest width.
    output
        The file that it is written to, if any.
    """
    return columns(most) if on_terminal(output) else most


def columns(most: int) -> int:
    """Return how wide the terminal is, but no more than `most`.

    Parameters
    ----------
    most
        The largest width.
    """
    from shutil import get_terminal_size

    return min(get_terminal_size((most, 24)).columns, most)


def note(caveats: Iterable[Caveat]) -> None:
    """Print caveats on the error stream, each once; those about scales and gains stand where systems are compared.

    Of each kind the first are printed, and how many more there are.

    Parameters
    ----------
    caveats
        What a reader of the numbers should know.
    """
    told: Counter[str] = Counter()
    for text, kind in {str(caveat): caveat.kind for caveat in about_data(caveats)}.items():
        told[kind] += 1
        if told[kind] <= NOTES:
            tell(f"note: {text}")
    more = [f"{number - NOTES:,} more of the kind {kind}" for kind, number in told.items() if number > NOTES]
    if more:
        tell(f"note: … and {' and '.join(more)}; caveats has all of them in Python")
