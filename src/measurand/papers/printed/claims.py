"""Claims about the printed tables: what must hold between cells, averages of cells, and what the text says of cells.

An `Identity` must hold whatever the campaign, such as a percentage that follows from two counts. An `Average` is one
that section VIII-C quotes, with the cells that it is over. What the text says is data, in `fff2021/said.toml`: the ends
of a `Range` of cells, a `Tally` of the cells in which something holds, or a `Quoted` average.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import product
from math import inf, sqrt
from statistics import fmean, stdev
from types import MappingProxyType

from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.papers.exhibit import Found, Line, Mark, line
from measurand.papers.printed.labels import (
    DEEP_TRACKS,
    MEASURES,
    PAIRS,
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
    means: Mapping[str, float | None] = field(converter=lambda means: MappingProxyType(dict(means)))
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


TALLIES = MappingProxyType({"lower": "{} is lower in Table 3 than in Table 2", "more": "{} finds more pairs than {}"})
"""What is counted, in words: of a measure, or of two tests."""

WORDS = MappingProxyType({"s2ns": "pairs lost", "ns2s": "pairs won", "delta": "pairs lost or won", "error": "±"})
"""What is averaged, in words."""


@frozen(kw_only=True)
class Range:
    """The lowest and the highest of some cells.

    Parameters
    ----------
    row
        The row of the conformance checklist.
    section
        Where the text speaks of it.
    table
        2, 3, 4, or 56 for Tables 5 and 6.
    of
        Measures, or pairs of them in Table 4; all if empty.
    column
        Which number of a cell, in Tables 4 to 6.
    track
        The only track that is meant; nothing for all.
    besides
        Measures with the depths of runs that the text excepts.
    below, above
        Only cells between these bounds are meant.
    loss
        Whether the text speaks of 100 − 100 τ, in percent.
    text
        What the text says, under lowest and highest, with its digits; nothing if it does not say it.
    erratum
        What explains that the cells come to something else.
    """

    row: str
    section: str
    table: int
    of: tuple[str, ...] = field(default=(), converter=tuple)
    column: str = "tau"
    track: str = ""
    besides: Mapping[str, tuple[int, ...]] = field(factory=dict)
    below: float = inf
    above: float = -inf
    loss: bool = False
    text: Mapping[str, str] = field(factory=dict)
    erratum: str = ""

    def ends(self, cells: Cells) -> tuple[float, float] | None:
        """Return the lowest and the highest of the cells; None if some are unknown, or there is none.

        Parameters
        ----------
        cells
            The tables by their names.

        Examples
        --------
        >>> taus = {track: {"P": 1.0, "AP": 0.5 + place / 100} for place, track in enumerate(TRACKS)}
        >>> of_ap, of_rr = (Range(row="", section="", table=2, of=[name]) for name in ("AP", "RR"))
        >>> of_ap.ends({"table2": taus}), of_rr.ends({"table2": taus})
        ((0.5, 0.61), None)
        """
        found = list(self._numbers(cells))
        kept = [number for number in found if number is not None and self.above < number < self.below]
        return (min(kept), max(kept)) if kept and None not in found else None

    def _numbers(self, cells: Cells) -> Iterator[float | None]:
        """Return every number meant; None for one that is unknown."""
        tracks = [self.track] if self.track else TRACKS if self.table in (2, 3) else DEEP_TRACKS
        for track, name in product(tracks, self.of or (PAIRS if self.table == 4 else MEASURES)):
            if int(track.rpartition("_")[2]) in self.besides.get(name, ()):
                continue
            place = (f"table{self.table}", track, name)
            if self.table in (2, 3):
                yield cell_at(cells, *place)
            elif self.table == 4:
                yield cell_at(cells, *place, self.column)
            else:
                yield from (cell_at(cells, *place, test, self.column) for test in EIGHT)

    def lines(self, cells: Cells) -> Iterator[Line]:
        """Return the two ends beside the text."""
        ends = self.ends(cells)
        if ends is not None:
            lowest, highest = (round(100 - 100 * end, 2) for end in reversed(ends)) if self.loss else ends
            known = {"lowest": lowest, "highest": highest} if lowest < highest else {"lowest": lowest}
            for name, end in known.items():
                if name in self.text or not self.text:
                    what = f"{self.words}: {name}" if lowest < highest else self.words
                    yield _line(what, end, self.text.get(name), self.erratum)

    @property
    def words(self) -> str:
        """Which cells, in words."""
        parts = [
            "Tables 5 and 6" if self.table == 56 else f"Table {self.table}",
            " and ".join(self.of),
            "" if self.column == "tau" else self.column,
            self.track,
            *(f"{name} not at N = {' and '.join(map(str, depths))}" for name, depths in self.besides.items()),
            f"cells below {self.below:g}" if self.below < inf else "",
            f"cells above {self.above:g}" if self.above > -inf else "",
            "loss in percent" if self.loss else "",
        ]
        return ", ".join(filter(None, parts))


@frozen(kw_only=True)
class Tally:
    """In how many cells something holds.

    Parameters
    ----------
    row
        The row of the conformance checklist.
    section
        Where the text speaks of it.
    kind
        "lower": a measure has a lower tau in Table 3 than in Table 2; "more": a test finds more pairs than another.
    of
        The measure, all if empty; or the two tests.
    text
        "most" if the text says that it holds in most cells; nothing if it does not say it.
    erratum
        What explains that it does not.
    """

    row: str
    section: str
    kind: str
    of: tuple[str, ...] = field(default=(), converter=tuple)
    text: str = ""
    erratum: str = ""

    def count(self, cells: Cells) -> tuple[int, int] | None:
        """Return in how many cells it holds, and of how many; None if some cells are unknown.

        Parameters
        ----------
        cells
            The tables by their names.

        Examples
        --------
        >>> tests = {"paired_t": {"sig": 3}, "signed_rank": {"sig": 4}}
        >>> cells = {"table56": {track: dict.fromkeys(MEASURES, tests) for track in DEEP_TRACKS}}
        >>> Tally(row="", section="", kind="more", of=["signed_rank", "paired_t"]).count(cells)
        (33, 33)
        """
        if self.kind == "lower":
            places = product(TRACKS, self.of or MEASURES)
            both = [[cell_at(cells, table, *place) for table in ("table3", "table2")] for place in places]
        else:
            places = product(DEEP_TRACKS, MEASURES)
            both = [[cell_at(cells, "table56", *place, test, "sig") for test in reversed(self.of)] for place in places]
        if any(None in two for two in both):
            return None
        return sum(one < other for one, other in both), len(both)

    def lines(self, cells: Cells) -> Iterator[Line]:
        """Return whether it holds in most cells, beside the text."""
        found = self.count(cells)
        if found is not None:
            holds, among = found
            what = f"{TALLIES[self.kind].format(*self.of or ['a measure'])}: in most cells (in {holds} of {among})"
            yield _line(what, 2 * holds > among, self.text == "most" or None, self.erratum)


@frozen(kw_only=True)
class Quoted:
    """An average over cells of Tables 5 and 6.

    Parameters
    ----------
    row
        The row of the conformance checklist.
    section
        Where the text speaks of it.
    name
        The selection of cells, as in `measurand.papers.printed.selections`.
    text
        What the text says, with its digits; nothing if it does not say it.
    erratum
        What explains that the cells come to something else.
    """

    row: str
    section: str
    name: str
    text: Mapping[str, str] = field(factory=dict)
    erratum: str = ""

    def lines(self, cells: Cells) -> Iterator[Line]:
        """Return the means of the printed percentages beside the text."""
        try:
            [found] = [each for each in averages(cells.get("table56", {}), by="percentages") if each.name == self.name]
        except ParameterError:  # some cells are unknown
            return
        for name, mean in {**found.means, "error": found.error}.items():
            if mean is not None and (name in self.text or not self.text):
                yield _line(f"{self.name}: {WORDS[name]}, %", mean, self.text.get(name), self.erratum)


@frozen(kw_only=True)
class Stated:
    """A number that the text gives, or a claim, beside what the cells come to.

    Parameters
    ----------
    row
        The row of the conformance checklist.
    line
        What the text says, if it says it, and what the cells come to; with the erratum where these differ.
    """

    row: str
    line: Line


@cache
def _said() -> tuple[Range | Tally | Quoted, ...]:
    text = (files("measurand.papers") / "fff2021" / "said.toml").read_text(encoding="utf-8")
    content = tomllib.loads(text)
    kinds = {"range": Range, "tally": Tally, "average": Quoted}
    return tuple(kind(**entry) for name, kind in kinds.items() for entry in content[name])


def stated(cells: Cells) -> list[Stated]:
    """Return what the text of Ferrante, Ferro and Fuhr says of cells, beside what these come to.

    Parameters
    ----------
    cells
        The tables by their names. What is said of cells that are not all known is left out.

    Examples
    --------
    >>> taus = {track: {"AP": 0.69 + place / 100} for place, track in enumerate(TRACKS)}
    >>> [(one.row, one.line.mark.value, one.line.errata) for one in stated({"table2": taus})]
    [('FFF-T2-prose', '✓', ()), ('FFF-T2-prose', '✗', ('E33',))]

    References
    ----------
    [FerranteFerroFuhr2021]_, section VIII
    """
    return [Stated(row=one.row, line=each) for one in _said() for each in one.lines(cells)]


def _line(what: str, ours: Found, said: str | bool | None, erratum: str) -> Line:
    """Return a line that names the erratum only where the two differ."""
    found = line(what, ours, said=said)
    return line(what, ours, said=said, erratum=erratum) if found.mark is Mark.DIFFERS else found
