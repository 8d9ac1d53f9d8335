"""Plain columns: what frames of any library and parquet files hold, and what such frames and files are made of.

No library of frames is needed for frames of another: those of polars and pandas are read by what they have, those of
pyarrow by pyarrow, and what exports itself to Arrow by polars or, where that is not installed, by pyarrow. Parquet
files are read and written by polars too, or else by pyarrow: who has either needs no other.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from io import BytesIO, FileIO
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

from attrs import field, frozen

from measurand.errors import InputError, MeasurandError, NotInstalled
from measurand.execution.memory import Room
from measurand.letters import harmless
from measurand.loading import needed

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

Column: TypeAlias = "Sequence[Any] | NDArray[Any]"
"""The values of a column: a list, with None where one is missing, or an array of numbers of numpy."""

Columns: TypeAlias = Mapping[str, Column]
"""The columns of a table by name."""

NUMBERS = frozenset(f"{kind}{bits}" for kind in ("int", "uint", "float") for bits in (8, 16, 32, 64)) - {"float8"}
"""The types of numbers that arrays hold."""

EXTRA = "frames"
"""The extra of measurand that installs libraries of frames."""


class FrameColumns(Mapping[str, Column]):
    """The columns of a frame, each taken out of it when it is first asked for.

    Parameters
    ----------
    names
        Their names.
    take
        Returns the column of a name.

    Examples
    --------
    >>> columns = FrameColumns(["a", "b"], str.split)
    >>> list(columns), columns["b"]
    (['a', 'b'], ['b'])
    """

    def __init__(self, names: Sequence[str], take: Callable[[str], Column]) -> None:
        if len(set(names)) < len(names):
            raise InputError(f"two columns of the frame have one name: {', '.join(names)}")
        self._taken: dict[str, Column | None] = dict.fromkeys(names)
        self._take = take

    def __getitem__(self, name: str) -> Column:
        found = self._taken[name]
        if found is None:
            found = self._taken[name] = self._take(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._taken)

    def __len__(self) -> int:
        return len(self._taken)


def columns_of(source: Any) -> Columns | None:
    """Return the columns of a frame of polars, pandas or Arrow, or of a dataset of Hugging Face.

    Parameters
    ----------
    source
        The frame.

    Returns
    -------
    Columns | None
        Columns of numbers without gaps as arrays, all others as lists; None if it is no frame.

    Examples
    --------
    >>> import pandas as pd
    >>> dict(columns_of(pd.DataFrame({"qid": ["1", None], "score": [2, 1]})))
    {'qid': ['1', None], 'score': array([2, 1])}
    >>> columns_of({"qid": ["1"]}) is None
    True
    """
    if isinstance(source, FrameColumns):
        return source
    if _is_of(source, "polars", "LazyFrame"):
        source = source.collect()
    if _is_of(source, "polars", "DataFrame"):
        return FrameColumns(source.columns, lambda name: _polars_column(source[name]))
    if _is_of(source, "pyarrow", "Table") or _is_of(source, "pyarrow", "RecordBatch"):
        return FrameColumns(source.schema.names, lambda name: _arrow_column(source.column(name)))
    if hasattr(source, "column_names") and hasattr(source, "to_pandas"):
        # a dataset of Hugging Face, whose data may hold rows that are filtered out
        source = source.to_pandas()
    if _is_of(source, "pandas", "DataFrame"):
        named = {str(name): name for name in source.columns}
        names = list(map(str, source.columns))
        return FrameColumns(names, lambda name: _pandas_column(source[named[name]]))
    column = any(_is_of(source, library, "Series") for library in ("polars", "pandas"))
    if column or not hasattr(source, "__arrow_c_stream__"):
        return None
    library = _arrow_library("a frame of Arrow")
    return columns_of(library.DataFrame(source) if library.__name__ == "polars" else library.table(source))


def _is_of(source: object, library: str, name: str) -> bool:
    """Return whether this is an object of a library, which is loaded then."""
    known = getattr(sys.modules.get(library), name, None)
    return known is not None and isinstance(source, known)


def _polars_column(series: Any) -> Column:
    numbers = str(series.dtype).lower() in NUMBERS and not series.null_count()
    found: Column = series.to_numpy() if numbers else series.to_list()
    return found


def _arrow_column(column: Any) -> Column:
    types = needed("pyarrow", EXTRA, "a frame of Arrow").types
    numbers = (types.is_integer(column.type) or types.is_floating(column.type)) and not column.null_count
    found: Column = column.to_numpy().copy() if numbers else column.to_pylist()
    return found


def _pandas_column(series: Any) -> Column:
    """Return the values of a column of pandas, None for whatever pandas calls missing."""
    gaps = series.isna()
    kind = getattr(series.dtype, "numpy_dtype", series.dtype)
    if getattr(kind, "kind", "O") in "iuf" and not gaps.any():
        copied: Column = series.to_numpy(dtype=kind, copy=True)
        return copied
    return [None if gap else value for value, gap in zip(series.tolist(), gaps.tolist(), strict=True)]


def _arrow_library(purpose: str) -> Any:
    """Return polars, or pyarrow where polars is not installed; complain where neither is."""
    check_parquet(purpose)
    return needed("polars" if _installed("polars") else "pyarrow", EXTRA, purpose)


def _installed(library: str) -> bool:
    """Return whether a library can be imported, without importing it."""
    if library in sys.modules:
        return sys.modules[library] is not None
    from importlib.util import find_spec

    return find_spec(library) is not None


def writes_parquet() -> bool:
    """Return whether there is a library that reads and writes parquet files: polars or pyarrow."""
    return _installed("polars") or _installed("pyarrow")


def check_parquet(purpose: str = "a parquet file") -> None:
    """Complain if there is no library that reads and writes parquet files, before anything is computed for one.

    Parameters
    ----------
    purpose
        What needs one, for the message.
    """
    if not writes_parquet():
        raise NotInstalled("polars or pyarrow", EXTRA, purpose)


def read_parquet(data: bytes | str, rows: int | None = None, names: Sequence[str] | None = None) -> Columns:
    """Return the columns of a parquet file.

    Parameters
    ----------
    data
        What the file holds; or its path, of which only the columns that are wanted are read.
    rows
        How many rows to read; all by default.
    names
        The columns that are wanted; all by default.

    Raises
    ------
    InputError
        If it is no such file, or damaged.

    Examples
    --------
    >>> dict(read_parquet(PlainTable({"qid": ["1", None], "score": [2.5, 1.5]}).to_parquet()))
    {'qid': ['1', None], 'score': array([2.5, 1.5])}
    """
    from measurand.parquet import take

    library = _arrow_library("a parquet file")
    wanted = None if names is None else list(names)
    with _parquet(library, data) as source:
        if library.__name__ == "polars":
            held = library.read_parquet(source, n_rows=rows, columns=wanted, glob=False, hive_partitioning=False)
        else:
            read = needed("pyarrow.parquet", EXTRA, "a parquet file").read_table
            held = read(source, columns=wanted, partitioning=None).slice(0, rows)
            held.validate(full=True)  # that text is UTF-8, among others
        found = columns_of(held) or {}
    room = Room()

    def taken(name: str) -> Column:
        with _parquet(library):
            if library.__name__ == "polars" and held[name].dtype == library.String:
                take(room, int(held[name].str.len_bytes().sum()))  # rows may share one long text
            return found[name]

    return FrameColumns(list(found), taken)


def parquet_names(data: bytes) -> list[str]:
    """Return the names of the columns of a parquet file.

    Parameters
    ----------
    data
        What the file holds.

    Examples
    --------
    >>> parquet_names(PlainTable({"qid": ["1"], "score": [2.5]}).to_parquet())
    ['qid', 'score']
    """
    library = _arrow_library("a parquet file")
    with _parquet(library, data) as source:
        if library.__name__ == "polars":
            return list(library.read_parquet_schema(source))
        return list(needed("pyarrow.parquet", EXTRA, "a parquet file").read_schema(source).names)


@contextmanager
def _parquet(library: Any, data: bytes | str | None = None) -> Iterator[Any]:
    """Check a parquet file and hand it to a library; whatever that says of it, or how it panics, is one line."""
    from measurand.parquet import check, unheard  # loaded where such a file is read

    polars = library.__name__ == "polars"
    panic: type[BaseException] = library.exceptions.PanicException if polars else SystemError  # pyarrow has none
    own: type[BaseException] = library.exceptions.PolarsError if polars else library.ArrowException
    try:
        if data is not None:
            with FileIO(data) if isinstance(data, str) else BytesIO(data) as file:
                check(file)
        with unheard(own, panic) if polars else nullcontext():
            yield BytesIO(data) if isinstance(data, bytes) else data
    except MeasurandError:
        raise
    except (own, panic, OSError, ValueError, OverflowError) as error:
        said = "its data is damaged" if isinstance(error, panic) else str(error).partition("\n")[0]
        raise InputError(said) from None


@frozen(eq=False)
class PlainTable:
    r"""A table as plain columns, with the type of each where the values alone do not tell it.

    Parameters
    ----------
    columns
        The values by column: lists, with None where one is missing, or arrays.
    kinds
        The types of columns: `str`, `int`, `float`, `bool`, or lists of these such as `list[str]`, `list[np.int8]`.

    Examples
    --------
    >>> table = PlainTable({"system": ["a", "b"], "grades": [[1, 0], None]}, {"grades": list[int]})
    >>> table.height, table.row(0)
    (2, {'system': 'a', 'grades': [1, 0]})
    >>> table.to_csv()
    'system,grades\r\na,"[1,0]"\r\nb,\r\n'
    """

    columns: Columns
    kinds: Mapping[str, Any] = field(factory=dict)

    @classmethod
    def of_rows(cls, rows: Sequence[Mapping[str, Any]], kinds: Mapping[str, Any]) -> PlainTable:
        """Return a table of rows; what a row says nothing of is missing, and what is no column is left out.

        Parameters
        ----------
        rows
            The rows.
        kinds
            The columns and their types.

        Examples
        --------
        >>> PlainTable.of_rows([{"system": "a"}, {"place": 2}], {"system": str, "place": int}).columns
        {'system': ['a', None], 'place': [None, 2]}
        """
        return cls({name: [row.get(name) for row in rows] for name in kinds}, kinds)

    @classmethod
    def joined(cls, tables: Sequence[PlainTable]) -> PlainTable:
        """Return the rows of several tables with the same columns, one at least.

        Parameters
        ----------
        tables
            The tables.

        Examples
        --------
        >>> PlainTable.joined([PlainTable({"n": [1]}), PlainTable({"n": [2, 3]})]).columns
        {'n': [1, 2, 3]}
        """
        first = tables[0]
        parts = {name: [values_of(each.columns[name]) for each in tables] for name in first.columns}
        return cls(
            {name: [value for part in several for value in part] for name, several in parts.items()}, first.kinds
        )

    @property
    def height(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.columns.values()), ()))

    def row(self, place: int) -> dict[str, Any]:
        """Return a row by its place, from 0."""
        return {name: values_of(column)[place] for name, column in self.columns.items()}

    def labelled(self, **labels: str) -> PlainTable:
        """Return the table with columns of one text each in front, in the place of any of the same names."""
        front = {name: [text] * self.height for name, text in labels.items()}
        rest = {name: column for name, column in self.columns.items() if name not in labels}
        return PlainTable(front | rest, {**self.kinds, **dict.fromkeys(labels, str)})

    def finite(self) -> PlainTable:
        """Return the table with None in the place of numbers that are not finite.

        Examples
        --------
        >>> PlainTable({"p": [0.5, float("inf")]}).finite().columns
        {'p': [0.5, None]}
        """
        return PlainTable(
            {name: list(map(_finite, values_of(each))) for name, each in self.columns.items()}, self.kinds
        )

    def encodable(self) -> PlainTable:
        r"""Return the table with escapes in the place of letters that UTF-8 cannot hold, as of file names.

        Examples
        --------
        >>> PlainTable({"file": ["a\udcff", None]}).encodable().columns
        {'file': ['a\\udcff', None]}
        """

        def held(value: Any) -> Any:
            return value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value

        return PlainTable(
            {
                name: column if hasattr(column, "tolist") else list(map(held, column))
                for name, column in self.columns.items()
            },
            self.kinds,
        )

    def to_polars(self, purpose: str = "to_polars") -> pl.DataFrame:
        """Return the table as a frame of polars (needs polars).

        Parameters
        ----------
        purpose
            What is said to need polars where it is not installed.
        """
        polars = needed("polars", EXTRA, purpose)
        schema = {name: _polars_type(polars, self.kinds.get(name)) for name in self.columns}
        frame: pl.DataFrame = polars.DataFrame(dict(self.columns), schema=schema, strict=False)
        return frame

    def to_parquet(self) -> bytes:
        """Return what a parquet file of the table holds (needs polars or pyarrow)."""
        library, held = _arrow_library("a parquet file"), BytesIO()
        try:
            if library.__name__ == "polars":
                self.to_polars().write_parquet(held)
            else:
                needed("pyarrow.parquet", EXTRA, "a parquet file").write_table(self._arrow(library), held)
        except UnicodeEncodeError as error:
            raise InputError(f"{error.object!r} cannot be written as UTF-8, as parquet is; rename it") from None
        return held.getvalue()

    def _arrow(self, arrow: Any) -> Any:
        types = {name: _arrow_type(arrow, self.kinds.get(name)) for name in self.columns}
        return arrow.table({name: arrow.array(column, types[name]) for name, column in self.columns.items()})

    def to_csv(self, *, raw: bool = False) -> str:
        r"""Return the table as CSV: RFC 4180, with a header; nothing where a value is missing, lists as JSON.

        Parameters
        ----------
        raw
            Whether text that a spreadsheet would run stays as it is; otherwise it stands behind an apostrophe.

        Examples
        --------
        >>> PlainTable({"name": ['a "b", c', "", None]}).to_csv()
        'name\r\n"a ""b"", c"\r\n""\r\n\r\n'
        """
        columns = [[name, *values_of(column)] for name, column in self.columns.items()]
        rows = zip(*([_cell(value, raw) for value in column] for column in columns), strict=True)
        return "".join(",".join(row) + "\r\n" for row in rows)


def values_of(column: Column) -> list[Any]:
    """Return the values of a column as a list of Python's own.

    Parameters
    ----------
    column
        A list or an array.

    Examples
    --------
    >>> import numpy as np
    >>> values_of(np.array([1, 2])), values_of(["a"])
    ([1, 2], ['a'])
    """
    found: list[Any] = column.tolist() if hasattr(column, "tolist") else list(column)
    return found


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not isfinite(value) else value


_SPECIAL = re.compile(r'[",;\t\r\n]')


def _cell(value: Any, raw: bool = False) -> str:
    """Return a value as it stands in a CSV file; an empty text is quoted, so that it differs from no value."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        import json

        value = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    text = str(value) if raw else harmless(str(value))
    return '"' + text.replace('"', '""') + '"' if not text or _SPECIAL.search(text) else text


def _polars_type(polars: Any, kind: Any) -> Any:
    """Return the type of a column in polars; None where the values tell it."""
    if kind is None:
        return None
    if get_args(kind):
        return polars.List(_polars_type(polars, *get_args(kind)))
    name = _type_name(kind)
    return getattr(polars, {"str": "String", "bool": "Boolean", "bytes": "Binary"}.get(name, name.capitalize()))


def _arrow_type(arrow: Any, kind: Any) -> Any:
    """Return the type of a column in pyarrow; None where the values tell it."""
    if kind is None:
        return None
    if get_args(kind):
        return arrow.list_(_arrow_type(arrow, *get_args(kind)))
    name = _type_name(kind)
    return getattr(arrow, {"str": "string", "bool": "bool_", "bytes": "binary"}.get(name, name))()


def _type_name(kind: type) -> str:
    """Return the name of a type of values, which numpy and libraries of frames share where it is one of numbers."""
    import numpy as np

    return "str" if kind is str else np.dtype(kind).name
