"""Data for programs: tables as TSV, CSV and frames, results as JSON, exact numbers as text beside their floats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any

from measurand.columns import PlainTable
from measurand.display.tables import TableView, column_names
from measurand.letters import harmless, json_escaped, shown
from measurand.loading import needed

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


def separated(views: Iterable[TableView], delimiter: str = "\t", *, raw: bool = False, for_people: bool = False) -> str:
    r"""Return the rows of tables with the same fields, all digits, below one header.

    Parameters
    ----------
    views
        The tables.
    delimiter
        What stands between values: a tab for TSV, a comma for CSV.
    raw
        Whether text that a spreadsheet would run stays as it is; otherwise it stands behind an apostrophe.
    for_people
        Whether letters that cannot be seen are escaped, for a terminal.

    Examples
    --------
    >>> separated([TableView([], [{"system": "a", "p": None}], fields={"system": str, "p": float})])
    'system\tp\na\t\n'
    """
    several = list(views)

    def cell(value: Any) -> Any:
        if type(value) is float:  # most are
            return value
        number = value is None or (hasattr(value, "__float__") and not isinstance(value, str))
        spelled = value if number else str(value) if raw else harmless(str(value))
        return shown(spelled) if for_people and not number else spelled

    names = list(several[0].fields)
    rows = ([cell(row.get(name, "")) for name in names] for view in several for row in view.rows)
    return csv_text([map(cell, names), *rows], delimiter)


def csv_text(rows: Iterable[Iterable[Any]], delimiter: str = ",") -> str:
    r"""Return rows as CSV or TSV; text with any end of a line in it is quoted.

    Parameters
    ----------
    rows
        The cells, row by row.
    delimiter
        What stands between values.

    Examples
    --------
    >>> csv_text([["a", 1], ["b\r", None]])
    'a,1\n"b\r",\n'
    """
    import csv

    lines = _Lines()
    # a return within text is quoted only where it is part of the end of a row
    csv.writer(lines, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return "".join(lines)


class _Lines(list[str]):
    """What a writer of CSV writes, row by row."""

    def write(self, row: str) -> None:
        self.append(row.removesuffix("\r\n") + "\n")


def view_columns(view: TableView) -> dict[str, list[Any]]:
    """Return the columns of a table as frames hold them: values of one type in each, None where there is none.

    Parameters
    ----------
    view
        The table.

    Examples
    --------
    >>> view_columns(TableView([], [{"n": 1, "x": ""}, {"n": Fraction(1, 2)}], fields={"n": float, "x": float}))
    {'n': [1.0, 0.5], 'x': [None, None]}
    """
    rows = view.data
    names = list(rows[0]) if rows else list(view.fields) or column_names(view.columns)
    numbers = {name for name, kind in view.fields.items() if kind in (int, float)}
    columns: dict[str, list[Any]] = {}
    for name in names:
        found = [row.get(name) for row in rows]
        columns[name] = _of_one_type([None if name in numbers and value == "" else value for value in found])
    return columns


def polars_frame(view: TableView) -> pl.DataFrame:
    """Return a table as a polars frame (needs polars).

    Parameters
    ----------
    view
        The table.

    Examples
    --------
    >>> polars_frame(TableView([], [{"system": "a", "p": None}], fields={"system": str, "p": float})).rows()
    [('a', None)]
    """
    return PlainTable(view_columns(view), view.fields).to_polars()


def pandas_frame(view: TableView) -> pd.DataFrame:
    """Return a table as a pandas frame (needs pandas).

    Parameters
    ----------
    view
        The table.

    Examples
    --------
    >>> pandas_frame(TableView([], [{"system": "a", "p": 0.5}], fields={"system": str, "p": float})).shape
    (1, 2)
    """
    return needed("pandas", "frames", "to_pandas").DataFrame(view_columns(view))


MOST = 2**63
"""Whole numbers from here on are floats in frames."""


def _of_one_type(values: list[Any]) -> list[Any]:
    """Return the values of a column: truths, whole numbers, floats or lists where all are, and else texts."""
    given = [value for value in map(_simple, values) if value is not None]
    if all(isinstance(value, bool) for value in given) or all(isinstance(value, list) for value in given):
        kind: Any = None
    elif all(isinstance(value, int) and abs(value) < MOST and not isinstance(value, bool) for value in given):
        kind = int
    elif all(isinstance(value, int | float) and not isinstance(value, bool) for value in given):
        kind = as_float
    else:
        kind = str
    return [value if value is None or kind is None else kind(value) for value in map(_simple, values)]


def _simple(value: Any) -> Any:
    """Return a value as frames hold it: exact numbers as floats, arrays and runs as lists, all else as text."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Enum):
        return str(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if hasattr(value, "document"):
        # another result: its sentence, or else what it is
        return repr(value) if "\n" in str(value) else str(value)
    if isinstance(value, frozenset | set):
        value = sorted(value, key=str)
    if isinstance(value, list | tuple):
        return _of_one_type(list(value))
    if isinstance(value, Mapping):
        import json

        return json.dumps(plain(value), ensure_ascii=False)
    if isinstance(value, Fraction) or (hasattr(value, "__float__") and not isinstance(value, str)):
        return as_float(value)
    return str(value)


PIECES = 1 << 14
"""So many pieces of JSON, each a number or a name, make a part."""


def json_text(data: Any, **options: Any) -> str:
    r"""Return data as JSON that people can read too.

    Parameters
    ----------
    data
        Nested dictionaries and lists.
    options
        Further options of `json.dumps`.

    Examples
    --------
    >>> json_text({"p": 0.5})
    '{\n  "p": 0.5\n}\n'
    """
    return "".join(json_parts(data, **options))


def json_parts(data: Any, **options: Any) -> Iterator[str]:
    """Return what `json_text` does, part by part, so that few parts are in memory at a time.

    Parameters
    ----------
    data, options
        As for `json_text`.
    """
    import json
    from itertools import islice

    pieces = json.JSONEncoder(indent=2, ensure_ascii=False, **options).iterencode(data)
    while some := "".join(islice(pieces, PIECES)):
        yield json_escaped(some)
    yield "\n"


def finite(value: Any) -> Any:
    """Return a value as JSON can hold it: None for a number that is not finite.

    Parameters
    ----------
    value
        A number, or anything else, which stays as it is.

    Examples
    --------
    >>> finite(0.5), finite(float("nan"))
    (0.5, None)
    """
    return None if isinstance(value, float) and not isfinite(value) else value


WRITTEN = 10**4000
"""Python writes whole numbers with not many more digits."""


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: lists for tuples and arrays, floats for exact numbers, None for no number.

    Parameters
    ----------
    value
        Nested mappings, sequences, arrays and numbers.

    Examples
    --------
    >>> plain({"a": (0.5, float("nan"), [1, 2])})
    {'a': [0.5, None, [1, 2]]}
    """
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if hasattr(value, "tolist"):
        # arrays and numbers of numpy
        return plain(value.tolist())
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, Enum):
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value if abs(value) < WRITTEN else None
    if value is None or isinstance(value, bool | float | str):
        return finite(value)
    return as_float(value) if hasattr(value, "__float__") else str(value)


def exact_number(number: Any) -> dict[str, Any]:
    """Return an exact number as text, and as the nearest float (None where it is too large for one).

    Parameters
    ----------
    number
        The number.

    Examples
    --------
    >>> exact_number(Fraction(1, 3))
    {'exact': '1/3', 'value': 0.3333333333333333}
    """
    try:
        spelled = str(number) if isinstance(number, Fraction) else repr(number)
    except ValueError:
        # it has more digits than Python writes
        spelled = None
    return {"exact": spelled, "value": as_float(number)}


def as_float(number: Any) -> float | None:
    """Return the nearest float, None where the number is too large for one.

    Parameters
    ----------
    number
        The number.

    Examples
    --------
    >>> as_float(Fraction(1, 2)), as_float(Fraction(10**400))
    (0.5, None)
    """
    try:
        return float(number)
    except OverflowError:
        return None
