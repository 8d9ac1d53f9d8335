"""The standard streams: closed ones, those that lack letters, terminals; and the one way by which anything is printed.

A stranger's name that is printed passes here: no letter in it steers a terminal, and none ends a line for people.
"""

from __future__ import annotations

import os
import sys
from codecs import lookup
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO

import click

from measurand.interrupts import note_printing
from measurand.letters import STAND_IN, UNSEEN, json_escaped, shown

BEYOND_ASCII = "[^\x00-\x7f]"

UTF8 = "utf-8"

SAYS_UTF8 = ("html", "junit")
"""Formats of files that say of themselves that they are UTF-8."""


def mend_streams() -> None:
    """Have streams take letters that they lack, and keep the places of closed ones from files that are opened.

    What is printed where standard output is closed is an error, as on a full disk; notes are lost where nobody reads.
    """
    if sys.stdin is None:
        _take_place(os.O_RDONLY)
    elif isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")
    if sys.stdout is None:
        sys.stdout = open(_take_place(os.O_RDONLY), "w", encoding=UTF8)  # noqa: SIM115 - until the program ends
    if sys.stderr is None:
        sys.stderr = open(_take_place(os.O_WRONLY), "w", encoding=UTF8)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=STAND_IN)


def _take_place(mode: int) -> int:
    """Open nothing at all, in the lowest place that is free, which is that of the first stream that is closed."""
    return os.open(os.devnull, mode)


def on_terminal(output: str | None = None) -> bool:
    """Return whether it is a terminal that a text is printed on.

    Parameters
    ----------
    output
        The file that it is written to instead, if any.
    """
    return output is None and sys.stdout.isatty()


def hand_out(data: str | bytes, form: str) -> None:
    """Print a result on standard output; a terminal gets letters escaped that cannot be seen.

    Parameters
    ----------
    data
        The result; bytes, which are UTF-8 where they are text, go as they are to all but terminals.
    form
        The format: a table is ready for people, and may have colours; JSON is UTF-8 on every stream.
    """
    note_printing()
    if on_terminal() and form != "table":
        text = data if isinstance(data, str) else data.decode(errors="surrogateescape")
        data = json_escaped(text, UNSEEN) if form == "json" else shown(text, keep="" if form == "parquet" else "\n\t")
    held = _held(data, form) if isinstance(data, str) else data
    if isinstance(held, str):
        # colours that are not ours are escaped by now, and would be taken away otherwise
        click.echo(held, file=sys.stdout, nl=False, color=True)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(held)
        sys.stdout.buffer.flush()


def _held(text: str, form: str) -> str | bytes:
    """Return a text as standard output can hold it; look-alikes, which may be quotes or signs, are for people alone."""
    encoding = lookup(sys.stdout.encoding or UTF8).name
    if form in SAYS_UTF8:
        data = text.encode(errors="backslashreplace")
        return data.decode() if encoding == UTF8 else data
    if encoding == UTF8 or form == "table":
        return text
    if form == "json":
        return json_escaped(text, BEYOND_ASCII).encode()
    return text.encode(encoding, "backslashreplace").decode(encoding)


def say(*lines: str) -> None:
    """Print lines for people on standard output; whatever is named in a line, it is one line.

    Parameters
    ----------
    lines
        The lines.
    """
    click.echo("\n".join(map(shown, lines)), file=sys.stdout)


def tell(*lines: str, end: str = "\n") -> None:
    """Print lines on the error stream, where somebody reads it; whatever is named in a line, it is one line.

    Parameters
    ----------
    lines
        The lines.
    end
        What stands behind the last one.
    """
    try:
        click.echo("\n".join(map(shown, lines)) + end, file=sys.stderr, nl=False)
    except OSError:
        # nobody is left who could be told
        give_up(sys.stderr)


def give_up(stream: TextIO) -> None:
    """Keep Python from complaining at exit about what nobody takes.

    Parameters
    ----------
    stream
        The stream that takes nothing.
    """
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
