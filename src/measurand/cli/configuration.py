"""Settings in files: `measurand.toml` or `pyproject.toml`, here or above, up to the root of the repository."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from measurand.calls import nearest
from measurand.cli.input_format import FilePath
from measurand.errors import InputFileError

Command = TypeVar("Command", bound=Callable[..., Any])

TABLES = ("gate",)
"""The commands that have settings, each in a table of its name."""

USED = "measurand.configuration"
"""Where the context of a command keeps the file that its settings came from."""


def config_option(table: str, never: Collection[str]) -> Callable[[Command], Command]:
    """Return the option that names the file of settings; what stands in it is what options are if nothing is said.

    Parameters
    ----------
    table
        The name of the table that holds the settings.
    never
        The options that no file may set.
    """

    def configure(context: click.Context, _: click.Parameter, path: str | None) -> str | None:
        found = _named(Path(path), table) if path is not None else _found(Path.cwd(), table)
        if found is not None:
            context.default_map = {**(context.default_map or {}), **found.defaults(context, never)}
            context.meta[USED] = str(found.path)
        return path

    return click.option(
        "--config",
        type=FilePath(dir_okay=False),
        is_eager=True,
        expose_value=False,
        callback=configure,
        help=f"Take settings from this file; otherwise from [{table}] in measurand.toml, or [tool.measurand.{table}] in"
        " pyproject.toml, here or above. The command line wins.",
    )


class _Settings:
    """The settings of a command in a file."""

    def __init__(self, path: Path, text: str, table: str, values: Mapping[str, Any]) -> None:
        self.path, self.text, self.table, self.values = path, text, table, values

    def fail(self, key: str, why: str) -> InputFileError:
        """Return the error of a setting, with the line where it stands, as far as that can be told."""
        spelled = rf"^\s*(\[[^\]]*\b)?\[?[\"']?{re.escape(key)}[\"']?\s*(=|\.|\])"
        lines = (number for number, line in enumerate(self.text.splitlines(), 1) if re.search(spelled, line))
        return InputFileError(str(self.path), next(lines, None), why)

    def defaults(self, context: click.Context, never: Collection[str]) -> dict[str, Any]:
        """Return the values of options by the names of parameters."""
        options = {
            name.removeprefix("--"): each
            for each in context.command.params
            if isinstance(each, click.Option) and each.name not in never
            for name in each.opts
            if name.startswith("--") and name not in ("--config", "--help")
        }
        found: dict[str, Any] = {}
        for key, value in self.values.items():
            option = options.get(key.replace("_", "-"))
            if option is None:
                close = nearest(key.replace("_", "-"), options)
                hint = f"did you mean {close}?" if close else f"it has {', '.join(sorted(options))}"
                raise self.fail(key, f"{self.table} has no setting {key!r}; {hint}")
            found[str(option.name)] = self._value(key, value, option, context)
        return found

    def _value(self, key: str, value: Any, option: click.Option, context: click.Context) -> Any:
        """Return the value of a setting as the command line would have it."""
        if option.is_flag != isinstance(value, bool):
            wanted = "is true or false" if option.is_flag else "wants a value"
            raise self.fail(key, f"{key} {wanted}, not {_written(value)}")
        if option.is_flag:
            return value
        try:
            if option.multiple:
                return [option.type.convert(each, option, context) for each in _several(value)]
            single = _single(value, option)
            if isinstance(option.type, click.Path) and (self.path.parent / single).exists():
                single = str(self.path.parent / single)  # files are named as they are seen from the settings
            return option.type.convert(single, option, context)
        except click.BadParameter as error:
            raise self.fail(key, f"{key}: {' '.join(error.message.split())}") from None


def _single(value: Any, option: click.Option) -> Any:
    """Return the value of an option that wants one text or one number, or complain that it is no such thing."""
    wanted: tuple[type, ...] = (str,)
    if isinstance(option.type, click.types.IntParamType):
        wanted = (int,)
    elif isinstance(option.type, click.types.FloatParamType):
        wanted = (int, float)
    if not isinstance(value, wanted):
        kinds = {(str,): "text", (int,): "whole number", (int, float): "number"}
        raise click.BadParameter(f"{_written(value)} is no {kinds[wanted]}")
    return value


def _several(value: Any) -> list[str]:
    """Return the values of an option that may be repeated: one, a list of them, or a table of NAME=VALUE."""
    if isinstance(value, dict):
        return [f"{name}={_one(each)}" for name, each in value.items()]
    return [_one(each) for each in (value if isinstance(value, list) else [value])]


def _one(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise click.BadParameter(f"{_written(value)} is neither a number nor a text")
    return str(value)


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "a table" if isinstance(value, dict) else "a list" if isinstance(value, list) else repr(value)


def _found(here: Path, table: str) -> _Settings | None:
    """Return the settings in the nearest file that has some, up to the root of the repository."""
    for folder in (here, *here.parents):
        for name in ("measurand.toml", "pyproject.toml"):
            path = folder / name
            found = _settings(path, table) if path.is_file() else None
            if found is not None:
                return found
        if (folder / ".git").exists():
            return None
    return None


def _named(path: Path, table: str) -> _Settings:
    """Return the settings in a file that was named, which must have some."""
    found = _settings(path, table)
    if found is None:
        where = f"[tool.measurand.{table}]" if path.name == "pyproject.toml" else f"[{table}]"
        raise InputFileError(str(path), None, f"has no settings; write them below {where}")
    return found


def _settings(path: Path, table: str) -> _Settings | None:
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise InputFileError(str(path), None, f"cannot be read ({error.strerror or error})") from None
    except (ValueError, RecursionError) as error:  # of TOML, of UTF-8, of numbers of thousands of digits
        raise InputFileError(str(path), None, f"is no TOML file: {error}") from None
    own = data.get("tool", {}).get("measurand") if path.name == "pyproject.toml" else data
    if own is None:
        return None
    if not isinstance(own, dict):
        raise InputFileError(str(path), None, f"tool.measurand is no table; write [tool.measurand.{table}]")
    for name in own:
        if name not in TABLES or not isinstance(own[name], dict):
            known = ", ".join(f"[{each}]" for each in TABLES)
            raise _Settings(path, text, table, own).fail(name, f"there is no table {name!r}; there is {known}")
    return _Settings(path, text, table, own[table]) if table in own else None
