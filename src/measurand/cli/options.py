"""Options that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO, TypeVar

import click

from measurand.errors import ParameterError
from measurand.execution import Progress, silent
from measurand.trec import expand, write_atomically

Item = TypeVar("Item")

FORMATS = ("table", "tsv", "csv", "json", "latex", "trec")

MANY = 10
"""From so many runs on, a terminal shows how far the reading is."""

table_or_json = click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="How to print.",
)

output_file = click.option(
    "-o", "--output", type=click.Path(dir_okay=False), help="Write to a file instead of printing."
)

judged_files = click.argument("runs", metavar="RUN...", nargs=-1, required=True)


def split_measures(texts: Iterable[str]) -> list[str]:
    """Return the measures in some option values, each of which may hold several.

    Examples
    --------
    >>> split_measures(["AP nDCG(b=2, gain='exp2')@10", "P.5,10"])
    ['AP', "nDCG(b=2, gain='exp2')@10", 'P.5,10']
    """
    parts: list[str] = []
    for text in texts:
        depth = 0
        for word in text.split():
            # spaces inside parentheses belong to a measure
            parts[len(parts) - (depth > 0) :] = [f"{parts[-1]} {word}" if depth > 0 else word]
            depth += word.count("(") - word.count(")")
    return parts


def opened(path: str) -> str | IO[bytes]:
    """Return a path as it is, and standard input for `-`."""
    return sys.stdin.buffer if path == "-" else path


def refuse_to_overwrite(output: str | None, inputs: Iterable[str]) -> None:
    """Complain if the file to write is one of those to read."""
    if output is None:
        return
    target = Path(output).resolve()
    for path in expand(path for path in inputs if path != "-"):
        if Path(path).resolve() == target:
            raise ParameterError(f"-o {output} would overwrite what is to be read; name another file")


def bar(n: int) -> Progress:
    """Return a progress bar on the error stream if it is a terminal and there is something to wait for."""
    if n < MANY or not sys.stderr.isatty():
        return silent
    return _bar


def waiting() -> Progress:
    """Return a progress bar on the error stream if it is a terminal."""
    return _bar if sys.stderr.isatty() else silent


def put(text: str, output: str | None) -> None:
    """Print a text, or write it to a file, whole or not at all."""
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, [text.encode()])


def _bar(items: Iterable[Item], total: int | None, what: str) -> Iterable[Item]:
    from rich.console import Console
    from rich.progress import track

    return track(items, description=what, total=total, console=Console(stderr=True), transient=True)
