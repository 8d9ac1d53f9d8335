"""Cells of the printed tables: the identities that must hold between them, and averages over them.

An `Identity` must hold whatever the campaign, such as a percentage that follows from two counts; it is checked on
whatever cells are known. An `Average` is one that section VIII-C quotes, with the cells that it is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import sqrt
from statistics import fmean, stdev
from types import MappingProxyType

from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.papers.printed.labels import (
    MEASURES,
    TRACKS,
    TWINS,
    WITH_RECALL_BASE,
    WITHOUT_RECALL_BASE,
    Cells,
    cell_at,
    ordinal,
    pair,
)
from measurand.scales import EIGHT, Flips

Check = tuple[str, bool]
"""What was checked, and whether it holds."""

HALF_TAU, HALF_PERCENT = 0.5e-4, 0.5e-2
"""Taus are printed with four digits, percentages with two."""

FLOAT = 1e-9

PERCENTAGES = {"s2ns_percent": ("s2ns",), "ns2s_percent": ("ns2s",), "delta": ("s2ns", "ns2s")}
"""Which pairs each percentage counts."""


@frozen(kw_only=True)
class Identity:
    """An identity between cells, with how often it could be checked.

    Parameters
    ----------
    row
        The row of the conformance checklist.
    says
        What must hold.
    checked
        How many times both sides were known.
    fails
        Where it does not hold.
    """

    row: str
    says: str
    checked: int
    fails: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether it holds wherever it could be checked.

        Examples
        --------
        >>> Identity(row="FFF-T4", says="", checked=0, fails=()).holds
        True
        """
        return not self.fails


def identities(tables: Cells) -> list[Identity]:
    """Return the identities of the checklist, checked on the cells of tables.

    Parameters
    ----------
    tables
        The tables by their names; cells may be missing.

    Examples
    --------
    >>> taus = {"T08_30": {"P vs AP": {"msr": 0.5, "rnk": 0.6, "delta": 21.0}}}
    >>> [(found.row, found.checked, found.fails) for found in identities({"table4": taus}) if found.checked]
    [('FFF-T4', 1, ('T08_30, P vs AP: 21.00 %, from the taus 20.00 %',))]
    """
    checks = {
        ("FFF-T2-ident", "tau(R, its transform) = tau(R, P), and so for RBP_p03 and RBP_p05"): _own_taus(tables),
        ("FFF-T3", "the columns of RBP are the same in Tables 2 and 3"): _without_ties(tables),
        ("FFF-T4", "Δ% follows from both taus within rounding"): _changes(tables),
        ("FFF-T4-ident", "measures that order runs alike are the same after the transform"): _twins(tables),
        ("FFF-T56-pct", "percentages are counts by significant pairs"): _percentages(tables),
        ("FFF-T56-ident", "sig − s2ns + ns2s is the same for measures that order runs alike"): _survivors(tables),
    }
    return [_identity(row, says, list(found)) for (row, says), found in checks.items()]


def _identity(row: str, says: str, found: list[Check]) -> Identity:
    fails = tuple(what for what, holds in found if not holds)
    return Identity(row=row, says=says, checked=len(found), fails=fails)


def _equal(what: str, one: float | None, other: float | None) -> Iterator[Check]:
    if one is not None and other is not None:
        yield f"{what}: {one} and {other}", abs(one - other) < FLOAT


def _own_taus(tables: Cells) -> Iterator[Check]:
    for track, (interval_scale, measure) in product(TRACKS, TWINS[:2]):
        own, other = cell_at(tables, "table2", track, measure), pair(interval_scale, measure)
        yield from _equal(f"{track}, {other}", own, cell_at(tables, "table4", track, other, "msr"))


def _without_ties(tables: Cells) -> Iterator[Check]:
    for track, measure in product(TRACKS, ("RBP_p03", "RBP_p05", "RBP_p08")):
        found = (cell_at(tables, table, track, measure) for table in ("table2", "table3"))
        yield from _equal(f"{track}, {measure}", *found)


def _changes(tables: Cells) -> Iterator[Check]:
    for track, cells in tables.get("table4", {}).items():
        for name, cell in cells.items():
            # nothing can be a percentage of a tau that may be 0
            if {"msr", "rnk", "delta"} <= set(cell) and abs(cell["msr"]) > HALF_TAU:
                yield _change(f"{track}, {name}", cell["msr"], cell["rnk"], cell["delta"])


