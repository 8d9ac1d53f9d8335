"""Comparing the tables of a campaign, computed here, with what the paper prints, cell by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from numbers import Integral, Real
from typing import Any

from attrs import evolve, frozen

from measurand.errors import ParameterError
from measurand.papers.printed.labels import COLLECTIONS, DEPTHS, in_order, track
from measurand.papers.printed.tables import PrintedTables

SHARES = {"s2ns_percent": "s2ns", "ns2s_percent": "ns2s"}
"""Percentages that the paper prints beside counts, of the significant pairs."""

DIGITS = {"tau": 4, "msr": 4, "rnk": 4, "delta": 2, "sig": 0, "s2ns": 0, "ns2s": 0} | dict.fromkeys(SHARES, 2)
"""With how many digits the paper prints each number."""

UNEXPLAINED, MISPRINT = "unexplained", "misprint"
"""Causes of a difference that are no convention."""

FLOAT = 1e-9


@frozen(kw_only=True)
class Compared:
    """A printed number beside the one that came out here.

    Parameters
    ----------
    table, track, cell, key
        Where it stands, such as table56, T08_30, "R, one_way_anova", sig.
    printed
        The printed number.
    ours
        What came out here; None where that was not computed or is undefined.
    cause
        Why the two differ: the conventions that give the printed number, "doubles" or "degrees of freedom", both of
        them where it takes both; "misprint" where a percentage is not that of the printed counts; "unexplained" where
        it is none of these. Nothing where they agree, or where no conventions were tried.

    Examples
    --------
    >>> found = Compared(table="table2", track="T08_30", cell="R", key="tau", printed=0.7948, ours=0.79476)
    >>> found.agrees, round(found.difference, 5)
    (True, -4e-05)
    >>> Compared(table="table2", track="T08_10", cell="RBP_p03", key="tau", printed=0.95, ours=0.94).as_printed
    '0.9500'
    """

    table: str
    track: str
    cell: str
    key: str
    printed: float
    ours: float | None
    cause: str = ""

    @property
    def difference(self) -> float | None:
        """By how much ours is larger."""
        return None if self.ours is None else self.ours - self.printed

    @property
    def as_printed(self) -> str:
        """The printed number with the digits that the paper gives it."""
        return f"{self.printed:.{DIGITS[self.key]}f}"

    @property
    def agrees(self) -> bool:
        """Whether ours is the printed number, to the digits that are printed."""
        return self.is_printed(self.ours)

    def is_printed(self, number: float | None) -> bool:
        """Return whether a number is the printed one, to the digits that are printed.

        Parameters
        ----------
        number
            A number that came out here, or None.
        """
        digits = DIGITS[self.key]
        half = 0.5 * 10**-digits if digits else 0.0
        return number is not None and abs(number - self.printed) <= half + FLOAT

    def to_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        place = {"table": self.table, "track": self.track, "cell": self.cell, "key": self.key}
        numbers = {"printed": self.printed, "ours": self.ours, "difference": self.difference}
        return {**place, **numbers, "agrees": self.agrees, **({"cause": self.cause} if self.cause else {})}


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
    shares
        The percentages that are printed beside counts: they follow from these, and are told apart from `numbers`.
    other_runs
        How one sees that the campaign is not the collection, which is then why numbers differ; nothing if it may be.
    """

    collection: str
    numbers: tuple[Compared, ...]
    missing: tuple[Compared, ...]
    shares: tuple[Compared, ...] = ()
    other_runs: str = ""

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
        """Numbers that are not, then percentages that are not."""
        return tuple(one for one in (*self.numbers, *self.shares) if not one.agrees)

    @property
    def causes(self) -> dict[str, int]:
        """How many numbers differ for each cause, the most frequent first."""
        return _counted(self.numbers)

    @property
    def causes_of_shares(self) -> dict[str, int]:
        """How many percentages of S2NS and NS2S differ for each cause, the most frequent first."""
        return _counted(self.shares)

    @property
    def summary(self) -> str:
        """How much agrees, in words."""
        agree = len(self.agree)
        lack = f", {len(self.missing)} were not computed" if self.missing else ""
        return f"{agree} of {len(self)} printed numbers agree, {len(self) - agree} differ{lack}"

    @property
    def summary_of_shares(self) -> str:
        """How many percentages of S2NS and NS2S agree, in words; nothing if there are none."""
        if not self.shares:
            return ""
        return f"{sum(one.agrees for one in self.shares)} of {len(self.shares)} percentages of S2NS and NS2S agree"

    def largest(self, table: str) -> float:
        """Return the largest difference in a table, 0 if nothing is compared there.

        Parameters
        ----------
        table
            The name of the table, such as table2.
        """
        return max((abs(one.difference or 0.0) for one in self.numbers if one.table == table), default=0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as nested dictionaries and lists, ready for JSON."""
        return {
            "collection": self.collection,
            "summary": self.summary,
            "other_runs": self.other_runs or None,
            "causes": self.causes,
            "causes_of_percentages": self.causes_of_shares,
            "numbers": [one.to_dict() for one in self.numbers],
            "missing": [one.to_dict() for one in self.missing],
            "percentages": [one.to_dict() for one in self.shares],
        }


def differences(
    ours: Mapping[str, Any],
    printed: PrintedTables,
    collection: str,
    otherwise: Mapping[str, Mapping[str, Any]] | None = None,
) -> Comparison:
    """Compare the tables of a campaign with the printed ones of a collection: taus to 4 digits, counts exactly.

    Parameters
    ----------
    ours
        Tables by depth: {"table2": {"30": {"R": 0.79}}, …, "table56": {"30": {"R": {"sign": {"sig": 9}}}}}, with the
        paper's labels; depths as text or numbers.
    printed
        The printed tables.
    collection
        Which collection it is meant to be: T08, T26 or T27.
    otherwise
        The same tables under other conventions, by what these are called, the simplest first: a number that differs
        is explained by those under which it comes out as printed. Without it, nothing is explained.

    Examples
    --------
    >>> from measurand.papers.printed import printed_tables
    >>> ours, other = ({"table2": {"30": {"P": 1.0, "R": 0.7948, "AP": tau}}} for tau in (0.84, 0.8377))
    >>> found = differences(ours, printed_tables(), "T08", {"doubles": other})
    >>> found.summary, found.differ[0].cell, found.differ[0].cause
    ('2 of 3 printed numbers agree, 1 differ, 8 were not computed', 'AP', 'doubles')
    """
    if collection not in COLLECTIONS:
        raise ParameterError(f"the paper prints nothing for {collection}; it has {', '.join(COLLECTIONS)}")
    known = {
        name: {table: _by_depth(content) for table, content in own.items()} for name, own in (otherwise or {}).items()
    }
    found = [
        one
        if otherwise is None
        else evolve(one, cause=_cause(one, _get(cells, path[:-1]), _under(known, table, depth, path)))
        for table in ("table2", "table3", "table4", "table56")
        for depth, mine in _by_depth(ours.get(table, {})).items()
        for name in [track(collection, depth)]
        for cells in [printed.cells[table].get(name, {})]
        for path, number in _leaves(cells)
        for cell, key in [_named(table, path)]
        for one in [Compared(table=table, track=name, cell=cell, key=key, printed=number, ours=_number(mine, path))]
    ]
    return Comparison(
        collection=collection,
        numbers=tuple(one for one in found if one.key not in SHARES and one.ours is not None),
        missing=tuple(one for one in found if one.key not in SHARES and one.ours is None),
        shares=tuple(one for one in found if one.key in SHARES and one.ours is not None),
    )


def _counted(several: Iterable[Compared]) -> dict[str, int]:
    return dict(Counter(one.cause for one in several if one.cause).most_common())


def _under(
    known: Mapping[str, Mapping[str, Mapping[int, Any]]], table: str, depth: int, path: tuple[str, ...]
) -> dict[str, float | None]:
    """Return a number as it comes out under each of several conventions."""
    return {name: _number(tables.get(table, {}).get(depth, {}), path) for name, tables in known.items()}


def _cause(one: Compared, cell: Any, under: Mapping[str, float | None]) -> str:
    """Return why a number differs: the conventions that give the printed one, few rather than many."""
    if one.ours is None or one.agrees:
        return ""
    explain = [name for name, number in under.items() if one.is_printed(number)]
    if explain:
        fewest = min(name.count(",") for name in explain)
        return " or ".join(name for name in explain if name.count(",") == fewest)
    own = _number(cell, (one.key,)) if one.key in SHARES else None
    return UNEXPLAINED if own is None or one.is_printed(own) else MISPRINT


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


def _number(cells: Any, path: tuple[str, ...]) -> float | None:
    """Return the number at a place; a percentage from the counts beside it."""
    if path[-1] not in SHARES:
        return _value(_get(cells, path))
    cell = _get(cells, path[:-1])
    pairs, sig = (_value(_get(cell, (key,))) for key in (SHARES[path[-1]], "sig"))
    return 100 * pairs / sig if sig and pairs is not None else None


def _value(found: Any) -> float | None:
    """Return a number; None for what is undefined or was not computed."""
    if isinstance(found, bool) or not isinstance(found, Real) or found != found:
        return None
    return int(found) if isinstance(found, Integral) else float(found)
