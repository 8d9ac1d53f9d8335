"""Comparing the tables of a campaign, computed here, with what the paper prints, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from numbers import Integral, Real
from typing import Any

from attrs import frozen

from measurand.errors import ParameterError
from measurand.papers.printed.labels import COLLECTIONS, DEPTHS, in_order, track
from measurand.papers.printed.tables import PrintedTables

DIGITS = {"tau": 4, "msr": 4, "rnk": 4, "delta": 2, "sig": 0, "s2ns": 0, "ns2s": 0}
"""With how many digits the paper prints each number."""

FLOAT = 1e-9


@frozen(kw_only=True)
class Compared:
    """A printed number beside the one that came out here.

    Parameters
    ----------
    table, track, cell, key
        Where it stands, such as table56, T08_30, "R, one_way_anova", sig.
    ours
        What came out here; None where that was not computed or is undefined.

    Examples
    --------
    >>> found = Compared(table="table2", track="T08_30", cell="R", key="tau", printed=0.7948, ours=0.79476)
    >>> found.agrees, round(found.difference, 5)
    (True, -4e-05)
    """

    table: str
    track: str
    cell: str
    key: str
    printed: float
    ours: float | None

    @property
    def difference(self) -> float | None:
        """By how much ours is larger."""
        return None if self.ours is None else self.ours - self.printed

    @property
    def agrees(self) -> bool:
        """Whether ours is the printed number, to the digits that are printed."""
        half = 0.5 * 10 ** -DIGITS[self.key] if DIGITS[self.key] else 0.0
        return self.difference is not None and abs(self.difference) <= half + FLOAT

    def to_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        place = {"table": self.table, "track": self.track, "cell": self.cell, "key": self.key}
        numbers = {"printed": self.printed, "ours": self.ours, "difference": self.difference}
        return {**place, **numbers, "agrees": self.agrees}


@frozen(kw_only=True, repr=False)
class Comparison:
    """Everything that the paper is known to print for a collection, beside what came out here.

    Parameters
    ----------
    collection
        T08, T26 or T27.
    numbers
        What is both printed and computed here.
    missing
        What is printed and was not computed here, at the depths that were; or is undefined here.
    """

    collection: str
    numbers: tuple[Compared, ...]
    missing: tuple[Compared, ...]

    def __iter__(self) -> Iterator[Compared]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __repr__(self) -> str:
        return f"<Comparison with {self.collection}: {self.summary}>"

    @property
    def agree(self) -> tuple[Compared, ...]:
        """Numbers that are as printed."""
        return tuple(one for one in self.numbers if one.agrees)

    @property
    def differ(self) -> tuple[Compared, ...]:
        """Numbers that are not."""
        return tuple(one for one in self.numbers if not one.agrees)

    @property
    def summary(self) -> str:
        """How much agrees, in words."""
        lack = f", {len(self.missing)} were not computed" if self.missing else ""
        return f"{len(self.agree)} of {len(self)} printed numbers agree, {len(self.differ)} differ{lack}"

    def largest(self, table: str) -> float:
        """Return the largest difference in a table, 0 if nothing is compared there."""
        return max((abs(one.difference or 0.0) for one in self.numbers if one.table == table), default=0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as nested dictionaries and lists, ready for JSON."""
        return {
            "collection": self.collection,
            "summary": self.summary,
            "numbers": [one.to_dict() for one in self.numbers],
            "missing": [one.to_dict() for one in self.missing],
        }


def differences(ours: Mapping[str, Any], printed: PrintedTables, collection: str) -> Comparison:
    """Compare the tables of a campaign with the printed ones of a collection: taus to 4 digits, counts exactly.

    Parameters
    ----------
    ours
        Tables by depth: {"table2": {"30": {"R": 0.79}}, …, "table56": {"30": {"R": {"sign": {"sig": 9}}}}}, with the
        paper's labels; depths as text or numbers.
    collection
        Which collection it is meant to be: T08, T26 or T27.

    Examples
    --------
    >>> from measurand.papers.printed import printed_tables
    >>> ours = {"table2": {"30": {"P": 1.0, "RBP_p05": 1.0, "R": 0.7951, "RBP_p03": 0.94984}}}
    >>> found = differences(ours, printed_tables(), "T08")
    >>> found.summary, found.differ[0].cell, round(found.differ[0].difference, 4)
    ('3 of 4 printed numbers agree, 1 differ', 'R', 0.0003)
    """
    if collection not in COLLECTIONS:
        raise ParameterError(f"the paper prints nothing for {collection}; it has {', '.join(COLLECTIONS)}")
    found = [
        Compared(table=table, track=name, cell=cell, key=key, printed=number, ours=_value(_get(mine, path)))
        for table in ("table2", "table3", "table4", "table56")
        for depth, mine in _by_depth(ours.get(table, {})).items()
        for name in [track(collection, depth)]
        for path, number in _leaves(printed.cells[table].get(name, {}))
        for cell, key in [_named(table, path)]
        if key in DIGITS
    ]
    return Comparison(
        collection=collection,
        numbers=tuple(one for one in found if one.ours is not None),
        missing=tuple(one for one in found if one.ours is None),
    )


def _by_depth(table: Mapping[Any, Any]) -> dict[int, Any]:
    """Return a table by the depths that the paper has, pairs of measures in its order."""
    known = {str(depth): depth for depth in DEPTHS}
    return {
        known[str(depth)]: {in_order(name): cell for name, cell in cells.items()}
        for depth, cells in table.items()
        if str(depth) in known
    }


def _leaves(cells: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], float]]:
    if isinstance(cells, Mapping):
        for name, inner in cells.items():
            yield from _leaves(inner, (*path, name))
    else:
        yield path, cells


def _named(table: str, path: tuple[str, ...]) -> tuple[str, str]:
    """Return what a cell is called, and which of its numbers it is."""
    return (path[0], "tau") if table in ("table2", "table3") else (", ".join(path[:-1]), path[-1])


def _get(cells: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        cells = cells.get(name) if isinstance(cells, Mapping) else None
    return cells


def _value(found: Any) -> float | None:
    """Return a number; None for what is undefined or was not computed."""
    if isinstance(found, bool) or not isinstance(found, Real) or found != found:
        return None
    return int(found) if isinstance(found, Integral) else float(found)