def _change(what: str, msr: float, rnk: float, printed: float) -> Check:
    ends = (-HALF_TAU, HALF_TAU)
    possible = [100 * ((rnk + up) / (msr + down) - 1) for up, down in product(ends, ends)]
    holds = min(possible) - HALF_PERCENT - FLOAT <= printed <= max(possible) + HALF_PERCENT + FLOAT
    return f"{what}: {printed:.2f} %, from the taus {100 * (rnk / msr - 1):.2f} %", holds


def _twins(tables: Cells) -> Iterator[Check]:
    for track, (one, other) in product(TRACKS, TWINS):
        yield from _equal(
            f"{track}, {pair(one, other)}", cell_at(tables, "table4", track, pair(one, other), "rnk"), 1.0
        )
        for third in MEASURES:
            if third not in (one, other):
                names = pair(one, third), pair(other, third)
                found = (cell_at(tables, "table4", track, name, "rnk") for name in names)
                yield from _equal(f"{track}, {' and '.join(names)}", *found)


def _percentages(tables: Cells) -> Iterator[Check]:
    for track, measure, test in product(TRACKS, MEASURES, EIGHT):
        cell = cell_at(tables, "table56", track, measure, test) or {}
        for key, parts in PERCENTAGES.items():
            if cell.get("sig") and {key, *parts} <= set(cell):
                pairs = sum(cell[part] for part in parts)
                yield _percentage(f"{track}, {measure}, {test}, {key}", pairs, cell["sig"], cell[key])


def _percentage(what: str, pairs: int, sig: int, printed: float) -> Check:
    percent = 100 * pairs / sig
    holds = abs(percent - printed) <= HALF_PERCENT + FLOAT
    return f"{what}: {printed:.2f} %, but {pairs} of {sig} are {percent:.2f} %", holds


def _survivors(tables: Cells) -> Iterator[Check]:
    for track, (one, other), test in product(TRACKS, TWINS, EIGHT):
        found = (_after(cell_at(tables, "table56", track, measure, test) or {}) for measure in (one, other))
        yield from _equal(f"{track}, {one} and {other}, {test}", *found)


def _after(cell: Mapping[str, int]) -> int | None:
    """Return how many pairs are significant after the transform."""
    return cell["sig"] - cell["s2ns"] + cell["ns2s"] if {"sig", "s2ns", "ns2s"} <= set(cell) else None


Cell = Mapping[str, float | None]

Table56 = Mapping[str, Mapping[str, Mapping[str, Cell]]]
"""By track, measure and test: sig, s2ns, ns2s."""

INTERVAL_SCALES = ("P", "RBP_p05")
"""Measures that are interval scales already, so that nothing changes."""

COLUMNS = {"s2ns": "s2ns_percent", "ns2s": "ns2s_percent", "delta": "delta"}
"""What each average is of, and the column of the percentages."""

NORMAL = 1.96
"""So many standard errors are on either side of a mean in the paper."""


@frozen
class Selection:
    """Cells of Tables 5 and 6 that are averaged.

    Parameters
    ----------
    name
        What the fixture of the printed tables calls it.
    words
        Which cells, in words.
    cells
        Measures and tests.
    keys
        What is averaged, in percent of the significant pairs: s2ns and ns2s, or delta, which is both.
    """

    name: str
    words: str
    cells: tuple[tuple[str, str], ...] = field(repr=False)
    keys: tuple[str, ...]


def _read_only(means: Mapping[str, float | None]) -> Mapping[str, float | None]:
    return MappingProxyType(dict(means))


@frozen(kw_only=True)
class Average:
    """A mean over cells of Tables 5 and 6.

    Parameters
    ----------
    name, selection
        Which cells, in short and in words.
    means
        What is averaged, in percent of the pairs that are significant before the transform.
    error
        1.96 standard errors of the mean, where it is one of delta; None with fewer than two cells.
    cells
        How many cells the means are over.
    undefined
        How many cells are left out, because no pair is significant there.
    """

    name: str
    selection: str
    means: Mapping[str, float | None] = field(converter=_read_only)
    error: float | None
    cells: int
    undefined: int


