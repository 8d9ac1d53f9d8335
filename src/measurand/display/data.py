"""Data for programs: tables as TSV, CSV and frames, results as JSON, exact numbers as text beside their floats."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any

from measurand.display.tables import TableView

if TYPE_CHECKING:
    import polars as pl


def separated(views: Iterable[TableView], delimiter: str = "\t") -> str:
    r"""Return the rows of tables with the same fields, all digits, below one header.

    Parameters
    ----------
    views
        The tables.
    delimiter
        What stands between values: a tab for TSV, a comma for CSV.

    Examples
    --------
    >>> separated([TableView([], [{"system": "a", "p": None}], fields={"system": str, "p": float})])
    'system\tp\na\t\n'
    """
    several = list(views)
    text = io.StringIO()
    import csv

    writer = csv.DictWriter(text, list(several[0].fields), delimiter=delimiter, lineterminator="\n", restval="")
    writer.writeheader()
    for view in several:
        writer.writerows(view.rows)
    return text.getvalue()


def frame(rows: Sequence[Mapping[str, Any]], fields: Mapping[str, type]) -> pl.DataFrame:
    """Return rows as a polars frame, null where a row says nothing; the types never depend on the data.

    Parameters
    ----------
    rows
        The rows.
    fields
        The columns and their types.

    Examples
    --------
    >>> frame([{"system": "a"}, {"place": 2}], {"system": str, "place": int}).rows()
    [('a', None), (None, 2)]
    """
    import polars as pl

    return pl.DataFrame(rows, schema=dict(fields), orient="row")


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
    import json

    return json.dumps(data, indent=2, ensure_ascii=False, **options) + "\n"


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


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: lists for tuples and arrays, None for numbers that are not finite.

    Parameters
    ----------
    value
        Nested mappings, sequences, arrays and numbers.

    Examples
    --------
    >>> plain({"a": (0.5, float("nan"), [1, 2])})
    {'a': [0.5, None, [1, 2]]}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if hasattr(value, "tolist"):
        # arrays and numbers of numpy
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return finite(value)


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
