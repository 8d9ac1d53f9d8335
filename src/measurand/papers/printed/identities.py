"""Identities that must hold between the cells of Tables 2 to 6, on whatever cells are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from attrs import frozen

from measurand.papers.printed.from_cells import Cells, cell_at
from measurand.papers.printed.labels import MEASURES, TRACKS, TWINS, pair
from measurand.scales import EIGHT

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