def selections() -> tuple[Selection, ...]:
    """Return the selections whose averages the section quotes, in its order, and all cells.

    Examples
    --------
    >>> {selection.name: 3 * len(selection.cells) for selection in selections()}["cells that can change"]
    156
    """
    interval = tuple(test for test in EIGHT if test not in ordinal())
    fifth = tuple(product((name for name in WITHOUT_RECALL_BASE if name not in INTERVAL_SCALES), interval))
    sixth_ordinal, sixth_interval = (tuple(product(WITH_RECALL_BASE, tests)) for tests in (ordinal(), interval))
    first, both = "Table 5, tests for interval scales, without P and RBP_p05", ("s2ns", "ns2s")
    change = (*fifth, *sixth_ordinal, *sixth_interval)
    return (
        Selection("table 5, interval tests", first, fifth, both),
        Selection("table 6, ordinal tests", "Table 6, tests for ordinal scales", sixth_ordinal, both),
        Selection("table 6, interval tests", "Table 6, tests for interval scales", sixth_interval, both),
        Selection("cells that can change", f"{first}; and all of Table 6", change, ("delta",)),
        Selection("all cells", "all of Tables 5 and 6", tuple(product(MEASURES, EIGHT)), ("delta",)),
    )


def averages(table56: Table56, *, by: str = "counts") -> list[Average]:
    r"""Return the averages that section VIII-C quotes, of any complete Tables 5 and 6.

    .. math:: \bar\Delta \pm 1.96 \, \frac{s}{\sqrt n}

    A cell without significant pairs has no percentages and is left out.

    Parameters
    ----------
    table56
        By track (or any campaign), measure and test: sig, s2ns, ns2s; measures by the paper's labels.
    by
        Whether percentages are worked out from the "counts", or are the "percentages" as printed: s2ns_percent,
        ns2s_percent and delta.

    Examples
    --------
    >>> cell = {"sig": 8, "s2ns": 1, "ns2s": 3}
    >>> made_up = {"T": {measure: dict.fromkeys(EIGHT, cell) for measure in MEASURES}}
    >>> first, *_, last = averages(made_up)
    >>> first.selection, first.cells, dict(first.means)
    ('Table 5, tests for interval scales, without P and RBP_p05', 20, {'s2ns': 12.5, 'ns2s': 37.5})
    >>> last.selection, last.cells, dict(last.means), last.error
    ('all of Tables 5 and 6', 88, {'delta': 50.0}, 0.0)

    References
    ----------
    [FerranteFerroFuhr2021]_, section VIII-C
    """
    if by not in ("counts", "percentages"):
        raise ParameterError(f"averages are by counts or by percentages, not by {by!r}")
    return [_average(selection, table56, by) for selection in selections()]


def _average(selection: Selection, table56: Table56, by: str) -> Average:
    found = list(_selected(selection, table56))
    known = [(place, cell) for place, cell in found if cell["sig"]]
    percents = {key: [_percent(place, cell, COLUMNS[key], by) for place, cell in known] for key in selection.keys}
    deltas = percents.get("delta", [])
    return Average(
        name=selection.name,
        selection=selection.words,
        means={key: fmean(values) if values else None for key, values in percents.items()},
        error=NORMAL * stdev(deltas) / sqrt(len(deltas)) if len(deltas) > 1 else None,
        cells=len(known),
        undefined=len(found) - len(known),
    )


def _selected(selection: Selection, table56: Table56) -> Iterator[tuple[str, Cell]]:
    """Return the cells of a selection, each with where it stands."""
    for track, measures in table56.items():
        for measure, test in selection.cells:
            place, cell = f"{track}, {measure}, {test}", measures.get(measure, {}).get(test, {})
            if None in (cell.get(key) for key in ("sig", "s2ns", "ns2s")):
                raise ParameterError(f"{place}: sig, s2ns or ns2s is missing; averages need all cells")
            yield place, cell


def _percent(place: str, cell: Cell, column: str, by: str) -> float:
    """Return a percentage of a cell, as printed or from its counts."""
    if by == "counts":
        return float(getattr(Flips(*(int(cell[key] or 0) for key in ("sig", "s2ns", "ns2s"))), column))
    percent = cell.get(column)
    if percent is None:
        raise ParameterError(f"{place}: {column} is missing; averages by percentages need all cells")
    return float(percent)
