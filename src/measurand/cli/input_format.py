"""`--input-format`: which format the files of a command have, where their content does not say it or is not trusted."""

from __future__ import annotations

import sys
from typing import IO, Any

import click

from measurand.errors import ParameterError
from measurand.trec import NamedFile, read_qrels, read_run, read_runs
from measurand.trec.datasets import is_dataset
from measurand.trec.files import FormattedFile
from measurand.trec.formats import FORMATS, INPUT_ONLY, RUNS_ONLY, check_format

KEPT = "measurand.input_format"
"""Where the context of a command keeps the formats that were asked for."""

ROLES = ("qrels", "run")
"""What a format may be asked for."""


class FilePath(click.Path):
    """The path of a file or a folder, or an address, as the value of an option; an empty one names nothing."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, or complain that it is empty."""
        if not value:
            option = param.opts[0] if param is not None else "a path"
            raise ParameterError(f"{option}: an empty path names no file; perhaps a variable of the shell is empty")
        return super().convert(value, param, ctx)


def input_formats(text: str) -> dict[str, str]:
    """Return the formats that were asked for, of judgments and of runs.

    Parameters
    ----------
    text
        A name, which is for both, or `qrels=NAME,run=NAME`.

    Examples
    --------
    >>> input_formats("beir"), input_formats("scores"), input_formats("qrels=beir,run=trec")
    ({'qrels': 'beir', 'run': 'beir'}, {'run': 'scores'}, {'qrels': 'beir', 'run': 'trec'})
    """
    found: dict[str, str] = {}
    for part in text.split(","):
        role, sign, name = part.strip().rpartition("=")
        role = {"runs": "run", "qrel": "qrels", "judgments": "qrels"}.get(role, role)
        if sign and role not in ROLES:
            raise ParameterError(f"--input-format {text}: write a format, or qrels=FORMAT,run=FORMAT")
        form = check_format(name)
        # what is known of runs alone says nothing of judgments
        found |= {each: form for each in ([role] if sign else ROLES) if sign or each == "run" or form not in RUNS_ONLY}
    return found


def is_input_format(text: str) -> bool:
    """Return whether the value of --format names no format of output but one of input.

    Examples
    --------
    >>> is_input_format("beir"), is_input_format("json"), is_input_format("qrels=beir")
    (True, False, True)
    """
    return "=" in text or text.lower().replace("_", "-") in INPUT_ONLY


def insist(context: click.Context, text: str | None) -> None:
    """Keep the formats that were asked for with the context of a command.

    Parameters
    ----------
    context
        The context.
    text
        What stands behind the option; None if it is not there.
    """
    if text is not None:
        try:
            context.meta[KEPT] = {**context.meta.get(KEPT, {}), **input_formats(text)}
        except ParameterError as error:
            raise click.UsageError(str(error), context) from None


input_format_option = click.option(
    "--input-format",
    metavar="NAME",
    expose_value=False,
    callback=lambda context, _, text: insist(context, text),
    help=f"The format of all files, or qrels=NAME,run=NAME: {', '.join(FORMATS)}. Otherwise found by their content.",
)


def _insisted(role: str) -> str | None:
    """Return the format that was asked for, if any."""
    context = click.get_current_context(silent=True)
    found: dict[str, str] = {} if context is None else context.meta.get(KEPT, {})
    return found.get(role)


def as_qrels(source: str | IO[bytes]) -> Any:
    """Return judgments on the command line, in the format that was asked for.

    Parameters
    ----------
    source
        A path, an id of ir_datasets, or standard input.
    """
    form = _insisted("qrels")
    if form is None:
        return source
    if not isinstance(source, str):
        return read_qrels(source, format=form)
    return source if is_dataset(source) else FormattedFile(source, form)


def as_runs(sources: list[Any]) -> list[Any]:
    """Return run files, in the format that was asked for.

    Parameters
    ----------
    sources
        Paths, files with names, or standard input.
    """
    form = _insisted("run")
    return sources if form is None else [each for source in sources for each in _as_runs(source, form)]


def _as_runs(source: Any, form: str) -> list[Any]:
    if isinstance(source, NamedFile):
        return [NamedFile(source.name, source.path, form)]
    if isinstance(source, str):
        return [FormattedFile(source, form)]
    return list(read_runs(source, format=form)) if sys.stdin is not None and source is sys.stdin.buffer else [source]


def read_named(source: IO[bytes], name: str | None) -> Any:
    """Return the run on standard input by the name that it was given.

    Parameters
    ----------
    source
        Standard input.
    name
        The name; None if it was given none.
    """
    return read_run(source, name=name, format=_insisted("run"))
